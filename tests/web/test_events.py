"""Matches and tournaments on the page: started there, played elsewhere, held, stopped and continued."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from forgeron.arena.entrant import Entrant
from forgeron.arena.event import Terms
from forgeron.arena.executor import in_this_process
from forgeron.arena.journal import Journal
from forgeron.arena.match import Match, play_match
from web_pages import CONNECT_FOUR, HOST, SOCKET, Page, running

Pages = Callable[..., Page]
WISH: dict[str, Any] = {
    "game": "connect-four",
    "options": {},
    "players": ["beginner", "random"],
    "games": 2,
    "time": "200n",
    "pace": False,
}


def begin(page: Page, **more: Any) -> dict[str, Any]:
    """Start an event; what the server answers."""
    page.socket.send_json({"do": "event-new", "key": page.key, **WISH, **more})
    return page.hear_until(lambda message: message["event"] in ("opened", "refused"))


def event_when(page: Page, right: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    return page.hear_until(lambda message: message["event"] == "event" and right(message))


def answer(page: Page, what: str, **more: Any) -> dict[str, Any]:
    page.socket.send_json({"do": what, "key": page.key, "ask": 7, **more})
    return page.hear_until(lambda message: message.get("ask") == 7)


def test_a_match_is_started_played_and_its_games_can_be_looked_at(pages: Pages) -> None:
    page = pages()
    name = begin(page)["id"]
    state = event_when(page, lambda state: state["finished"] and not state["running"])
    assert [row["games"] for row in state["standings"]] == [2, 2]
    assert state["may_stop"]
    low, high = state["cross"]["beginner"]["random"]["score"][1:]
    assert 0 <= low < high <= 1
    games = answer(page, "event-games", id=name, names=["beginner", "random"])["games"]
    assert [set(game["names"]) for game in games] == [{"beginner", "random"}] * 2
    history = answer(page, "event-game", id=name, game=games[0]["id"])
    assert len(history["positions"]) == len(history["moves"]) + 1 == games[0]["plies"] + 1
    assert answer(page, "event-game", id=name, game="none")["event"] == "refused"


def test_a_tournament_of_three_is_held_stepped_stopped_and_continued(pages: Pages) -> None:
    page, other = pages(), pages()
    name = begin(page, players=["beginner", "random", "monte-carlo"], time="200n", pace=True)["id"]
    page.hear_until(lambda message: message["event"] == "boards" and bool(message["boards"]))
    page.say("event-do", order="hold")
    event_when(page, lambda state: state["held"])
    held = last_ply(page)
    page.say("event-do", order="step")
    page.hear_until(lambda message: message["event"] == "boards" and plies(message) > held)
    page.say("event-do", order="stop")
    state = event_when(page, lambda state: not state["running"])
    assert not state["finished"]
    listed = answer(other, "events")["events"]
    assert [(one["id"], one["running"], one["total"]) for one in listed] == [(name, False, 6)]
    page.say("event-do", order="go")
    page.say("event-do", order="resume")
    event_when(page, lambda state: state["running"])


def plies(message: dict[str, Any]) -> int:
    return max((board["ply"] for board in message["boards"]), default=0)


def last_ply(page: Page) -> int:
    """The ply at which the game is shown now."""
    page.say("event-watch")
    return plies(page.hear_until(lambda message: message["event"] == "boards" and bool(message["boards"])))


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"players": ["beginner", "./bot"]}, "player or level"),
        ({"players": ["beginner", "minimax:eval=/etc/passwd"]}, "player or level"),
        ({"players": ["beginner", "human"]}, "player or level"),
        ({"players": ["beginner", "beginner"]}, "different ones"),
        ({"players": ["beginner"]}, "players"),
        ({"game": "./game.py"}, "game"),
        ({"time": "9999"}, "time"),
        ({"games": 3}, "games"),
    ],
)
def test_what_makes_no_event_is_refused(pages: Pages, more: dict[str, Any], why: str) -> None:
    page = pages()
    said = begin(page, **more)
    assert said["event"] == "refused"
    assert why in said["text"]
    assert answer(page, "events")["events"] == []


def test_a_journal_of_a_terminal_is_watched(tmp_path: Path, database: Path) -> None:
    path = tmp_path / "matches" / "m.journal"
    terms = Terms.settle(CONNECT_FOUR, time="20n", seed=1)
    match = Match(terms, (Entrant("a", player="random"), Entrant("b", player="random")), 4)
    with (
        running(database, journals=[path.parent]) as server,
        server.websocket_connect(SOCKET, headers={"origin": HOST}) as socket,
    ):
        page = Page(socket, "1" * 32)
        assert answer(page, "events")["events"] == []
        with Journal(path, match.settings()) as journal:
            course = play_match(match, journal, in_this_process)
            next(course)
            next(course)
            (listed,) = answer(page, "events")["events"]
            page.id = listed["id"]
            page.say("event-watch")
            event_when(page, lambda state: state["kind"] == "match")
            for _ in course:
                pass
        state = event_when(page, lambda state: state["finished"])
        assert state["played"] == 4
        assert not state["may_stop"], "the terminal stops it"
        page.say("event-do", order="stop")
        page.hear_until(lambda message: message["event"] == "refused")


def test_others_do_not_hold_events_of_somebody_else(database: Path) -> None:
    with running(database, token="secret-token") as server:
        server.get("/?token=secret-token")
        with (
            server.websocket_connect(SOCKET, headers={"origin": HOST}) as first,
            server.websocket_connect(SOCKET, headers={"origin": HOST}) as second,
        ):
            owner, other = Page(first, "1" * 32), Page(second, "2" * 32)
            name = begin(owner, games=100, pace=True)["id"]
            for what in ("hold", "stop", "resume", "step"):
                assert answer(other, "event-do", id=name, order=what)["event"] == "refused"
            assert answer(owner, "event-do", id=name, order="stop")["event"] == "done"

"""Games over the socket: what people do, what players answer, and what is kept."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import pytest

import forgeron
from web_pages import HOST, SOCKET, Page, running

Pages = Callable[..., Page]


def test_a_person_moves_and_the_player_answers(pages: Pages) -> None:
    page = pages()
    page.new("yolah", ["person", "casual"])
    assert page.you == {"seats": [0], "owner": True}
    page.move("d5:b7")
    state = page.wait(lambda state: state["ply"] == 2)
    assert [seat for seat, _ in state["moves"]] == [0, 1]
    assert state["step"]["seat"] == 1
    assert state["view"]["turn"] == 0


@pytest.mark.parametrize("game", ["yolah", "mancala", "yinsh", "yut", "connect-four"])
def test_a_whole_game_against_a_player_is_a_legal_game_with_its_result(pages: Pages, game: str) -> None:
    page, rng = pages(), random.Random(1)
    page.new(game, ["beginner", "person"], **({"N": 3} if game == "yinsh" else {}))
    while page.state["result"] is None:
        view = page.state["view"]
        if view["turn"] != 1:
            page.hear()
        elif view["chance"]:
            page.say("throw", ply=page.state["ply"])
            page.hear()
        else:
            page.move(rng.choice(view["moves"])["move"])
    name = "examples/game_connect_four.py" if game == "connect-four" else game
    position = forgeron.game(name, **({"N": 3} if game == "yinsh" else {})).start()
    for _, move in page.state["moves"]:
        position = position.play(move)
    assert position.outcome is not None
    assert page.state["result"]["winner"] == position.outcome.winner
    assert tuple(page.state["result"]["scores"]) == position.outcome.scores


def test_an_illegal_move_is_refused_and_changes_nothing(pages: Pages) -> None:
    page = pages()
    page.new("yolah", ["person", "person"])
    answer = page.move("d5:d4")
    assert answer["event"] == "refused"
    assert "d5 can go to" in answer["text"]
    assert page.move("nonsense")["event"] == "refused"
    assert page.move("d5:b7")["event"] == "game"
    assert page.state["ply"] == 1


def test_nobody_moves_for_another(pages: Pages) -> None:
    first, second = pages(), pages()
    first.new("yolah", ["person", "casual"])
    second.open(first.id)
    assert second.you == {"seats": [], "owner": False}
    assert second.move("d5:b7")["text"] == "it is not your turn"
    second.say("resign")
    assert second.hear()["text"] == "you do not play in this game"
    second.say("takeback", ply=0)
    assert second.hear()["event"] == "refused"


def test_a_move_for_an_earlier_position_is_refused(pages: Pages) -> None:
    page = pages()
    page.new("yolah", ["person", "person"])
    page.move("d5:b7")
    page.say("move", move="d4:a7", ply=0)
    assert page.hear()["text"] == "the game has gone on meanwhile"


def test_two_people_play_by_a_link_and_others_watch(pages: Pages) -> None:
    first, second, third = pages(), pages(), pages()
    first.new("yolah", ["person", "open"])
    assert first.state["sides"][1]["waiting"]
    second.open(first.id)
    second.say("sit")
    second.wait(lambda state: not state["sides"][1]["waiting"])
    assert second.you["seats"] == [1]
    third.open(first.id)
    third.say("sit")
    assert "both seats are taken" in third.hear_until(lambda message: message["event"] == "refused")["text"]
    first.wait(lambda state: not state["sides"][1]["waiting"])
    first.move("d5:b7")
    second.wait(lambda state: state["ply"] == 1)
    second.move("d4:a7")
    for page in (first, third):
        assert page.wait(lambda state: state["ply"] == 2)["moves"] == [[0, "d5:b7"], [1, "d4:a7"]]


def test_a_move_is_taken_back_with_the_answer_to_it(pages: Pages) -> None:
    page = pages()
    page.new("yolah", ["person", "casual"])
    page.move("d5:b7")
    page.wait(lambda state: state["ply"] == 2)
    page.say("takeback", ply=2)
    state = page.wait(lambda state: state["ply"] == 0)
    assert state["view"]["turn"] == 0
    page.say("takeback", ply=0)
    assert page.hear()["text"] == "there is no move of yours to take back"


def test_after_a_takeback_the_same_throws_come_again(pages: Pages) -> None:
    page = pages()
    page.new("yut", ["person", "person"])
    page.say("throw", ply=0)
    thrown = page.wait(lambda state: state["ply"] == 1)["moves"][0]
    while page.state["view"]["chance"]:
        page.say("throw", ply=page.state["ply"])
        page.hear()
    ply = page.state["ply"]
    page.move(page.state["view"]["moves"][0]["move"])
    while page.state["view"]["chance"] and page.state["ply"] < ply + 4:
        page.say("throw", ply=page.state["ply"])
        page.hear()
    after = page.state["moves"]
    page.say("takeback", ply=page.state["ply"])
    page.wait(lambda state: state["ply"] == ply)
    page.move(page.state["view"]["moves"][0]["move"])
    while page.state["ply"] < len(after):
        page.say("throw", ply=page.state["ply"])
        page.hear()
    assert page.state["moves"] == after
    assert page.state["moves"][0] == thrown


def test_who_resigns_has_lost_and_a_rematch_swaps_the_seats(pages: Pages) -> None:
    first, second = pages(), pages()
    first.new("yolah", ["person", "open"])
    second.open(first.id)
    second.say("sit")
    second.wait(lambda state: not state["sides"][1]["waiting"])
    second.say("rematch")
    assert second.hear()["text"] == "a rematch comes after the game"
    first.say("resign")
    assert first.wait(lambda state: state["result"])["result"]["winner"] == 1
    old = first.id
    first.say("rematch")
    first.hear_until(lambda message: message["event"] == "game" and message["state"]["id"] != old)
    assert first.you["seats"] == [1]
    assert second.wait(lambda state: state["rematch"])["rematch"] == first.id
    second.open(first.id)
    assert second.you["seats"] == [0]


def test_a_hint_is_a_legal_move(pages: Pages) -> None:
    page = pages()
    page.new("yolah", ["person", "casual"])
    page.say("hint", ply=0, ask=7)
    answer = page.hear_until(lambda message: message.get("ask") == 7)
    assert answer["move"] in forgeron.game("yolah").start().legal_moves()
    assert 0 <= answer["value"] <= 1


def test_players_play_each_other_and_are_held_and_stepped(pages: Pages) -> None:
    page, other = pages(), pages()
    page.new("connect-four", ["beginner", "casual"])
    page.wait(lambda state: state["ply"] >= 2)
    page.say("pause")
    held = page.wait(lambda state: state["paused"])
    page.say("step")
    assert page.wait(lambda state: state["ply"] > held["ply"])["ply"] == held["ply"] + 1
    other.open(page.id)
    other.say("go")
    assert other.hear()["event"] == "refused"
    page.say("go")
    assert page.wait(lambda state: state["result"])["result"]["reason"] in ("win", "draw")


def test_a_clock_runs_down_and_loses_the_game(pages: Pages) -> None:
    page = pages()
    page.new("yolah", ["person", "person"], clock=[1, 0])
    assert page.state["clocks"]["running"] == 0
    result = page.wait(lambda state: state["result"])["result"]
    assert (result["winner"], result["reason"]) == (1, "time")


def test_games_go_on_after_the_server_was_ended(database: Path) -> None:
    with running(database) as server, server.websocket_connect(SOCKET, headers={"origin": HOST}) as socket:
        page = Page(socket, "a" * 32)
        page.new("yut", ["person", "beginner"], clock=[600, 5])
        page.wait(lambda state: state["view"]["turn"] == 0 and not state["view"]["chance"])
        page.move(page.state["view"]["moves"][0]["move"])
        before = page.wait(lambda state: state["view"]["turn"] == 0 and not state["view"]["chance"])
        name = page.id
    started = monotonic()
    with running(database) as server, server.websocket_connect(SOCKET, headers={"origin": HOST}) as socket:
        page = Page(socket, "a" * 32)
        page.open(name)
        gone = monotonic() - started
        assert page.you["seats"] == [0]
        assert page.state["moves"] == before["moves"]
        assert page.state["view"]["position"] == before["view"]["position"]
        left, left_before = page.state["clocks"]["left"][0], before["clocks"]["left"][0]
        # The clock went on no earlier than the server, however slow this machine is.
        assert left_before - gone - 0.01 <= left <= left_before + 0.01
        page.move(page.state["view"]["moves"][0]["move"])
        assert page.state["ply"] == before["ply"] + 1


def test_finished_games_are_kept_with_their_result(database: Path) -> None:
    with running(database) as server, server.websocket_connect(SOCKET, headers={"origin": HOST}) as socket:
        page = Page(socket, "b" * 32)
        page.new("yolah", ["person", "person"])
        page.move("d5:b7")
        page.say("resign")
        page.wait(lambda state: state["result"])
        name, result = page.id, page.state["result"]
    with running(database) as server, server.websocket_connect(SOCKET, headers={"origin": HOST}) as socket:
        page = Page(socket, "b" * 32)
        socket.send_json({"do": "games", "key": page.key})
        recent = page.hear()["recent"]
        assert [(one["id"], one["result"]["winner"]) for one in recent] == [(name, 0)]
        page.open(name)
        assert page.state["result"] == result

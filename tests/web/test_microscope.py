"""The search microscope over the socket: traces, counts, what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import forgeron
from web_pages import CONNECT_FOUR, Page

Pages = Callable[..., Page]


def subject(**more: Any) -> dict[str, Any]:
    start = str(forgeron.game(CONNECT_FOUR).start())
    return {"game": "connect-four", "options": {}, "position": start, "search": "alphabeta", "depth": 3, **more}


IDEAS = ["alphabeta", "deepening", "history", "killers", "lmr", "probcut", "pvs", "table"]


def test_the_steps_of_a_search_are_told_and_counted(pages: Pages) -> None:
    page = pages()
    page.socket.send_json({"do": "microscope", **subject(ideas=IDEAS), "number": 4})
    steps: list[list[Any]] = []
    while (message := page.hear())["event"] == "trace":
        assert message["number"] == 4
        steps += message["steps"]
    assert message["event"] == "traced", message
    assert message["complete"]
    assert steps[0][0] == "root"
    assert sum(step[0] == "child" for step in steps) == message["nodes"]


def test_nodes_are_counted_with_each_idea_the_other_way_round(pages: Pages) -> None:
    page = pages()
    page.socket.send_json({"do": "count", **subject(ideas=IDEAS, depth=2), "number": 5})
    told = []
    while (message := page.hear())["event"] == "counting":
        told.append(message)
    assert message["event"] == "counted", message
    assert told[0]["ideas"] == IDEAS
    # Without alpha-beta nothing is left of the ideas that need it.
    assert told[1]["ideas"] == ["deepening", "table"]
    assert len(told) == 1 + len(IDEAS)
    assert all(one["complete"] for one in told)


def test_moves_are_followed(pages: Pages) -> None:
    page = pages()
    about = {"game": "connect-four", "options": {}, "position": None}
    page.socket.send_json({"do": "follow", "ask": 1, **about, "moves": ["4", "4"]})
    answer = page.hear()
    after = forgeron.game(CONNECT_FOUR).start().play("4").play("4")
    assert answer["view"]["position"] == str(after)
    assert answer["step"]["move"] == "4"
    page.socket.send_json({"do": "follow", **about, "moves": ["9"]})
    assert page.hear()["event"] == "refused"


def test_a_search_that_makes_no_sense_is_refused(pages: Pages) -> None:
    page = pages()
    for wrong in ({"search": "bogus"}, {"ideas": ["rave"]}, {"depth": 99}, {"depth": 0}, {"ideas": "table"}):
        page.socket.send_json({"do": "microscope", **subject(**{"ideas": [], **wrong}), "number": 1})
        assert page.hear()["event"] == "refused"


def test_another_search_ends_the_one_before_it(pages: Pages) -> None:
    page = pages()
    page.socket.send_json({"do": "microscope", **subject(ideas=[], depth=8), "number": 1})
    page.socket.send_json({"do": "microscope", **subject(ideas=IDEAS, depth=2), "number": 2})
    answer = page.hear_until(lambda message: message["event"] in ("traced", "problem") and message["number"] == 2)
    assert answer["complete"]

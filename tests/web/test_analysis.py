"""The analysis page over the socket: positions, lines, reviews."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import forgeron
from web_pages import Page

Pages = Callable[..., Page]
TINY: dict[str, Any] = {"game": "connect-four", "options": {}}


def test_a_look_shows_where_a_move_leads(pages: Pages) -> None:
    page = pages()
    page.socket.send_json({"do": "look", "ask": 1, "game": "yolah", "options": {}, "position": None, "move": "d5:b7"})
    answer = page.hear()
    after = forgeron.game("yolah").start().play("d5:b7")
    assert answer["view"]["position"] == str(after)
    assert answer["step"]["move"] == "d5:b7"
    assert answer["ask"] == 1


def test_a_position_that_is_none_is_refused(pages: Pages) -> None:
    page = pages()
    page.socket.send_json({"do": "look", "game": "yolah", "options": {}, "position": "nonsense", "move": None})
    assert page.hear()["event"] == "refused"
    page.socket.send_json({"do": "look", "game": "/etc/passwd", "options": {}, "position": None, "move": None})
    assert page.hear()["event"] == "refused"


def test_the_history_of_a_game_is_its_positions(pages: Pages) -> None:
    page = pages()
    page.new("yolah", ["person", "person"])
    page.move("d5:b7")
    page.say("history", ask=7)
    answer = page.hear_until(lambda message: message["event"] == "history")
    start = forgeron.game("yolah").start()
    assert answer["moves"] == ["d5:b7"]
    assert answer["positions"] == [str(start), str(start.play("d5:b7"))]
    assert answer["turns"] == [0, 1]


def test_a_review_marks_the_move_that_threw_the_game_away(pages: Pages) -> None:
    page = pages()
    # Three in a column: whoever does not stop it has lost; the other side then wins at once.
    moves = ["1", "2", "1", "2", "1", "7", "1"]
    page.socket.send_json({"do": "review", **TINY, "position": None, "moves": moves, "number": 5})
    answer = page.hear_until(lambda message: message["event"] in ("reviewed", "problem"))
    assert answer["event"] == "reviewed", answer
    assert answer["number"] == 5
    assert [one["move"] for one in answer["moves"]] == moves
    assert answer["course"][-1] == 1.0
    assert answer["moves"][5]["mark"] == "??"
    assert answer["moves"][5]["best"][0] == "1"
    assert len(answer["course"]) == len(moves) + 1


def test_lines_are_told_and_another_analysis_ends_the_first(pages: Pages) -> None:
    page = pages()
    game = forgeron.game("yolah")
    for number, position in enumerate([game.start(), game.start().play("d5:b7")], 1):
        page.socket.send_json(
            {"do": "analyse", "game": "yolah", "options": {}, "position": str(position), "number": number}
        )
    told = page.hear_until(lambda message: message["event"] == "thought" and message["number"] == 2)
    assert told["lines"][0]["moves"][0] in game.start().play("d5:b7").legal_moves()
    page.socket.send_json({"do": "rest"})

"""Rules cards and the examples that are played through."""

from __future__ import annotations

from pathlib import Path

import pytest

import forgeron
from forgeron import Lesson
from forgeron.core.lesson import follow
from forgeron.laws import notation
from forgeron.laws.reached_positions import ReachedPosition
from forgeron.laws.violation import BrokenLaw

CONNECT_FOUR = str(Path(__file__).parent.parent.parent / "examples" / "game_connect_four.py")
OURS = ["yolah", "mancala", "yinsh", "yut"]


@pytest.mark.parametrize("name", OURS)
def test_each_of_our_games_has_a_card_and_an_example(name: str) -> None:
    game = forgeron.game(name)
    assert game.rules() == list(game.rules_card)
    assert 3 <= len(game.lessons) <= 6
    assert all(lesson.ask and lesson.told for lesson in game.lessons)


def test_the_examples_show_what_they_say() -> None:
    steps = {name: follow(forgeron.game(name)) for name in OURS}
    _, _, shut_in = steps["yolah"][2]
    assert shut_in.turn == 1
    assert shut_in.legal_moves() == ["a1:a1"]  # the pass
    _, before, after = steps["mancala"][2]
    assert after.scores[0] - before.scores[0] == 6
    assert steps["yinsh"][4][2].scores == (1, 0)
    _, before, captured = steps["yut"][1]
    assert str(before) == "0,0,0,3/0,0,0,5:r:2"
    assert str(captured) == "0,0,0,5/0,0,0,0:r:t"
    won = steps["yut"][3][2].outcome
    assert won is not None
    assert won.winner == 0


def test_a_game_without_a_card_says_what_can_be_said() -> None:
    text = " ".join(forgeron.game(CONNECT_FOUR).rules())
    assert "Four in a row wins" in text
    assert "1 … 7" in text
    assert "Yellow begins" in text


def test_a_lesson_with_an_illegal_move_breaks_a_law(monkeypatch: pytest.MonkeyPatch) -> None:
    game = forgeron.game(CONNECT_FOUR)
    monkeypatch.setattr(type(game), "lessons", (Lesson("Drop a disc.", ("4",)), Lesson("Into the ninth.", ("9",))))
    visit = ReachedPosition(game, game.start_state())
    with pytest.raises(BrokenLaw, match="lessons"):
        notation.the_example_can_be_played(visit)

"""A program where a player is expected, a person where a contestant is."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import forgeron
from forgeron.arena.clock import TimeControl
from forgeron.arena.contestant import BuiltIn, Request
from forgeron.arena.entrant import Entrant
from forgeron.arena.guests import Human, ProcessPlayer
from forgeron.arena.referee import Referee
from forgeron.core.errors import ForgeronError

HERE = Path(__file__).parent
GAME = forgeron.game(str(HERE.parent.parent / "examples" / "game_connect_four.py"))


def program(fault: str, at: int = 0) -> Entrant:
    return Entrant("bot", command=(sys.executable, "-S", str(HERE / "bots" / "bad_bot.py"), "mark", fault, str(at)))


def test_a_program_is_asked_like_a_player() -> None:
    player = ProcessPlayer(GAME, program("none"))
    try:
        choice = player.choose(GAME.start(), forgeron.Limit(seconds=20))
        assert (choice.move, choice.line) == ("1", ("1",))
    finally:
        player.close()


def test_a_fault_of_a_program_is_told_in_words() -> None:
    player = ProcessPlayer(GAME, program("exit"))
    try:
        with pytest.raises(ForgeronError, match=r"bot: it ended with exit code 7 \('fatal: no idea'\)"):
            player.choose(GAME.start(), forgeron.Limit(seconds=20))
    finally:
        player.close()
    with pytest.raises(ForgeronError, match=r"does not start: there is no program '\./gone'"):
        ProcessPlayer(GAME, Entrant("gone", command=("./gone",)))


def test_a_person_may_slip_and_resign() -> None:
    written = iter(["what?", "9", "4", "resign"])
    asked: list[Request] = []

    def ask(request: Request) -> str:
        asked.append(request)
        return next(written)

    seats = Human("ada", ask), BuiltIn("machine", forgeron.player("greedy", GAME))
    record = Referee(GAME, seats, TimeControl(move_seconds=60)).play()
    assert record.moves[0] == "4"
    assert (record.winner, record.reason, record.extra["detail"]) == (1, "resign", "ada resigns")
    assert len(asked) == 4

"""A program where a player is expected."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import forgeron
from forgeron.arena.entrant import Entrant
from forgeron.arena.process_player import ProcessPlayer
from forgeron.core.errors import ForgeronError

HERE = Path(__file__).parent
CONNECT_FOUR = HERE.parent.parent / "examples" / "game_connect_four.py"
GAME = forgeron.game(str(CONNECT_FOUR))


def program(fault: str, at: int = 0) -> Entrant:
    bad_bot = HERE.parent / "bots" / "programs" / "bad_bot.py"
    return Entrant("bot", command=(sys.executable, "-S", str(bad_bot), "mark", fault, str(at)))


def test_a_program_is_asked_like_a_player() -> None:
    player = ProcessPlayer(GAME, program("none"))
    try:
        choice = player.choose(GAME.start(), forgeron.Limit(seconds=20))
        assert (choice.move, choice.line) == ("1", ("1",))
    finally:
        player.close()


def test_a_program_is_told_the_limit_of_every_question() -> None:
    player = Entrant.parse(f"{sys.executable} -m forgeron bot {CONNECT_FOUR} --player minimax").open_player(GAME)
    assert isinstance(player, ProcessPlayer)
    try:
        nodes = [player.choose(GAME.start(), forgeron.Limit(nodes=asked)).nodes for asked in (60, 2_000)]
    finally:
        player.close()
    assert nodes == [60, 2_000]


def test_a_fault_of_a_program_is_told_in_words() -> None:
    player = ProcessPlayer(GAME, program("exit"))
    try:
        with pytest.raises(ForgeronError, match=r"bot: it ended with exit code 7 \('fatal: no idea'\)"):
            player.choose(GAME.start(), forgeron.Limit(seconds=20))
    finally:
        player.close()
    with pytest.raises(ForgeronError, match=r"does not start: there is no program '\./gone'"):
        ProcessPlayer(GAME, Entrant("gone", command=("./gone",)))

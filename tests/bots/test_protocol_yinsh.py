"""The protocol of the YINSH course, from both sides."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest

import forgeron
from forgeron.bots.contestant import BuiltIn, Contestant
from forgeron.bots.faults import Reason
from forgeron.bots.protocol_bot import ProtocolBot, play_on_lines
from forgeron.bots.protocols import protocol_class
from forgeron.core.errors import OptionError
from refereed import OURS, PATIENT, bot, play, small_bot

#: A small board and short rows: games are short and full of turns with several parts.
GAME = forgeron.game("yinsh", preset="course", N=4, K=4)


def stranger(*arguments: str, **options: Any) -> Contestant:
    return small_bot("yinsh", "yinsh_bot.py", *arguments, **options)


def ours() -> Contestant:
    words = ["yinsh", "--preset", "course", "--player", "random", "--protocol", "yinsh"]
    return bot("yinsh", "ours", [*OURS, *words], PATIENT)


def here(seed: int = 3) -> BuiltIn:
    return BuiltIn("here", forgeron.player("greedy", GAME, seed=seed))


@pytest.mark.parametrize("our_seat", [0, 1])
def test_our_bot_and_a_bot_of_the_course_play_a_whole_game(our_seat: int) -> None:
    seats = (ours(), stranger("1")) if our_seat == 0 else (stranger("2"), ours())
    record = play(GAME, *seats, "60+0")
    assert record.reason in (Reason.WIN, Reason.DRAW)
    assert any(move.startswith("x") for move in record.moves)
    assert f"first line: {2 - our_seat} 4 60 4" in seats[1 - our_seat].log


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_turns_of_several_parts_go_both_ways(seed: int) -> None:
    """The independent bot checks every turn it gets against its own rules, and dies of a wrong one."""
    record = play(GAME, here(seed), stranger(str(seed)), "60+0")
    assert record.reason in (Reason.WIN, Reason.DRAW)


FAULTS = [
    ("illegal", "1", Reason.ILLEGAL, "'S 0 0 M 1 0' in position .*must place a ring first"),
    ("garbage", "1", Reason.ILLEGAL, r"'P 99 \\x07' is no move of YINSH"),
    ("incomplete", "4", Reason.ILLEGAL, "its turn 'S .*' is not complete .*: it goes on with x"),
    ("crash", "1", Reason.CRASH, "exit code 1 .*no more ideas"),
]


@pytest.mark.parametrize(("fault", "at", "reason", "detail"), FAULTS, ids=[row[0] for row in FAULTS])
def test_the_fault_costs_the_game(fault: str, at: str, reason: Reason, detail: str) -> None:
    record = play(GAME, stranger("1", fault, at), here(), "60+0")
    assert (record.winner, record.reason) == (1, reason), record.extra["detail"]
    assert re.search(detail, record.extra["detail"]), record.extra["detail"]


def test_time_is_for_the_whole_game() -> None:
    record = play(GAME, stranger("1", "late", "2"), here(), "0.5+0")
    assert (record.winner, record.reason, len(record.moves)) == (1, Reason.TIME, 4)


def test_without_a_clock_there_is_nothing_to_tell() -> None:
    with pytest.raises(OptionError, match="give a clock, for example 120"):
        play(GAME, stranger("1"), here(), "1")


def test_a_first_line_that_cannot_be_read_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    ours = ProtocolBot(protocol_class("yinsh"), GAME, lambda game: forgeron.player("random", game))
    play_on_lines(ours, ["hello\n"], io.StringIO())
    assert "the first line is '<player 1|2> <N> <seconds> <K>', not 'hello'" in capsys.readouterr().err


def test_our_bot_takes_board_and_rows_from_the_first_line() -> None:
    seen = []
    out = io.StringIO()

    def find(game: forgeron.Game) -> forgeron.Player:
        seen.append(game)
        return forgeron.player("random", game)

    play_on_lines(ProtocolBot(protocol_class("yinsh"), forgeron.game("yinsh"), find), ["1 6 10 5\n", "P 1 1\n"], out)
    assert (seen[0].chosen["N"], seen[0].chosen["K"]) == (6, 5)
    assert [line.split()[0] for line in out.getvalue().splitlines()] == ["P", "P"]

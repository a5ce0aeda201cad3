"""The protocol of the Mancala course, from both sides."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest

import forgeron
from forgeron.arena.referee import Referee
from forgeron.bots.clock import TimeControl
from forgeron.bots.contestant import BuiltIn, Contestant
from forgeron.bots.faults import Reason
from forgeron.bots.protocol_bot import ProtocolBot, play_on_lines
from forgeron.bots.protocols import protocol_class
from forgeron.core.errors import OptionError, UnknownNameError
from refereed import OURS, PATIENT, bot, play, small_bot

GAME = forgeron.game("mancala", preset="course")


def stranger(*arguments: str, **options: Any) -> Contestant:
    return small_bot("mancala", "mancala_bot.py", *arguments, **options)


def ours(player: str = "random") -> Contestant:
    words = ["mancala", "--preset", "course", "--player", player, "--protocol", "mancala", "--nodes", "20"]
    return bot("mancala", "ours", [*OURS, *words], PATIENT)


def here(seed: int = 3) -> BuiltIn:
    return BuiltIn("here", forgeron.player("random", GAME, seed=seed))


@pytest.mark.parametrize("our_seat", [0, 1])
def test_our_bot_and_a_bot_of_the_course_play_a_whole_game(our_seat: int) -> None:
    seats = (ours(), stranger("result")) if our_seat == 0 else (stranger("move"), ours())
    record = play(GAME, *seats, "30")
    assert record.reason in (Reason.WIN, Reason.DRAW)
    assert f"over after {len(record.moves)} plies" in seats[1 - our_seat].log


@pytest.mark.parametrize("style", ["move", "result", "both"])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_ending_move_may_come_alone_or_in_a_result_or_before_one(style: str, seed: int) -> None:
    """Whoever makes the last move: the bot sees the same end as the referee."""
    one = stranger(style, "crlf")
    record = play(GAME, one, here(seed), "20", seed)
    assert record.reason in (Reason.WIN, Reason.DRAW)
    assert f"over after {len(record.moves)} plies" in one.log
    assert "warnings" not in record.extra


FAULTS = [
    ("illegal", Reason.ILLEGAL, "'16R' in position .*hole 16 is the opponent's"),
    ("garbage", Reason.ILLEGAL, r"'I play \\x1b\[31m<hole>' is no move of Coloured Mancala"),
    ("empty", Reason.PROTOCOL, "an empty line instead of a move"),
    ("crash", Reason.CRASH, "exit code 1 .*no more ideas"),
    ("claims", Reason.PROTOCOL, "'RESULT LIMIT 60 36', but by the rules the game goes on"),
]


@pytest.mark.parametrize(("fault", "reason", "detail"), FAULTS, ids=[row[0] for row in FAULTS])
def test_the_fault_costs_the_game(fault: str, reason: Reason, detail: str) -> None:
    record = play(GAME, stranger("move", fault), here(), "20")
    assert (record.winner, record.reason) == (1, reason)
    assert re.search(detail, record.extra["detail"]), record.extra["detail"]
    assert len(record.moves) == 2


@pytest.mark.parametrize("claim", ["", "wrong"])
def test_a_course_bot_ends_the_game_at_the_limit_and_the_rules_count(claim: str) -> None:
    """The course's bots send RESULT LIMIT instead of the last move."""
    short = forgeron.game("mancala", preset="course", plies=12)
    other = BuiltIn("here", forgeron.player("random", short, seed=1))
    record = play(short, other, stranger("limit", *([claim] if claim else [])), "20")
    first, second = record.scores
    assert len(record.moves) == 11
    assert record.winner == (None if first == second else 0 if first > second else 1)
    assert record.reason == (Reason.DRAW if first == second else Reason.WIN)
    warnings = record.extra.get("warnings", [])
    assert [f"it claims the result '60 36'; by the rules it is '{first} {second}'" in one for one in warnings] == (
        [True] if claim else []
    )


def test_a_late_move_loses_on_time() -> None:
    record = play(GAME, stranger("move", "late"), here(), "0.4")
    assert (record.winner, record.reason, len(record.moves)) == (1, Reason.TIME, 2)


@pytest.mark.parametrize(("grace", "reasons"), [(20, (Reason.WIN, Reason.DRAW)), (0, (Reason.TIME,))])
def test_the_time_to_start_is_forgiven_within_the_grace(grace: float, reasons: tuple[Reason, ...]) -> None:
    record = play(GAME, stranger("move", "slow-start", grace=grace), here(), "0.5")
    assert record.reason in reasons
    assert len(record.moves) == 0 or record.extra["notes"][0]["t"] == 0.0


def test_the_grace_is_for_the_first_move_only() -> None:
    record = play(GAME, stranger("move", "late", "1", grace=600), here(), "0.3")
    assert (record.reason, len(record.moves)) == (Reason.TIME, 2)


def test_a_claimed_end_that_is_none_is_a_move_like_any_other() -> None:
    record = play(GAME, stranger("move", "lies"), here(), "20")
    assert record.reason in (Reason.WIN, Reason.DRAW)
    assert "ends the game; by the rules it goes on" in record.extra["warnings"][0]


def test_a_program_that_is_not_there_forfeits() -> None:
    record = play(GAME, here(), bot("mancala", "gone", ["./no-such-bot"]), "1")
    assert (record.winner, record.reason) == (0, Reason.STARTUP)


def test_the_bot_is_started_anew_for_each_game() -> None:
    one, processes = stranger("move"), []
    for _ in range(2):
        assert play(GAME, one, here(), "20").reason in (Reason.WIN, Reason.DRAW)
        processes.append(one.latest)  # type: ignore[attr-defined]
        assert one.log.count("I was called") == 1
    assert processes[0] is not processes[1]


def test_the_seat_is_named_on_the_command_line_when_that_is_asked_for() -> None:
    one = stranger("move", "crash", "0", argument=True)
    play(GAME, here(), one, "20")
    assert "'JoueurB']" in one.log


def test_openings_and_unknown_options_are_refused() -> None:
    with pytest.raises(OptionError, match="knows no openings"):
        Referee(GAME, (here(), stranger("move")), TimeControl.parse("1"), opening=["1R"])
    with pytest.raises(UnknownNameError, match="option of protocol mancala 'graze'; did you mean 'grace'"):
        stranger("move", graze=1)


def test_another_game_is_refused() -> None:
    with pytest.raises(OptionError, match="protocol mancala is for mancala"):
        play(forgeron.game("yolah"), stranger("move"), stranger("move"), "1")


def test_our_bot_answers_the_ending_move_with_the_result() -> None:
    """The last three lines of a game that is nearly over, checked against the rules."""
    record = play(GAME, here(1), here(2), "20")
    out = io.StringIO()
    theirs = [record.moves[i] for i in range(1, len(record.moves), 2)]
    script = _Scripted(list(record.moves[::2]))
    ours = ProtocolBot(protocol_class("mancala"), GAME, lambda game: script, limit=forgeron.Limit(nodes=1))
    play_on_lines(ours, iter(["START\r\n", *(f"{move}\r\n" for move in theirs)]), out)
    assert out.getvalue().split("\n")[-2] == f"RESULT {record.moves[-1]} {record.scores[0]} {record.scores[1]}"
    assert out.getvalue().split("\n")[:-2] == list(record.moves[::2])[: len(out.getvalue().split("\n")) - 2]


class _Scripted:
    """A player that makes given moves."""

    game = GAME

    def __init__(self, moves: list[str]) -> None:
        self._moves = moves

    def choose(self, position: Any, limit: Any) -> Any:
        return forgeron.Choice(self._moves.pop(0), 0.5, (), 0, 0, 0.0)

"""`forgeron check` finds the first thing that is wrong with a bot, and shows the bot's own words."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import forgeron
from forgeron.arena.check import Check, CheckStep
from forgeron.bots.clock import TimeControl
from forgeron.bots.sandbox import Sandbox
from refereed import BOTS

CONNECT_FOUR = str(Path(__file__).parent.parent.parent / "examples" / "game_connect_four.py")
GAME = forgeron.game(CONNECT_FOUR)
BAD_BOT = str(BOTS / "bad_bot.py")


def steps(*arguments: str, time: str = "2", startup: float = 20.0) -> list[CheckStep]:
    command = [sys.executable, "-S", BAD_BOT, "mark", *arguments]
    control = TimeControl.parse(time)
    return list(Check(GAME, command, control=control, sandbox=Sandbox(memory_mb=512), startup_seconds=startup).steps())


def test_a_good_bot_passes_every_step() -> None:
    done = steps("none")
    assert [step.passed for step in done] == [True] * 9
    assert [step.what.split()[0] for step in done] == [
        "starts", "completes", "is", "moves", "moves", "plays", "moves", "exits", "leaves"
    ]  # fmt: skip


FIRST_FAILURES = [
    ("dies-at-start", "starts", "exit code 5", "keep running"),
    ("exit", "plays a whole game against random moves", "exit code 7", "keep running"),
    ("garbage", "plays a whole game against random moves", "is no move of", "must be legal"),
    ("empty", "plays a whole game against random moves", "'bestmove' instead of", "'bestmove <move>'"),
    ("ignores-quit", "exits when told", "was killed", "'quit'"),
]


@pytest.mark.parametrize(("fault", "what", "note", "right"), FIRST_FAILURES, ids=[row[0] for row in FIRST_FAILURES])
def test_the_first_failure_is_the_last_step_and_is_explained(fault: str, what: str, note: str, right: str) -> None:
    done = steps(fault, "1")
    assert [step.passed for step in done[:-1]] == [True] * (len(done) - 1)
    assert (done[-1].what, done[-1].passed) == (what, False)
    assert note in done[-1].note
    assert right in done[-1].right
    if fault in ("exit", "dies-at-start"):
        assert any("fatal: no idea" in line or "cannot find my brain" in line for line in done[-1].log)
    if fault == "empty":
        assert "← bestmove" in done[-1].lines


def test_a_bot_without_handshake_is_told_what_is_right() -> None:
    done = steps("no-handshake", startup=0.5)
    assert [step.passed for step in done] == [True, False]
    assert "ugiok" in done[-1].right
    assert done[-1].lines == ["→ ugi", "→ quit"]


def test_a_bot_that_is_slow_fails_at_its_first_move() -> None:
    done = steps("slow", "0", time="0.3")
    assert done[-1].what == "moves as the first player"
    assert "flush" in done[-1].right


def test_a_program_that_is_not_there_fails_at_once() -> None:
    done = list(Check(GAME, ["./no-such-bot"]).steps())
    assert [(step.what, step.passed) for step in done] == [("starts", False)]
    assert "there is no program './no-such-bot'" in done[0].note


def test_a_child_that_stays_is_found() -> None:
    done = list(Check(GAME, [sys.executable, "-S", "-c", LEAVES_A_CHILD], sandbox=Sandbox(bwrap=False)).steps())
    assert (done[-1].what, done[-1].passed) == ("leaves no process behind", False)
    assert "1 of its processes" in done[-1].note


LEAVES_A_CHILD = f"""
import subprocess, sys
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], start_new_session=True)
sys.argv = ["bot", "mark", "none"]
exec(open({BAD_BOT!r}).read())
"""


@pytest.mark.parametrize(
    ("game", "protocol", "command", "time"),
    [
        (forgeron.game("mancala", preset="course"), "mancala", ["mancala_bot.py", "both"], "3"),
        (forgeron.game("yinsh", preset="course", N=4, K=4), "yinsh", ["yinsh_bot.py", "1"], "60+0"),
        (forgeron.game("yut"), "yut", ["yut_players.py", "Player"], "3"),
    ],
    ids=["mancala", "yinsh", "yut"],
)
def test_bots_of_the_courses_pass(game: forgeron.Game, protocol: str, command: list[str], time: str) -> None:
    python = [] if protocol == "yut" else [sys.executable]
    words = [*python, str(BOTS / command[0]), *command[1:]]
    done = list(Check(game, words, protocol, TimeControl.parse(time)).steps())
    assert [step for step in done if step.passed is False] == []
    assert [step.what for step in done if step.passed][:3] == [
        "starts",
        "moves as the first player",
        "moves as the second player",
    ]

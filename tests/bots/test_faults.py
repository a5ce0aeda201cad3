"""The thirty faults of a bot: each gives the stated result, and nothing is left of the bot."""

from __future__ import annotations

import os
import re
import resource
import select
import socket
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

import forgeron
from forgeron.arena.referee import Referee
from forgeron.bots.clock import TimeControl
from forgeron.bots.faults import BotFault, Reason
from forgeron.bots.native_host import NativeHost
from forgeron.bots.process import BotProcess
from forgeron.bots.sandbox import Sandbox, bwrap_works
from forgeron.core.record import Record

HERE = Path(__file__).parent
BAD_BOT = HERE / "programs" / "bad_bot.py"
GAME = forgeron.game(str(HERE.parent.parent / "examples" / "game_connect_four.py"))
#: Every process that these tests start, and every child of one, carries this word.
MARK = f"mark-{uuid.uuid4().hex}"
CONTROL = TimeControl(move_seconds=0.4)
ROOMY = TimeControl(move_seconds=20)

LAYERS = [
    pytest.param(Sandbox(memory_mb=512, file_mb=8, bwrap=False), id="rlimits"),
    pytest.param(
        Sandbox(memory_mb=512, file_mb=8),
        id="bwrap",
        marks=pytest.mark.skipif(not bwrap_works(), reason="bubblewrap is not installed or not allowed here"),
    ),
]


@pytest.fixture(params=LAYERS)
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    found: Sandbox = request.param
    return found


def bot(name: str, *arguments: str, sandbox: Sandbox, startup: float = 20, hidden: tuple[Path, ...] = ()) -> NativeHost:
    command = [sys.executable, "-S", str(BAD_BOT), MARK, *(arguments or ("none",))]
    return NativeHost(name, command, sandbox=sandbox, startup_seconds=startup, hidden=hidden)


def living() -> list[str]:
    """Command lines of the processes that are left."""
    found = []
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                words = Path("/proc", entry.name, "cmdline").read_bytes().replace(b"\0", b" ").decode()
                state = Path("/proc", entry.name, "stat").read_text().rpartition(")")[2].split()[0]
            except OSError:
                continue
            if MARK in words and state != "Z" and entry.name != str(os.getpid()):
                found.append(words)
    return found


@pytest.fixture(autouse=True, scope="module")
def compiled_before_memory_is_measured() -> None:
    GAME.start().play("1")


@pytest.fixture(autouse=True)
def nothing_is_left_and_memory_stays_flat() -> Iterator[None]:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    yield
    assert living() == []
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50 * 1024


def play(bad: NativeHost, good: NativeHost, control: TimeControl = CONTROL) -> Record:
    try:
        return Referee(GAME, (bad, good), control).play()
    finally:
        bad.close()
        good.close()


# fault, arguments, reason, what the record says
LOSSES = [
    ("1 too slow", ["slow"], Reason.TIME, "did not answer in time"),
    ("2 exits with a code", ["exit"], Reason.CRASH, "exit code 7 .*fatal: no idea"),
    ("2 exits, its message in a frame", ["framed"], Reason.CRASH, "exit code 2 .*no such option"),
    ("3 dies by a signal", ["segfault"], Reason.CRASH, "signal 11"),
    ("4 dies before the handshake", ["dies-at-start"], Reason.STARTUP, "exit code 5 .*cannot find my brain"),
    ("6 hangs", ["hang"], Reason.TIME, "did not answer in time"),
    ("7 stops itself", ["sigstop"], Reason.TIME, "did not answer in time"),
    ("8 prints info for ever", ["info-forever"], Reason.TIME, "did not answer in time"),
    ("9 floods lines", ["flood-lines"], Reason.OUTPUT, "more than 4 MB for one move"),
    ("10 floods without newline", ["flood-no-newline"], Reason.OUTPUT, "a line of more than 64 KB"),
    ("11 illegal move", ["illegal", "4"], Reason.ILLEGAL, "'1' in position .*legal here: 2, 3, 4, 5, 6, 7"),
    ("12 garbage", ["garbage"], Reason.ILLEGAL, r"\\x1b\[31m\\ufffd<script>' is no move"),
    ("13 empty answer", ["empty"], Reason.PROTOCOL, "'bestmove' instead of 'bestmove <move>'"),
    ("15 no newline", ["no-newline"], Reason.TIME, "printed 'bestmove 1' without an end of line: flush"),
    ("19 child holds the pipe", ["child-holds-pipe"], Reason.CRASH, "exit code 3"),
    ("22 memory", ["memory"], Reason.MEMORY, "more than its 512 MB"),
    ("23 closes stdout", ["close-stdout"], Reason.CRASH, "closed its output while running"),
    ("25 never reads", ["never-reads"], Reason.TIME, "did not answer in time|does not read"),
    ("26 exits after a good move", ["exit-after-move"], Reason.CRASH, "exit code 0"),
]


@pytest.mark.parametrize(("arguments", "reason", "detail"), [row[1:] for row in LOSSES], ids=[row[0] for row in LOSSES])
def test_the_fault_costs_the_game(arguments: list[str], reason: Reason, detail: str, sandbox: Sandbox) -> None:
    control = ROOMY if reason is not Reason.TIME else CONTROL
    record = play(bot("bad", *arguments, sandbox=sandbox), bot("good", sandbox=sandbox), control)
    assert (record.winner, record.reason) == (1, reason)
    assert re.search(detail, record.extra["detail"]), record.extra["detail"]
    assert record.extra["layers"][0] == list(sandbox.layers)
    assert [move for move in record.moves if not move.isascii()] == []


def test_the_processor_time_of_a_move_is_that_of_the_bot_itself(sandbox: Sandbox) -> None:
    record = play(bot("busy", "busy", "2", sandbox=sandbox), bot("good", sandbox=sandbox), ROOMY)
    assert record.reason in (Reason.WIN, Reason.DRAW)
    spent = [note["cpu"] for note in record.extra["notes"]]
    assert spent[4] > 0.3
    assert 0 < min(spent) <= max(spent[:4]) < 0.2


def test_4_a_missing_program_forfeits_with_the_reason(sandbox: Sandbox) -> None:
    missing = NativeHost("gone", ["./no-such-bot"], sandbox=sandbox)
    record = play(missing, bot("good", sandbox=sandbox))
    assert (record.winner, record.reason) == (1, Reason.STARTUP)
    assert "there is no program './no-such-bot'" in record.extra["detail"]


def test_5_a_bot_that_never_shakes_hands_forfeits(sandbox: Sandbox) -> None:
    record = play(bot("mute", "no-handshake", sandbox=sandbox, startup=1.0), bot("good", sandbox=sandbox))
    assert (record.winner, record.reason) == (1, Reason.STARTUP)
    assert "it was not ready within 1 s" in record.extra["detail"]


ACCEPTED = [
    ("14 two chunks", ["two-chunks"]),
    ("16 CRLF", ["crlf"]),
    ("17 strange bytes in info", ["strange-info"]),
    ("18 much on stderr", ["stderr-flood"]),
    ("20 a child in its own session", ["setsid-child"]),
    ("21 twenty children", ["fork-20"]),
    ("24 two answers", ["two-answers"]),
    ("27 ignores quit", ["ignores-quit"]),
    ("28 answers before it is asked", ["early-answer"]),
    ("30 lies about the result", ["lies"]),
]


@pytest.mark.parametrize("arguments", [row[1] for row in ACCEPTED], ids=[row[0] for row in ACCEPTED])
def test_the_game_goes_on_by_the_rules(arguments: list[str], sandbox: Sandbox) -> None:
    bad = bot("bad", *arguments, sandbox=sandbox)
    record = play(bad, bot("good", sandbox=sandbox), ROOMY)
    assert (record.winner, record.reason) == (0, Reason.WIN)
    assert len(record.moves) == 19
    if arguments[0] in ("two-answers", "early-answer"):
        assert record.extra["warnings"] == ["bad: 1 lines printed before it was asked were not read"]
    if arguments[0] == "stderr-flood":
        assert 128 * 1024 <= len(bad.log) < 140 * 1024


def test_29_a_file_that_grows_without_end_is_refused(sandbox: Sandbox) -> None:
    bad = bot("bad", "fill-disk", sandbox=sandbox)
    play(bad, bot("good", sandbox=sandbox), ROOMY)
    assert "disk refused" in bad.log


@pytest.mark.skipif(not bwrap_works(), reason="bubblewrap is not installed or not allowed here")
def test_29_the_network_and_a_rivals_files_are_out_of_reach_with_bubblewrap(tmp_path: Path) -> None:
    sandbox = Sandbox()
    secret = Path("/var/tmp/forgeron-test-rival")
    secret.mkdir(exist_ok=True)
    (secret / "plan.txt").write_text("my secret plan")
    try:
        spy = bot("spy", "spy", "1", str(secret / "plan.txt"), sandbox=sandbox, hidden=(secret,))
        play(spy, bot("good", sandbox=sandbox), ROOMY)
        assert "spying refused" in spy.log
    finally:
        (secret / "plan.txt").unlink()
        secret.rmdir()
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        caller = bot("caller", "network", "1", str(port), sandbox=sandbox)
        play(caller, bot("good", sandbox=sandbox), ROOMY)
    assert "network refused" in caller.log


def test_when_neither_bot_starts_nobody_wins(sandbox: Sandbox) -> None:
    both = NativeHost("a", ["./no-a"], sandbox=sandbox), NativeHost("b", ["./no-b"], sandbox=sandbox)
    record = play(*both)
    assert (record.winner, record.reason) == (None, Reason.STARTUP)
    assert "no-a" in record.extra["detail"]
    assert "no-b" in record.extra["detail"]


def test_a_file_that_cannot_be_run_is_told_what_would_help(tmp_path: Path, sandbox: Sandbox) -> None:
    script = tmp_path / "bot.py"
    script.write_text("print('hello')")
    record = play(NativeHost("script", [str(script)], sandbox=sandbox), bot("good", sandbox=sandbox))
    assert (record.winner, record.reason) == (1, Reason.STARTUP)
    assert "is not executable: chmod +x it" in record.extra["detail"]


def test_what_a_bot_said_before_it_died_is_kept_although_it_died_before_it_was_asked() -> None:
    process = BotProcess(["/bin/sh", "-c", "echo hello; exit 4"], sandbox=Sandbox(bwrap=False))
    try:
        waiting = select.poll()
        waiting.register(process._pidfd, select.POLLIN)
        assert waiting.poll(30_000), "it did not end"
        with pytest.raises(BotFault, match="exit code 4"):
            process.send("ugi", time.monotonic() + 30)
        assert list(process.transcript) == ["→ ugi", "← hello"]
    finally:
        process.close()


def test_our_bots_find_their_compiled_code_in_the_sandbox_wherever_it_is_kept(
    tmp_path: Path, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Below /tmp too, which is another one in there: else they would compile again for every game, on the clock."""
    monkeypatch.setattr("forgeron.bots.sandbox._compiled_code", lambda: str(tmp_path / "code"))
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "kernel").write_text("machine code")
    process = BotProcess(["/bin/sh", "-c", 'cat "$FORGERON_CACHE_DIR/kernel" 2>&1; echo'], sandbox=sandbox)
    try:
        assert process.receive(time.monotonic() + 20) == "machine code"
    finally:
        process.close()

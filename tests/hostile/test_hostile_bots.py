"""Bots that try to stop an event for good: each attack is a result of its game, and nothing is left of the bot."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

import forgeron
from forgeron.arena import worker
from forgeron.arena.check import Check
from forgeron.arena.entrant import Entrant
from forgeron.arena.executor import executor
from forgeron.arena.referee import Referee
from forgeron.arena.task import GameTask
from forgeron.bots import landlock, users
from forgeron.bots.clock import Clocks, TimeControl
from forgeron.bots.contestant import BuiltIn
from forgeron.bots.faults import Reason
from forgeron.bots.native_host import NativeHost
from forgeron.bots.sandbox import Sandbox, bwrap_works
from forgeron.core.record import Record

HERE = Path(__file__).parent
BOT = HERE / "bots" / "hostile_bot.py"
CONNECT_FOUR = str(HERE.parent.parent / "examples" / "game_connect_four.py")
GAME = forgeron.game(CONNECT_FOUR)
MARK = f"hostile-{uuid.uuid4().hex}"
WEAKEST = Sandbox(memory_mb=400, bwrap=False, own_user=False, landlock=False, namespace=False)
LAYERS = [
    pytest.param(WEAKEST, id="rlimits"),
    pytest.param(Sandbox(memory_mb=400, bwrap=False), id="landlock"),
    pytest.param(
        Sandbox(memory_mb=400), id="bwrap", marks=pytest.mark.skipif(not bwrap_works(), reason="no bubblewrap here")
    ),
]
COLUMNS = 7


def command(attack: str, *extra: str) -> list[str]:
    return [sys.executable, "-S", str(BOT), MARK, attack, *extra]


def living() -> list[str]:
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            words = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if MARK in words and state != "Z" and entry.name != str(os.getpid()):
            found.append(words)
    return found


def eventually_nothing_lives(tries: int = 1200) -> bool:
    """What a killed referee leaves is ended by its launcher, which takes a moment."""
    for _ in range(tries):
        if not living():
            return True
        time.sleep(0.05)
    return False


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    yield
    assert eventually_nothing_lives(), living()
    assert [name for name in os.listdir("/dev/shm") if MARK in name] == []


def play(attack: str, sandbox: Sandbox, time_control: str = "10", *extra: str) -> tuple[Record, NativeHost]:
    bad = NativeHost("bad", command(attack, *extra), sandbox=sandbox, startup_seconds=20)
    good = BuiltIn("good", forgeron.player("random", GAME, seed=1))
    try:
        return Referee(GAME, (bad, good), TimeControl.parse(time_control), seed=1).play(), bad
    finally:
        bad.close()


@pytest.mark.parametrize("sandbox", LAYERS)
@pytest.mark.parametrize("attack", ["wdl", "nodes", "negative", "many-digits"])
def test_a_number_that_makes_no_sense_is_left_out_with_a_warning(attack: str, sandbox: Sandbox) -> None:
    record, _ = play(attack, sandbox)
    assert record.reason in (Reason.WIN, Reason.DRAW)
    assert "an info line could not be read" in record.extra["warnings"][0]
    assert all(0 <= note.get("n", 0) < 2**63 for note in record.extra["notes"])


LOSSES = [
    ("long-line", Reason.OUTPUT, "a line of more than 64 KB"),
    ("long-move", Reason.ILLEGAL, r"9… \(60000 characters\)' is no move"),
    ("memory-text", Reason.CRASH, "exit code 1 .*MemoryError"),
    ("shared-memory", Reason.MEMORY, "with all its processes and /dev/shm, more than its 400 MB"),
    ("children-memory", Reason.MEMORY, "with all its processes and /dev/shm, more than its 400 MB"),
    ("many-files", Reason.OUTPUT, "more than 10000 files"),
]


@pytest.mark.parametrize("sandbox", LAYERS)
@pytest.mark.parametrize(("attack", "reason", "detail"), LOSSES, ids=[row[0] for row in LOSSES])
def test_what_a_bot_takes_too_much_of_costs_it_the_game(
    attack: str, reason: Reason, detail: str, sandbox: Sandbox
) -> None:
    record, bad = play(attack, sandbox, "60")
    assert (record.winner, record.reason) == (1, reason), record.extra["detail"]
    assert re.search(detail, record.extra["detail"]), record.extra["detail"]
    assert bad.latest is not None
    assert not bad.latest.folder.exists()


@pytest.mark.parametrize("sandbox", LAYERS[1:])
def test_files_in_shared_memory_are_counted_and_removed(sandbox: Sandbox) -> None:
    record, _ = play("shm-files", sandbox, "60")
    assert record.winner == 1
    assert record.reason in (Reason.MEMORY, Reason.CRASH)  # bubblewrap refuses the write instead


@pytest.mark.parametrize("sandbox", LAYERS)
@pytest.mark.parametrize("attack", ["nested", "locked", "stay", "fork-for-ever"])
def test_what_a_bot_leaves_behind_is_removed(attack: str, sandbox: Sandbox) -> None:
    # In a process that only referees: there orphans are a bot's.
    code = f"""
import sys; sys.path.insert(0, {str(HERE)!r}); sys.path.insert(0, {str(HERE.parent)!r})
import test_hostile_bots as zoo
from forgeron.bots.sandbox import Sandbox
from forgeron.bots.orphan_processes import adopt_all
adopt_all()
zoo.MARK = {MARK!r}
record, bad = zoo.play({attack!r}, {sandbox!r})
assert record.reason in ("win", "draw", "crash"), record
assert not bad.latest.folder.exists(), bad.latest.trouble
print(bad.latest.trouble, zoo.living())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"


def test_sixty_thousand_empty_lines_do_not_move_the_deadline() -> None:
    record, _ = play("empty-lines", WEAKEST, "0.5")
    assert (record.winner, record.reason) in ((1, Reason.TIME), (1, Reason.OUTPUT))


def test_the_margin_of_a_clock_is_spent_once() -> None:
    clocks = Clocks(TimeControl.parse("1+0"))
    assert clocks.deadline_seconds(0) == pytest.approx(1.05)
    clocks.spend(0, 1.03)
    assert clocks.allowed(0) == 0
    assert clocks.deadline_seconds(0) == pytest.approx(0.02)
    clocks.spend(0, 0.02)
    assert clocks.deadline_seconds(0) == 0
    assert clocks.deadline_seconds(1) == pytest.approx(1.05)


def test_the_margin_of_a_move_is_there_for_each_move() -> None:
    clocks = Clocks(TimeControl.parse("1"))
    clocks.spend(0, 1.04)
    assert clocks.deadline_seconds(0) == pytest.approx(1.05)


def test_check_shows_nothing_of_a_bot_unescaped() -> None:
    done = list(Check(GAME, command("escapes"), sandbox=WEAKEST).steps())
    assert done[-1].passed is False
    shown = [text for step in done for text in (step.note, step.right, *step.lines, *step.log)]
    assert any("\\x1b" in text for text in shown)
    assert all(text.isprintable() for text in shown)


# --- workers ---------------------------------------------------------------------------------------------------------


def task(attack: str, seat: int = 0) -> GameTask:
    bad = Entrant("bad", command=tuple(command(attack)), bwrap=False)
    both = (bad, Entrant("good", "random")) if seat == 0 else (Entrant("good", "random"), bad)
    return GameTask("1", CONNECT_FOUR, {}, both, "20n", seed=1)


@pytest.fixture
def unprotected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers whose bots have our rights: with a layer they would not reach their referee."""
    monkeypatch.setenv("FORGERON_TEST_UNPROTECTED", "1")
    monkeypatch.setattr(landlock, "landlock_works", lambda: False)
    monkeypatch.setattr(users, "may_change_user", lambda: False)
    monkeypatch.setattr(worker, "_START", "import forgeron.bots.users, forgeron.bots.landlock as l; "
                        "l.landlock_works = lambda: False; import forgeron.bots.sandbox as s; "
                        "s.namespaces_work = lambda: False; forgeron.bots.users.may_change_user = lambda: False; "
                        + worker._START)  # fmt: skip


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.usefixtures("unprotected")
def test_a_bot_that_kills_its_referee_has_crashed_the_second_time(seat: int) -> None:
    ((_, record),) = executor(1)([task("kill-referee", seat)])
    assert (record.winner, record.reason) == (1 - seat, Reason.CRASH)
    assert "its referee was ended by signal 9, 2 times" in record.extra["detail"]
    assert "bad was to move" in record.extra["detail"]
    assert len(record.moves) in (2, 3)
    assert Record.from_json(record.to_json()) == record


@pytest.mark.usefixtures("unprotected")
def test_a_bot_that_stops_its_referee_does_not_stop_the_event(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "SILENCE_SECONDS", 6.0)
    games = iter(executor(1)([task("stop-referee"), task("none")]))
    _, stopped = next(games)
    monkeypatch.setattr(worker, "SILENCE_SECONDS", 600.0)  # a busy machine may be silent for long
    _, after = next(games)
    assert stopped.reason == Reason.CRASH
    assert "has not been heard of" in stopped.extra["detail"]
    assert after.reason in (Reason.WIN, Reason.DRAW)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_bots_die_with_their_referee_however_it_dies(how: signal.Signals) -> None:
    found = worker.RefereeWorker()
    try:
        found.give(task("hang"))
        for _ in range(600):
            if living():
                break
            time.sleep(0.05)
        assert living()
        os.kill(found.pid, how)
        assert eventually_nothing_lives()
    finally:
        found.end(at_once=True)


def test_files_of_a_bot_are_removed_when_its_referee_is_killed_while_it_removes_them() -> None:
    code = f"""
import os, signal
from forgeron.bots import process
bot = process.BotProcess({command("hang")!r})
process.remove_folder = lambda folder: os.kill(os.getpid(), signal.SIGKILL)
print(bot.folder, flush=True)
bot.kill()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == -signal.SIGKILL, done.stderr
    folder = Path(done.stdout.strip())
    assert folder.name.startswith("forgeron-bot-")
    assert eventually_gone(folder)


def eventually_gone(folder: Path) -> bool:
    for _ in range(600):
        if not folder.exists():
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("moment", ["bring_files", "spawn"])
def test_files_of_a_bot_are_removed_when_its_referee_is_killed_while_it_starts_it(moment: str) -> None:
    code = f"""
import os, signal
from forgeron.bots import process
def die(*words):
    print(words[1] if {moment!r} == "bring_files" else words[0]["folder"], flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
process.{moment} = die
process.BotProcess({command("hang")!r})
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == -signal.SIGKILL, done.stderr
    folder = Path(done.stdout.strip())
    assert folder.name.startswith("forgeron-bot-")
    assert eventually_gone(folder)


def test_a_worker_that_says_what_makes_no_sense_is_given_up() -> None:
    found = worker.RefereeWorker()
    try:
        found.give(task("none"))
        assert found.receive().players == ("bad", "good")
        found.task = task("none", 1)
        found.line.send_bytes(b'{"not": "a task"}')
        with pytest.raises(worker.WorkerDiedError):
            found.receive()
    finally:
        found.end(at_once=True)

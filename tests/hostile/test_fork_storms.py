"""Bots that fork: the kernel counts their processes, whoever they are, and a record says what really held them."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

import forgeron
from forgeron.arena.referee import Referee
from forgeron.bots import launcher, users
from forgeron.bots.clock import TimeControl
from forgeron.bots.contestant import BuiltIn
from forgeron.bots.faults import BotFault, Reason
from forgeron.bots.native_host import NativeHost
from forgeron.bots.process import BotProcess
from forgeron.bots.sandbox import Sandbox, bwrap_works
from forgeron.core.record import Record

HERE = Path(__file__).parent
BOT = HERE / "bots" / "hostile_bot.py"
GAME = forgeron.game(str(HERE.parent.parent / "examples" / "game_connect_four.py"))
as_root = pytest.mark.skipif(os.getuid() != 0, reason="only root has users to give away")
with_bwrap = pytest.mark.skipif(not bwrap_works(), reason="no bubblewrap here")
BOTH = [pytest.param(False, id="plain"), pytest.param(True, id="bwrap", marks=with_bwrap)]

#: A bot that begins so many processes as it can, and says how many that were. It never has more than TRIES.
FORKS = """
import os, sys, time
begun = 0
for _ in range(TRIES):
    try:
        if os.fork() == 0:
            time.sleep(300)
            os._exit(0)
    except OSError:
        break
    begun += 1
print(begun, flush=True)
sys.stdin.read()
"""
LIMIT, TRIES = 40, 120


def begun(sandbox: Sandbox) -> int:
    process = BotProcess([sys.executable, "-S", "-c", FORKS.replace("TRIES", str(TRIES))], sandbox=sandbox)
    try:
        return int(process.receive(time.monotonic() + 60))
    finally:
        process.close()


@as_root
@pytest.mark.parametrize("bwrap", BOTH)
@pytest.mark.parametrize("own_user", [True, False])
def test_no_bot_has_more_processes_than_its_limit(own_user: bool, bwrap: bool) -> None:
    """RLIMIT_NPROC does not bind root: where a bot keeps our user id, something else has to count."""
    sandbox = Sandbox(processes=LIMIT, own_user=own_user, bwrap=bwrap)
    if not own_user and "pids" not in sandbox.layers:
        pytest.skip("no control group may be had here")
    found = begun(sandbox)
    assert 0 < found <= LIMIT + 4


@as_root
def test_where_the_kernel_does_not_count_the_watcher_does() -> None:
    """All of them are stopped before they are ended, so that none gets away."""
    mark = f"storm-{uuid.uuid4().hex}"
    sandbox = Sandbox(processes=LIMIT, own_user=False, pids=False, bwrap=False)
    command = [sys.executable, "-S", "-c", FORKS.replace("TRIES", str(TRIES)), mark]
    process = BotProcess(command, sandbox=sandbox)
    try:
        with pytest.raises(BotFault, match="processes, more than its 44") as caught:
            [process.receive(time.monotonic() + 60) for _ in range(2)]
        assert caught.value.reason == Reason.CRASH
    finally:
        process.close()
    assert living(mark) == []


def living(mark: str) -> list[str]:
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            words = (entry / "cmdline").read_bytes()
            state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
            if mark.encode() in words and state != "Z" and entry.name != str(os.getpid()):
                found.append(entry.name)
    return found


@as_root
@pytest.mark.parametrize("bwrap", BOTH)
def test_a_storm_of_forks_is_over_when_the_bot_is_closed(bwrap: bool) -> None:
    mark = f"storm-{uuid.uuid4().hex}"
    endless = "import os\nprint(1, flush=True)\nwhile True:\n  try: os.fork()\n  except OSError: pass"
    sandbox = Sandbox(processes=LIMIT, own_user=False, bwrap=bwrap)
    if "pids" not in sandbox.layers:
        pytest.skip("no control group may be had here")
    process = BotProcess([sys.executable, "-S", "-c", endless, mark], sandbox=sandbox)
    process.receive(time.monotonic() + 60)
    time.sleep(0.5)
    process.close()
    assert living(mark) == []
    assert not process.folder.exists()


def test_a_number_that_is_used_again_is_not_the_bots() -> None:
    """A storm of forks uses up all numbers within a minute: who has the bot's now is no bot, nor are his children."""
    stranger = subprocess.Popen([sys.executable, "-S", "-c", "import os; os.fork(); input()"], stdin=subprocess.PIPE)
    try:
        assert stranger.stdin is not None
        for _ in range(600):
            children = list(launcher.relatives("no mark", stranger.pid, None, {}))
            if children:
                break
            time.sleep(0.05)
        assert children
        assert list(launcher.relatives("no mark", stranger.pid, None, {stranger.pid: 1})) == []
    finally:
        stranger.communicate(timeout=60)


@pytest.fixture
def closed_bot() -> Iterator[Path]:
    """A bot where only root can read, as with umask 077."""
    base = Path(tempfile.mkdtemp(prefix="forgeron-closed-", dir="/var/tmp"))
    folder = base / "own"
    folder.mkdir(0o700)
    shutil.copy(BOT, folder / "bot.py")
    (folder / "bot.py").chmod(0o600)
    yield folder / "bot.py"
    shutil.rmtree(base)


def play(bot: Path, bwrap: bool) -> tuple[Record, BotProcess]:
    bad = NativeHost("bad", [sys.executable, "-S", str(bot), "mark", "none"], sandbox=Sandbox(bwrap=bwrap))
    good = BuiltIn("good", forgeron.player("random", GAME, seed=1))
    try:
        record = Referee(GAME, (bad, good), TimeControl.parse("60"), seed=1).play()
    finally:
        bad.close()
    assert bad.latest is not None
    return record, bad.latest


@as_root
@pytest.mark.parametrize("bwrap", BOTH)
def test_a_bot_whose_files_only_root_can_read_has_a_user_of_its_own_all_the_same(closed_bot: Path, bwrap: bool) -> None:
    record, process = play(closed_bot, bwrap)
    assert record.reason in ("win", "draw"), record.extra["detail"]
    assert "user" in record.extra["layers"][0]
    assert process.uid is not None


LOOKS = """
import os, helper
print(os.getuid(), helper.WORD, flush=True)
for path in (__file__, "SECRET", "OUTSIDE"):
    for mode in "r", "a":
        try:
            with open(path, mode):
                print("can", flush=True)
        except OSError:
            print("cannot", flush=True)
"""


@as_root
@pytest.mark.parametrize("bwrap", BOTH)
def test_what_is_shown_of_a_closed_folder_can_be_read_only(closed_bot: Path, bwrap: bool) -> None:
    """Its own folder as its author has it; of the closed folder above that, nothing else."""
    secret, outside = closed_bot.parents[1] / "secret.txt", Path("/etc/shadow")
    secret.write_text("everybody's, could everybody get there")
    closed_bot.write_text(LOOKS.replace("SECRET", str(secret)).replace("OUTSIDE", str(outside)))
    helper = closed_bot.with_name("helper.py")
    helper.write_text("WORD = 'found'")
    helper.chmod(0o600)
    process = BotProcess([sys.executable, str(closed_bot)], sandbox=Sandbox(bwrap=bwrap))
    try:
        said = [process.receive(time.monotonic() + 60) for _ in range(7)]
    finally:
        process.close()
    assert said == [f"{process.uid} found", "can", "cannot", "cannot", "cannot", "cannot", "cannot"]


@pytest.mark.parametrize("bwrap", BOTH)
def test_a_record_names_the_layers_that_the_process_had(
    closed_bot: Path, bwrap: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not those that another command would have had."""
    monkeypatch.setattr(users, "may_show", lambda path: False, raising=False)
    record, process = play(closed_bot, bwrap)
    assert record.extra["layers"][0] == list(process.layers)
    assert "user" not in record.extra["layers"][0]

"""Workers: processes that referee games and run bots, so that the event's own process does neither.

A bot that gets at its referee gets at a worker; the journal, the schedule and the results are elsewhere. What a worker
says is read as data and checked: a task goes in, a record comes out, both JSON. How far a game is stands in memory that
both share, so that a worker need not live to tell it.
"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from forgeron.arena.referee import Referee
from forgeron.arena.task import GameRunner, GameTask
from forgeron.bots.contestant import BuiltIn
from forgeron.bots.orphan_processes import adopt_all
from forgeron.core.errors import ForgeronError
from forgeron.core.json_text import write_json
from forgeron.core.position import Seat
from forgeron.core.record import Record

#: How often a worker says that it lives, and after how long a silence it is given up.
BEAT_SECONDS = 1.0
SILENCE_SECONDS = 30.0
#: So long after a bot's deadline its referee must have noticed.
_LATE_SECONDS = 60.0
#: How long a worker may take to end its bots when it is told to go.
_LEAVE_SECONDS = 5.0
#: The most a worker may say at once.
_MOST_BYTES = 64 << 20
_SHARED_BYTES = 1 << 18
_NEVER = float("inf")

_START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[3]); "
    "from forgeron.arena.worker import main; main(int(sys.argv[1]), int(sys.argv[2]))"
)


#: How a worker ends that somebody has ended: by a signal, or as it does when it is asked to go.
_ASKED_TO_GO = {128 + number for number in (signal.SIGTERM, signal.SIGHUP)}
_ENDED_BY_SOMEBODY = {-signal.SIGKILL, *_ASKED_TO_GO}


class WorkerDiedError(Exception):
    """A worker has ended, or does not answer, or says what makes no sense."""

    def __init__(self, how: str, *, by_somebody: bool = False) -> None:
        super().__init__(how)
        self.by_somebody = by_somebody
        """whether it was ended by a signal that somebody sent, and not by a mistake of its own"""


class Whereabouts(NamedTuple):
    """How far a game is."""

    seat: Seat | None
    """who is to move; None where nobody is known to be"""
    moves: tuple[str, ...]


class GameProgress:
    """The memory that an event and a worker share: written after every move, read when the worker is in trouble."""

    _FORM = struct.Struct("=ddqq")

    def __init__(self, fd: int) -> None:
        self._map = mmap.mmap(fd, _SHARED_BYTES)

    @classmethod
    def new(cls) -> tuple[GameProgress, int]:
        """New memory, and its descriptor for a worker."""
        fd = os.memfd_create("forgeron-progress")
        os.ftruncate(fd, _SHARED_BYTES)
        return cls(fd), fd

    def begin(self) -> None:
        self._FORM.pack_into(self._map, 0, time.monotonic(), _NEVER, -1, 0)

    def beat(self) -> None:
        struct.pack_into("=d", self._map, 0, time.monotonic())

    def note(self, seat: Seat, due: float, history: str) -> None:
        """The seat is to move, and its move, or its fault, is due by then."""
        data = history.encode()
        if len(data) <= _SHARED_BYTES - self._FORM.size:
            self._map[self._FORM.size : self._FORM.size + len(data)] = data
        else:
            data = b""
        struct.pack_into("=dqq", self._map, 8, due, seat, len(data))

    def read(self) -> tuple[float, float, Whereabouts]:
        """When the worker was last heard of, when it should have got further, and where the game is."""
        beat, due, seat, length = self._FORM.unpack_from(self._map, 0)
        size = min(max(length, 0), _SHARED_BYTES - self._FORM.size)
        text = self._map[self._FORM.size : self._FORM.size + size].decode("utf-8", errors="replace")
        return beat, due, Whereabouts(seat if seat in (0, 1) else None, tuple(text.split()))

    def close(self) -> None:
        self._map.close()


class RefereeWorker:
    """A worker, seen from the event."""

    def __init__(self) -> None:
        self.task: GameTask | None = None
        """what it plays"""
        self._progress, shared = GameProgress.new()
        self._progress.begin()
        ours, theirs = socket.socketpair()
        with theirs:
            words = [str(theirs.fileno()), str(shared), json.dumps(sys.path)]
            self._process = subprocess.Popen(
                [sys.executable, "-c", _START, *words], pass_fds=(theirs.fileno(), shared), stdin=subprocess.DEVNULL
            )
        os.close(shared)
        self.line = Connection(ours.detach())

    @property
    def pid(self) -> int:
        return self._process.pid

    def give(self, task: GameTask) -> None:
        """Let it play a game."""
        self.task = task
        self._progress.begin()
        with contextlib.suppress(OSError):  # one that has gone is noticed when its answer is read
            self.line.send_bytes(json.dumps(task.to_data()).encode())

    def receive(self) -> Record:
        """The record of the game; an error that it met; `WorkerDiedError` when there is neither."""
        task = self.task
        assert task is not None
        try:
            said = json.loads(self.line.recv_bytes(_MOST_BYTES))
            if "error" in said:
                raise ForgeronError(str(said["error"]))
            record = Record.from_data(said["record"])
        except (EOFError, OSError):
            raise self._death() from None
        except (ValueError, TypeError, KeyError, RecursionError):
            raise WorkerDiedError("its referee said what makes no sense") from None
        if record.players != tuple(entrant.name for entrant in task.entrants) or record.seed != task.seed:
            raise WorkerDiedError("its referee told of another game")
        self.task = None
        return record

    def _death(self) -> WorkerDiedError:
        try:
            code = self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            return WorkerDiedError("its referee closed its connection")
        signal_number = -code if code < 0 else code - 128 if code in _ASKED_TO_GO else 0
        how = f"was ended by signal {signal_number}" if signal_number else f"ended with exit code {code}"
        return WorkerDiedError(f"its referee {how}", by_somebody=code in _ENDED_BY_SOMEBODY)

    @property
    def trouble(self) -> str:
        """Why it must be given up although it has not ended; empty while it need not."""
        beat, due, _ = self._progress.read()
        now = time.monotonic()
        if now - beat > SILENCE_SECONDS:
            return f"its referee has not been heard of for {now - beat:.0f} s"
        return f"its referee got no further for {_LATE_SECONDS:.0f} s after its deadline" if now > due else ""

    @property
    def whereabouts(self) -> Whereabouts:
        return self._progress.read()[2]

    def end(self, *, at_once: bool = False) -> None:
        """Send it home; it ends its bots first, unless it does not answer."""
        with contextlib.suppress(OSError):
            if not at_once:
                self._process.terminate()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(_LEAVE_SECONDS)
            self._process.kill()  # what it leaves is ended by its launcher
        self._process.wait()
        self.line.close()
        self._progress.close()


# --- in the worker ---------------------------------------------------------------------------------------------------


def main(line_fd: int, shared_fd: int) -> None:
    """Play what is asked for until the event has no more, or goes."""
    for fd in (line_fd, shared_fd):
        os.set_inheritable(fd, False)
    progress = GameProgress(shared_fd)
    os.close(shared_fd)
    line = Connection(line_fd)
    runner = GameRunner()

    def leave(number: int, _frame: object) -> None:
        """At once: an exception would only end the game."""
        runner.close()
        os._exit(128 + number)

    adopt_all()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the event decides when to stop
    signal.signal(signal.SIGTERM, leave)
    signal.signal(signal.SIGHUP, leave)
    threading.Thread(target=_live, args=(progress, line_fd), daemon=True).start()
    with runner, contextlib.suppress(EOFError, OSError):
        while True:
            task = GameTask.from_data(json.loads(line.recv_bytes()))
            line.send_bytes(write_json(_played(runner, task, progress)).encode())


def _played(runner: GameRunner, task: GameTask, progress: GameProgress) -> dict[str, Any]:
    def note(referee: Referee, seat: Seat) -> None:
        due, entrant = _NEVER, task.entrants[seat]
        if not isinstance(referee.contestants[seat], BuiltIn):
            own = entrant.startup_seconds + entrant.grace_seconds
            due = time.monotonic() + referee.clocks.allowed(seat) + own + _LATE_SECONDS
        progress.note(seat, due, referee.history)

    try:
        return {"record": runner.play(task, note).to_data()}
    except ForgeronError as error:
        return {"error": str(error)}
    except Exception as error:
        return {"error": f"game {task.id} could not be played: {type(error).__name__}: {error}"}


def _live(progress: GameProgress, line_fd: int) -> None:
    """Say so as long as the event is there; an event that was killed cannot send its workers home."""
    gone = select.poll()
    gone.register(line_fd, select.POLLRDHUP)
    while not gone.poll(BEAT_SECONDS * 1000):
        progress.beat()
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_LEAVE_SECONDS)
    os._exit(1)  # a kernel that does not return: what is left is ended by the launcher

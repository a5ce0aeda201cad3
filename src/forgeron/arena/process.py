"""A bot as a process: lines in, lines out, one absolute deadline, and nothing left behind.

The referee's clock is monotonic. A read ends with a line, at the deadline, when the process dies (seen at once through
its process descriptor, even when a child holds its pipes), or when more was printed than allowed; printing never makes
the deadline later. Standard error is drained by a thread that keeps its first and last 64 KB.
"""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import tempfile
import threading
import time
import uuid
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path

from forgeron.arena.faults import BotFault, Reason, shown
from forgeron.arena.sandbox import Sandbox, clean_environment
from forgeron.arena.spawn import spawn
from forgeron.arena.tail import Tail

LINE_BYTES = 64 * 1024
#: What a bot may print for one move.
OUTPUT_BYTES = 4 * 1024 * 1024
#: How long a bot may take to leave when it is told to.
GRACE_SECONDS = 0.2
#: A program that ends closes its output first; so long it may take until it is gone.
_DYING_SECONDS = 0.3
#: How many of the last lines of a conversation are kept, for those who look for a bot's mistake.
TRANSCRIPT_LINES = 60

_READABLE = select.POLLIN | select.POLLHUP | select.POLLERR


class BotProcess:
    """One running bot."""

    def __init__(self, command: Sequence[str], *, sandbox: Sandbox | None = None, hidden: Sequence[Path] = ()) -> None:
        """Start the bot; a command that cannot be started is a `BotFault` with reason startup."""
        self.sandbox = sandbox or Sandbox()
        self.layers = self.sandbox.layers
        self.transcript: deque[str] = deque(maxlen=TRANSCRIPT_LINES)
        """the last lines, those to the bot after "→ ", those of the bot after "← "; None of it is judged"""
        self.left_by_itself: bool | None = None
        """once it is closed: whether the bot went when it was told to"""
        self.left_behind = 0
        """once it is closed: how many processes of a bot that went by itself were still there"""
        self.marker = uuid.uuid4().hex
        """in the environment of each of its processes, as FORGERON_BOT"""
        self._folder = Path(tempfile.mkdtemp(prefix="forgeron-bot-"))
        self._lines: list[bytes] = []
        self._partial = b""
        self._eof = False
        self._printed = 0
        self._cpu = 0.0
        self._cpu_clock: int | None = None
        self._code: int | None = None
        self.died = False
        """whether it ended, or closed its output, when it should not have"""
        self._stderr = Tail()
        if shutil.which(command[0]) is None:
            shutil.rmtree(self._folder, ignore_errors=True)
            if Path(command[0]).is_file():
                what = f"{shown(command[0])} is not executable: chmod +x it, or name the program that runs it first"
                raise BotFault(Reason.STARTUP, what)
            raise BotFault(Reason.STARTUP, f"there is no program {shown(command[0])} that can be run")
        self._pid, self._in, self._out, self._err = spawn(
            self.sandbox.command(command, self._folder, hidden), clean_environment(self._folder, self.marker)
        )
        os.set_blocking(self._in, False)
        os.set_blocking(self._out, False)
        self._pidfd = os.pidfd_open(self._pid)
        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN)
        self._poll.register(self._pidfd, select.POLLIN)
        self._drain = threading.Thread(target=self._stderr.drain, args=(self._err,), daemon=True)
        self._drain.start()

    @property
    def stderr(self) -> str:
        """The first and the last 64 KB that the bot wrote to its standard error."""
        return self._stderr.text()

    def cpu_spent(self) -> float:
        """Processor time of all threads of the bot since this was asked last: its thinking in the time of others shows.

        0 for a bot that has gone.
        """
        before = self._cpu
        try:
            if self._cpu_clock is None:
                self._cpu_clock = ~self._own_pid() << 3 | 2  # the kernel's number for that process's CPU clock
            self._cpu = time.clock_gettime(self._cpu_clock)
        except OSError:
            return 0.0
        return self._cpu - before

    def _own_pid(self) -> int:
        """The process of the bot itself: bubblewrap puts two of its own before it. OSError while it is not there."""
        pid = self._pid
        for _ in range(2 if "bwrap" in self.layers else 0):
            children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
            if not children:
                raise ProcessLookupError(f"process {pid} has begun no other yet")
            pid = int(children[0])
        return pid

    def send(self, line: str, deadline: float) -> None:
        """Write one line; a bot that does not read by the deadline loses on time."""
        self.transcript.append("→ " + line)
        data = line.encode() + b"\n"
        while data:
            try:
                data = data[os.write(self._in, data) :]
            except BlockingIOError:
                self._wait_writable(deadline)
            except (BrokenPipeError, OSError):
                raise self._death() from None

    def _wait_writable(self, deadline: float) -> None:
        left = deadline - time.monotonic()
        writable = select.poll()
        writable.register(self._in, select.POLLOUT)
        writable.register(self._pidfd, select.POLLIN)
        ready = dict(writable.poll(max(left, 0) * 1000))
        if not ready:
            raise BotFault(Reason.TIME, "it does not read its input")
        if self._pidfd in ready:
            raise self._death()

    def start_counting(self) -> int:
        """Forget what was printed before the bot was asked: stale output never counts. Says how many lines it was."""
        if self._poll.poll(0):
            self._fill()
        stale = len(self._lines) + bool(self._partial)
        for line in self._lines[-TRANSCRIPT_LINES:]:
            self.transcript.append("← " + line.decode("utf-8", errors="replace"))
        self._lines.clear()
        self._partial = b""
        self._printed = 0
        return stale

    def receive(self, deadline: float) -> str:
        """The next line, without its end; invalid UTF-8 is replaced."""
        while not self._lines:
            left = deadline - time.monotonic()
            if left <= 0:
                raise self._too_late()
            ready = self._poll.poll(left * 1000)
            if not ready:
                continue
            if self._out == ready[0][0]:  # registered first, so reported first
                self._read_once()
            else:
                self._fill()  # it has ended, but a last line may still be in the pipe
                if not self._lines:
                    raise self._death()
            if self._eof and not self._lines:
                raise self._death()
        line = self._lines.pop(0).decode("utf-8", errors="replace").removesuffix("\r")
        self.transcript.append("← " + line)
        return line

    def look(self, seconds: float = 0.0) -> None:
        """For bots that speak elsewhere: drop what is printed, and raise the fault of one that dies within the time."""
        self._fill()
        for line in self._lines[-TRANSCRIPT_LINES:]:
            self.transcript.append("← " + line.decode("utf-8", errors="replace"))
        self._lines.clear()
        if self._wait(seconds) is not None:
            raise self._death()

    def _fill(self) -> None:
        """Read whatever is in the pipe now, without waiting."""
        while not self._eof and self._read_once():
            pass

    def _read_once(self) -> bool:
        try:
            data = os.read(self._out, LINE_BYTES)
        except BlockingIOError:
            return False
        if not data:
            self._eof = True
            return False
        self._printed += len(data)
        *whole, self._partial = (self._partial + data).split(b"\n")
        self._lines += whole
        if self._printed > OUTPUT_BYTES:
            raise BotFault(Reason.OUTPUT, f"it printed more than {OUTPUT_BYTES >> 20} MB for one move")
        if len(self._partial) > LINE_BYTES:
            raise BotFault(Reason.OUTPUT, f"it printed a line of more than {LINE_BYTES >> 10} KB")
        return True

    def _too_late(self) -> BotFault:
        if self._partial:
            text = shown(self._partial)
            return BotFault(Reason.TIME, f"it printed {text} without an end of line: flush, and end the line")
        return BotFault(Reason.TIME, "it did not answer in time")

    def _death(self) -> BotFault:
        """Why the bot cannot answer any more."""
        self.died = True
        code = self._wait(_DYING_SECONDS)
        last = self._last_words()
        if code is None:
            return BotFault(Reason.CRASH, f"it closed its output while running ({last})")
        if self._out_of_memory():
            return BotFault(Reason.MEMORY, f"it needed more than its {self.sandbox.memory_mb} MB ({last})")
        signal_number = -code if code < 0 else code - 128 if code > 128 else 0
        how = f"signal {signal_number}" if signal_number else f"exit code {code}"
        return BotFault(Reason.CRASH, f"it ended with {how} ({last})")

    def _last_words(self) -> str:
        """The last line on standard error that says something: frames around a message do not."""
        lines = [line.strip() for line in self.stderr[-4000:].splitlines()]
        said = [line for line in lines if any(character.isalnum() for character in line)]
        return shown(said[-1]) if said else "nothing on stderr"

    def _out_of_memory(self) -> bool:
        text = self.stderr[-4000:].lower()
        return any(
            sign in text for sign in ("memoryerror", "bad_alloc", "outofmemory", "out of memory", "cannot allocate")
        )

    def _wait(self, seconds: float) -> int | None:
        """The exit code (negative: a signal) when the bot ends within the time, else None."""
        if self._code is None:
            ended = select.poll()
            ended.register(self._pidfd, select.POLLIN)
            if ended.poll(seconds * 1000):
                self._code = os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])
                self._drain.join(0.2)  # what it wrote last
        return self._code

    def close(self, farewell: str | None = None, *, hang_up: bool = False, seconds: float = GRACE_SECONDS) -> None:
        """Say goodbye or close the bot's input, wait so long, then end all its processes; safe to call twice."""
        if self._pidfd >= 0 and (farewell is not None or hang_up):
            if farewell is not None:
                with contextlib.suppress(BotFault):
                    self.send(farewell, time.monotonic() + GRACE_SECONDS)
            if hang_up:
                os.close(self._in)
                self._in = -1
            self.left_by_itself = self._wait(seconds) is not None
        self.kill()

    def kill(self) -> None:
        """End the bot, its process group and everything it started, at once."""
        if self._pidfd < 0:
            return
        if self._code is not None:
            self.left_behind = len(list(self._relatives()))
        for _ in range(50):
            with contextlib.suppress(OSError):
                os.killpg(self._pid, signal.SIGKILL)
            left = list(self._relatives())
            for pid in left:
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            self._wait(0.5)
            if not left:
                break
        for fd in (self._pidfd, self._in, self._out):
            if fd >= 0:
                os.close(fd)
        self._pidfd = -1
        shutil.rmtree(self._folder, ignore_errors=True)

    def _relatives(self) -> Iterator[int]:
        """Living processes that carry the bot's mark, wherever they have hidden themselves."""
        mark = b"FORGERON_BOT=" + self.marker.encode()
        for entry in os.scandir("/proc"):
            if entry.name.isdigit() and int(entry.name) != self._pid:
                with contextlib.suppress(OSError):
                    if mark in Path("/proc", entry.name, "environ").read_bytes():
                        yield int(entry.name)

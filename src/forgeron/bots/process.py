"""A bot as a process: lines in, lines out, one absolute deadline, and nothing left behind.

The referee's clock is monotonic. A read ends with a line, at the deadline, when the process dies (seen at once through
its process descriptor, even when a child holds its pipes), or when more was printed than allowed; printing never makes
the deadline later. Standard error is drained by a thread that keeps its first and last 64 KB; another watches what the
bot uses of the machine.
"""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import threading
import time
import uuid
from collections import deque
from collections.abc import Sequence
from pathlib import Path

from forgeron.bots import launcher, pids_cgroup, users
from forgeron.bots.faults import BotFault, Reason, shown
from forgeron.bots.folders import folder_of, make_folder, remove_folder
from forgeron.bots.orphan_processes import end_strays, freeze
from forgeron.bots.own_files import bring_files, own_folders
from forgeron.bots.sandbox import Sandbox, clean_environment
from forgeron.bots.spawn import LAUNCHER, spawn
from forgeron.bots.stderr_log import StderrLog
from forgeron.bots.watcher import WATCHER, list_shm, shm_files, start_of

LINE_BYTES = 64 * 1024
#: What is read at first: most answers are short, and room for a long line is not had for nothing.
_FIRST_BYTES = 400
#: What a bot may print for one move.
OUTPUT_BYTES = 4 * 1024 * 1024
#: How long a bot may take to leave when it is told to.
GRACE_SECONDS = 0.2
#: A program that ends closes its output first; so long it may take until it is gone.
_DYING_SECONDS = 0.3
#: How many of the last lines of a conversation are kept, for those who look for a bot's mistake.
TRANSCRIPT_LINES = 60
#: A bot that ends with so much of its memory limit in use ended for want of memory.
_SHARE_OF_MEMORY = 0.75
#: How often the processes of a bot are looked for and ended before they are given up.
_KILLS = 200

#: How often the output of a program that runs to its end is read.
_LOOK_SECONDS = 0.1
#: The longest that the system can be asked to wait at once; who waits longer asks again.
_LONGEST_WAIT_SECONDS = 1e6
_TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")


class BotProcess:
    """One running bot."""

    def __init__(self, command: Sequence[str], *, sandbox: Sandbox | None = None, hidden: Sequence[Path] = ()) -> None:
        """Start the bot; a command that cannot be started is a `BotFault` with reason startup."""
        self.sandbox = sandbox or Sandbox()
        plan = self.sandbox.plan(command)
        self.layers = plan.layers
        self._exchanged: deque[tuple[str, str]] = deque(maxlen=TRANSCRIPT_LINES)
        self.left_by_itself: bool | None = None
        """once it is closed: whether the bot went when it was told to"""
        self.left_behind = 0
        """once it is closed: how many processes of a bot that went by itself were still there"""
        self.trouble = ""
        """once it is closed: what of it could not be removed"""
        self.marker = uuid.uuid4().hex
        """in the environment of each of its processes, as FORGERON_BOT"""
        self._lines: deque[bytes] = deque()
        self._partial = b""
        self._eof = False
        self._printed = 0
        self._room = _FIRST_BYTES
        self._cpu = 0.0
        self._cpu_clock: int | None = None
        self._code: int | None = None
        self._peak_bytes = 0
        self._condemned: BotFault | None = None
        self.died = False
        """whether it ended, or closed its output, when it should not have"""
        self._stderr = StderrLog()
        _check_program(command)
        self.memory_mb, self.file_mb = self.sandbox.memory_mb, self.sandbox.file_mb
        self.most_processes = self.sandbox.most_processes
        self.known: dict[int, int] = {}
        self.shm_before = list_shm()
        self.shm_seen: set[str] = set()
        self.uid = users.new_user() if "user" in self.layers else None
        self.folder = folder_of(self.marker)
        self._group = self.sandbox.group_of(self.marker)
        who = "-" if self.uid is None else self.uid
        LAUNCHER.tell(
            f"expect {self.marker} {who} {self._group or '-'} {self.folder}"
        )  # whoever is killed from here on
        make_folder(self.folder, self.uid)
        self._make_group()
        bring_files(own_folders(command), self.folder, self.uid, hidden, plan.shows)
        environment = clean_environment(self.folder, self.marker, self.uid)
        try:
            spec = self.sandbox.specification(command, self.folder, environment, hidden, self.uid, self._group)
            self.pid, self._in, self._out, self._err = spawn(spec)
        except BotFault:
            self._remove_folders()
            LAUNCHER.tell(f"gone {self.marker}")
            raise
        LAUNCHER.tell(f"born {self.marker} {self.pid}")
        os.set_blocking(self._in, False)
        os.set_blocking(self._out, False)
        self._pidfd = os.pidfd_open(self.pid)
        self.known[self.pid] = start_of(self.pid)
        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN)
        self._poll.register(self._pidfd, select.POLLIN)
        self._drain = threading.Thread(target=self._stderr.drain, args=(self._err,), daemon=True)
        self._drain.start()
        WATCHER.add(self)

    def _make_group(self) -> None:
        try:
            if self._group:
                pids_cgroup.make_group(self._group, self.most_processes)
        except OSError:  # it may be had no more
            self.layers = tuple(layer for layer in self.layers if layer != "pids")
            self._group = ""

    def _remove_folders(self) -> str:
        """Its folder and its control group; what of it could not be removed."""
        if self._group:
            pids_cgroup.remove(self._group)
        return remove_folder(self.folder)

    @property
    def transcript(self) -> list[str]:
        """The last lines, those to the bot after "→ ", those of the bot after "← "; none of it is judged."""
        return [f"{arrow} {line}" for arrow, sent in self._exchanged for line in sent.split("\n")]

    def note_sent(self, line: str) -> None:
        """Keep for the transcript what the bot was told, in whatever way."""
        self._exchanged.append(("→", line))

    def note_heard(self, line: str) -> None:
        """Keep for the transcript what the bot said, in whatever way."""
        self._exchanged.append(("←", line))

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

    def all_cpu_spent(self) -> float:
        """The same with all that its other processes have used since they began: it was at most that."""
        spent = self.cpu_spent()
        for one in launcher.relatives(self.marker, self.pid, self.uid, self.known):
            with contextlib.suppress(OSError, ValueError, IndexError):
                if one.pid == self._own_pid():
                    continue
                words = Path(f"/proc/{one.pid}/stat").read_bytes().rpartition(b")")[2].split()
                spent += (int(words[11]) + int(words[12])) / _TICKS_A_SECOND
        return spent

    def _own_pid(self) -> int:
        """The process of the bot itself: bubblewrap puts two of its own before it. OSError while it is not there."""
        pid = self.pid
        for _ in range(2 if "bwrap" in self.layers else 0):
            children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
            if not children:
                raise ProcessLookupError(f"process {pid} has begun no other yet")
            pid = int(children[0])
        return pid

    def send(self, line: str, deadline: float) -> None:
        """Write one line, or several at once; a bot that does not read by the deadline loses on time."""
        self._exchanged.append(("→", line))
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
        ready = dict(writable.poll(min(max(left, 0), _LONGEST_WAIT_SECONDS) * 1000))
        if not ready:
            raise BotFault(Reason.TIME, "it does not read its input")
        if self._pidfd in ready:
            raise self._death()

    def start_counting(self) -> int:
        """Forget what was printed before the bot was asked: stale output never counts. Says how many lines it was."""
        if self._poll.poll(0):
            self._fill()
        self._printed = 0
        self._room = _FIRST_BYTES
        if not self._lines and not self._partial:
            return 0
        stale = len(self._lines) + bool(self._partial)
        self._drop_lines()
        self._partial = b""
        return stale

    def _drop_lines(self) -> None:
        """Forget the lines that came, all but what the transcript keeps of them."""
        while len(self._lines) > TRANSCRIPT_LINES:
            self._lines.popleft()
        for line in self._lines:
            self.note_heard(line.decode("utf-8", errors="replace"))
        self._lines.clear()

    def receive(self, deadline: float) -> str:
        """The next line, without its end; invalid UTF-8 is replaced."""
        if self._lines and len(self._lines) > 1 and time.monotonic() > deadline:  # many lines take time, too
            raise self._too_late()
        while not self._lines:
            left = deadline - time.monotonic()
            if left <= 0:
                raise self._too_late()
            ready = self._poll.poll((left if left < _LONGEST_WAIT_SECONDS else _LONGEST_WAIT_SECONDS) * 1000)
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
        line = self._lines.popleft().decode("utf-8", "replace").removesuffix("\r")
        self._exchanged.append(("←", line))
        return line

    def look(self, seconds: float = 0.0) -> None:
        """For bots that speak elsewhere: drop what is printed, and raise the fault of one that dies within the time."""
        self._fill()
        self._drop_lines()
        if self._wait(seconds) is not None:
            raise self._death()

    def await_end(self, seconds: float) -> BotFault | None:
        """Wait for a program that should end by itself, such as a compiler: None when it did, and all went well."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            try:
                self.look(min(left, _LOOK_SECONDS))
            except BotFault as fault:
                return None if self._code == 0 and self._condemned is None else fault
        return BotFault(Reason.TIME, f"it was not done after {seconds:g} s")

    def _fill(self) -> None:
        """Read whatever is in the pipe now, without waiting."""
        while not self._eof and self._read_once():
            pass

    def _read_once(self) -> bool:
        try:
            data = os.read(self._out, self._room)
        except BlockingIOError:
            return False
        if not data:
            self._eof = True
            return False
        self._printed += len(data)
        if len(data) == self._room:
            self._room = LINE_BYTES
        joined = self._partial + data if self._partial else data
        *whole, self._partial = joined.split(b"\n")
        self._lines += whole
        if self._printed > OUTPUT_BYTES:
            raise BotFault(Reason.OUTPUT, f"it printed more than {OUTPUT_BYTES >> 20} MB for one move")
        # Only the first can be longer than what one read brings.
        if len(joined) > LINE_BYTES and (len(self._partial) > LINE_BYTES or (whole and len(whole[0]) > LINE_BYTES)):
            raise BotFault(Reason.OUTPUT, f"it printed a line of more than {LINE_BYTES >> 10} KB")
        return True

    def _too_late(self) -> BotFault:
        if self._partial:
            text = shown(self._partial)
            return BotFault(Reason.TIME, f"it printed {text} without an end of line: flush, and end the line")
        return BotFault(Reason.TIME, "it did not answer in time")

    def condemn(self, fault: BotFault) -> None:
        """End the bot for what it has used; whoever waits for it then learns why."""
        self._condemned = self._condemned or fault
        self._freeze()
        with contextlib.suppress(OSError):
            signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)

    def _death(self) -> BotFault:
        """Why the bot cannot answer any more. What it still said is in the transcript."""
        self.died = True
        code = self._wait(_DYING_SECONDS)
        with contextlib.suppress(BotFault):  # too much of it: the death counts
            self._fill()
        self._drop_lines()
        last = self._last_words()
        if self._condemned is not None:
            return self._condemned
        if code and "bwrap" in self.layers:
            self._adopt_peak()
        if code is None:
            return BotFault(Reason.CRASH, f"it closed its output while running ({last})")
        # What the bot says about memory proves nothing; what the kernel measured does.
        if code and self._peak_bytes > _SHARE_OF_MEMORY * (self.memory_mb << 20):
            used = f"at its end it had used {self._peak_bytes >> 20}"
            return BotFault(Reason.MEMORY, f"it needed more than its {self.memory_mb} MB: {used} ({last})")
        signal_number = -code if code < 0 else code - 128 if code > 128 else 0
        how = f"signal {signal_number}" if signal_number else f"exit code {code}"
        return BotFault(Reason.CRASH, f"it ended with {how} ({last})")

    def _adopt_peak(self) -> None:
        """What the kernel measured of a bot within bubblewrap, whose outer process goes without waiting for the inner.

        That one is then our child, and its peak is that of all it has waited for.
        """
        until = time.monotonic() + _DYING_SECONDS
        while time.monotonic() < until:
            for one in launcher.processes().values():
                if one.parent == os.getpid() and one.session == self.pid:
                    with contextlib.suppress(OSError):
                        pid, _status, used = os.wait4(one.pid, os.WNOHANG)
                        if pid:
                            self._peak_bytes = max(self._peak_bytes, used.ru_maxrss * 1024)
                            return
            time.sleep(0.005)

    def _last_words(self) -> str:
        """The last line on standard error that says something: frames around a message do not."""
        lines = [line.strip() for line in self.stderr[-4000:].splitlines()]
        said = [line for line in lines if any(character.isalnum() for character in line)]
        return shown(said[-1]) if said else "nothing on stderr"

    def _wait(self, seconds: float) -> int | None:
        """The exit code (negative: a signal) when the bot ends within the time, else None."""
        if self._code is None:
            ended = select.poll()
            ended.register(self._pidfd, select.POLLIN)
            if ended.poll(seconds * 1000):
                _pid, status, used = os.wait4(self.pid, 0)
                self._code = os.waitstatus_to_exitcode(status)
                self._peak_bytes = used.ru_maxrss * 1024
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
        """End the bot, its process group and everything it started, at once, and remove what it wrote."""
        if self._pidfd < 0:
            return
        WATCHER.remove(self)
        if self._code is not None:
            self.left_behind = self._count_left_behind()
        self.end_all()
        self._clear_away()

    def end_all(self) -> None:
        """End all its processes; what it wrote stays until it is closed."""
        self._freeze()
        if self._group:
            pids_cgroup.end_all(self._group)
        for attempt in range(_KILLS):
            if attempt and not attempt % 3 and self.uid is not None:  # it forks as fast as it is ended
                LAUNCHER.tell(f"kill {self.uid}")
            if self._code is None:  # its number is still its own
                with contextlib.suppress(OSError):
                    os.killpg(self.pid, signal.SIGKILL)
            left = self._end_relatives()
            self._wait(0.5)
            if not left and self._code is not None:
                break

    def _freeze(self) -> None:
        """From now on it begins no process: nobody forks faster than it is ended."""
        if self._group:
            with contextlib.suppress(OSError):
                pids_cgroup.limit(self._group, 0)
        elif self.uid is None:  # else all of its user are ended at once
            with contextlib.suppress(OSError):
                signal.pidfd_send_signal(self._pidfd, signal.SIGSTOP)
            freeze(self.marker, self.pid, self.uid, self.known)

    def _count_left_behind(self) -> int:
        """How many processes the bot, which has gone, did not take along."""
        found = launcher.relatives(self.marker, self.pid, self.uid, self.known)
        living = [one for one in found if one.state != "Z"]
        if "bwrap" in self.layers:  # its inner process is our child now, and about to go: that one is no bot's
            living = [one for one in living if one.parent != os.getpid()]
        return len(living)

    def _end_relatives(self) -> list[int]:
        """End all processes of the bot but itself, wherever they have hidden themselves; those that lived."""
        living = []
        for one in launcher.relatives(self.marker, self.pid, self.uid, self.known):
            if one.state != "Z":
                living.append(one.pid)
                with contextlib.suppress(OSError):
                    os.kill(one.pid, signal.SIGKILL)
            if one.parent == os.getpid():  # an orphan that we have adopted
                with contextlib.suppress(OSError):
                    os.waitpid(one.pid, os.WNOHANG)
        return living

    def _clear_away(self) -> None:
        for fd in (self._pidfd, self._in, self._out):
            if fd >= 0:
                os.close(fd)
        self._pidfd = -1
        with contextlib.suppress(OSError):
            LAUNCHER.tell(f"ended {self.marker}")
        for path in {*self.shm_seen, *(path for path, _size in shm_files(self, set()))}:
            with contextlib.suppress(OSError):
                os.unlink(path)
        self.trouble = self._remove_folders()
        with contextlib.suppress(OSError):
            LAUNCHER.tell(f"gone {self.marker}")  # only now: who is killed on the way leaves the rest to the launcher
        if WATCHER.count() == 0:
            end_strays(LAUNCHER.pid)


def _check_program(command: Sequence[str]) -> None:
    if shutil.which(command[0]) is not None:
        return
    if Path(command[0]).is_file():
        what = f"{shown(command[0])} is not executable: chmod +x it, or name the program that runs it first"
        raise BotFault(Reason.STARTUP, what)
    raise BotFault(Reason.STARTUP, f"there is no program {shown(command[0])} that can be run")

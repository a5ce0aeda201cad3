"""Watches the resources of running bots: their processes, the memory of all of them, /dev/shm, files.

One thread for this process looks at every bot several times a second. The first look is cheap, the sum of what its
processes have resident; only where that is too much, shared pages are counted once. A bot over its limit is
condemned: it is ended, and its fault is what was measured.
"""

from __future__ import annotations

import contextlib
import os
import threading
from pathlib import Path
from typing import Protocol

from forgeron.bots.faults import BotFault, Reason
from forgeron.bots.folders import size_of

#: How often bots are looked at.
PERIOD_SECONDS = 0.1
#: Files are counted at every look of this number: that may take longer.
_FILES_EVERY = 5
#: How many files a bot may have, and how many times the size of the largest one together.
MOST_FILES = 10_000
FILES_TIMES = 4

_PAGE = os.sysconf("SC_PAGE_SIZE")
_SHM = "/dev/shm"
_FIRST_BYTES, _MORE_BYTES = 400, 4000


class Watched(Protocol):
    """What the watcher needs to know of a bot."""

    pid: int
    uid: int | None
    folder: Path
    memory_mb: int
    file_mb: int
    most_processes: int
    known: dict[int, int]
    """its processes that were seen so far, and when they started: those that leave their family are found, too"""
    shm_before: frozenset[str]
    """what was in /dev/shm when it was begun"""
    shm_seen: set[str]
    """what it was seen to use of it since"""

    def condemn(self, fault: BotFault) -> None:
        """End it for this fault."""


class ResourceWatcher:
    """The thread, and the bots it looks at."""

    def __init__(self) -> None:
        self._bots: list[Watched] = []
        self._lock = threading.Lock()
        self._wanted = threading.Event()
        self._owner = 0

    def add(self, bot: Watched) -> None:
        with self._lock:
            if self._owner != os.getpid():
                self._owner = os.getpid()
                self._bots = []
                self._wanted = threading.Event()
                threading.Thread(target=self._run, name="forgeron bot watcher", daemon=True).start()
            self._bots.append(bot)
            self._wanted.set()

    def remove(self, bot: Watched) -> None:
        with self._lock:
            self._bots = [one for one in self._bots if one is not bot]
            if not self._bots:
                self._wanted.clear()

    def count(self) -> int:
        """How many bots run."""
        with self._lock:
            return len(self._bots) if self._owner == os.getpid() else 0

    def _run(self) -> None:
        pause = threading.Event()
        look = 0
        while True:
            self._wanted.wait()
            pause.wait(PERIOD_SECONDS)
            look += 1
            with self._lock:
                bots = list(self._bots)
            for bot in bots:
                with contextlib.suppress(OSError, ValueError):
                    fault = excess(bot, files=look % _FILES_EVERY == 0)
                    if fault is not None:
                        bot.condemn(fault)


def excess(bot: Watched, *, files: bool) -> BotFault | None:
    """What a bot uses too much of, if anything."""
    family = _family(bot.pid)
    for pid in family - bot.known.keys():
        bot.known[pid] = start_of(pid)
    if len(family) > bot.most_processes:  # where the kernel counts them, it does not come to that
        what = f"it ran {len(family)} processes, more than its {bot.most_processes}"
        return BotFault(Reason.CRASH, what)
    limit = bot.memory_mb << 20
    in_shm = shm_files(bot, family)
    bot.shm_seen |= {path for path, _size in in_shm}
    kept = sum(size for _path, size in in_shm) + _private_shm(family)
    if sum(map(_resident, family)) + kept > limit:
        used = sum(map(_share, family)) + kept
        if used > limit:
            what = f"it used {used >> 20} MB with all its processes and /dev/shm, more than its {bot.memory_mb} MB"
            return BotFault(Reason.MEMORY, what)
    if files:
        number, size = size_of(bot.folder, MOST_FILES)
        if number > MOST_FILES:
            return BotFault(Reason.OUTPUT, f"it wrote more than {MOST_FILES} files")
        if size > bot.file_mb * FILES_TIMES << 20:
            return BotFault(Reason.OUTPUT, f"it wrote {size >> 20} MB of files, more than {bot.file_mb * FILES_TIMES}")
    return None


def _family(pid: int) -> set[int]:
    """A process and its descendants, by the kernel's own lists of children."""
    found, waiting = {pid}, [pid]
    while waiting:
        one = waiting.pop()
        with contextlib.suppress(OSError):
            for task in os.listdir(f"/proc/{one}/task"):
                with contextlib.suppress(OSError):
                    more = set(map(int, _contents(f"/proc/{one}/task/{task}/children").split())) - found
                    found |= more
                    waiting += more
    return found


def _contents(path: str) -> bytes:
    """What is in a file of /proc, without the buffers of a file object: this is done many times a second."""
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        parts = [os.read(fd, _FIRST_BYTES)]
        while parts[-1]:
            parts.append(os.read(fd, _MORE_BYTES))
        return b"".join(parts)
    finally:
        os.close(fd)


def start_of(pid: int) -> int:
    """When a process began, as `Seen.started`; -1 for one that has gone."""
    try:
        return int(_contents(f"/proc/{pid}/stat").rpartition(b")")[2].split()[19])
    except (OSError, IndexError):
        return -1


def _resident(pid: int) -> int:
    try:
        return int(_contents(f"/proc/{pid}/statm").split()[1]) * _PAGE
    except (OSError, IndexError):
        return 0


def _share(pid: int) -> int:
    """What of a process is its own, and its part of what it shares."""
    try:
        with open(f"/proc/{pid}/smaps_rollup") as file:
            for line in file:
                if line.startswith("Pss:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        return _resident(pid)
    return 0


def _private_shm(family: set[int]) -> int:
    """What is in the /dev/shm that only these processes see, where they have one."""
    ours = os.stat(_SHM).st_dev
    for pid in family:
        with contextlib.suppress(OSError):
            theirs = f"/proc/{pid}/root{_SHM}"
            if os.stat(theirs).st_dev != ours:
                space = os.statvfs(theirs)
                return (space.f_blocks - space.f_bfree) * space.f_frsize
    return 0


def shm_files(bot: Watched, family: set[int]) -> list[tuple[str, int]]:
    """The files in /dev/shm that are a bot's: its user's, or new ones that its processes have open or mapped."""
    found: list[tuple[str, int]] = []
    unsure: list[tuple[str, int]] = []
    with contextlib.suppress(OSError), os.scandir(_SHM) as entries:
        for entry in entries:
            if entry.name in bot.shm_before:
                continue
            with contextlib.suppress(OSError):
                status = entry.stat(follow_symlinks=False)
                mine = found if status.st_uid == bot.uid else unsure if bot.uid is None else []
                mine.append((entry.path, status.st_blocks * 512))
    if unsure:
        used = {path for pid in family for path in _open_in_shm(pid)}
        found += [(path, size) for path, size in unsure if path in used]
    return found


def _open_in_shm(pid: int) -> set[str]:
    found = set()
    with contextlib.suppress(OSError):
        for fd in os.listdir(f"/proc/{pid}/fd"):
            with contextlib.suppress(OSError):
                found.add(os.readlink(f"/proc/{pid}/fd/{fd}"))
    with contextlib.suppress(OSError), open(f"/proc/{pid}/maps", errors="replace") as file:
        for line in file:
            _, slash, path = line.rstrip("\n").partition(f"{_SHM}/")
            if slash:
                found.add(f"{_SHM}/{path}")
    return found


def list_shm() -> frozenset[str]:
    """The names in /dev/shm."""
    try:
        return frozenset(os.listdir(_SHM))
    except OSError:
        return frozenset()


WATCHER = ResourceWatcher()

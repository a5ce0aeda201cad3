"""A control group for each bot, in which the kernel counts its processes, whoever they are and wherever they hide.

`RLIMIT_NPROC` counts by user and does not bind root; this does. And as a group in which nothing more can be begun is
ended in one go, no bot forks faster than it is killed. There is one where control groups are ours to make: as root, or
below a folder that was handed to us (as systemd does for a user's session).

Nothing but the standard library: the launcher uses it, too, and `python pids_cgroup.py` tries it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Iterator

_PREFIX = "forgeron-bot"
#: How often what is in a group is ended before it is given up, and how long to wait between.
_KILLS, _PAUSE_SECONDS = 400, 0.005


def places() -> Iterator[str]:
    """Folders in which groups that count processes might be made, the best first."""
    own = {}
    with open("/proc/self/cgroup") as file:
        for line in file:
            _number, kinds, path = line.rstrip("\n").split(":", 2)
            own.update(dict.fromkeys(kinds.split(","), path))
    with open("/proc/self/mountinfo") as file:
        for line in file:
            before, _, after = line.partition(" - ")
            root, point = before.split()[3:5]
            kind, _source, options = after.split()[:3]
            counted = "pids" if kind == "cgroup" and "pids" in options.split(",") else "" if kind == "cgroup2" else None
            if counted not in own or os.path.relpath(own[counted], root).startswith(".."):
                continue
            place = os.path.normpath(os.path.join(point, os.path.relpath(own[counted], root)))
            yield place
            # In version 2 a group with processes of its own has no groups in it that count: a place beside it may do.
            while not counted and place != point:
                place = os.path.dirname(place)
                yield place


def find_place() -> str:
    """The first of them in which it works; empty where there is none. Moves this process: for one that only tries."""
    with contextlib.suppress(OSError, ValueError):
        for place in places():
            group = os.path.join(place, f"{_PREFIX}-{os.getpid()}-try")
            with contextlib.suppress(OSError):
                os.mkdir(group)
                try:
                    limit(group, 100)
                    if os.fork() == 0:
                        with contextlib.suppress(OSError):
                            enter(group)
                            os._exit(0)
                        os._exit(1)
                    if os.waitstatus_to_exitcode(os.wait()[1]) == 0:
                        return place
                finally:
                    os.rmdir(group)
    return ""


def group_of(place: str, name: str) -> str:
    """Where the group of this name will be."""
    return os.path.join(place, f"{_PREFIX}-{os.getpid()}-{name}")


def make_group(group: str, most: int) -> None:
    """Make a group for so many processes; what owners that died left there is removed before."""
    place = os.path.dirname(group)
    for other in os.listdir(place):
        prefix, _, rest = other.partition(f"{_PREFIX}-")
        if not prefix and rest and not os.path.exists(f"/proc/{rest.partition('-')[0]}"):
            remove(os.path.join(place, other))
    os.mkdir(group)
    try:
        limit(group, most)
    except OSError:
        os.rmdir(group)
        raise


def limit(group: str, most: int) -> None:
    """So many processes and threads there may be in the group."""
    _write(f"{group}/pids.max", str(most))


def mount_of(group: str) -> str:
    """Where the file system of the group is mounted."""
    while not os.path.ismount(group):
        group = os.path.dirname(group)
    return group


def enter(group: str) -> None:
    """Be in the group, with all that this process begins."""
    _write(f"{group}/cgroup.procs", "0")


def members(group: str) -> list[int]:
    """The processes in the group; none where it is gone."""
    try:
        with open(f"{group}/cgroup.procs") as file:
            # 0 stands for one that cannot be seen from here, and would be ourselves for `kill`.
            return [pid for line in file if (pid := int(line)) > 0]
    except OSError:
        return []


def end_all(group: str) -> bool:
    """End all that is in the group: nothing can be begun there from now on. Whether it is empty."""
    with contextlib.suppress(OSError):
        limit(group, 0)
    with contextlib.suppress(OSError):
        _write(f"{group}/cgroup.kill", "1")
    for _ in range(_KILLS):
        living = [pid for pid in members(group) if not _is_dead(pid)]
        if not living:
            return True
        for pid in living:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(_PAUSE_SECONDS)
    return False


def remove(group: str) -> None:
    """Remove a group; one in which something still runs stays."""
    with contextlib.suppress(OSError):
        os.rmdir(group)


def _is_dead(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] in b"ZX"
    except (OSError, IndexError):
        return True


def _write(path: str, text: str) -> None:
    fd = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(fd, text.encode())
    finally:
        os.close(fd)


if __name__ == "__main__":
    sys.stdout.write(find_place())

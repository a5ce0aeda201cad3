"""A user id for each bot, where we are root: it protects the processes of other bots, and ours."""

from __future__ import annotations

import functools
import os
import pwd
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from forgeron.bots import launcher
from forgeron.bots.launcher import processes

#: Where numbers of users are chosen: far above those that systems give to people, services and containers.
_FIRST, _LAST = 0x6000_0000, 0x7000_0000
#: Where a user namespace has fewer numbers.
_SMALL_FIRST = 20_000
_PACKAGE = Path(__file__).parents[1]


def may_change_user() -> bool:
    """Whether bots can run as somebody else."""
    return os.getuid() == 0 and _range() is not None


def new_user() -> int:
    """A user id that nobody has: no account, no process, no other bot."""
    numbers = _range()
    assert numbers is not None
    taken = {process.uid for process in processes().values()}
    while True:
        uid = random.SystemRandom().randrange(*numbers)
        if uid not in taken and not _has_account(uid):
            return uid


def _has_account(uid: int) -> bool:
    try:
        pwd.getpwuid(uid)
    except KeyError:
        return False
    return True


def _range() -> tuple[int, int] | None:
    """The numbers to choose from; None where this user namespace has none to spare."""
    try:
        lines = Path("/proc/self/uid_map").read_text().splitlines()
    except OSError:
        return None
    for line in lines:
        first, _outside, count = (int(word) for word in line.split())
        if first <= _FIRST and first + count >= _LAST:
            return _FIRST, _LAST
        if first <= _SMALL_FIRST and first + count > _SMALL_FIRST + 1000:
            return _SMALL_FIRST, first + count - 1
    return None


def out_of_reach(command: Sequence[str], compiled_code: str) -> list[Path]:
    """The files that the command needs and that not everybody may read."""
    words = [shutil.which(command[0]) or command[0], *command[1:]] if command else []
    # A word may hold several: a class path, or an option with its value.
    parts = [part for word in words for part in {word, *re.split("[:=,]", word)}]
    needed = [Path(part) for part in parts if part and os.path.exists(part)]
    if any(_is_ours(word) for word in words):
        needed += [Path(sys.prefix), _PACKAGE]
        if os.path.isdir(compiled_code) and not _may_mount():
            needed.append(Path(compiled_code))  # else it can be shown at a place within reach
    return [path for path in dict.fromkeys(needed) if not open_to_all(path)]


def shown_parts(paths: Sequence[Path]) -> list[tuple[str, str]]:
    """What must be shown for another user to reach these paths: the closed folder (empty: none) and what of it.

    All of the highest closed folder would be more than needed: what lies directly in it, on the way, is enough. A
    file that lies directly in a closed folder needs what is beside it, unless that is somebody's home.
    """
    found: dict[tuple[str, str], None] = {}
    for path in dict.fromkeys(one for needed in paths for one in (needed.absolute(), needed.resolve())):
        closed = next((parent for parent in reversed(path.parents) if not _may_enter(parent)), None)
        if closed is None:
            if not open_to_all(path):
                found["", str(path)] = None
            continue
        below = path.relative_to(closed).parts
        alone = len(below) == 1 and path.is_file() and closed != Path.home()
        found[str(closed), str(closed if alone else closed / below[0])] = None
    whole = {closed for closed, path in found if closed == path}
    return [(closed, path) for closed, path in found if closed not in whole or closed == path]


@functools.cache
def may_show(path: str) -> bool:
    """Whether what is there can be shown to another user: the kernel and the file system decide (Linux 5.12)."""
    if not _may_mount():
        return False
    trial = [sys.executable, "-I", "-S", launcher.__file__, "try-showing", path]
    try:
        return subprocess.run(trial, capture_output=True, timeout=10, check=False).returncode == 0
    except (OSError, subprocess.SubprocessError):
        return False


def _may_enter(folder: Path) -> bool:
    try:
        return bool(folder.stat().st_mode & 0o001)
    except OSError:
        return False


def _may_mount() -> bool:
    """Whether we have the capability that mounting needs (CAP_SYS_ADMIN)."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return False
    return any(line.startswith("CapEff:") and int(line.split()[1], 16) >> 21 & 1 for line in lines)


def _is_ours(word: str) -> bool:
    return Path(word).name == "forgeron" or Path(word).is_relative_to(_PACKAGE)


def open_to_all(path: Path) -> bool:
    """Whether everybody may read a file, or enter a folder, and get there."""
    for one in (path.absolute(), path.resolve()):
        try:
            if not one.stat().st_mode & (0o001 if one.is_dir() else 0o004):
                return False
            if any(not parent.stat().st_mode & 0o001 for parent in one.parents):
                return False
        except OSError:
            return False
    return True

"""A user id for each bot, where we are root: it protects the processes of other bots, and ours."""

from __future__ import annotations

import os
import pwd
import random
import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

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


def out_of_reach(command: Sequence[str], compiled_code: str) -> Path | None:
    """The first file that the command needs and that not everybody may read; None when all is in reach."""
    words = [shutil.which(command[0]) or command[0], *command[1:]] if command else []
    # A word may hold several: a class path, or an option with its value.
    parts = [part for word in words for part in {word, *re.split("[:=,]", word)}]
    needed = [Path(part) for part in parts if part and os.path.exists(part)]
    if any(_is_ours(word) for word in words):
        needed += [Path(sys.prefix), _PACKAGE]
        if os.path.isdir(compiled_code) and not _may_mount():
            needed.append(Path(compiled_code))  # else it can be shown at a place within reach
    return next((path for path in needed if not open_to_all(path)), None)


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

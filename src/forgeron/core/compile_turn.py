"""One process compiles a kernel; the others that want it meanwhile wait, and load what it has stored.

A process has one turn at a time, for the kernel that was asked for. What that one needs is compiled in the same turn,
so no two processes ever wait for each other.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Callable
from pathlib import Path

#: A process that was stopped in its turn is not waited for any longer.
PATIENCE_SECONDS = 120.0
_POLL_SECONDS = 0.02
#: The turn that this process has.
_mine: list[Path] = []


def take_turn(path: Path) -> Callable[[], None]:
    """Wait until no other process has the turn named by this file; what is returned ends the turn, as does the end of
    the process. Where there can be no such file, everybody compiles at once."""
    if _mine:
        return lambda: None
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        return lambda: None

    def end() -> None:
        _mine.clear()
        with contextlib.suppress(OSError):
            path.unlink()
        os.close(descriptor)

    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() < deadline:
                time.sleep(_POLL_SECONDS)
                continue
        except OSError:
            pass  # a file system without locks
        _mine.append(path)
        return end

"""Orphaned processes of bots, which nothing connects to their bot any more.

A process that forks twice, begins a session and clears its environment has neither family nor mark. As we are the
subreaper of all that bots begin, it is our child all the same. Where this process does nothing but referee games, a
child that we have not begun ourselves is such an orphan.
"""

from __future__ import annotations

import contextlib
import os
import signal

from forgeron.bots.launcher import become_subreaper, processes, relatives

_owner = 0
#: How often new processes of a bot are looked for while they are stopped.
_SWEEPS = 50


def adopt_all() -> None:
    """From now on every child in another session than ours is a bot's, in this process."""
    global _owner
    _owner = os.getpid()
    become_subreaper()


def end_strays(*ours: int) -> int:
    """End such orphans, all but those processes; how many there were. Nothing happens before `adopt_all`."""
    if _owner != os.getpid():
        return 0
    ended, session = 0, os.getsid(0)
    for _ in range(100):
        found = [
            one
            for one in processes().values()
            if one.parent == _owner and one.session != session and one.pid not in ours
        ]
        for one in found:
            with contextlib.suppress(OSError):
                if one.state != "Z":
                    ended += 1
                    os.kill(one.pid, signal.SIGKILL)
                os.waitpid(one.pid, 0)
        if not found:
            break
    return ended


def freeze(mark: str, pid: int, uid: int | None, known: dict[int, int]) -> None:
    """Stop the processes of a bot, so that it begins no more, and none loses its parent before all are ended."""
    for _ in range(_SWEEPS):
        running = [one.pid for one in relatives(mark, pid, uid, known) if one.state not in "ZTX"]
        for one in running:
            with contextlib.suppress(OSError):
                os.kill(one, signal.SIGSTOP)
        if not running:
            break

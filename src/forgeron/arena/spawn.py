"""How a bot's process is begun: in a session of its own, with pipes instead of our terminal."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence

from forgeron.arena.faults import BotFault, Reason, shown
from forgeron.arena.sandbox import OUTPUT_FD


def spawn(command: Sequence[str], environment: Mapping[str, str]) -> tuple[int, int, int, int]:
    """Start the command in a session of its own; its number, and our ends of its input, output and errors."""
    in_theirs, in_ours = os.pipe()
    out_ours, out_theirs = os.pipe()
    err_ours, err_theirs = os.pipe()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    places = ((in_theirs, 0), (nowhere, 1), (err_theirs, 2), (out_theirs, OUTPUT_FD))
    try:
        actions = [(os.POSIX_SPAWN_DUP2, fd, place) for fd, place in places]
        program = shutil.which(command[0]) or command[0]
        pid = os.posix_spawn(program, list(command), environment, file_actions=actions, setsid=True)
    except OSError as error:
        for fd in (in_ours, out_ours, err_ours):
            os.close(fd)
        raise BotFault(Reason.STARTUP, f"{shown(command[0])} does not start: {error.strerror}") from None
    finally:
        for fd, _place in places:
            os.close(fd)
    return pid, in_ours, out_ours, err_ours

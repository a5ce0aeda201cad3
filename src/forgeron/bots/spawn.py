"""Starting a bot's process: the launcher does it, and the bot inherits nothing but its three pipes."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import select
import shutil
import socket
import sys
import threading
from collections.abc import Mapping
from typing import Any, NamedTuple

from forgeron.bots import launcher
from forgeron.bots.faults import BotFault, Reason, shown

#: How long the launcher may take to begin a process.
_SPAWN_SECONDS = 20.0


class Spawned(NamedTuple):
    """A process that was begun, and our ends of its pipes."""

    pid: int
    input: int
    output: int
    errors: int


class Launcher:
    """The other end of `launcher.py`; one for this process, begun when it is first needed."""

    def __init__(self) -> None:
        self._line: socket.socket | None = None
        self._owner = 0
        self._pid = 0
        self._lock = threading.Lock()

    @property
    def pid(self) -> int:
        """The launcher's process; 0 while there is none."""
        return self._pid if self._owner == os.getpid() else 0

    def tell(self, message: str, fds: tuple[int, ...] = ()) -> None:
        """Send a message; a launcher that has gone is begun anew."""
        with self._lock:
            for attempt in (0, 1):
                try:
                    socket.send_fds(self._open(), [message.encode()], list(fds))
                    return
                except OSError:
                    self._close()
                    if attempt:
                        raise

    def _open(self) -> socket.socket:
        if self._line is None or self._owner != os.getpid():
            launcher.become_subreaper()
            ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            with theirs:
                self._pid = os.posix_spawn(
                    sys.executable,
                    [sys.executable, "-I", "-S", launcher.__file__],
                    {"PATH": os.defpath},
                    file_actions=[
                        (os.POSIX_SPAWN_DUP2, theirs.fileno(), 0),
                        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
                        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
                    ],
                    setsid=True,  # who ends our process group does not end what cleans up after us
                )
            self._line, self._owner = ours, os.getpid()
            atexit.register(self._close)
        return self._line

    def _close(self) -> None:
        if self._line is not None:
            self._line.close()
            self._line = None


LAUNCHER = Launcher()


def spawn(spec: Mapping[str, Any]) -> Spawned:
    """Begin the process that a specification of `Sandbox.specification` describes."""
    name = str(spec["command"][0])
    in_theirs, in_ours = os.pipe()
    out_ours, out_theirs = os.pipe()
    err_ours, err_theirs = os.pipe()
    status_ours, status_theirs = os.pipe()
    text = os.memfd_create("forgeron-bot")
    theirs: tuple[int, ...] = (text, in_theirs, out_theirs, err_theirs, status_theirs)
    try:
        more = {"parent": os.getpid(), "program": shutil.which(name) or name}
        with os.fdopen(os.dup(text), "wb") as file:
            file.write(json.dumps({**spec, **more}).encode())
        LAUNCHER.tell("spawn", theirs)
        for fd in theirs:
            os.close(fd)
        theirs = ()
        return Spawned(_started(status_ours, name), in_ours, out_ours, err_ours)
    except (BotFault, OSError) as error:
        for fd in (in_ours, out_ours, err_ours):
            os.close(fd)
        if isinstance(error, BotFault):
            raise
        raise BotFault(Reason.STARTUP, f"{shown(name)} does not start: {error.strerror}") from None
    finally:
        for fd in (*theirs, status_ours):
            os.close(fd)


def _started(status: int, name: str) -> int:
    """The number of the process, once it runs the program; until then its status says what is wrong."""
    said = b""
    waiting = select.poll()
    waiting.register(status, select.POLLIN)
    while waiting.poll(_SPAWN_SECONDS * 1000):
        data = os.read(status, 4096)
        if not data:
            break
        said += data
    pid, _, trouble = said.decode("utf-8", errors="replace").partition("\n")
    if pid.isdigit() and not trouble:
        return int(pid)
    if pid.isdigit() and int(pid):
        with contextlib.suppress(OSError):
            os.waitpid(int(pid), 0)
    raise BotFault(Reason.STARTUP, f"{shown(name)} does not start: {trouble or 'the launcher does not answer'}")

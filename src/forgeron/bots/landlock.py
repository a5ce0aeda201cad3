"""Landlock rules for a bot: it may read everything but the hidden folders, and write only to its own.

Landlock only knows what is allowed. So a folder that is hidden is left out by allowing all that lies beside it, and
beside each folder on the way to it.
"""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Iterable
from pathlib import Path

from forgeron.bots import launcher

#: What every program writes to.
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/shm")


#: Since these versions of Landlock connections can be refused, and signals stay within, too.
_CONNECTIONS_SINCE, _SIGNALS_SINCE = 4, 6


def landlock_works() -> bool:
    """Whether the kernel offers Landlock."""
    return _version() > 0


def landlock_refuses_connections() -> bool:
    """Whether Landlock can keep a process from opening TCP connections here."""
    return _version() >= _CONNECTIONS_SINCE


def landlock_keeps_signals_in() -> bool:
    """Whether Landlock keeps a process from signalling others here."""
    return _version() >= _SIGNALS_SINCE


@functools.cache
def _version() -> int:
    try:
        return launcher.landlock_version()
    except (AttributeError, OSError):
        return 0


def rules(folder: Path, hidden: Iterable[Path], ports: list[int] | None) -> dict[str, object]:
    """The rules for a bot whose own folder is `folder`, and who may connect to these ports, or to any."""
    return {"read": all_but(hidden), "write": [str(folder), *_DEVICES], "ports": ports}


def only_ports(ports: list[int]) -> dict[str, object]:
    """The rules for a bot that something else keeps from files: connections to these ports, and no others."""
    return {"read": None, "write": [], "ports": ports}


def all_but(hidden: Iterable[Path]) -> list[str]:
    """Paths below which everything lies but what is hidden."""
    hidden = sorted({path.resolve() for path in hidden})
    if not hidden:
        return ["/"]
    found: list[str] = []
    on_the_way = {parent for path in hidden for parent in path.parents}
    for parent in sorted(on_the_way):
        if any(parent == path or parent.is_relative_to(path) for path in hidden):
            continue
        with contextlib.suppress(OSError), os.scandir(parent) as entries:
            for entry in entries:
                path = Path(entry.path)
                if path not in on_the_way and path not in hidden:
                    found.append(entry.path)
    return found

"""Whose process is at the other end of a connection within this machine: Linux says so in /proc/net.

A loopback address is open to every user of the machine, and to a bot that plays with a user id of its own.
"""

from __future__ import annotations

import ipaddress
import os
import platform
import struct
import sys

_TABLES = {4: "/proc/net/tcp", 6: "/proc/net/tcp6"}
#: Columns of the tables: whose socket it is, and its number; 0 where its process has closed it.
_LOCAL, _REMOTE, _USER, _INODE = 1, 2, 7, 9


def is_of_another_user(client: tuple[str, int] | None, server: tuple[str, int] | None) -> bool:
    """Whether whoever connected is neither the user of this process nor root.

    A connection that its process has already closed is nobody's, and so of another. Where the system does not say whose
    a connection is, it is taken for ours.
    """
    try:
        found = _owner(client, server) if client and server else os.getuid()
    except (OSError, ValueError, IndexError):
        return False
    if found is None:
        # Windows relays connections of its own into its Linux: they have no socket there.
        return sys.platform == "linux" and "microsoft" not in platform.release().lower()
    return found not in (os.getuid(), 0)


def _owner(client: tuple[str, int], server: tuple[str, int]) -> int | None:
    """The user of the socket that connected; None where no process has it."""
    address = ipaddress.ip_address(client[0])
    here, there = _as_listed(*client), _as_listed(*server)
    with open(_TABLES[address.version], encoding="ascii") as table:
        for line in table:
            words = line.split()
            if words[_LOCAL] == here and words[_REMOTE] == there:
                return int(words[_USER]) if words[_INODE] != "0" else None
    return None


def _as_listed(host: str, port: int) -> str:
    """An address as the tables have it: words of the machine in hexadecimal digits.

    >>> _as_listed("127.0.0.1", 8765)
    '0100007F:223D'
    """
    packed = ipaddress.ip_address(host).packed
    words = struct.unpack(f"={len(packed) // 4}I", packed)
    return "".join(f"{word:08X}" for word in words) + f":{port:04X}"

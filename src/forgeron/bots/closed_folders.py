"""Shows a bot that runs as another user what only root can reach of its own: its interpreter, its files.

Nothing on the disk changes. In the mounts of the bot alone, a closed folder (such as /root, or one made with umask 077)
is covered by an empty one that everybody may enter, and what the bot needs of it is shown at its place: read-only, and
as though root's files there were the bot's (an idmapped mount, Linux 5.12). The rest of the folder is not there.

Part of the launcher: nothing but the standard library.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import struct
from collections.abc import Sequence

_SYS_OPEN_TREE, _SYS_MOVE_MOUNT, _SYS_MOUNT_SETATTR = 428, 429, 442
_AT_FDCWD, _AT_EMPTY_PATH, _AT_RECURSIVE = -100, 0x1000, 0x8000
_OPEN_TREE_CLONE, _OPEN_TREE_CLOEXEC = 1, os.O_CLOEXEC
_MOVE_MOUNT_FROM_FD = 4
_ATTR_RDONLY, _ATTR_NOSUID, _ATTR_NODEV, _ATTR_IDMAP = 0x1, 0x2, 0x4, 0x100000
_MS_NOSUID_NODEV = 0x6
_CLONE_NEWUSER = 0x10000000

_libc = ctypes.CDLL(None, use_errno=True)


def show(parts: Sequence[Sequence[str]], uid: int, own: str) -> None:
    """Show the `parts`, pairs of a closed folder (empty: none) and what of it, to this user; `own` stays as it is.

    The caller has mounts of its own, which nobody else sees.
    """
    users = user_namespace(uid)
    try:
        copies = [(path, readable_copy(path, users)) for _closed, path in parts]
        covered = [closed for closed, path in parts if closed not in ("", path)]
        if any(own.startswith(f"{folder}/") for pair in parts for folder in pair if folder):
            copies.append((own, _copy(own, _AT_RECURSIVE)))
        for closed in dict.fromkeys(covered):
            _checked(_libc.mount(b"tmpfs", closed.encode(), b"tmpfs", _MS_NOSUID_NODEV, b"size=1m,mode=755"))
        for path, copy in sorted(copies):  # what lies in another one comes after it
            _make_place(path, is_folder=os.path.isdir(f"/proc/self/fd/{copy}"))
            _checked(_call(_SYS_MOVE_MOUNT, copy, b"", _AT_FDCWD, path.encode(), _MOVE_MOUNT_FROM_FD))
            os.close(copy)
    finally:
        os.close(users)


def readable_copy(path: str, users: int) -> int:
    """A mount of what is there, read-only, in which the owners of files are as the user namespace says."""
    wanted = struct.pack("=QQQQ", _ATTR_RDONLY | _ATTR_NOSUID | _ATTR_NODEV | _ATTR_IDMAP, 0, 0, users)
    for depth in (_AT_RECURSIVE, 0):  # what is mounted below may be of a kind that cannot be shown so
        copy = _copy(path, depth)
        if _call(_SYS_MOUNT_SETATTR, copy, b"", _AT_EMPTY_PATH | depth, wanted, len(wanted)) == 0:
            return copy
        trouble = ctypes.get_errno()
        os.close(copy)
    raise OSError(trouble, os.strerror(trouble), path)


def user_namespace(uid: int) -> int:
    """A user namespace in which root is this user outside."""
    ready, go = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        os.write(ready[1], b"+" if _libc.unshare(_CLONE_NEWUSER) == 0 else b"-")
        os.close(go[1])
        os.read(go[0], 1)
        os._exit(0)
    try:
        if os.read(ready[0], 1) != b"+":
            raise OSError("there are no user namespaces")
        for kind in ("uid", "gid"):
            with open(f"/proc/{child}/{kind}_map", "w") as file:
                file.write(f"0 {uid} 1")
        return os.open(f"/proc/{child}/ns/user", os.O_RDONLY | os.O_CLOEXEC)
    finally:
        for fd in (*ready, *go):
            os.close(fd)
        os.waitpid(child, 0)


def _copy(path: str, depth: int) -> int:
    return _checked(_call(_SYS_OPEN_TREE, _AT_FDCWD, path.encode(), _OPEN_TREE_CLONE | _OPEN_TREE_CLOEXEC | depth))


def _make_place(path: str, *, is_folder: bool) -> None:
    """In a folder that was covered nothing is there yet."""
    if os.path.lexists(path):
        return
    os.makedirs(path if is_folder else os.path.dirname(path), 0o755, exist_ok=True)
    if not is_folder:
        with contextlib.suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o644))


def _call(number: int, *words: int | bytes) -> int:
    return int(_libc.syscall(number, *(word if isinstance(word, bytes) else ctypes.c_long(word) for word in words)))


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result

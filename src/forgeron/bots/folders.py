"""The working folder of a bot: private while it runs, and removed afterwards, whatever the bot has put into it."""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
import struct
import tempfile
from pathlib import Path

_GET_FLAGS, _SET_FLAGS = 0x80086601, 0x40086602
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def folder_of(mark: str) -> Path:
    """Where the folder of the bot with this mark will be."""
    return Path(tempfile.gettempdir(), f"forgeron-bot-{mark}").absolute()


def make_folder(folder: Path, owner: int | None) -> None:
    """Make a folder that only its owner can enter; there is none yet."""
    folder.mkdir(0o700)
    if owner is not None:
        os.chown(folder, owner, owner)


def remove_folder(folder: Path | str) -> str:
    """Remove a folder with all that is in it; what cannot be removed is the warning that comes back.

    Folders in folders are moved up before they are removed: however deep they are, no path becomes too long, nothing
    recurses, and two descriptors are enough.
    """
    try:
        top = os.open(folder, _FOLDER)
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"{folder} could not be removed: {error.strerror}"
    trouble = ""
    try:
        moved = 0
        waiting = _emptied(top)
        while waiting:
            name = waiting.pop()
            try:
                fd = _entered(name, top)
                try:
                    for inner in _emptied(fd):
                        moved += 1
                        os.rename(inner, f".forgeron-{moved}", src_dir_fd=fd, dst_dir_fd=top)
                        waiting.append(f".forgeron-{moved}")
                finally:
                    os.close(fd)
                os.rmdir(name, dir_fd=top)
            except OSError as error:
                trouble = trouble or f"{folder} could not be removed: {error.strerror}"
    except OSError as error:
        trouble = f"{folder} could not be removed: {error.strerror}"
    finally:
        os.close(top)
    try:
        os.rmdir(folder)
    except OSError as error:
        return trouble or f"{folder} could not be removed: {error.strerror}"
    return ""


def _entered(name: str, top: int) -> int:
    with contextlib.suppress(OSError):
        os.chmod(name, stat.S_IRWXU, dir_fd=top)
    fd = os.open(name, _FOLDER, dir_fd=top)
    _make_mutable(fd)
    return fd


def _emptied(fd: int) -> list[str]:
    """Remove the files of a folder; the names of the folders in it."""
    inner = []
    _make_mutable(fd)
    with os.scandir(fd) as entries:
        listed = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
    for name, is_folder in listed:
        if is_folder:
            inner.append(name)
            continue
        try:
            os.unlink(name, dir_fd=fd)
        except PermissionError:
            file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=fd)
            try:
                _make_mutable(file)
            finally:
                os.close(file)
            os.unlink(name, dir_fd=fd)
    return inner


def _make_mutable(fd: int) -> None:
    """Take `chattr +i` and `+a` back, where one may."""
    with contextlib.suppress(OSError):
        (flags,) = struct.unpack("l", fcntl.ioctl(fd, _GET_FLAGS, bytes(8)))
        if flags & 0x30:
            fcntl.ioctl(fd, _SET_FLAGS, struct.pack("l", flags & ~0x30))


def size_of(folder: Path, most_files: int) -> tuple[int, int]:
    """How many files and bytes are in a folder; counting ends above `most_files`. Links are not followed."""
    files = size = 0
    waiting = [str(folder)]
    while waiting and files <= most_files:
        with contextlib.suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                files += 1
                if files > most_files:
                    break
                with contextlib.suppress(OSError):
                    size += entry.stat(follow_symlinks=False).st_blocks * 512
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
    return files, size

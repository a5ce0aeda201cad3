"""Where files are kept, and how they are written: whole or not at all.

A file is written under another name in the same folder, brought to the disk, and renamed. Whoever reads the file,
also after a crash or a power failure, finds the old content or the new one, never a part.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

from forgeron.core.errors import ForgeronError, StorageError

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

#: What may stand under a name, as messages call it. Only a regular file may be replaced.
_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFLNK: "a symbolic link that leads back to itself",
}


def data_folder() -> Path:
    """The folder of games that were played here: ``FORGERON_DATA_DIR``, else the user's data folder."""
    chosen = os.environ.get("FORGERON_DATA_DIR")
    return Path(chosen) if chosen else Path(platformdirs.user_data_dir("forgeron"))


#: So much is read of what is no regular file: a device may have no end.
_MOST_BYTES = 64 << 20


def read_file(path: Path | Traversable) -> bytes:
    """All of a file, pipe or device; a device without an end is an OSError, as a file that cannot be read."""
    with path.open("rb") as file:
        if not hasattr(file, "fileno") or stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            return file.read()
        data = file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return data


def write_file(path: Path, content: str | bytes, *, make_folder: bool = False, sync: bool = True) -> None:
    """Write a text (as UTF-8) or bytes to a file, replacing an older one; a `ForgeronError` says why it cannot.

    `make_folder` makes the folders on the way. Without `sync` the content may be lost in a power failure, and is then
    empty or torn: only for what can be checked and made again.
    """
    try:
        data = content.encode() if isinstance(content, str) else content
    except UnicodeEncodeError as error:
        raise ForgeronError(f"cannot write {path}: {error.object[error.start]!r} is not a character") from None
    with replaced_file(path, make_folder=make_folder, sync=sync) as draft:
        draft.write_bytes(data)


@contextmanager
def replaced_file(path: Path, *, make_folder: bool = False, sync: bool = True) -> Iterator[Path]:
    """For writers that need a path: an empty draft, which takes the place of the file at the end of the block.

    When the block raises, the draft goes and the file stays as it was. A symbolic link stays one: its target is
    replaced. The new file has the permissions of the old one.
    """
    target = Path(os.path.realpath(path))
    draft: Path | None = None
    try:
        if make_folder:
            target.parent.mkdir(parents=True, exist_ok=True)
        mode = _replaceable(path, target)
        # While it is written, a file that has permissions of its own is nobody else's to read.
        draft = _new_draft(target.parent, 0o666 if mode is None else 0o600)
        yield draft
        if mode is not None:
            draft.chmod(mode)
        if sync:
            sync_to_disk(draft)
        draft.replace(target)
        draft = None
        if sync:
            sync_to_disk(target.parent)
    except OSError as error:
        raise StorageError(f"cannot write {path}: {error.strerror or error}") from None
    finally:
        if draft is not None:
            with suppress(OSError):
                draft.unlink()


def _replaceable(path: Path, target: Path) -> int | None:
    """The permissions of the file that is there; None where there is none."""
    try:
        found = target.lstat().st_mode
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(found):
        kind = _KINDS.get(stat.S_IFMT(found), "not a file")
        raise ForgeronError(f"cannot write {path}: it is {kind}; name a file")
    return stat.S_IMODE(found)


def _new_draft(folder: Path, mode: int) -> Path:
    """A new file that nobody else has: another run, or a link that somebody laid there, cannot be hit."""
    draft = folder / f".forgeron-{secrets.token_hex(8)}.part"
    os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode))
    return draft


def sync_to_disk(path: Path) -> None:
    """Have the content of a file, or the names in a folder, on the disk: a power failure cannot lose them."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

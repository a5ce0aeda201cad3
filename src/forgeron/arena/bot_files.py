"""Which files a bot is made of, and their digest: how a bot that has changed is told from the one that played.

- The folder of a submission, where one of the files below lies in it: the nearest folder upwards with a `bot.toml`.
- Else the files that the command names, and all in the folders that it names (`java -cp build Main`), but for programs
  that everybody may run, such as an interpreter.
- The file of a player that is loaded into our process, and the files that its options name: weights, a network.

Of a bot that was built the sources count, not what a compiler made of them. Hidden files and what Python compiles by
itself do not count, nor do other files that a program may read. A player that comes with Forgeron is made of none.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import stat
from collections.abc import Iterable
from pathlib import Path

from forgeron.arena.entrant import Entrant
from forgeron.bots.own_files import is_shared

#: What makes a folder that of a submission.
SUBMISSION_FILE = "bot.toml"
#: In a folder where a submission was built: the digest of its sources.
SOURCES_FILE = ".sources"
_CHUNK_BYTES = 1 << 20


def digest_of(entrant: Entrant) -> str | None:
    """The digest of a bot's files, 16 hexadecimal digits; None where it has none. Paths are written in full."""
    places = bot_places(entrant)
    return digest(places) if places else None


def bot_places(entrant: Entrant) -> list[Path]:
    """The files and folders that the bot is made of."""
    if entrant.player is not None:
        options = [value for value in entrant.options.values() if isinstance(value, str) and os.path.isabs(value)]
        return [Path(name) for name in (entrant.player, *options) if os.path.isfile(name)]
    found: list[Path] = []
    for path in _named(entrant.command):
        place = _submission_of(path) or path
        if place not in found:
            found.append(place)
    return found


def digest(places: Iterable[Path]) -> str:
    """One number for the names and contents of files, and of all files in folders."""
    total = hashlib.blake2b(digest_size=8)
    for place in places:
        with contextlib.suppress(OSError):  # what was built is what it was built from: compilers need not repeat
            total.update((place / SOURCES_FILE).read_bytes())
            continue
        for path in _walk(place):
            name = path.relative_to(place).as_posix() if path != place else place.name
            total.update(f"{len(name)}:{name}:".encode("utf-8", "surrogateescape"))
            total.update(_content(path))
    return total.hexdigest()


def _named(command: tuple[str, ...]) -> list[Path]:
    """What a command names that is the bot's own."""
    if not command:
        return []
    words = [shutil.which(command[0]) or command[0], *command[1:]]
    return [Path(word) for word in words if os.path.exists(word) and not is_shared(Path(word).resolve())]


def _submission_of(path: Path) -> Path | None:
    """The nearest folder upwards that is a submission."""
    return next((folder for folder in (path, *path.parents) if (folder / SUBMISSION_FILE).is_file()), None)


def _walk(place: Path) -> list[Path]:
    """The files of a place in a fixed order; links are not followed."""
    if not place.is_dir() or place.is_symlink():
        return [place]
    found = []
    for folder, folders, files in os.walk(place):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "__pycache__")
        found += [Path(folder, name) for name in sorted(files) if not name.startswith(".")]
    return found


def _content(path: Path) -> bytes:
    """The digest of a file's content. A link stands for where it leads, anything but a file for nothing."""
    content = hashlib.blake2b(digest_size=16)
    try:
        kind = path.lstat().st_mode
        if stat.S_ISLNK(kind):
            content.update(os.fsencode(os.readlink(path)))
        elif stat.S_ISREG(kind):
            with path.open("rb") as file:
                while chunk := file.read(_CHUNK_BYTES):
                    content.update(chunk)
    except OSError:
        content.update(b"unreadable")
    return content.digest()

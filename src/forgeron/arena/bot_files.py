"""Which files a bot is made of, and their digest: how a bot that has changed is told from the one that played.

- The folder of a submission, where one of the files below lies in it: the outermost folder upwards with a `bot.toml`.
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
#: Beside the submissions: what was built of them.
BUILT = ".built"
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
        if _is_built(place):  # what was built is what it was built from: compilers need not repeat
            with contextlib.suppress(OSError):
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


def others_submissions(entrant: Entrant, rival: Entrant) -> list[Path]:
    """What a bot must not see where it, or its rival, was handed in: what everybody else has handed in and built."""
    own = [_submission_of(path) or path for path in _named(entrant.command)]
    places = [*own, *(_submission_of(path) for path in _named(rival.command))]
    homes = {home for place in places if place is not None and (home := _home_of(place)) is not None}
    return [path for home in sorted(homes) for path in beside(home, own)]


def beside(home: Path, own: Iterable[Path]) -> list[Path]:
    """Everything in a folder of submissions but one's own, its log and what was built of it."""
    names = {place.name for place in own if _home_of(place) == home}
    mine = [place.resolve() for place in own]
    found = []
    for folder in (home, home / BUILT):
        with contextlib.suppress(OSError):
            for path in sorted(folder.iterdir()):
                is_own = path.name in names or (folder != home and path.stem in names)
                there = path.resolve()  # a teacher may have links to what students keep elsewhere
                if path.name != BUILT and not is_own and not any(one.is_relative_to(there) for one in mine):
                    found.append(there)
    return found


def _submission_of(path: Path) -> Path | None:
    """The submission that a file belongs to. A `bot.toml` further down is one of its files, and hides nothing."""
    found = [folder for folder in (path, *path.parents) if (folder / SUBMISSION_FILE).is_file()]
    return found[-1] if found else None


def _home_of(place: Path) -> Path | None:
    """The folder of all submissions that one lies in, or was built in; None for what is no submission."""
    if not (place / SUBMISSION_FILE).is_file():
        return None
    return place.parent.parent if _is_built(place) else place.parent


def _is_built(place: Path) -> bool:
    """Whether we have built this: a student's own folder may be called the same."""
    return place.parent.name == BUILT and _submission_of(place.parent) is None


def _walk(place: Path) -> list[Path]:
    """The files of a place in a fixed order, a folder's own before those below it; links are not followed."""
    if not place.is_dir() or place.is_symlink():
        return [place]
    found: list[Path] = []
    waiting = [str(place)]
    while waiting:
        folders, files = [], []
        with contextlib.suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.name.startswith(".") or (entry.name == "__pycache__" and entry.is_dir()):
                    continue
                if not entry.is_dir():
                    files.append(entry.path)
                elif not entry.is_symlink():
                    folders.append(entry.path)
        found += map(Path, sorted(files))
        waiting += sorted(folders, reverse=True)
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

"""What is a bot's own: the files that its command names, and what lies beside them.

A bot runs in a folder of its own, which is empty and goes with it. Programs open their weights by name, and scripts
start what lies beside them: so the folder begins with what is in the folders of the bot's files. Small files are
copies, which the bot may change as it likes; the rest are links, and read-only where the sandbox says so.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import sys
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from pathlib import Path

_PACKAGE = Path(__file__).parents[1]
_CLASS_PATH_OPTIONS = ("-cp", "-classpath", "--class-path")
#: Options of Java that name the program in another way than by a class.
_JAVA_PROGRAM_OPTIONS = ("-jar", "-m", "--module")
#: A file larger than this is a link, as are all after so many bytes.
_COPY_BYTES, _ALL_COPIES_BYTES = 1 << 20, 8 << 20
#: Who keeps a bot among thousands of files does without most of them.
_MOST_ENTRIES = 1000


def own_files(command: Sequence[str]) -> list[Path]:
    """The files that a command names, the program included."""
    words = [shutil.which(command[0]) or command[0], *command[1:]] if command else []
    return [Path(word).resolve() for word in words if os.path.isfile(word)]


def class_paths(command: Sequence[str]) -> list[Path]:
    """The folders in which Java looks for the bot, as in java -cp FOLDER Bot; other folders are not its own."""
    told = [after for word, after in pairwise(command) if word in _CLASS_PATH_OPTIONS]
    return [Path(folder).resolve() for paths in told for folder in paths.split(os.pathsep) if folder]


def is_class_path(word: str) -> bool:
    """Whether the word after this one is a class path."""
    return word in _CLASS_PATH_OPTIONS


def shared_places() -> list[Path]:
    """The folders of programs that everybody may run."""
    places = [*os.environ.get("PATH", os.defpath).split(":"), sys.prefix, sys.base_prefix, str(_PACKAGE)]
    return [Path(place).resolve() for place in places if place]


def is_shared(path: Path) -> bool:
    """Whether a file or folder is nobody's own: a program in PATH, or a part of Python or of Forgeron.

    What lies in folders below those of PATH is somebody's.
    """
    below = [Path(place).resolve() for place in (sys.prefix, sys.base_prefix, _PACKAGE)]
    is_program = path.is_file() and path.parent in shared_places()
    return is_program or any(path.is_relative_to(place) for place in below)


def own_folders(command: Sequence[str]) -> list[Path]:
    """The folders of a bot's own files."""
    files = [file for file in own_files(command) if not is_shared(file)]
    folders = [*(file.parent for file in files), *(folder for folder in class_paths(command) if folder.is_dir())]
    return [folder for folder in dict.fromkeys(folders) if folder != Path(folder.anchor)]


def name_class_path(command: Sequence[str], folder: Path) -> tuple[str, ...]:
    """The command with the class path written out, where Java would find its class in the current folder: `folder`.

    A bot runs in another one.
    """
    words = tuple(command)
    if Path(words[0]).name != "java" or any(word in (*_CLASS_PATH_OPTIONS, *_JAVA_PROGRAM_OPTIONS) for word in words):
        return words
    main = next((word for word in words[1:] if not word.startswith("-")), "")
    if not main or not (folder / f"{main.replace('.', '/')}.class").is_file():
        return words
    return (words[0], "-cp", str(folder), *words[1:])


def bring_files(
    folders: Iterable[Path],
    target: Path,
    owner: int | None,
    hidden: Iterable[Path] = (),
    shows: Callable[[Path], bool] = lambda _path: False,
) -> None:
    """Put what lies in the `folders` into a bot's working folder, but for hidden files and what the bot must not see.

    Another `owner` gets a copy only of what everybody may read, or what the sandbox `shows`.
    """
    room, secret = _ALL_COPIES_BYTES, set(hidden)
    for folder in folders:
        with contextlib.suppress(OSError):
            names = sorted(name for name in os.listdir(folder) if not name.startswith("."))[:_MOST_ENTRIES]
            for name in names:
                source, place = folder / name, target / name
                if source not in secret and not os.path.lexists(place):
                    room -= _bring(source, place, owner, room, is_shown=shows(source))


def _bring(source: Path, place: Path, owner: int | None, room: int, *, is_shown: bool) -> int:
    """Copy a small file, link anything else; how many bytes were copied."""
    with contextlib.suppress(OSError):
        found = source.lstat()
        readable = owner is None or is_shown or found.st_mode & stat.S_IROTH
        if stat.S_ISREG(found.st_mode) and found.st_size <= min(_COPY_BYTES, room) and readable:
            shutil.copy(source, place, follow_symlinks=False)
            if owner is not None:
                os.chown(place, owner, owner)
            return found.st_size
        os.symlink(source, place)
    return 0

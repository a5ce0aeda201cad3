"""What a student may hand in: a `bot.toml` is read by us, with our rights, and must not get anything by what it says.

Whatever is refused here is a problem of that submission alone, told in one line; the others play.
"""

from __future__ import annotations

import os
import re
import shlex
import stat
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from forgeron.bots.protocols import protocol_names
from forgeron.bots.users import open_to_all
from forgeron.core.errors import OptionError, unknown_name

#: Of a bot.toml, and of all that is handed in: it is read at every start of an event.
MOST_TOML_BYTES = 16 << 10
MOST_FILES, MOST_MB, MOST_LEVELS = 10_000, 512, 100
NAME_CHARACTERS = 80
_NUMBERS = 2**53


def check_place(folder: Path, toml: Path) -> None:
    """Refuse a folder that is too much to read, and a `bot.toml` that is no file of a few lines."""
    if not folder.name.isprintable():
        raise OptionError("the name of its folder has characters that cannot be shown")
    if not os.path.lexists(toml):
        raise OptionError(f"there is no {toml.name}")
    about = toml.lstat()
    if not stat.S_ISREG(about.st_mode):
        raise OptionError(f"{toml.name} is not a regular file")
    if about.st_size > MOST_TOML_BYTES:
        raise OptionError(f"{toml.name} has more than {MOST_TOML_BYTES >> 10} KB")
    _check_size(folder)


def _check_size(folder: Path) -> None:
    files = size = 0
    waiting = [(str(folder), 0)]
    while waiting:
        place, level = waiting.pop()
        if level > MOST_LEVELS:
            raise OptionError(f"its folders are nested more than {MOST_LEVELS} deep")
        try:
            with os.scandir(place) as entries:
                for entry in entries:
                    files += 1
                    if files > MOST_FILES:
                        raise OptionError(f"it has more than {MOST_FILES} files")
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append((entry.path, level + 1))
                    else:
                        size += entry.stat(follow_symlinks=False).st_size
        except OSError as error:
            raise OptionError(f"it cannot be read: {error.strerror}") from None
    if size > MOST_MB << 20:
        raise OptionError(f"it has {size >> 20} MB, more than {MOST_MB}")


def check_name(name: str) -> None:
    """Refuse a name that tables cannot show, or that looks like none."""
    if not name.strip() or not name.isprintable() or len(name) > NAME_CHARACTERS:
        raise OptionError(f"a name has at most {NAME_CHARACTERS} characters that can be seen, unlike {name[:40]!a}")


def look_of(name: str) -> str:
    """What a name looks like in a table: names that look the same are the same.

    >>> look_of(" Ann") == look_of("ann")
    True
    """
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def check_protocol(name: str | None) -> None:
    """Refuse all but the name of a protocol: the path of a file would be loaded into our process."""
    if name is not None and name not in protocol_names():
        raise unknown_name("protocol", name, protocol_names())


def check_options(options: Mapping[str, Any]) -> None:
    """Refuse what is no option of a bot: texts, truth values and numbers are. Time is the tournament's to give."""
    for name, value in options.items():
        if name == "grace":
            raise OptionError("options: grace is a limit; a submission has none of its own")
        fits = isinstance(value, str | bool) or (isinstance(value, int | float) and abs(value) <= _NUMBERS)
        if not fits or not name.isprintable() or not str(value).isprintable():
            raise OptionError(f"options: {name[:40]!a} is a text, a number, true or false, not {str(value)[:40]!a}")


def check_command(command: str, folder: Path) -> None:
    """Refuse a command that names something which is not the student's: what is named is shown to the bot."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise OptionError(f"command is no command line: {error}") from None
    if not words or not command.isprintable():
        raise OptionError("command names no program")
    own, all_of_them = folder.resolve(), folder.parent.resolve()
    for word in words[1:] if "/" not in words[0] else words:
        # A word may hold several: a class path, or an option with its value.
        for part in {word, *re.split("[:=,]", word)}:
            place = Path(os.path.realpath(folder / part))
            if place.is_relative_to(own) or not (os.path.lexists(place) or os.pardir in part.split("/")):
                continue
            is_public = os.path.isabs(part) and open_to_all(place) and not place.is_relative_to("/tmp")
            if place.is_relative_to(all_of_them) or not is_public:
                raise OptionError(f"command names {part[:200]!a}, which is not in its folder")

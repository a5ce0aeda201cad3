"""The games there are: those that come with Forgeron, those of installed packages, and those in a file.

A package announces its games as entry points of the group ``forgeron.games``; a single file is named by its path.
"""

from __future__ import annotations

import difflib
import hashlib
import importlib
import importlib.util
import re
import sys
import traceback
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from forgeron.core.errors import ForgeronError, unknown_name
from forgeron.core.game import Game

BUILT_IN = {
    "mancala": "forgeron.games.mancala:Mancala",
    "yinsh": "forgeron.games.yinsh:Yinsh",
    "yolah": "forgeron.games.yolah:Yolah",
    "yut": "forgeron.games.yut:Yut",
}
GROUP = "forgeron.games"


def names() -> list[str]:
    """The names of all games that can be asked for, without importing them."""
    return sorted({*BUILT_IN, *_announced()})


def game(name: str, *, preset: str | None = None, **options: object) -> Game:
    """The game of this name, or of the Python file at this path, with its options.

    >>> game("yolah")
    <Game yolah>
    """
    return game_class(name)(preset=preset, **options)


def game_class(name: str) -> type[Game]:
    """The class of a game; importing it is left until it is asked for."""
    if name.endswith(".py"):
        return _from_file(Path(name).resolve())
    if name in BUILT_IN:
        module, _, attribute = BUILT_IN[name].partition(":")
        found = getattr(importlib.import_module(module), attribute)
    elif name in _announced():
        point = _announced()[name]
        try:
            found = point.load()
        except (ImportError, AttributeError) as error:
            raise ForgeronError(
                f"game '{name}' is announced as {point.value}, which cannot be loaded: {error}"
            ) from error
    else:
        raise unknown_name("game", name, names())
    if not (isinstance(found, type) and issubclass(found, Game)):
        raise ForgeronError(f"the entry point of game '{name}' is {found!r}, not a subclass of forgeron.Game")
    return found


def _announced() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


@cache
def _from_file(path: Path) -> type[Game]:
    """The one game that a file defines."""
    if not path.is_file():
        near = difflib.get_close_matches(path.name, [other.name for other in path.parent.glob("*.py")], n=1)
        raise ForgeronError(f"there is no file {path}" + (f"; did you mean '{near[0]}'?" if near else ""))
    # Compiled code finds its state class again by the name of the module: two files must never share one.
    digest = hashlib.blake2b(str(path).encode(), digest_size=5).hexdigest()
    module_name = f"forgeron_file_{re.sub(r'[^0-9A-Za-z]', '_', path.stem)}_{digest}"
    spec = importlib.util.spec_from_file_location(module_name, path)
    assert spec is not None  # because the name ends in .py
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[module_name]
        if isinstance(error, ForgeronError) or not isinstance(error, Exception):
            raise
        raise ForgeronError(_what_failed(path, error)) from error
    found = [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, Game)
        and value.__module__ == module_name
        and "name" in vars(value)
    ]
    if len(found) != 1:
        listed = f" ({', '.join(one.__name__ for one in found)})" if found else ""
        raise ForgeronError(
            f"{path} defines {len(found)} games{listed}; it must define one subclass of forgeron.Game with a name"
        )
    return found[0]


def _what_failed(path: Path, error: Exception) -> str:
    """Where in the file, and what."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return f"{path}, line {error.lineno}: {error.msg}"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    where = f", line {lines[-1]}" if lines else ""
    return f"{path}{where}: {type(error).__name__}: {error}"

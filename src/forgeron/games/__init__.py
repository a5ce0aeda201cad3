"""The games there are: those that come with Forgeron, those of installed packages, and those in a file.

A package announces its games as entry points of the group ``forgeron.games``; a single file is named by its path.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from forgeron.core.errors import ForgeronError, unknown_name
from forgeron.core.game import Game

BUILT_IN = {"mancala": "forgeron.games.mancala:Mancala", "yolah": "forgeron.games.yolah:Yolah"}
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
        found = _announced()[name].load()
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
        raise ForgeronError(f"there is no file {path}")
    module_name = f"forgeron_file_{path.stem}"
    spec = importlib.util.spec_from_file_location(module_name, path)
    if spec is None or spec.loader is None:
        raise ForgeronError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[module_name]
        raise
    found = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Game) and value.__module__ == module_name
    ]
    if len(found) != 1:
        raise ForgeronError(f"{path} defines {len(found)} games; it must define exactly one subclass of forgeron.Game")
    return found[0]

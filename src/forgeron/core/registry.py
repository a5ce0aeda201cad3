"""Games, players and protocols by name: ours, those of installed packages, and those in a single file.

Everything that comes with Forgeron is registered here the way another package registers its own, by an entry point:

    [project.entry-points."forgeron.games"]
    halma = "my_package.halma:Halma"

The groups are ``forgeron.games``, ``forgeron.players`` and ``forgeron.protocols``. Nothing is imported before it is
asked for, and no other module of Forgeron reaches a game: `tests/test_architecture.py` enforces it.
"""

from __future__ import annotations

import difflib
import hashlib
import importlib.util
import re
import sys
import traceback
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Generic, TypeVar

from forgeron.core import game_check_hook
from forgeron.core.errors import ForgeronError, unknown_name
from forgeron.core.game import Game

T = TypeVar("T")

#: How the names of modules begin that were loaded from a single file.
_FILE_MODULE = "forgeron_file_"

#: The entry points of Forgeron itself: group → name → module:class.
BUILT_IN: dict[str, dict[str, str]] = {
    "forgeron.games": {
        "mancala": "forgeron.games.mancala:Mancala",
        "yinsh": "forgeron.games.yinsh:Yinsh",
        "yolah": "forgeron.games.yolah:Yolah",
        "yut": "forgeron.games.yut:Yut",
    },
    "forgeron.players": {  # the weakest family first
        "random": "forgeron.players.random:RandomPlayer",
        "greedy": "forgeron.players.greedy:GreedyPlayer",
        "monte-carlo": "forgeron.players.monte_carlo:MonteCarloPlayer",
        "mcts": "forgeron.players.mcts:MctsPlayer",
        "minimax": "forgeron.players.minimax:MinimaxPlayer",
        "neural": "forgeron.players.neural:NeuralPlayer",
        "expectimax": "forgeron.players.expectimax:ExpectimaxPlayer",
        "yut-random": "forgeron.games.yut.players:YutRandomPlayer",
        "yut-example": "forgeron.games.yut.players:YutExamplePlayer",
        "yut-report": "forgeron.games.yut.players:YutReportPlayer",
    },
    "forgeron.protocols": {
        "native": "forgeron.bots.protocol:NativeProtocol",
        "mancala": "forgeron.games.mancala.course:MancalaCourse",
        "yinsh": "forgeron.games.yinsh.course:YinshCourse",
        "yut": "forgeron.games.yut.course:YutCourse",
        "yolah-ws": "forgeron.games.yolah.websocket:YolahWebSocket",
    },
}


class Registry(Generic[T]):
    """The classes of one kind (game, player, protocol) that can be asked for by name or by the path of a file."""

    def __init__(self, kind: str, base: type[T]) -> None:
        self.kind = kind
        self.base = base
        self.group = f"forgeron.{kind}s"

    def names(self) -> list[str]:
        """All names that can be asked for, ours first; nothing is imported."""
        return list(self._entries())

    def find(self, name: str) -> type[T]:
        """The class of this name, or the one that the Python file at this path defines."""
        if is_file_name(name):
            return self._from_file(Path(name).resolve())
        # Ours need no look at the installed packages.
        ours = BUILT_IN[self.group].get(name)
        entry = EntryPoint(name, ours, self.group) if ours else self._entries().get(name)
        if entry is None:
            raise unknown_name(self.kind, name, self.names())
        try:
            found = entry.load()
        except ForgeronError:
            raise
        except Exception as error:  # somebody else's module may fail in any way
            why = str(error) if isinstance(error, ImportError | AttributeError) else f"{type(error).__name__}: {error}"
            raise ForgeronError(
                f"{self.kind} '{name}' is announced as {entry.value}, which cannot be loaded: {why}"
            ) from error
        if not (isinstance(found, type) and issubclass(found, self.base)):
            raise ForgeronError(
                f"the entry point of {self.kind} '{name}' is {found!r}, not a subclass of forgeron.{self.base.__name__}"
            )
        return found

    def where(self, found: type[T]) -> str:
        """The name, or the full path, under which any process finds this class again."""
        name = str(getattr(found, "name", ""))
        file = getattr(sys.modules.get(found.__module__), "__file__", None)
        if found.__module__.startswith(_FILE_MODULE) and file:
            return str(file)
        if name in self.names() and self.find(name) is found:
            return name
        raise ForgeronError(
            f"{self.kind} {found.__qualname__} of module {found.__module__} cannot be found by name: "
            f"give the path of its file, or register it as an entry point of {self.group}"
        )

    def _entries(self) -> dict[str, EntryPoint]:
        """By name. A name of ours cannot be taken by another package."""
        ours = {name: EntryPoint(name, value, self.group) for name, value in BUILT_IN[self.group].items()}
        others = sorted(entry_points(group=self.group), key=lambda entry: entry.name)
        return ours | {entry.name: entry for entry in others if entry.name not in ours}

    def _from_file(self, path: Path) -> type[T]:
        """The one class of this kind that a file defines."""
        module = load_file(path)
        found = [
            value
            for value in vars(module).values()
            if isinstance(value, type)
            and issubclass(value, self.base)
            and value.__module__ == module.__name__
            and "name" in vars(value)
        ]
        if len(found) != 1:
            listed = f" ({', '.join(one.__name__ for one in found)})" if found else ""
            raise ForgeronError(
                f"{path} defines {len(found)} {self.kind}s{listed}; "
                f"it must define one subclass of forgeron.{self.base.__name__} with a name"
            )
        return found[0]


def is_file_name(name: str) -> bool:
    """Whether a name is the path of a Python file instead of a registered name."""
    return name.endswith(".py")


def located(name: str, folder: Path) -> str:
    """A registered name as it is; the path of a file in full, as seen from a folder: any process finds it there."""
    return str((folder / name).resolve()) if is_file_name(name) else name


@cache
def load_file(path: Path) -> ModuleType:
    """The module of a Python file, run once; whatever is wrong with it is a ForgeronError with the line."""
    if not path.is_file():
        near = difflib.get_close_matches(path.name, [other.name for other in path.parent.glob("*.py")], n=1)
        raise ForgeronError(f"there is no file {path}" + (f"; did you mean '{near[0]}'?" if near else ""))
    # Compiled code finds its state class again by the name of the module: two files must never share one.
    digest = hashlib.blake2b(str(path).encode(), digest_size=5).hexdigest()
    module_name = f"{_FILE_MODULE}{re.sub(r'[^0-9A-Za-z]', '_', path.stem)}_{digest}"
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
    return module


def _what_failed(path: Path, error: Exception) -> str:
    """Where in the file, and what."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return f"{path}, line {error.lineno}: {error.msg}"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    where = f", line {lines[-1]}" if lines else ""
    return f"{path}{where}: {type(error).__name__}: {error}"


# --- games ----------------------------------------------------------------------------------------------------------

# Game is abstract in practice, not by ABCMeta, so mypy takes it.
_games = Registry("game", Game)


def game_names() -> list[str]:
    """The names of all games that can be asked for, in alphabetical order."""
    return sorted(_games.names())


def game_class(name: str) -> type[Game]:
    """The class of the game of this name, or of the Python file at this path."""
    if name not in BUILT_IN[_games.group] and (
        Path(name).is_file() if name.endswith(".py") else name in _games.names()
    ):
        game_check_hook.ask(name)
    return _games.find(name)


def game(name: str, /, *, preset: str | None = None, **options: object) -> Game:
    """The game of this name, or of the Python file at this path, with its options.

    >>> game("yolah")
    <Game yolah>
    """
    return game_class(name).with_options(options, preset)


def game_source(game: Game) -> str:
    """What to give `game_class` to get the class of this game again, in any process."""
    return _games.where(type(game))

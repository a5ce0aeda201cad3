"""Errors a person can act on: each says what came, and what would do."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager


class ForgeronError(Exception):
    """Base of every error Forgeron raises on purpose; its text is fit to be shown as it is.

    `error_context` says where it happened; it stays the same error, of the same class.
    """

    _contexts: tuple[str, ...] = ()

    def add_context(self, context: str) -> None:
        """Have the text preceded by where it happened: a file, a line, an entrant."""
        self._contexts = (context, *self._contexts)

    def _text(self) -> str:
        """What is wrong, without where."""
        return super().__str__()

    def __str__(self) -> str:
        return ": ".join((*self._contexts, self._text()))


@contextmanager
def error_context(context: str) -> Iterator[None]:
    """Say where an error that is raised within happened.

    >>> with error_context("game.txt"), error_context("line 3"):
    ...     raise NotationError("'d5d4' is not a move")
    Traceback (most recent call last):
    ...
    forgeron.core.errors.NotationError: game.txt: line 3: 'd5d4' is not a move
    """
    try:
        yield
    except ForgeronError as error:
        error.add_context(context)
        raise


class NotationError(ForgeronError, ValueError):
    """A text that is not a move or a position in the notation of the game."""


class IllegalMoveError(ForgeronError, ValueError):
    """A well-written move that the rules do not allow here; quotes move and position.

    >>> error = IllegalMoveError("d5:d4", "w6b/8/…:b:0:0", "d4 is not empty")
    >>> error.move, error.position
    ('d5:d4', 'w6b/8/…:b:0:0')
    >>> print(error)
    illegal move 'd5:d4' in position 'w6b/8/…:b:0:0': d4 is not empty
    """

    def __init__(self, move: str, position: str, why: str) -> None:
        # All three are `args`: an error that comes back from a worker process is made again from them.
        super().__init__(move, position, why)
        self.move = move
        self.position = position
        self.why = why

    def _text(self) -> str:
        return f"illegal move '{self.move}' in position '{self.position}': {self.why}"


class GameOverError(IllegalMoveError):
    """A move was given, or asked for, in a position where the game has ended."""


class UnknownNameError(ForgeronError, LookupError):
    """A game, player, protocol or option of that name does not exist."""


class OptionError(ForgeronError, ValueError):
    """A setting has a value that is not allowed."""


class ContractError(ForgeronError, TypeError):
    """A game or player does not keep its side of the contract (docs/add-a-game.md, docs/players.md)."""


class EndlessGameError(ContractError):
    """A game went on for more plies than any game may."""


class StorageError(ForgeronError, OSError):
    """A file could not be opened, read or written: a full disk, a folder without permission, a name too long."""


def unknown_name(kind: str, name: str, known: Iterable[str]) -> UnknownNameError:
    """The error for a name that is not there, with the nearest name and the valid list.

    >>> print(unknown_name("game", "yola", ["yinsh", "yolah"]))
    there is no game 'yola'; did you mean 'yolah'? valid: yinsh, yolah
    """
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=1)
    guess = f" did you mean '{near[0]}'?" if near else ""
    listed = ", ".join(names) if names else "(none)"
    return UnknownNameError(f"there is no {kind} '{name}';{guess} valid: {listed}")

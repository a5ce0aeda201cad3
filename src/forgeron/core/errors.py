"""Errors a person can act on: each says what came, and what would do."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class ForgeronError(Exception):
    """Base of every error Forgeron raises on purpose; its text is fit to be shown as it is."""


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
        super().__init__(f"illegal move '{move}' in position '{position}': {why}")
        self.move = move
        self.position = position
        self.why = why


class GameOverError(IllegalMoveError):
    """A move was given, or asked for, in a position where the game has ended."""


class UnknownNameError(ForgeronError, LookupError):
    """A game, player or option of that name does not exist."""


class OptionError(ForgeronError, ValueError):
    """An option of a game or player has a value that is not allowed."""


class ContractError(ForgeronError, TypeError):
    """A game does not keep its side of the contract (docs/add-a-game.md)."""


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

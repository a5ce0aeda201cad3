"""Forgeron: make game-playing programs, set them against each other, and understand them.

>>> import forgeron
>>> game = forgeron.game("yolah")
>>> position = game.start().play("d5:b7")
>>> player = forgeron.player("greedy", game, seed=1)
>>> choice = player.choose(position, forgeron.Limit(nodes=1000))
>>> choice.move in position.legal_moves()
True
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from forgeron.core.contract import CHANCE, OVER, rules_for
    from forgeron.core.errors import ForgeronError, IllegalMoveError, NotationError
    from forgeron.core.game import Game, Option, Symmetry
    from forgeron.core.jit import compiled, kernel
    from forgeron.core.position import Outcome, Position
    from forgeron.core.record import Record
    from forgeron.games import game
    from forgeron.games import names as game_names
    from forgeron.players import names as player_names
    from forgeron.players import player
    from forgeron.players.base import Choice, Limit, Player

__version__ = "0.1.0"

# Everything public, imported when first used: `forgeron --help` must not wait for NumPy and Numba.
_HOMES = {
    "CHANCE": "core.contract",
    "OVER": "core.contract",
    "rules_for": "core.contract",
    "ForgeronError": "core.errors",
    "IllegalMoveError": "core.errors",
    "NotationError": "core.errors",
    "Game": "core.game",
    "Option": "core.game",
    "Symmetry": "core.game",
    "compiled": "core.jit",
    "kernel": "core.jit",
    "Outcome": "core.position",
    "Position": "core.position",
    "Record": "core.record",
    "game": "games",
    "game_names": "games:names",
    "player": "players",
    "player_names": "players:names",
    "Choice": "players.base",
    "Limit": "players.base",
    "Player": "players.base",
}

__all__ = [
    "CHANCE",
    "OVER",
    "Choice",
    "ForgeronError",
    "Game",
    "IllegalMoveError",
    "Limit",
    "NotationError",
    "Option",
    "Outcome",
    "Player",
    "Position",
    "Record",
    "Symmetry",
    "compiled",
    "game",
    "game_names",
    "kernel",
    "player",
    "player_names",
    "rules_for",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'forgeron' has no attribute '{name}'")
    module, _, attribute = _HOMES[name].partition(":")
    value = getattr(importlib.import_module(f"forgeron.{module}"), attribute or name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})

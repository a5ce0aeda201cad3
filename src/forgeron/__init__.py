"""Forgeron: make game-playing programs, set them against each other, and understand them.

>>> import forgeron
>>> game = forgeron.game("yolah")
>>> position = game.start().play("d5:b7")
>>> player = forgeron.player("greedy", game, seed=1)
>>> choice = player.choose(position, forgeron.Limit(nodes=1000))
>>> choice.move in position.legal_moves()
True

Published are the names in ``forgeron.__all__`` and the modules beside this one (``forgeron.bits``, ``contract``,
``events``, ``protocol``, ``ratings``, ``rng``): everything that the documentation uses, and all that a game, player or
protocol of your own needs. So is ``forgeron.interop``. The other packages below (``forgeron.core``, ``forgeron.arena``,
…) are private: they may change at any time.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from forgeron.bots.protocol import Protocol
    from forgeron.bots.protocols import protocol_names
    from forgeron.core.arrays import on_stack, words_on_stack
    from forgeron.core.chance import next_decision
    from forgeron.core.contract import CHANCE, OVER, UNKNOWN, UNRANKED, rules_for
    from forgeron.core.errors import (
        ContractError,
        ForgeronError,
        GameOverError,
        IllegalMoveError,
        NotationError,
        OptionError,
        UnknownNameError,
    )
    from forgeron.core.game import Game, ImportedGame, Symmetry, TableLevel
    from forgeron.core.jit import compiled, kernel
    from forgeron.core.lesson import Lesson
    from forgeron.core.odds import probability_of
    from forgeron.core.options import Option
    from forgeron.core.position import Outcome, Position, Seat
    from forgeron.core.record import Record
    from forgeron.core.registry import game, game_names
    from forgeron.core.weights import shipped_weights
    from forgeron.events import MatchResult, match, read_results, tournament
    from forgeron.kernels.playout import play_many
    from forgeron.players import player, player_names
    from forgeron.players.base import EVAL, Choice, Limit, Line, Player, Search, Thought
    from forgeron.players.evaluated_mcts import Episode, EvaluatedMcts, LeafBatch
    from forgeron.reports.results import EventResults
    from forgeron.stats.elo import Estimate

__version__ = "0.1.0"

#: Modules that are published whole.
PUBLISHED_MODULES = ("bits", "contract", "events", "protocol", "ratings", "rng")
#: Every other published name, and the module it lives in. All is imported when first used: `forgeron --help` must not
#: wait for NumPy and Numba. What is in neither is private.
HOMES = {
    "on_stack": "core.arrays",
    "words_on_stack": "core.arrays",
    "next_decision": "core.chance",
    "CHANCE": "core.contract",
    "OVER": "core.contract",
    "UNKNOWN": "core.contract",
    "UNRANKED": "core.contract",
    "rules_for": "core.contract",
    "ContractError": "core.errors",
    "ForgeronError": "core.errors",
    "GameOverError": "core.errors",
    "IllegalMoveError": "core.errors",
    "NotationError": "core.errors",
    "OptionError": "core.errors",
    "UnknownNameError": "core.errors",
    "Game": "core.game",
    "ImportedGame": "core.game",
    "Symmetry": "core.game",
    "TableLevel": "core.game",
    "compiled": "core.jit",
    "kernel": "core.jit",
    "Lesson": "core.lesson",
    "probability_of": "core.odds",
    "Option": "core.options",
    "Outcome": "core.position",
    "Position": "core.position",
    "Seat": "core.position",
    "Record": "core.record",
    "game": "core.registry",
    "game_names": "core.registry",
    "shipped_weights": "core.weights",
    "play_many": "kernels.playout",
    "MatchResult": "events",
    "match": "events",
    "read_results": "events",
    "tournament": "events",
    "Episode": "players.evaluated_mcts",
    "EvaluatedMcts": "players.evaluated_mcts",
    "LeafBatch": "players.evaluated_mcts",
    "player": "players",
    "player_names": "players",
    "EVAL": "players.base",
    "Choice": "players.base",
    "Limit": "players.base",
    "Line": "players.base",
    "Player": "players.base",
    "Search": "players.base",
    "Thought": "players.base",
    "Protocol": "bots.protocol",
    "protocol_names": "bots.protocols",
    "EventResults": "reports.results",
    "Estimate": "stats.elo",
}

__all__ = [
    "CHANCE",
    "EVAL",
    "OVER",
    "UNKNOWN",
    "UNRANKED",
    "Choice",
    "ContractError",
    "Episode",
    "Estimate",
    "EvaluatedMcts",
    "EventResults",
    "ForgeronError",
    "Game",
    "GameOverError",
    "IllegalMoveError",
    "ImportedGame",
    "LeafBatch",
    "Lesson",
    "Limit",
    "Line",
    "MatchResult",
    "NotationError",
    "Option",
    "OptionError",
    "Outcome",
    "Player",
    "Position",
    "Protocol",
    "Record",
    "Search",
    "Seat",
    "Symmetry",
    "TableLevel",
    "Thought",
    "UnknownNameError",
    "compiled",
    "game",
    "game_names",
    "kernel",
    "match",
    "next_decision",
    "on_stack",
    "play_many",
    "player",
    "player_names",
    "probability_of",
    "protocol_names",
    "read_results",
    "rules_for",
    "shipped_weights",
    "tournament",
    "words_on_stack",
]


def __getattr__(name: str) -> Any:
    if name in PUBLISHED_MODULES:
        return importlib.import_module(f"forgeron.{name}")
    if name not in HOMES:
        raise AttributeError(f"module 'forgeron' has no attribute '{name}'")
    value = getattr(importlib.import_module(f"forgeron.{HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *HOMES, *PUBLISHED_MODULES})

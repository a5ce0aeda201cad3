"""The players there are."""

from __future__ import annotations

import importlib

from forgeron.core.errors import unknown_name
from forgeron.core.game import Game
from forgeron.players.base import Player

#: name → module:class. A new player is one line here; the contract tests find it.
BUILT_IN = {
    "random": "forgeron.players.random:RandomPlayer",
    "greedy": "forgeron.players.greedy:GreedyPlayer",
    "monte-carlo": "forgeron.players.monte_carlo:MonteCarloPlayer",
    "mcts": "forgeron.players.mcts:MctsPlayer",
    "minimax": "forgeron.players.minimax:MinimaxPlayer",
    "expectimax": "forgeron.players.expectimax:ExpectimaxPlayer",
    "yut-random": "forgeron.players.yut_baselines:YutRandomPlayer",
    "yut-example": "forgeron.players.yut_baselines:YutExamplePlayer",
    "yut-report": "forgeron.players.yut_baselines:YutReportPlayer",
}


def names(game: Game | None = None) -> list[str]:
    """The names of all players, weakest family first; or of those that play this game."""
    return [name for name in BUILT_IN if game is None or player_class(name).plays(game)]


def player_class(name: str) -> type[Player]:
    """The class of a player."""
    if name not in BUILT_IN:
        raise unknown_name("player", name, BUILT_IN)
    module, _, attribute = BUILT_IN[name].partition(":")
    found: type[Player] = getattr(importlib.import_module(module), attribute)
    return found


def player(name: str, game: Game, *, seed: int = 0, threads: int = 1, **options: object) -> Player:
    """A player of this name for this game; its kernels are compiled, or loaded, before it is returned.

    >>> import forgeron
    >>> player("random", forgeron.game("yolah"), seed=7)
    <Player random of yolah>
    """
    return player_class(name)(game, options, seed=seed, threads=threads)

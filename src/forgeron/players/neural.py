"""Minimax that evaluates by the game's network."""

from __future__ import annotations

from forgeron.core.game import NETWORK
from forgeron.core.options import Option
from forgeron.players.base import EVAL
from forgeron.players.minimax import MinimaxPlayer


class NeuralPlayer(MinimaxPlayer):
    """`minimax:eval=network` under a name of its own.

    A game, or a board of a game, that no network comes with is evaluated by its default weights; `notice` then says so.
    """

    name = "neural"
    summary = "the best move of a deep search by the game's network"
    options = {**MinimaxPlayer.options, "eval": Option(NETWORK, EVAL.allowed, EVAL.help)}

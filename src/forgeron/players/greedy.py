"""The player that looks one move ahead."""

from __future__ import annotations

import numpy as np

from forgeron.core.position import Position
from forgeron.core.rng import below
from forgeron.kernels.greedy import rate_moves
from forgeron.players.base import EVAL, Choice, Player, Search


class GreedyPlayer(Player):
    """The move whose position the game's evaluation likes best; equal ones by lot."""

    name = "greedy"
    judges = True
    summary = "the best move by the evaluation, one ply ahead"
    options = {"eval": EVAL}

    def warm(self) -> None:
        self._rate(self.game.start())

    def think(self, position: Position, search: Search) -> Choice:
        values = self._rate(position)
        best = np.flatnonzero(values == values.max())
        chosen = int(best[int(below(self.stream(position), len(best)))])
        token = self.game.format_move(position.state, position.moves[chosen])
        return Choice(token, float(values[chosen]), (token,), 1, len(values), search.seconds)

    def glance(self, position: Position) -> float:
        return float(self._rate(position)[0])

    def _rate(self, position: Position) -> np.ndarray:
        out = np.empty(self.game.max_moves, dtype=np.int64)
        values = np.empty(self.game.max_moves)
        n = rate_moves(position.state, self.weights(position), out, values)
        return values[:n]

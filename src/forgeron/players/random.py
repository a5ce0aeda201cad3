"""The player that chooses uniformly at random."""

from __future__ import annotations

from forgeron.core.position import Position
from forgeron.core.rng import below
from forgeron.players.base import Choice, Player, Search


class RandomPlayer(Player):
    """Any legal move, each with the same probability."""

    name = "random"
    summary = "any legal move"

    def think(self, position: Position, search: Search) -> Choice:
        moves = position.moves
        chosen = moves[int(below(self.stream(position), len(moves)))]
        token = self.game.format_move(position.state, chosen)
        return Choice(token, 0.5, (token,), 0, 0, search.seconds)

"""Measuring how far shallow searches are from deeper ones, on positions of games against itself."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, field

import numpy as np

from forgeron.arena.openings import draw_openings
from forgeron.core.errors import OptionError
from forgeron.core.game import Game
from forgeron.core.position import Position
from forgeron.core.search_errors import SearchError, SearchErrors
from forgeron.kernels import alphabeta as ab
from forgeron.kernels import alphabeta_workspace as wsp
from forgeron.kernels.transposition_table import make_table
from forgeron.players.base import Limit
from forgeron.players.minimax import ENHANCEMENTS, MinimaxPlayer

#: Every so many plies of a game one position is measured.
_ONE_IN = 4
_OPENING_PLIES = 6
#: Values beyond this are as good as decided: what a search finds there says nothing about close games.
_MOST_VALUE = 4_000
#: Of fewer positions no error is computed; nor of a depth that fewer than a quarter of them reached, for those are of
#: another kind: nearly decided, with few moves.
FEWEST = 50
_TABLE_MB = 4


@dataclass
class SearchErrorMeasurement:
    """Games of minimax against itself, some of whose positions are searched depth after depth."""

    game: Game
    evaluation: str
    games: int = 60
    move_nodes: int = 2_000
    """of each move of these games"""
    nodes: int = 60_000
    """a position is searched no deeper when it has taken more than these"""
    seed: int = 0
    rows: list[list[int]] = field(default_factory=list)
    """for each position its value by the static evaluation and by each depth"""

    def __post_init__(self) -> None:
        if not MinimaxPlayer.plays(self.game):
            raise OptionError(f"ProbCut is a part of minimax, which does not play {self.game.title}: it has dice")
        self._workspace = wsp.make_workspace(self.game.max_moves)
        self._workspace[wsp.ENHANCEMENTS] = ENHANCEMENTS["reductions"]
        self._table = make_table(_TABLE_MB)
        options = {"eval": self.evaluation, "enhancements": "reductions", "hash": 1}
        self._player = MinimaxPlayer(self.game, options)

    def run(self) -> Generator[int, None, None]:
        """Play and measure; yields the number of games played so far. `errors` has what they show."""
        for number, opening in enumerate(draw_openings(self.game, self.games, plies=_OPENING_PLIES, seed=self.seed)):
            for ply, position in enumerate(self._positions(opening.play(self.game))):
                if (ply + number) % _ONE_IN == 0 and len(position.moves) > 1:
                    self.rows.append(self._values(position))
            yield number + 1

    def _positions(self, position: Position) -> Iterator[Position]:
        """The positions of a game until its result is proven."""
        limit = Limit(nodes=self.move_nodes)
        while position.outcome is None:
            choice = self._player.choose(position, limit)
            if choice.proven:
                return
            yield position
            position = position.play(choice.move)

    def _values(self, position: Position) -> list[int]:
        """The static value and that of each depth, as far as they are not proven and do not take too long."""
        workspace, weights = self._workspace, self._player.weights(position)
        wsp.new_search(workspace, 0)
        wsp.forget_ordering(workspace)
        self._table[:] = 0
        found = [int(ab.static_value_of(position.state, weights))]
        for depth in range(1, wsp.MOST_MARGIN_DEPTH + 1):
            window = np.int64(-ab.WIN - 1), np.int64(ab.WIN + 1)
            arrays = workspace, self._table, weights
            value = int(
                ab.search(position.state, np.int64(depth), *window, np.int64(0), np.int64(wsp.NO_MOVE), *arrays)
            )
            if abs(value) > ab.PROVEN:
                break
            found.append(value)
            workspace[wsp.ROOT_MOVE] = workspace[wsp.BEST_MOVE]
            if workspace[wsp.NODES] > self.nodes:
                break
        return found

    def errors(self) -> SearchErrors:
        """Mean and spread for each pair of depths that ProbCut can use and enough positions have reached."""
        found: dict[tuple[int, int], tuple[int, int]] = {}
        for depth in range(1, wsp.MOST_MARGIN_DEPTH + 1):
            for shallower in range(max(depth - wsp.MOST_SHALLOWER, 0), depth):
                pairs = [(row[depth], row[shallower]) for row in self.rows if len(row) > depth]
                steps = [deep - shallow for deep, shallow in pairs if max(abs(deep), abs(shallow)) <= _MOST_VALUE]
                if len(steps) >= max(FEWEST, len(self.rows) // 4) and np.std(steps) >= 1:
                    found[depth, shallower] = SearchError(round(np.mean(steps)), round(np.std(steps)))
        return found

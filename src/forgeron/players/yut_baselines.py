"""Three programs of a course as players of Yut Nori, to measure others by."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from forgeron.core.errors import OptionError
from forgeron.core.game import Game
from forgeron.core.odds import probability_of
from forgeron.core.position import Position
from forgeron.core.rng import below
from forgeron.games.yut.baselines import rate_as_example, rate_as_report
from forgeron.games.yut.course import move_of, to_course
from forgeron.games.yut.rules import State
from forgeron.players.base import Choice, Player, Search

#: How many turns ahead make e : 1, roughly, in what is told as the win probability.
_TURNS = 3.0


class _YutPlayer(Player):
    """It thinks the same whatever its limit."""

    @classmethod
    def plays(cls, game: Game) -> bool:
        return bool(game.state_class is State)

    def warm(self) -> None:
        if not self.plays(self.game):
            raise OptionError(f"{self.name} plays Yut Nori only, not {self.game.title}")


class YutRandomPlayer(_YutPlayer):
    """Any legal action of the course, each with the same probability: a piece, a result in hand, and a way back.

    It differs from `random`, for which a group of three pieces is one move as a single piece is.
    """

    name = "yut-random"
    summary = "Yut Nori: any legal action of a course, a piece and a result"

    def think(self, position: Position, search: Search) -> Choice:
        mine, _, results = to_course(position.state)
        actions = [(i, result, way) for i in range(len(mine)) for result in results for way in (False, True)]
        legal = [move for action in actions if (move := move_of(mine, action)) in position.moves]
        chosen = legal[int(below(self.stream(position), len(legal)))]
        token = self.game.format_move(position.state, chosen)
        return Choice(token, 0.5, (token,), 0, 0, search.seconds)


class _YutBaseline(_YutPlayer):
    """The move that is rated highest, the first of equal ones."""

    rate: ClassVar[Callable[..., Any]]

    def warm(self) -> None:
        super().warm()
        start = self.game.start()
        self._rate(start.push(start.moves[0]))

    def think(self, position: Position, search: Search) -> Choice:
        values = self._rate(position)
        best = int(values.argmax())
        token = self.game.format_move(position.state, position.moves[best])
        value = probability_of(values[best] / _TURNS)
        return Choice(token, value, (token,), 1, len(values), search.seconds)

    def _rate(self, position: Position) -> np.ndarray:
        out = np.empty(self.game.max_moves, dtype=np.int64)
        values = np.empty(self.game.max_moves)
        n = type(self).rate(position.state, out, values)
        return values[:n]


class YutExamplePlayer(_YutBaseline):
    name = "yut-example"
    summary = "Yut Nori: the example of a course, one move ahead by turns to go"
    rate = staticmethod(rate_as_example)


class YutReportPlayer(_YutBaseline):
    name = "yut-report"
    summary = "Yut Nori: the minimax player of a course's report, best throws instead of expectation"
    rate = staticmethod(rate_as_report)

"""Three programs of a course as players of Yut Nori, to measure others by."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from forgeron import Choice, Game, Option, Player, Position, Search, probability_of
from forgeron.bits import ZERO
from forgeron.games.yut.baselines import rate_as_example
from forgeron.games.yut.course_notation import move_of, to_course
from forgeron.games.yut.report_search import MOST_CASTS, rate_as_report, search_turn
from forgeron.games.yut.rules import State
from forgeron.rng import below

#: How many turns ahead make e : 1, roughly, in what is told as the win probability.
_TURNS = 3.0


class _YutPlayer(Player):
    """It thinks the same whatever its limit."""

    @classmethod
    def plays(cls, game: Game) -> bool:
        return bool(game.state_class is State)

    @classmethod
    def why_not(cls, game: Game) -> str | None:
        return None if cls.plays(game) else f"{cls.name} plays Yut Nori only, not {game.title}"


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
        n = type(self).rate(position.state, out, values, *self._settings())
        return values[:n]

    def _settings(self) -> tuple[Any, ...]:
        """What `rate` wants to know besides."""
        return ()


class YutExamplePlayer(_YutBaseline):
    name = "yut-example"
    summary = "Yut Nori: the example of a course, one move ahead by turns to go"
    rate = staticmethod(rate_as_example)


class YutReportPlayer(_YutBaseline):
    name = "yut-report"
    summary = "Yut Nori: the minimax player of a course's report, best throws instead of expectation"
    options = {
        "depth": Option(2, range(1, 5), "how many turns the search looks ahead, its own move being the first"),
        "cast_depth": Option(1, range(1, MOST_CASTS + 1), "how many throws of each later turn the search looks at"),
        "capture_bonus": Option(0.07, (), "turns for each piece that stands where an enemy stands"),
        "landing_penalty": Option(0.01, (), "turns for each enemy two or three behind a piece, times the stations"),
    }
    rate = staticmethod(rate_as_report)

    def warm(self) -> None:
        # The kernel inside the other one first: each is compiled, and announced, by itself.
        state = self.game.start().state
        search_turn(state, ZERO, ZERO, np.int64(0), -np.inf, np.inf, ZERO, *self._settings()[1:])
        super().warm()

    def _settings(self) -> tuple[Any, ...]:
        chosen = self.chosen
        depths = np.int64(chosen["depth"]), np.int64(chosen["cast_depth"])
        return *depths, float(chosen["capture_bonus"]), float(chosen["landing_penalty"])

"""Results of games with dice, less the luck of the throws: a control variate, as backgammon programs use it.

The luck of a throw is what the evaluation expects after it, less the mean of that over all throws that could have come.
It is 0 on average whatever the evaluation is worth, because a throw depends on nothing but the position. So a result
less the luck of all its throws has the same expectation as the result; and the better the evaluation foresees results,
the less it varies, so that fewer games give the same error bar.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from forgeron.core.contract import offers
from forgeron.core.game import Game
from forgeron.core.record import Record
from forgeron.stats.elo import Estimate, elo_of_score


@dataclass(frozen=True, slots=True)
class LuckAdjusted:
    """The score of a match without the luck of its throws, from the viewpoint of the first-named player."""

    score: Estimate
    """mean points a game; luck aside it may leave the range 0 … 1"""
    elo: Estimate
    saving: float | None
    """the share of games that the adjustment saves for the same error bar; None where the plain score has no spread"""


def has_luck(game: Game) -> bool:
    """Whether results of the game can be adjusted: it has throws, and somebody to judge them."""
    return offers(game.state_class, "chance") and (offers(game.state_class, "evaluate") or game.network() is not None)


def luck_of(record: Record, game: Game, first_ply: int = 0) -> float:
    """The luck of player 0 in the throws from a ply on, in points: 0.1 is a tenth of a win; player 1's is its negative.

    Who judges is the network of the game, or its evaluation where there is none: the better the judge, the more of the
    luck is seen. Throws of an opening that was chosen must be left out: they are no longer as likely as the dice make
    them.
    """
    from forgeron.kernels.luck import luck_of_line

    positions = record.positions(game)
    line = np.array([game.parse_move(at.state, token) for at, token in zip(positions, record.moves, strict=False)])
    out = np.empty(game.max_moves, dtype=np.int64)
    probs = np.empty(game.max_moves)
    network = game.network()
    judge = np.ascontiguousarray(game.weights(), dtype=np.float64) if network is None else network.network
    return float(luck_of_line(positions[0].state, line.astype(np.int64), np.int64(first_ply), judge, out, probs))


@dataclass
class LuckTally:
    """Sums over pairs of games: the pair is the unit, as everywhere in the statistics of a match."""

    pairs: int = 0
    _plain: float = 0.0
    _plain_squares: float = 0.0
    _adjusted: float = 0.0
    _adjusted_squares: float = 0.0

    def add(self, points: float, luck: float) -> None:
        """A pair that brought the first player so many points a game, with so much luck a game."""
        self.pairs += 1
        self._plain += points
        self._plain_squares += points**2
        self._adjusted += points - luck
        self._adjusted_squares += (points - luck) ** 2

    def result(self, confidence: float = 0.95) -> LuckAdjusted | None:
        """The adjusted score with its interval; None before there are two pairs to tell how much they vary."""
        if self.pairs < 2:
            return None
        mean, variance = self._moments(self._adjusted, self._adjusted_squares)
        _, plain_variance = self._moments(self._plain, self._plain_squares)
        error = NormalDist().inv_cdf((1 + confidence) / 2) * math.sqrt(variance / self.pairs)
        score = Estimate(mean, mean - error, mean + error)
        bounds = (elo_of_score(min(max(value, 0.0), 1.0)) for value in (score.value, score.low, score.high))
        return LuckAdjusted(score, Estimate(*bounds), 1 - variance / plain_variance if plain_variance else None)

    def _moments(self, total: float, squares: float) -> tuple[float, float]:
        mean = total / self.pairs
        return mean, max(squares - self.pairs * mean**2, 0.0) / (self.pairs - 1)

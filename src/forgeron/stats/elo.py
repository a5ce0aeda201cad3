"""The rating difference of two players, from the results of their match.

Games are played in pairs, both players having each seat once from the same opening. The two games of a pair are not
independent (an opening that favours one seat gives each player one easy game), so the pair is the unit that is
counted: five counts, from two losses to two wins. Its variance is smaller than that of as many single games, which is
what makes pairs worth playing.

Every number here is from the viewpoint of one player, the first-named one. Nothing is ever NaN: where the data cannot
answer, the answer is None; where it has no bound, the bound is infinite.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from numbers import Integral
from statistics import NormalDist

from forgeron.core.errors import ForgeronError

#: Elo points for one unit of log-odds: 400 points are odds of ten to one.
ELO_PER_NAT = 400 / math.log(10)
#: Normalised Elo points for a score one standard deviation (of a single game) above even.
NELO_PER_DEVIATION = 800 / math.log(10)

_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class Pentanomial:
    """How many pairs of games brought 0, ½, 1, 1½ and 2 points.

    >>> Pentanomial.of([(1, 0.5), (1, 0), (0.5, 0.5)])
    Pentanomial(ll=0, ld=0, even=2, dw=1, ww=0)
    >>> list(Pentanomial(1, 2, 3, 4, 5))
    [1, 2, 3, 4, 5]
    """

    ll: int = 0
    ld: int = 0
    even: int = 0
    """a win and a loss, or two draws"""
    dw: int = 0
    ww: int = 0

    def __post_init__(self) -> None:
        _check_counts(self)

    @classmethod
    def of(cls, pairs: Iterable[tuple[float, float]]) -> Pentanomial:
        """Count pairs, each given as the points (0, ½ or 1) of its two games."""
        counts = [0] * 5
        for first, second in pairs:
            _check_points(first)
            _check_points(second)
            counts[round(2 * (first + second))] += 1
        return cls(*counts)

    @property
    def games(self) -> int:
        return 2 * sum(self)

    def __add__(self, other: Pentanomial) -> Pentanomial:
        return Pentanomial(*(a + b for a, b in zip(self, other, strict=True)))

    def __iter__(self) -> Iterator[int]:
        return iter((self.ll, self.ld, self.even, self.dw, self.ww))


@dataclass(frozen=True, slots=True)
class Trinomial:
    """Wins, draws and losses of games that were not played in pairs."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    def __post_init__(self) -> None:
        _check_counts(self)

    @classmethod
    def of(cls, points: Iterable[float]) -> Trinomial:
        """Count games, each given as the points (0, ½ or 1) it brought."""
        counts = [0] * 3
        for point in points:
            _check_points(point)
            counts[round(2 * (1 - point))] += 1
        return cls(*counts)

    @property
    def games(self) -> int:
        return sum(self)

    @property
    def points(self) -> float:
        """A win is 1, a draw ½."""
        return self.wins + self.draws / 2

    def __add__(self, other: Trinomial) -> Trinomial:
        return Trinomial(*(a + b for a, b in zip(self, other, strict=True)))

    def __iter__(self) -> Iterator[int]:
        return iter((self.wins, self.draws, self.losses))


GameCounts = Pentanomial | Trinomial


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its confidence interval; each of the three may be infinite, none is NaN."""

    value: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """Half the width of the interval, as in "value ± error"; infinite when the interval is."""
        return (self.high - self.low) / 2 if math.isfinite(self.high) and math.isfinite(self.low) else math.inf


@dataclass(frozen=True, slots=True)
class Summary:
    """What `summarise` finds. The three estimates are None when nothing has been played."""

    games: int
    score: Estimate | None
    """mean points a game, 0 … 1"""
    elo: Estimate | None
    nelo: Estimate | None
    """None too when all pairs came out alike: their spread, the unit of this scale, is then unknown"""
    los: float
    """likelihood of superiority: the probability that the first player is the stronger one"""


def elo_of_score(score: float) -> float:
    """The Elo difference at which this score is expected; ±infinity for 1 and 0.

    >>> round(elo_of_score(0.75), 2), elo_of_score(0.5), elo_of_score(1)
    (190.85, 0.0, inf)
    """
    if not 0 <= score <= 1:
        raise ForgeronError(f"a score is between 0 and 1, not {score}")
    if score in (0, 1):
        return math.copysign(math.inf, score - 0.5)
    return ELO_PER_NAT * math.log(score / (1 - score))


def score_of_elo(elo: float) -> float:
    """The score that is expected at this Elo difference.

    >>> score_of_elo(0), round(score_of_elo(100), 3), score_of_elo(-math.inf)
    (0.5, 0.64, 0.0)
    """
    odds = math.exp(-abs(elo) / ELO_PER_NAT)  # of the weaker side: never overflows
    return 1 / (1 + odds) if elo >= 0 else odds / (1 + odds)


def distribution(results: GameCounts) -> list[tuple[float, int]]:
    """The mean points a game of each kind of observation, lowest first, and how often it was seen."""
    if isinstance(results, Pentanomial):
        return [(kind / 4, count) for kind, count in enumerate(results)]
    return [(0.0, results.losses), (0.5, results.draws), (1.0, results.wins)]


def games_each(results: GameCounts) -> int:
    """How many games one observation is: two for pairs."""
    return 2 if isinstance(results, Pentanomial) else 1


def summarise(results: GameCounts, confidence: float = 0.95) -> Summary:
    """Score, Elo, normalised Elo and likelihood of superiority, with intervals of this confidence.

    The intervals rest on the normal approximation, and are cut at scores of 0 and 1, that is at infinite Elo. When all
    pairs came out alike the data show no spread to build on; then the interval is the exact one for the chance of
    anything else happening, taken at its worst.

    >>> match = summarise(Pentanomial(39, 8843, 26675, 9240, 44))
    >>> round(match.elo.value, 3), round(match.elo.low, 3), round(match.elo.high, 3)
    (1.577, 0.546, 2.607)
    """
    if not 0 < confidence < 1:
        raise ForgeronError(f"a confidence is between 0 and 1, not {confidence}")
    if results.games == 0:
        return Summary(0, None, None, None, 0.5)
    n, mean, variance = _moments(results)
    if variance == 0:
        score = _interval_of_equals(n, mean, confidence)
        return Summary(results.games, score, _in_elo(score), None, _los_of_equals(n, mean))
    deviations = _NORMAL.inv_cdf((1 + confidence) / 2)
    error = math.sqrt(variance / n)
    score = Estimate(mean, max(mean - deviations * error, 0.0), min(mean + deviations * error, 1.0))
    nelo = _normalised(results, deviations)
    return Summary(results.games, score, _in_elo(score), nelo, _NORMAL.cdf((mean - 0.5) / error))


def _moments(results: GameCounts) -> tuple[int, float, float]:
    """How many observations there are, their mean and their variance; exactly 0 when all are alike."""
    seen = [(value, count) for value, count in distribution(results) if count]
    n = sum(count for _, count in seen)
    mean = sum(value * count for value, count in seen) / n
    variance = sum(count * (value - mean) ** 2 for value, count in seen) / n if len(seen) > 1 else 0.0
    return n, mean, variance


def _normalised(results: GameCounts, deviations: float) -> Estimate:
    """The mean over the deviation of one game, in nElo.

    Its error takes into account that the deviation, too, is estimated from the data: the delta method with the third
    and fourth moments.
    """
    n, mean, variance = _moments(results)
    sigma = math.sqrt(variance)
    t = (mean - 0.5) / sigma
    skew = sum(count * ((value - mean) / sigma) ** 3 for value, count in distribution(results)) / n
    kurtosis = sum(count * ((value - mean) / sigma) ** 4 for value, count in distribution(results)) / n
    spread = max(1 - t * skew + t * t * (kurtosis - 1) / 4, 0.0)
    unit = NELO_PER_DEVIATION / math.sqrt(games_each(results))
    value, error = unit * t, unit * deviations * math.sqrt(spread / n)
    return Estimate(value, value - error, value + error)


def _interval_of_equals(n: int, mean: float, confidence: float) -> Estimate:
    """The interval of the score when n observations were all `mean`: others have at most probability `other`."""
    other = 1 - ((1 - confidence) / 2) ** (1 / n)
    return Estimate(mean, mean * (1 - other), mean + (1 - mean) * other)


def _los_of_equals(n: int, mean: float) -> float:
    """n times the same: as for n throws of a coin of which nothing was known before."""
    if mean == 0.5:
        return 0.5
    doubt = 0.5 ** (n + 1)
    return 1 - doubt if mean > 0.5 else doubt


def _in_elo(score: Estimate) -> Estimate:
    return Estimate(elo_of_score(score.value), elo_of_score(score.low), elo_of_score(score.high))


def _check_counts(results: Iterable[object]) -> None:
    for count in results:
        if isinstance(count, bool) or not isinstance(count, Integral) or count < 0:
            raise ForgeronError(f"counts of results are whole numbers from 0, not {count!r}")


def _check_points(points: float) -> None:
    if points not in (0, 0.5, 1):
        raise ForgeronError(f"a game brings 0, 0.5 or 1 points, not {points!r}")

"""The sequential probability ratio test: play until the results tell two hypotheses apart, and no longer.

The hypotheses are two differences of strength, `elo0` and `elo1`. After each pair of games the log-likelihood ratio
(LLR) says how much better the second explains the results; when it leaves the interval (lower, upper) the test is
over. A wrong answer then has probability about alpha (when the truth is elo0) or beta (when it is elo1).

A difference of strength does not fix how often each kind of pair occurs, so the likelihood of a hypothesis is the
largest one among all distributions that agree with it (generalised SPRT). With the model "logistic" a distribution
agrees when its mean is the expected score of the Elo difference; with "normalized" when its mean is that many standard
deviations above even, so that the length of a test hardly depends on how drawish the game is. The second is the
custom of today's engine testing (M. Van den Bergh, "Normalized Elo", 2020; "Comments on normalized Elo", 2021).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from forgeron.core.errors import OptionError
from forgeron.stats.elo import NELO_PER_DEVIATION, GameCounts, distribution, games_each, score_of_elo

Model = Literal["normalized", "logistic"]
Decision = Literal["accepted", "rejected", "continue", "inconclusive"]

#: A kind of pair that has not been seen counts as this much of a pair: without it a likelihood could be zero.
_UNSEEN = 1e-3
#: Beyond this the search for the likeliest distribution is not sure to find one.
_MAX_NELO = 200
#: So many results, all of them even, come from players that play alike, or from openings that decide every game.
_HOPELESS = 500


@dataclass(frozen=True, slots=True)
class Verdict:
    """Where a test stands."""

    llr: float
    lower: float
    upper: float
    decision: Decision
    """"accepted": elo1 it is; "rejected": elo0 it is; "inconclusive": stop, the results do not tell"""


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test of `elo0` against `elo1`, both in the unit of the model: nElo for "normalized", Elo for "logistic".

    >>> from forgeron.stats.elo import Pentanomial
    >>> test = Sprt(0.5, 2.5)
    >>> verdict = test.judge(Pentanomial(39, 8843, 26675, 9240, 44))
    >>> round(verdict.llr, 5), round(verdict.upper, 5), verdict.decision
    (2.94168, 2.94444, 'continue')
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    """the probability of accepting elo1 when elo0 is true"""
    beta: float = 0.05
    """the probability of accepting elo0 when elo1 is true"""
    model: Model = "normalized"
    max_games: int | None = None
    """after so many games an open test is inconclusive; None for no cap"""

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise OptionError(f"a test needs elo0 < elo1, for example 0 and 10, not {self.elo0} and {self.elo1}")
        if not (self.alpha > 0 and self.beta > 0 and self.alpha + self.beta < 1):
            raise OptionError(f"alpha and beta are above 0 with a sum below 1, not {self.alpha} and {self.beta}")
        if self.model not in ("normalized", "logistic"):
            raise OptionError(f"the model of a test is normalized or logistic, not {self.model!r}")
        if self.model == "normalized" and max(abs(self.elo0), abs(self.elo1)) > _MAX_NELO:
            raise OptionError(
                f"bounds of normalised Elo are between -{_MAX_NELO} and {_MAX_NELO}, not {self.elo0} and {self.elo1}; "
                'from Python, Sprt(…, model="logistic") takes any'
            )
        if self.max_games is not None and self.max_games < 1:
            raise OptionError(f"max_games is 1 or more, or None for no cap, not {self.max_games}")

    @property
    def lower(self) -> float:
        """The LLR at which elo0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The LLR at which elo1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def judge(self, results: GameCounts) -> Verdict:
        """What the results so far mean. A pure function: the same for the same counts."""
        llr = self.llr(results)
        return Verdict(llr, self.lower, self.upper, self._decide(llr, results))

    def llr(self, results: GameCounts) -> float:
        """The log-likelihood ratio of elo1 against elo0; 0 when nothing has been played."""
        if results.games == 0:
            return 0.0
        values = [value for value, _ in distribution(results)]
        counts = [count or _UNSEEN for _, count in distribution(results)]
        total = sum(counts)
        seen = [count / total for count in counts]
        if self.model == "logistic":
            means = score_of_elo(self.elo0), score_of_elo(self.elo1)
            null, other = (mle_with_mean(values, seen, mean) for mean in means)
        else:
            unit = math.sqrt(games_each(results)) / NELO_PER_DEVIATION
            null, other = (mle_with_ratio(values, seen, elo * unit) for elo in (self.elo0, self.elo1))
        return sum(count * math.log(p1 / p0) for count, p0, p1 in zip(counts, null, other, strict=True))

    def _decide(self, llr: float, results: GameCounts) -> Decision:
        if all(count == 0 for value, count in distribution(results) if value != 0.5):
            # Results without any spread say nothing about normalised Elo, and what the LLR makes of them hangs on how
            # much of a pair an unseen kind of pair counts.
            if results.games >= _HOPELESS * games_each(results):
                return "inconclusive"
        elif llr >= self.upper:
            return "accepted"
        elif llr <= self.lower:
            return "rejected"
        capped = self.max_games is not None and results.games >= self.max_games
        return "inconclusive" if capped else "continue"


def mle_with_mean(values: list[float], seen: list[float], mean: float) -> list[float]:
    """The distribution over `values` with this mean that makes the frequencies `seen` (all above 0) likeliest.

    Lagrange multipliers give p = seen / (1 + x (value - mean)) with the one x at which the mean comes out; the mean of
    such a p falls as x grows, so x is found by bisection and Newton's method together.
    """
    gaps = [value - mean for value in values]
    low, high = -1 / max(gaps), -1 / min(gaps)  # all p are positive strictly between these
    x = 0.0
    for _ in range(200):
        terms = [gap / (1 + x * gap) for gap in gaps]
        rest = sum(p * term for p, term in zip(seen, terms, strict=True))
        slope = -sum(p * term * term for p, term in zip(seen, terms, strict=True))
        if rest > 0:
            low = x
        else:
            high = x
        step = rest / slope
        before, x = x, x - step
        if not low < x < high:
            x = (low + high) / 2
        if abs(x - before) <= 1e-14 * max(1.0, abs(x)):
            break
    raw = [p / (1 + x * gap) for p, gap in zip(seen, gaps, strict=True)]
    total = sum(raw)  # 1 up to rounding
    return [p / total for p in raw]


def mle_with_ratio(values: list[float], seen: list[float], ratio: float) -> list[float]:
    """The distribution with (mean - ½) / deviation = `ratio` that makes the frequencies `seen` likeliest.

    The condition is not linear in p. Around a distribution with mean m and deviation s it is, to first order, that
    value - ½ - ratio s (1 + ((value - m) / s)²) / 2 has mean 0; solving that, and starting again from the solution,
    converges in a few rounds.
    """
    p = [1 / len(values)] * len(values)
    for _ in range(60):
        mean = sum(q * value for q, value in zip(p, values, strict=True))
        sigma = math.sqrt(sum(q * (value - mean) ** 2 for q, value in zip(p, values, strict=True)))
        bent = [value - 0.5 - ratio * sigma * (1 + ((value - mean) / sigma) ** 2) / 2 for value in values]
        before, p = p, mle_with_mean(bent, seen, 0.0)
        if max(abs(new - old) for new, old in zip(p, before, strict=True)) < 1e-9:
            break
    return p

"""Ratings of many players from the results of their games: Bradley–Terry with draws and first-move advantage.

Player i has a strength; in a game of i (moving first) against j let d be the difference of their strengths plus the
advantage of moving first. Then, after R. R. Davidson (1970), with ν for how drawish the game is,

    win : draw : loss  =  exp(d/2) : ν : exp(-d/2)

Strengths are given in Elo: 400 points more are ten wins for each loss, draws aside. With `draws="half"` a draw
is instead counted as half a win and half a loss (plain Bradley–Terry), which is simpler, makes 400 points a score of
10/11, and overstates the error where draws are many.

The log-likelihood is concave, so Newton's method finds its one maximum. A weak normal prior keeps everything finite,
also for players that won every game and for groups that never met.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from forgeron.core.errors import ForgeronError, OptionError, unknown_name
from forgeron.stats.elo import ELO_PER_NAT, Estimate, Trinomial

Draws = Literal["davidson", "half"]
ResultsBySeats = Mapping[tuple[str, str], Trinomial]
"""results of (first to move, second to move), from the viewpoint of the first"""
Floats = NDArray[np.float64]

#: Standard deviation of the prior of a strength: it weighs about half a game against an equal opponent.
PRIOR_ELO = 500.0
#: Standard deviation of the prior of ln ν: draws from one in 1,000 games to all but one are nothing strange to it.
_PRIOR_LOG_DRAW = 4.0
_DEVIATIONS = NormalDist().inv_cdf(0.975)
#: Without a prior, a parameter that grows beyond this (17,000 Elo) would grow for ever.
_UNBOUNDED = 100.0
#: Eigenvalues so different mean that the results say nothing about some combination of the parameters.
_SINGULAR = 1e13
_NO_PRIOR_HINT = "let a prior keep them finite, for example prior_elo=500"


class Expectation(NamedTuple):
    """The probabilities of a game, seen from the player that moves first."""

    win: float
    draw: float
    loss: float

    @property
    def score(self) -> float:
        return self.win + self.draw / 2


@dataclass(frozen=True)
class Ratings:
    """Strengths in Elo with what is known about their errors. Intervals have 95 % confidence."""

    players: tuple[str, ...]
    """the strongest first"""
    elo: Mapping[str, float]
    covariance: Floats
    """of the ratings, in Elo², in the order of `players`; relative to the anchor, whose own error is 0"""
    first_move: Estimate
    """Elo by which moving first makes a player stronger; 0 without error when it was not asked for"""
    draw_log: float | None
    """ln ν; None where a draw counts as half a win, or where there is no prior and was no draw"""
    groups: tuple[frozenset[str], ...]
    """players connected by games; only the prior relates those of different groups"""
    games: Mapping[str, int]

    def rating(self, name: str) -> Estimate:
        """The rating of a player, relative to the anchor."""
        i = self._index(name)
        return _estimate(self.elo[name], self.covariance[i, i])

    def difference(self, name: str, other: str) -> Estimate:
        """By how much `name` is stronger than `other`; its error is smaller than those of the ratings suggest."""
        i, j = self._index(name), self._index(other)
        return _estimate(self.elo[name] - self.elo[other], self._variance_of_difference(i, j))

    def superiority(self, name: str, other: str) -> float:
        """The probability that `name` is stronger than `other`."""
        gap = self.elo[name] - self.elo[other]
        deviation = math.sqrt(self._variance_of_difference(self._index(name), self._index(other)))
        return NormalDist().cdf(gap / deviation) if deviation > 0 else 0.5

    def expect(self, first: str, second: str) -> Expectation:
        """What the model expects of a game between two rated players."""
        self._index(first), self._index(second)
        half = (self.elo[first] - self.elo[second] + self.first_move.value) / ELO_PER_NAT / 2
        logs = [half, self.draw_log if self.draw_log is not None else -math.inf, -half]
        top = max(logs)
        weights = [math.exp(log - top) for log in logs]
        return Expectation(*(weight / sum(weights) for weight in weights))

    def _variance_of_difference(self, i: int, j: int) -> float:
        c = self.covariance
        return max(float(c[i, i] + c[j, j] - 2 * c[i, j]), 0.0)

    def _index(self, name: str) -> int:
        if name not in self.elo:
            raise unknown_name("rated player", name, self.players)
        return self.players.index(name)


def tabulate(results: Iterable[tuple[str, str, float]]) -> dict[tuple[str, str], Trinomial]:
    """Add up games, each given as (first to move, second to move, points of the first: 1, ½ or 0).

    >>> tabulate([("a", "b", 1), ("a", "b", 0.5), ("b", "a", 0)])
    {('a', 'b'): Trinomial(wins=1, draws=1, losses=0), ('b', 'a'): Trinomial(wins=0, draws=0, losses=1)}
    """
    table: dict[tuple[str, str], list[float]] = {}
    for first, second, points in results:
        table.setdefault((first, second), []).append(points)
    return {pair: Trinomial.of(points) for pair, points in table.items()}


def rate(
    results: ResultsBySeats | Iterable[tuple[str, str, float]],
    *,
    draws: Draws = "davidson",
    first_move: bool = True,
    prior_elo: float | None = PRIOR_ELO,
    anchor: str | None = None,
    players: Sequence[str] = (),
) -> Ratings:
    """Fit the model to results: an iterable of (first, second, points of the first), or a table of them.

    The anchor is rated 0; without one the mean of all players is. `players` may name some that have not played yet.
    With `prior_elo=None` nothing but the data counts; it is an error then if they leave a difference without bound.

    >>> table = {("A", "B"): Trinomial(60, 20, 20), ("B", "C"): Trinomial(55, 10, 35)}
    >>> table["A", "C"] = Trinomial(70, 10, 20)
    >>> ratings = rate(table, draws="half", first_move=False, prior_elo=None, anchor="C")
    >>> {name: round(ratings.elo[name], 1) for name in ratings.players}
    {'A': 201.0, 'B': 62.7, 'C': 0.0}
    """
    table = dict(results) if isinstance(results, Mapping) else tabulate(results)
    table = {pair: counts for pair, counts in table.items() if counts.games}
    names = sorted({*players, *(name for pair in table for name in pair)})
    _check(table, names, draws, prior_elo, anchor)
    groups = _groups(names, table)
    davidson = draws == "davidson"
    if prior_elo is None:
        _check_bounded(names, table)
        davidson = davidson and any(counts.draws for counts in table.values())  # else ν is 0, and its log no number
    fit = _BradleyTerryModel(names, table, davidson, first_move, prior_elo)
    theta = fit.solve()
    return _in_elo(fit, theta, anchor, groups, table)


class _BradleyTerryModel:
    """The posterior of the parameters: strengths, then the first-move advantage, then ln ν; in natural units."""

    def __init__(
        self, names: list[str], table: ResultsBySeats, davidson: bool, first_move: bool, prior_elo: float | None
    ):
        index = {name: i for i, name in enumerate(names)}
        self.names, self.davidson, self.first_move = names, davidson, first_move
        n = len(names)
        self.size = n + first_move + davidson
        self.first = np.array([index[first] for first, _ in table], dtype=np.intp)
        self.second = np.array([index[second] for _, second in table], dtype=np.intp)
        counts = np.array([list(one) for one in table.values()], dtype=np.float64).reshape(-1, 3)
        if not davidson:
            counts = counts @ np.array([[1, 0, 0], [0.5, 0, 0.5], [0, 0, 1]])
        self.wins, self.drawn, self.losses = counts.T
        self.total = counts.sum(axis=1)
        self.free = prior_elo is None
        self.precision = np.zeros(self.size)
        if prior_elo is not None:
            self.precision[: n + first_move] = (ELO_PER_NAT / prior_elo) ** 2
            if davidson:
                self.precision[-1] = _PRIOR_LOG_DRAW**-2

    def solve(self) -> Floats:
        """The parameters at the maximum, by Newton's method with a step that is halved until it climbs."""
        theta = np.zeros(self.size)
        height = self.log_posterior(theta)
        for _ in range(100):
            gradient, information = self.derivatives(theta)
            if self.free and (np.max(np.abs(theta)) > _UNBOUNDED or np.linalg.cond(information) > _SINGULAR):
                raise ForgeronError(f"the results do not bound the ratings; {_NO_PRIOR_HINT}")
            step = np.linalg.solve(information, gradient)
            gain = float(gradient @ step)
            scale = 1.0
            while (new := self.log_posterior(theta + scale * step)) < height and scale > 1e-10:
                scale /= 2
            theta, height = theta + scale * step, max(new, height)
            if gain < 1e-16 * max(1.0, abs(height)):
                return theta
        return theta

    def log_posterior(self, theta: Floats) -> float:
        """Up to a constant."""
        d, log_draw, log_total = self._logs(theta)
        value = float(np.sum((self.wins - self.losses) * d / 2 - self.total * log_total))
        if self.davidson:
            value += float(np.sum(self.drawn)) * log_draw
        return value - float(np.sum(self.precision * theta**2)) / 2

    def derivatives(self, theta: Floats) -> tuple[Floats, Floats]:
        """The gradient of the log-posterior, and the observed information: minus its Hessian."""
        d, log_draw, log_total = self._logs(theta)
        win, loss = np.exp(d / 2 - log_total), np.exp(-d / 2 - log_total)
        draw = np.exp(log_draw - log_total)
        # The model is an exponential family in x = (win - loss) / 2, which d multiplies, and y = 1 for a draw, which
        # ln ν multiplies: derivatives are observed less expected, second ones are minus (co)variances.
        by_d = (self.wins - self.losses) / 2 - self.total * (win - loss) / 2
        var_x = self.total * (win + loss - (win - loss) ** 2) / 4
        gradient = self._by_parameters(by_d) - self.precision * theta
        information = self._second_by_parameters(var_x) + np.diag(self.precision)
        if self.davidson:
            gradient[-1] += float(np.sum(self.drawn - self.total * draw))
            information[-1, -1] += float(np.sum(self.total * draw * (1 - draw)))
            mixed = self._by_parameters(-self.total * draw * (win - loss) / 2)
            information[-1, :] += mixed
            information[:, -1] += mixed
        n = len(self.names)
        # All strengths may rise together without any game noticing; this holds their sum, and changes nothing else.
        information[:n, :n] += 1.0
        return gradient, information

    def _logs(self, theta: Floats) -> tuple[Floats, float, Floats]:
        """For each row of the table: the difference d, ln ν, and the log of the sum of the three weights."""
        d = theta[self.first] - theta[self.second] + (theta[len(self.names)] if self.first_move else 0.0)
        log_draw = float(theta[-1]) if self.davidson else -math.inf
        log_total = np.logaddexp(np.logaddexp(d / 2, -d / 2), log_draw)
        return d, log_draw, log_total

    def _by_parameters(self, by_d: Floats) -> Floats:
        """A derivative by d of each row, as one by the parameters: d is first - second + advantage."""
        slopes = np.zeros(self.size)
        np.add.at(slopes, self.first, by_d)
        np.subtract.at(slopes, self.second, by_d)
        if self.first_move:
            slopes[len(self.names)] = by_d.sum()
        return slopes

    def _second_by_parameters(self, by_d: Floats) -> Floats:
        """A second derivative by d of each row, as the matrix of those by the parameters."""
        n = len(self.names)
        between = np.zeros((n, n))
        np.add.at(between, (self.first, self.second), by_d)
        slopes = np.zeros((self.size, self.size))
        slopes[:n, :n] = np.diag(between.sum(axis=0) + between.sum(axis=1)) - between - between.T
        if self.first_move:
            slopes[n] = slopes[:, n] = self._by_parameters(by_d)
        return slopes


def _in_elo(
    fit: _BradleyTerryModel,
    theta: Floats,
    anchor: str | None,
    groups: tuple[frozenset[str], ...],
    table: ResultsBySeats,
) -> Ratings:
    """The solution with the anchor at 0, the strongest player first."""
    n = len(fit.names)
    covariance = np.linalg.inv(fit.derivatives(theta)[1]) * ELO_PER_NAT**2
    relative = np.eye(n)
    if anchor is None:
        relative -= 1 / n
    else:
        relative[:, fit.names.index(anchor)] -= 1
    elo = relative @ theta[:n] * ELO_PER_NAT
    order = sorted(range(n), key=lambda i: (-elo[i], fit.names[i]))
    shown = (relative @ covariance[:n, :n] @ relative.T)[np.ix_(order, order)]
    games = dict.fromkeys(fit.names, 0)
    for (first, second), counts in table.items():
        games[first] += counts.games
        games[second] += counts.games
    advantage = Estimate(0.0, 0.0, 0.0)
    if fit.first_move:
        advantage = _estimate(float(theta[n]) * ELO_PER_NAT, float(covariance[n, n]))
    names = tuple(fit.names[i] for i in order)
    return Ratings(
        names,
        {fit.names[i]: float(elo[i]) for i in order},
        shown,
        advantage,
        float(theta[-1]) if fit.davidson else None,
        groups,
        {name: games[name] for name in names},
    )


def _estimate(value: float, variance: float) -> Estimate:
    error = _DEVIATIONS * math.sqrt(max(float(variance), 0.0))
    return Estimate(value, value - error, value + error)


def _check(table: ResultsBySeats, names: list[str], draws: str, prior_elo: float | None, anchor: str | None) -> None:
    if not names:
        raise ForgeronError("there are no games to rate and no players")
    for first, second in table:
        if first == second:
            raise ForgeronError(f"'{first}' cannot play against itself in a rating; give the two different names")
    if draws not in ("davidson", "half"):
        raise OptionError(f"draws are davidson or half, not {draws!r}")
    if prior_elo is not None and not 0 < prior_elo < math.inf:
        raise OptionError(f"prior_elo is a standard deviation above 0, or None for no prior, not {prior_elo}")
    if anchor is not None and anchor not in names:
        raise unknown_name("rated player", anchor, names)


def _groups(names: list[str], table: ResultsBySeats) -> tuple[frozenset[str], ...]:
    """The players, divided into those connected by games; the largest group first."""
    links: dict[str, set[str]] = {name: set() for name in names}
    for first, second in table:
        links[first].add(second)
        links[second].add(first)
    left, found = dict.fromkeys(names), []
    while left:
        group = _reachable(next(iter(left)), links)
        found.append(frozenset(group))
        left = {name: None for name in left if name not in group}
    return tuple(sorted(found, key=lambda group: (-len(group), min(group))))


def _check_bounded(names: list[str], table: ResultsBySeats) -> None:
    """Without a prior, ratings are finite only if from each player a chain of points leads to every other one."""
    beaten: dict[str, set[str]] = {name: set() for name in names}
    beaten_by: dict[str, set[str]] = {name: set() for name in names}
    for (first, second), counts in table.items():
        for winner, loser, points in (
            (first, second, counts.wins + counts.draws),
            (second, first, counts.losses + counts.draws),
        ):
            if points:
                beaten[winner].add(loser)
                beaten_by[loser].add(winner)
    for links, what in ((beaten, "took no point from"), (beaten_by, "gave no point to")):
        missed = sorted(set(names) - _reachable(names[0], links))
        if missed:
            reached = ", ".join(sorted(set(names) - set(missed)))
            raise ForgeronError(
                f"without a prior the ratings have no bound: {reached} {what} {', '.join(missed)}; {_NO_PRIOR_HINT}"
            )


def _reachable(start: str, links: Mapping[str, Iterable[str]]) -> set[str]:
    found, waiting = {start}, [start]
    while waiting:
        for name in links[waiting.pop()]:
            if name not in found:
                found.add(name)
                waiting.append(name)
    return found

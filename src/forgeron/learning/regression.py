"""Logistic regression: the weights that make the results of games least surprising."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from forgeron.core.errors import ForgeronError
from forgeron.learning.linear import root_mean_square

_STEPS = 100
#: A step that promises to gain less than this in the sum over all games is the last.
_ENOUGH = 1e-9


@dataclass(frozen=True)
class Sample:
    """Positions with how their games ended."""

    features: np.ndarray
    """a row for each position"""
    results: np.ndarray
    """1 where player 0 won the game, 0 where it lost, ½ for a draw"""
    games: np.ndarray
    """which game each position is from: those of one game are not independent"""

    def __len__(self) -> int:
        return len(self.results)


@dataclass(frozen=True)
class Fit:
    """Weights and how sure they are."""

    weights: np.ndarray
    errors: np.ndarray
    """standard errors, the positions of one game taken as one observation"""
    steps: int


def probability(features: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The probability that player 0 wins, by position."""
    # By tanh, which does not overflow where exp does.
    result: np.ndarray = 0.5 + 0.5 * np.tanh(features @ weights / 2)
    return result


def log_loss(sample: Sample, weights: np.ndarray) -> float:
    """The mean surprise at the results, in nats: ln 2 = 0.693 for a coin, less is better."""
    return float(np.mean(_surprise(sample, weights)))


def fit(sample: Sample, start: np.ndarray, strength: float) -> Fit:
    """The weights of least surprise, drawn towards `start`.

    Every game counts as one observation, shared by its positions. `strength` is that of a normal distribution around
    `start` in which the share of a feature of typical size has the variance 1 / strength: so with many games the data
    decide, and a feature that never occurs keeps its weight.
    """
    if not len(sample):
        raise ForgeronError("there are no positions to fit weights to; play more games")
    share = len(np.unique(sample.games)) / len(sample)
    pull = strength * root_mean_square(sample.features) ** 2
    rows = sample.features

    def cost(weights: np.ndarray) -> float:
        return share * float(np.sum(_surprise(sample, weights))) + float(pull @ (weights - start) ** 2) / 2

    weights = np.array(start, dtype=np.float64)
    steps = 0
    while True:
        p = probability(rows, weights)
        slope = share * (rows.T @ (p - sample.results)) + pull * (weights - start)
        curvature = share * (rows.T * (p * (1 - p))) @ rows + np.diag(pull)
        step = np.linalg.solve(curvature, slope)
        gain = float(slope @ step) / 2
        if gain < _ENOUGH or steps == _STEPS:
            return Fit(weights, _errors(sample, share, p, curvature), steps)
        # Newton's step, halved until it really gains: far from the solution it may lead too far.
        now = cost(weights)
        while cost(weights - step) > now and gain > _ENOUGH:
            step, gain = step / 2, gain / 2
        weights, steps = weights - step, steps + 1


def _surprise(sample: Sample, weights: np.ndarray) -> np.ndarray:
    odds = sample.features @ weights
    result: np.ndarray = np.logaddexp(0.0, odds) - sample.results * odds
    return result


def _errors(sample: Sample, share: float, p: np.ndarray, curvature: np.ndarray) -> np.ndarray:
    """Standard errors by the sandwich: the spread between games, seen through the curvature."""
    pulls = share * sample.features * (sample.results - p)[:, None]
    _, number = np.unique(sample.games, return_inverse=True)
    by_game = np.zeros((int(number.max()) + 1, pulls.shape[1]))
    np.add.at(by_game, number, pulls)
    bread = np.linalg.inv(curvature)
    result: np.ndarray = np.sqrt(np.diag(bread @ (by_game.T @ by_game) @ bread))
    return result

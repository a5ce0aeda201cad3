"""Logistic regression of the results of games on the features of their positions, with L2 regularisation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from forgeron.core.errors import ForgeronError
from forgeron.learning.linear_features import root_mean_square

_STEPS = 100
#: A Newton step that promises to gain less log-likelihood than this is the last.
_ENOUGH = 1e-9


@dataclass(frozen=True)
class Sample:
    """Positions with the results of their games."""

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
    """Fitted weights and their standard errors."""

    weights: np.ndarray
    errors: np.ndarray
    """standard errors, clustered by game: its positions are one observation"""
    steps: int


def probability(features: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The probability that player 0 wins, by position."""
    # By tanh, which does not overflow where exp does.
    result: np.ndarray = 0.5 + 0.5 * np.tanh(features @ weights / 2)
    return result


def log_loss(sample: Sample, weights: np.ndarray) -> float:
    """The mean negative log-likelihood of the results, in nats: ln 2 = 0.693 for a coin, less is better."""
    return float(np.mean(_negative_log_likelihood(sample, weights)))


def fit(sample: Sample, start: np.ndarray, l2: float) -> Fit:
    """The weights of highest posterior probability (MAP), by Newton's method.

    Every game counts as one observation, shared by its positions. The prior of a weight is a normal distribution around
    `start`; its variance is 1 / l2 in units of the root mean square of the feature. So with many games the data decide,
    and a feature that never occurs keeps its weight.
    """
    if not len(sample):
        raise ForgeronError("there are no positions to fit weights to; play more games")
    share = len(np.unique(sample.games)) / len(sample)
    precision = l2 * root_mean_square(sample.features) ** 2
    rows = sample.features

    def cost(weights: np.ndarray) -> float:
        prior = float(precision @ (weights - start) ** 2)
        return share * float(np.sum(_negative_log_likelihood(sample, weights))) + prior / 2

    weights = np.array(start, dtype=np.float64)
    steps = 0
    while True:
        p = probability(rows, weights)
        gradient = share * (rows.T @ (p - sample.results)) + precision * (weights - start)
        hessian = share * (rows.T * (p * (1 - p))) @ rows + np.diag(precision)
        step = np.linalg.solve(hessian, gradient)
        gain = float(gradient @ step) / 2
        if gain < _ENOUGH or steps == _STEPS:
            return Fit(weights, _errors(sample, share, p, hessian), steps)
        # Newton's step, halved until it really gains: far from the solution it may lead too far.
        now = cost(weights)
        while cost(weights - step) > now and gain > _ENOUGH:
            step, gain = step / 2, gain / 2
        weights, steps = weights - step, steps + 1


def _negative_log_likelihood(sample: Sample, weights: np.ndarray) -> np.ndarray:
    odds = sample.features @ weights
    result: np.ndarray = np.logaddexp(0.0, odds) - sample.results * odds
    return result


def _errors(sample: Sample, share: float, p: np.ndarray, hessian: np.ndarray) -> np.ndarray:
    """Standard errors by the sandwich estimator, clustered by game."""
    scores = share * sample.features * (sample.results - p)[:, None]
    _, number = np.unique(sample.games, return_inverse=True)
    by_game = np.zeros((int(number.max()) + 1, scores.shape[1]))
    np.add.at(by_game, number, scores)
    bread = np.linalg.inv(hessian)
    result: np.ndarray = np.sqrt(np.diag(bread @ (by_game.T @ by_game) @ bread))
    return result

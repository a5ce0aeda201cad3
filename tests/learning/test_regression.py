"""The fit finds what made the data, and agrees with another optimiser."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import optimize, special

from forgeron.core.errors import ForgeronError
from forgeron.learning.regression import Sample, fit, log_loss, probability

TRUTH = np.array([0.8, -0.3, 0.05, 0.0])
NEAR_NOTHING = 1e-9


def make_sample(seed: int, games: int = 1500, plies: int = 6, draws: bool = True) -> Sample:
    """Games whose positions have features of very different sizes, and a result drawn once from known weights.

    All positions of a game have the same odds, so that each of them alone obeys the logistic law.
    """
    rng = np.random.default_rng(seed)
    one = rng.normal(size=(games, 4)) * [1.0, 3.0, 20.0, 0.5]
    won = (rng.random(games) < special.expit(one @ TRUTH)).astype(float)
    # Two such games in one: a draw where they ended differently keeps the mean, and so the law.
    other = (rng.random(games) < special.expit(one @ TRUTH)).astype(float)
    results = (won + other) / 2 if draws else won
    return Sample(np.repeat(one, plies, axis=0), np.repeat(results, plies), np.repeat(np.arange(games), plies))


def test_the_weights_that_made_the_results_are_found_within_their_errors() -> None:
    beyond = 0
    for seed in range(25):
        found = fit(make_sample(seed, draws=False), np.zeros(4), NEAR_NOTHING)
        deviations = np.abs(found.weights - TRUTH) / found.errors
        assert deviations.max() < 4.5
        beyond += int(np.sum(deviations > 1.96))
    assert 0 < beyond < 15, "of 100 estimates about 5 are beyond two standard errors"


def test_a_game_counts_once_however_many_positions_it_has() -> None:
    few, many = (fit(make_sample(1, plies=plies), np.zeros(4), 2.0) for plies in (1, 30))
    assert many.weights == pytest.approx(few.weights)
    assert many.errors == pytest.approx(few.errors)


@pytest.mark.parametrize("strength", [NEAR_NOTHING, 1.0, 300.0])
def test_the_fit_is_the_minimum_another_optimiser_finds(strength: float) -> None:
    sample, start = make_sample(3), np.array([0.1, 0.1, -0.2, 0.4])
    scale = np.sqrt(np.mean(sample.features**2, axis=0))
    share = 1500 / len(sample)

    def cost(scaled: np.ndarray) -> float:
        weights = scaled / scale
        p = special.expit(sample.features @ weights)
        y = sample.results
        surprise = -np.sum(special.xlogy(y, p) + special.xlogy(1 - y, 1 - p))
        return float(share * surprise + strength / 2 * np.sum((scaled - start * scale) ** 2))

    best = optimize.minimize(cost, np.zeros(4), method="BFGS", options={"gtol": 1e-6}).x / scale
    found = fit(sample, start, strength)
    assert found.weights * scale == pytest.approx(best * scale, abs=2e-4)
    assert found.steps < 20


def test_a_strong_pull_keeps_the_weights_where_they_began() -> None:
    start = np.array([0.1, 0.1, -0.2, 0.4])
    assert fit(make_sample(3), start, 1e9).weights == pytest.approx(start, abs=1e-4)


def test_a_feature_that_never_occurs_keeps_its_weight() -> None:
    sample = make_sample(4)
    sample.features[:, 2] = 0.0
    found = fit(sample, np.array([0.0, 0.0, 0.7, 0.0]), 1.0)
    assert found.weights[2] == 0.7
    assert found.errors[2] == 0.0


def test_results_that_a_feature_tells_for_certain_do_not_break_the_fit() -> None:
    rows = np.linspace(-1, 1, 200)[:, None]
    found = fit(Sample(rows, (rows[:, 0] > 0).astype(float), np.arange(200)), np.array([-500.0]), 1e-6)
    assert 1 < found.weights[0] < 10_000
    assert np.isfinite(found.errors).all()


def test_the_loss_of_a_coin_is_ln_2_and_that_of_the_truth_is_less() -> None:
    sample = make_sample(5)
    assert log_loss(sample, np.zeros(4)) == pytest.approx(math.log(2))
    assert log_loss(sample, TRUTH) < log_loss(sample, TRUTH * 3)
    assert log_loss(sample, TRUTH) < log_loss(sample, np.zeros(4))


def test_odds_beyond_all_numbers_are_certainties() -> None:
    assert probability(np.array([[1e6], [-1e6], [0.0]]), np.array([1.0])).tolist() == [1.0, 0.0, 0.5]
    assert log_loss(Sample(np.array([[1e6]]), np.array([1.0]), np.array([0])), np.array([1.0])) == 0.0


def test_nothing_cannot_be_fitted() -> None:
    with pytest.raises(ForgeronError, match="no positions"):
        fit(Sample(np.empty((0, 4)), np.empty(0), np.empty(0)), np.zeros(4), 1.0)

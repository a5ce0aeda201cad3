"""The sequential test: published LLRs, optimality of its distributions, error rates in simulated matches."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgeron.core.errors import OptionError
from forgeron.stats.elo import Pentanomial, Trinomial
from forgeron.stats.sprt import Model, Sprt, mle_with_mean, mle_with_ratio

VALUES = [0.0, 0.25, 0.5, 0.75, 1.0]
PUBLISHED = Pentanomial(39, 8843, 26675, 9240, 44)
five_counts = st.tuples(*[st.integers(0, 2000) | st.just(0)] * 5)


def deviations_above_even(p: np.ndarray) -> float:
    mean = float(np.dot(VALUES, p))
    return (mean - 0.5) / math.sqrt(float(np.dot((np.array(VALUES) - mean) ** 2, p)))


def test_the_llr_is_the_published_one() -> None:
    assert Sprt(0.5, 2.5).llr(PUBLISHED) == pytest.approx(2.94168, abs=1e-5)
    assert Sprt(0, 5).llr(Pentanomial(1, 2, 3, 4, 5)) == pytest.approx(0.140937, abs=1e-6)


def test_the_llr_is_the_one_that_fastchess_prints() -> None:
    # "LLR: 2.96 (100.6%) (-2.94, 2.94) [0.00, 20.00]" of "Ptnml(0-2): [0, 0, 2, 0, 37]": H1 was accepted
    verdict = Sprt(0, 20).judge(Pentanomial(0, 0, 2, 0, 37))
    assert (round(verdict.llr, 2), round(verdict.lower, 2), round(verdict.upper, 2)) == (2.96, -2.94, 2.94)
    assert round(100 * verdict.llr / verdict.upper, 1) == 100.6
    assert verdict.decision == "accepted"


def test_unequal_errors_move_the_bounds() -> None:
    test = Sprt(0, 10, alpha=0.01, beta=0.1)
    assert (test.lower, test.upper) == (pytest.approx(math.log(0.1 / 0.99)), pytest.approx(math.log(0.9 / 0.01)))


def test_more_of_the_same_proves_more() -> None:
    test = Sprt(0, 10)
    once, tenfold = (test.judge(Pentanomial(*(k * n for n in (10, 30, 60, 42, 16)))) for k in (1, 10))
    assert tenfold.llr == pytest.approx(10 * once.llr, rel=1e-6)
    assert (once.decision, tenfold.decision) == ("continue", "accepted")
    assert test.judge(Pentanomial(160, 420, 600, 300, 100)).decision == "rejected"


@given(five_counts, st.sampled_from(["normalized", "logistic"]))
def test_swapping_the_players_and_the_hypotheses_turns_the_llr_round(counts: tuple[int, ...], model: Model) -> None:
    mine = Sprt(-3, 12, model=model).llr(Pentanomial(*counts))
    theirs = Sprt(-12, 3, model=model).llr(Pentanomial(*reversed(counts)))
    assert mine == pytest.approx(-theirs, rel=1e-4, abs=1e-4)


@given(five_counts, st.floats(-200, 190), st.floats(1, 100), st.sampled_from(["normalized", "logistic"]))
def test_every_result_has_a_finite_llr(counts: tuple[int, ...], low: float, width: float, model: Model) -> None:
    test = Sprt(low, min(low + width, 200), model=model)
    for results in (Pentanomial(*counts), Trinomial(*counts[:3])):
        verdict = test.judge(results)
        assert math.isfinite(verdict.llr)
        assert verdict.decision in ("accepted", "rejected", "continue", "inconclusive")


def test_the_likeliest_distribution_meets_its_condition_and_nothing_near_it_is_likelier() -> None:
    rng = np.random.default_rng(8)
    for _ in range(40):
        seen = rng.dirichlet(np.ones(5)) * 0.99 + 0.002
        with_mean = np.array(mle_with_mean(VALUES, list(seen), 0.55))
        assert with_mean @ VALUES == pytest.approx(0.55)
        ratio = float(rng.uniform(-0.4, 0.4))
        with_ratio = np.array(mle_with_ratio(VALUES, list(seen), ratio))
        assert deviations_above_even(with_ratio) == pytest.approx(ratio, abs=1e-6)
        for best, condition in (
            (with_mean, lambda p: p @ VALUES - 0.55),
            (with_ratio, lambda p, ratio=ratio: deviations_above_even(p) - ratio),
        ):
            assert best.sum() == pytest.approx(1)
            for _ in range(20):
                other = neighbour_that_meets(best, condition, rng)
                assert seen @ np.log(other) <= seen @ np.log(best) + 1e-9


def neighbour_that_meets(p, condition, rng):  # type: ignore[no-untyped-def]
    """A distribution near p with the condition kept, found by bisection between two that break it to either side."""
    while True:
        one, two = (np.clip(p + p.min() * 0.3 * rng.uniform(-1, 1, 5), 1e-9, None) for _ in range(2))
        one, two = one / one.sum(), two / two.sum()
        if condition(one) < 0 < condition(two):
            break
    for _ in range(60):
        middle = (one + two) / 2
        one, two = (middle, two) if condition(middle) < 0 else (one, middle)
    return (one + two) / 2


@pytest.mark.parametrize("truth", ["elo0", "elo1"])
def test_a_test_errs_as_rarely_as_it_promises(truth: str) -> None:
    test = Sprt(0, 60, alpha=0.05, beta=0.05)
    chances = tilted(
        np.array([0.08, 0.17, 0.5, 0.17, 0.08]), getattr(test, truth) * math.sqrt(2) / (800 / math.log(10))
    )
    rng = np.random.default_rng(3)
    wrong, matches, pairs = 0, 400, 0
    for _ in range(matches):
        counts = np.zeros(5, dtype=int)
        while True:
            counts += rng.multinomial(6, chances)
            decision = test.judge(Pentanomial(*(int(n) for n in counts))).decision
            if decision != "continue":
                break
        pairs += int(counts.sum())
        wrong += decision != ("rejected" if truth == "elo0" else "accepted")
    assert 0.015 <= wrong / matches <= 0.07  # a little under 0.05: a test ends beyond its bound, not on it
    # Wald's approximation of the length when the drift is half the squared distance of the hypotheses
    distance = 60 * math.sqrt(2) / (800 / math.log(10))
    expected = 0.9 * math.log(19) / (distance**2 / 2)
    assert pairs / matches == pytest.approx(expected, rel=0.25)


def tilted(base: np.ndarray, ratio: float) -> np.ndarray:
    """The distribution base × exp(c value) that lies `ratio` deviations above even."""
    low, high = -5.0, 5.0
    for _ in range(80):
        middle = (low + high) / 2
        p = base * np.exp(middle * np.array(VALUES))
        p /= p.sum()
        low, high = (middle, high) if deviations_above_even(p) < ratio else (low, middle)
    return p


def test_nothing_played_is_no_evidence() -> None:
    assert Sprt(0, 5).judge(Pentanomial()).llr == 0
    assert Sprt(0, 5).judge(Pentanomial()).decision == "continue"


def test_an_open_test_is_inconclusive_at_its_cap_and_a_decided_one_is_not() -> None:
    level = Pentanomial(10, 20, 40, 20, 10)
    assert Sprt(-5, 5, max_games=201).judge(level).decision == "continue"
    assert Sprt(-5, 5, max_games=200).judge(level).decision == "inconclusive"
    assert Sprt(-5, 5, max_games=200).judge(Pentanomial(ww=1000)).decision == "accepted"


@given(st.integers(1, 10**6), st.floats(-50, 40))
def test_even_pairs_only_never_decide(pairs: int, low: float) -> None:
    for results in (Pentanomial(even=pairs), Trinomial(draws=pairs)):
        decision = Sprt(low, low + 10).judge(results).decision
        assert decision == ("continue" if pairs < 500 else "inconclusive")
    assert Sprt(low, low + 10, max_games=2).judge(Pentanomial(even=1)).decision == "inconclusive"


def test_winning_or_losing_every_game_decides_although_it_shows_no_spread() -> None:
    for model in ("normalized", "logistic"):
        test = Sprt(0, 20, model=model)
        assert test.judge(Pentanomial(ww=100)).decision == "accepted"
        assert test.judge(Pentanomial(ll=100)).decision == "rejected"
        assert test.judge(Trinomial(wins=400)).decision == "accepted"


def test_a_test_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(OptionError, match="a test needs elo0 < elo1, for example 0 and 10, not 5 and 5"):
        Sprt(5, 5)
    with pytest.raises(OptionError, match=r"alpha and beta are above 0 with a sum below 1, not 0\.5 and 0\.5"):
        Sprt(0, 5, alpha=0.5, beta=0.5)
    with pytest.raises(OptionError, match="the model of a test is normalized or logistic, not 'trinomial'"):
        Sprt(0, 5, model="trinomial")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="bounds of normalised Elo are between -200 and 200, not 0 and 300"):
        Sprt(0, 300)
    with pytest.raises(OptionError, match="max_games is 1 or more, or None for no cap, not 0"):
        Sprt(0, 5, max_games=0)

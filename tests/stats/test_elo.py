"""Score, Elo, normalised Elo and likelihood of superiority, against published figures and simulated matches."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgeron.core.errors import ForgeronError
from forgeron.stats.elo import Estimate, Pentanomial, Trinomial, elo_of_score, score_of_elo, summarise

PUBLISHED = Pentanomial(39, 8843, 26675, 9240, 44)
counts = st.integers(0, 10**6) | st.just(0)


def test_the_elo_of_a_published_match_has_its_published_error_bars() -> None:
    elo = summarise(PUBLISHED).elo
    assert elo is not None
    assert [round(x, 3) for x in (elo.value, elo.low, elo.high)] == [1.577, 0.546, 2.607]


def test_elo_and_normalised_elo_are_those_that_fastchess_prints() -> None:
    # "Elo: 631.91 +/- nan, nElo: 1056.68", "Games: 78 … Points: 76.0 (97.44 %)", "Ptnml(0-2): [0, 0, 2, 0, 37]"
    summary = summarise(Pentanomial(0, 0, 2, 0, 37))
    assert summary.score is not None
    assert summary.elo is not None
    assert summary.nelo is not None
    assert summary.games == 78
    assert round(100 * summary.score.value, 2) == 97.44
    assert round(summary.elo.value, 2) == 631.91
    assert round(summary.nelo.value, 2) == 1056.68
    assert summary.elo.high == math.inf  # where the peer prints nan


def test_the_likelihood_of_superiority_follows_from_the_error_bars() -> None:
    summary = summarise(PUBLISHED)
    assert summary.score is not None
    deviations = (summary.score.value - 0.5) / (summary.score.error / 1.959964)
    assert summary.los == pytest.approx(NormalDist().cdf(deviations), abs=1e-6)
    assert summary.los == pytest.approx(0.99865, abs=1e-5)


def test_elo_and_score_are_inverse_to_each_other() -> None:
    assert score_of_elo(400) == pytest.approx(10 / 11)
    for elo in (-2500.0, -3.0, 0.0, 120.0, 2500.0):
        assert elo_of_score(score_of_elo(elo)) == pytest.approx(elo)
    assert (score_of_elo(math.inf), score_of_elo(-math.inf)) == (1, 0)
    assert (elo_of_score(1), elo_of_score(0)) == (math.inf, -math.inf)
    with pytest.raises(ForgeronError, match=r"a score is between 0 and 1, not 1\.5"):
        elo_of_score(1.5)


def test_pairs_and_games_are_counted_by_their_points() -> None:
    pairs = [(0, 0), (0.5, 0), (1, 0), (0, 1), (0.5, 0.5), (1, 0.5), (1, 1), (1, 1)]
    assert list(Pentanomial.of(pairs)) == [1, 1, 3, 1, 2]
    assert Pentanomial.of(pairs).games == 16
    assert Trinomial.of([1, 1, 0.5, 0]) == Trinomial(wins=2, draws=1, losses=1)
    assert Pentanomial(1, 2, 3, 4, 5) + Pentanomial(ww=2) == Pentanomial(1, 2, 3, 4, 7)
    assert Trinomial(*np.array([1, 2, 3])).games == 6
    with pytest.raises(ForgeronError, match=r"a game brings 0, 0\.5 or 1 points, not 2"):
        Trinomial.of([2])
    with pytest.raises(ForgeronError, match="counts of results are whole numbers from 0, not -1"):
        Pentanomial(-1)


def test_pairs_that_cancel_an_unfair_opening_give_smaller_error_bars_than_their_games() -> None:
    paired = summarise(Pentanomial(5, 0, 80, 0, 15)).elo
    single = summarise(Trinomial(80 + 30, 0, 80 + 10)).elo
    assert paired is not None
    assert single is not None
    assert paired.value == pytest.approx(single.value)
    assert paired.error < 0.7 * single.error


def test_nothing_played_means_nothing_known() -> None:
    for nothing in (Pentanomial(), Trinomial()):
        summary = summarise(nothing)
        assert (summary.games, summary.score, summary.elo, summary.nelo, summary.los) == (0, None, None, None, 0.5)


def test_all_wins_are_infinite_elo_with_a_finite_lower_bound_that_rises() -> None:
    bounds = []
    for n in (1, 10, 100):
        summary = summarise(Pentanomial(ww=n))
        assert summary.elo is not None
        assert summary.score is not None
        assert (summary.elo.value, summary.elo.high, summary.elo.error) == (math.inf, math.inf, math.inf)
        # A player that wins a pair with the probability of the lower bound wins all n with 2.5 %.
        assert summary.score.low**n == pytest.approx(0.025)
        assert summary.nelo is None
        assert summary.los == 1 - 0.5 ** (n + 1)
        bounds.append(summary.elo.low)
    assert bounds == sorted(bounds)
    lost = summarise(Pentanomial(ll=10))
    assert lost.elo is not None
    assert (lost.elo.value, lost.elo.high) == (-math.inf, pytest.approx(-bounds[1]))


def test_all_draws_are_even_with_an_error_that_shrinks() -> None:
    few, many = summarise(Pentanomial(even=5)), summarise(Pentanomial(even=500))
    assert few.elo is not None
    assert many.elo is not None
    assert few.elo.value == many.elo.value == 0
    assert few.elo.low == pytest.approx(-few.elo.high)
    assert 0 < many.elo.error < few.elo.error < math.inf
    assert few.los == 0.5
    assert few.nelo is None


@given(st.tuples(counts, counts, counts, counts, counts))
def test_no_result_gives_a_number_that_is_none(five: tuple[int, int, int, int, int]) -> None:
    for results in (Pentanomial(*five), Trinomial(*five[:3])):
        summary = summarise(results)
        assert 0 <= summary.los <= 1
        for estimate in (summary.score, summary.elo, summary.nelo):
            assert (estimate is None) or not any(math.isnan(x) for x in (estimate.value, estimate.low, estimate.high))
            assert estimate is None or estimate.low <= estimate.value <= estimate.high


@given(st.tuples(counts, counts, counts, counts, counts))
def test_the_other_player_gets_the_opposite(five: tuple[int, int, int, int, int]) -> None:
    mine, theirs = summarise(Pentanomial(*five)), summarise(Pentanomial(*reversed(five)))
    assert mine.los == pytest.approx(1 - theirs.los)
    for one, other in ((mine.elo, theirs.elo), (mine.nelo, theirs.nelo)):
        if one is None or other is None:
            assert one is other
            continue
        assert one.value == pytest.approx(-other.value, abs=1e-6)
        assert one.low == pytest.approx(-other.high, abs=1e-6)


@pytest.mark.parametrize(
    "chances", [(0.05, 0.2, 0.4, 0.25, 0.1), (0.3, 0.05, 0.3, 0.05, 0.3), (0.01, 0.05, 0.2, 0.3, 0.44)]
)
def test_the_truth_lies_in_95_of_100_intervals(chances: tuple[float, ...]) -> None:
    values = np.arange(5) / 4
    score = float(values @ chances)
    deviation = math.sqrt(float((values - score) ** 2 @ chances))
    true = {
        "score": score,
        "elo": elo_of_score(score),
        "nelo": (score - 0.5) / (math.sqrt(2) * deviation) * 800 / math.log(10),
    }
    rng = np.random.default_rng(4)
    hits = dict.fromkeys(true, 0)
    matches = 2000
    for sample in rng.multinomial(200, chances, size=matches):
        summary = summarise(Pentanomial(*(int(n) for n in sample)))
        for name, value in true.items():
            interval: Estimate = getattr(summary, name)
            hits[name] += interval.low <= value <= interval.high
    for name in true:
        assert hits[name] / matches == pytest.approx(0.95, abs=0.015), name


def test_a_confidence_must_be_a_probability() -> None:
    with pytest.raises(ForgeronError, match="a confidence is between 0 and 1, not 95"):
        summarise(PUBLISHED, confidence=95)

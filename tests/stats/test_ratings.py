"""Bradley–Terry ratings, against `choix`, a general optimiser of SciPy, and the parameters of simulated tournaments."""

from __future__ import annotations

import doctest
import math
from itertools import combinations, permutations
from pathlib import Path

import numpy as np
import pytest

from forgeron.core.errors import ForgeronError, OptionError, UnknownNameError
from forgeron.stats.elo import ELO_PER_NAT, Trinomial
from forgeron.stats.ratings import PRIOR_ELO, Ratings, rate, tabulate

ABC = {("A", "B"): Trinomial(60, 20, 20), ("B", "C"): Trinomial(55, 10, 35), ("A", "C"): Trinomial(70, 10, 20)}


def simulate(
    elo: dict[str, float], first_move: float, draw: float, games: int, rng: np.random.Generator
) -> dict[tuple[str, str], Trinomial]:
    """A round robin of Davidson's model, so many games for each player as first in each pair."""
    table = {}
    for first, second in permutations(elo, 2):
        d = (elo[first] - elo[second] + first_move) * math.log(10) / 400
        weights = np.array([math.exp(d / 2), draw, math.exp(-d / 2)])
        table[first, second] = Trinomial(*(int(n) for n in rng.multinomial(games, weights / weights.sum())))
    return table


def test_three_players_have_the_published_ratings() -> None:
    ratings = rate(ABC, draws="half", first_move=False, prior_elo=None, anchor="C")
    assert ratings.players == ("A", "B", "C")
    assert [round(ratings.elo[name], 1) for name in "ABC"] == [201.0, 62.7, 0.0]


@pytest.mark.parametrize("seed", range(5))
def test_draws_as_half_wins_agree_with_choix(seed: int) -> None:
    choix = pytest.importorskip("choix")
    rng = np.random.default_rng(seed)
    names = [f"p{i}" for i in range(7)]
    table = simulate(dict(zip(names, rng.normal(0, 200, 7), strict=True)), 30, 0.7, 8, rng)
    duels = []  # every game twice, so that a draw is one win for each
    for (first, second), (wins, draws, losses) in table.items():
        i, j = names.index(first), names.index(second)
        duels += [(i, j)] * (2 * wins + draws) + [(j, i)] * (2 * losses + draws)
    ours = rate(table, draws="half", first_move=False, prior_elo=None)
    theirs = choix.ilsr_pairwise(7, duels) * ELO_PER_NAT
    assert [ours.elo[name] for name in names] == pytest.approx(list(theirs), abs=1e-4)
    # choix adds alpha × Σ strength², for twice the data: a normal prior of variance 1 / alpha
    alpha = 0.5
    ours = rate(table, draws="half", first_move=False, prior_elo=ELO_PER_NAT / math.sqrt(alpha))
    theirs = choix.opt_pairwise(7, duels, alpha=alpha, tol=1e-12) * ELO_PER_NAT
    assert [ours.elo[name] for name in names] == pytest.approx(list(theirs - theirs.mean()), abs=1e-2)


@pytest.mark.parametrize("seed", range(3))
def test_draws_and_first_move_agree_with_a_general_optimiser(seed: int) -> None:
    optimize = pytest.importorskip("scipy.optimize")
    rng = np.random.default_rng(seed)
    names = ["a", "b", "c", "d"]
    table = simulate(dict(zip(names, rng.normal(0, 150, 4), strict=True)), 60, 1.5, 30, rng)

    def cost(x: np.ndarray) -> float:
        """Minus the log-posterior, written from the definition, in units of 400 points a factor of ten."""
        value = np.sum((x[:5] * 400 / PRIOR_ELO) ** 2) / 2 + (x[5] * math.log(10) / 4) ** 2 / 2
        for (first, second), counts in table.items():
            d = x[names.index(first)] - x[names.index(second)] + x[4]
            weights = np.array([10 ** (d / 2), 10 ** x[5], 10 ** (-d / 2)])
            value -= np.dot(list(counts), np.log(weights / weights.sum()))
        return float(value)

    best = optimize.minimize(cost, np.zeros(6), method="BFGS", options={"gtol": 1e-7})
    ours = rate(table)
    found = best.x * 400
    assert [ours.elo[name] for name in names] == pytest.approx(list(found[:4] - found[:4].mean()), abs=0.01)
    assert ours.first_move.value == pytest.approx(found[4], abs=0.01)
    assert ours.draw_log == pytest.approx(best.x[5] * math.log(10), abs=1e-4)
    # error bars: the inverse of the matrix of second differences of the same function
    step = 1e-3
    units = np.eye(6) * step
    second = [
        [cost(best.x + u + v) - cost(best.x + u - v) - cost(best.x - u + v) + cost(best.x - u - v) for u in units]
        for v in units
    ]
    covariance = np.linalg.inv(np.array(second) / (4 * step**2)) * 400**2
    for i, j in combinations(range(4), 2):
        deviation = math.sqrt(covariance[i, i] + covariance[j, j] - 2 * covariance[i, j])
        assert ours.difference(names[i], names[j]).error == pytest.approx(1.959964 * deviation, rel=1e-3)
    assert ours.first_move.error == pytest.approx(1.959964 * math.sqrt(covariance[4, 4]), rel=1e-3)


def test_the_parameters_of_simulated_tournaments_lie_within_the_error_bars() -> None:
    rng = np.random.default_rng(12)
    hits = trials = first_hits = 0
    tournaments = 40
    for _ in range(tournaments):
        true = {f"p{i}": float(elo) for i, elo in enumerate(rng.normal(0, 150, 8))}
        ratings = rate(simulate(true, 35, 0.8, 10, rng))
        for one, other in combinations(true, 2):
            interval = ratings.difference(one, other)
            hits += interval.low <= true[one] - true[other] <= interval.high
            trials += 1
        first_hits += ratings.first_move.low <= 35 <= ratings.first_move.high
    assert hits / trials == pytest.approx(0.95, abs=0.02)
    assert first_hits / tournaments >= 0.85


def test_a_large_tournament_gives_back_its_parameters() -> None:
    true = {"a": 150.0, "b": 40.0, "c": -60.0, "d": -130.0}
    ratings = rate(simulate(true, 50, 1.2, 20_000, np.random.default_rng(1)))
    assert ratings.players == ("a", "b", "c", "d")
    assert [ratings.elo[name] for name in true] == pytest.approx(list(true.values()), abs=5)
    assert ratings.first_move.value == pytest.approx(50, abs=3)
    assert ratings.draw_log == pytest.approx(math.log(1.2), abs=0.02)
    d = (150 - 40 + 50) / ELO_PER_NAT
    total = math.exp(d / 2) + 1.2 + math.exp(-d / 2)
    expected = ratings.expect("a", "b")
    assert expected == pytest.approx((math.exp(d / 2) / total, 1.2 / total, math.exp(-d / 2) / total), abs=0.01)
    assert sum(expected) == pytest.approx(1)
    assert expected.score == pytest.approx(expected.win + expected.draw / 2)


def test_the_fitted_model_expects_as_many_points_as_were_made() -> None:
    # The maximum of a likelihood of this kind: for every player, points expected are points made.
    ratings = rate(ABC, prior_elo=None)
    for name in ratings.players:
        made = expected = 0.0
        for (first, second), counts in ABC.items():
            model = ratings.expect(first, second)
            if name == first:
                made += counts.wins + counts.draws / 2
                expected += counts.games * model.score
            elif name == second:
                made += counts.losses + counts.draws / 2
                expected += counts.games * (1 - model.score)
        assert expected == pytest.approx(made)
    drawn = sum(counts.games * ratings.expect(*pair).draw for pair, counts in ABC.items())
    assert drawn == pytest.approx(40)


def test_the_anchor_shifts_ratings_and_leaves_differences() -> None:
    free, tied = rate(ABC), rate(ABC, anchor="B")
    assert sum(free.elo.values()) == pytest.approx(0)
    assert tied.elo["B"] == 0
    assert tied.rating("B").error == pytest.approx(0, abs=1e-6)
    for one, other in combinations("ABC", 2):
        for ratings in (free, tied):
            assert ratings.difference(one, other).value == pytest.approx(ratings.elo[one] - ratings.elo[other])
        assert free.difference(one, other).value == pytest.approx(tied.difference(one, other).value)
        assert free.difference(one, other).error == pytest.approx(tied.difference(one, other).error)
    assert free.difference("A", "B").error == pytest.approx(tied.rating("A").error)


def test_errors_of_differences_are_in_the_covariance() -> None:
    ratings = rate(ABC, first_move=False)
    direction = np.array([1.0, 0.0, -1.0])  # players are listed A, B, C
    variance = float(direction @ ratings.covariance @ direction)
    assert ratings.difference("A", "C").error == pytest.approx(1.959964 * math.sqrt(variance))
    assert ratings.superiority("A", "C") > 0.999
    assert ratings.superiority("C", "A") == pytest.approx(1 - ratings.superiority("A", "C"))


def test_a_player_that_won_every_game_is_rated_high_but_finite() -> None:
    few, many = (rate({("new", "old"): Trinomial(wins=n), ("old", "new"): Trinomial(losses=n)}) for n in (5, 500))
    assert 200 < few.difference("new", "old").value < many.difference("new", "old").value < 3000
    assert math.isfinite(few.difference("new", "old").error)
    assert few.superiority("new", "old") > 0.95


def test_groups_that_never_met_are_rated_around_the_same_mean_with_wide_errors() -> None:
    table = {("a", "b"): Trinomial(30, 5, 10), ("x", "y"): Trinomial(10, 5, 30)}
    ratings = rate(table, first_move=False, players=["idle"])
    assert ratings.groups == (frozenset("ab"), frozenset("xy"), frozenset({"idle"}))
    assert ratings.elo["a"] + ratings.elo["b"] == pytest.approx(ratings.elo["x"] + ratings.elo["y"])
    assert ratings.elo["idle"] == pytest.approx(0, abs=1e-6)
    assert ratings.games == {"a": 45, "b": 45, "x": 45, "y": 45, "idle": 0}
    assert ratings.difference("a", "x").error > 4 * ratings.difference("a", "b").error
    assert all(np.isfinite(ratings.covariance).ravel())


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ({("a", "b"): Trinomial(wins=3)}, "b took no point from a|a gave no point to b"),
        ({("a", "b"): Trinomial(1, 1, 1), ("x", "y"): Trinomial(1, 1, 1)}, "a, b took no point from x, y"),
        ({("a", "b"): Trinomial(wins=3), ("b", "a"): Trinomial(wins=3)}, "the results do not bound the ratings"),
        ({("a", "b"): Trinomial(draws=9)}, "the results do not bound the ratings"),
        ({("a", "b"): Trinomial(4, 3, 2)}, "the results do not bound the ratings"),
    ],
    ids=["all wins", "two groups", "first always wins", "all draws", "always the same first"],
)
def test_without_a_prior_what_has_no_bound_is_an_error(table: dict[tuple[str, str], Trinomial], why: str) -> None:
    with pytest.raises(ForgeronError, match=f"({why}).*let a prior keep them finite"):
        rate(table, prior_elo=None)
    assert all(math.isfinite(elo) for elo in rate(table).elo.values())


def test_without_draws_the_two_models_are_the_same() -> None:
    table = {("a", "b"): Trinomial(7, 0, 4), ("b", "a"): Trinomial(5, 0, 6)}
    davidson, half = (rate(table, prior_elo=None, draws=draws) for draws in ("davidson", "half"))
    assert davidson.elo == half.elo
    assert davidson.expect("a", "b").draw == 0


def test_single_games_and_their_table_give_the_same_ratings() -> None:
    games = [("a", "b", 1), ("b", "a", 0.5), ("a", "b", 0), ("b", "c", 1), ("c", "a", 0.5)]
    one: Ratings = rate(iter(games))
    two: Ratings = rate(tabulate(games))
    assert one.elo == two.elo
    assert one.games == {"a": 4, "b": 4, "c": 2} == {name: two.games[name] for name in "abc"}


def test_a_hundred_players_that_met_by_chance_are_rated() -> None:
    rng = np.random.default_rng(0)
    true = {f"p{i:03}": float(elo) for i, elo in enumerate(rng.normal(0, 300, 100))}
    games = []
    names = list(true)
    for i, step in zip(rng.integers(100, size=6000), rng.integers(1, 100, size=6000), strict=True):
        first, second = names[i], names[(i + step) % 100]
        chance = 1 / (1 + 10 ** ((true[second] - true[first]) / 400))
        games.append((first, second, float(rng.random() < chance)))
    ratings = rate(games)
    found = np.array([ratings.elo[name] for name in true])
    assert np.corrcoef(found, list(true.values()))[0, 1] > 0.95


def test_what_cannot_be_rated_is_refused() -> None:
    with pytest.raises(ForgeronError, match="there are no games to rate and no players"):
        rate([])
    with pytest.raises(ForgeronError, match="'a' cannot play against itself in a rating"):
        rate([("a", "a", 1)])
    with pytest.raises(OptionError, match="draws are davidson or half, not 'full'"):
        rate(ABC, draws="full")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="prior_elo is a standard deviation above 0, or None for no prior, not 0"):
        rate(ABC, prior_elo=0)
    with pytest.raises(UnknownNameError, match="there is no rated player 'D'; valid: A, B, C"):
        rate(ABC, anchor="D")
    with pytest.raises(UnknownNameError, match="there is no rated player 'D'"):
        rate(ABC).difference("A", "D")


def test_the_examples_of_the_page_on_ratings_are_true() -> None:
    page = Path(__file__).parents[2] / "docs" / "ratings.md"
    text = page.read_text(encoding="utf-8").replace("```", "")
    examples = doctest.DocTestParser().get_doctest(text, {}, "ratings.md", str(page), 0)
    assert doctest.DocTestRunner().run(examples).failed == 0
    assert len(examples.examples) >= 9

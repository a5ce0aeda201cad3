"""Schedules: counted by hand, and Swiss rounds against all pairings there are."""

from __future__ import annotations

import random
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

import pytest

from forgeron.arena.schedule import (
    Pairing,
    Round,
    drawn_order,
    games_of,
    gauntlet,
    knockout_round,
    match,
    play_off,
    round_robin,
    swiss_round,
)
from forgeron.core.errors import ForgeronError, OptionError, UnknownNameError


def players(n: int) -> list[str]:
    return [f"p{i:02}" for i in range(n)]


def busy(one: Round) -> list[str]:
    """Everybody in the round, once for each encounter and each bye."""
    return [name for p in one.pairings if p.repeat == 0 for name in p.names] + list(one.byes)


@pytest.mark.parametrize("n", range(2, 16))
def test_in_a_round_robin_everybody_meets_everybody_once(n: int) -> None:
    rounds = round_robin(players(n))
    assert len(rounds) == (n if n % 2 else n - 1)
    for number, one in enumerate(rounds, 1):
        assert sorted(busy(one)) == players(n)
        assert {p.round for p in one.pairings} == {number}
        assert [p.number for p in one.pairings] == list(range(1, n // 2 + 1))
    met = Counter(frozenset(p.names) for one in rounds for p in one.pairings)
    assert met == Counter(frozenset(pair) for pair in combinations(players(n), 2))
    byes = Counter(name for one in rounds for name in one.byes)
    assert byes == Counter(players(n) if n % 2 else [])
    named_first = Counter(p.first_name for one in rounds for p in one.pairings)
    assert max(named_first.values()) - min(named_first[name] for name in players(n)) <= 1


def test_too_few_players_for_a_game_have_no_rounds() -> None:
    assert round_robin([]) == round_robin(["alone"]) == gauntlet(["alone"], []) == []
    assert knockout_round(["alone"]) is None
    assert swiss_round(["alone"], {}) == Round((), ("alone",))
    assert swiss_round([], {}) == Round(())


def test_an_encounter_may_be_several_pairs_with_an_opening_each() -> None:
    rounds = round_robin(players(4), pairs=3)
    for number, one in enumerate(rounds):
        for encounter in (1, 2):
            pairings = [p for p in one.pairings if p.number == encounter]
            assert [p.repeat for p in pairings] == [0, 1, 2]
            assert [p.opening for p in pairings] == [3 * number, 3 * number + 1, 3 * number + 2]
            assert len({p.names for p in pairings}) == 1
    assert [p.opening for p in match("a", "b", pairs=4).pairings] == [0, 1, 2, 3]


@pytest.mark.parametrize(("challengers", "opponents"), [(1, 5), (2, 3), (3, 2), (4, 4)])
def test_in_a_gauntlet_every_challenger_meets_every_opponent_once(challengers: int, opponents: int) -> None:
    names = players(challengers + opponents)
    rounds = gauntlet(names[:challengers], names[challengers:])
    met = Counter(p.names for one in rounds for p in one.pairings)
    assert met == Counter((a, b) for a in names[:challengers] for b in names[challengers:])
    for one in rounds:
        assert len(set(busy(one))) == len(busy(one))


def knockout(entrants: Sequence[str], wins: Callable[[str, str], str]) -> list[Round]:
    rounds: list[Round] = []
    winners: list[list[str]] = []
    while (one := knockout_round(entrants, winners)) is not None:
        rounds.append(one)
        winners.append([wins(*p.names) for p in one.pairings])
    return rounds


@pytest.mark.parametrize("n", range(2, 20))
def test_in_a_knockout_the_best_have_the_byes_and_meet_last(n: int) -> None:
    rounds = knockout(players(n), wins=min)
    assert sum(len(one.pairings) for one in rounds) == n - 1
    full = 1 << (n - 1).bit_length()
    assert len(rounds) == full.bit_length() - 1
    assert sorted(rounds[0].byes) == players(n)[: full - n]
    assert all(not one.byes for one in rounds[1:])
    for one, left in zip(rounds[1:], (full >> k for k in range(1, 20)), strict=False):
        assert sorted(busy(one)) == players(left)  # the favourites are still there, however many are left
    assert set(rounds[-1].pairings[0].names) == {"p00", "p01"}


def test_an_outsider_takes_the_place_of_the_favourite_it_beats() -> None:
    rounds = knockout(players(8), wins=max)
    assert [p.names for p in rounds[0].pairings] == [("p00", "p07"), ("p03", "p04"), ("p01", "p06"), ("p02", "p05")]
    assert [p.names for p in rounds[1].pairings] == [("p07", "p04"), ("p06", "p05")]
    assert [p.names for p in rounds[2].pairings] == [("p07", "p06")]


def test_a_knockout_wants_one_winner_of_each_encounter() -> None:
    with pytest.raises(ForgeronError, match="round 1 of the knockout needs one winner of b and c"):
        knockout_round(["a", "b", "c"], [[]])
    with pytest.raises(ForgeronError, match="round 1 of the knockout needs one winner of b and c"):
        knockout_round(["a", "b", "c"], [["b", "c"]])
    with pytest.raises(ForgeronError, match="z did not play in round 1 of the knockout"):
        knockout_round(["a", "b", "c"], [["b", "z"]])


def test_a_level_encounter_goes_on_with_the_next_opening() -> None:
    encounter = round_robin(["a", "b"], pairs=2)[0].pairings
    more = play_off(encounter)
    assert more == Pairing("a", "b", 1, 1, repeat=2, opening=2)
    assert play_off([*encounter, more]).opening == 3


def all_matchings(names: Sequence[str]) -> Iterator[list[tuple[str, str]]]:
    if not names:
        yield []
        return
    for i in range(1, len(names)):
        for rest in all_matchings([*names[1:i], *names[i + 1 :]]):
            yield [(names[0], names[i]), *rest]


def worth(
    pairs: Sequence[tuple[str, ...]], points: dict[str, float], met: Counter[frozenset[str]]
) -> tuple[float, float]:
    again = sum(met[frozenset(pair)] for pair in pairs)
    return again, sum((points[a] - points[b]) ** 2 for a, b in pairs)


@pytest.mark.parametrize("seed", range(12))
def test_no_pairing_of_a_swiss_round_has_fewer_repeats_or_closer_scores(seed: int) -> None:
    rng = random.Random(seed)
    names = players(rng.choice([4, 6, 8]))
    points = dict.fromkeys(names, 0.0)
    met: Counter[frozenset[str]] = Counter()
    rounds: list[Round] = []
    for _ in range(len(names) + 2):  # more rounds than there are opponents: some must meet again
        one = swiss_round(names, points, rounds)
        assert sorted(busy(one)) == names
        chosen = [p.names for p in one.pairings]
        assert worth(chosen, points, met) == min(worth(pairs, points, met) for pairs in all_matchings(names))
        rounds.append(one)
        met.update(frozenset(pair) for pair in chosen)
        for a, b in chosen:
            gained = rng.choice([0, 0.5, 1, 1.5, 2])
            points[a] += gained
            points[b] += 2 - gained


@pytest.mark.parametrize("n", [3, 5, 7, 11, 25])
def test_in_a_swiss_of_an_odd_number_nobody_has_a_second_bye_before_everybody_had_one(n: int) -> None:
    rng = random.Random(n)
    names = drawn_order(players(n), seed=1)
    points = dict.fromkeys(names, 0.0)
    rounds: list[Round] = []
    for _ in range(min(n, 9)):
        one = swiss_round(names, points, rounds)
        assert sorted(busy(one)) == players(n)
        assert len(one.byes) == 1
        rounds.append(one)
        points[one.byes[0]] += 2
        for pairing in one.pairings:
            points[rng.choice(pairing.names)] += 2
    byes = Counter(name for one in rounds for name in one.byes)
    assert max(byes.values()) == 1
    if n >= 11:
        met = Counter(frozenset(p.names) for one in rounds for p in one.pairings)
        assert max(met.values()) == 1


def test_the_first_swiss_round_pairs_the_upper_half_with_the_lower_and_the_last_has_the_bye() -> None:
    one = swiss_round(players(7), {})
    assert [p.names for p in one.pairings] == [("p00", "p03"), ("p01", "p04"), ("p02", "p05")]
    assert one.byes == ("p06",)


def test_a_swiss_tournament_finds_the_best_of_many_in_few_rounds() -> None:
    names = drawn_order(players(32), seed=3)
    points = dict.fromkeys(names, 0.0)
    rounds: list[Round] = []
    for _ in range(5):
        one = swiss_round(names, points, rounds)
        rounds.append(one)
        for pairing in one.pairings:
            points[min(pairing.names)] += 2
    assert max(points, key=lambda name: points[name]) == "p00"
    assert [name for name in names if points[name] == 10] == ["p00"]  # the only one that won five encounters
    named_first = Counter(p.first_name for one in rounds for p in one.pairings)
    assert all(1 <= named_first[name] <= 4 for name in names)


def test_the_two_games_of_a_pairing_swap_the_seats_and_share_opening_and_luck() -> None:
    one, two = games_of(Pairing("a", "b", 3, 2, 1, opening=7), {"game": "yut"}, seed=5)
    assert (one.seats, two.seats) == (("a", "b"), ("b", "a"))
    assert (one.leg, two.leg) == (0, 1)
    assert one.opening == two.opening == 7
    assert one.seed == two.seed
    assert 0 <= one.seed < 2**63
    assert one.id != two.id


def test_every_game_of_every_tournament_has_an_id_of_its_own() -> None:
    ids = []
    for config in ({"game": "yolah"}, {"game": "yut"}, {"game": "yut", "seconds": 0.5}):
        for seed in range(3):
            for one in round_robin(players(7), pairs=2):
                for pairing in one.pairings:
                    ids += [game.id for game in games_of(pairing, config, seed)]
    assert len(set(ids)) == len(ids) == 3 * 3 * 21 * 2 * 2


def test_the_order_of_keys_and_of_entrants_does_not_matter() -> None:
    pairing = Pairing("a", "b", 1, 1)
    assert games_of(pairing, {"x": 1, "y": 2}, 3) == games_of(pairing, {"y": 2, "x": 1}, 3)
    assert drawn_order(["a", "b", "c", "d"], 4) == drawn_order(["d", "c", "b", "a"], 4)
    assert len({tuple(drawn_order(players(6), seed)) for seed in range(20)}) > 15


def test_another_process_makes_the_same_schedule(
    run_python: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    code = (
        "from forgeron.arena.schedule import *\n"
        "names = drawn_order([f'p{i}' for i in range(9)], 11)\n"
        "one = swiss_round(names, {})\n"
        "two = swiss_round(names, {p.first_name: 2 for p in one.pairings}, [one])\n"
        "print(two, [games_of(p, {'game': 'yolah'}, 11) for p in two.pairings])"
    )
    answers = {run_python(code, PYTHONHASHSEED=seed).stdout for seed in ("0", "1", "77")}
    assert len(answers) == 1


def test_what_cannot_be_scheduled_is_refused() -> None:
    with pytest.raises(OptionError, match="every entrant needs a name of its own; a came more than once"):
        round_robin(["a", "b", "a"])
    with pytest.raises(OptionError, match="every entrant needs a name of its own; b came more than once"):
        gauntlet(["a", "b"], ["b"])
    with pytest.raises(OptionError, match="an encounter is 1 pair of games or more, not 0"):
        match("a", "b", pairs=0)
    with pytest.raises(UnknownNameError, match="there is no entrant 'z'; valid: a, b"):
        swiss_round(["a", "b"], {"z": 1})
    with pytest.raises(ForgeronError, match="the configuration of a tournament must be JSON data"):
        games_of(Pairing("a", "b", 1, 1), {"limit": object()}, 1)

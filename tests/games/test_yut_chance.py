"""Yut Nori's luck: four sticks, statistics of random play, and an evaluation that knows the odds."""

from __future__ import annotations

import random
from itertools import product
from statistics import fmean, stdev

import numpy as np
import pytest

import forgeron
from forgeron.core.contract import CHANCE, OVER, evaluate, moves, pick, play, score, throw, turn
from forgeron.core.errors import OptionError
from forgeron.core.jit import compiled, kernel
from forgeron.core.rng import split, word
from forgeron.games.yut.casts import turns_home
from forgeron.games.yut.evaluation import casts_onto, probability
from forgeron.games.yut.rules import groups, results
from forgeron.kernels.greedy import win_probability
from forgeron.kernels.playout import play_many
from naive.yut import BEFORE, NaiveYut, walk

game = forgeron.game("yut")


def test_the_probabilities_are_those_of_four_sticks() -> None:
    """Each stick is flat with 0.6; a quarter of the throws with one flat side is back-do."""
    expected = dict.fromkeys(game.start().legal_moves(), 0.0)
    for sticks in product((True, False), repeat=4):
        flat = sum(sticks)
        probability = 0.6**flat * 0.4 ** (4 - flat)
        if flat == 1:
            expected["t1"] += probability * 3 / 4
            expected["t-1"] += probability / 4
        else:
            expected[{2: "t2", 3: "t3", 4: "t4", 0: "t5"}[flat]] += probability
    start = game.start()
    assert dict(zip(start.legal_moves(), start.chances(), strict=True)) == pytest.approx(expected, abs=1e-15)


@kernel
def throw_often(state, stream, throws, counts, probs):
    for n in range(1, throws + 1):
        counts[throw(state, word(stream, n), probs)] += 1


def test_kernels_throw_each_result_with_its_probability() -> None:
    throws, counts, probs = 1_000_000, np.zeros(6, dtype=np.int64), np.zeros(6)
    throw_often(game.start().state, np.uint64(5), np.int64(throws), counts, probs)
    for n, p in zip(counts.tolist(), game.start().chances(), strict=True):
        assert abs(n - throws * p) < 5 * (throws * p * (1 - p)) ** 0.5


def naive_game(rng: random.Random) -> tuple[int, int]:
    """The winner and the number of plies of a random game by the naive rules."""
    naive, plies = NaiveYut.start(), 0
    results, weights = ("t1", "t2", "t3", "t4", "t5", "t-1"), (1152, 3456, 3456, 1296, 256, 384)
    while naive.winner is None:
        move = rng.choices(results, weights)[0] if naive.must_throw else rng.choice(sorted(naive.moves()))
        naive, plies = naive.play(move), plies + 1
    return naive.winner, plies


def test_random_games_are_as_long_as_naive_ones() -> None:
    rng = random.Random(8)
    naive = [naive_game(rng) for _ in range(500)]
    lengths = [plies for _, plies in naive]
    tally = play_many(game.start(), seed=2025, games=400_000)
    assert tally.draws == 0
    assert abs(fmean(lengths) - tally.plies / tally.games) < 4 * stdev(lengths) / len(lengths) ** 0.5
    assert abs(fmean(winner == 0 for winner, _ in naive) - tally.wins / tally.games) < 4 * 0.5 / len(naive) ** 0.5


def test_random_games_of_a_seed_stay_what_they_were() -> None:
    tally = play_many(game.start(), seed=1, games=200_000, threads=2)
    assert tally == (100_253, 0, 99_747, 2_470, 19_292_821)
    assert 95 < tally.plies / tally.games < 98


# --- the evaluation -----------------------------------------------------------------------------------------------


def test_a_piece_alone_needs_as_many_turns_as_the_evaluation_says() -> None:
    """Simulated with the naive walk: every result of a turn is used as it comes."""
    rng, turns = random.Random(3), turns_home()
    for start in (0, 5, 10, 14, 29):
        needed = []
        for _ in range(4000):
            station, n = start, 0
            while station != 30:
                n, result = n + 1, 4
                while result > 3 and station != 30:
                    (result,) = rng.choices((1, 2, 3, 4, 5, -1), (1152, 3456, 3456, 1296, 256, 384))
                    if result > 0:
                        station = walk(station, result)
                    elif station:
                        station = min(BEFORE[station], key=lambda before: turns[before])
            needed.append(n)
        assert abs(fmean(needed) - turns[start]) < 4 * stdev(needed) / len(needed) ** 0.5


def hits(station: int, target: int, hand: tuple[int, ...]) -> bool:
    """Whether a group gets from station to target with some of the results, in some order, by the naive walk."""
    if station == target:
        return True
    return any(
        hits(end, target, hand[:i] + hand[i + 1 :])
        for i, result in enumerate(hand)
        if station != 30 and not (station == 0 and result < 0)
        for end in ([walk(station, result)] if result > 0 else BEFORE[station])
    )


def chance_to_hit(sources: list[int], target: int, hand: tuple[int, ...] = ()) -> tuple[float, float]:
    """The probability of turns of up to three throws that hit, and of all of them."""
    hit = whole = 0.0
    for token, p in zip(game.start().legal_moves(), game.start().chances(), strict=True):
        result = int(token[1:])
        now = (*hand, result)
        if result in (4, 5):
            more = chance_to_hit(sources, target, now) if len(now) < 3 else (0.0, 0.0)
        else:
            more = float(any(hits(source, target, now) for source in sources)), 1.0
        hit, whole = hit + p * more[0], whole + p * more[1]
    return hit, whole


@pytest.mark.parametrize(
    ("text", "station"),
    [
        ("7,0,0,0/5,30,30,30:b:t", 7),  # 5 turns in and goes 13, 14, … never to 7
        ("7,0,0,0/4,30,30,30:b:t", 7),
        ("7,0,0,0/4,8,30,30:b:t", 7),
        ("3,0,0,0/0,1,30,30:b:t", 3),
        ("15,0,0,0/12,14,30,30:b:t", 15),  # both with do: one and the same throw
        ("29,0,0,0/1,24,30,30:b:t", 29),
        ("22,0,0,0/10,0,5,30:b:t", 22),
        ("23,0,0,0/5,6,7,9:b:t", 23),
    ],
)
def test_the_danger_of_a_station_is_the_probability_of_the_turns_that_hit_it(text: str, station: int) -> None:
    position = game.parse(text)
    attackers = groups(position.state, np.uint64(1))
    found = probability(casts_onto(np.uint64(station), attackers, results(position.state), True))
    hit, whole = chance_to_hit([source for source in range(30) if int(attackers) >> source & 1], station)
    assert found == pytest.approx(hit / whole, abs=1e-12)


@pytest.mark.parametrize(("hand", "expected"), [("2", 0.0), ("3", 1.0), ("2,3", 1.0)])
def test_with_the_right_result_in_hand_a_hit_is_certain(hand: str, expected: float) -> None:
    position = game.parse(f"7,0,0,0/4,30,30,30:b:{hand}")
    attackers = groups(position.state, np.uint64(1))
    found = probability(casts_onto(np.uint64(7), attackers, results(position.state), False))
    assert found == pytest.approx(expected, abs=1e-12)


def mirrored(text: str) -> str:
    red, blue, rest = text.replace(":", "/", 1).split("/")
    return f"{blue}/{red}:{rest.translate(str.maketrans('rb', 'br'))}"


def test_the_evaluation_of_the_other_side_is_the_opposite() -> None:
    rng = random.Random(12)
    position = game.start()
    while position.turn is not None:
        other = game.parse(mirrored(str(position)))
        assert evaluate(other.state, game.weights()) == pytest.approx(-evaluate(position.state, game.weights()))
        position = position.push(rng.choice(position.moves))


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("0,0,0,10/0,0,0,2:b:t", "0,0,0,9/0,0,0,2:b:t"),  # the corner is a short cut
        ("0,0,6,6/0,0,0,0:b:t", "0,0,6,7/0,0,0,0:b:t"),  # a stack moves as one
        ("0,0,0,7/0,0,0,6:b:t", "0,0,0,8/0,0,0,6:b:t"),  # do is rarer than gae
        ("0,0,0,8/0,0,0,6:r:t", "0,0,0,8/0,0,0,6:b:t"),  # to throw is good
        ("0,0,0,4/0,0,0,20:r:5", "0,0,0,4/0,0,0,20:r:1"),
        ("0,30,30,30/0,0,0,20:b:t", "0,0,30,30/0,0,0,20:b:t"),
    ],
)
def test_the_evaluation_prefers_what_players_prefer(better: str, worse: str) -> None:
    assert evaluate(game.parse(better).state, game.weights()) > evaluate(game.parse(worse).state, game.weights())


@compiled
def greedy_move(state, weights, out):
    n = moves(state, out)
    best, best_value = out[0], -1.0
    for i in range(n):
        value = win_probability(play(state, out[i]), weights)
        value = value if turn(state) == 0 else 1.0 - value
        if value > best_value:
            best, best_value = out[i], value
    return best


@kernel
def greedy_against_random(start, weights, seed, games, out, probs):
    """How many games the greedy player wins, playing first in every second one."""
    won = 0
    for game_number in range(games):
        greedy = game_number & 1
        stream = split(seed, game_number)
        state, n, who = start, 0, turn(start)
        while who != OVER:
            n += 1
            bits = word(stream, n)
            if who == CHANCE:
                move = throw(state, bits, probs)
            else:
                move = greedy_move(state, weights, out) if who == greedy else pick(state, bits, out)
            state = play(state, move)
            who = turn(state)
        won += 1 if (score(state) > 0) == (greedy == 0) else 0
    return won


def test_one_ply_of_the_evaluation_beats_random_play_as_the_course_s_example_does_or_better() -> None:
    """The course's ExamplePlayer, which also looks one move ahead, wins 89.0 % (88.5 - 89.4)."""
    out, probs = np.zeros(game.max_moves, dtype=np.int64), np.zeros(game.max_moves)
    won = greedy_against_random(game.start().state, game.weights(), np.uint64(6), np.int64(20_000), out, probs)
    assert won / 20_000 > 0.90


@pytest.mark.parametrize("name", ["greedy", "monte-carlo"])
@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("29,30,30,30/3,30,30,30:r:1,-1", "s29:1"),  # home at once, or give blue a throw
        ("3,30,30,30/29,30,30,30:b:1,-1", "s29:1"),
        ("0,8,30,30/10,10,29,29:r:2", "s8:2"),  # two pieces caught and a throw more
        ("10,10,29,29/0,8,30,30:b:2", "s8:2"),
    ],
)
def test_players_see_what_is_good_for_either_seat(name: str, text: str, move: str) -> None:
    player = forgeron.player(name, game, seed=3)
    assert player.choose(game.parse(text), forgeron.Limit(nodes=4000)).move == move


def test_nobody_chooses_while_the_sticks_are_in_the_air() -> None:
    with pytest.raises(
        OptionError, match="dice are to be thrown in position '0,0,0,0/0,0,0,0:r:t': name one after a throw"
    ):
        forgeron.player("greedy", game).choose(game.start(), forgeron.Limit(nodes=1))

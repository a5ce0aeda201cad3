"""The course's players, rebuilt: each rates moves as plain lists of stations and the report's own table say."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass

import numpy as np
import pytest

import forgeron
from forgeron.core.position import Position
from forgeron.games.yut.baselines import rate_as_example, turns_to_go
from forgeron.games.yut.casts import turns_home
from forgeron.games.yut.report_search import rate_as_report
from forgeron.games.yut.rules import State
from forgeron.players.base import Limit
from naive.yut import RESULTS, NaiveYut

game = forgeron.game("yut")

#: As the report prints it: the stations two or three behind each one.
VULNERABLE = {
    0: [], 1: [], 2: [0], 3: [0, 1], 4: [1, 2], 5: [2, 3], 6: [3, 4], 7: [4], 8: [6], 9: [6, 7], 10: [7, 8], 11: [],
    12: [10], 13: [], 14: [5], 15: [10, 11, 5, 13], 16: [13, 14], 17: [14], 18: [8, 9], 19: [9], 20: [18],
    21: [18, 19], 22: [19, 20, 16], 23: [11, 12], 24: [12, 15], 25: [20, 21, 16, 17], 26: [17, 21, 22], 27: [22, 25],
    28: [25, 26], 29: [26, 27], 30: [],
}  # fmt: skip
MULTIPLIERS = {1: 1.0, 2: 0.7, 3: 0.4, 4: 0.3}
EXAMPLE_TURNS = turns_to_go(throws=20, sweeps=100)
REPORT_TURNS = turns_to_go(throws=2, sweeps=10)


def to_go(side: tuple[int, ...], turns: np.ndarray) -> float:
    sizes = Counter(side)
    return sum(float(turns[s]) * (MULTIPLIERS[sizes[s]] if s else 1.0) for s in side)


def example_value(before: NaiveYut, after: NaiveYut) -> float:
    me, enemy = before.mover, 1 - before.mover
    caught = after.sides[enemy].count(0) > before.sides[enemy].count(0)
    return to_go(after.sides[enemy], EXAMPLE_TURNS) - to_go(after.sides[me], EXAMPLE_TURNS) + caught


Sides = tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True)
class Report:
    """The report's player as it prints its functions, without pruning."""

    depth: int = 2
    cast_depth: int = 1
    capture_bonus: float = 0.07
    landing_penalty: float = 0.01

    def judged(self, mine: tuple[int, ...], theirs: tuple[int, ...]) -> float:
        value = to_go(theirs, REPORT_TURNS) - to_go(mine, REPORT_TURNS)
        for sign, own, other in ((1, mine, theirs), (-1, theirs, mine)):
            for s in own:
                value += sign * self.capture_bonus * (s in other)
                threats = sum(enemy in VULNERABLE[s] for enemy in other)
                value -= sign * self.landing_penalty * len(VULNERABLE[s]) * threats
        return value

    def casts(self, throws: int) -> list[tuple[int, ...]]:
        longer = [(first, *rest) for first in (4, 5) for rest in self.casts(throws - 1)] if throws > 1 else []
        return longer + [(result,) for result in RESULTS if throws == 1 or result not in (4, 5)]

    def minimax(self, sides: Sides, seat: int, hand: tuple[int, ...], depth: int, root: int) -> float:
        best = max if seat == root else min
        here = Endless(sides, seat, hand, False)
        values = []
        for move in sorted(here.moves()):
            after = here.play(move).sides
            left = list(hand)
            left.remove(int(move.partition(":")[2].rstrip("ab")))
            if left:
                values.append(self.minimax(after, seat, tuple(left), depth, root))
            else:
                values.append(self.thrown(after, 1 - seat, depth - 1, root))
        return best(values) if values else self.judged(sides[root], sides[1 - root])

    def thrown(self, sides: Sides, seat: int, depth: int, root: int) -> float:
        """The side that has moved chooses what the other one throws."""
        if depth == 0:
            return self.judged(sides[root], sides[1 - root])
        best = min if seat == root else max
        return best(self.minimax(sides, seat, cast, depth, root) for cast in self.casts(self.cast_depth))

    def rate(self, state: State, out: np.ndarray, values: np.ndarray) -> int:
        """What we play by, with these options."""
        depths = np.int64(self.depth), np.int64(self.cast_depth)
        return rate_as_report(state, out, values, *depths, self.capture_bonus, self.landing_penalty)

    def value(self, before: NaiveYut, after: NaiveYut) -> float:
        return self.thrown(after.sides, 1 - before.mover, self.depth - 1, before.mover)


class Endless(NaiveYut):
    """The report's search goes on when a side is home."""

    winner = None


def sampled(count: int) -> list[tuple[Position, NaiveYut]]:
    """Choices in random games, as ours and as plain lists."""
    rng, found = random.Random(5), []
    position, naive = game.start(), NaiveYut.start()
    while len(found) < count:
        if position.turn is None:
            position, naive = game.start(), NaiveYut.start()
        chances = position.chances() if position.turn == "chance" else None
        token = rng.choices(position.legal_moves(), chances)[0]
        if position.turn != "chance":
            found.append((position, naive))
        position, naive = position.play(token), naive.play(token)
    return found


@pytest.mark.parametrize(
    ("rate", "value", "choices"),
    [
        pytest.param(rate_as_example, example_value, 150, id="example"),
        pytest.param(Report().rate, Report().value, 150, id="report"),
        pytest.param(Report(depth=1).rate, Report(depth=1).value, 150, id="depth 1"),
        pytest.param(Report(depth=3).rate, Report(depth=3).value, 50, id="depth 3"),
        pytest.param(Report(cast_depth=2).rate, Report(cast_depth=2).value, 20, id="cast depth 2"),
        pytest.param(Report(2, 1, 0.5, 0.2).rate, Report(2, 1, 0.5, 0.2).value, 40, id="bonus and penalty"),
    ],
)
def test_moves_are_rated_as_the_description_says(rate, value, choices) -> None:  # type: ignore[no-untyped-def]
    out, values = np.zeros(game.max_moves, dtype=np.int64), np.zeros(game.max_moves)
    for position, naive in sampled(150)[:: 150 // choices]:
        n = rate(position.state, out, values)
        for token, found in zip(position.legal_moves(), values[:n], strict=True):
            assert found == pytest.approx(value(naive, naive.play(token))), (str(position), token)


def test_the_turns_to_go_are_those_of_a_piece_alone() -> None:
    """The same as the evaluation's, but for a longer way back now and then."""
    longer = EXAMPLE_TURNS - turns_home()
    assert longer.min() > -1e-4
    assert longer.max() < 0.1


@pytest.mark.parametrize(
    ("name", "text", "move"),
    [
        ("yut-example", "0,0,0,8/0,0,0,10:r:2", "s8:2"),  # a capture, and the corner
        ("yut-example", "0,0,3,5/0,0,0,0:r:2", "s3:2"),  # two on the corner move as one
        ("yut-report", "0,0,0,8/0,0,10,10:r:2", "s8:2"),
        ("yut-report", "0,0,3,5/0,0,0,0:r:2", "s3:2"),
    ],
)
def test_a_choice_that_can_be_checked_by_hand(name: str, text: str, move: str) -> None:
    assert forgeron.player(name, game).choose(game.parse(text), Limit(nodes=1)).move == move


def test_they_play_no_other_game() -> None:
    yolah = forgeron.game("yolah")
    assert not {"yut-example", "yut-report"} & set(forgeron.player_names(yolah))
    with pytest.raises(forgeron.ForgeronError, match="yut-example plays Yut Nori only, not Yolah"):
        forgeron.player("yut-example", yolah)


def test_the_random_player_of_the_course_moves_a_group_as_often_as_its_pieces() -> None:
    game = forgeron.game("yut")
    position = game.parse("0,3,3,3/0,0,0,0:r:2")
    tokens = [
        forgeron.player("yut-random", game, seed=seed).choose(position, forgeron.Limit(nodes=1)).move
        for seed in range(400)
    ]
    assert set(tokens) == {"s0:2", "s3:2"}
    assert 260 <= tokens.count("s3:2") <= 340  # three of four pieces; five standard deviations

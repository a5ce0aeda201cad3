"""The evaluation of Yolah: each feature beside a slow count of what its name says, and what holds for their sum."""

from __future__ import annotations

import random

import numpy as np
import pytest

import forgeron
from forgeron.core import contract
from forgeron.core.jit import kernel
from forgeron.games.yolah.evaluation import FEATURES, MATERIAL, NAMES
from forgeron.games.yolah.rules import State

game = forgeron.game("yolah")
Squares = set[tuple[int, int]]
DIRECTIONS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]


@kernel
def evaluated(state, weights):
    return contract.evaluate(state, weights)


def sampled(count: int, seed: int = 1) -> list[forgeron.Position]:
    """Positions from anywhere in random games."""
    rng = random.Random(seed)
    found = []
    while len(found) < count:
        line = [game.start()]
        while line[-1].turn is not None:
            line.append(line[-1].push(rng.choice(line[-1].moves)))
        found.append(rng.choice(line[:-1]))
    return found


def seen(start: tuple[int, int], empty: Squares) -> Squares:
    """Where a queen gets to."""
    found = set()
    for dx, dy in DIRECTIONS:
        x, y = start[0] + dx, start[1] + dy
        while (x, y) in empty:
            found.add((x, y))
            x, y = x + dx, y + dy
    return found


def beside(squares: Squares, empty: Squares) -> Squares:
    return {(x + dx, y + dy) for x, y in squares for dx, dy in DIRECTIONS} & empty


def walkable(squares: Squares, empty: Squares) -> Squares:
    found: Squares = set()
    while new := beside(squares | found, empty) - found:
        found |= new
    return found


def claims(mine: Squares, theirs: Squares, empty: Squares) -> int:
    """Squares taken a step at a time by whoever is first; where both arrive together nobody goes on."""
    sides, free = [set(mine), set(theirs)], set(empty)
    while True:
        one, other = (beside(side, free) for side in sides)
        if not one | other:
            return len(sides[0]) - len(sides[1])
        free -= one | other
        sides[0] |= one - other
        sides[1] |= other - one


def counted(position: forgeron.Position) -> dict[str, int]:
    """Every feature from the definition in its documentation, black's share less white's."""
    cells = game.view(position.state)["cells"]
    black, white, empty = ({(s % 8, s // 8) for s in range(64) if cells[s] == kind} for kind in "bw.")
    once = [set().union(*(seen(piece, empty) for piece in side)) for side in (black, white)]
    twice = [squares.union(*(seen(square, empty) for square in squares)) for squares in once]
    reach = [walkable(side, empty) for side in (black, white)]
    nearer = [
        (once[i] - once[1 - i]) | ((twice[i] - once[i]) - twice[1 - i] - once[1 - i]) for i in (0, 1)
    ]  # a square both reach at their second move is nobody's

    def less(count: list[int]) -> int:
        return count[0] - count[1]

    sides = (black, white)
    return {
        "to move": 1 if position.turn == 0 else -1,
        "lead": less(list(position.scores)),
        "freedom": less([len(beside(side, empty)) for side in sides]),
        "mobility": less([sum(len(seen(piece, empty)) for piece in side) for side in sides]),
        "blocked": less([sum(not seen(piece, empty) for piece in side) for side in sides]),
        "reachability": less([len(squares) for squares in twice]),
        "influence by moves": less([len(squares) for squares in nearer]),
        "influence by steps": claims(black, white, empty),
        "exclusive": less([len(reach[i] - reach[1 - i]) for i in (0, 1)]),
        "connectivity": less([sum(len(walkable({piece}, empty)) for piece in side) for side in sides]),
    }


def test_every_feature_is_what_a_slow_count_finds() -> None:
    for position in sampled(60):
        expected = counted(position)
        assert set(expected) == set(FEATURES)
        holes = int(position.state.holes).bit_count()
        shares = [max(0.0, 1 - abs(holes - full) / 28) for full in (0, 28, 56)]
        for i, feature in enumerate(FEATURES):
            for j, share in enumerate(shares):
                found = evaluated(position.state, np.eye(len(NAMES))[3 * i + j])
                assert found == pytest.approx(expected[feature] * share), (feature, str(position))


def test_the_evaluation_is_linear_in_its_weights() -> None:
    rng = np.random.default_rng(2)
    for position in sampled(10):
        one, other = rng.normal(size=(2, len(NAMES)))
        together = evaluated(position.state, one) + evaluated(position.state, other)
        assert evaluated(position.state, one + other) == pytest.approx(together)


def test_with_the_colours_exchanged_the_evaluation_changes_its_sign() -> None:
    for position in sampled(20):
        other = State(*position.state[:4], np.int64(1) - position.state.turn)
        assert evaluated(other, game.weights()) == -evaluated(position.state, game.weights()) != 0


def test_a_turned_board_is_worth_the_same() -> None:
    for position in sampled(10):
        for symmetry in game.symmetries():
            turned = evaluated(symmetry.state(position.state), game.weights())
            assert turned == pytest.approx(evaluated(position.state, game.weights()))


def test_the_material_is_the_whole_evaluation_with_most_weights_zero() -> None:
    padded = np.concatenate([MATERIAL, np.zeros(len(NAMES) - MATERIAL.size)])
    weights = game.evaluation("material")
    for position in sampled(20):
        assert evaluated(position.state, weights) == pytest.approx(evaluated(position.state, padded))

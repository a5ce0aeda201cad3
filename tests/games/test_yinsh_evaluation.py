"""The evaluation of YINSH: each feature as one would count it on a board, point by point."""

from __future__ import annotations

import random

import numpy as np
import pytest

import forgeron
from forgeron.core import contract
from forgeron.core.jit import kernel
from forgeron.core.position import Position
from forgeron.games.yinsh.board import POINTS
from forgeron.games.yinsh.evaluation import NAMES
from naive.yinsh import AROUND, AXES, Point, course_points, step


@kernel
def evaluation(state, weights):
    return contract.evaluate(state, weights)


def content(position: Position) -> dict[Point, str]:
    """The pieces of the side to move (R a ring, m a marker) and of the other side (r, x)."""
    state, found = position.state, {}
    words = state[:8]
    for letter, lo, hi in zip("Rmrx", words[::2], words[1::2], strict=True):
        found |= {point: letter for i, point in enumerate(POINTS) if (int(lo) | int(hi) << 64) >> i & 1}
    return found


def naive_features(position: Position, n: int, k: int, goal: int) -> dict[str, float]:
    board, points = content(position), course_points(n)

    def run(point: Point, way: Point) -> list[Point]:
        """The markers in line next to a point, and the point after them."""
        found = [step(point, way)]
        while board.get(found[-1], " ") in "mx":
            found.append(step(found[-1], way))
        return found

    def held(point: Point, axis: Point) -> bool:
        return any(run(point, (sign * axis[0], sign * axis[1]))[-1] not in points for sign in (1, -1))

    def reach(ring: Point) -> int:
        total = 0
        for way in AROUND:
            at = step(ring, way)
            while at in points and at not in board:
                total, at = total + 1, step(at, way)
            if board.get(at, " ") in "mx":
                behind = run(at, way)[-1]
                total += behind in points and behind not in board
        return total

    def share(marker: str, ring: str, enemy: str) -> dict[str, float]:
        windows = [[step(p, axis, i) for i in range(k)] for p in points for axis in AXES]
        texts = ["".join(board.get(p, " ") for p in w) for w in windows if all(p in points for p in w)]
        short = [text for text in texts if text.count(marker) == k - 1]
        own = [p for p, piece in board.items() if piece == marker]
        return {
            "markers": len(own),
            "safe markers": sum(all(held(p, axis) for axis in AXES) for p in own),
            "two short": sum(text.count(marker) == k - 2 for text in texts),
            "one short": len(short),
            "ring in the gap": sum(ring in text for text in short),
            "enemy in the gap": sum(enemy in text for text in short),
            "mobility": sum(reach(p) for p, piece in board.items() if piece == ring),
        }

    mine, theirs = share("m", "R", "x"), share("x", "r", "m")
    found = {name: mine[name] - theirs[name] for name in mine}
    stage = str(position).split(":")[2]
    placing = stage == "place"
    found["mobility placing"] = found["mobility"] if placing else 0
    found["mobility"] = 0 if placing else found["mobility"]
    seat = position.turn
    assert seat in (0, 1)
    own = position.scores[seat] + ("row" in stage or "ring" in stage)
    other = position.scores[1 - seat] + bool(int(position.state.stage) >> 5 & 1)
    found |= {"rings": own - other, "last ring": (own >= goal - 1) - (other >= goal - 1)}
    found |= {"to move": 1, "row at hand": float(mine["ring in the gap"] > 0)}
    return found


@pytest.mark.parametrize(("n", "k", "goal"), [(5, 5, 3), (6, 5, 3), (4, 4, 2), (3, 3, 1), (6, 7, 3)])
def test_every_feature_is_what_one_counts_on_the_board(n: int, k: int, goal: int) -> None:
    game = forgeron.game("yinsh", N=n, K=k, L=goal)
    rng = random.Random(100 * n + k)
    seen: dict[str, set[float]] = {name: set() for name in NAMES}
    for _ in range(6):
        position = game.start()
        while position.turn is not None:
            if rng.random() < 0.25:
                expected = naive_features(position, n, k, goal)
                sign = 1 if position.turn == 0 else -1
                for name, unit in zip(NAMES, np.eye(len(NAMES)), strict=True):
                    assert sign * evaluation(position.state, unit) == expected[name], (name, str(position))
                    seen[name].add(expected[name])
            position = position.push(rng.choice(position.moves))
    if n == 5:
        assert all(len(values) > 1 for name, values in seen.items() if name != "to move"), seen

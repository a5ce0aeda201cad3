"""A search of YINSH prefers the better class of result, not only the win: 3-0 to 3-1, and 1-3 to 0-3."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import forgeron
from forgeron.core.position import Position
from forgeron.kernels.alphabeta import PROVEN, final_value

SMALL = forgeron.game("yinsh", N=3, M=3, K=3, L=2)
#: White cannot keep black from winning with its next turn, but can take a ring off itself before that.
LOST = [
    "2/b1wbW/bBbWb1/Wbwb1/bwbB1b/bw2w/b1:w:move:0-1",
    "wB/1WBbb/1bbWWw/bb1w1/w4w/b3b/bb:w:move:0-1",
    "wB/b2bb/w1wwbb/w1B2/bb1wbw/1W1WW/bw:w:move:0-1",
    "bb/bwWbW/ww1W1w/b1Bbw/bwb1b1/1bbB1/bw:w:move:0-1",
]


def score_of(position: Position, turns: int) -> int:
    """The result for white under best play, by trying everything within so many changes of turn."""
    if position.turn is None:
        winner = position.outcome.winner if position.outcome else None
        rings, markers = SMALL.ranking(position, 0)[1:]
        return 0 if winner is None else 256 * rings + markers
    if turns < 0:
        return 10**6  # white is still in the game
    values = [score_of(one, turns - (one.turn != position.turn)) for one in map(position.push, position.moves)]
    return max(values) if position.turn == 0 else min(values)


@pytest.mark.parametrize("text", LOST)
def test_who_cannot_avoid_to_lose_takes_the_ring_it_can_get(text: str) -> None:
    position = SMALL.parse(text)
    after = {one.last_move: one for one in map(position.push, position.moves)}
    values = {move: score_of(one, 1 if one.turn == 0 else 0) for move, one in after.items()}
    assert max(values.values()) < 0, "white is lost whatever it does"
    rings = {move: round(value / 256) for move, value in values.items()}
    assert set(rings.values()) == {-1, -2}
    player = forgeron.player("minimax", SMALL, seed=1)
    for limit in (forgeron.Limit(depth=8), forgeron.Limit(nodes=20_000)):
        assert rings[player.choose(position, limit).move] == -1


def test_a_better_class_is_worth_more_plies() -> None:
    game = forgeron.game("yinsh", N=3, M=3, K=3, L=3)

    def value(first: int, second: int, ply: int) -> int:
        """The value for white of a game that ended with so many rings removed."""
        white, black = ("W" * (3 - first) + str(2 + first), "B" * (3 - second) + str(2 + second))
        state = game.parse(f"2/{white}/6/5/6/{black}/2:{'wb'[second == 3]}:over:{first}-{second}").state
        return int(final_value(state, np.int64(0), np.int64(ply)))

    best_first = [(3, 0), (3, 1), (3, 2), (2, 3), (1, 3), (0, 3)]
    for better, worse in pairwise(best_first):
        for plies in ((2, 20), (20, 2)):
            assert value(*better, plies[0]) > value(*worse, plies[1])
    assert value(3, 0, 2) > value(3, 0, 4), "of the same class, the faster win"
    assert min(abs(value(*rings, 30)) for rings in best_first) > PROVEN

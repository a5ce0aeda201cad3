"""The search of the report's player of Yut Nori: minimax with alpha-beta pruning in a game of dice.

Where sticks are thrown, the side that has just moved takes the throw that suits it best, and no mean; the results
that the player has left besides the first are forgotten, and so are throws after captures. This is what the report's
program does, not what is right.
"""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np

from forgeron import compiled, kernel
from forgeron.bits import ONE, ZERO
from forgeron.contract import moves, play
from forgeron.games.yut.baselines import report_judgement
from forgeron.games.yut.board import MO, YUT
from forgeron.games.yut.rules import MAX_MOVES, State, mover, pieces

MOST_CASTS = 3
_FIRST_RESULT = 8
"""the bit of a state's `info` where the queue of results begins, a byte for each"""


def _make_casts(throws: int) -> list[int]:
    """The casts of a turn, whose throws after the first so many are left out, each as the queue that it brings."""
    again = (YUT, MO)
    casts = list(combinations_with_replacement(again, throws))
    for n in range(throws):
        last = [result for result in range(6) if result not in again]
        casts += [(*before, result) for before in combinations_with_replacement(again, n) for result in last]
    return [sum(1 << _FIRST_RESULT + 8 * result for result in cast) for cast in casts]


_CAST_COUNTS = np.array([len(_make_casts(throws)) for throws in range(1, MOST_CASTS + 1)])
_CASTS = np.zeros((MOST_CASTS, _CAST_COUNTS.max()), dtype=np.uint64)
for _throws in range(1, MOST_CASTS + 1):
    _CASTS[_throws - 1, : _CAST_COUNTS[_throws - 1]] = _make_casts(_throws)


@compiled
def _with_queue(state, seat, queue):
    """The same board, the player `seat` having these results to use."""
    info = seat | (seat << np.uint64(2)) | (pieces(state) << np.uint64(3)) | queue
    return State(state.ones, state.twos, state.fours, info)


@compiled
def _used(move):
    """What a move takes from the queue."""
    result = (np.uint64(move) >> np.uint64(5)) & np.uint64(7)
    return ONE << (np.uint64(8) * result)


@kernel
def search_turn(state, seat, queue, depth, alpha, beta, root, cast_depth, capture_bonus, landing_penalty):
    """What the board is worth to `root` when `seat` has the results of the `queue` to use, or is to throw when it is
    empty, and `depth` turns are looked ahead. Exact between alpha and beta, else a bound."""
    if depth == 0:
        return report_judgement(state, root, capture_bonus, landing_penalty)
    throws = queue == ZERO
    ready = _with_queue(state, seat, queue)
    out = np.empty(MAX_MOVES, dtype=np.int64)
    n = _CAST_COUNTS[cast_depth - 1] if throws else moves(ready, out)
    if n == 0:  # all pieces are home
        return report_judgement(state, root, capture_bonus, landing_penalty)
    # The side that has moved chooses the throw of the other: the mistake that this player is made of.
    maximising = (seat == root) != throws
    best = -np.inf if maximising else np.inf
    for i in range(n):
        after, who, left, turns = state, seat, _CASTS[cast_depth - 1, i], depth
        if not throws:
            after, left = play(ready, out[i]), queue - _used(out[i])
            if left == ZERO:
                who, turns = ONE - seat, depth - np.int64(1)
        value = search_turn(after, who, left, turns, alpha, beta, root, cast_depth, capture_bonus, landing_penalty)
        if maximising:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


@kernel
def rate_as_report(state, out, values, depth, cast_depth, capture_bonus, landing_penalty):
    """Write the moves to `out` and what the report's player thinks of each to `values`; return how many."""
    seat = mover(state)
    n = moves(state, out)
    for i in range(n):
        child = play(state, out[i])
        values[i] = search_turn(
            child,
            ONE - seat,
            ZERO,
            depth - np.int64(1),
            -np.inf,
            np.inf,
            seat,
            cast_depth,
            capture_bonus,
            landing_penalty,
        )
    return n

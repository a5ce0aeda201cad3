"""The four symmetries of the Yolah board that leave black's and white's first squares where they are."""

from __future__ import annotations

import numpy as np

from forgeron.games.yolah.rules import State

#: name → the square that each square goes to (the identity is left out)
KEEPING_COLOURS: dict[str, tuple[int, ...]] = {
    "half turn": tuple(63 - s for s in range(64)),
    "diagonal a1-h8": tuple(s // 8 + 8 * (s % 8) for s in range(64)),
    "diagonal a8-h1": tuple(63 - (s // 8 + 8 * (s % 8)) for s in range(64)),
}


def map_squares(word: np.uint64, squares: tuple[int, ...]) -> np.uint64:
    """The set of squares, each moved to its image."""
    return np.uint64(sum(1 << squares[s] for s in range(64) if int(word) >> s & 1))


def map_state(state: State, squares: tuple[int, ...]) -> State:
    """The position, turned or mirrored."""
    return state._replace(
        mine=map_squares(state.mine, squares),
        theirs=map_squares(state.theirs, squares),
        holes=map_squares(state.holes, squares),
    )


def map_move(move: int, squares: tuple[int, ...]) -> int:
    """The move, turned or mirrored; a pass stays a pass."""
    return squares[move & 63] | squares[move >> 6] << 6 if move else 0

"""Queries about one state, for Python code: who moves, the legal moves, the state after a move."""

from __future__ import annotations

from typing import Any

import numpy as np

from forgeron.core.contract import OVER, key, moves, play, score, turn
from forgeron.core.jit import compile_now, tiered_kernel


@tiered_kernel
def query_state(state, out):
    """Who moves, how many legal moves there are (written to `out`), and the final score when it is over (else 0)."""
    who = turn(state)
    return who, moves(state, out), score(state) if who == OVER else 0


@tiered_kernel
def play_and_query(state, move, out):
    """The fields of the state after the move, and what `query_state` says of it.

    A plain tuple of fields: they get their types in Python, and to build the state twice costs more than the move.
    """
    after = play(state, move)
    who = turn(after)
    return after[0:], who, moves(after, out), score(after) if who == OVER else 0


@tiered_kernel
def hash_state(state):
    """The 64-bit key of the state."""
    return key(state)


def compile_queries(state: Any) -> None:
    """Have the queries compiled for states of this type: for whoever asks them in somebody's time."""
    out = np.empty(1, dtype=np.int64)
    compile_now(query_state, state, out)
    compile_now(play_and_query, state, np.int64(0), out)
    compile_now(hash_state, state)

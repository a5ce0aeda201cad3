"""Compiled queries about one state, for Python code: who moves, the legal moves, the state after a move."""

from __future__ import annotations

from forgeron.core.contract import OVER, key, moves, play, score, turn
from forgeron.core.jit import cold_kernel


@cold_kernel
def query_state(state, out):
    """Who moves, how many legal moves there are (written to `out`), and the final score when it is over (else 0)."""
    who = turn(state)
    return who, moves(state, out), score(state) if who == OVER else 0


@cold_kernel
def play_and_query(state, move, out):
    """The fields of the state after the move, and what `query_state` says of it.

    A plain tuple of fields: they get their types in Python, and to build the state twice costs more than the move.
    """
    after = play(state, move)
    who = turn(after)
    return after[0:], who, moves(after, out), score(after) if who == OVER else 0


@cold_kernel
def hash_state(state):
    """The 64-bit key of the state."""
    return key(state)

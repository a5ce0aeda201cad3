"""ProbCut: leave a node whose value is very probably outside the window (Buro 1995).

A shallower search of a position is a good guess of what a deeper one will find. How good, `forgeron probcut` measures
for a game: the difference has a mean and a spread. Where the shallower value is outside the window by a margin made of
both, the deeper search is left out. Two kinds of shallower searches cost little enough: those that the transposition
table remembers, and the static evaluation, which is a search of depth 0.

Only null windows below the root are cut, and none that asks for a proven result; a cut-off answers with the edge of the
window, which is never a proven value. So a proven result stays a true one.

`ws` is the workspace of a thread, `node` is the `Node` of `forgeron.kernels.alphabeta`.
"""

from __future__ import annotations

import numpy as np

from forgeron.core.contract import UNKNOWN
from forgeron.core.jit import inlined
from forgeron.kernels.alphabeta_workspace import (
    MOST_SHALLOWER,
    NEVER,
    Enhancement,
    high_margin_at,
    low_margin_at,
    margin_slot,
)
from forgeron.kernels.transposition_table import LOWER_BOUND, UPPER_BOUND, bound_of, depth_of, value_of

#: No window beyond this is cut: proven results are beyond it by more than any margin.
_MOST_VALUE = 900_000


@inlined
def may_cut(node):
    """Whether the node may be left out: below the root, in a null window between values that are not proven."""
    if not node.enhancements & Enhancement.PROBCUT or node.ply == 0:
        return False
    return node.beta - node.alpha == 1 and abs(node.beta) < _MOST_VALUE


@inlined
def has_static_margin(ws, depth):
    """Whether the static evaluation can cut a node of this depth: it takes time to compute."""
    return depth <= MOST_SHALLOWER and high_margin_at(ws, margin_slot(depth, np.int64(0))) < NEVER


@inlined
def cutoff_by_static(ws, static, node):
    """Beta or alpha, where this static evaluation makes it very probable that the value is beyond; else UNKNOWN."""
    slot = margin_slot(node.depth, np.int64(0))
    if static >= node.beta + high_margin_at(ws, slot):
        return node.beta
    return node.alpha if static <= node.alpha - low_margin_at(ws, slot) else np.int64(UNKNOWN)


@inlined
def cutoff_by_table(ws, entry, node):
    """The same by what the table remembers of a shallower search; a proven result there needs no guess."""
    shallower = depth_of(entry)
    value = value_of(entry)
    if not node.depth - MOST_SHALLOWER <= shallower < node.depth or abs(value) >= _MOST_VALUE:
        return np.int64(UNKNOWN)
    slot = margin_slot(node.depth, shallower)
    if bound_of(entry) != UPPER_BOUND and value >= node.beta + high_margin_at(ws, slot):
        return node.beta
    if bound_of(entry) != LOWER_BOUND and value <= node.alpha - low_margin_at(ws, slot):
        return node.alpha
    return np.int64(UNKNOWN)

"""Star1 pruning (Ballard 1983): bounds of the expectation at a chance node, and windows for its outcomes.

`reals` is the part of the workspace with real numbers, `outcomes` says where in it the numbers of the node stand,
`node` is the `Node` of `forgeron.kernels.expectimax`; `lower` and `upper` are bounds of the expectation.
"""

from __future__ import annotations

import math

import numpy as np

from forgeron.core.jit import inlined
from forgeron.kernels.expectimax_values import SCALE
from forgeron.kernels.expectimax_workspace import NO_VALUE, Pruning, lower_at, probability_at, set_bounds, upper_at


@inlined
def open_bounds(reals, outcomes, n):
    """Nothing is known of the outcomes: the bounds of their expectation."""
    upper = 0.0
    for i in range(n):
        set_bounds(reals, outcomes, i, 0.0, SCALE)
        upper += SCALE * probability_at(reals, outcomes, i)
    return 0.0, upper


@inlined
def needs_search(reals, outcomes, i):
    """Whether the value of an outcome counts and is not known exactly yet."""
    return probability_at(reals, outcomes, i) > 0.0 and lower_at(reals, outcomes, i) != upper_at(reals, outcomes, i)


@inlined
def outcome_window(reals, outcomes, i, lower, upper, node):
    """Star1: beyond these values the outcome alone would decide that the expectation is outside the node's window."""
    if not node.pruning & Pruning.STAR1:
        return np.int64(-1), np.int64(SCALE + 1)
    probability = probability_at(reals, outcomes, i)
    beta = (node.beta - lower) / probability + lower_at(reals, outcomes, i)
    alpha = (node.alpha - upper) / probability + upper_at(reals, outcomes, i)
    return np.int64(max(math.floor(alpha) - 1.0, -1.0)), np.int64(min(math.ceil(beta) + 1.0, SCALE + 1.0))


@inlined
def narrow_bounds(reals, outcomes, i, value, is_lower, is_upper, lower, upper):
    """Use the value of an outcome, a lower or an upper bound or both: the new bounds of the expectation."""
    probability = probability_at(reals, outcomes, i)
    least, most = lower_at(reals, outcomes, i), upper_at(reals, outcomes, i)
    if is_lower and value > least:
        lower += probability * (value - least)
        least = np.float64(value)
    if is_upper and value < most:
        upper += probability * (value - most)
        most = np.float64(value)
    set_bounds(reals, outcomes, i, least, most)
    return lower, upper


@inlined
def star1_cutoff(lower, upper, node):
    """A bound of the expectation that is outside the window of the node; else NO_VALUE."""
    if not node.pruning & Pruning.STAR1:
        return np.int64(NO_VALUE)
    if math.floor(lower) >= node.beta:
        return np.int64(math.floor(lower))
    return np.int64(math.ceil(upper)) if math.ceil(upper) <= node.alpha else np.int64(NO_VALUE)


@inlined
def expectation(reals, outcomes, n):
    """The mean over the outcomes, whose values are known exactly."""
    total = 0.0
    for i in range(n):
        total += probability_at(reals, outcomes, i) * lower_at(reals, outcomes, i)
    return np.int64(np.rint(total))

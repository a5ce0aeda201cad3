"""The twelve turns and mirrors of a YINSH position, in compiled code: training data are seen through all of them."""

from __future__ import annotations

import numpy as np

from forgeron import compiled

from .board import COUNT
from .point_sets import (
    NOTHING,
    any_of,
    first_point,
    make_state,
    my_markers,
    my_rings,
    single,
    their_markers,
    their_rings,
    union,
    without_first,
)
from .rules import rule
from .symmetry import ALL

#: Where each point goes, at COUNT × symmetry + point; symmetry 0 leaves it.
_TARGETS = np.array([*range(COUNT), *(number for numbers in ALL.values() for number in numbers)], dtype=np.uint64)
IMAGES = 1 + len(ALL)


@compiled
def _transform(points, first):
    """A set of points, each at its place in the row of `_TARGETS` that begins at `first`."""
    found = NOTHING
    while any_of(points):
        found = union(found, single(_TARGETS[first + first_point(points)]))
        points = without_first(points)
    return found


@rule
def image(state, symmetry):
    first = np.uint64(symmetry) * np.uint64(COUNT)
    return make_state(
        _transform(my_rings(state), first),
        _transform(my_markers(state), first),
        _transform(their_rings(state), first),
        _transform(their_markers(state), first),
        state.stage,
        state.options,
    )

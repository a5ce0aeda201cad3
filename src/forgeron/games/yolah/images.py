"""The eight turns and mirrors of a Yolah position, in compiled code: training data are seen through all of them."""

from __future__ import annotations

import numpy as np

from forgeron import compiled
from forgeron.games.yolah.rules import State, rule

#: All turns and mirrors of the board.
IMAGES = 8
_1, _2, _4, _7, _8 = (np.uint64(n) for n in (1, 2, 4, 7, 8))
_14, _16, _28, _32 = (np.uint64(n) for n in (14, 16, 28, 32))


@compiled
def _swap(word, mask, shift):
    """Exchange the bits under the mask with those `shift` places higher."""
    changed = (word ^ (word >> shift)) & mask
    return word ^ changed ^ (changed << shift)


@compiled
def _transform(word, symmetry):
    """The set of squares mirrored left to right (bit 0 of the symmetry), top to bottom (1), at a1-h8 (2)."""
    if symmetry & 1:
        word = _swap(word, np.uint64(0x5555_5555_5555_5555), _1)
        word = _swap(word, np.uint64(0x3333_3333_3333_3333), _2)
        word = _swap(word, np.uint64(0x0F0F_0F0F_0F0F_0F0F), _4)
    if symmetry & 2:
        word = _swap(word, np.uint64(0x00FF_00FF_00FF_00FF), _8)
        word = _swap(word, np.uint64(0x0000_FFFF_0000_FFFF), _16)
        word = _swap(word, np.uint64(0x0000_0000_FFFF_FFFF), _32)
    if symmetry & 4:
        word = _swap(word, np.uint64(0x00AA_00AA_00AA_00AA), _7)
        word = _swap(word, np.uint64(0x0000_CCCC_0000_CCCC), _14)
        word = _swap(word, np.uint64(0x0000_0000_F0F0_F0F0), _28)
    return word


@rule
def image(state, symmetry):
    return State(
        _transform(state.mine, symmetry),
        _transform(state.theirs, symmetry),
        _transform(state.holes, symmetry),
        state.lead,
        state.turn,
    )

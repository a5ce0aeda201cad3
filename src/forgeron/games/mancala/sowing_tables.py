"""The circle of holes and what can be known of it beforehand: where seeds fall, and which holes a chain empties."""

from __future__ import annotations

from functools import cache

import numpy as np

#: The kinds of move: the reds or the blues of a hole, or its transparents and then its reds or its blues.
RED, BLUE, CLEAR_RED, CLEAR_BLUE = 0, 1, 2, 3


@cache
def circle(alternate: int, turn: int) -> tuple[tuple[int, int], ...]:
    """The side (0 the mover's, 1 the other) and the byte of each hole 1 … 16, for a side to move."""
    if alternate:
        return tuple(((hole + turn) % 2, hole // 2) for hole in range(16))
    return tuple(((hole // 8 + turn) % 2, hole % 8) for hole in range(16))


#: A hand is all transparents of a hole and all seeds of one colour: 0 … 64 seeds.
HANDS = 65
# Tables for three circles: halves (the same for both players), alternate with the first or the second to move.
_CIRCLES = (circle(0, 0), circle(1, 0), circle(1, 1))


def _make_sowings() -> np.ndarray:
    """Four words for each circle, RED or BLUE, own hole and number of seeds.

    The first two are what the words of the mover and of the other side gain. The third says where the last seed fell:
    its side (bit 0), its byte times 8 (bits 3 … 5), and how far a word with the whole circle must be turned to have
    it on top (from bit 8). The fourth is the place of that hole in `CHAINS`.
    """
    entries = np.zeros((len(_CIRCLES), 2, 8, HANDS, 4), dtype=np.uint64)
    for number, holes in enumerate(_CIRCLES):
        for kind in (RED, BLUE):
            for own in range(8):
                origin = place = holes.index((0, own))
                gains = [0, 0]
                for seeds in range(1, HANDS):
                    place = (place + 1) % 16
                    while place == origin or (kind == BLUE and holes[place][0] == 0):
                        place = (place + 1) % 16
                    side, byte = holes[place]
                    gains[side] += 1 << 8 * byte
                    turned = (15 - place) * (4 if number else 1)  # the bits a hole has in `rules.chain_length`
                    last = side | 8 * byte | turned << 8
                    entries[number, kind, own, seeds] = (*gains, last, (16 * number + place) * 17 * 2)
    return entries.reshape(-1)


def _make_chains() -> np.ndarray:
    """Two words for each circle, last hole and number of holes captured: the bytes of each side that are emptied."""
    entries = np.zeros((len(_CIRCLES), 16, 17, 2), dtype=np.uint64)
    for number, holes in enumerate(_CIRCLES):
        for last in range(16):
            masks = [0, 0]
            for length in range(1, 17):
                side, byte = holes[(last - length + 1) % 16]
                masks[side] |= 0xFF << 8 * byte
                entries[number, last, length] = masks
    return entries.reshape(-1)


SOWINGS = _make_sowings()
CHAINS = _make_chains()

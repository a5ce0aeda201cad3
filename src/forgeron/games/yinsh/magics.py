"""Reading a line by magic multiplication, for processors on which PEXT is slow or missing.

A magic factor has one bit for each point of the line, which moves the i-th point to bit 64 - n + i; all other partial
products fall off the top or stay below. Such factors exist for at most six points, so the points of the two outermost
columns of the largest board are read one by one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from forgeron import compiled
from forgeron.bits import ONE

from .board import COUNT, POINTS, line, words
from .size import LARGEST

Word = Any


def _magic(bits: list[int]) -> int:
    return sum(1 << shift for shift in {64 - len(bits) + i - bit for i, bit in enumerate(bits)})


def _tables() -> np.ndarray:
    """Twelve words for each line, at 12 × (3 × point + axis).

    Mask, magic, shift and place of its points in the low word, the same for the high word, shift and mask of the two
    points that are read alone.
    """
    rows = []
    for i in range(3 * COUNT):
        points = line(i // 3, i % 3)
        rim = i % 3 != 0  # a column is read as a whole, it has no gaps
        first = rim and POINTS[points[0]][0] == -LARGEST
        last = rim and POINTS[points[-1]][0] == LARGEST
        inner = points[first : len(points) - last]
        low, high = [p for p in inner if p < 64], [p - 64 for p in inner if p >= 64]
        row = []
        for bits, place in ((low, 1 + first), (high, 1 + first + len(low))):
            row += [words(bits)[0], _magic(bits), min(64 - len(bits), 63), place]
        row += [points[0], 2] if first else [0, 0]
        row += [points[-1] - 64 - len(points), 1 << len(points)] if last else [0, 0]
        rows.append(row)
    return np.array(rows, dtype=np.uint64).ravel()


_TABLES = _tables()
_12 = np.uint64(12)


@compiled
def read_line_by_magics(line: Word, points: tuple[Word, Word]) -> Word:
    """The points of a set that lie on a line, as one small number (bit 1 is the first point)."""
    lo, hi = points
    i = line * _12
    low = ((lo & _TABLES[i]) * _TABLES[i + np.uint64(1)]) >> _TABLES[i + np.uint64(2)] << _TABLES[i + np.uint64(3)]
    i += np.uint64(4)
    high = ((hi & _TABLES[i]) * _TABLES[i + np.uint64(1)]) >> _TABLES[i + np.uint64(2)] << _TABLES[i + np.uint64(3)]
    i += np.uint64(4)
    first = (lo << ONE) >> _TABLES[i] & _TABLES[i + np.uint64(1)]
    last = hi >> _TABLES[i + np.uint64(2)] & _TABLES[i + np.uint64(3)]
    return low | high | first | last

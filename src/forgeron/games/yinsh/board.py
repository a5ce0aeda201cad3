"""The YINSH board: its points, their names, and the tables the rules look things up in.

Boards of several sizes share one numbering, that of the largest board (N = 6, 121 points): by columns from left to
right, each from its lowest point. A smaller board is a part of it, and what is left over counts as blocked. So one set
of tables serves every N. Point i is bit i of a set that is kept in 64-bit words.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import numpy as np

from .size import LARGEST

SIZES = range(3, LARGEST + 1)
#: The six ways along a line; the opposite of way w is (w + 3) % 6, its axis is w % 3.
DIRECTIONS = ((0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0))

Point = tuple[int, int]


def on_board(point: Point, size: int) -> bool:
    """Whether the board of this size has the point: within distance `size` of the centre, and not a corner."""
    x, y = point
    return max(abs(x), abs(y), abs(x - y)) <= size and point not in {(size * dx, size * dy) for dx, dy in DIRECTIONS}


_SPAN = range(-LARGEST, LARGEST + 1)
#: The points of the largest board in the order of their numbers.
POINTS: tuple[Point, ...] = tuple((x, y) for x in _SPAN for y in _SPAN if on_board((x, y), LARGEST))
NUMBERS: dict[Point, int] = {point: number for number, point in enumerate(POINTS)}
COUNT = len(POINTS)
#: How many words a set of points has, and how many bits the number of a point.
WORDS = -(-COUNT // 64)
POINT_BITS = (COUNT - 1).bit_length()


@cache
def points_of(size: int) -> tuple[int, ...]:
    """The numbers of the points of a board, in rising order."""
    return tuple(number for number, point in enumerate(POINTS) if on_board(point, size))


@cache
def longest_line(size: int) -> int:
    """How many points the longest line of a board has."""
    columns = [POINTS[number][0] for number in points_of(size)]
    return max(columns.count(x) for x in columns)


@cache
def standard_names(size: int) -> dict[int, str]:
    """A letter for the column and a number for the height.

    >>> standard_names(5)[NUMBERS[0, 0]], standard_names(6)[NUMBERS[0, 0]]
    ('F6', 'G7')
    """
    return {n: f"{chr(ord('A') + POINTS[n][0] + size)}{POINTS[n][1] + size + 1}" for n in points_of(size)}


@cache
def course_names(size: int) -> dict[int, str]:
    """The hexagon around the centre and the place on it, clockwise from the top.

    >>> course_names(5)[NUMBERS[0, 0]], course_names(5)[NUMBERS[1, 1]]
    ('0 0', '1 1')
    """
    names = {NUMBERS[0, 0]: "0 0"}
    for h in range(1, size + 1):
        for p in range(6 * h):
            (ax, ay), (bx, by) = DIRECTIONS[p // h], DIRECTIONS[(p // h + 1) % 6]
            k = p % h
            point = (ax * (h - k) + bx * k, ay * (h - k) + by * k)
            if on_board(point, size):
                names[NUMBERS[point]] = f"{h} {p}"
    return names


@cache
def standard_numbers(size: int) -> dict[str, int]:
    return {name: number for number, name in standard_names(size).items()}


@cache
def course_numbers(size: int) -> dict[str, int]:
    return {name: number for number, name in course_names(size).items()}


def words(numbers: Iterable[int]) -> tuple[int, ...]:
    """The words of a set of points."""
    bits = sum(1 << number for number in set(numbers))
    return tuple(bits >> 64 * i & (2**64 - 1) for i in range(WORDS))


def walk(number: int, way: int) -> list[int]:
    """The points of the largest board from one of them, itself not included, in one of the six ways."""
    (x, y), (dx, dy) = POINTS[number], DIRECTIONS[way]
    found = []
    while (x + dx, y + dy) in NUMBERS:
        x, y = x + dx, y + dy
        found.append(NUMBERS[x, y])
    return found


def line(number: int, axis: int) -> list[int]:
    """The whole line through a point, in rising order of numbers."""
    return [*reversed(walk(number, axis + 3)), number, *walk(number, axis)]


def _words(sets: list[list[int]]) -> np.ndarray:
    """The first words of these sets in the first row, their second words in the second, …"""
    return np.array([words(numbers) for numbers in sets], dtype=np.uint64).T.copy()


_LINES = [line(number, axis) for number in range(COUNT) for axis in range(3)]

#: The line through a point along an axis, at 3 × point + axis: its points,
LINE_WORDS = _words(_LINES)
#: how far those of each word go up when the line is read into one number (bit 0 is the end of the line),
LINE_SHIFTS = np.array([[1 + sum(p < 64 * i for p in found) for found in _LINES] for i in range(WORDS)], np.uint64)
#: the bits just outside of it in that number,
LINE_ENDS = np.array([1 | 1 << (len(found) + 1) for found in _LINES], dtype=np.uint64)
#: where the point stands in it,
LINE_PLACE = np.array([1 + _LINES[i].index(i // 3) for i in range(3 * COUNT)], dtype=np.uint64)
#: and which point stands at each place, at 16 × line + place.
LINE_POINT = np.zeros(16 * 3 * COUNT, dtype=np.uint8)
for _i, _found in enumerate(_LINES):
    LINE_POINT[16 * _i + 1 : 16 * _i + 1 + len(_found)] = _found

#: Every line once, by the first of its points.
EVERY_LINE = np.array([i for i, found in enumerate(_LINES) if found[0] == i // 3], dtype=np.uint64)

#: The points in one of the six ways from a point, at 6 × point + way.
RAY_WORDS = _words([walk(number, way) for number in range(COUNT) for way in range(6)])
#: The way from one point to another, at COUNT × from + to; 0 where no line joins them.
WAY = np.zeros(COUNT * COUNT, dtype=np.uint8)
for _from in range(COUNT):
    for _way in range(6):
        for _to in walk(_from, _way):
            WAY[COUNT * _from + _to] = _way

#: The points next to a point.
NEAR_WORDS = _words([[w[0] for w in (walk(number, way) for way in range(6)) if w] for number in range(COUNT)])

#: What the board of a size lacks of the largest one, and the bits that are no point at all; at N.
OFF_WORDS = _words(
    [sorted(set(range(64 * WORDS)) - set(points_of(n) if n in SIZES else ())) for n in range(LARGEST + 1)]
)

#: The longest run of ones in each number of as many bits as the longest line has points.
LONGEST_RUN = np.array(
    [max(map(len, f"{bits:b}".split("0"))) for bits in range(1 << longest_line(LARGEST))], dtype=np.uint8
)

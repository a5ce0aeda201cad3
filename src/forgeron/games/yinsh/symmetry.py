"""The eleven ways to turn and mirror a YINSH board."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from .board import NUMBERS, POINTS, Point, words
from .point_sets import State
from .text import pack_move, point_sets, unpack_move


def _turned(point: Point, sixths: int) -> Point:
    """The point after that many sixths of a turn around the centre, against the clock."""
    x, y = point
    for _ in range(sixths):
        x, y = x - y, x
    return x, y


def _numbers(sixths: int, mirrored: bool) -> tuple[int, ...]:
    """Where each point goes: first mirrored at the line of equal coordinates (if at all), then turned."""
    return tuple(NUMBERS[_turned((y, x) if mirrored else (x, y), sixths)] for x, y in POINTS)


#: name → the point that each point goes to (the identity is left out)
ALL: dict[str, tuple[int, ...]] = {
    f"{'mirror-' if mirrored else ''}turn-{60 * sixths}": _numbers(sixths, mirrored)
    for mirrored in (False, True)
    for sixths in range(6)
    if mirrored or sixths
}


def map_state(state: State, numbers: tuple[int, ...]) -> State:
    images = [[numbers[n] for n in range(len(numbers)) if bits >> n & 1] for bits in point_sets(state)]
    fields = [np.uint64(word) for image in images for word in words(image)]
    return State._make([*fields, state.stage, state.options])


def map_move(move: int, numbers: tuple[int, ...]) -> int:
    kind, first, second = unpack_move(move)
    if kind in (1, 2):
        return pack_move(kind, numbers[first], numbers[second])
    return pack_move(kind, numbers[first]) if kind != 4 else move


def maps() -> list[tuple[str, Callable[[State], State], Callable[[int], int]]]:
    """Name, state map and move map of each symmetry."""
    return [
        (name, partial(map_state, numbers=numbers), partial(map_move, numbers=numbers)) for name, numbers in ALL.items()
    ]

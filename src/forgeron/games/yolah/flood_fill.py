"""Flood fills on bitboards: over empty squares step by step, and along the lines of a queen."""

from __future__ import annotations

import numpy as np

from forgeron import compiled
from forgeron.bits import ONE
from forgeron.games.yolah.rules import neighbours

_NOT_A = np.uint64(0xFEFE_FEFE_FEFE_FEFE)
_NOT_H = np.uint64(0x7F7F_7F7F_7F7F_7F7F)
_7, _8, _9 = np.uint64(7), np.uint64(8), np.uint64(9)
_2 = np.uint64(2)


@compiled
def flood(squares, empty):
    """Flood fill: the empty squares that are connected to these empty squares, they themselves included."""
    while True:
        grown = neighbours(squares) & empty
        if grown == squares:
            return squares
        squares = neighbours(grown) & empty


@compiled
def _up(squares, free, step):
    """Kogge-Stone occluded fill towards higher squares: the filled run doubles in length with every line."""
    squares |= free & (squares << step)
    free &= free << step
    squares |= free & (squares << (step * _2))
    free &= free << (step * _2)
    return squares | (free & (squares << (step * np.uint64(4))))


@compiled
def _down(squares, free, step):
    """The same towards lower squares."""
    squares |= free & (squares >> step)
    free &= free >> step
    squares |= free & (squares >> (step * _2))
    free &= free >> (step * _2)
    return squares | (free & (squares >> (step * np.uint64(4))))


@compiled
def slide(squares, empty):
    """These empty squares and all that a queen on one of them attacks, in eight fills."""
    east, west = empty & _NOT_A, empty & _NOT_H
    straight = _up(squares, empty, _8) | _down(squares, empty, _8) | _up(squares, east, ONE) | _down(squares, west, ONE)
    rising = _up(squares, east, _9) | _down(squares, west, _9)
    return straight | rising | _up(squares, west, _7) | _down(squares, east, _7)

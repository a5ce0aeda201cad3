"""Bitboards for rules: sets of squares as 64-bit words, each function one machine instruction inside kernels.

Published for games and players: the functions of `forgeron.core.bits`, the same objects.
"""

from __future__ import annotations

from forgeron.core.bits import (
    ALL,
    FAST_EXTRACT,
    ONE,
    ZERO,
    clz,
    ctz,
    deposit,
    extract,
    list_columns,
    lowest,
    nth_bit,
    popcount,
    without_lowest,
)

__all__ = [
    "ALL",
    "FAST_EXTRACT",
    "ONE",
    "ZERO",
    "clz",
    "ctz",
    "deposit",
    "extract",
    "list_columns",
    "lowest",
    "nth_bit",
    "popcount",
    "without_lowest",
]

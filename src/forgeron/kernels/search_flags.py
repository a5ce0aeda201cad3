"""The enhancements of a search as flags that can be switched on and off, to measure each of them."""

from __future__ import annotations

import enum
from collections.abc import Iterable


class SearchFlag(enum.IntEnum):
    """The base of an enumeration of such parts: each member declared with `auto()` gets a bit of its own.

    Kernels test `flags & Part.NAME`, which Numba compiles as an integer constant. (It does not understand `IntFlag`.)
    """

    @staticmethod
    def _generate_next_value_(_name: str, _start: int, count: int, _last_values: list[int]) -> int:
        return 1 << count


def combined(flags: Iterable[SearchFlag]) -> int:
    """The word in which all these flags are set.

    >>> Part = SearchFlag("Part", ["FIRST", "SECOND", "THIRD"])
    >>> combined([Part.FIRST, Part.THIRD])
    5
    """
    word = 0
    for flag in flags:
        word |= flag
    return word

"""Tiers: what Python asks only a few times runs as plain Python; what it asks often is compiled.

To compile YINSH's rules for single questions takes seconds, and one answer in plain Python less than a millisecond. So
a tiered kernel is plain Python for its first calls. It is then loaded, if its code has been stored, and compiled after
many more. Somebody on a clock must not pay for that: nothing is compiled while a player thinks, and whoever plays by
the clock outside of a player asks for compiled code beforehand (`forgeron.core.queries.compile_queries`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

#: After so many calls stored code is loaded: it takes as long as some tens of answers in plain Python.
LOAD_AFTER = 64
#: After so many calls code is compiled, which takes as long as some thousands.
COMPILE_AFTER = 4096

#: The searches under way, by their identity: a set, because threads may add and discard without a lock.
thinking: set[int] = set()


class Tier:
    """Which calls of a kernel are plain Python, counted for each type of its first argument, the state."""

    def __init__(self, is_stored: Callable[..., bool]) -> None:
        self._is_stored = is_stored
        self._calls: Counter[type] = Counter()

    def is_plain(self, *args: Any) -> bool:
        """Whether this call, for which there is no machine code yet, is to be plain Python."""
        kind = type(args[0])
        self._calls[kind] += 1
        calls = self._calls[kind]
        if calls <= LOAD_AFTER or thinking:
            return True
        if calls > COMPILE_AFTER:
            return False
        return calls % LOAD_AFTER != 1 or not self._is_stored(*args)

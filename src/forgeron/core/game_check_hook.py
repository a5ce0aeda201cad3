"""The hook that checks a game before its code runs, where it does not come with the package.

The commands ask `forgeron.laws.quick_check`; a program that uses the library knows what it runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

Check = Callable[[str], None]
"""takes the name or path of a game, and raises a ForgeronError to refuse it"""

_check: Check | None = None
_passed: set[str] = set()


def ask(name: str) -> None:
    """Ask whether the game of this name or path may be run; it is asked once."""
    if _check is not None and name not in _passed:
        _check(name)
        _passed.add(name)


@contextmanager
def guarded_by(check: Check) -> Iterator[None]:
    """While this lasts, `check` is asked."""
    global _check
    before, _check = _check, check
    try:
        yield
    finally:
        _check = before
        _passed.clear()

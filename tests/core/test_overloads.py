"""A helper is compiled once for its arguments, whatever flags its callers have; what it inherits tells it apart."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numba
import pytest
from numba.core import event

from forgeron.core.jit import JIT, compiled, inlined

pytestmark = pytest.mark.skipif(not JIT, reason="plain Python compiles nothing")


class _Compilations(event.Listener):  # type: ignore[misc]
    """Counts which functions are compiled."""

    def __init__(self) -> None:
        self.names: Counter[str] = Counter()

    def on_start(self, event: Any) -> None:
        self.names[event.data["dispatcher"].py_func.__name__] += 1

    def on_end(self, event: Any) -> None:
        pass


@inlined
def always(x):
    return x * 3


@compiled
def middle(x):
    return always(x) + 1


@compiled
def product(x, y):
    return x * y + y


@numba.njit(nogil=True)
def with_other_flags(x):
    return middle(x) + always(x)


@numba.njit(fastmath=True)
def fast(x):
    return product(x, x)


@numba.njit
def exact(x):
    return product(x, x)


def test_callers_with_other_flags_share_a_helper_that_says_how_it_is_compiled() -> None:
    heard = _Compilations()
    with event.install_listener("numba:compile", heard):
        assert with_other_flags(2) == 13
    assert heard.names == {"with_other_flags": 1, "middle": 1, "always": 1}


def test_fast_mathematics_is_not_shared_with_those_who_did_not_ask_for_it() -> None:
    heard = _Compilations()
    with event.install_listener("numba:compile", heard):
        assert fast(2.0) == exact(2.0) == 6.0
    assert heard.names["product"] == 2

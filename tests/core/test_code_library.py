"""Helpers become machine code inside kernels only; all else works as Numba promises."""

from __future__ import annotations

import signal

import numba
import pytest
from numba.core.codegen import JITCodeLibrary

from forgeron.core.code_library import DeferredLibrary
from forgeron.core.jit import JIT, compiled

pytestmark = pytest.mark.skipif(not JIT, reason="plain Python has no machine code")


@compiled
def double(x):
    if x < 0:
        raise ValueError("less than nothing")
    return x + x


@numba.njit
def both_ways(x):
    """A function of somebody else's, called by machine code and from Python."""
    return double(x) + 1


@numba.njit
def entry(x):
    return both_ways(x) * 10


def _libraries(dispatcher: object) -> list[DeferredLibrary]:
    return [result.library for result in dispatcher.overloads.values()]  # type: ignore[attr-defined]


def _called(library: DeferredLibrary) -> list[DeferredLibrary]:
    """The libraries that this one is linked with, and those that they are linked with."""
    own = list(library._linking_libraries)
    return own + [one for other in own for one in _called(other)]


def test_a_helper_of_a_helper_is_linked_and_what_python_calls_is_machine_code() -> None:
    assert entry(4) == 90
    assert both_ways(4) == 9
    assert all(library._is_machine_code for library in (*_libraries(entry), *_libraries(both_ways)))
    helpers = [
        library
        for library in _called(_libraries(entry)[0])
        if isinstance(library, DeferredLibrary) and library.name.endswith("double")
    ]
    assert helpers
    assert not any(library._is_machine_code for library in helpers)


def test_an_error_of_a_helper_reaches_python() -> None:
    with pytest.raises(ValueError, match="less than nothing"):
        entry(-1)


def test_ctrl_c_is_heard_when_the_machine_code_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    @numba.njit
    def late(x):
        return both_ways(x) - 1

    make, made = JITCodeLibrary._finalize_final_module, []

    def interrupted(library: JITCodeLibrary) -> None:
        signal.raise_signal(signal.SIGINT)
        make(library)
        made.append(library)

    with monkeypatch.context() as patched:
        patched.setattr(JITCodeLibrary, "_finalize_final_module", interrupted)
        with pytest.raises(KeyboardInterrupt):
            late(4)
    assert made
    assert late(4) == 8

"""One source, two speeds: the switch between compiled and plain Python.

Every function that a search runs is written once, in Python:

* `@compiled` marks a helper. Called from Python it is plain Python; called from a kernel it is machine code.
* `@kernel` marks an entry point. It is compiled by Numba on first use for the game's state type, kept on disk, and
  releases the GIL while it runs.
* `@tiered_kernel` marks an entry point for single questions: plain Python until it has been asked often.

With ``FORGERON_JIT=0`` both are plain Python: slow, but a debugger steps through it and coverage sees it.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

F = TypeVar("F", bound=Callable[..., Any])

#: True when kernels are compiled, False when ``FORGERON_JIT=0`` asks for plain Python.
JIT = os.environ.get("FORGERON_JIT", "1") != "0"


def _wrapping(function: F) -> F:
    """The function as plain Python, with integers that wrap around silently as they do in machine code."""

    @functools.wraps(function)
    def run(*args: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*args)

    entry: Any = run
    result: F = entry
    return result


def _is_integers(result: object) -> bool:
    """Whether it is a number, or a tuple of such, that machine code could have given."""
    if isinstance(result, tuple):
        return all(map(_is_integers, result))
    return isinstance(result, int | np.integer)


if JIT:
    from numba import njit
    from numba.core.errors import NumbaError

    from forgeron.core.cache import SourceCache, note_source
    from forgeron.core.code_library import COLD_KERNELS, INLINED, defer_machine_code
    from forgeron.core.compile_errors import explain
    from forgeron.core.errors import ForgeronError
    from forgeron.core.garbage import uncollected
    from forgeron.core.numba_imports import defer_scipy
    from forgeron.core.overloads import overload_once
    from forgeron.core.tiers import Tier

    defer_scipy()
    defer_machine_code()
    #: Helpers are called by compiled code alone: they need no entries for Python and C.
    HELPER_OPTIONS: Any = {"error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True}

    def compiled(function: F) -> F:
        """Let kernels call `function` as machine code; from Python it stays what it was."""
        note_source(function)
        overload_once(function, HELPER_OPTIONS, strict=False)(lambda *_args: function)
        return function

    def inlined(function: F) -> F:
        """Like `compiled`, and always inlined into its caller: for the steps of a search and the access to its memory,
        whose calls would cost more than their work. Not for what is long and called from several places."""
        note_source(function)
        INLINED.add(function.__qualname__)
        overload_once(function, {**HELPER_OPTIONS, "forceinline": True}, strict=False)(lambda *_args: function)
        return function

    def kernel(function: F) -> F:
        """Compile `function` once per argument types, keep it on disk, release the GIL in it."""
        note_source(function)
        options: Any = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
        dispatcher: Any = njit(**options)(function)
        dispatcher._cache = SourceCache(function)
        compile_for = dispatcher._compile_for_args

        def compile_or_explain(*args: Any, **kwargs: Any) -> Any:
            """What the dispatcher asks for when it meets new types; a game's author is told what is wrong with it."""
            try:
                with uncollected():
                    return compile_for(*args, **kwargs)
            except NumbaError as error:
                dispatcher._cache.give_up()
                explained = explain(error, args)
                if explained is None:
                    raise
                raise explained from None
            except BaseException:
                dispatcher._cache.give_up()
                raise

        dispatcher._compile_for_args = compile_or_explain
        entry: F = dispatcher
        return entry

    def cold_kernel(function: F) -> F:
        """Like `kernel`, for what Python calls once a move: its parts are optimised, but not once more together."""
        COLD_KERNELS.add(function.__qualname__)
        return kernel(function)

    def tiered_kernel(function: F) -> F:
        """Like `cold_kernel`, and plain Python until it has been called often: see `forgeron.core.tiers`."""
        dispatcher: Any = cold_kernel(function)
        interpret = _wrapping(function)
        dispatcher._compile_at_once = compile_for = dispatcher._compile_for_args
        tier = Tier(lambda *args: dispatcher._cache.is_stored(tuple(map(dispatcher.typeof_pyval, args))))

        def plain(*args: Any) -> Any:
            """As plain Python; where that fails, the compiler says what is wrong with the rule, or does without."""
            try:
                result = interpret(*args)
            except ForgeronError:
                raise
            except Exception:
                result = None
            if _is_integers(result):
                return result
            compile_for(*args)
            return dispatcher(*args)

        def compile_or_interpret(*args: Any, **kwargs: Any) -> Any:
            """What the dispatcher calls when it has no machine code for the arguments; it calls what comes back."""
            return plain if tier.is_plain(*args) else compile_for(*args, **kwargs)

        dispatcher._compile_for_args = compile_or_interpret
        entry: F = dispatcher
        return entry

    def compile_now(entry: Callable[..., Any], *args: Any) -> None:
        """Have a tiered kernel compiled, or loaded, for arguments like these, without waiting for many calls."""
        dispatcher: Any = entry
        dispatcher._compile_at_once(*args)

else:

    def compiled(function: F) -> F:
        """Plain Python: nothing to do."""
        return function

    inlined = compiled

    kernel = cold_kernel = tiered_kernel = _wrapping

    def compile_now(entry: Callable[..., Any], *args: Any) -> None:
        """Plain Python: nothing to do."""

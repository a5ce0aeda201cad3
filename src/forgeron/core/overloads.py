"""Functions that kernels call, compiled once for each types of their arguments.

Numba compiles an overload anew for every set of compiler flags that one of its callers happens to have, although the
code of a helper depends on hardly any of them: rules were compiled for kernels and once more for helpers of kernels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from numba.core import types
from numba.core.targetconfig import ConfigStack
from numba.core.typing.templates import infer, infer_global, make_overload_template

F = TypeVar("F", bound=Callable[..., Any])


def overload_once(function: Callable[..., Any], options: Mapping[str, Any], *, strict: bool = True) -> Callable[[F], F]:
    """`numba.extending.overload` for helpers, whose options say how they are compiled whoever calls them.

    What they inherit from their caller is part of what tells them apart: fast mathematics, and the order to inline
    where their own options do not give it.
    """
    inherits_inlining = "forceinline" not in options

    def get_impl(self: Any, args: Any, kws: Any) -> Any:
        flags: Any = ConfigStack.top_or_none()
        inherited = flags and (repr(flags.fastmath), inherits_inlining and flags.forceinline)
        key = self.context, tuple(args), tuple(kws.items()), inherited
        found = self._impl_cache.get(key)
        return self._build_impl(key, args, kws) if found is None else found

    def decorate(implementation: F) -> F:
        chosen = {"nopython": True, "no_cpython_wrapper": True, **options}
        template: Any = make_overload_template(function, implementation, chosen, strict, "never")
        template._get_impl = get_impl
        infer(template)
        infer_global(function, types.Function(template))
        return implementation

    return decorate

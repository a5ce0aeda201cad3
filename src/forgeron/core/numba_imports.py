"""What Numba imports although nothing of ours needs it.

Numba asks whether there is a BLAS as soon as it compiles or loads anything, and imports all of SciPy's linear algebra
to find out: a fifth of the time of a warm start. Here it asks when somebody compiles what wants to know. The answer is
the same, and a Numba whose parts are not where they were is left alone.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


def defer_scipy() -> None:
    """Put off Numba's import of SciPy until code that uses linear algebra is compiled."""
    if "numba.np.arraymath" in sys.modules or "scipy.linalg" in sys.modules:
        return
    from numba.np import linalg

    module: Any = linalg
    ensure_blas = getattr(module, "ensure_blas", None)
    if ensure_blas is None or "numba.np.arraymath" in sys.modules:
        return
    module.ensure_blas = lambda: None
    try:
        from numba.np import arraymath
    finally:
        module.ensure_blas = ensure_blas
    _ask_later(arraymath, ensure_blas)


def _ask_later(arraymath: ModuleType, ensure_blas: Any) -> None:
    """Have the module say whether there is a BLAS when it is asked."""
    names: Any = vars(arraymath)
    if "_HAVE_BLAS" in names:
        names["_HAVE_BLAS"] = _HasBlas(ensure_blas)
    if "ensure_blas" in names:
        names["ensure_blas"] = ensure_blas


class _HasBlas:
    """True where there is a BLAS, which is found out when somebody asks."""

    def __init__(self, ensure_blas: Any) -> None:
        self._ensure_blas = ensure_blas

    def __bool__(self) -> bool:
        try:
            self._ensure_blas()
        except ImportError:
            return False
        return True

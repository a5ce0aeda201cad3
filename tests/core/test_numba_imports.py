"""Numba's import of SciPy is put off, and what asks for linear algebra gets what it would have got."""

from __future__ import annotations

import importlib.util
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from forgeron.core.jit import JIT

Run = Callable[..., subprocess.CompletedProcess[str]]
pytestmark = pytest.mark.skipif(not JIT, reason="plain Python imports no Numba")
HAS_SCIPY = importlib.util.find_spec("scipy") is not None

PLAY = "import forgeron, sys; game = forgeron.game('yolah'); game.perft(game.start(), 2);"
DOT = """
import numba, numpy as np
@numba.njit
def both(a, b):
    return np.dot(a, b), np.correlate(a, b)[0]
a = np.arange(4.0)
"""


def test_playing_imports_no_linear_algebra(run_python: Run) -> None:
    assert run_python(f"{PLAY} print('scipy.linalg' in sys.modules)").stdout == "False\n"


@pytest.mark.skipif(not HAS_SCIPY, reason="Numba's linear algebra needs SciPy")
@pytest.mark.parametrize("before", ["", f"{DOT}both(a, a)\n"], ids=["after-us", "before-us"])
def test_linear_algebra_of_somebody_else_works_as_ever(before: str, run_python: Run) -> None:
    code = f"{before}{PLAY}\n{DOT}print(*both(a, a), 'scipy.linalg' in sys.modules)"
    assert run_python(code).stdout == "14.0 14.0 True\n"


def test_without_scipy_numba_says_what_it_lacks(run_python: Run, tmp_path: Path) -> None:
    hidden = "import sys; sys.modules['scipy.linalg.cython_blas'] = None\n"
    code = f"{hidden}{PLAY}\n{DOT}from numba.np import arraymath; print(bool(arraymath._HAVE_BLAS))"
    assert run_python(code).stdout == "False\n"

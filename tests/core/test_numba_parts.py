"""The private parts of Numba that Forgeron builds on. A failure here names the part that moved in a new version."""

from __future__ import annotations

import importlib
import inspect

import numba
import pytest

from forgeron.core.jit import JIT

PARTS = [
    ("numba.core.caching", "_Cache"),
    ("numba.core.codegen", "JITCodeLibrary"),
    ("numba.core.environment", "lookup_environment"),
    ("numba.core.registry", "cpu_target"),
    ("numba.core.compiler", "CompileResult"),
    ("numba.core.config", "BOUNDSCHECK"),
    ("numba.core.dispatcher", "Dispatcher"),
    ("numba.core.serialize", "dumps"),
    ("numba.core.errors", "NumbaError"),
    ("numba.core.cgutils", "alloca_once"),
    ("numba.core.cgutils", "get_or_insert_function"),
    ("numba.core.imputils", "impl_ret_borrowed"),
    ("numba.extending", "intrinsic"),
    ("numba.extending", "overload"),
    ("numba.extending", "register_jitable"),
]


@pytest.mark.parametrize(("module", "name"), PARTS)
def test_a_part_is_where_it_was(module: str, name: str) -> None:
    assert hasattr(importlib.import_module(module), name), f"Numba {numba.__version__} has no {module}.{name}"


@pytest.mark.skipif(not JIT, reason="plain Python has no dispatchers")
def test_a_dispatcher_asks_its_cache_and_compiles_as_we_expect() -> None:
    @numba.njit
    def same(x: int) -> int:
        return x

    assert hasattr(same, "_cache")
    assert callable(same._compile_for_args)
    assert len(inspect.signature(same._cache.load_overload).parameters) == 2  # signature, target context
    assert len(inspect.signature(same._cache.save_overload).parameters) == 2  # signature, what was compiled
    assert hasattr(importlib.import_module("numba.core.compiler").CompileResult, "_rebuild")


@pytest.mark.parametrize(
    "method",
    ["_optimize_final_module", "_finalize_final_module", "_get_module_for_linking", "_raise_if_finalized"],
)
def test_a_library_of_code_is_made_in_the_steps_that_we_defer(method: str) -> None:
    library = importlib.import_module("numba.core.codegen").JITCodeLibrary
    assert callable(getattr(library, method, None)), f"Numba {numba.__version__} has no JITCodeLibrary.{method}"

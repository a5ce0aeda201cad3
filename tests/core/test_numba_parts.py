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
    ("numba.core.targetconfig", "ConfigStack"),
    ("numba.core.typing.templates", "infer"),
    ("numba.core.typing.templates", "infer_global"),
    ("numba.core.typing.templates", "make_overload_template"),
    ("numba.np.arraymath", "_HAVE_BLAS"),
    ("numba.np.linalg", "ensure_blas"),
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


def test_a_template_of_overloads_finds_its_implementation_in_the_steps_that_we_change() -> None:
    template = importlib.import_module("numba.core.typing.templates")._OverloadFunctionTemplate
    assert list(inspect.signature(template._get_impl).parameters) == ["self", "args", "kws"]
    assert list(inspect.signature(template._build_impl).parameters) == ["self", "cache_key", "args", "kws"]


@pytest.mark.skipif(not JIT, reason="plain Python has no dispatchers")
def test_a_dispatcher_calls_what_comes_back_instead_of_machine_code() -> None:
    @numba.njit
    def same(x: int) -> int:
        return x

    same._compile_for_args = lambda *_args, **_kwargs: lambda x: f"plain {x}"
    assert same(1) == "plain 1"


def test_the_first_passes_of_the_optimiser_can_be_asked_for() -> None:
    codegen = importlib.import_module("numba.core.registry").cpu_target.target_context.codegen()
    passes, _builder = codegen._module_pass_manager(opt=0, loop_vectorize=False, slp_vectorize=False, cost="cheap")
    assert callable(passes.run)

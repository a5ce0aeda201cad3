"""Machine code for kernels only, not for each of their helpers.

Numba makes machine code of every function that it compiles, although a helper is only ever called inside kernels, into
which its optimised code is linked. Here machine code is made when somebody asks for the address of a function, as only
Python does. Linking and optimising are Numba's own, with two exceptions. A step of a search that contains rules and is
always inlined is optimised in its caller only, instead of at every level between the rules and the kernel; and a kernel
that is called once a move is linked from optimised parts and not optimised again. Rules are optimised by themselves: to
optimise everything only once, when all is linked, would save more, and made some kernels slower by a half.
"""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.environment import lookup_environment
from numba.core.registry import cpu_target

from forgeron.core.critical_section import uninterrupted

#: How Numba begins the names of the variables in which a function keeps what belongs to Python, such as its errors.
_ENVIRONMENT = "_ZN08NumbaEnv"

#: The names of the functions of the contract, which are a game's rules.
RULES: set[str] = set()
#: The names of functions that are always inlined.
INLINED: set[str] = set()
#: The names of kernels that are called so seldom that inlining what they call is enough.
COLD_KERNELS: set[str] = set()


class DeferredLibrary(JITCodeLibrary):
    """The code of one function with all that it calls, made machine code when its address is asked for."""

    _is_machine_code = False
    _contains_rules = False

    def _optimize_final_module(self) -> None:
        """Numba's passes over a function and all that it calls, as far as they are worth their time."""
        self._contains_rules = any(_contains_rules(library) for library in self._linking_libraries)
        if self.name in INLINED and self._contains_rules:
            return
        if self.name not in COLD_KERNELS:
            super()._optimize_final_module()
            return
        codegen: Any = self._codegen  # Numba's own first passes: they inline what has to be
        passes, builder = codegen._module_pass_manager(opt=0, loop_vectorize=False, slp_vectorize=False, cost="cheap")
        passes.run(self._final_module, builder)

    def _finalize_final_module(self) -> None:
        """The last step of Numba's `finalize`, after linking and optimising: put off."""
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """The address of a function; 0, and nothing is done, where the library does not define it."""
        self._ensure_finalized()
        if not self._is_machine_code:
            try:
                self._final_module.get_function(name)
            except NameError:
                return 0
            self._make_machine_code()
        address: int = super().get_pointer_to_function(name)
        return address

    def _make_machine_code(self) -> None:
        with uninterrupted():  # LLVM calls back into Python, and an interrupt there would be lost with the code
            self._is_machine_code = True
            super()._finalize_final_module()
            codegen: Any = self._codegen
            for variable in self._final_module.global_variables:
                if variable.name.startswith(_ENVIRONMENT):
                    environment = lookup_environment(variable.name)
                    if environment is not None:
                        codegen.set_env(variable.name, environment)

    @classmethod
    def _unserialize(cls, codegen: Any, state: Any) -> Any:
        """A library from the cache, which is machine code already."""
        library = super()._unserialize(codegen, state)
        library._is_machine_code = True
        JITCodeLibrary._finalize_final_module(library)
        return library


def _contains_rules(library: Any) -> bool:
    return library.name in RULES or getattr(library, "_contains_rules", False)


def defer_machine_code() -> None:
    """From now on, let this process compile so. Code of other users of Numba is only made later, too."""
    codegen: Any = cpu_target.target_context.codegen()
    set_env = codegen.set_env

    def set_env_of_machine_code(name: str, environment: Any) -> None:
        if codegen._engine.is_symbol_defined(name):  # else it is set when there is machine code
            set_env(name, environment)

    codegen._library_class = DeferredLibrary
    codegen.set_env = set_env_of_machine_code

"""Compiled kernels on disk, never stale.

Numba's own cache looks only at the file of the cached function, so a kernel compiled for a game would go on running
the OLD rules after the game's file was edited. Here the folder of a cached kernel is named by a digest of every
source file that can be compiled into it (the kernel's module, the game's modules, and all they refer to), of the
constants and tables those modules hold, and of the compiler's version and flags. A source file is read when its module
is imported and never again: edited while the program runs, it does not lend its name to the old rules.

Each compiled function is one file, written under another name and then renamed, so processes that compile at the same
time cannot mix their files; those that want the same kernel take turns, and it is compiled once.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib
import math
import os
import pickle
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import llvmlite
import numba
import numpy as np
import platformdirs
from numba.core import compiler, config
from numba.core.caching import _Cache
from numba.core.dispatcher import Dispatcher
from numba.core.registry import cpu_target
from numba.core.serialize import dumps

from forgeron.core.compile_turn import take_turn
from forgeron.core.errors import ForgeronError
from forgeron.core.files import write_file

#: Folders of compiled code that nobody loaded for this long are removed.
FORGET_AFTER_DAYS = 30

#: Libraries that a version number stands for; their sources are not read.
_VERSIONED = frozenset({"numba", "numpy", "llvmlite"}) | sys.stdlib_module_names

#: Called as ``announce(what)`` when a compilation starts; what it returns is called with the seconds when it ends, or
#: with not-a-number when it failed or was interrupted.
Announcer = Callable[[str], Callable[[float], None]]

_CLEAR_LINE = "\r\x1b[K"
#: What is announced on stderr just now. What it needs is compiled meanwhile, and is a part of it.
_on_stderr: list[str] = []


def announce_on_stderr(what: str) -> Callable[[float], None]:
    """Say on stderr that `what` is being compiled; ``FORGERON_QUIET=1`` silences it.

    A terminal has one line, which is gone when the work is done; a file has a line for each kernel, with its time. A
    kernel that another one needs has none of its own.
    """
    if os.environ.get("FORGERON_QUIET") == "1" or _on_stderr:
        return lambda _seconds: None
    _on_stderr.append(what)
    terminal = sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"

    def done(seconds: float) -> None:
        _on_stderr.clear()
        if math.isnan(seconds):
            said = f"{_CLEAR_LINE}compiling {what} … not finished\n" if terminal else "not finished\n"
        else:
            said = _CLEAR_LINE if terminal else f"{seconds:.1f} s (once; kept for next time)\n"
        print(said, end="", file=sys.stderr, flush=True)

    begun = f"{_CLEAR_LINE}compiling {what} … (once; kept for next time)" if terminal else f"compiling {what} … "
    print(begun, end="", file=sys.stderr, flush=True)
    return done


announce: Announcer = announce_on_stderr

#: What this process compiled because no stored code was found: the tests ask that a second process leaves it empty.
compilations: list[str] = []

_sources_of_state: dict[type, set[str]] = {}
_name_of_state: dict[type, str] = {}
#: A digest of the source of each module as it was imported; a module that is imported again has another spec.
_source_of_module: WeakKeyDictionary[ModuleType, tuple[object, bytes]] = WeakKeyDictionary()


def add_sources(state: type, *modules: str) -> None:
    """Tell the cache that kernels for `state` are made from these modules too."""
    _sources_of_state.setdefault(state, {state.__module__}).update(modules)
    source_digest.cache_clear()


def name_state(state: type, game: str) -> None:
    """Tell the cache what the game of `state` is called, for the notices; all its modules have been imported."""
    _name_of_state[state] = game
    for module in _reachable({state.__module__}):
        _note(module)


def note_source(function: Callable[..., Any]) -> None:
    """Read the source that a function comes from, while its module is imported."""
    module = sys.modules.get(function.__module__)
    if module is not None and getattr(module, "__file__", None):
        _note(module)


def _note(module: ModuleType) -> None:
    with contextlib.suppress(OSError):  # one without a file has no code that is kept
        _source_of(module)


def _source_of(module: ModuleType) -> bytes:
    spec, digest = _source_of_module.get(module, (None, b""))
    if not digest or spec is not getattr(module, "__spec__", None):
        digest = hashlib.blake2b(Path(str(module.__file__)).read_bytes()).digest()
        _source_of_module[module] = getattr(module, "__spec__", None), digest
    return digest


def cache_root() -> Path:
    """The folder of all compiled code: ``FORGERON_CACHE_DIR``, else the user's cache folder."""
    chosen = os.environ.get("FORGERON_CACHE_DIR")
    return Path(chosen) if chosen else Path(platformdirs.user_cache_dir("forgeron")) / "kernels"


def _nothing() -> None: ...


class _Compilation(NamedTuple):
    """A compilation under way."""

    started: float
    done: Callable[[float], None]
    """closes its notice"""
    end_turn: Callable[[], None]


class SourceCache(_Cache):
    """The on-disk cache of one kernel, in the form Numba's dispatcher expects."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._started: dict[Any, _Compilation] = {}
        self._enabled = True

    @property
    def cache_path(self) -> str:
        return str(cache_root())

    def enable(self) -> None:
        self._enabled = True

    def disable(self) -> None:
        self._enabled = False

    def flush(self) -> None:
        """Nothing to do: a changed source has another folder."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The stored code for these argument types, or None after announcing a compilation."""
        target_context.refresh()
        end_turn: Callable[[], None] = _nothing
        if self._keeps(sig):
            path = self._path(sig, target_context.codegen())
            stored = _stored(path, target_context)
            if stored is None:
                with contextlib.suppress(OSError):
                    _make_folder(path.parent)
                end_turn = take_turn(path.with_suffix(".lock"))
                stored = _stored(path, target_context)  # by the process that had the turn before
            if stored is not None:
                end_turn()
                return stored
        what = self._describe(sig)
        compilations.append(what)
        self._started[sig] = _Compilation(time.perf_counter(), announce(what), end_turn)
        return None

    def is_stored(self, sig: Any) -> bool:
        """Whether there is a file of code for these argument types."""
        return self._keeps(sig) and self._path(sig, cpu_target.target_context.codegen()).is_file()

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep freshly compiled code; a folder that cannot be written only costs the next start its time."""
        begun = self._started.pop(sig, None)
        if begun is not None:
            begun.done(time.perf_counter() - begun.started)
        if self._keeps(sig) and not data.library.has_dynamic_globals:
            path = self._path(sig, data.codegen)
            with contextlib.suppress(OSError, ForgeronError):
                _make_folder(path.parent)
                # Code that a power failure tears is known by its seal and compiled again.
                write_file(path, _sealed(dumps(data._reduce())), sync=False)
        if begun is not None:
            begun.end_turn()

    def give_up(self) -> None:
        """The compilation under way has come to nothing: close its notice."""
        while self._started:
            _, begun = self._started.popitem()
            begun.done(math.nan)
            begun.end_turn()

    def _keeps(self, sig: Any) -> bool:
        """A state class of a script run by name has no module to find it in again: its code is not kept."""
        return self._enabled and all(state.__module__ != "__main__" for state in _states(sig))

    def _describe(self, sig: Any) -> str:
        name = self._function.__name__.replace("_", " ")
        games = sorted(_name_of_state.get(state, state.__module__) for state in _states(sig))
        return f"{name} for {', '.join(games)}" if games else name

    def _path(self, sig: Any, codegen: Any) -> Path:
        roots = {self._function.__module__}
        for state in _states(sig):
            roots |= _sources_of_state.get(state, {state.__module__})
        what = repr((self._function.__qualname__, sig, codegen.magic_tuple())).encode()
        name = f"{self._function.__name__}-{hashlib.blake2b(what, digest_size=10).hexdigest()}.bin"
        return cache_root() / source_digest(frozenset(roots)) / name


def _stored(path: Path, target_context: Any) -> Any:
    """The machine code in this file, or None where there is none that is whole."""
    with contextlib.suppress(OSError):
        payload = _unsealed(path.read_bytes())
        if payload is not None:
            with contextlib.suppress(OSError):
                os.utime(path.parent)
            return compiler.CompileResult._rebuild(target_context, *pickle.loads(payload))
    return None


def _sealed(payload: bytes) -> bytes:
    """The payload behind its checksum: damaged machine code must not be run."""
    return hashlib.blake2b(payload, digest_size=16).digest() + payload


def _unsealed(data: bytes) -> bytes | None:
    payload = data[16:]
    return payload if _sealed(payload) == data else None


def _states(sig: Any) -> set[type]:
    args = sig if isinstance(sig, tuple) else sig.args
    kinds = {arg.instance_class for arg in args if hasattr(arg, "instance_class")}
    return kinds & _sources_of_state.keys()


def _make_folder(folder: Path) -> None:
    """Create `folder`; when it is new, forget folders that have not been used for a long time."""
    if folder.is_dir():
        return
    folder.mkdir(parents=True, exist_ok=True)
    oldest = time.time() - FORGET_AFTER_DAYS * 86_400
    for other in folder.parent.iterdir():
        if other.is_dir() and other.stat().st_mtime < oldest:
            shutil.rmtree(other, ignore_errors=True)


@functools.cache
def source_digest(roots: frozenset[str]) -> str:
    """A name for everything that decides the machine code made from these modules."""
    digest = hashlib.blake2b(digest_size=12)
    flags = [getattr(config, name) for name in ("BOUNDSCHECK", "OPT", "DEBUGINFO_DEFAULT")]
    versions = (sys.version_info[:3], numba.__version__, llvmlite.__version__, np.__version__)
    digest.update(repr((flags, versions)).encode())
    for module in _reachable(roots):
        digest.update(module.__name__.encode())
        digest.update(_source_of(module))
        if module.__name__ == "forgeron":
            continue  # see `_published`
        for name, value in sorted(vars(module).items(), key=lambda item: item[0]):
            if isinstance(value, np.ndarray):
                digest.update(f"{name} {value.dtype} {value.shape}".encode())
                digest.update(np.ascontiguousarray(value).tobytes())
            elif not name.startswith("__") and _is_constant(value):
                digest.update(f"{name} {value!r}".encode())
    return digest.hexdigest()


def _is_constant(value: object) -> bool:
    """Whether a global is frozen into machine code by its value, and always printed the same."""
    if isinstance(value, tuple):
        return all(_is_constant(part) for part in value)
    return isinstance(value, int | float | str | bytes | np.generic)


def _reachable(roots: Iterable[str]) -> list[ModuleType]:
    """The modules that these modules refer to, in any number of steps, with a source file of their own.

    What other installed packages refer to in their turn is left out: only their own file counts.
    """
    followed = {"forgeron", *(root.partition(".")[0] for root in roots)}
    found: dict[str, ModuleType] = {}
    waiting = list(roots)
    while waiting:
        name = waiting.pop()
        module = sys.modules.get(name)
        if name in found or module is None or name.partition(".")[0] in _VERSIONED:
            continue
        if not str(getattr(module, "__file__", None) or "").endswith(".py"):
            continue
        found[name] = module
        if name == __name__:
            continue  # what `announce` refers to is not compiled into anything
        if name.partition(".")[0] in followed or "site-packages" not in str(module.__file__):
            waiting.extend(_referred(module))
    return [found[name] for name in sorted(found)]


def _referred(module: ModuleType) -> Iterator[str]:
    if module.__name__ == "forgeron":
        yield from _published()
        return
    for value in list(vars(module).values()):
        if isinstance(value, ModuleType):
            yield value.__name__
        elif isinstance(value, type | FunctionType | Dispatcher):
            home = getattr(value, "__module__", None)
            if isinstance(home, str):
                yield home


def _published() -> Iterator[str]:
    """What machine code can use of the package `forgeron` itself: what it publishes from core.

    Its attributes would not do: they are whatever this process happens to have asked for so far.
    """
    import forgeron

    for name in sorted({*forgeron.PUBLISHED_MODULES, *forgeron.HOMES.values()}):
        if name.startswith("core.") or name in ("bits", "contract", "rng"):
            yield importlib.import_module(f"forgeron.{name}").__name__

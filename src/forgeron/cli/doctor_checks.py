"""What `forgeron doctor` looks at: each check says how something stands, and what would make it better."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Standing = Literal["ok", "note", "broken"]

#: Extras of pyproject.toml: the package that each brings, and what it is for.
EXTRAS = {
    "train": ("torch", "training networks"),
    "tune": ("cma", "tuning by evolution"),
    "graph": ("resvg_py", "graphs as PNG pictures"),
    "cluster": ("ray", "games on many machines"),
}
#: Programs beside Python that some tasks need.
PROGRAMS = {"gcc": "bots in C", "javac": "bots in Java", "rustc": "bots in Rust", "chromium": "tests of the page"}
#: Random games of Yolah for the measurement: some hundredths of a second.
SPEED_GAMES = 20_000


@dataclass(frozen=True)
class Diagnosis:
    """One line of the report."""

    topic: str
    standing: Standing
    found: str
    remedy: str = ""
    """what would make it better; empty where nothing has to be done"""


def all_checks() -> Iterator[Diagnosis]:
    """Every check, the quick ones first."""
    yield from (_version(), _machine())
    yield from (_libraries(), _extras(), _programs())
    yield from (_compiler(), _compiled_code(), _data_folder())
    yield from _games()
    yield from (_sandbox(), _speed())


def _version() -> Diagnosis:
    import forgeron

    where = Path(forgeron.__file__).parent
    return Diagnosis("Forgeron", "ok", f"{forgeron.__version__}, Python {platform.python_version()}, in {where}")


def _machine() -> Diagnosis:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return Diagnosis("machine", "ok", f"{_processor()}, {cores} core{'s' * (cores != 1)}, {platform.system()}")


def _processor() -> str:
    """The processor's own name where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def installed(package: str) -> str | None:
    """The version of an installed package, None where it is not there. Nothing is imported."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _libraries() -> Diagnosis:
    names = ("numba", "llvmlite", "numpy", "rich", "starlette", "typer", "uvicorn")
    found = {name: installed(name) for name in names}
    missing = [name for name, version in found.items() if version is None]
    text = ", ".join(f"{name} {version or 'missing'}" for name, version in found.items())
    return Diagnosis("libraries", "broken" if missing else "ok", text, "install Forgeron again" if missing else "")


def _extras() -> Diagnosis:
    there = {extra: installed(package) for extra, (package, _) in EXTRAS.items()}
    text = ", ".join(f"{extra} {'yes' if version else 'no'}" for extra, version in there.items())
    missing = [f"{extra} for {EXTRAS[extra][1]}" for extra, version in there.items() if version is None]
    remedy = f"pip install 'forgeron[NAME]', where you want it: {', '.join(missing)}" if missing else ""
    return Diagnosis("extras", "note" if missing else "ok", text, remedy)


def _programs() -> Diagnosis:
    there = {name: shutil.which(name) is not None for name in PROGRAMS}
    text = ", ".join(f"{name} {'yes' if found else 'no'}" for name, found in there.items())
    missing = [f"{name} for {PROGRAMS[name]}" for name, found in there.items() if not found]
    remedy = f"from your system's packages, where you want it: {', '.join(missing)}" if missing else ""
    return Diagnosis("programs", "note" if missing else "ok", text, remedy)


def _compiler() -> Diagnosis:
    from forgeron.core.bits import FAST_EXTRACT
    from forgeron.core.jit import JIT

    if not JIT:
        return Diagnosis(
            "compiler", "note", "off: FORGERON_JIT=0 runs everything as plain Python", "unset FORGERON_JIT"
        )
    bits = "fast PEXT" if FAST_EXTRACT else "portable bit functions"
    if os.environ.get("NUMBA_BOUNDSCHECK") == "1":
        return Diagnosis("compiler", "note", f"on, {bits}, every index checked: slow", "unset NUMBA_BOUNDSCHECK")
    return Diagnosis("compiler", "ok", f"on, {bits}")


def _compiled_code() -> Diagnosis:
    from forgeron.core.jit import JIT

    if not JIT:
        return Diagnosis("compiled code", "ok", "none is needed")
    from forgeron.core.cache import cache_root

    root = cache_root()
    kernels = [path for path in root.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in kernels) / 2**20
    text = f"{len(kernels)} kernels, {size:.0f} MB in {root}"
    if not _writable(root):
        return Diagnosis(
            "compiled code", "broken", f"{root} cannot be written", "set FORGERON_CACHE_DIR to another folder"
        )
    if not kernels:
        return Diagnosis(
            "compiled code", "note", text, "the first start of a game compiles it; `forgeron warmup` does it now"
        )
    return Diagnosis("compiled code", "ok", text)


def _data_folder() -> Diagnosis:
    from forgeron.core.files import data_folder

    folder = data_folder()
    if not _writable(folder):
        return Diagnosis(
            "data folder", "broken", f"{folder} cannot be written", "set FORGERON_DATA_DIR to another folder"
        )
    return Diagnosis("data folder", "ok", f"{folder}: games that were played at the terminal and on the page")


def _writable(folder: Path) -> bool:
    """Whether files can be made there; the folder itself need not exist yet."""
    there = next((path for path in (folder, *folder.parents) if path.exists()), folder)
    return there.is_dir() and os.access(there, os.W_OK | os.X_OK)


def _games() -> Iterator[Diagnosis]:
    from forgeron.core.errors import ForgeronError
    from forgeron.core.registry import game_class, game_names

    good = []
    for name in game_names():
        try:
            good.append(game_class(name).name)
        except ForgeronError as error:
            yield Diagnosis("games", "broken", f"{name}: {error}", "update or remove the package that brings it")
    yield Diagnosis("games", "ok", ", ".join(good))


def _sandbox() -> Diagnosis:
    from forgeron.bots.sandbox import Sandbox, weakness

    layers = Sandbox().layers
    remedy = weakness(layers)
    return Diagnosis("sandbox of bots", "note" if remedy else "ok", ", ".join(layers), remedy)


def _speed() -> Diagnosis:
    import forgeron
    from forgeron.core.jit import JIT
    from forgeron.kernels.playout import play_many

    games = SPEED_GAMES if JIT else 20
    start = forgeron.game("yolah").start()
    play_many(start, seed=0, games=2)  # compiled, or loaded, before the clock runs
    best = min(_seconds(lambda: play_many(start, seed=0, games=games)) for _ in range(5))
    text = f"{games / best:,.0f} random Yolah games a second on one core"
    return Diagnosis("speed", "ok", f"{text} (docs/benchmarks.md: 791,000)" if JIT else text)


def _seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return max(time.process_time() - started, 1e-9)

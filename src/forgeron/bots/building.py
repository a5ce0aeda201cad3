"""Builds somebody's program in the sandbox: within limits of time and memory, away from everything else."""

from __future__ import annotations

import os
import shlex
import shutil
import stat
import time
from dataclasses import dataclass
from pathlib import Path

from forgeron.bots.faults import BotFault, escaped
from forgeron.bots.process import BotProcess
from forgeron.bots.sandbox import Sandbox

#: What a compiler may write, each file.
_FILE_MB = 256
#: The sources are copied, so that the build can write beside them; all it prints is the log.
_SCRIPT = 'exec 1>&2; mkdir build && cd build && cp -R "$1"/. . && chmod -R u+w . && {build}'


@dataclass(frozen=True)
class BuildResult:
    """What came of a build."""

    passed: bool
    note: str
    """what went wrong, in a line; empty when nothing did"""
    log: str
    """what the build printed"""
    seconds: float


def build(sources: Path, command: str, target: Path, *, seconds: float, memory_mb: int) -> BuildResult:
    """Run a build command, a line of a shell, in a copy of the sources; the copy becomes `target`, which must not be.

    Nothing is left of a build that fails. What it leaves are files: links to elsewhere and devices are not taken.
    """
    sandbox = Sandbox(memory_mb=memory_mb, file_mb=_FILE_MB)
    # The programs are named after the script so that the sandbox sees what it must let the build reach.
    words = ["/bin/sh", "-c", _environment() + _SCRIPT.format(build=command), "sh", str(sources), *_programs(command)]
    began = time.monotonic()
    try:
        process = BotProcess(words, sandbox=sandbox)
    except BotFault as missing:
        return BuildResult(False, missing.detail, "", 0.0)
    try:
        fault = process.await_end(seconds)
        if fault is None:
            _take(process.folder / "build", target)
    finally:
        process.close()
    spent, log = time.monotonic() - began, process.stderr
    return BuildResult(fault is None, _first_error(fault, log) if fault else "", log, spent)


def _environment() -> str:
    """Rust's own installer looks for the compiler in the home of the user, which a sandbox does not show."""
    home = Path(os.environ.get("RUSTUP_HOME", Path.home() / ".rustup"))
    return f"export RUSTUP_HOME={shlex.quote(str(home))}; " if home.is_dir() else ""


def _programs(command: str) -> list[str]:
    try:
        words = shlex.split(command, comments=True)
    except ValueError:
        return []
    return [found for word in words[:1] if (found := shutil.which(word))]


def _take(folder: Path, target: Path) -> None:
    """Copy what a build has left: regular files in folders, nothing hidden. Everybody may read it."""

    def strange(where: str, names: list[str]) -> set[str]:
        kinds = {name: os.lstat(os.path.join(where, name)).st_mode for name in names}
        plain = {name for name, kind in kinds.items() if stat.S_ISREG(kind) or stat.S_ISDIR(kind)}
        return {name for name in names if name.startswith(".") or name not in plain}

    shutil.copytree(folder, target, ignore=strange)
    for where, _, names in os.walk(target):
        os.chmod(where, 0o755)
        for name in names:
            path = Path(where, name)
            path.chmod(0o755 if path.stat().st_mode & stat.S_IXUSR else 0o644)


def _first_error(fault: BotFault, log: str) -> str:
    """What a person wants to know first: a compiler's first error, else how the build ended."""
    lines = [line.strip() for line in log.splitlines()]
    said = next((line for line in lines if "error" in line.lower()), "")
    return escaped(said[:300]) if said else fault.detail

"""Builds somebody's program in the sandbox: within limits of time and memory, away from everything else."""

from __future__ import annotations

import os
import shlex
import shutil
import stat
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from forgeron.bots.faults import BotFault, Reason, escaped
from forgeron.bots.folders import remove_folder
from forgeron.bots.process import BotProcess
from forgeron.bots.sandbox import Sandbox
from forgeron.bots.watcher import FILES_TIMES, MOST_FILES

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


def build(
    sources: Path, command: str, target: Path, *, seconds: float, memory_mb: int, hidden: Sequence[Path] = ()
) -> BuildResult:
    """Run a build command, a line of a shell, in a copy of the sources; the copy becomes `target`, which must not be.

    Nothing is left of a build that fails. What it leaves are files: links to elsewhere and devices are not taken. In a
    full sandbox it does not see what is `hidden`.
    """
    sandbox = Sandbox(memory_mb=memory_mb, file_mb=_FILE_MB)
    toolchains = _rust_toolchains()
    export = f"export RUSTUP_HOME={shlex.quote(toolchains[0])}; " if toolchains else ""
    # What it needs is named after the script so that the sandbox sees what it must let the build reach.
    needed = [str(sources), *_programs(command), *toolchains]
    words = ["/bin/sh", "-c", export + _SCRIPT.format(build=command), "sh", *needed]
    began = time.monotonic()
    try:
        process = BotProcess(words, sandbox=sandbox, hidden=hidden)
    except BotFault as missing:
        return BuildResult(False, missing.detail, "", 0.0)
    try:
        fault = process.await_end(seconds)
        if fault is None:
            process.end_all()  # a process that is still there could change what is copied meanwhile
            fault = _take(process.folder / "build", target)
    finally:
        process.close()
    spent, log = time.monotonic() - began, process.stderr
    return BuildResult(fault is None, _first_error(fault, log) if fault else "", log, spent)


def _rust_toolchains() -> list[str]:
    """Where Rust's own installer keeps the compilers: in the home of the user, which a sandbox does not show."""
    home = Path(os.environ.get("RUSTUP_HOME", Path.home() / ".rustup"))
    return [str(home)] if home.is_dir() else []


def _programs(command: str) -> list[str]:
    try:
        words = shlex.split(command, comments=True)
    except ValueError:
        return []
    return [found for word in words[:1] if (found := shutil.which(word))]


def _take(folder: Path, target: Path) -> BotFault | None:
    """Copy what a build has left: regular files in folders, nothing hidden. Everybody may read it.

    As much as the sandbox allows: files may be larger than what is on the disk of them.
    """
    try:
        folders, files = _left_by(folder)
        size = sum(about.st_size for about in files.values())
        if len(folders) + len(files) > MOST_FILES or size > _FILE_MB * FILES_TIMES << 20:
            what = f"{len(files)} files with {size >> 20} MB, more than {MOST_FILES} or {_FILE_MB * FILES_TIMES}"
            return BotFault(Reason.OUTPUT, f"it leaves {what}")
        for inner in folders:
            (target / inner).mkdir()
        for inner, about in files.items():
            shutil.copyfile(folder / inner, target / inner, follow_symlinks=False)
            (target / inner).chmod(0o755 if about.st_mode & stat.S_IXUSR else 0o644)
    except OSError as error:
        remove_folder(target)
        return BotFault(Reason.OUTPUT, f"what it leaves cannot be copied: {error.strerror}")
    return None


def _left_by(folder: Path) -> tuple[list[str], dict[str, os.stat_result]]:
    """The folders and the files below a folder, by their paths from there."""
    folders, files, next_one = [""], {}, 0
    while next_one < len(folders):
        inner = folders[next_one]
        next_one += 1
        with os.scandir(folder / inner) as entries:
            for entry in entries:
                about = entry.stat(follow_symlinks=False)
                if entry.name.startswith("."):
                    continue
                if stat.S_ISDIR(about.st_mode):
                    folders.append(os.path.join(inner, entry.name))
                elif stat.S_ISREG(about.st_mode):
                    files[os.path.join(inner, entry.name)] = about
    return folders, files


def _first_error(fault: BotFault, log: str) -> str:
    """What a person wants to know first: a compiler's first error, else how the build ended."""
    lines = [line.strip() for line in log.splitlines()]
    said = next((line for line in lines if "error" in line.lower()), "")
    return escaped(said[:300]) if said else fault.detail

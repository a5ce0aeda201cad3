"""What keeps a bot from harming the machine, the referee and its rival.

Two layers. `rlimits` is always there: limits of memory, file size, processor time and processes, a session of its
own, a clean environment and a working folder of its own. `bwrap` is there where bubblewrap is installed and allowed to
work: no network, a read-only file system, a private /tmp, process numbers of its own, and the folders of rivals empty.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

#: Sets the limits, then becomes the command. `-d` counts memory that can be written, not address space that is only
#: reserved (Java and Node reserve much); `-u` is the process limit of most shells, `-p` that of dash. The bot's output
#: arrives here as descriptor 3, which bwrap does not keep open itself: so the referee sees when the bot closes it.
_LIMITER = (
    'cd "$1"; ulimit -c 0; ulimit -d "$2"; ulimit -f "$3"; [ "$4" = unlimited ] || ulimit -t "$4"; '
    'ulimit -u "$5" 2>/dev/null || ulimit -p "$5" 2>/dev/null; shift 5; exec "$@" >&3 3>&-'
)
#: The descriptor on which the sandboxed command finds its standard output.
OUTPUT_FD = 3


@dataclass(frozen=True)
class Sandbox:
    """The limits of one bot."""

    memory_mb: int = 2048
    file_mb: int = 64
    processes: int = 256
    cpu_seconds: int | None = None
    bwrap: bool = True
    """use bubblewrap where it works; False leaves only the resource limits"""
    network: bool = False
    """leave the network open: for bots that must connect to the referee"""

    @property
    def layers(self) -> tuple[str, ...]:
        """The names of the layers that are active on this machine, for the record."""
        if not (self.bwrap and bwrap_works()):
            return ("rlimits",)
        return ("rlimits", "bwrap", "network") if self.network else ("rlimits", "bwrap")

    def command(self, command: Sequence[str], folder: Path, hidden: Sequence[Path] = ()) -> list[str]:
        """The command that runs `command` within the limits, in `folder`, with the `hidden` folders out of sight."""
        settings = [
            str(folder),
            str(self.memory_mb * 1024),
            str(self.file_mb * 2048),  # ulimit counts blocks of 512 bytes
            "unlimited" if self.cpu_seconds is None else str(self.cpu_seconds),
            str(_processes_of_this_user() + self.processes),
        ]
        limited = ["/bin/sh", "-c", _LIMITER, "sh", *settings, *map(_absolute, command)]
        if "bwrap" not in self.layers:
            return limited
        return [*_bwrap_prefix(folder, hidden, command, self.network), *limited]


_PACKAGE = Path(__file__).parents[1]


def clean_environment(folder: Path, marker: str) -> dict[str, str]:
    """What a bot sees of the environment: enough to start programs, nothing of ours.

    `marker` names the bot's processes, so that none can hide from being ended.
    """
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL", "PYTHONPATH") if name in os.environ}
    return {
        "PATH": os.defpath,
        **kept,
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "PYTHONUNBUFFERED": "1",
        "FORGERON_BOT": marker,
        "FORGERON_CACHE_DIR": _compiled_code(),
        "FORGERON_QUIET": "1",
    }


def _compiled_code() -> str:
    """Our own bots must find their compiled kernels although HOME is another."""
    from forgeron.core.jit import JIT

    if not JIT:
        return ""
    from forgeron.core.cache import cache_root

    return str(cache_root().absolute())


def _bwrap_prefix(folder: Path, hidden: Sequence[Path], command: Sequence[str], network: bool) -> list[str]:
    prefix = ["bwrap", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent"]
    prefix += [] if network else ["--unshare-net"]
    prefix += ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"]
    needed = [shutil.which(command[0]) or command[0], *command[1:], *sys.path, _compiled_code()]
    for part in _needed_below_tmp(needed):
        prefix += ["--ro-bind", part, part]
    for path in hidden:
        prefix += ["--tmpfs", str(path)] if path.is_dir() else ["--ro-bind", "/dev/null", str(path)]
    return [*prefix, "--bind", str(folder), str(folder), "--"]


def hidden_from(command: Sequence[str], rival: Sequence[str]) -> tuple[Path, ...]:
    """What a bot must not see of its rival: the folders of the files that the rival's command names.

    Where something of the bot's own, or of Forgeron, lies in such a folder, the file alone; programs that everybody
    may run are not the rival's.
    """
    own = _files(command)
    places = [*os.environ.get("PATH", os.defpath).split(":"), sys.prefix, sys.base_prefix, str(_PACKAGE)]
    shared = [Path(place).resolve() for place in places]
    found = set()
    for file in _files(rival):
        if file not in own and not any(file.is_relative_to(place) for place in shared):
            alone = not any(path.is_relative_to(file.parent) for path in (*own, *shared, Path.home()))
            found.add(file.parent if alone else file)
    return tuple(sorted(found))


def _files(command: Sequence[str]) -> list[Path]:
    """The files that a command names, the program included."""
    words = [shutil.which(command[0]) or command[0], *command[1:]] if command else []
    return [Path(word).resolve() for word in words if os.path.isfile(word)]


def _absolute(word: str) -> str:
    """A bot runs in a folder of its own: files that its command names must be found from there, too."""
    return os.path.abspath(word) if not word.startswith(("-", "/")) and os.path.exists(word) else word


def _needed_below_tmp(words: Sequence[str]) -> list[str]:
    """The folders directly below /tmp that a command's own files are in: a bot kept there must still start."""
    paths = [Path(word).absolute() for word in words if word.startswith(("/", ".")) and os.path.exists(word)]
    below = [path for path in paths if path.is_relative_to("/tmp") and path != Path("/tmp")]
    return sorted({str(Path(*path.parts[:3])) for path in below})


@functools.cache
def bwrap_works() -> bool:
    """Whether bubblewrap is installed and this machine lets it make namespaces."""
    if sys.platform != "linux" or shutil.which("bwrap") is None:
        return False
    trial = [
        "bwrap",
        "--unshare-pid",
        "--unshare-net",
        "--ro-bind",
        "/",
        "/",
        "--dev",
        "/dev",
        "--proc",
        "/proc",
        "true",
    ]
    try:
        return subprocess.run(trial, capture_output=True, timeout=10, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _processes_of_this_user() -> int:
    """How many tasks this user runs: the system counts its limit over all of them."""
    uid, found = os.getuid(), 0
    try:
        for entry in os.scandir("/proc"):
            if entry.name.isdigit():
                try:
                    if entry.stat().st_uid == uid:
                        found += len(os.listdir(f"/proc/{entry.name}/task"))
                except OSError:
                    continue
    except OSError:
        return 4096  # no /proc: a limit that is surely above what runs
    return found

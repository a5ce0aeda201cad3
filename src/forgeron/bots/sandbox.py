"""The sandbox: it keeps a bot from harming the machine, the referee and its opponent.

Layers, each there where the machine gives it:

- `rlimits`, always: limits of memory, file size, processor time and processes, no new privileges, no capabilities, a
  session of its own, a clean environment, a working folder of its own, no descriptor but its three pipes;
- `user`, where we are root: a user id of its own. What of the bot's own only root can read is shown to it;
- `pids`, where a control group may be had: the kernel counts its processes, whoever they are;
- `bwrap`, where bubblewrap is installed and allowed to work: no network, a read-only file system, a private /tmp and
  /dev/shm, process numbers of its own, and the folders of rivals empty;
- `namespace`, elsewhere, where the kernel allows it (without root in a user namespace): no network, a /dev/shm of its
  own, and no rights over processes outside;
- `landlock`, there too, where the kernel has it: nothing is written outside its folder and /dev/shm, the folders of
  rivals cannot be read, no process outside can be signalled or traced, no connection opened.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from forgeron.bots import landlock, launcher, pids_cgroup, users
from forgeron.bots.own_files import class_paths, is_shared, own_files, shared_places

#: Becomes the command. The bot's output arrives here as descriptor 3, which bwrap does not keep open itself: so the
#: referee sees when the bot closes it.
_BECOME = 'exec "$@" >&3 3>&-'
#: bubblewrap is two processes itself.
_OF_BWRAP = 4
#: Whoever is nobody in particular.
_NOBODY = "65534"


@dataclass(frozen=True)
class Plan:
    """How a command is run here."""

    layers: tuple[str, ...]
    """the names of the layers that are active, for the record"""
    shown: tuple[tuple[str, str], ...] = ()
    """closed folders and what of them the bot's user must be shown"""
    unreadable: Path | None = None
    """the file that keeps the bot from having a user id of its own: only root can read it, and it cannot be shown"""

    @property
    def changes_user(self) -> bool:
        return "user" in self.layers

    def shows(self, path: Path) -> bool:
        """Whether the bot's user sees this path although only root can reach it."""
        return any(path.is_relative_to(part) for _closed, part in self.shown)


@dataclass(frozen=True)
class Sandbox:
    """The limits of one bot."""

    memory_mb: int = 2048
    """for all its processes together, with what they keep in /dev/shm"""
    file_mb: int = 64
    """of each file; all together may have `FILES_TIMES` as much"""
    processes: int = 256
    cpu_seconds: int | None = None
    bwrap: bool = True
    """use bubblewrap where it works; False leaves the other layers, and the network open"""
    network: bool = False
    """leave the network open: for bots that must connect to the referee"""
    port: int | None = None
    """of an open network: the only port that it may connect to, where the kernel can tell (Landlock)"""
    pids: bool = True
    """use a control group that counts its processes where that is possible"""
    own_user: bool = True
    """use a user id of its own where that is possible"""
    landlock: bool = True
    """use Landlock where there is no bubblewrap"""
    namespace: bool = True
    """use namespaces of our own where there is no bubblewrap"""

    @property
    def layers(self) -> tuple[str, ...]:
        """The layers around a command that everybody may read."""
        return self.plan(()).layers

    @property
    def most_processes(self) -> int:
        """Its own and those of bubblewrap; threads count as processes."""
        return self.processes + _OF_BWRAP

    def group_of(self, mark: str) -> str:
        """Where the control group of the bot with this mark will be, where `pids` is among its layers; else empty."""
        place = place_of_groups() if self.pids else ""
        return pids_cgroup.group_of(place, mark) if place else ""

    def plan(self, command: Sequence[str]) -> Plan:
        """What can be done for a command on this machine."""
        may_change = self.own_user and users.may_change_user()
        closed = users.out_of_reach(command, _compiled_code()) if may_change else []
        shown = tuple(users.shown_parts(closed))
        unreadable = None if all(users.may_show(path) for _folder, path in shown) else closed[0]
        changes = may_change and unreadable is None
        bwrap = self.bwrap and bwrap_works(changes)
        landlocked = not bwrap and self.landlock and landlock.landlock_works()
        apart = not bwrap and self.namespace and namespaces_work()
        layers = {
            "rlimits": True,
            "user": changes,
            "pids": self.pids and bool(place_of_groups()),
            "bwrap": bwrap,
            "namespace": apart,
            "landlock": landlocked,
            "network": self.network and (bwrap or landlocked or apart),
        }
        active = tuple(name for name, is_active in layers.items() if is_active)
        return Plan(active, shown if changes else (), unreadable)

    def specification(
        self,
        command: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        hidden: Sequence[Path] = (),
        uid: int | None = None,
        group: str = "",
    ) -> dict[str, Any]:
        """What the launcher is told: run `command` within the limits, in `folder`, with the `hidden` out of sight."""
        plan = self.plan(command)
        layers = plan.layers
        words = [_absolute(word) for word in command]
        limits = {
            "CORE": 0,
            "DATA": self.memory_mb << 20,
            "FSIZE": self.file_mb << 20,
            # The system counts the processes of the user, ours too where the bot is no other.
            "NPROC": self.most_processes + (_processes_of_this_user() if uid is None else 0),
        }
        if self.cpu_seconds is not None:
            limits["CPU"] = self.cpu_seconds
        in_bwrap = "bwrap" in layers
        if in_bwrap:
            inside = ["/bin/sh", "-c", _BECOME, "sh", *words]
            words = [*_bwrap_prefix(self, folder, _reachable(hidden, uid, plan), command), *inside]
        is_open = self.network or not self.bwrap
        ports = [] if not is_open else [self.port] if self.port is not None else None
        restricted = landlock.rules(folder, hidden, ports) if "landlock" in layers else None
        if in_bwrap and ports and landlock.landlock_refuses_connections():
            restricted = landlock.only_ports(ports)
        return {
            "command": words,
            "environment": dict(environment),
            "folder": str(folder),
            "limits": limits,
            "uid": uid,
            "group": group,
            "binds": _binds(environment, uid),
            "shown": plan.shown,
            "shm_mb": self.memory_mb if "namespace" in layers else None,
            "network": is_open or "namespace" not in layers,
            "drop_capabilities": os.getuid() == 0 and not in_bwrap,
            "landlock": restricted,
            "output_as_3": in_bwrap,
        }


def keeps_signals_in(layers: Sequence[str]) -> bool:
    """Whether a bot within these layers can signal no process outside: docs/protocol.md."""
    return "user" in layers or "bwrap" in layers or ("landlock" in layers and landlock.landlock_keeps_signals_in())


def weakness(layers: Sequence[str]) -> str:
    """What a bot within these layers could still do, in a line for people; empty where it cannot reach us."""
    # What layers keep out is in docs/protocol.md.
    in_network = not {"bwrap", "namespace"} & {*layers} and not (
        "landlock" in layers and landlock.landlock_refuses_connections()
    )
    if "bwrap" in layers or "landlock" in layers:
        return "bots can use the network: install bubblewrap to keep them from it" if in_network else ""
    if "user" in layers:
        what = "use the network and read" if in_network else "read"
        return f"bots can {what} what everybody may read: install bubblewrap to keep them from it"
    return (
        "nothing but resource limits keeps bots apart: they run with your rights, and can end the event or read each "
        "other's files; install bubblewrap, or play only bots that you trust"
    )


def loss_of_user(plan: Plan) -> str:
    """Why a bot runs with root's user id, in a line for people; empty where it does not."""
    if plan.unreadable is None:
        return ""
    return (
        f"only root can read {plan.unreadable}, and it cannot be shown to another user here, so that bots run with "
        "root's user id: chmod -R o+rX what they need"
    )


def clean_environment(folder: Path, marker: str, uid: int | None = None) -> dict[str, str]:
    """What a bot sees of the environment: enough to start programs, nothing of ours.

    `marker` names the bot's processes, so that none can hide from being ended. Compiled code that another user cannot
    get at is shown to it in its own folder.
    """
    code = _compiled_code()
    if uid is not None and code and not users.open_to_all(Path(code)):
        place = folder / ".compiled"
        place.mkdir()
        code = str(place)
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL", "PYTHONPATH") if name in os.environ}
    return {
        "PATH": os.defpath,
        **kept,
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "PYTHONUNBUFFERED": "1",
        "FORGERON_BOT": marker,
        "FORGERON_CACHE_DIR": code,
        "FORGERON_QUIET": "1",
    }


def _compiled_code() -> str:
    """Our own bots must find their compiled kernels although HOME is another."""
    from forgeron.core.jit import JIT

    if not JIT:
        return ""
    from forgeron.core.cache import cache_root

    return str(cache_root().absolute())


def _binds(environment: Mapping[str, str], uid: int | None) -> list[list[str]]:
    """Compiled code that is shown at another place than its own."""
    code, shown_at = _compiled_code(), environment.get("FORGERON_CACHE_DIR", "")
    return [[code, shown_at]] if uid is not None and shown_at != code and os.path.isdir(code) else []


def _bwrap_prefix(sandbox: Sandbox, folder: Path, hidden: Sequence[Path], command: Sequence[str]) -> list[str]:
    prefix = _bwrap_itself(is_root=os.getuid() == 0 and not sandbox.plan(command).changes_user)
    prefix += [] if sandbox.network else ["--unshare-net"]
    size = ["--size", str(sandbox.memory_mb << 20)]
    prefix += ["--ro-bind", "/", "/", "--dev", "/dev", *size, "--tmpfs", "/dev/shm", "--proc", "/proc"]
    prefix += [*size, "--tmpfs", "/tmp"]
    needed = [shutil.which(command[0]) or command[0], *command[1:], *sys.path, _compiled_code()]
    for part in _needed_below_tmp(needed):
        prefix += ["--ro-bind", part, part]
    for path in hidden:
        prefix += ["--tmpfs", str(path)] if path.is_dir() else ["--ro-bind", "/dev/null", str(path)]
    return [*prefix, "--bind", str(folder), str(folder), "--"]


def _bwrap_itself(*, is_root: bool) -> list[str]:
    """Namespaces of its own and no capabilities in them; root is somebody else inside."""
    somebody = ["--uid", _NOBODY, "--gid", _NOBODY] if is_root else []
    namespaces = ["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts"]
    return ["bwrap", *namespaces, *somebody, "--cap-drop", "ALL", "--die-with-parent"]


def _reachable(hidden: Sequence[Path], uid: int | None, plan: Plan) -> list[Path]:
    """What has to be hidden: what another user cannot get at is hidden already, and cannot be mounted upon."""
    return [path for path in hidden if uid is None or users.open_to_all(path.parent) or plan.shows(path)]


def hidden_from(command: Sequence[str], rival: Sequence[str]) -> tuple[Path, ...]:
    """What a bot must not see of its rival: the folders of the files that its command names, and those of its classes.

    Where something of the bot's own, or of Forgeron, lies in such a folder, the file alone; programs that everybody
    may run are not the rival's.
    """
    own = own_files(command)

    def is_alone_in(folder: Path) -> bool:
        ours = (*own, *class_paths(command), *shared_places(), Path.home())
        return not any(path.is_relative_to(folder) for path in ours)

    found = {folder for folder in class_paths(rival) if folder.is_dir() and is_alone_in(folder)}
    for file in own_files(rival):
        if file not in own and not is_shared(file):
            found.add(file.parent if is_alone_in(file.parent) else file)
    return tuple(sorted(found))


def _absolute(word: str) -> str:
    """A bot runs in a folder of its own: files that its command names must be found from there, too."""
    return os.path.abspath(word) if not word.startswith(("-", "/")) and os.path.exists(word) else word


def _needed_below_tmp(words: Sequence[str]) -> list[str]:
    """The folders directly below /tmp that a command's own files are in: a bot kept there must still start."""
    paths = [Path(_absolute(word)) for word in words if not word.startswith("-") and os.path.exists(word)]
    below = [path for path in paths if path.is_relative_to("/tmp") and path != Path("/tmp")]
    return sorted({str(Path(*path.parts[:3])) for path in below})


@functools.cache
def bwrap_works(as_another_user: bool = False) -> bool:
    """Whether bubblewrap is installed and this machine lets us, or a user without rights, make namespaces with it."""
    program = shutil.which("bwrap")
    if sys.platform != "linux" or program is None:
        return False
    is_root = os.getuid() == 0 and not as_another_user
    trial = [*_bwrap_itself(is_root=is_root), "--unshare-net", "--ro-bind", "/", "/", "--dev", "/dev"]
    trial += ["--size", "4096", "--tmpfs", "/dev/shm", "--proc", "/proc", "true"]
    another: dict[str, Any] = {"user": int(_NOBODY), "group": int(_NOBODY), "extra_groups": []}
    try:
        done = subprocess.run(
            trial,
            capture_output=True,
            timeout=10,
            check=False,
            cwd="/",
            executable=program,
            **(another if as_another_user else {}),
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


@functools.cache
def place_of_groups() -> str:
    """Where this machine lets us make control groups that count processes; empty where it does not."""
    trial = [sys.executable, "-I", "-S", pids_cgroup.__file__]
    try:
        done = subprocess.run(trial, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout


@functools.cache
def namespaces_work() -> bool:
    """Whether this machine lets us give a process mounts and a network of its own."""
    trial = [sys.executable, "-I", "-S", launcher.__file__, "try-namespaces"]
    try:
        return subprocess.run(trial, capture_output=True, timeout=10, check=False).returncode == 0
    except (OSError, subprocess.SubprocessError):
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

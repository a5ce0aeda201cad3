"""A small program that begins bots: one for each process that referees, alone in its own process.

It is run as a script, with nothing but the standard library, so that it is small and has one thread: what must happen
between fork and exec (limits, user, Landlock, descriptors) can then be written in Python, and costs a millisecond. It
forks twice: the bot's parent becomes the referee, which is a subreaper, so that the referee alone waits for it.

When the referee goes, however it goes, the launcher's socket ends, and it ends every bot that is still there.

Messages, each with its descriptors: ``expect MARK UID GROUP FOLDER`` (before any of it is made), ``spawn``
(specification, input, output, errors, status), ``born MARK PID``, ``ended MARK`` (its processes), ``gone MARK`` (its
files, too), ``kill UID``.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import signal
import socket
import struct
import sys
import time
from collections.abc import Iterator
from typing import Any, NamedTuple, NoReturn

_PR_SET_PDEATHSIG, _PR_CAPBSET_DROP, _PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS = 1, 24, 36, 38
_SYS_CLOSE_RANGE, _SYS_LANDLOCK_CREATE, _SYS_LANDLOCK_ADD, _SYS_LANDLOCK_RESTRICT = 436, 444, 445, 446
_SYS_CAPSET = {"x86_64": 126, "aarch64": 91}
_LAST_CAPABILITY = 63
_SOMEBODY, _NO_PROCESS = 65534, -1
_CLONE_NEWNS, _CLONE_NEWUSER, _CLONE_NEWNET = 0x20000, 0x10000000, 0x40000000
_SIOCSIFFLAGS, _IFF_UP = 0x8914, 0x1
_MS_NOSUID_NODEV, _MS_BIND, _MS_READ_ONLY_HERE, _MS_PRIVATE_ALL = 0x6, 0x1000, 0x1021, 0x44000

#: Rights of Landlock, by the bits of its interface. Those to read; those that a file can have; all, by version.
_READ = 0b1101
_OF_A_FILE = 0b111 | 1 << 14
_ALL_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1}
_TCP = 0b11
_CONNECT = 0b10
_SIGNALS_AND_SOCKETS = 0b11
_RULE_FOR_FILES, _RULE_FOR_PORTS = 1, 2

_libc = ctypes.CDLL(None, use_errno=True)


# --- what a bot's process becomes ------------------------------------------------------------------------------------


def landlock_version() -> int:
    """The version of Landlock that this kernel offers; 0 where it offers none."""
    return max(int(_libc.syscall(_SYS_LANDLOCK_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint(1))), 0)


def restrict_by_landlock(read: list[str] | None, write: list[str], ports: list[int] | None) -> None:
    """Leave this process, and all it begins, these files to read and these folders to write to, for good.

    It can then neither signal nor trace a process outside, nor open a connection, unless to one of the `ports` (None:
    to any), as far as the kernel knows how to refuse that. Where `read` is None, files are left to others to restrict.
    """
    version = landlock_version()
    rights = 0 if read is None else _ALL_RIGHTS[min(version, 3)]
    ruleset = struct.pack("=Q", rights)
    if version >= 4:
        ruleset += struct.pack("=Q", 0 if ports is None else _TCP)
    if version >= 6:
        ruleset += struct.pack("=Q", _SIGNALS_AND_SOCKETS)
    rules = _checked(_libc.syscall(_SYS_LANDLOCK_CREATE, ruleset, ctypes.c_size_t(len(ruleset)), ctypes.c_uint(0)))
    for paths, given in ((read or [], _READ), (write, rights)):
        for path in paths:
            with contextlib.suppress(OSError):  # gone since, or out of this user's reach anyway
                fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
                is_folder = os.path.isdir(path)
                rule = struct.pack("=Qi", given & rights & (-1 if is_folder else _OF_A_FILE), fd)
                _add_rule(rules, _RULE_FOR_FILES, rule)
                os.close(fd)
    for port in ports or [] if version >= 4 else []:
        _add_rule(rules, _RULE_FOR_PORTS, struct.pack("=QQ", _CONNECT, port))
    _checked(_libc.syscall(_SYS_LANDLOCK_RESTRICT, ctypes.c_int(rules), ctypes.c_uint(0)))
    os.close(rules)


def _add_rule(rules: int, kind: int, rule: bytes) -> None:
    _libc.syscall(_SYS_LANDLOCK_ADD, ctypes.c_int(rules), ctypes.c_int(kind), rule, ctypes.c_uint(0))


def become_user(uid: int) -> None:
    """Be this user and nobody else, for good: all capabilities go with it."""
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def drop_capabilities() -> None:
    """Be root in name only."""
    for capability in range(_LAST_CAPABILITY + 1):
        _libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
    header, none = struct.pack("=Ii", 0x20080522, 0), bytes(24)
    _checked(_libc.syscall(_SYS_CAPSET.get(os.uname().machine, 126), header, none))


def separate_namespaces(binds: list[list[str]], shm_mb: int | None, *, network: bool) -> None:
    """Where that is allowed, show folders at other places too, and have a /dev/shm of this size that nobody else sees.

    It is gone with the last process that sees it. Without `network` there is nobody to connect to but its own
    processes. Without root this takes a user namespace.
    """
    is_root, uid, gid = os.geteuid() == 0, os.getuid(), os.getgid()
    apart = _CLONE_NEWNS | (0 if network else _CLONE_NEWNET) | (0 if is_root else _CLONE_NEWUSER)
    if _libc.unshare(apart) != 0:
        return
    if not is_root:
        for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
            with open(f"/proc/self/{name}", "w") as file:
                file.write(text)
    _libc.mount(b"none", b"/", None, _MS_PRIVATE_ALL, None)
    for source, place in binds:
        _libc.mount(source.encode(), place.encode(), None, _MS_BIND, None)
    if shm_mb is not None:
        _libc.mount(b"tmpfs", b"/dev/shm", b"tmpfs", _MS_NOSUID_NODEV, f"size={shm_mb}m,mode=1777".encode())
    if not network:
        import fcntl

        with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
            fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", _IFF_UP))
    if not is_root:
        drop_capabilities()  # those of the new namespace


def become_subreaper() -> None:
    """Orphans among the descendants of this process become its children, not those of init."""
    _libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _limit(limits: dict[str, int]) -> None:
    for name, most in limits.items():
        which = getattr(resource, f"RLIMIT_{name}")
        hard = resource.getrlimit(which)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(which, (most, most))


def _become(spec: dict[str, Any], fds: list[int], status: int) -> NoReturn:
    """In the new process: take every right away that the specification takes, and be the bot."""
    os.setsid()
    for number in range(1, signal.NSIG):
        with contextlib.suppress(OSError, ValueError):
            signal.signal(number, signal.SIG_DFL)
    places = [*fds]
    if spec["output_as_3"]:  # bubblewrap must not hold the bot's output open: its own goes nowhere
        places = [fds[0], os.open(os.devnull, os.O_WRONLY), fds[2], fds[1]]
    high = [_moved_up(fd) for fd in (*places, status)]
    status = high.pop()
    for place, fd in enumerate(high):
        os.dup2(fd, place, inheritable=True)
    os.dup2(status, 9, inheritable=False)
    _libc.syscall(_SYS_CLOSE_RANGE, ctypes.c_uint(len(high)), ctypes.c_uint(8), ctypes.c_uint(0))
    _libc.syscall(_SYS_CLOSE_RANGE, ctypes.c_uint(10), ctypes.c_uint(0xFFFFFFFF), ctypes.c_uint(0))
    os.umask(0o022)
    os.chdir(spec["folder"])
    _limit(spec["limits"])
    if spec["group"]:
        _beside("pids_cgroup").enter(spec["group"])
    if spec["binds"] or spec["shown"] or spec["shm_mb"] is not None:
        separate_namespaces(spec["binds"], spec["shm_mb"], network=spec["network"])
        _change_mounts(spec)
        os.chdir(spec["folder"])
    if spec["uid"] is not None:
        become_user(spec["uid"])
    elif spec["drop_capabilities"]:
        drop_capabilities()
    _checked(_libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    if spec["landlock"] is not None:
        restrict_by_landlock(**spec["landlock"])
    # A change of user takes this back, so it comes late; a referee that has gone meanwhile is noticed after it.
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != spec["parent"]:
        os._exit(127)
    os.execve(spec["program"], spec["command"], spec["environment"])


def _change_mounts(spec: dict[str, Any]) -> None:
    """In mounts of its own: what the bot must not change although it has our user id, and what it must see."""
    if spec["group"] and os.geteuid() == 0:
        place = _beside("pids_cgroup").mount_of(spec["group"])
        _libc.mount(None, place.encode(), None, _MS_READ_ONLY_HERE, None)
    if spec["shown"]:
        _beside("closed_folders").show(spec["shown"], spec["uid"], spec["folder"])


def _moved_up(fd: int) -> int:
    """The same file under a number above all that the bot will use."""
    import fcntl

    return fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 16)


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


# --- processes that belong together ----------------------------------------------------------------------------------


class Seen(NamedTuple):
    """A process as /proc shows it."""

    pid: int
    state: str
    parent: int
    session: int
    uid: int
    started: int
    """in ticks since the machine was: a number that is used again belongs to another process"""


def processes() -> dict[int, Seen]:
    """All processes of this machine."""
    found = {}
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            with contextlib.suppress(OSError, ValueError):
                with open(f"/proc/{entry.name}/stat", "rb") as file:
                    words = file.read().rpartition(b")")[2].split()
                    uid = os.fstat(file.fileno()).st_uid
                pid = int(entry.name)
                found[pid] = Seen(pid, words[0].decode(), int(words[1]), int(words[3]), uid, int(words[19]))
    return found


def relatives(mark: str, pid: int, uid: int | None, known: dict[int, int]) -> Iterator[Seen]:
    """The processes of a bot, itself left out: by descent, session, user, mark, and those `known` to be its own.

    `known` has the time at which each of them started. A bot that has gone may have left its number to somebody else.
    """
    seen = processes()
    mine = os.getpid()
    if pid in seen and known.get(pid, seen[pid].started) != seen[pid].started:
        pid = _NO_PROCESS
    word = b"FORGERON_BOT=" + mark.encode()
    found = {pid}
    for one in seen.values():
        if one.pid in (pid, mine):
            continue
        is_known = known.get(one.pid) == one.started
        if one.session == pid or one.uid == uid or is_known or _carries(one.pid, word):
            found.add(one.pid)
    grown = True
    while grown:
        more = {one.pid for one in seen.values() if one.parent in found} - found - {mine}
        found |= more
        grown = bool(more)
    return (seen[one] for one in found - {pid} if one in seen)


def _carries(pid: int, word: bytes) -> bool:
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return word in file.read()
    except OSError:
        return False


def _beside(name: str) -> Any:
    """A module that lies beside this one, where we are a program and no part of a package."""
    from importlib.util import module_from_spec, spec_from_file_location

    if name not in _MODULES:
        folder = os.path.dirname(os.path.abspath(__file__))
        found = spec_from_file_location(name, os.path.join(folder, f"{name}.py"))
        assert found is not None
        assert found.loader is not None
        _MODULES[name] = module_from_spec(found)
        found.loader.exec_module(_MODULES[name])
    return _MODULES[name]


_MODULES: dict[str, Any] = {}


# --- the program -----------------------------------------------------------------------------------------------------


def main() -> None:
    """Serve the referee at the other end of descriptor 0 until it goes; then end its bots."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)  # the referee decides when bots end, or its end does
    line = socket.socket(fileno=0)
    _beside("pids_cgroup")  # once, here: each bot begins as a copy of this process
    living: dict[str, LivingBot] = {}
    while True:
        try:
            data, fds, _flags, _address = socket.recv_fds(line, 4096, 5)
        except OSError:
            break
        words = data.decode().split(maxsplit=4)
        if not words:
            break
        if words[0] == "spawn":
            _spawn(fds)
        elif words[0] == "expect":
            uid = None if words[2] == "-" else int(words[2])
            living[words[1]] = LivingBot(words[1], _NO_PROCESS, uid, "" if words[3] == "-" else words[3], words[4])
        elif words[0] == "born" and words[1] in living:
            living[words[1]] = living[words[1]]._replace(pid=int(words[2]))
        elif words[0] == "ended" and words[1] in living:
            living[words[1]] = living[words[1]]._replace(pid=None)  # its number may soon be somebody else's
        elif words[0] == "gone":
            living.pop(words[1], None)
        elif words[0] == "kill":
            _kill_user(int(words[1]))
        for fd in fds:
            os.close(fd)
    for bot in living.values():
        if bot.pid is not None:
            _end(bot)
        _remove(bot)


class LivingBot(NamedTuple):
    """What has to be ended and removed when the referee goes."""

    mark: str
    pid: int | None
    """`_NO_PROCESS`: not known, it is being started; None: its processes have ended"""
    uid: int | None
    group: str
    """its control group; empty: none"""
    folder: str


def _spawn(fds: list[int]) -> None:
    try:
        middle = os.fork()
    except OSError as error:  # the system has no room for another process: one bot does not start, and that is all
        os.write(fds[4], f"0\n{error.strerror}".encode())
        return
    if middle:
        os.waitpid(middle, 0)
        return
    if os.fork():
        os._exit(0)
    status = fds[4]
    try:
        os.write(status, f"{os.getpid()}\n".encode())
        with os.fdopen(fds[0], "rb") as file:
            file.seek(0)
            spec = json.load(file)
        until = time.monotonic() + 5
        while os.getppid() != spec["parent"] and time.monotonic() < until:
            time.sleep(0.0002)
        _become(spec, fds[1:4], status)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.write(9 if _is_open(9) else status, (getattr(error, "strerror", "") or repr(error)).encode())
    os._exit(127)


def _is_open(fd: int) -> bool:
    try:
        os.fstat(fd)
    except OSError:
        return False
    return True


def _kill_user(uid: int) -> None:
    """End every process of a user at once: none of them can fork faster than that."""
    try:
        child = os.fork()
    except OSError:  # no room for another process: whoever asked ends them one by one, and asks again
        return
    if child == 0:
        with contextlib.suppress(OSError):
            become_user(uid)
            os.kill(-1, signal.SIGKILL)
        os._exit(0)
    os.waitpid(child, 0)


def _end(bot: LivingBot) -> None:
    """End a bot whose referee has gone."""
    assert bot.pid is not None
    if bot.group:
        _beside("pids_cgroup").end_all(bot.group)
    for _ in range(50):
        if bot.uid is not None:
            _kill_user(bot.uid)
        left = [one.pid for one in relatives(bot.mark, bot.pid, bot.uid, {}) if one.state != "Z"]
        for one in (bot.pid, *left) if bot.pid != _NO_PROCESS else left:
            with contextlib.suppress(OSError):
                os.kill(one, signal.SIGKILL)
        if not left:
            return
        time.sleep(0.01)


def _remove(bot: LivingBot) -> None:
    """Remove what such a bot has left."""
    _beside("folders").remove_folder(bot.folder)
    if bot.group:
        _beside("pids_cgroup").remove(bot.group)
    with contextlib.suppress(OSError):
        for entry in os.scandir("/dev/shm") if bot.uid is not None else ():
            with contextlib.suppress(OSError):
                if entry.stat(follow_symlinks=False).st_uid == bot.uid:
                    os.unlink(entry.path)


def try_showing(path: str) -> int:
    """0 where `closed_folders` can show this path, else 1; for a process that does nothing else."""
    folders = _beside("closed_folders")
    with contextlib.suppress(OSError):
        folders.readable_copy(path, folders.user_namespace(_SOMEBODY))
        return 0
    return 1


def try_namespaces() -> int:
    """0 where `separate_namespaces` is allowed, else 1; for a process that does nothing else."""
    before = os.stat("/dev/shm").st_dev
    with contextlib.suppress(OSError):
        separate_namespaces([], 1, network=False)
    return int(os.stat("/dev/shm").st_dev == before)


if __name__ == "__main__":
    if sys.argv[1:] == ["try-namespaces"]:
        sys.exit(try_namespaces())
    if sys.argv[1:2] == ["try-showing"]:
        sys.exit(try_showing(sys.argv[2]))
    main()
    sys.exit()

"""Tries everything a bot must not be able to do, and says for each whether it could. It does no lasting harm.

usage: attacks.py REFEREE_PID JOURNAL RIVAL_FILE PORT MARK
"""

import ctypes
import os
import socket
import subprocess
import sys
import time

RUN = __name__ == "__main__"
PID, JOURNAL, RIVAL, PORT, MARK = sys.argv[1:] if RUN else [""] * 5


def signals() -> bool:
    os.kill(int(PID), 0)
    return True


def reads_environment() -> bool:
    with open(f"/proc/{PID}/environ", "rb") as file:
        return b"SECRET_OF_THE_REFEREE" in file.read()


def traces() -> bool:
    with open(f"/proc/{PID}/mem", "rb"):
        return True


def writes_journal() -> bool:
    with open(JOURNAL, "a"):
        return True


def poisons_code() -> bool:
    with open(os.path.join(os.environ["FORGERON_CACHE_DIR"], "poison"), "w"):
        return True


def reads_rival() -> bool:
    with open(RIVAL) as file:
        return "secret plan" in file.read()


def unmounts() -> bool:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.umount2(os.path.dirname(RIVAL).encode(), 2) == 0:
        return True
    return reads_rival()


def connects() -> bool:
    socket.create_connection(("127.0.0.1", int(PORT)), timeout=2).close()
    return True


def has_descriptors() -> bool:
    found = 0
    for fd in range(3, 256):
        try:
            os.fstat(fd)
            found += 1
        except OSError:
            pass
    return found > 0


def gains_rights() -> bool:
    with open("/proc/self/status") as file:
        lines = dict(line.split(":\t", 1) for line in file if ":\t" in line)
    return int(lines["CapEff"], 16) != 0 or lines["NoNewPrivs"].strip() != "1"


def stays() -> bool:
    """A grandchild in a session of its own, with an empty environment; whether it survives is seen from outside."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execve(sys.executable, [sys.executable, "-S", "-c", "import time; time.sleep(120)", MARK], {})
        os._exit(0)
    os.wait()
    return False


def fills_shared_memory() -> bool:
    """Whether it is still there afterwards is seen from outside."""
    with open(f"/dev/shm/{MARK}", "wb") as file:
        file.write(b"x" * 1_000_000)
        time.sleep(0.4)
    return False


ATTACKS = (
    signals,
    reads_environment,
    traces,
    writes_journal,
    poisons_code,
    reads_rival,
    unmounts,
    connects,
    has_descriptors,
    gains_rights,
    stays,
    fills_shared_memory,
)

for attack in ATTACKS if RUN else ():
    try:
        print(attack.__name__, "yes" if attack() else "no", flush=True)
    except (OSError, subprocess.SubprocessError) as error:
        print(attack.__name__, "no", error, flush=True)
if RUN:
    print("done", flush=True)
    time.sleep(60)

"""Runs the program, and sees to it that it is killed while its journal is at a given byte.

Usage: killed_run.py torn BYTE ARGUMENT… or killed_run.py held BYTE ARGUMENT…

torn: the write that would pass BYTE is cut off there, as by a power failure, and the whole process group gets SIGKILL.
held: after the line that reaches BYTE no other one is written, so that however late a killer comes, it is not too late.
"""

from __future__ import annotations

import os
import signal
import sys
import time

from forgeron.arena.journal import Journal
from forgeron.cli.main import main


def torn_write(self: Journal, line: bytes) -> None:
    room = BYTE - os.fstat(self._file.fileno()).st_size
    self._file.write(line[: max(room, 0)] if room < len(line) else line)
    os.fsync(self._file.fileno())
    if room < len(line):
        os.killpg(0, signal.SIGKILL)


def held_write(self: Journal, lines: bytes) -> None:
    for line in lines.splitlines(keepends=True):
        while os.fstat(self._file.fileno()).st_size >= BYTE:
            time.sleep(1)
        self._file.write(line)
        os.fsync(self._file.fileno())


if __name__ == "__main__":
    BYTE = int(sys.argv[2])
    Journal._write = {"torn": torn_write, "held": held_write}[sys.argv[1]]  # type: ignore[method-assign]
    sys.argv = ["forgeron", *sys.argv[3:]]
    main()

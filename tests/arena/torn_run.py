"""Runs the program, and kills its whole process group with SIGKILL while the journal is at a given byte.

Usage: torn_run.py BYTE ARGUMENT... — the write that would pass BYTE is cut off there, as by a power failure.
"""

from __future__ import annotations

import os
import signal
import sys

from forgeron.arena.journal import Journal
from forgeron.cli.main import main


def torn_write(self: Journal, line: bytes) -> None:
    room = BYTE - os.fstat(self._file.fileno()).st_size
    self._file.write(line[: max(room, 0)] if room < len(line) else line)
    os.fsync(self._file.fileno())
    if room < len(line):
        os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    BYTE = int(sys.argv[1])
    Journal._write = torn_write  # type: ignore[method-assign]
    sys.argv = ["forgeron", *sys.argv[2:]]
    main()

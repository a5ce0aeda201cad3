"""The standard error of a bot: its beginning and its end are kept, enough to find a mistake."""

from __future__ import annotations

import os

STDERR_BYTES = 64 * 1024


class StderrLog:
    """The first and the last `STDERR_BYTES` of a stream of any length."""

    def __init__(self) -> None:
        self._first = bytearray()
        self._last = bytearray()
        self._skipped = 0

    def drain(self, fd: int) -> None:
        """Read the descriptor to its end, and close it."""
        with os.fdopen(fd, "rb", buffering=0) as stream:
            while data := stream.read(1 << 16):
                room = STDERR_BYTES - len(self._first)
                self._first += data[:room]
                self._last += data[room:]
                surplus = len(self._last) - STDERR_BYTES
                if surplus > 0:
                    del self._last[:surplus]
                    self._skipped += surplus

    def text(self) -> str:
        gap = f"\n… {self._skipped} bytes left out …\n".encode() if self._skipped else b""
        return (bytes(self._first) + gap + bytes(self._last)).decode("utf-8", errors="replace")

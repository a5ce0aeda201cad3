"""Ctrl-C while the main thread runs machine code, noticed by another thread.

Python raises KeyboardInterrupt between two instructions of the main thread. A kernel is one instruction, however long
it searches; but the system's handler writes a byte to the wakeup descriptor at once.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading

_BYTES = 64


class InterruptWatch:
    """While it is entered by the main thread, any thread may ask whether Ctrl-C was pressed; elsewhere it never was.

    Whoever had the wakeup descriptor before still gets what is written to it.
    """

    def __init__(self) -> None:
        self._ears = self._mouth = self._before = -1
        self._lock = threading.Lock()

    def __enter__(self) -> InterruptWatch:
        if threading.current_thread() is threading.main_thread():
            self._ears, self._mouth = os.pipe()
            for fd in (self._ears, self._mouth):
                os.set_blocking(fd, False)
            self._before = signal.set_wakeup_fd(self._mouth, warn_on_full_buffer=False)
        return self

    def occurred(self) -> bool:
        """Whether Ctrl-C was pressed since this was asked last."""
        with self._lock:
            return signal.SIGINT in self._heard()

    def _heard(self) -> bytes:
        """The signals that came, passed on to whom they were for."""
        if self._ears < 0:
            return b""
        try:
            numbers = os.read(self._ears, _BYTES)
        except BlockingIOError:
            return b""
        if self._before >= 0:
            with contextlib.suppress(OSError):
                os.write(self._before, numbers)
        return numbers

    def __exit__(self, *_: object) -> None:
        with self._lock:
            if self._ears < 0:
                return
            signal.set_wakeup_fd(self._before, warn_on_full_buffer=False)
            self._heard()
            os.close(self._ears)
            os.close(self._mouth)
            self._ears = -1

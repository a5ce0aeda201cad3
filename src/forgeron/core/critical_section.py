"""Steps that Ctrl-C must not tear apart: the interrupt is raised when all of them are done."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """While this lasts, Ctrl-C waits; the handler that was there hears it at the end. Other threads never hear it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    waiting: list[tuple[int, FrameType | None]] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: waiting.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if waiting and callable(before):
            before(*waiting[0])

"""Ctrl-C, heard whatever the program is doing: importing, compiling, or running machine code that never returns."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

#: What a shell expects of a program that was ended by Ctrl-C.
INTERRUPTED = 130
#: Python hears a signal between two of its own instructions; when it has not done so after this time, it is stuck.
GRACE_SECONDS = 0.3
#: How long an interrupted program may take to tidy up: to send bots home, to save a game.
TIDY_SECONDS = 5.0


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """While this lasts, Ctrl-C raises KeyboardInterrupt; where that cannot be raised, it ends the process.

    No command goes on after Ctrl-C: one that has not left after `TIDY_SECONDS` is ended, too.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard = threading.Event()
    ears, mouth = os.pipe()
    os.set_blocking(mouth, False)

    def raise_interrupt(number: int, frame: FrameType | None) -> None:
        heard.set()
        signal.default_int_handler(number, frame)

    before = signal.signal(signal.SIGINT, raise_interrupt)
    descriptor = signal.set_wakeup_fd(mouth, warn_on_full_buffer=False)
    hook, sys.unraisablehook = sys.unraisablehook, _try_again_after(sys.unraisablehook)
    threading.Thread(target=_watch, args=(ears, heard), daemon=True).start()
    try:
        yield
    finally:
        sys.unraisablehook = hook
        signal.set_wakeup_fd(descriptor)
        signal.signal(signal.SIGINT, before)
        os.close(mouth)  # ends the watch


def _watch(ears: int, heard: threading.Event) -> None:
    """In a thread: the kernel of the system writes a byte here at once, even when Python is stuck."""
    while number := os.read(ears, 1):
        if number[0] != signal.SIGINT:
            continue
        if not heard.wait(GRACE_SECONDS):
            leave("interrupted")
        heard.clear()
        late = threading.Timer(TIDY_SECONDS, leave, ("interrupted",))
        late.daemon = True
        late.start()
    os.close(ears)


def _try_again_after(hook: Callable[[Any], None]) -> Callable[[Any], None]:
    """Python drops an exception that comes up inside a destructor or a callback: Ctrl-C must not get lost there."""

    def check(dropped: Any) -> None:
        if not issubclass(dropped.exc_type, KeyboardInterrupt):
            hook(dropped)
            return
        again = threading.Timer(0.02, os.kill, (os.getpid(), signal.SIGINT))
        again.daemon = True
        again.start()

    return check


def leave(said: str = "") -> None:
    """End the process at once: no thread is waited for."""
    if said:
        with contextlib.suppress(OSError):
            os.write(2, f"{said}\n".encode())
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(INTERRUPTED)


def leave_stuck_threads() -> None:
    """At the end of an interrupted program: Python would wait for threads whose machine code never returns."""
    deadline = time.monotonic() + GRACE_SECONDS
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join(max(0.0, deadline - time.monotonic()))
            if thread.is_alive():
                leave()

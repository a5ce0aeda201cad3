"""Work in another thread, so that Ctrl-C is heard while compiled code runs."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

TICK_SECONDS = 0.1
#: How long a stopped piece of work may take to notice.
PATIENCE_SECONDS = 1.0


def run_interruptibly(
    work: Callable[[], T], *, tick: Callable[[], None] = lambda: None, stop: Callable[[], None] | None = None
) -> T:
    """Do `work` in a thread of its own and return what it returns, or raise what it raises.

    `tick` is called ten times a second meanwhile. When Ctrl-C comes, `stop` is called, and KeyboardInterrupt raised;
    work that cannot be stopped is left behind and ends with the process.
    """
    results: list[T] = []
    errors: list[BaseException] = []
    done = threading.Event()  # a thread whose `join` was interrupted counts as ended in Python 3.11

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)
        finally:
            done.set()

    threading.Thread(target=run, daemon=True).start()
    try:
        while not done.wait(TICK_SECONDS):
            tick()
    except KeyboardInterrupt:
        if stop is not None:
            stop()
            done.wait(PATIENCE_SECONDS)
        raise
    if errors:
        raise errors[0]
    return results[0]

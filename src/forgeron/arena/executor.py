"""Where games are played: here, in worker processes, or on a cluster. All give the same games the same way.

An executor takes tasks and yields `(task, record)` as games end, in any order. A worker that dies takes no game with
it: its games are given out again.
"""

from __future__ import annotations

import atexit
import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool

from forgeron.arena.task import GameTask, Table
from forgeron.core.errors import ForgeronError
from forgeron.core.record import Record

#: How often a game is given out again when its worker dies.
TRIES = 3

Played = Generator[tuple[GameTask, Record], None, None]
"""closing it gives up the games in progress"""
Executor = Callable[[Iterable[GameTask]], Played]


def in_this_process(tasks: Iterable[GameTask]) -> Played:
    """One game after the other, with no helper."""
    with Table() as table:
        for task in tasks:
            yield task, table.play(task)


def in_processes(jobs: int) -> Executor:
    """Games at the same time in `jobs` worker processes."""

    def run(tasks: Iterable[GameTask]) -> Played:
        source = iter(tasks)
        again: list[GameTask] = []
        tries: dict[str, int] = {}
        while True:
            pool = ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_begin)
            running: dict[Future[str], GameTask] = {}
            try:
                while True:
                    while len(running) < jobs:
                        task = again.pop() if again else next(source, None)
                        if task is None:
                            break
                        running[pool.submit(_play, task)] = task
                    if not running:
                        return
                    done, _ = wait(running, return_when=FIRST_COMPLETED)
                    for future in done:
                        text = future.result()
                        yield running.pop(future), Record.from_json(text)
            except BrokenProcessPool:
                for task in running.values():
                    tries[task.id] = tries.get(task.id, 0) + 1
                    if tries[task.id] >= TRIES:
                        raise ForgeronError(f"the worker of game {task.id} died {TRIES} times") from None
                    again.append(task)
            finally:
                # Leaving early (Ctrl-C, SPRT): workers must not go on playing games nobody waits for.
                for process in list((pool._processes or {}).values()):
                    if running:
                        process.terminate()
                pool.shutdown(wait=True, cancel_futures=True)

    return run


_table: Table | None = None


def _begin() -> None:
    """In a worker: a table of its own, cleared when the worker leaves or is asked to."""
    global _table
    _table = Table()
    atexit.register(_table.close)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when to stop
    signal.signal(signal.SIGTERM, _leave)
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave(*_: object) -> None:
    """Leave at once: an exception would only end the game, as the pool takes it for the game's result."""
    if _table is not None:
        _table.close()
    os._exit(1)


def _leave_with_parent() -> None:
    """A parent that was killed cannot send its workers home: they go by themselves, and take their bots with them."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    multiprocessing.connection.wait([parent.sentinel])
    os.kill(os.getpid(), signal.SIGTERM)


def _play(task: GameTask) -> str:
    assert _table is not None
    return _table.play(task).to_json()


def executor(jobs: int) -> Executor:
    """The executor for this many games at the same time."""
    return in_this_process if jobs <= 1 else in_processes(jobs)

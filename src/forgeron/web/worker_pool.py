"""The pool of worker processes that search; the event loop never does."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import sys
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from forgeron.core.errors import ForgeronError

#: A worker that was told to stop and does not answer for so long is ended.
PATIENCE_SECONDS = 2.0
#: A line of a worker is at most this long.
LINE_BYTES = 2**20

#: The events that end a task; others tell of its progress.
ANSWERS = ("choice", "reviewed", "traced", "counted", "ready", "failed")

Listener = Callable[[dict[str, Any]], None]


class ThinkingFailed(ForgeronError):
    """A worker could not do its task, and says why."""


class _WorkerProcess:
    """One process, and the task it is at."""

    def __init__(self) -> None:
        self.process: asyncio.subprocess.Process | None = None
        self.reader: asyncio.Task[None] | None = None
        self.task: int | None = None
        self.result: asyncio.Future[dict[str, Any]] | None = None
        self.listener: Listener | None = None
        self.loaded: set[str] = set()
        """what it has thought about: it is ready for that at once"""


class WorkerPool:
    """So many workers, started when they are needed; tasks wait in the order they came."""

    def __init__(self, count: int, env: Mapping[str, str] | None = None) -> None:
        self._workers = [_WorkerProcess() for _ in range(count)]
        self._idle = deque(self._workers)
        self._waiting: deque[tuple[str, asyncio.Future[_WorkerProcess]]] = deque()
        self._numbers = itertools.count(1)
        self._env = dict(os.environ if env is None else env) | {"FORGERON_QUIET": "1"}
        self._closed = False

    @property
    def waiting(self) -> int:
        """How many tasks wait for a worker."""
        return len(self._waiting)

    async def think(self, task: Mapping[str, Any], listener: Listener | None = None) -> dict[str, Any]:
        """What a worker answers to the task; `listener` is told of progress.

        A worker that dies is replaced, and the task tried once more. Whoever cancels this has the worker stopped.
        """
        worker = await self._take(_kind(task))
        try:
            try:
                return await self._ask(worker, task, listener)
            except _WorkerDied:
                return await self._ask(worker, task, listener)
        except _WorkerDied as error:
            raise ThinkingFailed(f"the process that thinks ended twice: {error}") from None
        finally:
            self._give_back(worker)

    def is_ready(self, task: Mapping[str, Any]) -> bool:
        """Whether some worker has what the task needs loaded and compiled."""
        return any(_kind(task) in worker.loaded for worker in self._workers)

    async def start(self) -> None:
        """Have the processes started before they are needed."""
        for worker in self._workers:
            await self._start(worker)

    async def close(self) -> None:
        """End all workers."""
        self._closed = True
        for worker in self._workers:
            await _end(worker)

    async def _take(self, kind: str) -> _WorkerProcess:
        if self._idle:
            ready = next((one for one in self._idle if kind in one.loaded), self._idle[0])
            self._idle.remove(ready)
            return ready
        place: asyncio.Future[_WorkerProcess] = asyncio.get_running_loop().create_future()
        self._waiting.append((kind, place))
        try:
            return await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self._give_back(place.result())
            raise

    def _give_back(self, worker: _WorkerProcess) -> None:
        while self._waiting:
            _, place = self._waiting.popleft()
            if not place.done():
                place.set_result(worker)
                return
        self._idle.append(worker)

    async def _ask(self, worker: _WorkerProcess, task: Mapping[str, Any], listener: Listener | None) -> dict[str, Any]:
        if self._closed:
            raise ThinkingFailed("the server is ending")
        await self._start(worker)
        number = next(self._numbers)
        result = worker.result = asyncio.get_running_loop().create_future()
        worker.task, worker.listener = number, listener
        self._write(worker, {**task, "id": number})
        try:
            answer: dict[str, Any] = await asyncio.shield(result)
        except asyncio.CancelledError:
            self._write(worker, {"do": "stop", "id": number})
            with contextlib.suppress(_WorkerDied, asyncio.TimeoutError):
                await asyncio.wait_for(asyncio.shield(result), PATIENCE_SECONDS)
            if not result.done():
                await _end(worker)
            raise
        finally:
            worker.task = worker.listener = None
        if answer["event"] == "failed":
            raise ThinkingFailed(answer["error"])
        worker.loaded.add(_kind(task))
        return answer

    async def _start(self, worker: _WorkerProcess) -> None:
        if worker.process is not None and worker.process.returncode is None:
            return
        worker.loaded.clear()
        worker.process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "forgeron.web.worker",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=self._env,
            limit=LINE_BYTES,
            start_new_session=True,  # Ctrl-C is for the server, which ends its workers itself
        )
        worker.reader = asyncio.create_task(_read(worker, worker.process))

    def _write(self, worker: _WorkerProcess, message: dict[str, Any]) -> None:
        if worker.process is None or worker.process.stdin is None:
            return  # it has been ended meanwhile
        with contextlib.suppress(ConnectionError, RuntimeError):
            worker.process.stdin.write(json.dumps(message).encode() + b"\n")


def _kind(task: Mapping[str, Any]) -> str:
    """What a worker must have made ready for a task."""
    return json.dumps([task["game"], task["options"], task["player"]], sort_keys=True)


class _WorkerDied(Exception):
    pass


async def _read(worker: _WorkerProcess, process: asyncio.subprocess.Process) -> None:
    assert process.stdout is not None
    while line := await process.stdout.readline():
        message = json.loads(line)
        if message.get("id") != worker.task or worker.result is None or worker.result.done():
            continue  # of a task that was given up
        if message["event"] in ANSWERS:
            worker.result.set_result(message)
        elif worker.listener is not None:
            worker.listener(message)
    code = await process.wait()
    if worker.process is process and worker.result is not None and not worker.result.done():
        worker.result.set_exception(_WorkerDied(f"exit code {code}"))


async def _end(worker: _WorkerProcess) -> None:
    process, worker.process = worker.process, None
    if process is None or process.returncode is not None:
        return
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    await process.wait()
    if worker.result is not None and not worker.result.done():
        worker.result.set_exception(_WorkerDied("ended"))
        worker.result.exception()  # nobody may be left to hear it

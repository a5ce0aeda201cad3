"""Games on a Ray cluster: the same tasks and runners on other machines.

A worker that dies takes no game with it: its game is given to another one. A game that was played twice all the same
(the worker died after playing and before saying so) has the same id both times, and the journal takes it once.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from forgeron.arena.executor import Batches, BatchExecutor, Executor
from forgeron.arena.task import GameRunner, GameTask
from forgeron.core.errors import ForgeronError
from forgeron.core.record import Record

#: How often a game is begun whose worker dies: nobody can tell whether a bot ended it, or somebody on its machine.
TRIES = 3


class RayWorker:
    """Where games are played on the cluster: a runner that is kept from one game to the next."""

    def __init__(self) -> None:
        self._runner = GameRunner()

    def play(self, task: dict[str, Any]) -> str:
        """Play a task, both sides as plain data: the cluster need not know our classes."""
        return self._runner.play(GameTask.from_data(task)).to_json()

    def process_id(self) -> int:
        return os.getpid()


def on_ray(jobs: int, **connection: Any) -> Executor:
    """Games at the same time in `jobs` workers of a Ray cluster.

    `connection` is for `ray.init`, for example the address of a running cluster; without it `RAY_ADDRESS` decides, and
    a cluster on this machine is begun, and ended, where there is none.
    """
    ray = _ray()

    def run(tasks: Iterable[GameTask]) -> Batches:
        begun = not ray.is_initialized()
        if begun:
            options = {"include_dashboard": False, "logging_level": "error", "log_to_driver": False, **connection}
            if "address" not in options and "RAY_ADDRESS" not in os.environ:
                options.setdefault("num_cpus", jobs)
            ray.init(**options)
        workers: list[Any] = []
        try:
            yield from _distribute(ray, workers, iter(tasks), jobs)
        finally:
            # Leaving early: games nobody waits for must not go on.
            for worker in workers:
                ray.kill(worker)
            if begun:
                ray.shutdown()

    return BatchExecutor(run)


def _distribute(ray: Any, workers: list[Any], source: Any, jobs: int) -> Batches:
    """Give each worker a game, and the next when it is done; `workers` holds those that live."""
    make = ray.remote(max_restarts=0, max_concurrency=1)(RayWorker).remote
    again: list[GameTask] = []
    tries: dict[str, int] = {}
    running: dict[Any, tuple[GameTask, Any]] = {}
    idle: list[Any] = []
    while True:
        while len(running) < jobs:
            task = again.pop() if again else next(source, None)
            if task is None:
                break
            if idle:
                worker = idle.pop()
            else:
                worker = make()
                workers.append(worker)
            running[worker.play.remote(task.to_data())] = task, worker
        if not running:
            return
        ray.wait(list(running), num_returns=1)
        ended, _ = ray.wait(list(running), num_returns=len(running), timeout=0)  # and all others that are done
        batch = []
        for reference in ended:
            task, worker = running.pop(reference)
            try:
                text = ray.get(reference)
            except ray.exceptions.RayActorError:
                workers.remove(worker)
                tries[task.id] = tries.get(task.id, 0) + 1
                if tries[task.id] >= TRIES:
                    raise ForgeronError(f"the worker of game {task.id} died {TRIES} times") from None
                again.append(task)
                continue
            except ray.exceptions.RayTaskError as error:
                raise ForgeronError(f"game {task.id} could not be played: {error.cause}") from None
            idle.append(worker)
            batch.append((task, Record.from_json(text)))
        if batch:
            yield batch


def _ray() -> Any:
    try:
        import ray  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        raise ForgeronError("the executor ray needs Ray: pip install 'forgeron[cluster]'") from None
    return ray

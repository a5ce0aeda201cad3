"""Where shards are made: in processes of this machine, or by the workers of a Ray cluster.

Each way is a function of settings, folder, the numbers of the shards that are missing and how many are made at the same
time. It writes the shards to the folder, in any order, and yields the games and plies of each.
"""

from __future__ import annotations

import io
import multiprocessing
import multiprocessing.connection
import os
import signal
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict
from pathlib import Path
from typing import Any

from forgeron.core.errors import ForgeronError
from forgeron.core.files import write_file
from forgeron.core.registry import is_file_name, located
from forgeron.learning.data_generation import SelfPlay, make_shard, shard_file
from forgeron.learning.shards import Shard, save_shard, write_shard

Made = Generator[tuple[int, int], None, None]
ShardMaker = Callable[[SelfPlay, Path, Sequence[int], int], Made]

#: A shard whose worker died is made again by another one, so often.
TRIES = 3


# --- processes of this machine ----------------------------------------------------------------------------------------


def make_in_processes(settings: SelfPlay, folder: Path, numbers: Sequence[int], jobs: int) -> Made:
    """Make shards in processes of their own."""
    make_shard(SelfPlay(**{**asdict(settings), "games": 1, "nodes": 1, "shard_games": 1}), 0)  # compiled once here
    waiting, lost = list(numbers), Counter[int]()
    while waiting:
        running: dict[Future[tuple[int, int]], int] = {}
        pool = ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_begin)
        try:
            while waiting or running:
                while waiting and len(running) < jobs:
                    future = pool.submit(_make, settings, folder, waiting[0])
                    running[future] = waiting.pop(0)
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    made = future.result()
                    del running[future]
                    yield made
        except BrokenProcessPool:  # a worker was killed, perhaps for want of memory, and took the others with it
            lost.update(running.values())
            if lost and max(lost.values()) >= TRIES:
                again = ", ".join(str(number) for number, times in lost.items() if times >= TRIES)
                raise ForgeronError(
                    f"workers died {TRIES} times while they made shard {again}: fewer at the same time need less memory"
                ) from None
            waiting = sorted([*running.values(), *waiting])
        finally:
            for process in list((pool._processes or {}).values()):
                if running:
                    process.terminate()
            pool.shutdown(wait=True, cancel_futures=True)


def _begin() -> None:
    """In a worker: only the parent hears Ctrl-C, and a parent that was killed takes its workers with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ["FORGERON_QUIET"] = "1"
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    multiprocessing.connection.wait([parent.sentinel])
    os._exit(1)


def _make(settings: SelfPlay, folder: Path, number: int) -> tuple[int, int]:
    """In a worker: make a shard and write it; the number of games and plies."""
    shard = make_shard(settings, number)
    write_shard(shard_file(folder, number), shard)
    return shard.games, shard.plies


# --- a Ray cluster ----------------------------------------------------------------------------------------------------


def make_on_ray(settings: SelfPlay, folder: Path, numbers: Sequence[int], jobs: int) -> Made:
    """Make shards on a Ray cluster: the one that RAY_ADDRESS names, or one on this machine.

    What a worker needs goes with its task, and what it made comes back: the folder and a network need not be on a disk
    that all machines share. A shard whose worker dies is made again by another.
    """
    ray = import_ray()
    ours = not ray.is_initialized()
    if ours:
        ray.init(include_dashboard=False, logging_level="error", log_to_driver=False)
    make = ray.remote(max_retries=TRIES - 1, num_cpus=1)(shard_as_bytes)
    waiting = list(numbers)
    running: dict[Any, int] = {}
    parcel = _parcel(settings)
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                number = waiting.pop(0)
                running[make.remote(*parcel, number)] = number
            ended, _ = ray.wait(list(running), num_returns=1)
            for reference in ended:
                number = running.pop(reference)
                data, games, plies = _received(ray, reference, number)
                write_file(shard_file(folder, number), data)
                yield games, plies
    finally:
        for reference in running:
            ray.cancel(reference, force=True)
        if ours:
            ray.shutdown()


def import_ray() -> Any:
    """Ray, or an error that says how to have it."""
    try:
        import ray  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        raise ForgeronError("the executor ray needs Ray: pip install 'forgeron[cluster]'") from None
    return ray


def shard_as_bytes(settings: dict[str, Any], evaluation: bytes | None, number: int) -> tuple[bytes, int, int]:
    """On a worker: the file of a shard, with its numbers of games and plies; `evaluation` is what its file holds."""
    os.environ["FORGERON_QUIET"] = "1"
    asked = SelfPlay(**settings)
    if evaluation is None:
        shard = make_shard(asked, number)
    else:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / Path(asked.evaluation).name
            file.write_bytes(evaluation)
            shard = make_shard(asked, number, evaluation=str(file))
    return _file_of(shard), shard.games, shard.plies


def _file_of(shard: Shard) -> bytes:
    with io.BytesIO() as file:
        save_shard(file, shard)
        return file.getvalue()


def _parcel(settings: SelfPlay) -> tuple[dict[str, Any], bytes | None]:
    """Settings, and the file of the evaluation where it is one."""
    data = asdict(settings)
    if is_file_name(settings.game):
        data["game"] = located(settings.game, Path().resolve())
    file = Path(settings.evaluation)
    if file.suffix not in (".json", ".network"):
        return data, None
    try:
        return data, file.read_bytes()
    except OSError as error:
        raise ForgeronError(f"cannot read {file}: {error.strerror}") from None


def _received(ray: Any, reference: Any, number: int) -> tuple[bytes, int, int]:
    try:
        made: tuple[bytes, int, int] = ray.get(reference)
    except ray.exceptions.WorkerCrashedError:
        raise ForgeronError(f"the worker of shard {number} died {TRIES} times") from None
    except ray.exceptions.RayTaskError as error:
        raise ForgeronError(f"shard {number} could not be made: {error.cause}") from None
    return made

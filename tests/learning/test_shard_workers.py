"""Where shards are made: the same bytes on a Ray cluster of two workers, one of them killed, as in this process."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from forgeron.core.errors import ForgeronError
from forgeron.learning import shard_workers
from forgeron.learning.data_generation import SelfPlay, generate, make_shard, shard_file
from forgeron.learning.shard_workers import make_on_ray, shard_as_bytes
from forgeron.learning.shards import Shard, read_shard

GAME = str(Path(__file__).parent.parent.parent / "examples" / "game_connect_four.py")
SETTINGS = SelfPlay(GAME, {}, games=12, nodes=20, shard_games=2, seed=3)


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Two workers that compile nothing: plain Python is quicker for so few nodes."""
    ray = pytest.importorskip("ray", reason="a cluster needs Ray: pip install 'forgeron[cluster]'")
    monkeypatch.setenv("FORGERON_JIT", "0")
    ray.init(num_cpus=2, include_dashboard=False, logging_level="error", log_to_driver=False)
    yield ray
    ray.shutdown()


def equal(one: Shard, two: Shard) -> bool:
    return one.header == two.header and all(
        np.array_equal(getattr(one, name), getattr(two, name))
        for name in ("lengths", "results", "moves", "values", "flags")
    )


@pytest.mark.filterwarnings("ignore")
def test_a_worker_killed_in_the_middle_loses_no_shard(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = tmp_path / "mark"
    monkeypatch.setattr(shard_workers, "shard_as_bytes", mortal(str(mark), victim=2))
    progress = list(generate(SETTINGS, tmp_path / "out", 2, make_on_ray))
    assert mark.exists(), "the worker was killed"
    assert [one.shards for one in progress] == list(range(7))
    assert progress[-1].games == 12
    for number in range(6):
        assert equal(read_shard(shard_file(tmp_path / "out", number)), make_shard(SETTINGS, number))


@pytest.mark.filterwarnings("ignore")
def test_a_shard_whose_workers_die_every_time_is_given_up(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shard_workers, "shard_as_bytes", doomed())
    with pytest.raises(ForgeronError, match=r"the worker of shard 0 died 3 times"):
        list(generate(SETTINGS, tmp_path / "out", 1, make_on_ray))


def test_a_process_that_is_killed_loses_no_shard(tmp_path: Path) -> None:
    course = generate(SETTINGS, tmp_path, 2)
    progress = [next(course), next(course)]
    kill_workers()
    progress += course
    assert (progress[-1].shards, progress[-1].games) == (6, 12)
    for number in range(6):
        assert equal(read_shard(shard_file(tmp_path, number)), make_shard(SETTINGS, number))


def test_a_shard_whose_processes_die_every_time_is_given_up(tmp_path: Path) -> None:
    over = threading.Event()

    def kill_until_over() -> None:
        while not over.wait(0.02):
            kill_workers()

    killer = threading.Thread(target=kill_until_over)
    killer.start()
    try:
        with pytest.raises(ForgeronError, match=r"workers died 3 times while they made shard 0"):
            list(generate(SETTINGS, tmp_path, 1))
    finally:
        over.set()
        killer.join()


def kill_workers() -> None:
    for process in multiprocessing.active_children():
        process.kill()


def test_an_evaluation_goes_along_with_its_task(tmp_path: Path) -> None:
    file = tmp_path / "weights.json"
    file.write_text('{"game": "connect-four", "weights": {"lines": -0.5, "to move": 0.0}}', encoding="utf-8")
    settings = SelfPlay(GAME, {}, games=2, nodes=20, shard_games=2, evaluation="elsewhere/weights.json")
    data, games, plies = shard_as_bytes(vars(settings), file.read_bytes(), 0)
    (tmp_path / "shard.npz").write_bytes(data)
    shard = read_shard(tmp_path / "shard.npz")
    assert (shard.games, shard.plies) == (games, plies)
    assert shard.header["selfplay"]["evaluation"] == "elsewhere/weights.json"
    assert not equal(shard, make_shard(SelfPlay(GAME, {}, games=2, nodes=20, shard_games=2), 0))


def mortal(mark: str, victim: int) -> Any:
    """The worker's function, which the first time kills its process in the middle of shard `victim`."""

    def make(settings: dict[str, Any], evaluation: bytes | None, number: int) -> tuple[bytes, int, int]:
        from forgeron.learning.shard_workers import shard_as_bytes

        if number == victim and not Path(mark).exists():
            Path(mark).write_text("killed")
            os.kill(os.getpid(), signal.SIGKILL)
        return shard_as_bytes(settings, evaluation, number)

    make.__module__ = "__main__"  # so that the cluster takes its code along
    return make


def doomed() -> Any:
    def make(settings: dict[str, Any], evaluation: bytes | None, number: int) -> tuple[bytes, int, int]:
        os._exit(1)

    make.__module__ = "__main__"
    return make

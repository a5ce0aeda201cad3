"""Games on a Ray cluster of two workers, one of which is killed in the middle: no game lost, none twice."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from forgeron.arena import journal as journals
from forgeron.arena.executor import in_this_process
from forgeron.arena.journal import Journal
from forgeron.arena.match import Match, play_match
from forgeron.arena.ray_executor import RayWorker, on_ray
from forgeron.arena.task import GameTask
from forgeron.core.errors import ForgeronError
from forgeron.core.record import Record

Make = Callable[..., Match]
Run = Callable[..., dict[str, Record]]
Timeless = Callable[[Mapping[str, Record]], dict[str, Record]]


@pytest.fixture
def cluster() -> Iterator[Any]:
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, logging_level="error", log_to_driver=False)
    yield ray
    ray.shutdown()


@pytest.mark.filterwarnings("ignore")
def test_a_worker_killed_in_the_middle_loses_no_game_and_none_counts_twice(
    make_match: Make, run_event: Run, timeless: Timeless, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("ray")
    match = make_match("monte-carlo", "greedy", games=12)
    expected = run_event(match)
    mark = tmp_path / "mark"
    monkeypatch.setenv("FORGERON_TEST_MARK", str(mark))
    monkeypatch.setenv("FORGERON_TEST_VICTIM", match.schedule[2][1].id)
    monkeypatch.setattr("forgeron.arena.ray_executor.RayWorker", mortal())
    path = tmp_path / "ray.journal"
    with Journal(path, match.settings()) as journal:
        standings = list(play_match(match, journal, on_ray(2)))
    assert mark.read_text() == match.schedule[2][1].id, "the worker was killed"
    assert standings[-1].decided
    assert len(standings) == 13
    assert timeless(journals.read(path)[1]) == timeless(expected)
    assert len(path.read_bytes().splitlines()) == 13


@pytest.mark.filterwarnings("ignore")
def test_a_worker_killed_from_outside_while_others_play_on(
    make_match: Make, run_event: Run, timeless: Timeless, tmp_path: Path, cluster: Any
) -> None:
    match = make_match("monte-carlo", "greedy", games=12)
    expected = run_event(match)
    tasks = match.due({})
    done: dict[str, Record] = {}
    killed = False
    for task, record in on_ray(2)(tasks):
        assert task.id not in done
        done[task.id] = record
        if len(done) == 3:
            workers = [int(name) for name in os.listdir("/proc") if name.isdigit() and is_worker(name)]
            assert len(workers) >= 2
            os.kill(workers[0], signal.SIGKILL)
            killed = True
    assert killed
    assert timeless(done) == timeless(expected)


@pytest.mark.filterwarnings("ignore")
def test_a_game_whose_workers_die_every_time_is_given_up(make_match: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ray")
    match = make_match(games=2)
    monkeypatch.setattr("forgeron.arena.ray_executor.RayWorker", doomed())
    with pytest.raises(ForgeronError, match=r"the worker of game .* died 3 times"):
        list(on_ray(1)(match.due({})))


def test_a_worker_plays_a_task_as_this_process_does(make_match: Make, timeless: Timeless) -> None:
    task: GameTask = make_match(games=2).due({})[0]
    ((_, expected),) = in_this_process([task])
    played = Record.from_json(RayWorker().play(task.to_data()))
    assert timeless({"": played}) == timeless({"": expected})


def mortal() -> type[RayWorker]:
    """The class made anew, so that the cluster takes its code along: it does not know the modules of tests."""

    class Here(RayWorker):
        def play(self, task: dict[str, Any]) -> str:
            import os
            import signal
            from pathlib import Path

            if task["id"] == os.environ["FORGERON_TEST_VICTIM"]:
                mark = Path(os.environ["FORGERON_TEST_MARK"])
                if not mark.exists():
                    mark.write_text(task["id"])
                    os.kill(os.getpid(), signal.SIGKILL)
            return super().play(task)

    Here.__module__ = "__main__"
    return Here


def doomed() -> type[RayWorker]:
    class Here(RayWorker):
        def play(self, task: dict[str, Any]) -> str:
            import os

            os._exit(1)

    Here.__module__ = "__main__"
    return Here


def is_worker(pid: str) -> bool:
    try:
        return b"ray::RayWorker" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False

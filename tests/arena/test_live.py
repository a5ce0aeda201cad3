"""Games that show themselves: to nobody, to a watcher, and held by one."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from forgeron.arena.entrant import Entrant
from forgeron.arena.event import Terms
from forgeron.arena.executor import in_processes, in_this_process
from forgeron.arena.journal import Journal
from forgeron.arena.live import Snapshot, Wish, live_folder, running, stop_watching, watch
from forgeron.arena.match import Match, play_match
from forgeron.arena.referee import Referee
from forgeron.arena.task import GameRunner, GameTask

CONNECT_FOUR = str(Path(__file__).parent.parent.parent / "examples" / "game_connect_four.py")


@pytest.fixture
def match() -> Match:
    terms = Terms.settle(CONNECT_FOUR, time="20n", seed=1)
    return Match(terms, (Entrant("a", player="random"), Entrant("b", player="random")), 2)


def until(right: Callable[[], bool]) -> None:
    """Wait for something that another thread does."""
    for _ in range(3000):
        if right():
            return
        time.sleep(0.02)
    raise AssertionError("it did not happen within a minute")


def test_an_event_that_nobody_watches_leaves_only_its_journal(match: Match, tmp_path: Path) -> None:
    path = tmp_path / "m.journal"
    with Journal(path, match.settings()) as journal:
        for _ in play_match(match, journal, in_this_process):
            pass
    assert [file.name for file in tmp_path.iterdir()] == ["m.journal"]


def test_a_watched_game_shows_its_moves_and_is_gone_when_it_is_over(match: Match, tmp_path: Path) -> None:
    path = tmp_path / "m.journal"
    watch(path, Wish())
    task = replace(match.due({})[0], live=str(live_folder(path)))
    seen: list[Snapshot] = []

    def on_turn(referee: Referee, seat: int) -> None:
        watch(path, Wish())  # somebody is still there, however slow the machine
        for shot in running(path):
            assert shot.moves == tuple(referee.moves)[: len(shot.moves)]
            assert shot.names == ("a", "b")
            seen.append(shot)

    record = GameRunner().play(task, on_turn)
    assert seen[0].moves == task.opening
    assert seen[0].seat == len(task.opening) % 2
    assert record.moves[: len(seen[-1].moves)] == seen[-1].moves
    assert running(path) == []


def test_a_held_game_waits_makes_one_move_and_goes_on(match: Match, tmp_path: Path) -> None:
    path = tmp_path / "m.journal"
    task = replace(match.due({})[0], live=str(live_folder(path)))
    wish, over = [Wish(held=True)], threading.Event()
    watch(path, wish[0])

    def keep_watching() -> None:
        while not over.wait(0.05):
            watch(path, wish[0])

    records = []
    keeper = threading.Thread(target=keep_watching)
    player = threading.Thread(target=lambda: records.append(GameRunner().play(task)))
    keeper.start()
    player.start()
    try:
        plies = len(task.opening)
        for step in range(3):
            until(lambda: [len(shot.moves) for shot in running(path)] == [plies + step])  # noqa: B023
            wish[0] = Wish(held=True, step=step + 1)
        until(lambda: [len(shot.moves) for shot in running(path)] == [plies + 3])
        assert not records
        wish[0] = Wish()
        player.join(60)
        assert records
    finally:
        over.set()
        keeper.join()
    stop_watching(path)
    assert not live_folder(path).exists()


def test_a_watcher_that_has_gone_holds_nobody(match: Match, tmp_path: Path) -> None:
    path = tmp_path / "m.journal"
    watch(path, Wish(held=True))
    (file,) = live_folder(path).iterdir()
    os.utime(file, (0, 0))
    with Journal(path, match.settings()) as journal:
        *_, standing = play_match(match, journal, in_this_process)
    assert standing.games == 2


def test_workers_show_their_games_too(match: Match, tmp_path: Path) -> None:
    path = tmp_path / "m.journal"
    slow = Wish(pace_seconds=0.1)
    watch(path, slow)
    seen: set[str] = set()

    def look() -> None:
        while not over.wait(0.05):
            watch(path, slow)
            seen.update(shot.id for shot in running(path))

    over = threading.Event()
    looker = threading.Thread(target=look)
    looker.start()
    with Journal(path, match.settings()) as journal:
        for _ in play_match(match, journal, in_processes(2)):
            pass
    over.set()
    looker.join()
    assert seen == set(journal.records)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", "x", "[" * 100_000, json.dumps({"id": "x"}), "0" * 2_000_000, '{"seat": 0, "names": 3}'],
)
def test_a_watcher_believes_nothing_that_it_reads(tmp_path: Path, text: str) -> None:
    path = tmp_path / "m.journal"
    watch(path, Wish())
    (live_folder(path) / "evil.json").write_text(text)
    assert running(path) == []


def test_a_task_tells_a_worker_where_to_show_its_game(match: Match) -> None:
    task = replace(match.due({})[0], live="/somewhere")
    assert GameTask.from_data(task.to_data()) == task

"""Executors that hand over games in batches play the same events as those that hand over one at a time."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from forgeron.arena.entrant import Entrant
from forgeron.arena.event import Terms
from forgeron.arena.executor import Batches, BatchExecutor, Executor, in_batches, in_this_process
from forgeron.arena.journal import Journal
from forgeron.arena.task import GameTask
from forgeron.arena.tournament import Tournament, play_tournament
from forgeron.core.record import Record

CONNECT_FOUR = str(Path(__file__).parents[2] / "examples" / "game_connect_four.py")


def threes(tasks: Iterable[GameTask]) -> Batches:
    """Three games at a time, the last of them first."""
    batch = []
    for game in in_this_process(tasks):
        batch.insert(0, game)
        if len(batch) == 3:
            yield batch
            batch = []
    if batch:
        yield batch


def played(executor: Executor, path: Path) -> dict[str, Record]:
    terms = Terms.settle(CONNECT_FOUR, time="5n", opening_plies=2)
    names = ("one", "two", "three")
    event = Tournament("batches", terms, tuple(Entrant(name, player="random") for name in names))
    with Journal(path, event.settings()) as journal:
        done = [count for count, _total in play_tournament(event, journal, executor)]
        assert done[-1] == len(journal.records)
        return dict(journal.records)


def test_a_tournament_is_the_same_in_batches(tmp_path: Path) -> None:
    alone = played(in_this_process, tmp_path / "alone.journal")
    together = played(BatchExecutor(threes), tmp_path / "together.journal")
    assert {id: record.moves for id, record in alone.items()} == {id: record.moves for id, record in together.items()}
    assert list(alone) != list(together)


def test_any_executor_has_batches_and_a_batch_executor_games() -> None:
    terms = Terms.settle(CONNECT_FOUR, time="5n", opening_plies=0)
    event = Tournament("batches", terms, (Entrant("one", player="random"), Entrant("two", player="random")))
    tasks = event.due({})
    assert [len(batch) for batch in in_batches(in_this_process, tasks)] == [1] * len(tasks)
    assert {task.id for task, _record in BatchExecutor(threes)(tasks)} == {task.id for task in tasks}

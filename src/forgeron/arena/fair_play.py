"""Playing again, once, what was perhaps lost for want of a processor."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import closing

from forgeron.arena.executor import Executor, GameStream
from forgeron.arena.journal import Journal
from forgeron.arena.match import Match
from forgeron.arena.overload import as_replay, may_be_replayed
from forgeron.arena.task import GameTask
from forgeron.arena.tournament import FREE_FORMATS, Tournament
from forgeron.core.record import Record


def fairly(executor: Executor) -> Executor:
    """An executor that plays a game again, after all others, when it was perhaps lost for want of a processor.

    The second result counts, whatever it is.
    """

    def run(tasks: Iterable[GameTask]) -> GameStream:
        lost: dict[str, tuple[GameTask, Record]] = {}
        with closing(executor(tasks)) as played:
            for task, record in played:
                if may_be_replayed(record):
                    lost[task.id] = task, record
                else:
                    yield task, record
        if lost:
            with closing(executor([task for task, _ in lost.values()])) as played:
                for task, record in played:
                    yield task, as_replay(record, lost[task.id][1])

    return run


def replay_overloaded(event: Match | Tournament, journal: Journal, executor: Executor) -> Generator[str, None, None]:
    """Play such games of the journal again, each once, and put the new results in their place: yields their ids.

    Not in formats where later rounds depend on them.
    """
    if isinstance(event, Tournament) and event.format not in FREE_FORMATS:
        return
    lost = {id: record for id, record in journal.records.items() if may_be_replayed(record)}
    if not lost:
        return
    others = {id: record for id, record in journal.records.items() if id not in lost}
    tasks = [task for task in event.due(others) if task.id in lost]
    with closing(executor(tasks)) as played:
        for task, record in played:
            journal.supersede(task.id, as_replay(record, lost[task.id]))
            yield task.id

"""Where games are played: here, in worker processes, or on a cluster. All give the same games the same way.

An executor takes tasks and yields `(task, record)` as games end, in any order. Games with programs are played in
workers, even one at a time: what a bot does to its referee is then a result of that game, not the end of the event.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from itertools import groupby
from multiprocessing.connection import wait
from typing import Any

from forgeron.arena.bot_files import digest_of
from forgeron.arena.entrant import control_of
from forgeron.arena.task import GameRunner, GameTask
from forgeron.arena.worker import RefereeWorker, Whereabouts, WorkerDiedError
from forgeron.bots.clock import Clocks
from forgeron.bots.faults import Reason
from forgeron.core.errors import ForgeronError
from forgeron.core.position import Position, Seat
from forgeron.core.record import Record
from forgeron.core.registry import game_class

#: How often a game is begun when its worker dies, and when somebody ends it whom no bot of the game can have been.
TRIES, TRIES_WHEN_KILLED = 2, 10
#: How often workers are asked whether they live.
_LOOK_SECONDS = 0.5

GameStream = Generator[tuple[GameTask, Record], None, None]
"""games as they end, each with its record; closing it gives up the games in progress"""
Executor = Callable[[Iterable[GameTask]], GameStream]
Batches = Generator[list[tuple[GameTask, Record]], None, None]
"""games that ended at about the same time, together: the journal syncs once for all of them"""


class BatchExecutor:
    """An executor made of one that yields games in batches."""

    def __init__(self, batches: Callable[[Iterable[GameTask]], Batches]) -> None:
        self.batches = batches

    def __call__(self, tasks: Iterable[GameTask]) -> GameStream:
        with closing(self.batches(tasks)) as found:
            for batch in found:
                yield from batch


def in_batches(executor: Executor, tasks: Iterable[GameTask]) -> Batches:
    """The games of any executor, in the batches in which they end."""
    if isinstance(executor, BatchExecutor):
        yield from executor.batches(tasks)
        return
    with closing(executor(tasks)) as played:
        for game in played:
            yield [game]


def in_this_process(tasks: Iterable[GameTask]) -> GameStream:
    """One game after the other, with no helper: for players of ours, and for tests."""
    with GameRunner() as runner:
        for task in tasks:
            yield task, runner.play(task)


def in_processes(jobs: int) -> Executor:
    """Games at the same time in `jobs` worker processes."""

    def run(tasks: Iterable[GameTask]) -> Batches:
        source = iter(tasks)
        again: list[GameTask] = []
        deaths: Counter[tuple[str, int]] = Counter()
        workers: list[RefereeWorker] = []
        try:
            while True:
                while sum(worker.task is not None for worker in workers) < jobs:
                    task = again.pop() if again else next(source, None)
                    if task is None:
                        break
                    _idle(workers).give(task)
                running = [worker for worker in workers if worker.task is not None]
                if not running:
                    return
                ended = []
                for worker, task, result in _answers(running):
                    if isinstance(result, Record):
                        ended.append((task, result))
                        continue
                    workers.remove(worker)
                    where = worker.whereabouts
                    worker.end(at_once=True)
                    tries = _tries(task, result)
                    deaths[task.id, tries] += 1
                    if deaths[task.id, tries] < tries:
                        again.append(task)
                    else:
                        ended.append((task, record_of_death(task, where, str(result), tries)))
                if ended:
                    yield ended
        finally:
            # Leaving early (Ctrl-C, SPRT): workers must not go on playing games nobody waits for.
            for worker in workers:
                worker.end()

    return BatchExecutor(run)


def _idle(workers: list[RefereeWorker]) -> RefereeWorker:
    """A worker with nothing to do."""
    for worker in workers:
        if worker.task is None:
            return worker
    workers.append(RefereeWorker())
    return workers[-1]


def _tries(task: GameTask, death: WorkerDiedError) -> int:
    """How often a game is begun whose worker died like this.

    A signal that no bot of the game can send came from outside: from a person, or from a system short of memory. That
    is not held against a bot, unless it goes on for so long that the event would not end.
    """
    from_outside = death.by_somebody and all(entrant.is_confined for entrant in task.entrants)
    return TRIES_WHEN_KILLED if from_outside else TRIES


def _answers(running: list[RefereeWorker]) -> list[tuple[RefereeWorker, GameTask, Record | WorkerDiedError]]:
    """The workers that have something to say, and what: a record, or how they died."""
    ready = wait([worker.line for worker in running], _LOOK_SECONDS)
    found: list[tuple[RefereeWorker, GameTask, Record | WorkerDiedError]] = []
    for worker in running:
        assert worker.task is not None
        task = worker.task
        if worker.line in ready:
            try:
                found.append((worker, task, worker.receive()))
            except WorkerDiedError as death:
                found.append((worker, task, death))
        elif trouble := worker.trouble:
            found.append((worker, task, WorkerDiedError(trouble)))
    return found


def record_of_death(task: GameTask, where: Whereabouts, how: str, times: int = TRIES) -> Record:
    """The record of a game whose referee died each time: a crash of the program that was to move.

    A player of ours does not reach its referee: where it was to move, or nobody, it is its opponent that is a program.
    Without a program the game itself is at fault, and that is an error of the event.
    """
    programs: list[Seat] = [seat for seat in (0, 1) if task.entrants[seat].player is None]
    if not programs:
        raise ForgeronError(f"the worker of game {task.id} died {times} times: {how}")
    loser = where.seat if where.seat in programs else programs[0]
    game = game_class(task.game).with_options(task.options)
    start = game.start()
    end, moves = _replayed(start, where.moves)
    if not moves:
        end, moves = _replayed(start, task.opening)
    name = task.entrants[loser].name
    turn = f"{name} was to move" if where.seat == loser else f"{name} was playing"
    extra: dict[str, Any] = {
        "files": [digest_of(entrant) for entrant in task.entrants],
        "detail": f"{name}: {how}, {times} times, at ply {len(moves)}; {turn}",
        "time": str(Clocks(*(control_of(entrant, task.time) for entrant in task.entrants))),
        "layers": [[], []],
        "notes": [],
    }
    return Record(
        game=game.name,
        options=dict(game.chosen),
        rules=game.version,
        start=str(start),
        moves=moves,
        players=(task.entrants[0].name, task.entrants[1].name),
        seed=task.seed,
        winner=1 - loser,
        scores=end.scores,
        reason=str(Reason.CRASH),
        extra=extra,
    )


def _replayed(start: Position, moves: tuple[str, ...]) -> tuple[Position, tuple[str, ...]]:
    """Where moves lead, as far as they are legal: what a dead worker left is not to be trusted."""
    position, played = start, []
    for move in moves:
        try:
            position = position.play(move)
        except ForgeronError:
            break
        played.append(move)
    return position, tuple(played)


def one_at_a_time(tasks: Iterable[GameTask]) -> GameStream:
    """One game after the other: here, but those with programs in a worker."""
    for has_programs, group in groupby(tasks, key=lambda task: task.has_programs):
        yield from (in_processes(1) if has_programs else in_this_process)(group)


def executor(jobs: int) -> Executor:
    """The executor for this many games at the same time."""
    return one_at_a_time if jobs <= 1 else in_processes(jobs)

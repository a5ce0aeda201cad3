"""What `match`, `tournament` and `learn` share: how games are run, shown while they run, and left when Ctrl-C comes."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from forgeron.cli.number_options import jobs_option
from forgeron.reports.formatting import say

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from forgeron.arena.entrant import Entrant
    from forgeron.arena.executor import Executor
    from forgeron.arena.journal import Journal
    from forgeron.arena.match import Match
    from forgeron.arena.tournament import Tournament
    from forgeron.learning.shard_workers import ShardMaker

T = TypeVar("T")

JobsOption = Annotated[
    int | None,
    jobs_option(help="Games played in parallel.", show_default="1"),
]
ExecutorOption = Annotated[
    str, typer.Option(metavar="WHERE", help="Where games are played: local, or ray for a Ray cluster.")
]
FairOption = Annotated[
    bool,
    typer.Option("--fair", help="Play games again, once, that a bot lost on time while it had hardly any processor."),
]
EXECUTORS = ("local", "ray")


def find_executor(where: str, jobs: int) -> Executor:
    """The executor of this name for so many games at the same time."""
    from forgeron.core.errors import OptionError, unknown_name

    if jobs < 1:
        raise OptionError(f"jobs is 1 or more, not {jobs}")
    if where == "ray":
        from forgeron.arena.ray_executor import on_ray

        return on_ray(jobs)
    if where != "local":
        raise unknown_name("executor", where, EXECUTORS)
    from forgeron.arena.executor import executor

    return executor(jobs)


def find_shard_maker(where: str) -> ShardMaker:
    """The way to make shards of self-play that goes by this name."""
    from forgeron.core.errors import unknown_name
    from forgeron.learning.shard_workers import make_in_processes, make_on_ray

    if where not in EXECUTORS:
        raise unknown_name("executor", where, EXECUTORS)
    return make_on_ray if where == "ray" else make_in_processes


def replay_unfair(
    console: Console, event: Match | Tournament, journal: Journal, where: Executor, *, fair: bool
) -> Executor:
    """With --fair: play again what the journal has of such games, and return an executor that does so from now on."""
    from forgeron.arena.fair_play import fairly, replay_overloaded

    if not fair:
        return where
    for replayed, _ in enumerate(replay_overloaded(event, journal, where), 1):
        say(console, f"played again, because the machine was perhaps overloaded: {replayed}")
    return fairly(where)


class RemainingTime:
    """How long the rest will take, by what this run has done so far."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began = 0.0
        self._at_first: int | None = None
        self._done = self._total = 0

    def update(self, done: int, total: int) -> None:
        if self._at_first is None:
            self._began, self._at_first = self._clock(), done
        self._done, self._total = done, total

    @property
    def left(self) -> float | None:
        """Seconds; None before the first game."""
        played = self._done - (self._at_first or 0)
        if played <= 0:
            return None
        return (self._clock() - self._began) / played * max(self._total - self._done, 0)


def follow(
    console: Console,
    course: Generator[T, None, None],
    *,
    table: Callable[[T], RenderableType],
    line: Callable[[T], str | None],
    transient: bool = False,
) -> T:
    """Run an event to its end and return its last state: a live table in a terminal, lines elsewhere.

    A table that is `transient` goes away at the end.
    """
    states: list[T] = []
    with closing(course):
        if not console.is_terminal:
            for state in course:
                states[:] = [state]
                text = line(state)
                if text is not None:
                    console.print(text, soft_wrap=True)
            return states[-1]
        from rich.live import Live

        with Live(
            console=console,
            refresh_per_second=4,
            transient=transient,
            get_renderable=lambda: table(states[-1]) if states else "",
        ):
            for state in course:
                states[:] = [state]
    return states[-1]


def say_weakness(console: Console, entrants: Sequence[Entrant], folder: Path) -> None:
    """At the beginning, where bots have more rights than they should: once, the worst of them."""
    from forgeron.bots.sandbox import Sandbox, loss_of_user, weakness

    programs = [entrant.located(folder) for entrant in entrants if entrant.player is None]
    plans = [Sandbox(bwrap=one.bwrap).plan(one.command) for one in programs]
    for kind in ({weakness(plan.layers) for plan in plans}, {loss_of_user(plan) for plan in plans}):
        if worst := max(kind, key=len, default=""):
            say(console, f"note: {worst} (docs/protocol.md#the-sandbox)", "yellow")


def say_stopped(console: Console, journal: Journal) -> None:
    """After Ctrl-C: what is safe, and how to go on."""
    kept = len(journal.records)
    games = "1 game is" if kept == 1 else f"{kept} games are"
    say(console, f"\nstopped: {games} saved in {journal.path}; run the same command to resume")


def say_resumed(console: Console, journal: Journal) -> None:
    """At the beginning, when it is not the first one."""
    kept = len(journal.records)
    if kept:
        games = "1 game is" if kept == 1 else f"{kept} games are"
        say(console, f"resuming {journal.path}: {games} played so far", "dim")

"""`forgeron warmup`: compile everything now, so that nothing waits for it later."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

import typer

from forgeron.cli.shared import GamesArgument, examples, open_game

if TYPE_CHECKING:
    from forgeron.core.game import Game


def add_to(app: typer.Typer) -> None:
    app.command(
        epilog=examples(
            "forgeron warmup                   all installed games",
            "forgeron warmup ./my_game.py      a game of your own",
        )
    )(warmup)


def warmup(games: GamesArgument = None) -> None:
    """Compile the rules and players of games ahead of time; the machine code is stored on disk."""
    from forgeron.core.jit import JIT
    from forgeron.core.registry import game_names

    for name in games or ():
        open_game(name)  # a slip of the hand is told before anything is compiled
    if not JIT:
        typer.echo("nothing to compile: FORGERON_JIT=0 runs everything as plain Python")
        return
    from forgeron.core import cache

    timings: list[float] = []
    before = cache.announce
    try:
        steps = [step for name in games or game_names() for step in _steps(open_game(name))]
        with _bar(len(steps), timings) as advance:
            for label, step in steps:
                advance(label)
                step()
    finally:
        cache.announce = before
    if timings:
        typer.echo(f"{len(timings)} kernels compiled in {sum(timings):.1f} s, stored in {cache.cache_root()}")
    else:
        typer.echo(f"nothing to compile: everything is in {cache.cache_root()}")


@contextmanager
def _bar(steps: int, timings: list[float]) -> Iterator[Callable[[str], None]]:
    """A bar on a terminal, lines elsewhere. Yields what is to be called before every step, with its label."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from forgeron.cli.shared import new_console
    from forgeron.core import cache

    console = new_console()
    if not console.is_terminal:
        cache.announce = _noted(timings, lambda what, seconds: typer.echo(f"{seconds:6.1f} s  {what}"))
        yield lambda label: typer.echo(label, err=True)
        return
    columns = BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}")
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=steps, completed=-1)
        cache.announce = _noted(
            timings, lambda _what, _seconds: None, lambda what: progress.update(task, description=f"compiling {what}")
        )
        yield lambda label: progress.update(task, advance=1, description=label)


def _noted(
    timings: list[float],
    ended: Callable[[str, float], None],
    begun: Callable[[str], None] = lambda _what: None,
) -> Callable[[str], Callable[[float], None]]:
    """A notice that adds the seconds of each compilation to the list; of one that failed the error says so."""

    def notice(what: str) -> Callable[[float], None]:
        begun(what)

        def done(seconds: float) -> None:
            if not math.isnan(seconds):
                timings.append(seconds)
                ended(what, seconds)

        return done

    return notice


def _steps(game: Game) -> list[tuple[str, Callable[[], object]]]:
    """What uses every kernel of one game once, each with a label: rules, both perfts, random games, every player."""
    from forgeron.core.chance import next_decision
    from forgeron.core.queries import compile_queries
    from forgeron.kernels.playout import play_many
    from forgeron.learning.linear_features import features
    from forgeron.players import player_class, player_names
    from forgeron.players.base import Limit

    def use(player: str) -> object:
        return player_class(player)(game).choose(next_decision(game.start()), Limit(nodes=2 * game.max_moves))

    found: dict[str, Callable[[], object]] = {
        "rules": lambda: compile_queries(game.start().state),
        "perft": lambda: game.perft(game.start(), 2),
        "bulk perft": lambda: game.count(game.start(), 2),
        "random games": lambda: play_many(game.start(), seed=0, games=2),
    }
    if game.weight_names:
        found["features"] = lambda: features(game, game.start().moves[:1])
    found |= {player: partial(use, player) for player in player_names(game)}
    return [(f"{game.name}: {what}", step) for what, step in found.items()]

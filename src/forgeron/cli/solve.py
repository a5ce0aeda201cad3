"""`forgeron solve`: the exact values of a game with chance."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forgeron.cli.background import run_interruptibly
from forgeron.cli.bounds import MOST_MB
from forgeron.cli.interrupts import INTERRUPTED
from forgeron.cli.shared import GameArgument, OptionsOption, PresetOption, examples, new_console, open_game

if TYPE_CHECKING:
    import numpy as np
    from rich.console import Console

    from forgeron.core.game import TableLevel
    from forgeron.learning.exact_values import SolvingProgress, TableSolver


def add_to(app: typer.Typer) -> None:
    app.command(
        epilog=examples(
            "forgeron solve yut -o pieces=1            who begins wins 0.4931 of the games",
            "forgeron solve yut -o pieces=2 --fresh    0.5054, computed again: two minutes",
            "forgeron solve yut --upto 3-1             endings of the whole game: some minutes more",
        )
    )(solve)


def solve(
    game: GameArgument,
    upto: Annotated[
        str | None,
        typer.Option(
            metavar="LEVEL",
            help="The last level to compute; Yut Nori: pieces to bring home, such as 3-1.",
            show_default="the whole game",
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where the table goes.", show_default="the data folder")
    ] = None,
    memory: Annotated[int, typer.Option(metavar="MB", min=1, max=MOST_MB, help="Memory that may be used.")] = 1024,
    fresh: Annotated[bool, typer.Option("--fresh", help="Compute again what a table has already.")] = False,
    option: OptionsOption = None,
    preset: PresetOption = None,
) -> None:
    """Compute the exact values of a game with chance, by value iteration over all positions in which a turn can begin.

    The table is used by `expectimax`, which then plays those positions perfectly. Every finished level is kept: the
    same command goes on where it was stopped.
    """
    from forgeron.core.table_file import table_path, write_table
    from forgeron.learning.exact_values import TableSolver, check_memory, chosen_level, entries_before

    found = open_game(game, option, preset)
    level = chosen_level(found, upto)
    check_memory(found, level, memory)
    console = new_console()
    solver = TableSolver(found, level)
    target = out or table_path(found.name)
    before = entries_before(target, found, fresh=fresh)
    known = None if fresh else max(before, found.table(), key=len)

    def keep(level: TableLevel) -> None:
        there = entries_before(target, found, fresh=True)  # another run may have written more meanwhile
        write_table(target, solver.file(level, there))

    _follow(console, solver, known, keep)
    value = solver.first_value()
    if value is not None:
        console.print(f"who begins wins with probability {value:.4f}")
    if not solver.sweeps:
        console.print("every value was known already (--fresh computes them again)")
        if out is not None and len(before) < level.entries:
            keep(level)
    if target.exists():
        console.print(f"table: {target}", soft_wrap=True)


def _follow(
    console: Console, solver: TableSolver, known: np.ndarray | None, keep: Callable[[TableLevel], None]
) -> None:
    """Show how it goes, and keep each level as soon as it is finished."""
    course = solver.run(known)
    started = time.process_time()
    told = 0.0
    try:
        while (now := run_interruptibly(lambda: next(course, None))) is not None:
            if now.is_final:
                keep(now.level)
                continue
            sweep_over = now.done == now.size
            if sweep_over or (console.is_terminal and time.monotonic() - told > 0.5):
                told = time.monotonic()
                console.print(_line(now), end="\n" if sweep_over else "\r", soft_wrap=True)
    except KeyboardInterrupt:
        console.print("\nstopped: every finished level is safe; the same command goes on", soft_wrap=True)
        raise typer.Exit(INTERRUPTED) from None
    if solver.sweeps:
        console.print(f"{solver.sweeps} sweeps, {time.process_time() - started:.0f} s of processor time")


def _line(now: SolvingProgress) -> str:
    size = f"{now.positions:,} positions"
    return f"level {now.level.name}, {size}: sweep {now.sweep}, {now.done / now.size:4.0%}, change {now.change:.6f}"

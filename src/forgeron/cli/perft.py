"""`forgeron perft`: count the tree of a game."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

import typer

from forgeron.cli.background import run_interruptibly
from forgeron.cli.bounds import MOST_DEPTH
from forgeron.cli.shared import (
    GameArgument,
    OptionsOption,
    PositionOption,
    PresetOption,
    examples,
    first_position,
    open_game,
)
from forgeron.reports.formatting import per_second

if TYPE_CHECKING:
    from forgeron.core.game import Game
    from forgeron.core.perft import Count
    from forgeron.core.position import Position


def add_to(app: typer.Typer) -> None:
    app.command(
        epilog=examples(
            "forgeron perft yolah 5                    leaves at depths 1 to 5",
            "forgeron perft yolah 4 --no-bulk          play the last move too, count games that end",
            "forgeron perft yolah 3 --divide           leaves after each first move",
        )
    )(perft)


def perft(
    game: GameArgument,
    depth: Annotated[int, typer.Argument(min=0, max=MOST_DEPTH, help="Depth in plies.")],
    divide: Annotated[bool, typer.Option("--divide", help="Show the leaves after each first move.")] = False,
    no_bulk: Annotated[
        bool,
        typer.Option("--no-bulk", help="Play the last move, too, instead of bulk counting, and count finished games."),
    ] = False,
    position: PositionOption = None,
    option: OptionsOption = None,
    preset: PresetOption = None,
) -> None:
    """Count the sequences of moves of a given length: the classic check of a move generator, and of its speed."""
    found = open_game(game, option, preset)
    start = first_position(found, position)
    if divide:
        _divide(found, start, depth, no_bulk)
        return
    _leaves(found, start, 1, no_bulk)  # compiled, or loaded, before the clock runs
    typer.echo(_row("depth", "leaves", "seconds", "speed", "games ended" if no_bulk else ""))
    for plies in range(min(depth, 1), depth + 1):
        started = time.perf_counter()
        counted = run_interruptibly(lambda plies=plies: _leaves(found, start, plies, no_bulk))  # type: ignore[misc]
        seconds = time.perf_counter() - started
        ended = f"{counted.ended:,}" if no_bulk else ""
        speed = per_second(counted.leaves, seconds)
        typer.echo(_row(str(plies), f"{counted.leaves:,}", f"{seconds:.3f}", speed, ended))


def _leaves(game: Game, start: Position, depth: int, no_bulk: bool) -> Count:
    from forgeron.core.perft import Count

    return game.count(start, depth) if no_bulk else Count(game.perft(start, depth), 0)


def _divide(game: Game, start: Position, depth: int, no_bulk: bool) -> None:
    from forgeron.core.errors import OptionError

    if depth == 0:
        raise OptionError("there is no first move to divide by at depth 0; give a depth of 1 or more")
    total = ended = 0
    for token in start.legal_moves():
        after = start.play(token)
        counted = run_interruptibly(lambda after=after: _leaves(game, after, depth - 1, no_bulk))  # type: ignore[misc]
        typer.echo(f"{token:<12} {counted.leaves:>20,}" + (f" {counted.ended:>16,}" if no_bulk else ""))
        total += counted.leaves
        ended += counted.ended
    typer.echo(f"{'total':<12} {total:>20,}" + (f" {ended:>16,}" if no_bulk else ""))


def _row(depth: str, leaves: str, seconds: str, speed: str, ended: str) -> str:
    return f"{depth:>5} {leaves:>20} {seconds:>10} {speed:>12} {ended:>16}".rstrip()

"""`forgeron probcut`: measure the errors of shallow searches, which the margins of ProbCut are made of."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

import typer

from forgeron.cli.background import run_interruptibly
from forgeron.cli.interrupts import INTERRUPTED
from forgeron.cli.number_options import games_option, nodes_option, seed_option
from forgeron.cli.shared import GameArgument, OptionsOption, PresetOption, examples, new_console, open_game

if TYPE_CHECKING:
    from rich.console import Console

    from forgeron.learning.search_error_measurement import SearchErrorMeasurement

_TOLD_EVERY_SECONDS = 2.0


def add_to(app: typer.Typer) -> None:
    app.command(
        epilog=examples(
            "forgeron probcut yolah --eval network",
            "forgeron probcut examples/game_connect_four.py --games 20",
            "forgeron probcut mancala --preset course --nodes 200000",
        )
    )(probcut)


def probcut(
    game: GameArgument,
    evaluation: Annotated[
        str, typer.Option("--eval", metavar="EVAL", help="The evaluation: default, network, or a file.")
    ] = "default",
    games: Annotated[int, games_option(help="Games of minimax against itself.")] = 60,
    nodes: Annotated[
        int,
        nodes_option(help="A position is searched no deeper when it has taken so many nodes."),
    ] = 60_000,
    seed: Annotated[int, seed_option(help="Seed of the openings.")] = 0,
    option: OptionsOption = None,
    preset: PresetOption = None,
) -> None:
    """Measure how far shallow searches of a game are from deeper ones: what ProbCut needs.

    Prints a line for the class of the game, which then has ProbCut in minimax and neural. Whether that makes them
    stronger is for a match to show: some games are too sharp for it.
    """
    from forgeron.core.game import LINEAR, NETWORK
    from forgeron.learning.search_error_measurement import FEWEST, SearchErrorMeasurement

    found = open_game(game, option, preset)
    measurement = SearchErrorMeasurement(found, evaluation, games, nodes=nodes, seed=seed)
    console = new_console(stderr=True)
    _follow(console, measurement)
    errors = measurement.errors()
    if not errors:
        open_positions = f"only {len(measurement.rows)} positions that are still open"
        console.print(f"{open_positions}: at least {FEWEST} are needed; give more --games", soft_wrap=True)
        raise typer.Exit(1)
    kind = NETWORK if evaluation == NETWORK or evaluation.endswith(".network") else LINEAR
    pairs = ", ".join(f"{pair}: {tuple(error)}" for pair, error in errors.items())
    typer.echo(f'search_errors = {{"{kind}": {{{pairs}}}}}')
    console.print("In the class of the game, that line switches ProbCut on. Is it worth it there?", soft_wrap=True)
    with_and_without = " ".join(f"minimax:eval={evaluation},enhancements={step}" for step in ("full", "reductions"))
    options = "".join(
        f" -o {name}={value}" for name, value in found.chosen.items() if value != found.options[name].default
    )
    console.print(f"  forgeron match {game} {with_and_without}{options} --games 200 --time 0.1", soft_wrap=True)


def _follow(console: Console, measurement: SearchErrorMeasurement) -> None:
    course = measurement.run()
    started = told = time.monotonic()
    try:
        while (played := run_interruptibly(lambda: next(course, None))) is not None:
            now = time.monotonic()
            if now - told >= _TOLD_EVERY_SECONDS or played == measurement.games:
                told = now
                left = (now - started) / played * (measurement.games - played)
                progress = f"{played} of {measurement.games} games, {len(measurement.rows)} positions"
                console.print(f"{progress}, about {left:.0f} s left", soft_wrap=True)
    except KeyboardInterrupt:
        console.print("\nstopped: nothing was written")
        raise typer.Exit(INTERRUPTED) from None

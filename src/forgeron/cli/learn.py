"""`forgeron learn`: self-play, training and matches in a loop."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forgeron.cli.event_runner import ExecutorOption, find_executor, find_shard_maker
from forgeron.cli.interrupts import INTERRUPTED
from forgeron.cli.number_options import (
    games_option,
    jobs_option,
    nodes_option,
    rounds_option,
    seed_option,
    share_option,
)
from forgeron.cli.selfplay import cores
from forgeron.cli.shared import (
    GameArgument,
    OptionsOption,
    PresetOption,
    examples,
    load_torch,
    new_console,
    open_game,
    require_torch,
)

if TYPE_CHECKING:
    from rich.console import Console

    from forgeron.learning.loop import LearningRun, Progress

#: Between two lines about the same step, in seconds.
_QUIET_SECONDS = 5.0


def add_to(app: typer.Typer) -> None:
    app.command(
        epilog=examples(
            "forgeron learn yolah --hours 6",
            "forgeron learn mancala --preset course --hours 2 --games 5000 --start default",
            "forgeron learn examples/game_connect_four.py --hours 0.2 --games 2000 --nodes 500",
            "forgeron learn yolah --hours 24 --executor ray --jobs 64     on the cluster of RAY_ADDRESS",
        )
    )(learn)


def learn(
    game: GameArgument,
    hours: Annotated[
        float, typer.Option(min=0.0001, max=10_000, metavar="H", help="How long, what earlier runs took included.")
    ] = 1.0,
    generations: Annotated[
        int | None,
        rounds_option(help="Stop after so many generations, too.", show_default="no limit"),
    ] = None,
    games: Annotated[int, games_option(help="Games of self-play in a generation.")] = 10_000,
    nodes: Annotated[int, nodes_option(help="What a move of self-play may cost.")] = 2500,
    window: Annotated[int, rounds_option(help="Train on the games of the last N generations.")] = 4,
    hidden: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=4096,
            metavar="N",
            help="Hidden lanes; with the phases a multiple of 16.",
            show_default="64 less the phases of the game",
        ),
    ] = None,
    epochs: Annotated[int, rounds_option(help="How often to go through the data.")] = 10,
    result_share: Annotated[float, share_option()] = 0.8,
    match_games: Annotated[int, games_option(least=0, help="Games of a match, at most.")] = 400,
    match_time: Annotated[
        str, typer.Option("--time", metavar="TIME", help="Time control of the matches, as in forgeron match.")
    ] = "0.05cpu",
    sprt: Annotated[
        tuple[float, float], typer.Option(metavar="ELO0 ELO1", help="The nElo differences that a match tells apart.")
    ] = (0.0, 20.0),
    start: Annotated[
        str | None,
        typer.Option(
            metavar="EVAL",
            help="What to begin with: default, network, or a file.",
            show_default="the game's network, or default",
        ),
    ] = None,
    seed: Annotated[int, seed_option(help="For everything that is drawn.")] = 0,
    jobs: Annotated[
        int | None,
        jobs_option(help="Shards or games at the same time.", show_default="one a core"),
    ] = None,
    executor: ExecutorOption = "local",
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where all is kept.", show_default="a folder in learning/")
    ] = None,
    option: OptionsOption = None,
    preset: PresetOption = None,
) -> None:
    """Improve a game's network: self-play, training, a match, and only what wins its match plays the next games.

    It may be stopped at any moment, by whatever means; the same command goes on. `report.html` in the folder shows
    losses, Elo by generation, games and time.
    """
    from forgeron.learning.loop import Learning, LearningRun

    found = open_game(game, option, preset)
    learning = Learning(
        game,
        found.chosen,
        games=games,
        nodes=nodes,
        window=window,
        hidden=hidden,
        epochs=epochs,
        result_share=result_share,
        match_games=match_games,
        match_time=match_time,
        elo0=sprt[0],
        elo1=sprt[1],
        start=start,
        seed=seed,
    )
    found.evaluation(start or "default")  # one that is not there is refused before the work
    require_torch()
    many = jobs or cores()
    run = LearningRun(
        learning,
        out or Path("learning") / f"{found.name}-{seed}",
        jobs=many,
        make=find_shard_maker(executor),
        executor=find_executor(executor, many),
    )
    load_torch()  # last: it takes seconds, and whatever else is wrong is said at once
    console = new_console()
    try:
        _show(console, run, hours, generations)
    except KeyboardInterrupt:
        console.print(f"\nstopped: all is in {run.folder}; the same command goes on", soft_wrap=True)
        raise typer.Exit(INTERRUPTED) from None
    _conclude(console, run)


def _show(console: Console, run: LearningRun, hours: float, generations: int | None) -> None:
    """Run it, with a line when a step begins, every few seconds, and when a step ends."""
    last: Progress | None = None
    held: Progress | None = None
    said = 0.0
    for progress in run.run(hours, generations):
        new_step = last is None or (last.generation, last.step) != (progress.generation, progress.step)
        if new_step and held is not None:
            console.print(_line(held), soft_wrap=True)
        if new_step or time.monotonic() - said >= _QUIET_SECONDS:
            console.print(_line(progress), soft_wrap=True)
            said, held = time.monotonic(), None
        else:
            held = progress
        last = progress
    if held is not None:
        console.print(_line(held), soft_wrap=True)


def _line(progress: Progress) -> str:
    return f"generation {progress.generation}, {progress.step}: {progress.text}"


def _conclude(console: Console, run: LearningRun) -> None:
    from forgeron.reports.formatting import duration

    history = run.history()
    promoted = [one.number for one in history if one.promoted]
    count = "1 generation" if len(history) == 1 else f"{len(history)} generations"
    listed = ", ".join(map(str, promoted)) or "none"
    console.print(f"{count} in {duration(run.seconds)}, promoted: {listed}")
    if run.is_under_way:
        said = f"generation {len(history) + 1} is not complete: the same command with more --hours goes on with it"
        console.print(said, soft_wrap=True)
    if promoted:
        console.print(f"champion: {run.folder / 'champion.network'}", soft_wrap=True)
    if history:
        console.print(f"report: {run.folder / 'report.html'}", soft_wrap=True)

"""`forgeron td`: a network learnt by temporal differences."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forgeron.cli.background import run_interruptibly
from forgeron.cli.bounds import MOST_DEPTH, MOST_GAMES
from forgeron.cli.event_runner import RemainingTime
from forgeron.cli.interrupts import INTERRUPTED
from forgeron.cli.number_options import games_option, seed_option
from forgeron.cli.shared import GameArgument, OptionsOption, PresetOption, examples, new_console, open_game

if TYPE_CHECKING:
    from rich.console import Console

    from forgeron.learning.td_training import TDLearner

_TOLD_EVERY_SECONDS = 5.0


def add_to(app: typer.Typer) -> None:
    app.command(
        epilog=examples(
            "forgeron td yut --out mine                        some minutes",
            "forgeron td yut --games 200000 --trace 0.7 --seed 2 --out mine-2",
            "forgeron match yut expectimax:eval=mine/yut.network expectimax --games 1000 --time 2000n",
        )
    )(td)


def td(
    game: GameArgument,
    games: Annotated[
        int, typer.Option(min=1, max=1000 * MOST_GAMES, metavar="N", help="Games of self-play to learn from.")
    ] = 60_000,
    trace: Annotated[
        float,
        typer.Option(
            "--trace", min=0, max=1, metavar="λ", help="How far a result reaches back: 0 one turn, 1 the whole game."
        ),
    ] = 0.5,
    rate: Annotated[float, typer.Option(min=0, max=10, metavar="X", help="The learning rate at first.")] = 0.1,
    opening_plies: Annotated[
        int, typer.Option(min=0, max=MOST_DEPTH, metavar="K", help="Every second game begins with 0 to K random plies.")
    ] = 40,
    drills: Annotated[
        int,
        games_option(least=0, help="Positions of the table of exact values learnt after each game."),
    ] = 20,
    seed: Annotated[int, seed_option(help="For first weights, throws and openings.")] = 0,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where all is kept.", show_default="a folder in training/")
    ] = None,
    option: OptionsOption = None,
    preset: PresetOption = None,
) -> None:
    """Learn a network for a game with chance by temporal differences, TD(λ), while it plays against itself.

    No PyTorch is needed. The exact values that are known (forgeron solve) are what the end of a game is learnt from.
    There is a checkpoint every few seconds: the same command goes on where it was stopped. The learning rate falls
    with the share of --games that were played, so the number of games is settled when it begins.
    """
    from forgeron.core.network_file import write_network
    from forgeron.learning.td_training import TDLearner, TDTraining

    found = open_game(game, option, preset)
    training = TDTraining(games, trace, rate, opening_plies, drills, seed=seed)
    learner = TDLearner(found, training)
    folder = out or Path("training") / f"{found.name}-td-{seed}"
    folder.mkdir(parents=True, exist_ok=True)
    console = new_console()
    _follow(console, learner, folder / "td-checkpoint.npz")
    target = folder / f"{found.name}.network"
    settings = f"λ {trace}, rate {rate}, opening plies {opening_plies}, drills {drills}, seed {seed}"
    file = learner.file(f"forgeron td {found.name}: {games} games, {settings}")
    write_network(target, file)
    if learner.cut_off:
        console.print(f"note: {learner.cut_off:,} of its numbers were larger than whole numbers hold, and are cut off")
    for what, evaluation in (("linear evaluation", found.weights()), ("network", file.network)):
        error = learner.exact_error(evaluation)
        if error is not None:
            console.print(f"error of the {what} against the exact values that are known: {error:.4f}")
    console.print(f"network: {target}; to try it:", soft_wrap=True)
    command = f"forgeron match {game} expectimax:eval={target} expectimax --games 1000 --time 2000n"
    console.print(f"  {command}", soft_wrap=True)


def _follow(console: Console, learner: TDLearner, checkpoint: Path) -> None:
    from forgeron.reports.formatting import duration

    course = learner.run(checkpoint)
    games, told = learner.training.games, time.monotonic()
    remaining = RemainingTime()
    try:
        while (now := run_interruptibly(lambda: next(course, None))) is not None:
            remaining.update(now.games, games)
            if time.monotonic() - told < _TOLD_EVERY_SECONDS and now.games < games:
                continue
            told = time.monotonic()
            progress = f"{now.games:,} of {games:,} games, error of a turn {now.error:.4f}"
            console.print(f"{progress}, {duration(remaining.left)} left", soft_wrap=True)
    except KeyboardInterrupt:
        kept = f"{checkpoint} has {learner.kept_games:,} games" if learner.kept_games else "no games are kept yet"
        console.print(f"\nstopped: {kept}; the same command goes on", soft_wrap=True)
        raise typer.Exit(INTERRUPTED) from None

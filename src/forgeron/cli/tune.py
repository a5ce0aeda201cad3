"""`forgeron tune`: fit the weights of a game's evaluation to games it plays against itself."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forgeron.cli.bounds import MOST_PLIES
from forgeron.cli.event_runner import RemainingTime, find_executor, follow, say_resumed, say_stopped
from forgeron.cli.interrupts import INTERRUPTED
from forgeron.cli.number_options import games_option, jobs_option, nodes_option, rounds_option, seed_option
from forgeron.cli.shared import GameArgument, OptionsOption, PresetOption, examples, new_console, open_game

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from forgeron.arena.executor import Executor
    from forgeron.arena.journal import Journal
    from forgeron.learning.tuning_run import Tuning, TuningFolder, TuningProgress, TuningRound, TuningUpdates

    Method = Callable[[Tuning, TuningFolder, Journal, Executor], TuningUpdates]


def add_to(app: typer.Typer) -> None:
    app.command(
        epilog=examples(
            "forgeron tune yolah --out mine                  takes some minutes",
            "forgeron tune yinsh --match 200                 and test the weights in a match",
            "forgeron tune yinsh --games 2000 --rounds 5 --jobs 8 --out yinsh-long",
            "forgeron tune mancala --method cma --rounds 30  by evolution (CMA-ES)",
            "forgeron tune yut --player greedy               a game with dice",
        )
    )(tune)


def tune(
    game: GameArgument,
    method: Annotated[
        str, typer.Option(metavar="NAME", help="regression (logistic), or cma (CMA-ES, evolution).")
    ] = "regression",
    games: Annotated[
        int | None,
        games_option(
            help="Games a round; with cma: games a candidate.",
            show_default="2000, cma 16",
        ),
    ] = None,
    rounds: Annotated[
        int | None,
        rounds_option(
            help="Rounds of playing and fitting; with cma, generations.",
            show_default="3, cma 12",
        ),
    ] = None,
    player: Annotated[
        str | None, typer.Option(metavar="NAME", help="The player.", show_default="the strongest that plays the game")
    ] = None,
    nodes: Annotated[int, nodes_option(help="Nodes per move.")] = 2000,
    start: Annotated[
        str, typer.Option(metavar="EVAL", help="The initial weights: default, or a file (.json).")
    ] = "default",
    l2: Annotated[
        float,
        typer.Option(min=0, max=1e9, metavar="X", help="Regression: L2 regularisation towards the initial weights."),
    ] = 1.0,
    opening_plies: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=MOST_PLIES,
            metavar="K",
            help="Random plies of an opening, at most.",
            show_default="8, with dice 0",
        ),
    ] = None,
    seed: Annotated[int, seed_option(help="Seed of openings, throws and candidates.")] = 0,
    jobs: Annotated[
        int | None,
        jobs_option(help="Games at the same time.", show_default="one a core"),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where everything is kept.", show_default="a folder in tuning/")
    ] = None,
    match: Annotated[
        int,
        games_option(
            least=0,
            help="Validate with a match of so many games against the initial weights.",
        ),
    ] = 0,
    match_time: Annotated[
        str | None, typer.Option(metavar="TIME", help="Time of that match.", show_default="the nodes of --nodes")
    ] = None,
    option: OptionsOption = None,
    preset: PresetOption = None,
) -> None:
    """Fit the weights of the game's evaluation to the results of games against itself.

    Every game is stored; run the same command again to resume. The weights come out the same.
    """
    from forgeron.arena.journal import Journal
    from forgeron.learning.tuning_run import Tuning, TuningFolder
    from forgeron.learning.validation_match import check_validation
    from forgeron.players import player as find_player

    chosen = open_game(game, option, preset).chosen
    tuning = Tuning.settle(
        game,
        chosen,
        method=method,
        player=player,
        nodes=nodes,
        games=games,
        rounds=rounds,
        seed=seed,
        opening_plies=opening_plies,
        l2=l2,
        start=start,
    )
    time = match_time or tuning.terms.time
    check_validation(match, time)
    where = find_executor("local", _cores() if jobs is None else jobs)
    find_player(tuning.player, tuning.game)  # compiled once here, and not by each worker
    course = _method(method)
    folder = TuningFolder(out or default_folder(tuning), tuning)
    console = new_console()
    with Journal(folder.journal, tuning.settings()) as kept:
        say_resumed(console, kept)
        try:
            progress = _follow(console, tuning, course(tuning, folder, kept, where))
        except KeyboardInterrupt:
            say_stopped(console, kept)
            raise typer.Exit(INTERRUPTED) from None
    _conclude(console, folder, progress)
    if match:
        _validate(console, folder, match, time, where)


def _method(name: str) -> Method:
    if name == "cma":
        from forgeron.learning.cma_tuning import find_library, tune_by_evolution

        find_library()
        return tune_by_evolution
    from forgeron.learning.regression_tuning import tune_by_regression

    return tune_by_regression


def _cores() -> int:
    import os

    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def default_folder(tuning: Tuning) -> Path:
    """A folder for these settings: the same command finds it again, another one does not."""
    import hashlib
    import json

    text = json.dumps(tuning.settings(), sort_keys=True)
    digest = hashlib.blake2b(text.encode(), digest_size=4).hexdigest()
    return Path("tuning") / f"{tuning.game.name}_{tuning.method}_{digest}"


def _follow(console: Console, tuning: Tuning, course: TuningUpdates) -> TuningProgress:
    from forgeron.reports.formatting import duration

    pace = RemainingTime()
    every = 10

    def noted() -> TuningUpdates:
        with closing(course):
            for progress in course:
                pace.update(progress.played, progress.total)
                yield progress

    shown: list[tuple[int, int]] = [(0, 0)]

    def line(progress: TuningProgress) -> str | None:
        tenth = progress.played * every // progress.total
        if (tenth, len(progress.rounds)) == shown[-1]:
            return None
        fitted = len(progress.rounds) > shown[-1][1]
        shown.append((tenth, len(progress.rounds)))
        if fitted:
            return describe(progress.rounds[-1])
        return f"{progress.played} of {progress.total} games, {duration(pace.left)} left"

    return follow(
        console, noted(), table=lambda progress: _table(tuning, progress, f"{duration(pace.left)} left"), line=line
    )


def describe(step: TuningRound) -> str:
    """A round in a line."""
    found = step.measures
    if "loss after" in found:
        losses = f"{found['loss at first']:.4f} at first, {found['loss before']:.4f} before, {found['loss after']:.4f}"
        return f"round {step.round}: {found['positions']:.0f} positions; log-loss on held-out games {losses} after"
    scores = f"best {found['best score']:.1%}, mean {found['mean score']:.1%}"
    return f"generation {step.round}: candidates scored {scores}; step size {found['step size']:.3f}"


def _table(tuning: Tuning, progress: TuningProgress, left: str = "") -> RenderableType:
    """Weights before and now, by name."""
    from rich.console import Group
    from rich.progress_bar import ProgressBar

    from forgeron.reports.formatting import plain
    from forgeron.reports.terminal import new_table

    table = new_table("weight", "before", "now", "standard error")
    last = progress.rounds[-1] if progress.rounds else None
    for i, (name, before) in enumerate(tuning.start.items()):
        now = f"{last.weights[i]:.4g}" if last else "–"
        error = f"{last.errors[i]:.2g}" if last and last.errors else "–"
        table.add_row(plain(name), f"{before:.4g}", now, error)
    if progress.played >= progress.total:
        return table
    bar = ProgressBar(total=progress.total, completed=progress.played, width=50)
    said = [describe(last)] if last else []
    return Group(table, *said, bar, f" {progress.played} of {progress.total} games, {left}")


def _conclude(console: Console, folder: TuningFolder, progress: TuningProgress) -> None:
    tuning = folder.tuning
    if not console.is_terminal:
        console.print(_table(tuning, progress))
    else:
        console.print(describe(progress.rounds[-1]), soft_wrap=True)
    found = progress.rounds[-1].measures
    if "loss after" in found and found["loss after"] >= found["loss at first"]:
        console.print("these weights predict results no better than the initial ones: play more games", style="yellow")
    time = tuning.terms.time
    console.print(f"weights: {folder.weights}; to try them:", soft_wrap=True)
    options = f"{tuning.player}:eval={folder.weights}"
    console.print(f"  forgeron match {tuning.terms.game} {options} {tuning.player} --time {time}", soft_wrap=True)


def _validate(console: Console, folder: TuningFolder, games: int, time: str, where: Executor) -> None:
    from forgeron.arena.journal import Journal
    from forgeron.arena.match import Standing, play_match
    from forgeron.learning.validation_match import make_validation_match, save_validation
    from forgeron.reports.terminal import match_line, match_table

    event = make_validation_match(folder, games, time)
    every = max(2, games // 10)

    def line(standing: Standing) -> str | None:
        due = standing.games and not standing.played % every and not standing.decided
        return match_line(event, standing) if due else None

    with Journal(folder.path / f"match-{games}-{time}.journal", event.settings()) as kept:
        course: Generator[Standing, None, None] = play_match(event, kept, where)
        try:
            standing = follow(console, course, table=lambda now: match_table(event, now, ""), line=line)
        except KeyboardInterrupt:
            say_stopped(console, kept)
            raise typer.Exit(INTERRUPTED) from None
    save_validation(folder, event, standing)
    if not console.is_terminal:
        console.print(match_table(event, standing, ""))

"""`forgeron tune`: fit the weights of a game's evaluation to games it plays against itself."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forgeron.cli.event import Pace, find_executor, follow, say_resumed, say_stopped
from forgeron.cli.play import INTERRUPTED
from forgeron.cli.shared import GameArgument, OptionsOption, PresetOption, examples, new_console, open_game

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from forgeron.arena.executor import Executor
    from forgeron.arena.journal import Journal
    from forgeron.learning.tuning import Course, Folder, Progress, Step, Tuning

    Method = Callable[[Tuning, Folder, Journal, Executor], Course]


def add_to(app: typer.Typer) -> None:
    app.command(
        epilog=examples(
            "forgeron tune yolah --out mine                  some minutes",
            "forgeron tune yinsh --match 200                 with a match to prove it",
            "forgeron tune yinsh --games 2000 --rounds 5 --jobs 8 --out yinsh-long",
            "forgeron tune mancala --method cma --rounds 30  by evolution",
            "forgeron tune yut --player greedy               a game with dice",
        )
    )(tune)


def tune(
    game: GameArgument,
    method: Annotated[str, typer.Option(metavar="NAME", help="regression, or cma for evolution.")] = "regression",
    games: Annotated[
        int | None,
        typer.Option(metavar="N", help="Games a round; with cma: games a candidate.", show_default="2000, cma 16"),
    ] = None,
    rounds: Annotated[
        int | None,
        typer.Option(metavar="N", help="How often to play and fit; with cma: generations.", show_default="3, cma 12"),
    ] = None,
    player: Annotated[
        str | None, typer.Option(metavar="NAME", help="Who plays.", show_default="the strongest that plays the game")
    ] = None,
    nodes: Annotated[int, typer.Option(metavar="N", help="What a move may cost.")] = 2000,
    start: Annotated[
        str, typer.Option(metavar="EVAL", help="The weights to begin with: default, or a file (.json).")
    ] = "default",
    l2: Annotated[
        float, typer.Option(metavar="X", help="Regression: how strongly weights are drawn to where they began.")
    ] = 1.0,
    opening_plies: Annotated[
        int | None,
        typer.Option(metavar="K", help="Random plies at first, K at most.", show_default="8, with dice 0"),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="For openings, throws and candidates.")] = 0,
    jobs: Annotated[
        int | None, typer.Option(metavar="N", help="Games at the same time.", show_default="one a core")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where all is kept.", show_default="a folder in tuning/")
    ] = None,
    match: Annotated[
        int, typer.Option(metavar="N", help="In the end play so many games against the weights it began with.")
    ] = 0,
    match_time: Annotated[
        str | None, typer.Option(metavar="TIME", help="Time of that match.", show_default="the same nodes")
    ] = None,
    option: OptionsOption = None,
    preset: PresetOption = None,
) -> None:
    """Fit the weights of the game's evaluation to the results of games against itself.

    Every game is kept; the same command goes on where it was stopped, and comes to the same weights.
    """
    from forgeron.arena.journal import Journal
    from forgeron.learning.proof import check_proof
    from forgeron.learning.tuning import Folder, Tuning
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
    check_proof(match, time)
    where = find_executor("local", _cores() if jobs is None else jobs)
    find_player(tuning.player, tuning.game)  # compiled once here, and not by each worker
    course = _method(method)
    folder = Folder(out or default_folder(tuning), tuning)
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
        _prove(console, folder, match, time, where)


def _method(name: str) -> Method:
    if name == "cma":
        from forgeron.learning.evolution import find_library, tune_by_evolution

        find_library()
        return tune_by_evolution
    from forgeron.learning.rounds import tune_by_regression

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


def _follow(console: Console, tuning: Tuning, course: Course) -> Progress:
    from forgeron.cli.tables import duration

    pace = Pace()
    every = 10

    def noted() -> Course:
        with closing(course):
            for progress in course:
                pace.update(progress.played, progress.total)
                yield progress

    shown: list[tuple[int, int]] = [(0, 0)]

    def line(progress: Progress) -> str | None:
        tenth = progress.played * every // progress.total
        if (tenth, len(progress.steps)) == shown[-1]:
            return None
        fitted = len(progress.steps) > shown[-1][1]
        shown.append((tenth, len(progress.steps)))
        if fitted:
            return describe(progress.steps[-1])
        return f"{progress.played} of {progress.total} games, {duration(pace.left)} left"

    return follow(
        console, noted(), table=lambda progress: _table(tuning, progress, f"{duration(pace.left)} left"), line=line
    )


def describe(step: Step) -> str:
    """A round in a line."""
    found = step.measures
    if "loss after" in found:
        losses = f"{found['loss at first']:.4f} at first, {found['loss before']:.4f} before, {found['loss after']:.4f}"
        return f"round {step.round}: {found['positions']:.0f} positions; log-loss on games kept back {losses} after"
    scores = f"best {found['best score']:.1%}, mean {found['mean score']:.1%}"
    return f"generation {step.round}: candidates scored {scores}; step size {found['step size']:.3f}"


def _table(tuning: Tuning, progress: Progress, left: str = "") -> RenderableType:
    """Weights before and now, by name."""
    from rich.console import Group
    from rich.progress_bar import ProgressBar

    from forgeron.cli.tables import new_table, plain

    table = new_table("weight", "before", "now", "standard error")
    last = progress.steps[-1] if progress.steps else None
    for i, (name, before) in enumerate(tuning.start.items()):
        now = f"{last.weights[i]:.4g}" if last else "–"
        error = f"{last.errors[i]:.2g}" if last and last.errors else "–"
        table.add_row(plain(name), f"{before:.4g}", now, error)
    if progress.played >= progress.total:
        return table
    bar = ProgressBar(total=progress.total, completed=progress.played, width=50)
    said = [describe(last)] if last else []
    return Group(table, *said, bar, f" {progress.played} of {progress.total} games, {left}")


def _conclude(console: Console, folder: Folder, progress: Progress) -> None:
    tuning = folder.tuning
    if not console.is_terminal:
        console.print(_table(tuning, progress))
    else:
        console.print(describe(progress.steps[-1]), soft_wrap=True)
    found = progress.steps[-1].measures
    if "loss after" in found and found["loss after"] >= found["loss at first"]:
        console.print(
            "these weights foresee results no better than those it began with: play more games", style="yellow"
        )
    time = tuning.terms.time
    console.print(f"weights: {folder.weights}; to try them:", soft_wrap=True)
    options = f"{tuning.player}:eval={folder.weights}"
    console.print(f"  forgeron match {tuning.terms.game} {options} {tuning.player} --time {time}", soft_wrap=True)


def _prove(console: Console, folder: Folder, games: int, time: str, where: Executor) -> None:
    from forgeron.arena.journal import Journal
    from forgeron.arena.match import Standing, play_match
    from forgeron.cli.tables import match_table, numbers
    from forgeron.learning.proof import note_proof, proof_match

    event = proof_match(folder, games, time)
    every = max(2, games // 10)

    def line(standing: Standing) -> str | None:
        due = standing.games and not standing.played % every and not standing.decided
        return numbers(event, standing) if due else None

    with Journal(folder.path / f"match-{games}-{time}.journal", event.settings()) as kept:
        course: Generator[Standing, None, None] = play_match(event, kept, where)
        try:
            standing = follow(console, course, table=lambda now: match_table(event, now, ""), line=line)
        except KeyboardInterrupt:
            say_stopped(console, kept)
            raise typer.Exit(INTERRUPTED) from None
    note_proof(folder, event, standing)
    if not console.is_terminal:
        console.print(match_table(event, standing, ""))

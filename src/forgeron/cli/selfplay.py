"""`forgeron selfplay`: games against itself, as training data for a network."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forgeron.cli.bounds import MOST_GAMES, MOST_PLIES
from forgeron.cli.event_runner import ExecutorOption, RemainingTime, find_shard_maker, follow
from forgeron.cli.interrupts import INTERRUPTED
from forgeron.cli.number_options import jobs_option, nodes_option, seed_option
from forgeron.cli.shared import GameArgument, OptionsOption, PresetOption, examples, new_console, open_game

if TYPE_CHECKING:
    from rich.console import RenderableType

    from forgeron.learning.data_generation import Generated


def add_to(app: typer.Typer) -> None:
    app.command(
        epilog=examples(
            "forgeron selfplay yolah --games 50000 --out data/yolah-1      some minutes a core",
            "forgeron selfplay yolah --games 200000 --eval mine.network --out data/yolah-2 --seed 2",
            "forgeron selfplay mancala --preset course --nodes 1000",
            "forgeron selfplay yinsh --player mcts:guide=network --games 2000 --nodes 800",
            "forgeron selfplay yolah --games 1000000 --executor ray --jobs 64     on the cluster of RAY_ADDRESS",
        )
    )(selfplay)


def selfplay(
    game: GameArgument,
    games: Annotated[int, typer.Option(min=1, max=1000 * MOST_GAMES, metavar="N", help="How many games.")] = 10_000,
    nodes: Annotated[int, nodes_option(help="What a move may cost.")] = 2500,
    evaluation: Annotated[
        str, typer.Option("--eval", metavar="EVAL", help="default, network, or a file (.json, .network).")
    ] = "default",
    player: Annotated[
        str | None,
        typer.Option(
            metavar="PLAYER",
            help="Who plays instead of that: a player with options, its file, or a command.",
            show_default="alpha-beta in compiled code, the quickest",
        ),
    ] = None,
    opening_plies: Annotated[
        int,
        typer.Option(
            min=0, max=MOST_PLIES, metavar="K", help="Random plies at first: a number from 1 to K, drawn for each game."
        ),
    ] = 10,
    random_share: Annotated[
        float, typer.Option(min=0, max=1, metavar="P", help="How often a later move is drawn at random.")
    ] = 0.03,
    seed: Annotated[int, seed_option(help="For openings and random moves.")] = 0,
    jobs: Annotated[
        int | None,
        jobs_option(help="Shards at the same time.", show_default="one a core"),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where the shards go.", show_default="a folder in selfplay/")
    ] = None,
    option: OptionsOption = None,
    preset: PresetOption = None,
    executor: ExecutorOption = "local",
) -> None:
    """Play games against itself and keep every position with its search value and how its game ended.

    The same command goes on where it was stopped, and loses some seconds of work; more --games add to those that are
    there.
    """
    from forgeron.arena.entrant import Entrant
    from forgeron.learning.data_generation import SelfPlay, generate, suitable_shard_games

    chosen = open_game(game, option, preset).chosen
    who = None if player is None else Entrant.parse(player).located(Path())
    settings = SelfPlay(
        game,
        chosen,
        games,
        nodes=nodes,
        evaluation=evaluation,
        opening_plies=opening_plies,
        random_share=random_share,
        seed=seed,
        shard_games=suitable_shard_games(nodes, compiled=who is None),
        player=None if who is None else who.to_data(),
    )
    by = evaluation_name(evaluation) if who is None else re.sub(r"[^\w=.-]+", "-", who.name)
    folder = out or Path("selfplay") / f"{settings.open().name}-{by}-{nodes}-{seed}"
    console = new_console()
    progress = _SelfplayProgress(games)
    try:
        last = follow(
            console,
            generate(settings, folder, jobs or cores(), find_shard_maker(executor)),
            table=progress.bar,
            line=progress.line,
            transient=True,
        )
    except KeyboardInterrupt:
        console.print(f"\nstopped: every finished shard is safe in {folder}; the same command goes on", soft_wrap=True)
        raise typer.Exit(INTERRUPTED) from None
    shards = "1 shard" if last.total == 1 else f"{last.total} shards"
    console.print(f"{shards} in {folder}; to train on them:", soft_wrap=True)
    console.print(f"  forgeron train {game} {folder}", soft_wrap=True)


def evaluation_name(evaluation: str) -> str:
    """A word for a folder's name."""
    return Path(evaluation).stem


def cores() -> int:
    """How many processes this machine runs at the same time."""
    import os

    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _SelfplayProgress:
    """How far it has come, how fast it goes and how long it will take."""

    def __init__(self, games: int) -> None:
        import time

        self._remaining = RemainingTime()
        self._games = games
        self._clock = time.monotonic
        self._began = time.monotonic()

    def _text(self, done: Generated) -> str:
        from forgeron.reports.formatting import duration

        self._remaining.update(done.shards, done.total)
        rate = done.made_plies / max(self._clock() - self._began, 1e-9)
        return f"{done.games} of {self._games} games, {rate:,.0f} positions/s, {duration(self._remaining.left)} left"

    def line(self, done: Generated) -> str | None:
        """A line for every tenth of the work."""
        step = max(1, done.total // 10)
        return self._text(done) if done.shards % step == 0 or done.shards == done.total else None

    def bar(self, done: Generated) -> RenderableType:
        """A progress bar for a terminal."""
        from rich.console import Group
        from rich.progress_bar import ProgressBar

        return Group(ProgressBar(total=done.total, completed=done.shards, width=50), self._text(done))

"""`forgeron ablation`: what each idea of the search is worth."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from forgeron.cli.background import run_interruptibly
from forgeron.cli.event_runner import JobsOption
from forgeron.cli.number_options import depth_option, games_option
from forgeron.cli.shared import GameArgument, OptionsOption, PresetOption, examples, new_console, open_game

if TYPE_CHECKING:
    from forgeron.analysis.ablation import Ablation


def add_to(app: typer.Typer) -> None:
    app.command(
        epilog=examples(
            "forgeron ablation yolah                          nodes, time and Elo of each step",
            "forgeron ablation yolah --depth 5 --games 0      no matches",
            "forgeron ablation mancala --time 5000n           matches at equal nodes, repeatable",
            "forgeron ablation yinsh --csv > steps.csv        for a spreadsheet",
        )
    )(ablation)


def ablation(
    game: GameArgument,
    depth: Annotated[
        int | None,
        depth_option(
            help="Depth in plies of the fixed searches.",
            show_default="as deep as plain minimax can",
        ),
    ] = None,
    games: Annotated[int, games_option(least=0, help="Games against the previous step; 0 for no matches.")] = 40,
    time: Annotated[
        str,
        typer.Option(
            metavar="TIME", help="Time control of these games: 0.05 (seconds per move) or 5000n (nodes per move)."
        ),
    ] = "0.05",
    jobs: JobsOption = None,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print comma-separated values instead of a table.")] = False,
    option: OptionsOption = None,
    preset: PresetOption = None,
) -> None:
    """Build up the minimax player idea by idea, and measure what each one is worth.

    Nodes and processor time are those of a search of a few fixed positions to one depth; the nodes are the same in
    every run. Elo is that of a match against the step before at equal time or nodes.
    """
    from forgeron.analysis.ablation import Ablation, check_ablation, fitting_depth, fixed_positions, to_csv
    from forgeron.analysis.terminal import ablation_table

    found = open_game(game, option, preset)
    check_ablation(found, games, time)
    positions = fixed_positions(found)
    plies = depth or run_interruptibly(lambda: fitting_depth(found, positions))
    work = Ablation(found, game, positions, plies, games, time, 1 if jobs is None else jobs)
    console = new_console(stderr=as_csv)
    if console.is_terminal:
        from rich.live import Live

        with Live(console=console, refresh_per_second=4, get_renderable=lambda: ablation_table(work)):
            _run(work, lambda _text: None)
    else:
        _run(work, lambda text: typer.echo(text, err=True))
        if not as_csv:
            console.print(ablation_table(work))
    if as_csv:
        typer.echo(to_csv(work), nl=False)


def _run(work: Ablation, say: Callable[[str], None]) -> None:
    searches = work.search()
    # In the background, so that Ctrl-C is heard during a search.
    while (text := run_interruptibly(lambda: next(searches, None))) is not None:
        say(text)
    for text in work.play():
        say(text)

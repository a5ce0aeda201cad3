"""`forgeron check-game`: try somebody's game by the laws that every game keeps."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from forgeron.cli.bounds import MOST_SECONDS
from forgeron.cli.number_options import seed_option
from forgeron.cli.shared import OptionsOption, PresetOption, examples, new_console

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console

    from forgeron.laws.findings import Finding
    from forgeron.laws.isolated_run import Message

#: The exit code when a law is broken.
BROKEN = 1
PLAIN = "plain Python"


def add_to(app: typer.Typer) -> None:
    app.command(
        "check-game",
        epilog=examples(
            "forgeron check-game my_game.py                  all laws, then counts and a sample game",
            "forgeron check-game my_game.py -o size=6        with an option",
            "forgeron check-game my_game.py --seconds 60     more positions",
        ),
    )(check_game)


def check_game(
    game: Annotated[str, typer.Argument(metavar="FILE", help="The path of a one-file game, or the name of a game.")],
    option: OptionsOption = None,
    preset: PresetOption = None,
    seconds: Annotated[
        float, typer.Option(min=0.1, max=MOST_SECONDS, metavar="N", help="Time for each half, plain and compiled.")
    ] = 5.0,
    seed: Annotated[int, seed_option(help="For the random games.")] = 0,
) -> None:
    """Try a game: the laws of the contract in plain Python and compiled, with every index checked.

    The first law that is broken is told with its file and line, what would do, and the shortest game that shows it.
    """
    from forgeron.core.errors import ForgeronError
    from forgeron.core.options import read_pairs
    from forgeron.laws.isolated_run import LawRequest, compiled, plain

    if game.endswith(".py") and not Path(game).is_file():
        raise ForgeronError(f"there is no file {game}")
    request = LawRequest(
        game,
        options=read_pairs(option or (), "the game"),
        presets=(preset,) if preset is not None or option else (),
        seed=seed,
        plies=1_000_000,
        seconds=seconds,
    )
    console = new_console()
    _follow(console, PLAIN, plain(request))
    _follow(console, "compiled, indices checked", compiled(request.patient()))
    console.print("no law is broken", style="bold green")


def _follow(console: Console, half: str, messages: Iterator[Message]) -> None:
    """Show what the worker tells; a finding ends the command."""
    from forgeron.laws.findings import LOADS, Finding
    from forgeron.reports.formatting import plain

    said: set[str] = set() if half == PLAIN else {LOADS}
    for message in messages:
        if "finding" in message:
            show_finding(console, Finding.from_data(message["finding"]))
            raise typer.Exit(BROKEN)
        if "passed" in message and message["passed"] not in said:
            said.add(message["passed"])
            note = f": {plain(message['note'])}" if message["passed"] == LOADS else ""
            console.print(f"✓ {message['passed']}{note}", style="green", soft_wrap=True)
        elif "seen" in message:
            seen, preset = message["seen"], message["preset"]
            where = f", preset {preset}" if preset else ""
            text = f"  {half}{where}: {seen['positions']:,} positions, {seen['games']:,} random games"
            console.print(text, style="dim", soft_wrap=True)
        elif "exhibit" in message and not message["preset"]:
            _show_exhibit(console, message["exhibit"])


def show_finding(console: Console, found: Finding) -> None:
    from forgeron.reports.formatting import plain

    console.print(f"✗ {found.law}", style="red", soft_wrap=True)
    rule = f"{found.rule}: " if found.rule else ""
    console.print(
        plain(f"  {found.place}: {rule}{found.said}" if found.place else f"  {rule}{found.said}"), soft_wrap=True
    )
    console.print(plain(f"  what would do: {found.remedy}"), soft_wrap=True)
    if found.options:
        console.print(plain(f"  with the preset {found.options}"), soft_wrap=True)
    if found.moves is not None:
        plies = len(found.moves)
        length = "the first position" if not plies else f"{plies} pl{'y' if plies == 1 else 'ies'}"
        proven = ", none is shorter" if found.shortest and plies else ""
        line = f": {' '.join(found.moves)}" if plies else ""
        console.print(plain(f"  a game that shows it ({length}{proven}){line}"), soft_wrap=True)
    if found.position:
        console.print(plain(f"  the position: {found.position}"), soft_wrap=True)


def _show_exhibit(console: Console, shown: dict[str, Any]) -> None:
    from forgeron.reports.formatting import plain

    counts = "  ".join(f"{depth}: {leaves:,}" for depth, leaves in enumerate(shown["perft"], 1))
    console.print(f"perft  {counts}", soft_wrap=True)
    tally = shown["tally"]
    games = tally["games"]
    console.print(
        f"{games:,} random games: {tally['wins'] / games:.1%} won by the first player, "
        f"{tally['draws'] / games:.1%} drawn, {tally['plies'] / games:.1f} plies on average",
        soft_wrap=True,
    )
    console.print(plain(f"a random game: {' '.join(shown['moves'])}"), soft_wrap=True)
    for line in shown["board"].splitlines():
        console.print(f"  {plain(line)}", soft_wrap=True)
    console.print(plain(f"  {shown['result']} ({shown['scores'][0]} : {shown['scores'][1]})"), soft_wrap=True)

"""`forgeron new-game`: a game of your own to begin with, and its test."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from forgeron.cli.shared import examples, new_console


def add_to(app: typer.Typer) -> None:
    app.command(
        "new-game",
        epilog=examples(
            "forgeron new-game four-in-a-row              writes four_in_a_row.py and test_four_in_a_row.py here",
            "forgeron new-game halma --folder games       into another folder",
        ),
    )(new_game)


def new_game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the game is called: lower-case words joined by -.")],
    folder: Annotated[Path, typer.Option(metavar="FOLDER", help="Where the two files are written.")] = Path("."),
) -> None:
    """Write a small game that runs, for you to change into yours, and a test for it. See docs/add-a-game.md."""
    from forgeron.interop.new_game import new_game as write

    file, test = write(name, folder)
    console = new_console()
    console.print(f"{file}   the game: so far three in a row; change it into yours", soft_wrap=True)
    console.print(f"{test}   its tests, for pytest", soft_wrap=True)
    console.print("\nnext", style="bold")
    for command, why in (
        (f"forgeron check-game {file}", "are the rules sound?"),
        (f"forgeron play {file}", "play it in the terminal"),
        (f"forgeron serve {file}", "play it on the page"),
    ):
        console.print(f"  {command}   {why}", soft_wrap=True)

"""`forgeron games`: what can be played, and by whom."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from forgeron.cli.shared import examples, new_console, open_game

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from forgeron.core.game import Game, Option


def add_to(app: typer.Typer) -> None:
    app.command(
        epilog=examples(
            "forgeron games                    all games and players",
            "forgeron games yolah              one game in detail",
            "forgeron games ./my_game.py       a game of your own",
        )
    )(games)


def games(
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="Show this one in detail: a name, or the path of a one-file game."),
    ] = None,
) -> None:
    """List the games and players there are, or show one game in detail."""
    console = new_console()
    if game is None:
        _show_games(console)
        _show_players(console)
        console.print("Details of a game: forgeron games NAME. Play it: forgeron play NAME", style="dim")
    else:
        _show_game(console, open_game(game))


def _show_games(console: Console) -> None:
    from forgeron.core.errors import ForgeronError
    from forgeron.core.registry import game_class, game_names

    table = _table("Games", "name", "title", "seats", "options", "presets")
    for name in game_names():
        try:
            found = game_class(name)
        except ForgeronError as error:  # somebody else's package
            table.add_row(name, str(error), "–", "–", "–")
            continue
        presets = "\n".join(found.presets) or "–"
        table.add_row(name, found.title, " · ".join(found.seats), _options(found.options), presets)
    console.print(table)


def _show_players(console: Console) -> None:
    from forgeron.core.errors import ForgeronError
    from forgeron.players import player_class, player_names

    table = _table("Players", "name", "how it chooses", "options")
    for name in player_names():
        try:
            found = player_class(name)
        except ForgeronError as error:
            table.add_row(name, str(error), "–")
            continue
        table.add_row(name, found.summary, _options(found.options))
    table.add_row("human", "you type the moves", "–")
    console.print(table)


def _show_game(console: Console, game: Game) -> None:
    console.print(f"{game.title} ({game.name})", style="bold")
    summary = (type(game).__doc__ or "").strip().partition("\n\n")[0]
    if summary:
        console.print(" ".join(summary.split()))
    console.print()
    show_rules(console, game)
    console.print()
    console.print(f"seats     {game.seats[0]} moves first, {game.seats[1]} second")
    if game.move_help:
        console.print(f"a move    {game.move_help}")
    if not game.options:
        console.print("options   none")
    else:
        table = _table("Options", "name", "default", "values", "meaning")
        for name, option in game.options.items():
            table.add_row(name, str(option.default), option.range, option.help)
        console.print(table)
    for name, chosen in game.presets.items():
        console.print(f"preset    {name}: {', '.join(f'{key}={value}' for key, value in chosen.items())}")
    start = game.start()
    console.print()
    console.print(start.draw(), soft_wrap=True)
    console.print()
    console.print(f"position  {start}", soft_wrap=True)


def show_rules(console: Console, game: Game) -> None:
    """The rules card, and the example move by move; the page lets you play it."""
    from rich.padding import Padding
    from rich.text import Text

    from forgeron.core.lesson import follow

    console.print("How it is played", style="bold")
    for paragraph in game.rules():
        console.print(Padding(paragraph, (0, 0, 0, 2)))
    steps = follow(type(game)())
    if not steps:
        return
    console.print()
    console.print("An example (on the page you can play it: forgeron serve)", style="bold")
    for number, (lesson, _, after) in enumerate(steps, 1):
        asked = Text.assemble(f"{number}. {lesson.ask} ", (str(after.last_move), "cyan"))
        console.print(Padding(asked, (0, 0, 0, 2)))
        console.print(Padding(Text(lesson.told, "dim"), (0, 0, 0, 5)))


def _table(title: str, *columns: str) -> Table:
    from rich import box

    from forgeron.reports.narrow_table import NarrowTable

    table = NarrowTable(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    for i, column in enumerate(columns):
        table.add_column(column, style="cyan" if i == 0 else "", overflow="fold", no_wrap=i == 0)
    return table


def _options(options: Mapping[str, Option]) -> str:
    """An option a line: its name, its default, and the values it may have."""
    return "\n".join(f"{name}={option.default} ({option.range})" for name, option in options.items()) or "–"

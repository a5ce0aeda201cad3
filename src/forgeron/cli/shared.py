"""What several commands share: the ways to name a game, and to print."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from forgeron.arena.entrant import Entrant
    from forgeron.core.game import Game
    from forgeron.core.position import Position

GameArgument = Annotated[
    str,
    typer.Argument(metavar="GAME", help="The name of a game (see `forgeron games`), or the path of a one-file game."),
]
GamesArgument = Annotated[
    list[str] | None,
    typer.Argument(metavar="[GAME]...", help="Names of games, or paths of one-file games. Default: all games."),
]
OptionsOption = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="KEY=VALUE", help="An option of the game; can be repeated."),
]
PresetOption = Annotated[str | None, typer.Option("--preset", metavar="NAME", help="A named set of game options.")]
PositionOption = Annotated[
    str | None, typer.Option("--position", metavar="TOKEN", help="Start from this position instead of the first one.")
]


def examples(*lines: str) -> str:
    """The end of a help page; every line stays a line of its own. What stands far behind a command is a remark."""
    marked = (re.sub(" {2,}", lambda gap: gap[0][2:].ljust(2) + "# ", line, count=1) for line in lines)
    return "\n".join(["[bold]Examples[/bold]", *(f"  {line}" for line in marked)])


def open_game(name: str, options: Iterable[str] | None = None, preset: str | None = None) -> Game:
    """The game of this name or path, its options read from KEY=VALUE texts."""
    from forgeron.core.options import read_pairs
    from forgeron.core.registry import game_class

    found = game_class(name)
    return found.with_options(read_pairs(options or (), found.name, found.options), preset)


def first_position(game: Game, token: str | None) -> Position:
    return game.start() if token is None else game.parse(token)


def say_notices(game: Game, entrants: Iterable[Entrant]) -> None:
    """Tell what a person should know about the players, once each and beside the output: on standard error."""
    notices = {entrant.name: entrant.notice(game) for entrant in entrants}
    for name, notice in notices.items():
        if notice:
            typer.echo(f"note: {name}: {notice}", err=True)


def require_torch() -> None:
    """Say how to get PyTorch where it is not installed, before anything is done; importing it would take seconds."""
    from importlib.util import find_spec

    from forgeron.learning.network_training import import_torch

    if find_spec("torch") is None:
        import_torch()


def load_torch() -> None:
    """Have PyTorch ready; importing it takes seconds, so there is a word before."""
    from forgeron.learning.network_training import import_torch

    require_torch()
    typer.echo("note: loading PyTorch", err=True)
    import_torch()


def new_console(*, stderr: bool = False) -> Console:
    """A console that prints texts as they are: no markup, no guessed colours."""
    from rich.console import Console

    return Console(stderr=stderr, markup=False, highlight=False, emoji=False)

"""What several commands share: the ways to name a game, and to print."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from forgeron.core.game import Game
    from forgeron.core.position import Position

GameArgument = Annotated[
    str,
    typer.Argument(metavar="GAME", help="The name of a game (see `forgeron games`), or the path of a one-file game."),
]
GamesArgument = Annotated[
    list[str] | None,
    typer.Argument(metavar="[GAME]...", help="Names of games, or paths of one-file games; all if none."),
]
OptionsOption = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="KEY=VALUE", help="An option of the game; may be given several times."),
]
PresetOption = Annotated[str | None, typer.Option("--preset", metavar="NAME", help="A named set of options.")]
PositionOption = Annotated[
    str | None, typer.Option("--position", metavar="TOKEN", help="Begin here instead of at the first position.")
]


def examples(*lines: str) -> str:
    """The end of a help page; every line stays a line of its own."""
    return "\n".join(["[bold]Examples[/bold]", *(f"  {line}" for line in lines)])


def open_game(name: str, options: Iterable[str] | None = None, preset: str | None = None) -> Game:
    """The game of this name or path, its options read from KEY=VALUE texts."""
    from forgeron.core.errors import unknown_name
    from forgeron.games import game_class

    found = game_class(name)
    pairs = read_pairs(options or (), found.options, f"option of {found.name}")
    for key in pairs:
        if key not in found.options:
            raise unknown_name(f"option of {found.name}", key, found.options)
    return found(preset=preset, **pairs)


def read_pairs(texts: Iterable[str], known: Mapping[str, Any], what: str) -> dict[str, str]:
    """KEY=VALUE texts as a mapping; `known` is named in the error for a text of another form."""
    from forgeron.core.errors import OptionError

    pairs = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key:
            valid = ", ".join(known) or "(none)"
            raise OptionError(f"an {what} is written key=value, not '{text}'; valid keys: {valid}")
        pairs[key.strip()] = value.strip()
    return pairs


def first_position(game: Game, token: str | None) -> Position:
    return game.start() if token is None else game.parse(token)


def new_console(*, stderr: bool = False) -> Console:
    """A console that prints texts as they are: no markup, no guessed colours."""
    from rich.console import Console

    return Console(stderr=stderr, markup=False, highlight=False, emoji=False)


def per_second(count: int, seconds: float) -> str:
    """A speed with three figures that mean something.

    >>> per_second(164_512, 0.001), per_second(1234, 1.0), per_second(5, 0.0)
    ('165 M/s', '1.23 k/s', '–')
    """
    if seconds <= 0:
        return "–"
    speed = count / seconds
    for size, unit in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if speed >= size:
            return f"{speed / size:.3g}{unit}/s"
    return f"{speed:.3g} /s"

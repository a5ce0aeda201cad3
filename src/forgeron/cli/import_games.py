"""`forgeron import-games`: the games of another program as training data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from forgeron.cli.number_options import games_option
from forgeron.cli.shared import GameArgument, OptionsOption, PresetOption, examples, new_console, open_game


def add_to(app: typer.Typer) -> None:
    app.command(
        "import-games",
        epilog=examples(
            "forgeron import-games yolah games_*.bin --out data/author",
            "forgeron train yolah data/author data/yolah-1",
        ),
    )(import_games)


def import_games(
    game: GameArgument,
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Records as the other program writes them.")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the shards go: a new folder.")],
    shard_games: Annotated[int, games_option(help="Games in a shard.")] = 1000,
    option: OptionsOption = None,
    preset: PresetOption = None,
) -> None:
    """Turn records of another program into shards for `forgeron train`: each position is judged at the result.

    Every move is checked. For Yolah these are the binary records of its author (docs/learning.md).
    """
    from forgeron.core.errors import ForgeronError
    from forgeron.learning import imported_games

    found = open_game(game, option, preset)
    console = new_console()
    games = plies = 0
    for more in imported_games.import_games(found, files, out, shard_games):
        games, plies = games + more[0], plies + more[1]
        console.print(f"{games:,} games, {plies:,} plies", soft_wrap=True)
    if not games:
        raise ForgeronError("there are no games in these files")
    console.print(f"to train on them: forgeron train {game} {out}", soft_wrap=True)

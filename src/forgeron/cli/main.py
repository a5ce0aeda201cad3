"""The program `forgeron`: its commands, and how every one of them fails."""

from __future__ import annotations

import io
import os
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from forgeron import __version__
from forgeron.cli import (
    ablation,
    analyse,
    bench,
    bot,
    check,
    games,
    match,
    perft,
    play,
    replay,
    results,
    tournament,
    tune,
    warmup,
)
from forgeron.cli.shared import examples

MISUSED = 2


class Commands(TyperGroup):
    """All commands. An error made to be read is one line on stderr, and Ctrl-C is no error."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            typer.echo("interrupted", err=True)
            raise typer.Exit(play.INTERRUPTED) from None
        except Exception as error:
            from forgeron.core.errors import ForgeronError

            if not isinstance(error, ForgeronError):
                raise
            complain(f"error: {error}")
            raise typer.Exit(MISUSED) from None


def complain(text: str) -> None:
    """One line on stderr, red where there are colours."""
    typer.secho(text, err=True, fg=None if os.environ.get("NO_COLOR") else typer.colors.RED)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"forgeron {__version__}")
        raise typer.Exit()


app = typer.Typer(
    name="forgeron",
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=examples(
        "forgeron games              all games and players",
        "forgeron play yolah         you begin, against monte-carlo",
        "forgeron play --help        what can be chosen",
        "forgeron perft yolah 5      count the tree of the game",
    ),
)


@app.callback()
def _forgeron(
    version: Annotated[
        bool, typer.Option("--version", "-V", callback=_version, is_eager=True, help="Say which version this is.")
    ] = False,
) -> None:
    """Make game-playing programs, set them against each other, and understand them."""


games.add_to(app)
play.add_to(app)
match.add_to(app)
tournament.add_to(app)
results.add_to(app)
replay.add_to(app)
analyse.add_to(app)
ablation.add_to(app)
tune.add_to(app)
perft.add_to(app)
bot.add_to(app)
check.add_to(app)
bench.add_to(app)
warmup.add_to(app)


def main() -> None:
    """Run the command that was typed, and leave with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a board drawn with ? is better than no board
    app(prog_name="forgeron")

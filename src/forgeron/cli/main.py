"""The program `forgeron`: its commands, and how errors of all of them are reported."""

from __future__ import annotations

import io
import os
import shutil
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

import forgeron
from forgeron.cli import (
    ablation,
    analyse,
    bench,
    bot,
    build,
    check,
    check_game,
    doctor,
    games,
    import_games,
    learn,
    match,
    new_game,
    openings,
    perft,
    play,
    probcut,
    publish,
    replay,
    results,
    selfplay,
    serve,
    solve,
    suite,
    td,
    tournament,
    train,
    tune,
    warmup,
)
from forgeron.cli.interrupts import INTERRUPTED
from forgeron.cli.shared import examples

#: What was asked for cannot be done: a wrong name, a wrong file.
MISUSED = 2
#: The machine did not let us: a full disk, a folder without permission.
FAILED = 1
#: So much of an error is shown: it may quote what somebody typed.
_LONGEST = 1000


class Interrupted(BaseException):
    """Ctrl-C, under a name that the command line library does not report in its own words."""


class Commands(TyperGroup):
    """All commands. An error made to be read is one line on stderr, and Ctrl-C is no error."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().main(*args, **kwargs)
        except Interrupted:
            typer.echo("interrupted", err=True)
            sys.exit(INTERRUPTED)

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().make_context(*args, **kwargs)
        except KeyboardInterrupt:
            raise Interrupted from None
        except TyperException as error:
            raise _misused(error) from None

    def invoke(self, ctx: Any) -> Any:
        from forgeron.core.game_check_hook import guarded_by

        try:
            with guarded_by(_vet):
                return super().invoke(ctx)
        except KeyboardInterrupt:
            raise Interrupted from None
        except BrokenPipeError:
            raise  # whoever read our output has left: no error of ours
        except TyperException as error:
            raise _misused(error) from None
        except Exception as error:
            from forgeron.core.errors import ForgeronError

            if not isinstance(error, ForgeronError | OSError):
                raise
            complain(f"error: {describe(error)}")
            raise typer.Exit(FAILED if isinstance(error, OSError) else MISUSED) from None


def _vet(name: str) -> None:
    from forgeron.laws.quick_check import vet

    vet(name)


def _misused(error: TyperException) -> Exception:
    """A command line that cannot be understood is one line, too, as any other error."""
    said = error.format_message().rstrip(".")
    if not said:
        return error  # help was shown instead
    context = getattr(error, "ctx", None)
    complain(f"error: {said} (see {context.command_path if context else 'forgeron'} --help)")
    return typer.Exit(MISUSED)


def complain(text: str) -> None:
    """One line on stderr, red where there are colours; what somebody typed is shown escaped."""
    text = "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text)
    text = text if len(text) <= _LONGEST else f"{text[:_LONGEST]} … ({len(text)} characters)"
    if sys.stderr.isatty():  # a line ends between words; elsewhere an error stays one line
        from forgeron.reports.formatting import fill

        text = fill(text, shutil.get_terminal_size().columns)
    typer.secho(text, err=True, fg=None if os.environ.get("NO_COLOR") else typer.colors.RED)


def describe(error: Exception) -> str:
    """What happened, in one line; an error of the operating system names its file."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"forgeron {forgeron.__version__}")
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
        "forgeron games              list all games and players",
        "forgeron play yolah         play against a casual opponent; you move first",
        "forgeron play --help        options of the command",
        "forgeron perft yolah 5      count the game tree",
    ),
)


@app.callback()
def _forgeron(
    version: Annotated[
        bool, typer.Option("--version", "-V", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Make game-playing programs, set them against each other, and understand them."""


#: Every command, as the help page groups them.
PANELS = {
    "Play and understand": (games, play, serve, analyse, replay),
    "Matches and competitions": (match, tournament, results, publish, openings),
    "Bots": (bot, check, build),
    "Search and learning": (ablation, suite, tune, probcut, selfplay, train, learn, import_games, solve, td),
    "Games of your own": (new_game, check_game, perft),
    "This machine": (doctor, warmup, bench),
}
for _panel, _commands in PANELS.items():
    for _command in _commands:
        _command.add_to(app)
        app.registered_commands[-1].rich_help_panel = _panel


def main() -> None:
    """Run the command that was typed, and leave with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a board drawn with ? is better than no board
    app(prog_name="forgeron")

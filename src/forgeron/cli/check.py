"""`forgeron check`: try a bot step by step."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forgeron.cli.bounds import MOST_MB
from forgeron.cli.number_options import seconds_option
from forgeron.cli.shared import GameArgument, OptionsOption, PresetOption, examples, new_console, open_game
from forgeron.reports.formatting import say

if TYPE_CHECKING:
    from rich.console import Console

    from forgeron.arena.check import CheckStep

#: The exit code when a step has failed.
FAILED = 1


def add_to(app: typer.Typer) -> None:
    app.command(
        context_settings={"ignore_unknown_options": True},
        epilog=examples(
            "forgeron check yolah ./my_bot",
            "forgeron check yolah -- java -cp . MyBot               (use -- if the command has options)",
            "forgeron check mancala ./bot --preset course --protocol mancala --time 2",
            "forgeron check yinsh ./bot --protocol yinsh --time 120+0",
            "forgeron check yut player.py --protocol yut",
        ),
    )(check)


def check(
    game: GameArgument,
    command: Annotated[list[str], typer.Argument(metavar="COMMAND...", help="The command that starts the bot.")],
    protocol: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="native, or that of a course, as mancala.", show_default="native"),
    ] = None,
    time: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="Time control: 0.5 (seconds per move) or 60+0.5 (clock and increment).",
            show_default="what the protocol is used to",
        ),
    ] = None,
    setting: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="An option of the bot, or of its protocol.")
    ] = None,
    memory: Annotated[int, typer.Option(min=1, max=MOST_MB, metavar="MB", help="Memory limit of the bot.")] = 2048,
    startup: Annotated[float, seconds_option(help="Start-up limit of the bot.")] = 10.0,
    option: OptionsOption = None,
    preset: PresetOption = None,
) -> None:
    """Test a bot step by step: start, handshake, a move in each seat, a whole game, little time, exit."""
    from forgeron.arena.check import Check
    from forgeron.arena.entrant import NATIVE, Entrant
    from forgeron.bots.clock import TimeControl
    from forgeron.bots.protocols import protocol_class
    from forgeron.bots.sandbox import Sandbox
    from forgeron.core.errors import OptionError
    from forgeron.core.options import read_pairs

    text = command[0] if len(command) == 1 else shlex.join(command)
    bot = Entrant.parse(text, protocol if protocol or "@" in text else NATIVE).located(Path())
    if not bot.command:
        raise OptionError(f"'{text}' is no program: name the command that starts the bot")
    kind, found = protocol_class(bot.protocol), open_game(game, option, preset)
    control = TimeControl.parse(time or kind.check_time)
    kind.check_terms(found.name, control, bot.options)
    trial = Check(
        found,
        bot.command,
        bot.protocol,
        control,
        read_pairs(setting or (), "the bot"),
        Sandbox(memory_mb=memory),
        startup,
    )
    console = new_console()
    for step in trial.steps():
        _show(console, step)
        if step.passed is False:
            raise typer.Exit(FAILED)


_MARKS = {True: ("✓", "green"), False: ("✗", "red"), None: ("–", "dim")}


def _show(console: Console, step: CheckStep) -> None:
    mark, style = _MARKS[step.passed]
    say(console, f"{mark} {step.what}" + (f": {step.note}" if step.note else ""), style)
    if step.passed is not False:
        return
    say(console, f"  right would be: {step.right}")
    for title, lines in (
        ("the last lines (→ to the bot, ← from the bot)", step.lines),
        ("the bot's standard error", step.log),
    ):
        console.print(f"\n  {title}:" + ("" if lines else " nothing"), style="bold")
        for line in lines:
            console.print(f"    {line}", soft_wrap=True)

"""`forgeron check`: try a bot step by step."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Annotated

import typer

from forgeron.cli.shared import GameArgument, OptionsOption, PresetOption, examples, new_console, open_game, read_pairs

if TYPE_CHECKING:
    from rich.console import Console

    from forgeron.arena.check import Step

#: The exit code when a step has failed.
FAILED = 1


def add_to(app: typer.Typer) -> None:
    app.command(
        context_settings={"ignore_unknown_options": True},
        epilog=examples(
            "forgeron check yolah ./my_bot",
            "forgeron check yolah -- java -cp . MyBot               -- when the command has options of its own",
            "forgeron check mancala ./bot --preset course --protocol mancala --time 2",
            "forgeron check yinsh ./bot --protocol yinsh --time 120+0",
            "forgeron check yut player.py --protocol yut",
        ),
    )(check)


def check(
    game: GameArgument,
    command: Annotated[list[str], typer.Argument(metavar="COMMAND...", help="What starts the bot.")],
    protocol: Annotated[str, typer.Option(metavar="NAME", help="native, mancala, yinsh, yut or yolah-ws.")] = "native",
    time: Annotated[
        str | None,
        typer.Option(
            metavar="TIME", help="For a move (0.5), or a clock (60+0.5).", show_default="1; yinsh 120+0; mancala 3"
        ),
    ] = None,
    setting: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="An option of the bot, or of its protocol.")
    ] = None,
    memory: Annotated[int, typer.Option(metavar="MB", help="The memory it may use.")] = 2048,
    startup: Annotated[float, typer.Option(metavar="SECONDS", help="How long it may take to be ready.")] = 10.0,
    option: OptionsOption = None,
    preset: PresetOption = None,
) -> None:
    """Try somebody's bot: start, handshake, moves on both sides, a whole game, little time, leaving."""
    from forgeron.arena.check import Check
    from forgeron.arena.clock import TimeControl
    from forgeron.arena.protocols import PROTOCOLS
    from forgeron.arena.sandbox import Sandbox
    from forgeron.core.errors import unknown_name

    if protocol not in PROTOCOLS:
        raise unknown_name("protocol", protocol, PROTOCOLS)
    usual = {"yinsh": "120+0", "mancala": "3"}.get(protocol, "1")
    trial = Check(
        open_game(game, option, preset),
        shlex.split(command[0]) if len(command) == 1 else command,
        protocol,
        TimeControl.parse(time or usual),
        read_pairs(setting or (), {}, "option of the bot"),
        Sandbox(memory_mb=memory),
        startup,
    )
    console = new_console()
    for step in trial.steps():
        _show(console, step)
        if step.passed is False:
            raise typer.Exit(FAILED)


_MARKS = {True: ("✓", "green"), False: ("✗", "red"), None: ("–", "dim")}


def _show(console: Console, step: Step) -> None:
    mark, style = _MARKS[step.passed]
    console.print(f"{mark} {step.what}" + (f": {step.note}" if step.note else ""), style=style, soft_wrap=True)
    if step.passed is not False:
        return
    console.print(f"  right would be: {step.right}", soft_wrap=True)
    for title, lines in (("the conversation (→ to the bot, ← its output)", step.lines), ("its log (stderr)", step.log)):
        console.print(f"\n  {title}:" + ("" if lines else " nothing"), style="bold")
        for line in lines:
            console.print(f"    {line}", soft_wrap=True)

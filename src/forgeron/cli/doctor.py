"""`forgeron doctor`: what is installed, what works here, and how fast this machine is."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from forgeron.cli.shared import examples, new_console

if TYPE_CHECKING:
    from rich.console import Console

    from forgeron.cli.doctor_checks import Diagnosis

SIGNS = {"ok": ("✓", "green"), "note": ("·", "yellow"), "broken": ("✗", "bold red")}


def add_to(app: typer.Typer) -> None:
    app.command(
        epilog=examples(
            "forgeron doctor                   what works here, and what to do about the rest",
            "forgeron doctor --json            the same for a program, or for the report of a mistake",
        )
    )(doctor)


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a list.")] = False,
) -> None:
    """Say what is installed and compiled, which layers of the sandbox work, and how fast this machine is.

    The exit code is 1 where something is broken that Forgeron needs.
    """
    from forgeron.cli.doctor_checks import all_checks

    console = new_console()
    checks = []
    for check in all_checks():
        checks.append(check)
        if as_json:
            typer.echo(f"checked: {check.topic}", err=True)
        else:
            _show(console, check)
    broken = any(check.standing == "broken" for check in checks)
    if as_json:
        typer.echo(json.dumps({"broken": broken, "checks": [asdict(check) for check in checks]}, indent=1))
    if broken:
        raise typer.Exit(1)


def _show(console: Console, check: Diagnosis) -> None:
    from rich.table import Table
    from rich.text import Text

    sign, style = SIGNS[check.standing]
    row = Table.grid(padding=(0, 1))
    row.add_column(width=1)
    row.add_column(width=15)
    row.add_column()
    row.add_row(Text(sign, style=style), check.topic, Text(check.found))
    if check.remedy:
        row.add_row("", "", Text(check.remedy, style="dim"))
    console.print(row)

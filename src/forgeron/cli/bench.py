"""`forgeron bench`: fixed work, its speed, and one number that tells whether anything changed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from forgeron.cli.background import run_interruptibly
from forgeron.cli.shared import GamesArgument, examples, open_game
from forgeron.reports.formatting import per_second

if TYPE_CHECKING:
    from forgeron.cli.bench_workload import Measure


def add_to(app: typer.Typer) -> None:
    app.command(
        epilog=examples(
            "forgeron bench yolah              one game",
            "forgeron bench --json > now.json  all games, machine-readable",
        )
    )(bench)


def bench(
    games: GamesArgument = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")] = False,
) -> None:
    """Do a fixed amount of work and say how fast it went.

    The signature is the total of all counts: the same in every run and on every machine, until rules change.
    """
    import forgeron
    from forgeron.cli.bench_workload import measure
    from forgeron.core.registry import game_names

    signature = 0
    results: dict[str, list[dict[str, Any]]] = {}
    for name in games or game_names():
        game = open_game(name)
        results[game.name] = []
        typer.echo(f"{game.title}", err=as_json)
        measures = measure(game)
        while (found := run_interruptibly(lambda measures=measures: next(measures, None))) is not None:  # type: ignore[misc]
            signature += found.count
            results[game.name].append(_row(found))
            typer.echo(_line(found), err=as_json)
    if as_json:
        typer.echo(json.dumps({"version": forgeron.__version__, "signature": signature, "games": results}, indent=1))
    else:
        typer.echo(f"\nsignature {signature}")


def _row(found: Measure) -> dict[str, Any]:
    speed = found.count / found.cpu_seconds if found.cpu_seconds > 0 else None
    return {
        "item": found.item,
        "unit": found.unit,
        "count": found.count,
        "cpu_seconds": round(found.cpu_seconds, 6),
        "per_cpu_second": speed and round(speed),
    }


def _line(found: Measure) -> str:
    speed = per_second(found.count, found.cpu_seconds)
    return f"  {found.item:<26} {found.count:>14,} {found.unit:<7} {found.cpu_seconds:>8.3f} CPU s {speed:>12}"

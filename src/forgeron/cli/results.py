"""`forgeron results`: what an event has come to, in every form."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forgeron.cli.shared import examples, new_console

if TYPE_CHECKING:
    from forgeron.arena.results import Results
    from forgeron.core.game import Game

Target = Path | None


def add_to(app: typer.Typer) -> None:
    app.command(
        epilog=examples(
            "forgeron results class.journal",
            "forgeron results class.journal --html report.html --csv table.csv",
            "forgeron results class.journal --query \\",
            "  'SELECT reason, count(*) FROM games GROUP BY reason'",
        )
    )(results)


def results(
    journal: Annotated[Path, typer.Argument(metavar="JOURNAL", help="The journal of a match or tournament.")],
    csv: Annotated[Target, typer.Option(metavar="FILE", help="Write standings and crosstable.")] = None,
    games_csv: Annotated[Target, typer.Option(metavar="FILE", help="Write a line for every game.")] = None,
    json: Annotated[Target, typer.Option(metavar="FILE", help="Write everything.")] = None,
    html: Annotated[Target, typer.Option(metavar="FILE", help="Write a page with plots and replays.")] = None,
    sqlite: Annotated[Target, typer.Option(metavar="FILE", help="Write a database of games and moves.")] = None,
    query: Annotated[
        str | None,
        typer.Option(metavar="SQL", help="Print the answer to a question about the tables entrants, games, moves."),
    ] = None,
) -> None:
    """Show the results of a match or tournament, finished or not, and write them to files."""
    from forgeron.arena.results import read_results

    found = read_results(journal.with_suffix(".journal") if journal.suffix == ".toml" else journal)
    if query is not None:
        _answer(found, query)
        return
    game = _game(found)
    written = _write(found, game, {"csv": csv, "games_csv": games_csv, "json": json, "html": html, "sqlite": sqlite})
    if written:
        for path in written:
            typer.echo(f"written: {path}")
        return
    from forgeron.cli.tables import show_results

    show_results(new_console(), found, game)


def _game(found: Results) -> Game | None:
    """The game, where it is still to be had: results can be shown without it, boards cannot."""
    from forgeron.core.errors import ForgeronError

    try:
        return found.event.terms.open_game()
    except ForgeronError as error:
        typer.echo(f"without boards: {error}", err=True)
        return None


def _write(found: Results, game: Game | None, wanted: dict[str, Path | None]) -> list[Path]:
    from forgeron.arena import report, store
    from forgeron.arena.page import to_html

    texts = {
        "csv": lambda: report.standings_csv(found),
        "games_csv": lambda: report.games_csv(found),
        "json": lambda: report.to_json(found, game),
        "html": lambda: to_html(found, game),
    }
    for kind, path in wanted.items():
        if path is not None and kind == "sqlite":
            store.build(found, path).close()
        elif path is not None:
            report.write(path, texts[kind]())
    return [path for path in wanted.values() if path is not None]


def _answer(found: Results, query: str) -> None:
    from forgeron.arena.store import ask
    from forgeron.cli.tables import new_table, plain

    names, rows = ask(found, query)
    table = new_table(*(plain(name) for name in names))
    for row in rows:
        table.add_row(*("–" if value is None else plain(value) for value in row))
    new_console().print(table)

"""`forgeron tournament`: many programs, one file that says how."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forgeron.cli.event import ExecutorOption, JobsOption, Pace, find_executor, follow, say_resumed, say_stopped
from forgeron.cli.play import INTERRUPTED
from forgeron.cli.shared import examples, new_console

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from forgeron.arena.executor import Executor
    from forgeron.arena.journal import Journal
    from forgeron.arena.tournament import Tournament


def add_to(app: typer.Typer) -> None:
    app.command(
        epilog=examples(
            "forgeron tournament class.toml                  play, or go on",
            "forgeron tournament class.toml --jobs 4",
            "forgeron tournament class.toml --html report.html",
            "forgeron results class.journal                  look meanwhile",
        )
    )(tournament)


def tournament(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The tournament: a TOML file, see docs/tournaments.md.")],
    jobs: JobsOption = None,
    journal: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where games are kept.", show_default="FILE with .journal")
    ] = None,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a report when it is over.")] = None,
    executor: ExecutorOption = "local",
) -> None:
    """Play a tournament, or go on with one that was interrupted, and show who won."""
    from forgeron.arena.configuration import read_tournament
    from forgeron.arena.journal import Journal
    from forgeron.arena.results import results_of
    from forgeron.cli.tables import show_results

    event, wanted = read_tournament(file)
    where = find_executor(executor, wanted if jobs is None else jobs)
    console = new_console()
    with Journal(journal or file.with_suffix(".journal"), event.settings()) as kept:
        say_resumed(console, kept)
        try:
            _follow(console, event, kept, where)
        except KeyboardInterrupt:
            say_stopped(console, kept)
            raise typer.Exit(INTERRUPTED) from None
        results = results_of(event, kept.records)
    game = event.terms.open_game()
    show_results(console, results, game)
    if html is not None:
        from forgeron.arena.page import to_html
        from forgeron.arena.report import write

        write(html, to_html(results, game))
        console.print(f"report: {html}", soft_wrap=True)
    else:
        console.print(
            f"games: {kept.path} (forgeron results {kept.path} --html report.html)", style="dim", soft_wrap=True
        )


def _follow(console: Console, event: Tournament, journal: Journal, where: Executor) -> None:
    from forgeron.arena.results import results_of
    from forgeron.arena.tournament import play_tournament
    from forgeron.cli.tables import duration, new_table, plain, with_error

    pace = Pace()
    table: list[tuple[int, Table]] = []

    def noted() -> Generator[tuple[int, int], None, None]:
        with closing(play_tournament(event, journal, where)) as course:
            for done, total in course:
                pace.update(done, total)
                yield done, total

    def said(state: tuple[int, int]) -> str:
        return f"{state[0]} of {state[1]} games, {duration(pace.left)} left"

    def line(state: tuple[int, int]) -> str | None:
        every = max(1, state[1] // 20)
        return said(state) if state[0] % every == 0 and state[0] < state[1] else None

    def live(state: tuple[int, int]) -> Table:
        # Ratings of a large event take a while: a table that is a little old will do.
        if not table or state[0] >= table[-1][0] + max(1, state[0] // 50):
            made = new_table("entrant", "points", "games", "faults", "Elo", title=plain(event.title))
            for row in results_of(event, dict(journal.records)).rows:
                counts = [f"{row.points:g}", str(row.games), str(row.faults.total())]
                made.add_row(plain(row.name), *counts, with_error(row.rating))
            made.caption_justify = "left"
            table[:] = [(state[0], made)]
        table[-1][1].caption = said(state)
        return table[-1][1]

    follow(console, noted(), table=live, line=line, transient=True)

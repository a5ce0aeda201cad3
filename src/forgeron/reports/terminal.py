"""Results in the terminal: standings, crosstable, and where a match stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rich import box
from rich.cells import cell_len
from rich.console import Group
from rich.measure import Measurement
from rich.rule import Rule
from rich.table import Table

from forgeron.reports import schema
from forgeron.reports.cell_text import cell_text
from forgeron.reports.formatting import plain, say, with_error
from forgeron.reports.narrow_table import NarrowTable
from forgeron.reports.result_table import Column, Kind, Output, ResultTable, Row
from forgeron.reports.results import GameResult, outside_reasons
from forgeron.reports.terminal_crosstable import compact_crosstables

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from forgeron.arena.match import Match, Standing
    from forgeron.core.game import Game
    from forgeron.reports.results import EventResults

#: The statistics that have a line of their own.
_OF_LUCK = ("adjusted_score", "adjusted_elo", "luck_saving")
_LEFT = (Kind.TEXT, Kind.NAMES, Kind.MOVES)


def new_table(*headings: str, title: str | None = None) -> NarrowTable:
    """A table whose first column is text and whose others are numbers."""
    table = NarrowTable(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    for i, heading in enumerate(headings):
        table.add_column(heading, justify="right" if i else "left", style="" if i else "cyan", overflow="fold")
    return table


def to_table(table: ResultTable[Row], *, title: bool = True) -> Table:
    """A table of results as the terminal shows it."""
    columns = table.columns_for(Output.TERMINAL)
    shown = new_table(*(plain(column.shown_heading) for column in columns), title=(title and table.title) or None)
    for column, made in zip(columns, shown.columns, strict=True):
        if column.kind in _LEFT:
            made.justify = "left"
    shown.details = frozenset(plain(column.shown_heading) for column in columns if column.detail)
    for _, cells in table.cells(Output.TERMINAL):
        shown.add_row(*(cell_text(column, value) for column, value in cells))
    for column, made in zip(columns, shown.columns, strict=True):
        if column.kind not in _LEFT:  # half a number is none
            made.no_wrap = True
            made.min_width = max(map(cell_len, map(str, [made.header, *made.cells])))
    return shown


def answer_table(console: Console, names: Sequence[str], rows: Sequence[Sequence[object]]) -> RenderableType:
    """The answer of the database: a table where that fits the width of the console, else one block a row."""
    texts = [[_answer_text(value) for value in row] for row in rows]
    table = new_table(*map(plain, names))
    for row in texts:
        table.add_row(*row)
    wide = console.options.update(max_width=10_000)
    if Measurement.get(console, wide, table).maximum <= console.width:
        return table
    blocks: list[RenderableType] = []
    for number, row in enumerate(texts, 1):
        block = Table.grid(padding=(0, 2))
        block.add_column(style="cyan", no_wrap=True)
        block.add_column(overflow="fold")
        for name, text in zip(names, row, strict=True):
            block.add_row(plain(name), text)
        blocks += [Rule(f"row {number} of {len(texts)}", align="left", style="dim"), block]
    return Group(*blocks)


def _answer_text(value: object) -> str:
    return "–" if value is None else f"{value:.6g}" if isinstance(value, float) else plain(value)


def live_standings(results: EventResults) -> Table:
    """What fits on a small screen while a tournament is played; the caption is left to the caller."""
    brief = schema.standings(results).only("name", "points", "games", "faults", "elo")
    table = to_table(replace(brief, title=plain(results.event.title)))
    table.caption_justify = "left"
    return table


def match_table(event: Match, standing: Standing, left: str) -> Table:
    """Where a match stands; `left` says how long it will take yet."""
    table = to_table(schema.match_sides(event, standing))
    luck = luck_line(standing)
    table.caption = match_line(event, standing) + left + (f"\n{luck}" if luck else "")
    table.caption_justify = "left"
    table.caption_style = ""
    return table


def match_line(event: Match, standing: Standing) -> str:
    """The statistics of a match in a line."""
    parts = [f"{standing.games} of {event.games} games"]
    for column, value in _statistics(standing):
        # An estimate that is not there yet is shown so; other numbers come when there are some.
        if column.name not in _OF_LUCK and (value is not None or column.kind is Kind.ESTIMATE):
            parts.append(f"{column.shown_heading} {cell_text(column, value)}")
    return ", ".join(parts)


def luck_line(standing: Standing) -> str:
    """The score without the luck of the throws; empty in a game that has none."""
    found = [(column, value) for column, value in _statistics(standing) if column.name in _OF_LUCK]
    return ", ".join(
        f"{column.shown_heading} {cell_text(column, value)}" for column, value in found if value is not None
    )


def _statistics(standing: Standing) -> list[tuple[Column[Standing], Any]]:
    ((_, cells),) = schema.match_statistics(standing).cells(Output.TERMINAL)
    return cells


def show_results(console: Console, results: EventResults, game: Game | None) -> None:
    """Everything an event has come to."""
    state = "" if results.due == 0 else "  (unfinished)"
    say(console, f"{plain(results.event.title)}: {len(results.games)} games{state}", "bold")
    console.print(to_table(schema.standings(results), title=False))
    if results.match is not None and (luck := luck_line(results.match)):
        say(console, luck)
    if len(results.rows) > 2:
        _show_crosstable(console, results)
    classes = schema.classes(results, game)
    if classes is not None:
        console.print(to_table(classes))
    first = results.ratings.first_move
    console.print(
        f"first-move advantage: {with_error(first)} Elo. Elo is relative to the mean; ± is a 95 % interval", style="dim"
    )
    if results.outside:
        why = plain("; ".join(outside_reasons(results)))
        count = len(results.outside)
        games = "1 game in the journal does" if count == 1 else f"{count} games in the journal do"
        say(console, f"{games} not count: {why}", "dim")
    if results.champion:
        console.print(f"winner: {plain(results.champion)}", style="bold green")
    show_faults(console, results)


def _show_crosstable(console: Console, results: EventResults) -> None:
    whole = to_table(schema.crosstable(results))
    if console.measure(whole, options=console.options.update(width=10_000)).maximum <= console.width:
        console.print(whole)
        return
    for part in compact_crosstables(results, console.width):
        console.print(part)


def show_faults(console: Console, results: EventResults, most: int = 20) -> None:
    """Each kind of fault of each entrant once: how often, and an example."""
    found: dict[tuple[str, str], list[GameResult]] = {}
    for game in results.games:
        for name in game.at_fault:
            found.setdefault((name, game.record.reason), []).append(game)
    for (name, reason), games in list(found.items())[:most]:
        count = "1 game" if len(games) == 1 else f"{len(games)} games"
        detail = plain(str(games[0].detail or "").removeprefix(f"{name}: "))
        if any(game.overload for game in games):
            detail += f" (overload? {next(game.overload for game in games if game.overload)})"
        said = f"{plain(name)} lost {count} by a fault ({reason}); game {games[0].number}: {detail}"
        say(console, said, "yellow")
    if len(found) > most:
        console.print(f"… and {len(found) - most} more kinds of faults", style="yellow")
    warn_of_overload(console, sum(game.overload is not None for game in results.games))


def warn_of_overload(console: Console, games: int) -> None:
    """Losses on time may be the machine's fault; whoever ran the event should know, and what to do about it."""
    if games:
        lost = "1 game was" if games == 1 else f"{games} games were"
        say(
            console,
            f"warning: {lost} lost on time by a bot that had used less than half of its time on a processor: it slept, "
            "or the machine was overloaded. Use fewer --jobs; --fair plays such games again, once",
            "bold yellow",
        )

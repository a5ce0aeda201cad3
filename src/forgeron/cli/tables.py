"""Results in the terminal: standings, crosstable, and where a match stands."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rich import box
from rich.table import Table

from forgeron.arena.event import at_fault
from forgeron.arena.match import Match, Standing
from forgeron.arena.results import Results, class_ranking
from forgeron.arena.statistics import Estimate

if TYPE_CHECKING:
    from rich.console import Console

    from forgeron.core.game import Game


def plain(text: object) -> str:
    """A text of somebody else as it may be printed: no control characters.

    >>> plain("bot\\x1b[31m")
    'bot?[31m'
    """
    return "".join(character if character.isprintable() else "?" for character in str(text))


def with_error(estimate: Estimate | None) -> str:
    """A value and half its interval.

    >>> with_error(Estimate(12.3, 2.1, 22.5)), with_error(Estimate(math.inf, 140.2, math.inf)), with_error(None)
    ('+12 ± 10', 'above +140', '–')
    >>> with_error(Estimate(-0.3, -10.0, 9.4))
    '+0 ± 10'
    """
    if estimate is None:
        return "–"
    if math.isinf(estimate.value):
        return f"above {estimate.low:+z.0f}" if estimate.value > 0 else f"below {estimate.high:+z.0f}"
    error = "∞" if math.isinf(estimate.error) else f"{estimate.error:.0f}"
    return f"{estimate.value:+z.0f} ± {error}"


def duration(seconds: float | None) -> str:
    """A time as people say it.

    >>> duration(42), duration(150), duration(7300), duration(None)
    ('42 s', '2 min 30 s', '2 h 1 min', '–')
    """
    if seconds is None:
        return "–"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def new_table(*columns: str, title: str | None = None) -> Table:
    """A table whose first column is text and whose others are numbers."""
    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    for i, column in enumerate(columns):
        table.add_column(column, justify="left" if i == 0 else "right", style="cyan" if i == 0 else "", overflow="fold")
    return table


def match_table(match: Match, standing: Standing, left: str) -> Table:
    """Where a match stands."""
    table = new_table("entrant", "points", "won", "drawn", "lost", "crashes", "time losses")
    swapped = (standing.losses, standing.draws, standing.wins)
    for i, counts in enumerate([(standing.wins, standing.draws, standing.losses), swapped]):
        faults = (standing.crashes(i), standing.time_losses(i))
        points = counts[0] + counts[1] / 2
        table.add_row(plain(match.names[i]), f"{points:g}", *map(str, counts), *map(str, faults))
    table.caption = numbers(match, standing) + left
    table.caption_justify = "left"
    table.caption_style = ""
    return table


def numbers(match: Match, standing: Standing) -> str:
    """The statistics of a match in a line."""
    parts = [f"{standing.games} of {match.games} games"]
    if standing.summary.score is not None:
        parts.append(f"score {standing.summary.score.value:.1%}")
    parts += [f"Elo {with_error(standing.summary.elo)}", f"LOS {standing.summary.los:.1%}"]
    if standing.verdict is not None:
        verdict = standing.verdict
        parts.append(f"LLR {verdict.llr:.2f} ({verdict.lower:.2f} … {verdict.upper:.2f})")
    return ", ".join(parts)


def show_results(console: Console, results: Results, game: Game | None) -> None:
    """Everything an event has come to."""
    state = "" if results.due == 0 else "  (not finished)"
    console.print(f"{plain(results.event.title)}: {len(results.games)} games{state}", style="bold", soft_wrap=True)
    table = new_table("", "entrant", "points", "games", "won", "drawn", "lost", "faults", "Elo")
    table.columns[1].justify = "left"
    for row in results.rows:
        counts = [f"{row.points:g}", str(row.games), *map(str, row.score), str(row.faults.total())]
        table.add_row(str(row.place), plain(row.name), *counts, with_error(row.rating))
    console.print(table)
    if len(results.rows) > 2:
        _show_crosstable(console, results)
    _show_classes(console, results, game)
    first = results.ratings.first_move
    console.print(f"moving first: {with_error(first)} Elo; Elo is relative to the mean, ± at 95 %", style="dim")
    if results.champion:
        console.print(f"winner: {plain(results.champion)}", style="bold green")
    _show_faults(console, results)


def _show_crosstable(console: Console, results: Results) -> None:
    names = [row.name for row in results.rows]
    table = new_table("", "entrant", *(str(i) for i in range(1, len(names) + 1)), title="Crosstable")
    table.columns[1].justify = "left"
    for i, name in enumerate(names, 1):
        cells = []
        for other in names:
            score = results.cross.get((name, other))
            met = "·" if name == other else "–"
            cells.append(met if score is None else f"{score.wins + score.draws / 2:g}/{score.games}")
        table.add_row(str(i), plain(name), *cells)
    console.print(table)


def _show_classes(console: Console, results: Results, game: Game | None) -> None:
    ranking = class_ranking(results, game) if game else None
    if ranking is None:
        return
    labels, rows = ranking
    table = new_table("entrant", "mean grade", "games", *labels, title="Ranking by classes of results")
    for row in rows:
        grade = "–" if row.grade is None else f"{row.grade:.3f}"
        table.add_row(plain(row.name), grade, str(row.games), *(str(row.classes[label] or "") for label in labels))
    console.print(table)


def _show_faults(console: Console, results: Results, most: int = 10) -> None:
    bad = [one for one in results.games if at_fault(one.record)]
    for one in bad[:most]:
        detail = plain(one.record.extra.get("detail", ""))
        console.print(f"game {one.number}, {one.record.reason}: {detail}", style="yellow", soft_wrap=True)
    if len(bad) > most:
        console.print(f"… and {len(bad) - most} more games lost by a fault", style="yellow")

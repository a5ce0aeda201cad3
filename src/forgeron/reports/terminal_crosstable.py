"""The crosstable in a terminal: it fits, however many entrants there are.

Where the table of all scores is too wide, cells have points alone, names are cut, and opponents that still find no room
are in a second part below.
"""

from __future__ import annotations

from rich import box
from rich.table import Table

from forgeron.reports.formatting import plain
from forgeron.reports.results import EventResults, StandingsRow

#: Names have at least so many characters, also where it is narrow.
_SHORTEST_NAME = 10


def compact_crosstables(results: EventResults, width: int) -> list[Table]:
    """Tables of points that are no wider than that, the opponents shared out among them."""
    rows = results.rows
    cells = {(row.name, other.name): _cell(results, row, other) for row in rows for other in rows}
    wide = max((len(text) for text in cells.values()), default=1)
    wide = max(wide, len(str(len(rows))))
    place = len(str(len(rows)))
    longest = max((len(plain(row.name)) for row in rows), default=0)
    room = width - place - 4  # edges, and the gaps around the names
    name = max(min(longest, room - len(rows) * (wide + 1)), min(longest, _SHORTEST_NAME))
    many = max((room - name) // (wide + 1), 1)
    parts = [rows[i : i + many] for i in range(0, len(rows), many)]
    return [_part(results, cells, part, name, wide) for part in parts]


def _part(
    results: EventResults,
    cells: dict[tuple[str, str], str],
    others: list[StandingsRow],
    name: int,
    wide: int,
) -> Table:
    title = "Crosstable (points)"
    if len(others) < len(results.rows):
        title += f", against {_span(others)}"
    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False, padding=0)
    table.add_column("", justify="right", no_wrap=True)
    table.add_column("entrant", style="cyan", no_wrap=True, max_width=name, overflow="ellipsis")
    for other in others:
        table.add_column(str(other.place), justify="right", no_wrap=True, min_width=wide)
    for row in results.rows:
        table.add_row(str(row.place), plain(row.name), *(cells[row.name, other.name] for other in others))
    return table


def _span(others: list[StandingsRow]) -> str:
    first, last = others[0].place, others[-1].place
    return str(first) if first == last else f"{first} – {last}"


def _cell(results: EventResults, row: StandingsRow, other: StandingsRow) -> str:
    """The points against an opponent, with ½: `·` against oneself, `–` where the two never met.

    Halves are written so that a cell is as narrow as can be.
    """
    if row.name == other.name:
        return "·"
    score = results.cross.get((row.name, other.name))
    if score is None:
        return "–"
    whole, half = divmod(score.points, 1)
    return f"{int(whole) or ''}½" if half else str(int(whole))

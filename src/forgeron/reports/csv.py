"""Results as comma-separated values, for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Any

from forgeron.reports import schema
from forgeron.reports.formatting import points
from forgeron.reports.result_table import Column, Kind, Output, ResultTable, Row
from forgeron.reports.results import EventResults

#: How a text begins that a spreadsheet takes for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def standings_csv(results: EventResults) -> str:
    """A line an entrant: the standings, and the points against each of the others."""
    return to_csv(schema.standings_with_crosstable(results))


def games_csv(results: EventResults) -> str:
    """A line a game."""
    return to_csv(schema.games(results))


def to_csv(table: ResultTable[Row]) -> str:
    """A line of names, then a line for each row."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([_text(name) for column in table.columns_for(Output.CSV) for name in _names(column)])
    for _, cells in table.cells(Output.CSV):
        writer.writerow([cell for column, value in cells for cell in _cells(column, value)])
    return out.getvalue()


def _names(column: Column[Row]) -> list[str]:
    """An estimate is three columns, anything else is one."""
    estimate = [column.name, f"{column.name}_low", f"{column.name}_high"]
    return estimate if column.kind is Kind.ESTIMATE else [column.name]


def _cells(column: Column[Row], value: Any) -> list[str]:
    if value is None:
        return [""] * len(_names(column))
    if column.kind is Kind.ESTIMATE:
        return [_number(round(one, 1)) for one in (value.value, value.low, value.high)]
    return [_FORMATS[column.kind](value)]


def _text(text: object) -> str:
    """A text that a spreadsheet would take for a formula is marked as a text: names and details come from bots."""
    shown = str(text)
    return f"'{shown}" if shown.startswith(_FORMULA) else shown


def _number(value: float) -> str:
    # What rounds to 0 has no sign.
    return f"{value + 0.0:.12g}"


_FORMATS: dict[Kind, Callable[[Any], str]] = {
    Kind.TEXT: _text,
    Kind.INTEGER: str,
    Kind.POINTS: points,
    Kind.NUMBER: _number,
    Kind.SHARE: _number,
    Kind.VERDICT: lambda verdict: _number(verdict.llr),
    Kind.TALLY: lambda counter: str(counter.total()),
    Kind.COUNTS: lambda counts: " ".join(map(str, counts)),
    Kind.NAMES: lambda names: _text(", ".join(names)),
    Kind.MOVES: lambda moves: _text(" ".join(moves)),
    Kind.SCORE: lambda score: points(score.points) if score.games else "",
}

"""The values of a results table as plain text, formatted by their kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from forgeron.reports.formatting import plain, points, with_error
from forgeron.reports.result_table import Column, Kind, Row


def cell_text(column: Column[Row], value: Any) -> str:
    """A value as people read it."""
    if value is None:
        return column.missing
    if column.kind is Kind.NUMBER and column.decimals is not None:
        return f"{value:.{column.decimals}f}"
    return _FORMATS[column.kind](value)


_FORMATS: dict[Kind, Callable[[Any], str]] = {
    Kind.TEXT: plain,
    Kind.INTEGER: str,
    Kind.POINTS: points,
    Kind.NUMBER: "{:g}".format,
    Kind.SHARE: "{:.1%}".format,
    Kind.ESTIMATE: with_error,
    Kind.VERDICT: lambda verdict: f"{verdict.llr:.2f} ({verdict.lower:.2f} … {verdict.upper:.2f})",
    Kind.TALLY: lambda counter: str(counter.total()),
    Kind.COUNTS: lambda counts: str(list(counts)),
    Kind.NAMES: lambda names: plain(", ".join(names)),
    Kind.MOVES: lambda moves: plain(" ".join(moves)),
    Kind.SCORE: lambda score: f"{points(score.points)}/{score.games}" if score.games else "·",
}

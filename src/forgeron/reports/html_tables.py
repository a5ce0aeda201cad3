"""A table of results as HTML: a fragment for any page.

Texts come from bots, so every one of them is escaped here: nothing that a table shows can become markup.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from typing import Any

from forgeron.reports.formatting import points, with_error
from forgeron.reports.result_table import Column, Kind, Output, ResultTable, Row
from forgeron.stats.elo import Estimate, Trinomial


def to_table(
    table: ResultTable[Row],
    *,
    css: str = "",
    plot: Callable[[Row], str] | None = None,
    foot: str = "",
    links: Mapping[str, Callable[[Row], str]] | None = None,
) -> str:
    """The table as an element; `plot` adds a last cell to each row, `foot` comes below.

    `links` gives the cells of a column, by its name, an address; "" for none.
    """
    heads = "".join(_head(column) for column in table.columns_for(Output.HTML))
    heads += '<th class="plotted"></th>' if plot else ""
    lines = []
    for row, cells in table.cells(Output.HTML):
        shown = "".join(_cell(column, value, _address(column, row, links)) for column, value in cells)
        lines.append(f"<tr>{shown}{plot(row) if plot else ''}</tr>")
    kind = f' class="{css}"' if css else ""
    return f"<table{kind}><thead><tr>{heads}</tr></thead><tbody>{''.join(lines)}</tbody>{foot}</table>"


def cell_html(column: Column[Row], value: Any) -> str:
    """What stands in a cell."""
    if value is None:
        return html.escape(column.missing)
    if column.kind is Kind.NUMBER and column.decimals is not None:
        shown = f"{value:.{column.decimals}f}"
    else:
        shown = _FORMATS[column.kind](value)
    return f"<b>{shown}</b>" if column.strong else shown


def _head(column: Column[Row]) -> str:
    attributes = ' scope="col"' if column.label else ""
    attributes += ' class="wide"' if column.detail else ""
    attributes += f' title="{html.escape(column.description)}"' if column.description else ""
    return f"<th{attributes}>{html.escape(column.shown_heading)}</th>"


def _address(column: Column[Row], row: Row, links: Mapping[str, Callable[[Row], str]] | None) -> str:
    return links[column.name](row) if links and column.name in links else ""


def _cell(column: Column[Row], value: Any, address: str = "") -> str:
    shown = cell_html(column, value)
    if address:
        shown = f'<a href="{html.escape(address)}">{shown}</a>'
    if column.label:
        return f'<th scope="row">{shown}</th>'
    if column.kind is Kind.SCORE:
        return f"<td{_shade(value)}>{shown}</td>"
    css = "wide" if column.detail else "elo" if column.kind is Kind.ESTIMATE else ""
    return f'<td class="{css}">{shown}</td>' if css else f"<td>{shown}</td>"


def _shade(score: Trinomial | None) -> str:
    """The colour of a cell of the crosstable: blue for who leads, orange for who does not."""
    if score is None:
        return ""
    if not score.games:
        return ' class="own"'
    lead = score.points / score.games - 0.5
    colour = "0,114,178" if lead > 0 else "213,94,0"
    return f' style="background:rgba({colour},{abs(lead) * 1.1:.2f})"' if lead else ""


def _score(score: Trinomial) -> str:
    if not score.games:
        return ""
    return f"<b>{points(score.points)}</b><small>{score.wins}·{score.draws}·{score.losses}</small>"


def _estimate(estimate: Estimate) -> str:
    value, plus_minus, error = with_error(estimate).partition(" ± ")
    return f"{value} <small>± {error}</small>" if plus_minus else value


_FORMATS: dict[Kind, Callable[[Any], str]] = {
    Kind.TEXT: lambda text: html.escape(str(text)),
    Kind.INTEGER: str,
    Kind.POINTS: points,
    Kind.NUMBER: "{:g}".format,
    Kind.SHARE: "{:.1%}".format,
    Kind.ESTIMATE: _estimate,
    Kind.VERDICT: lambda one: f"{one.llr:.2f} of {one.lower:.2f} … {one.upper:.2f}: {one.decision}",
    Kind.TALLY: lambda counter: f'<b class="fault">{counter.total()}</b>' if counter else "0",
    Kind.COUNTS: lambda counts: str(list(counts)),
    Kind.NAMES: lambda names: html.escape(", ".join(names)),
    Kind.MOVES: lambda moves: html.escape(" ".join(moves)),
    Kind.SCORE: _score,
}

"""Results as JSON: everything, for other programs."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

from forgeron.core.game import Game
from forgeron.reports import schema
from forgeron.reports.result_table import Column, Kind, Output, ResultTable, Row
from forgeron.reports.results import EventResults
from forgeron.stats.elo import Estimate


def to_json(results: EventResults, game: Game | None = None) -> str:
    return json.dumps(to_data(results, game), ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def to_data(results: EventResults, game: Game | None = None) -> dict[str, Any]:
    """Everything as JSON-ready data; with the game, also a ranking by classes where it has one."""
    match, classes = schema.match(results), schema.classes(results, game)
    names = [row.name for row in results.rows]
    data = {
        "title": results.event.title,
        "finished": results.due == 0,
        "settings": results.event.settings(),
        "standings": rows_of(schema.standings(results)),
        "crosstable": {
            name: {other: list(results.cross[name, other]) for other in names if (name, other) in results.cross}
            for name in names
        },
        "first_move_elo": _estimate(results.ratings.first_move),
        "match": rows_of(match)[0] if match else None,
        "games": rows_of(schema.games(results)),
        "outside": [
            {"id": id, "players": list(one.players), "reason": one.reason} for id, one in results.outside.items()
        ],
    }
    if classes is not None:
        data["classes"] = rows_of(classes)
    return data


def rows_of(table: ResultTable[Row]) -> list[dict[str, Any]]:
    """The rows of a table, each as an object."""
    return [{column.name: _value(column, value) for column, value in cells} for _, cells in table.cells(Output.JSON)]


def _value(column: Column[Row], value: Any) -> Any:
    if value is None:
        return None
    convert = _FORMATS.get(column.kind, lambda same: same)
    return [None if one is None else convert(one) for one in value] if column.parts else convert(value)


def _estimate(estimate: Estimate) -> dict[str, float | None]:
    parts = {"value": estimate.value, "low": estimate.low, "high": estimate.high}
    return {name: None if number is None else round(number, 3) for name, number in _finite(parts).items()}


def _finite(numbers: dict[str, float]) -> dict[str, float | None]:
    """JSON has no infinity: a bound that is not there is null."""
    return {name: number if math.isfinite(number) else None for name, number in numbers.items()}


#: Kinds whose values are not JSON as they are.
_FORMATS: dict[Kind, Callable[[Any], Any]] = {
    Kind.ESTIMATE: _estimate,
    Kind.VERDICT: lambda verdict: verdict.llr,
    Kind.TALLY: dict,
    Kind.COUNTS: list,
    Kind.NAMES: list,
    Kind.MOVES: list,
    Kind.SCORE: list,
}

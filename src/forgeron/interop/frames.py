"""Results as pandas frames (extra ``notebook``).

>>> import forgeron
>>> from forgeron.interop.frames import frame  # doctest: +SKIP
>>> frame(forgeron.match("yolah", "greedy", "random", games=4, time="20n"))  # a row a game  # doctest: +SKIP
"""

from __future__ import annotations

from typing import Any

import forgeron
from forgeron.core.errors import OptionError
from forgeron.core.record import Record
from forgeron.interop.extras import needed
from forgeron.players.base import Choice
from forgeron.reports import schema
from forgeron.reports.result_table import Kind, Output, ResultTable
from forgeron.reports.results import EventResults


def frame(thing: Any) -> Any:
    """A match, a choice or a record as a frame: a row for each game, line or move. The standings of an event."""
    pandas = needed("pandas", "notebook")
    if isinstance(thing, EventResults):
        return pandas.DataFrame(_rows(schema.standings(thing)))
    if isinstance(thing, forgeron.MatchResult):
        return pandas.DataFrame([_game(number, record) for number, record in enumerate(thing.records, 1)])
    if isinstance(thing, Choice):
        lines = thing.lines or ()
        return pandas.DataFrame(
            [
                {
                    "move": line.moves[0],
                    "value": line.value,
                    "nodes": line.nodes,
                    "proven": line.proven,
                    "line": " ".join(line.moves),
                }
                for line in lines
            ]
            or [
                {
                    "move": thing.move,
                    "value": thing.value,
                    "nodes": thing.nodes,
                    "proven": thing.proven,
                    "line": " ".join(thing.line),
                }
            ]
        )
    if isinstance(thing, Record):
        return pandas.DataFrame({"ply": range(1, len(thing.moves) + 1), "move": thing.moves})
    raise OptionError(
        f"there is no frame of a {type(thing).__name__}: of a match, an event, a choice or a record there is"
    )


def games_frame(results: EventResults) -> Any:
    """The games of an event, a row each, with every column that a program may want."""
    return needed("pandas", "notebook").DataFrame(_rows(schema.games(results)))


def _game(number: int, record: Record) -> dict[str, Any]:
    winner = None if record.winner is None else record.players[record.winner]
    return {
        "game": number,
        "first": record.players[0],
        "second": record.players[1],
        "winner": winner,
        "score_first": record.scores[0],
        "score_second": record.scores[1],
        "reason": record.reason,
        "plies": len(record.moves),
    }


def _rows(table: ResultTable[Any]) -> list[dict[str, Any]]:
    found = []
    for _, cells in table.cells(Output.CSV):
        row: dict[str, Any] = {}
        for column, value in cells:
            if column.kind is Kind.ESTIMATE:
                for part in ("value", "low", "high"):
                    name = column.name if part == "value" else f"{column.name}_{part}"
                    row[name] = None if value is None else getattr(value, part)
            elif column.kind is Kind.TALLY:
                row[column.name] = value.total()
            elif column.kind in (Kind.NAMES, Kind.MOVES, Kind.COUNTS):
                row[column.name] = " ".join(map(str, value or ()))
            elif column.kind is Kind.SCORE:
                row[column.name] = None if value is None else value.points
            elif column.kind is Kind.VERDICT:
                row[column.name] = None if value is None else value.llr
            else:
                row[column.name] = value
        found.append(row)
    return found

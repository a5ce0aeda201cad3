"""Results as data for other programs: JSON with everything, CSV for spreadsheets."""

from __future__ import annotations

import csv
import io
import json
import math
from pathlib import Path
from typing import Any

from forgeron.arena.event import at_fault, points
from forgeron.arena.match import Match, Tally
from forgeron.arena.results import Results, class_ranking
from forgeron.arena.statistics import Estimate
from forgeron.core.errors import ForgeronError
from forgeron.core.game import Game


def to_data(results: Results, game: Game | None = None) -> dict[str, Any]:
    """Everything as JSON-ready data; with the game, also a ranking by classes where it has one."""
    entrants = {row.name: row for row in results.rows}
    data = {
        "title": results.event.title,
        "finished": results.due == 0,
        "settings": results.event.settings(),
        "standings": [
            {
                "place": row.place,
                "name": row.name,
                "points": row.points,
                "games": row.games,
                "wins": row.score.wins,
                "draws": row.score.draws,
                "losses": row.score.losses,
                "elo": _interval(row.rating),
                "faults": dict(row.faults),
            }
            for row in results.rows
        ],
        "crosstable": {
            name: {other: list(results.cross[name, other]) for other in entrants if (name, other) in results.cross}
            for name in entrants
        },
        "first_move_elo": _interval(results.ratings.first_move),
        "match": _match(results),
        "games": [
            {
                "number": one.number,
                "id": one.id,
                "round": one.round,
                "players": list(one.names),
                "points": [points(one.record, 0), points(one.record, 1)],
                "scores": list(one.record.scores),
                "reason": one.record.reason,
                "detail": one.record.extra.get("detail"),
                "at_fault": [one.names[seat] for seat in at_fault(one.record)],
                "moves": list(one.record.moves),
            }
            for one in results.games
        ],
    }
    ranking = class_ranking(results, game) if game else None
    if ranking:
        data["classes"] = [
            {"name": row.name, "games": row.games, "grade": row.grade, "classes": dict(row.classes)}
            for row in ranking[1]
        ]
    return data


def to_json(results: Results, game: Game | None = None) -> str:
    return json.dumps(to_data(results, game), ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def standings_csv(results: Results) -> str:
    """A line an entrant: place, points, rating, and the points against each of the others."""
    names = [row.name for row in results.rows]
    head = ["place", "name", "points", "games", "wins", "draws", "losses", "elo", "elo_low", "elo_high", "faults"]
    lines: list[list[Any]] = [[*head, *(f"against {name}" for name in names)]]
    for row in results.rows:
        elo = [round(value, 1) for value in (row.rating.value, row.rating.low, row.rating.high)]
        against = [results.cross.get((row.name, other)) for other in names]
        met = ["" if one is None else one.wins + one.draws / 2 for one in against]
        lines.append([row.place, row.name, row.points, row.games, *row.score, *elo, row.faults.total(), *met])
    return _csv(lines)


def games_csv(results: Results) -> str:
    """A line a game."""
    head = ["number", "round", "first", "second", "points_first", "points_second", "score_first", "score_second"]
    lines: list[list[Any]] = [[*head, "reason", "detail", "plies", "moves"]]
    for one in results.games:
        record = one.record
        ends = [points(record, 0), points(record, 1), *record.scores, record.reason, record.extra.get("detail", "")]
        lines.append([one.number, one.round, *one.names, *ends, len(record.moves), " ".join(record.moves)])
    return _csv(lines)


def write(path: Path, text: str) -> None:
    """Write a report, all of it or nothing."""
    draft = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)
    except OSError as error:
        raise ForgeronError(f"cannot write {path}: {error.strerror or error}") from None


def _match(results: Results) -> dict[str, Any] | None:
    """What only a match of two has: its pairs and the test."""
    if not isinstance(results.event, Match):
        return None
    standing = Tally(results.event).update({one.id: one.record for one in results.games})
    summary, verdict = standing.summary, standing.verdict
    return {
        "pentanomial": list(standing.results),
        "elo": summary.elo and _interval(summary.elo),
        "nelo": summary.nelo and _interval(summary.nelo),
        "los": summary.los,
        "llr": verdict and verdict.llr,
        "decision": verdict and verdict.decision,
    }


def _interval(estimate: Estimate) -> dict[str, float | None]:
    """JSON has no infinity: a bound that is not there is null."""
    parts = {"value": estimate.value, "low": estimate.low, "high": estimate.high}
    return {name: round(value, 3) if math.isfinite(value) else None for name, value in parts.items()}


def _csv(lines: list[list[Any]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([[_cell(value) for value in line] for line in lines])
    return out.getvalue()


def _cell(value: Any) -> Any:
    """A text that a spreadsheet would take for a formula is marked as a text: names and details come from bots."""
    if isinstance(value, str) and value.startswith(("=", "+", "-", "@")):
        return "'" + value
    return f"{value:g}" if isinstance(value, float) else value

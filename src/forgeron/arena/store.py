"""The games of a journal as an SQLite database, for questions nobody thought of.

The database is an index: it is built from the journal whenever it is wanted, and holds nothing of its own.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from forgeron.arena.event import at_fault, points
from forgeron.arena.results import Played, Results
from forgeron.core.errors import ForgeronError

SCHEMA = """
CREATE TABLE entrants (
    name TEXT PRIMARY KEY, player TEXT, command TEXT, protocol TEXT, options TEXT,
    place INTEGER, points REAL, games INTEGER, wins INTEGER, draws INTEGER, losses INTEGER,
    elo REAL, elo_low REAL, elo_high REAL
);
CREATE TABLE games (
    id TEXT PRIMARY KEY, number INTEGER, round INTEGER,
    first TEXT REFERENCES entrants(name), second TEXT REFERENCES entrants(name),
    winner TEXT REFERENCES entrants(name),     -- NULL: a draw
    points_first REAL, points_second REAL, score_first INTEGER, score_second INTEGER,
    reason TEXT, detail TEXT, at_fault TEXT,   -- at_fault: whose own fault ended the game, if anybody's
    plies INTEGER, seed INTEGER, seconds REAL, cpu_seconds REAL
);
CREATE TABLE moves (
    game TEXT REFERENCES games(id), ply INTEGER, token TEXT,
    seconds REAL, cpu_seconds REAL, value REAL, depth INTEGER, nodes INTEGER,  -- NULL in openings and throws
    PRIMARY KEY (game, ply)
);
CREATE INDEX games_by_reason ON games(reason);
"""


def build(results: Results, target: Path | None = None) -> sqlite3.Connection:
    """A new database of these results: in memory, or in a file that replaces an older one when it is complete."""
    if target is None:
        return _filled(sqlite3.connect(":memory:"), results)
    draft = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        draft.unlink(missing_ok=True)
        _filled(sqlite3.connect(draft), results).close()
        draft.replace(target)
    except (OSError, sqlite3.OperationalError) as error:
        draft.unlink(missing_ok=True)
        raise ForgeronError(f"cannot write {target}: {getattr(error, 'strerror', None) or error}") from None
    return sqlite3.connect(target)


def ask(results: Results, question: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    """The answer to a question in SQL: names of columns, and rows."""
    with build(results) as database:
        database.execute("PRAGMA query_only = ON")
        try:
            cursor = database.execute(question)
            names = [column[0] for column in cursor.description or ()]
            return names, cursor.fetchall()
        except (sqlite3.Error, sqlite3.Warning) as error:
            raise ForgeronError(f"the question cannot be answered: {error}; tables: entrants, games, moves") from None


def _filled(database: sqlite3.Connection, results: Results) -> sqlite3.Connection:
    with database:
        database.executescript(SCHEMA)
        database.executemany(f"INSERT INTO entrants VALUES ({_marks(14)})", _entrants(results))
        database.executemany(f"INSERT INTO games VALUES ({_marks(17)})", map(_game, results.games))
        moves = (move for game in results.games for move in _moves(game))
        database.executemany(f"INSERT INTO moves VALUES ({_marks(8)})", moves)
    return database


def _marks(count: int) -> str:
    return ", ".join("?" * count)


def _entrants(results: Results) -> Iterator[tuple[Any, ...]]:
    entrants = {entrant.name: entrant for entrant in results.event.entrants}
    for row in results.rows:
        one = entrants[row.name]
        who = (row.name, one.player, " ".join(one.command) or None, one.protocol, json.dumps(dict(one.options)))
        elo = row.rating
        yield (*who, row.place, row.points, row.games, *row.score, elo.value, elo.low, elo.high)


def _game(game: Played) -> tuple[Any, ...]:
    record = game.record
    winner = None if record.winner is None else record.players[record.winner]
    notes = _notes(game)
    return (
        game.id,
        game.number,
        game.round,
        *record.players,
        winner,
        points(record, 0),
        points(record, 1),
        *record.scores,
        record.reason,
        record.extra.get("detail"),
        ", ".join(record.players[seat] for seat in at_fault(record)) or None,
        len(record.moves),
        record.seed,
        sum(note.get("t", 0.0) for note in notes.values()),
        sum(note.get("cpu", 0.0) for note in notes.values()),
    )


def _moves(game: Played) -> Iterator[tuple[Any, ...]]:
    notes = _notes(game)
    for ply, token in enumerate(game.record.moves):
        note = notes.get(ply, {})
        yield (game.id, ply, token, *(note.get(key) for key in ("t", "cpu", "v", "d", "n")))


def _notes(game: Played) -> dict[int, dict[str, Any]]:
    """What is known about each move, by its ply."""
    return {note["ply"]: note for note in game.record.extra.get("notes", [])}

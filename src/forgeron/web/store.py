"""The games of a server on disk: SQLite in the user's data folder, written before anybody is told of a move."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from forgeron.core.errors import ForgeronError
from forgeron.core.json_text import read_json

_SCHEMA = """
CREATE TABLE IF NOT EXISTS games (
    id TEXT PRIMARY KEY,
    updated REAL NOT NULL,
    finished INTEGER NOT NULL,
    data TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS games_by_time ON games (finished, updated DESC);
"""


class Store:
    """Games by id, each as JSON data."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(path)
            # A write is in the file when `put` returns, and survives the end of the process at any moment.
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = NORMAL")
            self._database.executescript(_SCHEMA)
        except (OSError, sqlite3.Error) as error:
            raise ForgeronError(f"cannot keep games in {path}: {error}") from None

    def put(self, name: str, data: dict[str, Any], *, finished: bool) -> None:
        """Keep a game, in place of what was kept of it."""
        with _or_refuse("kept"), self._database:
            self._database.execute(
                "INSERT INTO games VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET "
                "updated = excluded.updated, finished = excluded.finished, data = excluded.data",
                (name, self._clock(), finished, json.dumps(data)),
            )

    def get(self, name: str) -> dict[str, Any] | None:
        """The game of this id; None when there is none."""
        with _or_refuse("read"):
            row = self._database.execute("SELECT data FROM games WHERE id = ?", (name,)).fetchone()
            return None if row is None else _game(row[0])

    def unfinished(self) -> list[str]:
        """The ids of the games that go on, the latest first."""
        with _or_refuse("read"):
            rows = self._database.execute("SELECT id FROM games WHERE NOT finished ORDER BY updated DESC")
            return [row[0] for row in rows]

    def recent(self, limit: int = 50) -> list[dict[str, Any]]:
        """The games that were changed last, but for those that cannot be read."""
        found = []
        with _or_refuse("read"):
            rows = self._database.execute("SELECT id, updated, data FROM games ORDER BY updated DESC LIMIT ?", (limit,))
            for name, updated, data in rows:
                with contextlib.suppress(ValueError):
                    found.append({"id": name, "updated": updated, **_game(data)})
        return found

    def close(self) -> None:
        self._database.close()


@contextlib.contextmanager
def _or_refuse(what: str) -> Iterator[None]:
    """A disk that is full or a file that is damaged is told to whoever asked, and nothing else stops."""
    try:
        yield
    except (sqlite3.Error, ValueError) as error:
        raise ForgeronError(f"the game cannot be {what}: {error}") from None


def _game(text: str) -> dict[str, Any]:
    data = read_json(text)
    if not isinstance(data, dict):
        raise ValueError("its data are not those of a game")
    return data

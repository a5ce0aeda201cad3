"""Small events of players that are quick and, by a limit of nodes, repeatable."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from forgeron.arena.entrant import Entrant
from forgeron.arena.event import Terms
from forgeron.arena.executor import in_this_process
from forgeron.arena.journal import Journal
from forgeron.arena.match import Match, play_match
from forgeron.arena.tournament import Tournament, play_tournament
from forgeron.core.record import Record
from forgeron.reports.results import Event

CONNECT_FOUR = str(Path(__file__).parent.parent / "examples" / "game_connect_four.py")
PLAYERS = {"ann": "random", "bob": "greedy", "cid": "monte-carlo", "dan": "random", "eve": "greedy", "fay": "random"}


def without_times(records: Mapping[str, Record]) -> dict[str, Record]:
    """What must be the same whenever a game is played."""
    plain = {}
    for id, record in records.items():
        notes = [
            {key: value for key, value in note.items() if key not in ("t", "cpu")} for note in record.extra["notes"]
        ]
        plain[id] = replace(record, extra={**record.extra, "notes": notes})
    return plain


@pytest.fixture
def timeless() -> Callable[[Mapping[str, Record]], dict[str, Record]]:
    return without_times


@pytest.fixture
def make_match() -> Callable[..., Match]:
    def make(first: str = "greedy", second: str = "random", games: int = 8, **more: Any) -> Match:
        terms = Terms.settle(more.pop("game", CONNECT_FOUR), time="20n", seed=more.pop("seed", 1))
        return Match(terms, (Entrant(first, first), Entrant(second, second)), games, **more)

    return make


@pytest.fixture
def make_tournament() -> Callable[..., Tournament]:
    def make(entrants: int = 4, **more: Any) -> Tournament:
        terms = Terms.settle(more.pop("game", CONNECT_FOUR), time="20n", seed=more.pop("seed", 1))
        chosen = [Entrant(name, player) for name, player in list(PLAYERS.items())[:entrants]]
        return Tournament("cup", terms, tuple(more.pop("players", chosen)), **more)

    return make


@pytest.fixture
def run_event(tmp_path: Path) -> Callable[..., dict[str, Record]]:
    """Play an event in this process to its end, or until so many games are in the journal."""

    def run(event: Event, name: str = "event.journal", games: int | None = None) -> dict[str, Record]:
        with Journal(tmp_path / name, event.settings()) as journal:
            if isinstance(event, Match):
                course: Any = play_match(event, journal, in_this_process)
            else:
                course = play_tournament(event, journal, in_this_process)
            for _ in course:
                if games is not None and len(journal.records) >= games:
                    course.close()
                    break
            return dict(journal.records)

    return run

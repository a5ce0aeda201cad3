"""The database holds what the journal holds, and only answers."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from forgeron.core.errors import ForgeronError
from forgeron.core.record import Record
from forgeron.reports.results import EventResults, results_of
from forgeron.reports.sqlite import ask, build


@pytest.fixture
def results(make_tournament: Callable[..., Any], run_event: Callable[..., dict[str, Record]]) -> EventResults:
    event = make_tournament(3)
    return results_of(event, run_event(event))


def test_every_game_and_every_move_is_there(results: EventResults) -> None:
    _, rows = ask(results, "SELECT first, second, winner, plies, reason FROM games ORDER BY number")
    expected = [
        (*game.names, None if game.record.winner is None else game.names[game.record.winner], len(game.record.moves),
         game.record.reason)
        for game in results.games
    ]  # fmt: skip
    assert rows == expected
    _, moves = ask(results, "SELECT game, ply, token FROM moves")
    wanted = {(game.id, ply, move) for game in results.games for ply, move in enumerate(game.record.moves)}
    assert set(moves) == wanted
    assert len(moves) == len(wanted)


def test_openings_have_no_thinking_time_and_moves_have(results: EventResults) -> None:
    names, rows = ask(results, "SELECT sum(seconds IS NULL) AS opening, sum(seconds IS NOT NULL) AS thought FROM moves")
    assert names == ["opening", "thought"]
    notes = sum(len(game.record.extra["notes"]) for game in results.games)
    assert rows == [(4 * len(results.games), notes)]


def test_standings_can_be_asked_for(results: EventResults) -> None:
    _, rows = ask(results, "SELECT name, points, wins, draws, losses FROM entrants ORDER BY place")
    assert rows == [(row.name, row.points, *row.score) for row in results.rows]


def test_a_question_cannot_change_anything_and_a_wrong_one_is_explained(results: EventResults) -> None:
    with pytest.raises(ForgeronError, match="readonly"):
        ask(results, "DELETE FROM games")
    with pytest.raises(
        ForgeronError, match=r"no such column: winer; did you mean 'winner'\? columns of games: id, number"
    ):
        ask(results, "SELECT winer FROM games")


def test_a_database_is_rebuilt_in_place_of_an_older_one(results: EventResults, tmp_path: Path) -> None:
    target = tmp_path / "games.db"
    for _ in range(2):
        build(results, target).close()
        with closing(sqlite3.connect(target)) as database:
            assert database.execute("SELECT count(*) FROM games").fetchone() == (len(results.games),)
    assert [file.name for file in tmp_path.glob("games.db*")] == ["games.db"]
    with pytest.raises(ForgeronError, match="cannot write"):
        build(results, tmp_path / "missing" / "games.db")

"""Results: what counting by hand gives, in the order that the format calls for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import forgeron
from forgeron.arena.entrant import Entrant
from forgeron.arena.match import Match
from forgeron.arena.tournament import Tournament
from forgeron.core.errors import ForgeronError
from forgeron.core.record import Record
from forgeron.reports.results import class_ranking, event_of, outside_reasons, read_results, results_of
from forgeron.stats.elo import Trinomial
from forgeron.stats.ratings import rate

Make = Callable[..., Any]
Run = Callable[..., dict[str, Record]]


def fill(event: Tournament, *ends: tuple[str, int | None, str]) -> dict[str, Record]:
    """Games of the schedule with the ends given: "first-second", who won by seat, and why."""
    wanted = {key: (winner, reason) for key, winner, reason in ends}
    records = {}
    for game in event.progress({}).due:
        winner, reason = wanted.get("-".join(game.seats), (None, "draw"))
        records[game.id] = Record("connect-four", {}, 1, "", players=game.seats, winner=winner, reason=reason)
    return records


def test_standings_and_crosstable_of_a_small_round_robin(make_tournament: Make) -> None:
    event = make_tournament(3)
    records = fill(event, ("ann-bob", 0, "win"), ("bob-ann", 1, "win"), ("ann-cid", 1, "win"), ("bob-cid", 1, "time"))
    results = results_of(event, records)
    assert [(row.place, row.name, row.points, tuple(row.score)) for row in results.rows] == [
        (1, "cid", 3.0, (2, 2, 0)),
        (2, "ann", 2.5, (2, 1, 1)),
        (3, "bob", 0.5, (0, 1, 3)),
    ]
    assert results.cross["ann", "bob"] == Trinomial(2, 0, 0)
    assert results.cross["bob", "ann"] == Trinomial(0, 0, 2)
    assert results.cross["ann", "cid"] == Trinomial(0, 1, 1)
    assert {row.name: dict(row.faults) for row in results.rows} == {"ann": {}, "bob": {"time": 1}, "cid": {}}
    assert results.due == 0
    course = results.progress("bob")
    assert (len(course), course[0], course[-1]) == (5, 0, -1.5)


def test_ratings_are_those_of_all_games_with_their_seats(make_tournament: Make, run_event: Run) -> None:
    event = make_tournament(4, pairs=2)
    records = run_event(event)
    points = {0: 1.0, None: 0.5, 1: 0.0}
    expected = rate([(*record.players, points[record.winner]) for record in records.values()])
    results = results_of(event, records)
    for row in results.rows:
        assert row.rating.value == pytest.approx(expected.elo[row.name], abs=1e-6)
    assert results.ratings.first_move.value == pytest.approx(expected.first_move.value, abs=1e-6)


def test_when_neither_bot_starts_both_are_at_fault_and_the_points_are_shared(make_tournament: Make) -> None:
    event = make_tournament(2)
    results = results_of(event, fill(event, ("ann-bob", None, "startup"), ("bob-ann", 0, "win")))
    assert {row.name: (row.points, row.faults["startup"]) for row in results.rows} == {"ann": (0.5, 1), "bob": (1.5, 1)}


def test_an_event_that_has_not_begun_has_results_too(make_tournament: Make, make_match: Make) -> None:
    for event in (make_tournament(3), make_tournament(3, format="swiss"), make_match()):
        results = results_of(event, {})
        assert results.games == []
        assert results.due > 0
        assert all(row.points in (0, 2) for row in results.rows)


def test_the_journal_alone_gives_the_results(make_tournament: Make, run_event: Run, tmp_path: Path) -> None:
    event = make_tournament(3, format="swiss")
    records = run_event(event, "cup.journal")
    found = read_results(tmp_path / "cup.journal")
    assert found.rows == results_of(event, records).rows
    assert found.games == results_of(event, records).games
    assert found.due == 0


def test_a_game_file_is_found_from_where_the_journal_lies(tmp_path: Path, make_match: Make) -> None:
    settings = {**make_match().settings(), "game": "games/mine.py"}
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "mine.py").write_text("")
    found = event_of(settings, tmp_path / "matches" / "x.journal")
    assert isinstance(found, Match)
    assert found.terms.path == str(tmp_path / "games" / "mine.py")


def test_a_journal_of_something_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ForgeronError, match="is the journal of a 'party'; known: match, tournament"):
        event_of({"kind": "party"}, tmp_path / "x.journal")


def test_yinsh_is_ranked_by_classes_and_grades(make_tournament: Make, run_event: Run) -> None:
    players = (Entrant("ann", "random"), Entrant("bob", "greedy"), Entrant("bad", command=("/bin/false",)))
    event = make_tournament(game="yinsh", players=players)
    records = run_event(event)
    game = forgeron.game("yinsh")
    ranking = class_ranking(results_of(event, records), game)
    assert ranking is not None
    labels, rows = ranking
    by_name = {row.name: row for row in rows}
    # As the course has it: who is at fault before it has removed a ring has lost by 0 - 3, and the other has won 3 - 0.
    assert by_name["bad"].games == 4
    assert by_name["bad"].grade == 0
    assert by_name["bad"].classes == {"loss -3": 4}
    assert rows[-1].name == "bad"
    for name in ("ann", "bob"):
        grades = []
        for record in records.values():
            if name in record.players and "bad" not in record.players:
                end = record.positions(game)[-1]
                grades.append(game.course_score(end, record.players.index(name)))  # type: ignore[attr-defined]
        assert by_name[name].grade == pytest.approx((sum(grades) + 10 + 10) / 4)
        assert by_name[name].classes.total() == by_name[name].games == 4
        assert by_name[name].classes["win +3"] >= 2
    assert all(label.split()[0] in ("win", "stalemate", "draw", "loss") for label in labels)


def test_a_game_without_classes_has_no_such_ranking(make_tournament: Make, run_event: Run) -> None:
    event = make_tournament(2)
    assert class_ranking(results_of(event, run_event(event)), event.terms.open_game()) is None


def test_games_of_a_match_behind_a_gap_are_named(make_match: Make, run_event: Run) -> None:
    """A journal that was repaired may lack a game: pairs count in their order, so that no test is stopped by luck."""
    event = make_match(games=4)
    records = run_event(event)
    first = next(iter(records))
    results = results_of(event, {id: record for id, record in records.items() if id != first})
    assert (len(results.games), results.due, len(results.outside)) == (0, 1, 3)
    assert outside_reasons(results) == ["3 that counts once the games before it are played: run the match again"]

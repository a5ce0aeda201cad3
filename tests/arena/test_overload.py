"""Losses on time with little processor time: noted by the referee, marked in every table, played again once."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

import forgeron
from forgeron.arena.entrant import Entrant
from forgeron.arena.event import Terms
from forgeron.arena.executor import GameStream
from forgeron.arena.fair_play import fairly, replay_overloaded
from forgeron.arena.journal import Journal, read
from forgeron.arena.match import Match, PairCounter, play_match
from forgeron.arena.overload import Overload, may_be_replayed, note_overload, overload_of
from forgeron.arena.referee import Referee
from forgeron.arena.task import GameRunner, GameTask
from forgeron.bots.clock import TimeControl
from forgeron.bots.contestant import BuiltIn
from forgeron.bots.faults import Reason
from forgeron.bots.native_host import NativeHost
from forgeron.core.record import Record
from forgeron.reports.csv import games_csv
from forgeron.reports.html import to_html
from forgeron.reports.json import to_json
from forgeron.reports.results import results_of
from forgeron.reports.sqlite import ask

TOP = Path(__file__).parent.parent.parent
CONNECT_FOUR = str(TOP / "examples" / "game_connect_four.py")
BOT = str(TOP / "tests" / "hostile" / "bots" / "hostile_bot.py")
GAME = forgeron.game(CONNECT_FOUR)


def lost_on_time(attack: str) -> Record:
    bad = NativeHost("bad", [sys.executable, "-S", BOT, "overload", attack], startup_seconds=60)
    good = BuiltIn("good", forgeron.player("random", GAME, seed=1))
    try:
        record = Referee(GAME, (bad, good), TimeControl.parse("0.3"), seed=1).play()
    finally:
        bad.close()
    assert (record.winner, record.reason) == (1, Reason.TIME)
    return record


def test_who_sleeps_past_the_deadline_has_used_little_processor_time() -> None:
    noted = overload_of(lost_on_time("hang"))
    assert noted is not None
    assert noted.cpu_seconds < 0.15
    assert noted.allowed_seconds == pytest.approx(0.35)
    assert noted.processors >= 1


def test_only_far_less_processor_time_than_there_was_is_noted() -> None:
    assert note_overload(Reason.TIME, 0.9, 2.0) != {}
    assert note_overload(Reason.TIME, 1.1, 2.0) == {}
    assert note_overload(Reason.TIME, None, 2.0) == {}
    assert note_overload(Reason.CRASH, 0.0, 2.0) == {}


def test_a_note_that_makes_no_sense_is_none() -> None:
    good = Record("connect-four", {}, 1, "", reason="time", extra=note_overload(Reason.TIME, 0.5, 2.0))
    assert overload_of(good) is not None
    for wrong in ({"cpu": "x"}, {}, [], {**good.extra["overload"], "cpu": None}):
        assert overload_of(replace(good, extra={"overload": wrong})) is None
    assert overload_of(replace(good, reason="crash")) is None


# --- playing again ---------------------------------------------------------------------------------------------------


def overloaded(record: Record, seat: int) -> Record:
    noted = Overload(0.01, 0.3, 9.0, 2).to_data()
    extra = {**record.extra, "detail": "bad: it did not answer in time", "overload": noted}
    return replace(record, winner=1 - seat, reason=str(Reason.TIME), moves=(), extra=extra)


class BusyMachine:
    """Plays games, and loses some of them on time, as on a machine with too much to do; says what was asked of it."""

    def __init__(self, unlucky: Iterable[str], times: int = 1) -> None:
        self.asked: list[str] = []
        self._unlucky, self._times = set(unlucky), times

    def __call__(self, tasks: Iterable[GameTask]) -> GameStream:
        with GameRunner() as runner:
            for task in tasks:
                self.asked.append(task.id)
                record = runner.play(task)
                lost = task.id in self._unlucky and self.asked.count(task.id) <= self._times
                yield task, overloaded(record, 0) if lost else record


@pytest.fixture
def match() -> Match:
    terms = Terms.settle(CONNECT_FOUR, time="5n")
    return Match(terms, (Entrant("a", "random"), Entrant("b", "random")), 6)


def ids(match: Match) -> list[str]:
    return [game.id for pair in match.schedule for game in pair]


def to_the_end(match: Match, path: Path, machine: BusyMachine, *, fair: bool) -> dict[str, Record]:
    with Journal(path, match.settings()) as journal:
        list(play_match(match, journal, fairly(machine) if fair else machine))
    return read(path)[1]


def test_such_a_game_is_played_again_once_and_then_counts(match: Match, tmp_path: Path) -> None:
    bad = ids(match)[2]
    machine = BusyMachine([bad])
    records = to_the_end(match, tmp_path / "journal", machine, fair=True)
    assert machine.asked == [*ids(match), bad]
    assert "did not answer in time" in records[bad].extra["replayed"]
    assert records[bad].reason != Reason.TIME
    undisturbed = to_the_end(match, tmp_path / "calm", BusyMachine([]), fair=False)
    assert [records[id].moves for id in ids(match)] == [undisturbed[id].moves for id in ids(match)]


def test_it_is_never_played_more_than_once_again(match: Match, tmp_path: Path) -> None:
    bad = ids(match)[:2]
    machine = BusyMachine(bad, times=9)
    records = to_the_end(match, tmp_path / "journal", machine, fair=True)
    assert machine.asked == [*ids(match), *bad]
    assert all(overload_of(records[id]) and not may_be_replayed(records[id]) for id in bad)
    to_the_end(match, tmp_path / "journal", machine, fair=True)
    assert machine.asked == [*ids(match), *bad], "nor when the event is resumed"


def test_games_of_an_earlier_run_are_played_again_on_demand(match: Match, tmp_path: Path) -> None:
    bad, path = ids(match)[4], tmp_path / "journal"
    before = to_the_end(match, path, BusyMachine([bad]), fair=False)
    assert PairCounter(match).update(before).overloads == (1, 0)
    machine = BusyMachine([])
    for _ in range(2):
        with Journal(path, match.settings()) as journal:
            list(replay_overloaded(match, journal, machine))
    assert machine.asked == [bad]
    after = read(path)[1]
    assert PairCounter(match).update(after).overloads == (0, 0)
    assert after.keys() == before.keys()
    assert after[bad].reason != Reason.TIME


def test_every_table_marks_such_games(match: Match, tmp_path: Path) -> None:
    records = to_the_end(match, tmp_path / "journal", BusyMachine(ids(match)[:1]), fair=False)
    results = results_of(match, records)
    mark = "0.01 s of processor time in 0.30 s, load 9.0 on 2 processors"
    data = json.loads(to_json(results, GAME))
    assert [game["overload"] for game in data["games"]] == [mark, *[None] * 5]
    assert mark in games_csv(results)
    assert mark in to_html(results, GAME)
    assert ask(results, "SELECT overload FROM games WHERE overload IS NOT NULL")[1] == [(mark,)]
    assert [row.overloads for row in sorted(results.rows, key=lambda row: row.name)] == [1, 0]


def test_the_commands_warn_and_offer_to_play_them_again(tmp_path: Path) -> None:
    bot = f"{sys.executable} -S {BOT} overload hang"
    run = [sys.executable, "-m", "forgeron", "match", CONNECT_FOUR, bot, "random", "--games", "2", "--time", "0.3"]

    def say(*more: str) -> str:
        done = subprocess.run([*run, *more], capture_output=True, text=True, cwd=tmp_path, check=False)
        assert done.returncode == 0, done.stderr
        return " ".join(done.stdout.split())

    first = say()
    assert "warning: 2 games were lost on time" in first
    assert "--fair plays such games again, once" in first
    assert "perhaps overloaded: 2" in say("--fair")
    assert "perhaps overloaded" not in say("--fair"), "each game only once"

"""Tournaments: who meets whom, and results that no interruption can change."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from forgeron.arena import journal as journals
from forgeron.arena.event import points
from forgeron.arena.tournament import FORMATS, PLAY_OFFS, Tournament
from forgeron.core.record import Record
from forgeron.reports.results import results_of

MakeTournament = Callable[..., Tournament]
Run = Callable[..., dict[str, Record]]
Timeless = Callable[[Mapping[str, Record]], dict[str, Record]]
HERE = Path(__file__).parent
CONNECT_FOUR = HERE.parent.parent / "examples" / "game_connect_four.py"
PATIENCE_SECONDS = 120


def meetings(records: Mapping[str, Record]) -> Counter[frozenset[str]]:
    return Counter(frozenset(record.players) for record in records.values())


def test_in_a_round_robin_everybody_meets_everybody(make_tournament: MakeTournament, run_event: Run) -> None:
    records = run_event(make_tournament(4, pairs=2))
    assert len(meetings(records)) == 6
    assert set(meetings(records).values()) == {4}
    assert set(Counter(record.players[0] for record in records.values()).values()) == {6}


def test_in_a_gauntlet_only_challengers_meet_the_others(make_tournament: MakeTournament, run_event: Run) -> None:
    records = run_event(make_tournament(5, format="gauntlet", challengers=("bob", "cid")))
    expected = {frozenset((one, other)) for one in ("bob", "cid") for other in ("ann", "dan", "eve")}
    assert meetings(records) == dict.fromkeys(expected, 2)
    alone = run_event(make_tournament(3, format="gauntlet"), "second.journal")
    assert set(meetings(alone)) == {frozenset(("ann", "bob")), frozenset(("ann", "cid"))}


def test_in_a_swiss_tournament_nobody_meets_again_and_a_bye_is_a_win(
    make_tournament: MakeTournament, run_event: Run
) -> None:
    event = make_tournament(5, format="swiss", swiss_rounds=3)
    records = run_event(event)
    assert set(meetings(records).values()) == {2}
    rounds = event.rounds(records)
    assert [len(one.pairings) for one in rounds] == [2, 2, 2]
    byes = [name for one in rounds for name in one.byes]
    assert len(set(byes)) == 3
    for row in results_of(event, records).rows:
        on_the_board = sum(
            points(record, 1 if seat else 0)
            for record in records.values()
            for seat in (0, 1)
            if record.players[seat] == row.name
        )
        assert row.points == on_the_board + 2 * (row.name in byes)


def test_in_a_knockout_who_loses_plays_no_more(make_tournament: MakeTournament, run_event: Run) -> None:
    event = make_tournament(6, format="knockout", seed=5)
    records = run_event(event)
    progress = event.progress(records)
    assert progress.due == []
    assert [len({pairing.number for pairing in one.pairings}) for one in progress.rounds] == [2, 2, 1]
    out: set[str] = set()
    for stage, winners in zip(progress.rounds, progress.through, strict=True):
        playing = {name for pairing in stage.pairings for name in pairing.names}
        assert not playing & out
        out |= playing - set(winners)
    results = results_of(event, records)
    assert progress.through[-1] == [results.champion] == [results.rows[0].name]


def test_a_level_encounter_of_a_knockout_goes_into_play_offs_and_then_to_the_better_seed(
    make_tournament: MakeTournament,
) -> None:
    event = make_tournament(2, format="knockout")
    records: dict[str, Record] = {}
    seen = []
    while due := event.progress(records).due:
        seen.append(len(due))
        for game in due:
            records[game.id] = Record("connect-four", {}, 1, "", players=game.seats, winner=None, reason="draw")
    assert seen == [2] * (1 + PLAY_OFFS)
    assert event.progress(records).through == [["ann"]]
    assert len(event.due({})) == 2


@pytest.mark.parametrize("format", FORMATS)
def test_a_tournament_that_was_left_goes_on_to_the_same_end(
    make_tournament: MakeTournament, run_event: Run, timeless: Timeless, format: str
) -> None:
    event = make_tournament(5, format=format)
    whole = run_event(event, "whole.journal")
    for stop in (1, 3, 6):
        run_event(event, "parts.journal", games=stop)
    assert timeless(run_event(event, "parts.journal")) == timeless(whole)
    assert Tournament.from_settings(event.settings(), Path()) == event


# --- killed at any moment ------------------------------------------------------------------------------------------


def write_file(path: Path, game: str, format: str, jobs: int) -> Path:
    players = {"ann": "random", "bob": "greedy", "cid": "monte-carlo", "dan": "random"}
    tables = "".join(f'[[entrant]]\nname = "{name}"\nplayer = "{player}"\n' for name, player in players.items())
    path.write_text(
        f'[event]\ngame = "{game}"\nformat = "{format}"\ntime = "25n"\nseed = 3\njobs = {jobs}\npairs = 2\n{tables}'
    )
    return path


def begin(*arguments: str) -> subprocess.Popen[bytes]:
    environ = {**os.environ, "FORGERON_QUIET": "1"}
    return subprocess.Popen(
        [sys.executable, *arguments], env=environ, stdout=subprocess.DEVNULL, start_new_session=True
    )


def finish(file: Path, journal: Path) -> dict[str, Record]:
    process = begin("-m", "forgeron", "tournament", str(file), "--journal", str(journal))
    assert process.wait(PATIENCE_SECONDS) == 0
    return journals.read(journal)[1]


def kill_at_byte(file: Path, journal: Path, byte: int, torn: bool) -> None:
    """Kill the program with all it has started when its journal has come to this byte: while writing, or later."""
    jobs = ["--jobs", "1"] if torn else []
    process = begin(
        *(str(HERE / "killed_run.py"), "torn" if torn else "held", str(byte)),
        *("tournament", str(file), "--journal", str(journal), *jobs),
    )
    if not torn:
        while process.poll() is None and (not journal.exists() or journal.stat().st_size < byte):
            time.sleep(0.001)
        os.killpg(process.pid, signal.SIGKILL)
    assert process.wait(PATIENCE_SECONDS) == -signal.SIGKILL
    assert not torn or journal.stat().st_size == byte


@pytest.mark.parametrize(
    ("game", "format", "jobs"), [("yolah", "round-robin", 1), (str(CONNECT_FOUR), "knockout", 2)], ids=["yolah", "four"]
)
def test_a_tournament_killed_at_random_moments_comes_to_the_same_result(
    tmp_path: Path, timeless: Timeless, game: str, format: str, jobs: int
) -> None:
    file = write_file(tmp_path / "cup.toml", game, format, jobs)
    whole = finish(file, tmp_path / "whole.journal")
    assert len(whole) >= 12
    size = (tmp_path / "whole.journal").stat().st_size
    journal = tmp_path / "killed.journal"
    rng = random.Random(f"kill {format}")
    moments = sorted(rng.sample(range(1, int(0.9 * size)), 10))
    for number, byte in enumerate(moments):
        here = journal.stat().st_size if journal.exists() else 0
        kill_at_byte(file, journal, max(byte, here + 1), torn=number % 2 == 0)
    killed = finish(file, journal)
    assert timeless(killed) == timeless(whole)
    lines = journal.read_bytes().splitlines()
    assert len(lines) == len(whole) + 1


def test_workers_leave_when_their_parent_is_killed(tmp_path: Path) -> None:
    file = write_file(tmp_path / "cup.toml", "yolah", "round-robin", jobs=2)
    file.write_text(file.read_text().replace('"25n"', '"3+0.02"'))
    journal = tmp_path / "cup.journal"
    process = begin("-m", "forgeron", "tournament", str(file))
    while not journal.exists() or len(journal.read_bytes().splitlines()) < 2:
        time.sleep(0.01)
    family = [int(name) for name in os.listdir("/proc") if name.isdigit() and _group(name) == process.pid]
    assert len(family) >= 3
    process.kill()
    process.wait(PATIENCE_SECONDS)
    end = time.monotonic() + PATIENCE_SECONDS
    while any(_group(str(one)) == process.pid for one in family) and time.monotonic() < end:
        time.sleep(0.05)
    assert not [one for one in family if _group(str(one)) == process.pid]


def _group(pid: str) -> int | None:
    """The process group of a process that lives."""
    try:
        state, _, group = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[:3]
    except OSError:
        return None
    return None if state == "Z" else int(group)

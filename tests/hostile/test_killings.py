"""An event with programs, whose own process and workers are killed at random moments, comes to the same games."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path
from typing import Any

import pytest

from forgeron.arena import journal
from forgeron.arena.entrant import Entrant
from forgeron.arena.executor import TRIES, in_processes
from forgeron.arena.task import GameTask
from forgeron.arena.worker import RefereeWorker
from forgeron.core.record import Record

HERE = Path(__file__).parent
BOT = HERE / "bots" / "hostile_bot.py"
CONNECT_FOUR = HERE.parent.parent / "examples" / "game_connect_four.py"
PATIENCE_SECONDS = 600.0


def write_file(folder: Path, mark: str, pairs: int) -> Path:
    command = f'command = ["{sys.executable}", "-S", "{BOT}", "{mark}", "none"]\nstartup_seconds = 120\n'
    entrants = {
        "first": command,
        "second": command + "bwrap = false\n",
        "random": 'player = "random"\n',
        "greedy": 'player = "greedy"\n',
    }
    tables = "".join(f'[[entrant]]\nname = "{name}"\n{text}' for name, text in entrants.items())
    file = folder / "cup.toml"
    # A limit of nodes: no move is lost on time because the machine is busy.
    file.write_text(f'[event]\ngame = "{CONNECT_FOUR}"\ntime = "20n"\nseed = 5\njobs = 2\npairs = {pairs}\n{tables}')
    return file


def task(mark: str) -> GameTask:
    command = (sys.executable, "-S", str(BOT), mark, "none")
    bot = Entrant("bot", command=command, startup_seconds=120, bwrap=False)
    return GameTask("1", str(CONNECT_FOUR), {}, (bot, Entrant("random", "random")), "20n", seed=3)


def begin(file: Path, kept: Path) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-m", "forgeron", "tournament", str(file), "--journal", str(kept)]
    environment = {**os.environ, "FORGERON_QUIET": "1"}
    return subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL, start_new_session=True)


def are_confined(mark: str) -> bool:
    """Whether these bots cannot kill their referee here: whoever kills it is then somebody else."""
    words = (sys.executable, "-S", str(BOT), mark, "none")
    return all(Entrant("bot", command=words, bwrap=bwrap).is_confined for bwrap in (True, False))


def lines_of(kept: Path) -> int:
    return kept.read_bytes().count(b"\n") if kept.exists() else 0


def wait_for(process: subprocess.Popen[bytes], kept: Path, lines: int) -> bool:
    """Whether the journal came to so many lines before the event ended."""
    until = time.monotonic() + PATIENCE_SECONDS
    while process.poll() is None and lines_of(kept) < lines:
        assert time.monotonic() < until
        time.sleep(0.002)
    return process.poll() is None


def workers_of(pid: int) -> list[int]:
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == pid and b"arena.worker" in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
        except OSError:
            continue
    return sorted(found)


def alive(mark: str) -> list[str]:
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (entry / "cmdline").read_bytes():
                found.append(entry.name)
        except OSError:
            continue
    return found


def nothing_left(mark: str) -> bool:
    until = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < until:
        if not alive(mark):
            return True
        time.sleep(0.05)
    return False


def timeless(records: dict[str, Record]) -> list[Any]:
    return sorted(
        (id, one.players, one.moves, one.winner, one.scores, one.reason, one.seed) for id, one in records.items()
    )


def kill_at_random(file: Path, kept: Path, mark: str, kills: int, rng: random.Random) -> tuple[int, int]:
    """Kill that often, and let it come to its end; how often it was a worker, and how often the event itself."""
    workers = events = 0
    may_kill_again = are_confined(mark)
    disturbed = False
    process = begin(file, kept)
    for number in range(kills):
        if not wait_for(process, kept, lines_of(kept) + rng.randint(1, 3)):
            break
        time.sleep(rng.uniform(0, 0.2))
        victims = workers_of(process.pid)
        # Where a bot could have done it, once a run: a game whose worker is killed twice is then the bot's loss.
        chosen = rng.random() < 0.6 if number > 1 else number == 0  # one of each, then by chance
        if victims and (may_kill_again or not disturbed) and chosen:
            os.kill(rng.choice(victims), signal.SIGKILL)
            workers += 1
            disturbed = True
            continue
        process.kill()
        process.wait(PATIENCE_SECONDS)
        events += 1
        disturbed = False
        assert nothing_left(mark), alive(mark)
        process = begin(file, kept)
    assert process.wait(PATIENCE_SECONDS) == 0
    return workers, events


def run(folder: Path, pairs: int, kills: int) -> tuple[int, int]:
    mark = f"killed-{uuid.uuid4().hex}"
    file = write_file(folder, mark, pairs)
    assert begin(file, folder / "whole.journal").wait(PATIENCE_SECONDS) == 0
    done = kill_at_random(file, folder / "killed.journal", mark, kills, random.Random(7))
    whole, killed = (journal.read(folder / name)[1] for name in ("whole.journal", "killed.journal"))
    assert len(whole) == 12 * pairs
    assert timeless(killed) == timeless(whole)
    assert nothing_left(mark), alive(mark)
    return done


def test_an_event_killed_at_random_moments_comes_to_the_same_games(tmp_path: Path) -> None:
    workers, events = run(tmp_path, pairs=2, kills=5)
    assert workers >= 1
    assert events >= 1


def test_a_game_whose_worker_is_killed_from_outside_again_and_again_is_no_loss_of_its_bot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mark = f"killed-{uuid.uuid4().hex}"
    if not are_confined(mark):
        pytest.skip("nothing here keeps a bot from killing its referee")
    ((first, undisturbed),) = in_processes(1)([task(mark)])
    killed: list[int] = []
    give = RefereeWorker.give

    def give_and_kill(worker: RefereeWorker, game: GameTask) -> None:
        give(worker, game)
        if len(killed) <= TRIES:
            os.kill(worker.pid, signal.SIGKILL)
            killed.append(worker.pid)

    monkeypatch.setattr(RefereeWorker, "give", give_and_kill)
    ((_, record),) = in_processes(1)([task(mark)])
    assert len(killed) == TRIES + 1
    assert timeless({first.id: record}) == timeless({first.id: undisturbed})


@pytest.mark.slow
def test_forty_kills_of_workers_and_events_change_no_game(tmp_path: Path) -> None:
    workers, events = run(tmp_path, pairs=26, kills=40)
    print(f"{workers} workers and {events} events were killed")
    assert workers + events == 40

"""A game runner: the programs that play run, and no others."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from forgeron.arena.entrant import Entrant
from forgeron.arena.task import GameRunner, GameTask
from forgeron.bots.sandbox import bwrap_works, hidden_from
from forgeron.bots.spawn import LAUNCHER

BOT = (sys.executable, str(Path(__file__).parent.parent.parent / "examples" / "bots" / "mobility.py"))
ADA, BOB = Entrant("ada", command=BOT, bwrap=False), Entrant("bob", command=BOT, bwrap=False)
TASK = GameTask("1", "yolah", {}, (ADA, BOB), "5n", opening=("d5:b7", "e5:f5"), seed=1)


def children() -> set[str]:
    """The processes that this one has begun and that still live."""
    found: set[str] = set()
    for thread in os.listdir("/proc/self/task"):
        found |= set(Path(f"/proc/self/task/{thread}/children").read_text().split())
    return found


@pytest.fixture
def before() -> set[str]:
    LAUNCHER.tell("gone nobody")  # what begins bots is no bot
    return children()


def test_both_games_of_a_pair_are_played_by_the_same_processes(before: set[str]) -> None:
    with GameRunner() as runner:
        assert runner.play(TASK).players == ("ada", "bob")
        playing = children() - before
        assert len(playing) == 2
        assert runner.play(replace(TASK, entrants=(BOB, ADA))).players == ("bob", "ada")
        assert children() - before == playing
    assert children() == before


def test_a_bot_that_does_not_play_is_sent_home(before: set[str]) -> None:
    with GameRunner() as runner:
        runner.play(TASK)
        ada_and_bob = children() - before
        runner.play(replace(TASK, entrants=(ADA, Entrant("cid", "random"))))
        assert len(children() - before) == 1
        assert children() - before < ada_and_bob
        runner.play(replace(TASK, entrants=(Entrant("cid", "random"), Entrant("dan", "greedy"))))
        assert children() == before


def test_an_entrant_that_plays_itself_is_two_processes(before: set[str]) -> None:
    with GameRunner() as runner:
        record = runner.play(replace(TASK, entrants=(ADA, ADA)))
        assert record.reason in ("win", "draw")
        assert len(children() - before) == 2


def test_a_task_comes_back_from_its_data() -> None:
    assert GameTask.from_data(TASK.to_data()) == TASK


# --- rivals -----------------------------------------------------------------------------------------------------------

BAD_BOT = Path(__file__).parent.parent / "bots" / "programs" / "bad_bot.py"
CONNECT_FOUR = str(Path(__file__).parent.parent.parent / "examples" / "game_connect_four.py")


@pytest.fixture
def house() -> Iterator[Path]:
    """A folder that is not below /tmp, which a sandboxed bot cannot see anyway, with two bots in folders of theirs."""
    path = Path(tempfile.mkdtemp(prefix="forgeron-test-", dir="/var/tmp"))
    for name in ("ann", "bob"):
        (path / name).mkdir()
        shutil.copy(BAD_BOT, path / name / "bot.py")
        (path / name / "plan.txt").write_text("my secret plan")
    yield path
    shutil.rmtree(path)


@pytest.mark.skipif(not bwrap_works(), reason="bubblewrap is not installed or not allowed here")
def test_in_an_event_a_bot_cannot_read_the_files_of_its_rival(house: Path) -> None:
    def entrant(name: str, *words: str) -> Entrant:
        return Entrant(name, command=(sys.executable, "-S", str(house / name / "bot.py"), "mark", *words))

    for spied, seen in (("bob", False), ("ann", True)):
        spy = entrant("ann", "spy", "1", str(house / spied), "plan.txt")
        with GameRunner() as runner:
            record = runner.play(GameTask("1", CONNECT_FOUR, {}, (spy, entrant("bob", "none")), "20"))
            seated = list(runner._running.values())
        logs = [contestant.log for contestant in seated]  # complete when the bots have gone
        assert record.reason in ("win", "draw"), record.extra
        assert any("my secret plan" in log for log in logs) == seen, logs
        assert any("spying refused" in log for log in logs) != seen


def test_of_a_rival_its_folder_is_hidden_or_its_file_where_others_live_in_that_folder(house: Path) -> None:
    ann, bob = str(house / "ann" / "bot.py"), str(house / "bob" / "bot.py")
    neighbour = str(house / "ann" / "other.py")
    shutil.copy(ann, neighbour)
    assert hidden_from(("python3", ann), ("python3", bob)) == (house / "bob",)
    assert hidden_from(("python3", ann), ("python3", neighbour)) == (house / "ann" / "other.py",)
    assert hidden_from((sys.executable, ann), (sys.executable, ann)) == ()
    assert hidden_from(("python3", ann), (sys.executable, "-c", "pass")) == ()
    assert hidden_from((ann,), ()) == ()

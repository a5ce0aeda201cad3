"""A table: who plays sits, who does not is not there."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from forgeron.arena.entrant import Entrant
from forgeron.arena.task import GameTask, Table

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
    return children()


def test_both_games_of_a_pair_are_played_by_the_same_processes(before: set[str]) -> None:
    with Table() as table:
        assert table.play(TASK).players == ("ada", "bob")
        playing = children() - before
        assert len(playing) == 2
        assert table.play(replace(TASK, entrants=(BOB, ADA))).players == ("bob", "ada")
        assert children() - before == playing
    assert children() == before


def test_a_bot_that_does_not_play_is_sent_home(before: set[str]) -> None:
    with Table() as table:
        table.play(TASK)
        ada_and_bob = children() - before
        table.play(replace(TASK, entrants=(ADA, Entrant("cid", "random"))))
        assert len(children() - before) == 1
        assert children() - before < ada_and_bob
        table.play(replace(TASK, entrants=(Entrant("cid", "random"), Entrant("dan", "greedy"))))
        assert children() == before


def test_an_entrant_that_plays_itself_is_two_processes(before: set[str]) -> None:
    with Table() as table:
        record = table.play(replace(TASK, entrants=(ADA, ADA)))
        assert record.reason in ("win", "draw")
        assert len(children() - before) == 2


def test_a_task_comes_back_from_its_data() -> None:
    assert GameTask.from_data(TASK.to_data()) == TASK

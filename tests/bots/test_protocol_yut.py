"""Player classes of the Yut course, run unchanged; and our players as such a class."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

import forgeron
from forgeron.bots.contestant import BuiltIn, Contestant
from forgeron.bots.faults import Reason
from forgeron.core.rng import split
from forgeron.games.yut.course import RUNNER, CoursePlayer
from refereed import BOTS, OURS, bot, play

GAME = forgeron.game("yut")
FILE = str(BOTS / "yut_players.py")


def somebody(name: str = "Player") -> Contestant:
    return bot("yut", name, [FILE, name])


def here(seed: int = 3) -> BuiltIn:
    return BuiltIn("here", forgeron.player("random", GAME, seed=seed))


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_class_plays_whole_games_and_is_told_of_every_action(seat: int, seed: int) -> None:
    """The class checks all that it hears against its own rules; a wrong word would be an exception, and a loss."""
    one = somebody()
    record = play(GAME, *((one, here(seed)) if seat == 0 else (here(seed), one)), "10", seed)
    assert record.reason == Reason.WIN
    assert "reset with RandomState" in one.log
    actions = sum(not move.startswith("t") for move in record.moves)
    if record.winner != seat:
        assert f"they are home, {actions} actions" in one.log


def test_two_classes_play_each_other() -> None:
    record = play(GAME, somebody(), somebody("KeepsTheList"), "10", 5)
    assert record.reason == Reason.WIN


def test_our_player_is_such_a_class_too(tmp_path: Path) -> None:
    """The file that `forgeron bot yut --protocol yut` writes, run as somebody's would be."""
    file = tmp_path / "ours.py"
    words = ["yut", "--protocol", "yut", "--player", "random", "--nodes", "10", "--seed", "4", "--out", str(file)]
    subprocess.run([*OURS, *words], check=True)
    record = play(GAME, bot("yut", "ours", [str(file)]), somebody(), "20", 1)
    assert record.reason == Reason.WIN


def test_our_class_gives_legal_actions_of_the_course() -> None:
    class Ours(CoursePlayer):
        player = "greedy"

    index, result, shortcut, text = Ours().action((1, (0, 12, 12, 30), (23, 23, 0, 1), [2]))
    assert (index, result, shortcut) == (1, 2, False)  # catches two
    assert text.startswith("s12:2")


CHEATS = [
    ("NegativeIndex", "there is no piece -1; pieces are 0 … 3"),
    ("TooHighIndex", "there is no piece 4; pieces are 0 … 3"),
    ("AppendsMo", "you have no mo .5. to use"),
    ("Garbage", "its action is '.*the first piece.*', not .piece index, result, shortcut, text."),
]


@pytest.mark.parametrize(("name", "detail"), CHEATS, ids=[row[0] for row in CHEATS])
def test_an_action_that_is_not_legal_loses(name: str, detail: str) -> None:
    record = play(GAME, somebody(name), here(), "10", 1)
    assert (record.winner, record.reason) == (1, Reason.ILLEGAL)
    assert re.search(detail, record.extra["detail"]), record.extra["detail"]


def test_the_generator_a_class_is_given_foresees_no_throws() -> None:
    """With the course's engine it foresees every one; by luck it is right in about 27 of 100."""
    one = somebody("Predicts")
    record = play(GAME, one, here(), "10", 1)
    assert record.reason == Reason.WIN
    right, seen = map(int, re.findall(r"foreseen (\d+) of (\d+)", one.log)[-1])
    assert seen > 15
    assert right < 0.6 * seen


def test_the_seed_of_a_class_does_not_lead_back_to_the_seed_of_the_game() -> None:
    """Our streams can be turned back step by step, so the class must not get a word of one, nor half a word."""
    one = somebody("Raises")
    play(GAME, one, here(), "10", 99)
    order = json.loads(one.latest.transcript[0].removeprefix("→ "))  # type: ignore[attr-defined]
    with np.errstate(over="ignore"):
        word = int(split(np.uint64(99), 1000))
    assert order["do"] == "reset"
    assert order["seed"] < 2**32
    assert order["seed"] not in (99, word, word % 2**32, word >> 32)


def test_the_throws_of_one_seat_are_not_those_of_the_other_with_the_next_seed() -> None:
    throws = []
    for seed in (7, 8):
        record = play(GAME, here(), here(4), "10", seed)
        whose: list[list[str]] = [[], []]
        for position, move in zip(record.positions(GAME), record.moves, strict=False):
            if position.turn == "chance":
                whose[GAME.thrower(position.state)].append(move)
        throws.append(whose)
    assert throws[0][1][:15] != throws[1][0][:15]
    assert throws[0][0][:15] != throws[0][1][:15]


def test_printing_goes_to_the_log_and_there_is_nothing_to_read() -> None:
    one = somebody("Reads")
    record = play(GAME, one, here(), "10", 1)
    assert record.reason == Reason.WIN
    assert '{"action": [0, 5, false]}' in one.log
    assert "read: ''" in one.log
    assert "warnings" not in record.extra


FAULTS = [
    ("Raises", Reason.CRASH, "the class raised 'ValueError: no idea'", "20"),
    ("Exits", Reason.CRASH, "exit code 3", "20"),
    ("Slow", Reason.TIME, "did not answer in time", "0.4"),
    ("Breaks", Reason.STARTUP, "the class raised 'RuntimeError: cannot be made'", "20"),
    ("Nobody", Reason.STARTUP, "yut_players.py has no player class Nobody .classes with an action: Player, Neg", "20"),
]


@pytest.mark.parametrize(("name", "reason", "detail", "time"), FAULTS, ids=[row[0] for row in FAULTS])
def test_the_fault_costs_the_game(name: str, reason: Reason, detail: str, time: str) -> None:
    record = play(GAME, here(), somebody(name), time, 1)
    assert (record.winner, record.reason) == (0, reason)
    assert re.search(detail, record.extra["detail"]), record.extra["detail"]


def test_an_exception_leaves_its_traceback_in_the_record() -> None:
    record = play(GAME, somebody("Raises"), here(), "10", 1)
    assert 'raise ValueError("no idea")' in record.extra["stderr"]


def test_a_file_that_is_not_there_forfeits_and_says_what_a_command_is() -> None:
    record = play(GAME, bot("yut", "gone", ["no_player.py"]), here(), "1")
    assert (record.winner, record.reason) == (1, Reason.STARTUP)
    assert "no file 'no_player.py'; the command is FILE.py, or FILE.py CLASS" in record.extra["detail"]


def test_a_class_finds_the_files_beside_it_and_may_write_others(tmp_path: Path) -> None:
    (tmp_path / "weights.txt").write_text("0.25")
    (tmp_path / "helper.py").write_text("def first(scores): return scores[0]")
    (tmp_path / "learner.py").write_text(
        "import helper\n"
        "class Learner:\n"
        "    def action(self, state):\n"
        "        assert open('weights.txt').read() == '0.25'\n"
        "        print('seen', file=open('memory.txt', 'a'))\n"
        "        raise LookupError(open('memory.txt').read() + str(helper.first(state[3])))\n"
    )
    record = play(GAME, bot("yut", "learner", [str(tmp_path / "learner.py")]), here(), "10", 1)
    assert re.search(r"LookupError: seen\\n-?\d", record.extra["detail"]), record.extra["detail"]
    assert not (tmp_path / "memory.txt").exists()


@pytest.mark.parametrize("folder", ["yut", "rules", "text"])
def test_a_class_finds_folders_that_are_called_as_our_own_modules(folder: str, tmp_path: Path) -> None:
    """The course's package is a folder `yut` without __init__.py: any module of that name would come before it."""
    (tmp_path / folder).mkdir()
    (tmp_path / folder / "helper.py").write_text("WORD = 'found it'")
    (tmp_path / "learner.py").write_text(
        f"from {folder}.helper import WORD\n"
        "class Learner:\n"
        "    def action(self, state):\n"
        "        raise LookupError(WORD)\n"
    )
    record = play(GAME, bot("yut", "learner", [str(tmp_path / "learner.py")]), here(), "10", 1)
    assert "LookupError: found it" in record.extra["detail"]


def test_a_file_with_several_classes_needs_a_name() -> None:
    record = play(GAME, bot("yut", "all", [FILE]), here(), "1")
    assert "not exactly one player class: name the one to play" in record.extra["detail"]


def test_the_runner_needs_nothing_of_forgeron() -> None:
    assert "forgeron" not in re.findall(r"^\s*(?:import|from) (\w+)", Path(RUNNER).read_text(), re.M)

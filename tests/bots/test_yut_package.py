"""The Yut course's package in both directions: its players under our referee, our player in its engine.

`course_yut/` stands in for it: a folder `yut/` without __init__.py beside the players, an engine that calls every
method of every player, positions as NumPy int32, and those after an action when it tells of one.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import forgeron
from forgeron.arena.referee import Referee
from forgeron.bots.clock import TimeControl
from forgeron.bots.contestant import BuiltIn
from forgeron.bots.faults import Reason
from forgeron.games.yut.course import CoursePlayer
from forgeron.games.yut.course_notation import from_course
from refereed import bot

GAME = forgeron.game("yut")
PACKAGE = Path(__file__).parent / "course_yut"


def forgeron_command(*words: str, folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "forgeron", *words], capture_output=True, text=True, cwd=folder, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_player_of_the_package_passes_the_check(tmp_path: Path) -> None:
    """Named as people name it, from the folder above: also where that is a folder of /tmp, which bots do not see."""
    shutil.copytree(PACKAGE, tmp_path / "course")
    said = forgeron_command("check", "yut", "course/far_first.py", "--protocol", "yut", folder=tmp_path)
    assert said.count("✓") >= 6
    assert "✗" not in said


def test_a_player_of_the_package_plays_a_match_to_its_end(tmp_path: Path) -> None:
    journal = tmp_path / "match.journal"
    words = ["--games", "4", "--time", "10", "--journal", str(journal)]
    forgeron_command("match", "yut", f"{PACKAGE / 'far_first.py'}@yut", "random", *words, folder=tmp_path)
    games = [json.loads(line) for line in journal.read_text().splitlines()]
    reasons = [reason for line in games for reason in re.findall(r'"reason": ?"(\w+)"', json.dumps(line))]
    assert reasons == ["win"] * 4


def test_one_process_plays_all_games_of_a_class_that_can_be_reset() -> None:
    one = bot("yut", "one", [str(PACKAGE / "far_first.py")])
    other = BuiltIn("random", forgeron.player("random", GAME))
    seen = []
    try:
        for seed in range(3):
            seats = (one, other) if seed % 2 == 0 else (other, one)
            record = Referee(GAME, seats, TimeControl.parse("20"), seed=seed).play()
            assert record.reason == Reason.WIN
            seen.append(one.latest)  # type: ignore[attr-defined]
    finally:
        one.close()
    assert seen[0] is seen[1] is seen[2]
    assert re.findall(r"game (\d)", one.log) == ["1", "2", "3"]
    assert one.log.count("over:") == 3


def test_a_class_that_cannot_be_reset_gets_a_process_for_each_game(tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text(
        "class Plain:\n"
        "    def action(self, state):\n"
        "        _, mine, _, scores = state\n"
        "        free = not any(0 < s < 30 for s in mine)\n"
        "        for score in scores:\n"
        "            for i, s in enumerate(mine):\n"
        "                if s != 30 and (score != -1 or s or free):\n"
        "                    return i, score, False, ''\n"
    )
    one = bot("yut", "plain", [str(tmp_path / "plain.py")])
    seen = []
    for seed in range(2):
        other = BuiltIn("random", forgeron.player("random", GAME))
        assert Referee(GAME, (one, other), TimeControl.parse("20"), seed=seed).play().reason == Reason.WIN
        seen.append(one.latest)  # type: ignore[attr-defined]
    one.close()
    assert seen[0] is not seen[1]


def test_a_process_that_died_after_its_game_is_started_anew_for_the_next(tmp_path: Path) -> None:
    (tmp_path / "far_first.py").write_text(
        (PACKAGE / "far_first.py").read_text().replace('print("over:",', 'import os; os._exit(0); print("over:",')
    )
    (tmp_path / "yut").symlink_to(PACKAGE / "yut")
    one = bot("yut", "one", [str(tmp_path / "far_first.py")])
    other = BuiltIn("random", forgeron.player("random", GAME))
    for seed in range(2):
        assert Referee(GAME, (one, other), TimeControl.parse("20"), seed=seed).play().reason == Reason.WIN
    one.close()


@pytest.mark.parametrize("shape", ["tuple", "array"])
def test_our_player_plays_whole_games_in_the_packages_engine(shape: str, tmp_path: Path) -> None:
    """The file that `forgeron bot yut --protocol yut` writes, beside the package, run by its engine: no illegal move,
    no exception, and greedy beats a player that looks at captures alone."""
    ours = tmp_path / "ours.py"
    words = ["bot", "yut", "--protocol", "yut", "--player", "greedy", "--nodes", "1", "--out", str(ours)]
    forgeron_command(*words, folder=tmp_path)
    code = (
        f"import sys; sys.path[:0] = [{str(PACKAGE)!r}, {str(tmp_path)!r}]\n"
        "from far_first import GameEngine, play_games\nfrom ours import Forgeron\n"
        f"import numpy; GameEngine.shape = dict(tuple=tuple, array=staticmethod(numpy.asarray))[{shape!r}]\n"
        "print(play_games(Forgeron(), range(10)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, timeout=300)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.split()[-1]) < 10


@pytest.mark.parametrize("kind", [np.int8, np.int32, np.int64])
def test_positions_of_numpy_are_the_same_positions(kind: type) -> None:
    mine, theirs = (0, 12, 12, 30), (23, 25, 0, 29)
    for seat in (0, 1):
        plain = from_course(mine, theirs, [2, -1], seat)
        assert from_course(np.array(mine, dtype=kind), np.array(theirs, dtype=kind), np.array([2, -1]), seat) == plain
    with pytest.raises(forgeron.NotationError, match="stations are 0 … 30, not 31"):
        from_course(np.array([31, 0], dtype=kind), (0, 0), [1])


def test_our_class_answers_arrays_and_tuples_alike() -> None:
    class Ours(CoursePlayer):
        player = "greedy"

    one = Ours()
    plain = (1, (0, 12, 12, 30), (23, 23, 0, 1), [2])
    arrays = (np.int32(1), *(np.array(part, dtype=np.int32) for part in plain[1:3]), [np.int32(2)])
    assert one.action(arrays) == one.action(plain)  # type: ignore[arg-type]
    assert all(type(number) in (int, bool) for number in one.action(arrays)[:3])  # type: ignore[arg-type]

"""A trained network takes the place of what was there before when, and only when, its match says so."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from forgeron.core.errors import OptionError
from forgeron.learning.promotion import PromotionTest

ROOT = Path(__file__).parent.parent.parent
GAME = ROOT / "examples" / "game_connect_four.py"


def run(*arguments: object, fails: bool = False) -> str:
    """A command of Forgeron in plain Python: so few nodes need nothing compiled."""
    command = [sys.executable, "-m", "forgeron", *map(str, arguments)]
    done = subprocess.run(command, env={**os.environ, "FORGERON_JIT": "0"}, capture_output=True, text=True, check=False)
    assert (done.returncode != 0) == fails, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games of Connect Four."""
    pytest.importorskip("torch", reason="training needs PyTorch: pip install 'forgeron[train]'")
    folder = tmp_path_factory.mktemp("promotion") / "games"
    run("selfplay", GAME, "--games", 250, "--nodes", 20, "--jobs", 1, "--out", folder)
    return folder


def train(data: Path, out: Path, *more: object, fails: bool = False) -> str:
    sizes = ("--epochs", 4, "--hidden", 15, "--batch", 64, "--time", "15n", "--sprt", 0, 100, "--result-share", 1)
    return run("train", GAME, data, "--out", out, *sizes, *more, fails=fails)


def test_a_network_that_wins_its_match_is_promoted_and_the_match_is_not_played_again(
    data: Path, tmp_path: Path
) -> None:
    # These weights take the better move for the worse one.
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps({"game": "connect-four", "weights": {"lines": -0.5, "to move": 0.0}}), encoding="utf-8")
    said = train(data, tmp_path / "out", "--against", bad, "--games", 100)
    assert "test accepted" in said
    promoted = tmp_path / "out" / "connect-four.network"
    assert promoted.read_bytes() == (tmp_path / "out" / "candidate.network").read_bytes()
    (journal,) = (tmp_path / "out").glob("match-*.journal")
    before = journal.read_bytes()
    assert "resuming" in train(data, tmp_path / "out", "--against", bad, "--games", 100)
    assert journal.read_bytes() == before


def test_a_network_that_is_not_shown_to_be_stronger_stays_a_candidate(data: Path, tmp_path: Path) -> None:
    said = train(data, tmp_path / "out", "--games", 2)
    assert "match against default" in said
    assert "not promoted" in said
    assert (tmp_path / "out" / "candidate.network").exists()
    assert not (tmp_path / "out" / "connect-four.network").exists()
    assert "<polyline" in (tmp_path / "out" / "loss.svg").read_text()


def test_without_a_match_the_network_is_there_and_called_unproven(data: Path, tmp_path: Path) -> None:
    said = train(data, tmp_path / "out", "--games", 0)
    assert "no match was played" in said
    assert (tmp_path / "out" / "connect-four.network").exists()


def test_what_cannot_be_played_is_refused_before_the_work(data: Path, tmp_path: Path) -> None:
    assert "no network comes with Forgeron" in train(data, tmp_path / "a", "--against", "network", fails=True)
    assert "played in pairs" in train(data, tmp_path / "b", "--games", 3, fails=True)
    assert not (tmp_path / "a" / "checkpoint.pt").exists()


def test_a_trial_says_what_is_wrong_with_it() -> None:
    with pytest.raises(OptionError, match="elo0 < elo1"):
        PromotionTest(elo0=10, elo1=0)


def test_data_that_are_not_there_leave_no_folder(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="training needs PyTorch: pip install 'forgeron[train]'")
    assert "there are no shards" in train(tmp_path / "nowhere", tmp_path / "out", fails=True)
    assert not (tmp_path / "out").exists()

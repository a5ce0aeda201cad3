"""The loop of learning on Connect Four, in plain Python and with tiny sizes: the whole way, and after a SIGKILL."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from forgeron.core.network_file import read_network
from forgeron.learning.learning_page import elo_by_generation, learning_page
from forgeron.learning.loop import Generation

torch = pytest.importorskip("torch", reason="learning needs PyTorch: pip install 'forgeron[train]'")

ROOT = Path(__file__).parent.parent.parent
GAME = ROOT / "examples" / "game_connect_four.py"
SIZES = [
    "--games",
    "20",
    "--nodes",
    "15",
    "--epochs",
    "2",
    "--hidden",
    "15",
    "--match-games",
    "4",
    "--time",
    "15n",
    "--jobs",
    "1",
    "--hours",
    "9",
]


def command(folder: Path, *more: str) -> list[str]:
    return [sys.executable, "-m", "forgeron", "learn", str(GAME), "--out", str(folder), *SIZES, *more]


def environment() -> dict[str, str]:
    # Nothing is compiled: these games are so small that plain Python is quicker.
    return {**os.environ, "FORGERON_JIT": "0"}


def learn(folder: Path, *more: str) -> str:
    done = subprocess.run(
        command(folder, *more), env=environment(), capture_output=True, text=True, check=True, cwd=folder.parent
    )
    return done.stdout


def results(folder: Path) -> list[dict[str, object]]:
    """What the generations came to, without the time they took."""
    files = sorted(folder.glob("generation-*/result.json"))
    return [{k: v for k, v in json.loads(file.read_text()).items() if k != "seconds"} for file in files]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of two generations that nothing interrupted."""
    folder = tmp_path_factory.mktemp("learning") / "run"
    learn(folder, "--generations", "2")
    return folder


def test_every_generation_has_its_games_network_curves_and_match(whole: Path) -> None:
    for number, games in ((1, 20), (2, 40)):
        place = whole / f"generation-{number:03}"
        result = json.loads((place / "result.json").read_text())
        assert result["number"] == number
        assert result["games"] == games
        assert len(result["epochs"]) == 2
        assert result["match"]["games"] <= 4
        assert set(result["seconds"]) == {"self-play", "training", "match"}
        assert read_network(place / "training" / "candidate.network").header["game"] == "connect-four"
        assert "<polyline" in (place / "training" / "loss.svg").read_text()
        assert len(list(place.glob("match-*.journal"))) == 1


def test_the_page_has_losses_elo_games_and_time(whole: Path) -> None:
    page = (whole / "report.html").read_text()
    assert page.count("<svg") == 2
    assert "Loss by generation" in page
    assert "Elo by generation" in page
    assert page.count("<tr>") == 3
    assert re.search(r"2 generations, \d promoted, \d+ s of self-play", page)


def test_a_run_killed_in_every_step_comes_to_the_same(whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    for step in ("self-play: ", "training: ", "match: "):
        kill_when(folder, f"generation 1, {step}")
    learn(folder, "--generations", "1")
    assert results(folder) == [{**results(whole)[0]}]
    parts = [place / "generation-001" / "training" / "candidate.network" for place in (folder, whole)]
    assert parts[0].read_bytes() == parts[1].read_bytes()


def kill_when(folder: Path, line: str) -> None:
    """Run until a line begins so, and kill the whole process group as a machine that fails would."""
    process = subprocess.Popen(
        command(folder, "--generations", "1"),
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
        cwd=folder.parent,
    )
    assert process.stdout is not None
    try:
        assert any(said.startswith(line) for said in process.stdout), "the step was never reached"
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()


def test_a_candidate_goes_on_from_the_champion_if_that_is_a_network(whole: Path, tmp_path: Path) -> None:
    def begun(folder: Path) -> tuple[bool, float]:
        training = torch.load(folder / "generation-001" / "training" / "checkpoint.pt", weights_only=True)["training"]
        return "start" in training, training["rate"]

    assert begun(whole) == (False, 0.005)
    network, larger = whole / "generation-001" / "training" / "candidate.network", tmp_path / "larger"
    learn(larger, "--generations", "1", "--start", str(network), "--hidden", "31")
    assert begun(larger) == (True, 0.002)
    network = larger / "generation-001" / "training" / "candidate.network"
    learn(tmp_path / "smaller", "--generations", "1", "--start", str(network))
    assert begun(tmp_path / "smaller") == (False, 0.005)  # there is no room for all of its lanes


def test_other_settings_in_the_same_folder_are_refused(whole: Path) -> None:
    done = subprocess.run(command(whole, "--seed", "5"), env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "was begun with seed = 0" in done.stderr


def test_lanes_that_no_network_has_are_refused_before_a_game_is_played(tmp_path: Path) -> None:
    done = subprocess.run(
        command(tmp_path / "run", "--hidden", "5"), env=environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "a network cannot have" in done.stderr
    assert not (tmp_path / "run").exists()


def test_a_torn_record_of_the_time_costs_no_more_than_the_time(whole: Path, tmp_path: Path) -> None:
    shutil.copytree(whole, tmp_path / "run")
    for file in (tmp_path / "run").glob("generation-*/seconds.json"):
        file.write_text('{"self-play": 1.')
    assert "2 generations" in learn(tmp_path / "run", "--hours", "0.0001")


def test_time_that_is_over_ends_the_run_and_keeps_what_there_is(whole: Path) -> None:
    said = learn(whole, "--hours", "0.0001")
    assert "2 generations" in said
    assert "generation 3 is not complete: the same command with more --hours goes on with it" in said
    assert results(whole)[-1]["number"] == 2


def test_elo_adds_up_over_promotions_alone() -> None:
    def generation(number: int, elo: object, promoted: bool) -> Generation:
        epochs = [{"number": 1, "training": 0.6, "validation": 0.6, "results": 0.5}]
        match = {"games": 20, "points": 12.0, "decision": "accepted", "elo": elo and {"value": elo}}
        return Generation(number, "default", promoted, 100, 20, epochs, match, {"match": 3.0})

    history = [generation(1, 80.0, True), generation(2, 30.0, False), generation(3, "inf", True)]
    assert elo_by_generation(history) == [(0.0, 0.0), (1.0, 80.0), (2.0, 80.0), (3.0, 80.0)]
    assert "<td>+80</td>" in learning_page("a <game>", {}, history)
    assert "Learning a &lt;game&gt;" in learning_page("a <game>", {}, history)

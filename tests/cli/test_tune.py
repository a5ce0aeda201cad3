"""The command `tune`, as people run it."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pexpect
import pytest

from forgeron.arena import journal as journals
from forgeron.cli.main import main
from forgeron.core.weights import read_weights

Run = Callable[..., "subprocess.CompletedProcess[str]"]
Terminal = Callable[..., Any]
TESTS = Path(__file__).parent.parent
CONNECT_FOUR = str(TESTS.parent / "examples" / "game_connect_four.py")
TUNE = ("tune", CONNECT_FOUR, "--games", "20", "--rounds", "2", "--nodes", "60", "--jobs", "1")
PATIENCE_SECONDS = 120


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_help_page_has_examples(run: Run) -> None:
    done = run("tune", "--help")
    assert done.returncode == 0
    assert "forgeron tune yolah" in done.stdout.partition("Examples")[2]


def test_a_tuning_prints_its_weights_and_how_to_try_them_and_the_match_that_proves_them(
    run: Run, tmp_path: Path
) -> None:
    done = run(*TUNE, "--match", "4")
    assert done.returncode == 0, done.stderr
    for said in ("20 of 40 games", "round 1: ", "round 2: ", "log-loss on held-out games", "standard error", "tuned"):
        assert said in done.stdout
    (folder,) = (tmp_path / "tuning").iterdir()
    weights = read_weights(folder / "weights.json", "connect-four", ("lines", "to move"))
    rows = {line.split()[0]: line.split() for line in done.stdout.splitlines() if line.split()}
    assert [float(rows["lines"][-3]), float(rows["lines"][-2])] == [0.07, pytest.approx(weights[0], rel=1e-3)]
    assert json.loads((folder / "match.json").read_text())["games"] == 4
    try_it = next(line.split() for line in done.stdout.splitlines() if line.startswith("  forgeron match"))
    assert try_it[2] == CONNECT_FOUR
    tried = run(*try_it[1:], "--games", "2")
    assert tried.returncode == 0, tried.stderr
    assert "2 of 2 games" in tried.stdout
    again = run(*TUNE, "--match", "4")
    assert "40 games are played so far" in again.stdout
    assert again.stdout.splitlines()[-5:] == done.stdout.splitlines()[-5:]


@pytest.mark.parametrize("method", ["regression", "cma"])
def test_a_tuning_that_is_killed_comes_to_the_same_weights(
    run: Run, environment: dict[str, str], tmp_path: Path, method: str
) -> None:
    tune = (*TUNE[:2], "--method", method, "--games", "2" if method == "cma" else "20", *TUNE[4:])
    assert run(*tune, "--out", "whole").returncode == 0
    size = (tmp_path / "whole" / "games.journal").stat().st_size
    byte = random.Random(method).randrange(size)
    killed_run = str(TESTS / "arena" / "killed_run.py")
    torn = [sys.executable, killed_run, "torn", str(byte), *tune, "--out", "torn"]
    killed = subprocess.run(
        torn, env=environment, capture_output=True, timeout=PATIENCE_SECONDS, start_new_session=True
    )
    assert killed.returncode == -signal.SIGKILL
    assert not (tmp_path / "torn" / "weights.json").exists()
    assert run(*tune, "--out", "torn").returncode == 0
    for name in ("weights.json", "report.json"):
        assert (tmp_path / "torn" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_a_tuning_shows_a_live_table_and_can_be_stopped_and_continued(terminal: Terminal, tmp_path: Path) -> None:
    tune = (*TUNE, "--out", "mine")
    child = terminal(*tune)
    child.expect(r"[1-9]\d* of 40 games")
    child.sendintr()
    child.expect(r"stopped: (\d+) games? (?:are|is) saved in mine/games\.journal; run the same command to resume")
    safe = int(child.match[1])
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130
    assert len(journals.read(tmp_path / "mine" / "games.journal")[1]) == safe
    child = terminal(*tune)
    child.expect(rf"resuming mine/games\.journal: {safe} games? (?:are|is) played so far")
    child.expect("weights: mine/weights.json; to try them:")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    assert (tmp_path / "mine" / "weights.json").exists()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("tune", "yola"), "did you mean 'yolah'?"),
        (("tune", "yolah", "--method", "luck"), "there is no method of tuning 'luck'"),
        (("tune", "yolah", "--match", "3"), "give an even number such as 200, not 3"),
        (("tune", "yolah", "--match-time", "soon"), "'soon' is not a time"),
        (("tune", "yolah", "--jobs", "0"), "'--jobs': Input should be greater than or equal to 1"),
        (("tune", "yolah", "--games", "5"), "10 games a round or more, not 5"),
        (("tune", "yolah", "--out", "file/there"), "cannot make the folder file/there"),
    ],
)
def test_what_makes_no_sense_is_refused_with_one_line(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    arguments: tuple[str, ...],
    complaint: str,
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("FORGERON_QUIET", "1")  # what is compiled first is another story
    monkeypatch.setattr("sys.argv", ["forgeron", *arguments])
    with pytest.raises(SystemExit) as left:
        main()
    printed = capsys.readouterr()
    assert (left.value.code, printed.out) == (2, "")
    assert complaint in printed.err
    assert printed.err.count("\n") == 1
    assert os.listdir(tmp_path) == ["file"]

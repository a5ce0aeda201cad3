"""What a person should know about a player is said once, beside the output."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]
NOTICE = "no network comes with Forgeron for mancala[forty=True]: the default weights evaluate"

#: No network was trained for games that end when both have forty seeds.
FORTY = ("-o", "forty=true")
COMMANDS = {
    "play": ("play", "mancala", *FORTY, "--first", "neural", "--second", "greedy", "--nodes", "20", "--quiet"),
    "match": ("match", "mancala", *FORTY, "neural", "greedy", "--games", "2", "--time", "20n"),
    "analyse": ("analyse", "mancala", *FORTY, "--player", "neural", "--nodes", "200", "--json"),
}


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_network_that_is_not_there_is_told_once_and_not_in_the_output(run: Run, command: str) -> None:
    done = run(*COMMANDS[command])
    assert done.returncode == 0, done.stderr
    assert f"note: neural: {NOTICE}\n" in done.stderr
    assert done.stderr.count(NOTICE) == 1
    assert NOTICE not in done.stdout
    if "--json" in COMMANDS[command]:
        assert json.loads(done.stdout)["player"] == "neural"


def test_a_tournament_tells_it_before_its_first_game(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "two.toml"
    file.write_text(
        '[event]\ngame = "mancala"\ntime = "20n"\npairs = 1\n[event.options]\nforty = true\n\n'
        '[[entrant]]\nname = "ann"\nplayer = "neural"\n\n[[entrant]]\nname = "bob"\nplayer = "greedy"\n'
    )
    done = run("tournament", str(file))
    assert done.returncode == 0, done.stderr
    assert done.stderr.count(f"note: ann: {NOTICE}\n") == 1


def test_a_match_with_the_network_of_the_game_has_nothing_to_tell(run: Run) -> None:
    done = run("match", "yolah", "neural", "minimax", "--games", "2", "--time", "500n")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "2 games" in done.stdout or "2 of 2" in done.stdout

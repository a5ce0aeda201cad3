"""Luck-adjusted results as people see them."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def test_a_match_with_dice_shows_its_score_without_luck_everywhere(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["-o", "pieces=2", "--games", "60", "--time", "1n", "--journal", "dice.journal"]
    done = run("match", "yut", "greedy", "random", *words, COLUMNS="80")
    assert done.returncode == 0, done.stderr
    line = r"luck-adjusted score [\d.]+%, Elo \S+ ± \d+, games saved [\d.]+%"
    assert re.search(line, done.stdout)
    assert re.search(line, run("results", "dice.journal", COLUMNS="120").stdout)
    assert run("results", "dice.journal", "--json", "r.json", "--html", "r.html").returncode == 0
    match = json.loads(Path("r.json").read_text())["match"]
    assert 0.1 < match["luck_saving"] < 1
    assert match["adjusted_elo"]["high"] - match["adjusted_elo"]["low"] < match["elo"]["high"] - match["elo"]["low"]
    assert "score less the luck of the throws" in Path("r.html").read_text()


def test_a_game_without_dice_has_no_such_line(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("match", "yolah", "random", "random", "--games", "4", "--time", "1n")
    assert done.returncode == 0, done.stderr
    assert "luck" not in done.stdout


def test_the_standings_of_a_tournament_with_dice_have_the_points_less_luck(
    call: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    players = {"ann": "random", "bob": "greedy", "cid": "random"}
    entrants = "".join(f'[[entrant]]\nname = "{name}"\nplayer = "{player}"\n' for name, player in players.items())
    Path("cup.toml").write_text(
        f'[event]\ngame = "yut"\noptions = {{ pieces = 1 }}\ntime = "1n"\npairs = 2\n{entrants}'
    )
    done = call("tournament", "cup.toml", columns=80)
    assert done.returncode == 0, done.stderr
    assert "less luck" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    call("results", "cup.journal", "--json", "r.json", "--html", "r.html")
    rows = json.loads(Path("r.json").read_text())["standings"]
    assert sum(row["adjusted_points"] for row in rows) == pytest.approx(12.0), (
        "luck is taken from one, given to another"
    )
    assert any(abs(row["adjusted_points"] - row["points"]) > 0.01 for row in rows)
    assert "less luck" in Path("r.html").read_text()

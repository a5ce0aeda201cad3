"""The command probcut, as people run it."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Callable
from pathlib import Path

from forgeron.core.search_errors import check_search_errors

Run = Callable[..., "subprocess.CompletedProcess[str]"]
CONNECT_FOUR = str(Path(__file__).parent.parent.parent / "examples" / "game_connect_four.py")


def test_probcut_measures_a_game_and_prints_a_line_for_its_class(run: Run) -> None:
    done = run("probcut", CONNECT_FOUR, "--games", "16", "--nodes", "60", "--seed", "1")
    assert done.returncode == 0, done.stderr
    name, _, declared = done.stdout.strip().partition(" = ")
    errors = ast.literal_eval(declared)["linear"]
    assert name == "search_errors"
    assert errors[1, 0][1] > 0
    check_search_errors("connect-four", {"linear": errors})
    assert "16 of 16 games" in done.stderr
    assert "forgeron match" in done.stderr


def test_probcut_refuses_what_it_cannot_measure(run: Run) -> None:
    assert "minimax, which does not play Yut Nori" in run("probcut", "yut").stderr
    few = run("probcut", CONNECT_FOUR, "--games", "1", "--nodes", "20")
    assert few.returncode == 1
    assert "give more --games" in few.stderr
    assert few.stdout == ""

"""What a student does after a lost game: list the games, look at one, ask the database."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]
JOURNAL = "m.journal"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lost")


@pytest.fixture(autouse=True)
def match(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Four games of random, most of them lost; played once for all tests."""
    monkeypatch.chdir(folder)
    if not (folder / JOURNAL).exists():
        words = ["--games", "4", "--time", "5n", "--journal", JOURNAL]
        assert run("match", "yolah", "random", "greedy", *words).returncode == 0


def test_the_games_of_one_entrant_are_listed_and_one_is_looked_at(run: Run) -> None:
    listed = run("results", JOURNAL, "--games", "random", COLUMNS="80")
    assert listed.returncode == 0, listed.stderr
    rows = [line.split() for line in listed.stdout.splitlines() if line.split()[1:2] == ["greedy"]]
    assert [row[0] for row in rows] == ["1", "2", "3", "4"]
    assert {row[2] for row in rows} == {"first", "second"}
    lost = [row for row in rows if row[3] == "lost"]
    assert lost
    assert f"forgeron analyse {JOURNAL} --game N" in listed.stdout
    number, plies = lost[0][0], int(lost[0][5])
    replayed = run("replay", JOURNAL, "--game", number, "--moves")
    assert len(replayed.stdout.split()) == plies
    reviewed = run("analyse", JOURNAL, "--game", number, "--nodes", "20")
    assert reviewed.returncode == 0, reviewed.stderr
    assert "average loss" in reviewed.stdout


def test_all_games_are_listed_without_a_name(run: Run) -> None:
    listed = run("results", JOURNAL, "--games").stdout
    assert listed.count("greedy") == 4
    assert "– 1" in listed or "– 0" in listed


def test_a_name_that_nobody_has_and_a_game_that_is_not_chosen_are_refused(refused: Callable[..., str]) -> None:
    assert "there is no entrant 'gredy'; did you mean 'greedy'?" in refused("results", JOURNAL, "--games", "gredy")
    assert "--games greedy lists its games" in refused("results", JOURNAL, "greedy")
    assert "choose one by its number or id with --game" in refused("analyse", JOURNAL)
    Path("moves.txt").write_text("d5:b7\n")
    assert "name their game before it" in refused("analyse", "moves.txt")


def test_an_answer_that_is_too_wide_for_the_terminal_is_shown_row_by_row(run: Run) -> None:
    narrow = run("results", JOURNAL, "--query", "SELECT first, plies FROM games", COLUMNS="80").stdout
    assert "row 1 of" not in narrow
    wide = run("results", JOURNAL, "--query", "SELECT * FROM games", COLUMNS="80").stdout
    assert "row 4 of 4" in wide
    assert all(len(line) <= 80 for line in wide.splitlines())
    assert wide.count("score_second") == 4


def test_a_wrong_column_names_the_columns(refused: Callable[..., str]) -> None:
    said = refused("results", JOURNAL, "--query", "SELECT winer FROM games")
    assert "did you mean 'winner'?" in said
    assert "columns of games: id, number, round, first, second, winner" in said
    assert "tables: entrants, games, moves" in refused("results", JOURNAL, "--query", "SELECT 1 FROM plays")

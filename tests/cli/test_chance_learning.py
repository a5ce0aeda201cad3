"""The commands `solve` and `td`, as people run them, on the smallest game with dice."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import forgeron
from forgeron.core.game import TableLevel
from forgeron.core.network_file import read_network
from forgeron.core.table_file import TableFile, read_table, table_header, write_table
from forgeron.learning.exact_values import SolvingProgress, TableSolver
from forgeron.learning.td_training import TDLearner

Call = Callable[..., "subprocess.CompletedProcess[str]"]
ONE_PIECE = ("yut", "-o", "pieces=1")


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FORGERON_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def stopped_at(monkeypatch: pytest.MonkeyPatch, kind: type, method: str, call: int) -> None:
    """As if Ctrl-C were pressed while the method runs for this time."""
    original, calls = getattr(kind, method), 0

    def counting(*arguments: object) -> object:
        nonlocal calls
        calls += 1
        if calls == call:
            raise KeyboardInterrupt
        return original(*arguments)

    monkeypatch.setattr(kind, method, counting)


def test_solving_prints_the_value_of_the_game_and_leaves_a_table(call: Call) -> None:
    done = call("solve", *ONE_PIECE, "--fresh", "--out", "mine.table")
    assert done.returncode == 0, done.stderr
    assert "level 1-1, 871 positions: sweep 1, 100%" in done.stdout
    assert "who begins wins with probability 0.4931" in done.stdout
    assert len(read_table(Path("mine.table"), forgeron.game("yut", pieces=1)).entries) == 900


def test_what_is_known_is_not_computed_again(call: Call) -> None:
    done = call("solve", *ONE_PIECE)
    assert "who begins wins with probability 0.4931" in done.stdout
    assert "every value was known already" in done.stdout


def test_a_solver_that_is_stopped_says_what_is_safe(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped_at(monkeypatch, TableSolver, "_take", 3)
    done = call("solve", *ONE_PIECE, "--fresh", "--out", "mine.table")
    assert done.returncode == 130
    assert "stopped: every finished level is safe" in done.stdout
    assert not Path("mine.table").exists()


def test_a_table_that_was_named_is_gone_on_with_and_begun_from_what_is_known(call: Call) -> None:
    two = ("yut", "-o", "pieces=2", "--out", "mine.table")
    shipped = forgeron.game("yut").table()
    assert call("solve", *ONE_PIECE, "--fresh", "--out", "mine.table").returncode == 0
    done = call("solve", *two)
    assert "every value was known already" in done.stdout
    assert "table: mine.table" in done.stdout
    known = read_table(Path("mine.table"), forgeron.game("yut")).entries
    assert len(known) > 900
    assert np.array_equal(known[900:], shipped[900 : len(known)])
    before = Path("mine.table").read_bytes()
    call("solve", *two)
    assert Path("mine.table").read_bytes() == before


def test_what_a_named_table_has_is_not_computed_again(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forgeron.Game, "table", lambda _: np.zeros(0, dtype=np.uint16))
    assert "sweep 1" in call("solve", *ONE_PIECE, "--out", "mine.table").stdout
    assert "every value was known already" in call("solve", *ONE_PIECE, "--out", "mine.table").stdout


def test_a_finished_level_is_kept_before_the_next_one_begins(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    original = TableSolver._level

    def level(self: TableSolver, level: TableLevel, first: int) -> Iterator[SolvingProgress]:
        if level.name != "1-1":
            raise KeyboardInterrupt
        yield from original(self, level, first)

    monkeypatch.setattr(TableSolver, "_level", level)
    assert call("solve", "yut", "--upto", "2-1", "--fresh", "--out", "mine.table").returncode == 130
    assert len(read_table(Path("mine.table"), forgeron.game("yut")).entries) == 900


def test_what_another_run_writes_meanwhile_is_not_lost(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    original, longer = TableSolver._level, np.arange(2000, dtype=np.uint16)

    def level(self: TableSolver, level: TableLevel, first: int) -> Iterator[SolvingProgress]:
        write_table(Path("mine.table"), TableFile(table_header(self.game, "another run"), longer))
        yield from original(self, level, first)

    monkeypatch.setattr(TableSolver, "_level", level)
    assert call("solve", *ONE_PIECE, "--fresh", "--out", "mine.table").returncode == 0
    entries = read_table(Path("mine.table"), forgeron.game("yut")).entries
    assert np.array_equal(entries[900:], longer[900:])
    assert not np.array_equal(entries[:900], longer[:900])


def test_a_table_of_other_rules_is_refused_at_once_and_replaced_when_asked(
    call: Call, refused: Callable[..., str]
) -> None:
    assert call("solve", *ONE_PIECE, "--fresh", "--out", "mine.table").returncode == 0
    whole = Path("mine.table").read_bytes()
    Path("mine.table").write_bytes(whole.replace(b'"digest": "', b'"digest": "0'))
    said = refused("solve", *ONE_PIECE, "--out", "mine.table")
    assert "was computed for other rules" in said
    assert "computed afresh, it is replaced" in said
    assert call("solve", *ONE_PIECE, "--fresh", "--out", "mine.table").returncode == 0
    assert Path("mine.table").read_bytes() == whole
    Path("thesis.txt").write_text("all my work")
    assert "is not a table of Forgeron" in refused("solve", *ONE_PIECE, "--fresh", "--out", "thesis.txt")
    assert Path("thesis.txt").read_text() == "all my work"


def test_what_cannot_be_solved_or_does_not_fit_is_refused(refused: Callable[..., str]) -> None:
    assert "Yolah cannot be solved: that needs the functions chance, rank" in refused("solve", "yolah")
    assert "has no level '5-5': its levels are 1-1, 2-1" in refused("solve", "yut", "--upto", "5-5")
    assert "allow more, or ask for a lower level" in refused("solve", "yut", "--upto", "3-3")


def test_a_training_that_was_stopped_goes_on_and_ends_with_the_same_network(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("forgeron.learning.td_training._CHECKPOINT_SECONDS", 0)
    td = ("td", *ONE_PIECE, "--games", "300", "--seed", "3")
    whole = call(*td, "--out", "whole")
    assert whole.returncode == 0, whole.stderr
    assert "300 of 300 games" in whole.stdout
    assert "error of the network against the exact values that are known" in whole.stdout
    with monkeypatch.context() as patched:
        stopped_at(patched, TDLearner, "_round", 2)
        half = call(*td, "--out", "half")
    assert half.returncode == 130
    assert "td-checkpoint.npz has 100 games; the same command goes on" in half.stdout.replace("\n", " ")
    assert not Path("half/yut.network").exists()
    assert call(*td, "--out", "half").returncode == 0
    first, second = (read_network(Path(folder) / "yut.network").network for folder in ("whole", "half"))
    assert first.tobytes() == second.tobytes()


def test_a_training_that_was_stopped_at_once_says_that_nothing_is_kept(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped_at(monkeypatch, TDLearner, "_round", 1)
    done = call("td", *ONE_PIECE, "--games", "300", "--out", "mine")
    assert "stopped: no games are kept yet" in done.stdout
    assert not list(Path("mine").iterdir())


def test_a_game_without_a_table_is_learnt_too(call: Call) -> None:
    pig = Path(forgeron.__file__).parent.parent.parent / "examples" / "games" / "pig.py"
    done = call("td", str(pig), "--games", "100", "--out", "mine")
    assert done.returncode == 0, done.stderr
    assert "100 of 100 games" in done.stdout
    assert Path("mine/pig.network").exists()


def test_another_training_is_not_mixed_with_a_checkpoint(call: Call, refused: Callable[..., str]) -> None:
    assert call("td", *ONE_PIECE, "--games", "100", "--out", "mine").returncode == 0
    said = refused("td", *ONE_PIECE, "--games", "200", "--seed", "9", "--out", "mine")
    assert "was begun with games = 100, seed = 0: use the same settings or another folder" in said
    assert "needs chance" in refused("td", "yolah")

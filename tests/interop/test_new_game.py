"""`forgeron new-game` writes a game that runs, keeps every law, and a test of it that passes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import forgeron
from forgeron.cli.main import main
from forgeron.interop.new_game import new_game
from forgeron.interop.testing import check_game

GAMES = Path(__file__).parent.parent / "hostile" / "games"


def test_the_new_game_passes_its_own_test(tmp_path: Path) -> None:
    game, test = new_game("four-in-a-row", tmp_path)
    assert (game.name, test.name) == ("four_in_a_row.py", "test_four_in_a_row.py")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(test)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=600)
    assert done.returncode == 0, done.stdout
    assert "3 passed" in done.stdout
    assert forgeron.game(str(game)).title == "Four In A Row"


def test_the_command_writes_two_files_and_says_what_comes_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["forgeron", "new-game", "halma", "--folder", str(tmp_path)])
    with pytest.raises(SystemExit) as left:
        main()
    assert not left.value.code
    assert sorted(file.name for file in tmp_path.iterdir()) == ["halma.py", "test_halma.py"]
    assert f"forgeron check-game {tmp_path / 'halma.py'}" in capsys.readouterr().out


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "test_halma.py").write_text("mine")
    with pytest.raises(forgeron.ForgeronError, match="is there already: nothing was written"):
        new_game("halma", tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["test_halma.py"]


@pytest.mark.parametrize("name", ["Halma", "4-wins", "../halma", "hal ma", "class", ""])
def test_a_name_that_is_none_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(forgeron.OptionError, match="cannot be the name of a game"):
        new_game(name, tmp_path)


def test_the_name_of_a_game_that_there_is_is_refused(tmp_path: Path) -> None:
    with pytest.raises(forgeron.OptionError, match="there is a game 'yolah' already"):
        new_game("yolah", tmp_path)


def test_a_game_with_a_mistake_fails_the_assertion_with_what_would_do() -> None:
    with pytest.raises(AssertionError, match=r"turn: it says -1; say 0 or 1"):
        check_game(GAMES / "turn_of_nobody.py", seconds=0.5)

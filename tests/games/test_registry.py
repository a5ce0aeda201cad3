"""Games from elsewhere: announced by an installed package, or named by the path of a file."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import forgeron
from forgeron.core.errors import UnknownNameError

Run = Callable[..., subprocess.CompletedProcess[str]]
EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "game_connect_four.py"
MINIMAL = EXAMPLE.read_text(encoding="utf-8")


def announce(folder: Path, entry: str) -> dict[str, str]:
    """Lay a package out as pip would install it; return the environment of a process that has it."""
    package = folder / "four_in_a_row"
    package.mkdir()
    (package / "__init__.py").touch()
    shutil.copy(EXAMPLE, package / "rules.py")
    info = folder / "four_in_a_row-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: four-in-a-row\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[forgeron.games]\n{entry}\n")
    path = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {"PYTHONPATH": path, "FORGERON_CACHE_DIR": str(folder / "cache")}


def write(folder: Path, text: str, name: str = "game_mine.py") -> str:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return str(file)


def refusal(path: str) -> str:
    with pytest.raises(forgeron.ForgeronError) as caught:
        forgeron.game(path)
    assert "\n" not in str(caught.value)
    return str(caught.value)


PLAY = """
import sys, forgeron
from forgeron.core import cache
print("four_in_a_row" in sys.modules, *forgeron.game_names())
game = forgeron.game("connect-four")
position = game.start()
for column in "1212121":
    position = position.play(column)
print(position.outcome.winner, game.perft(game.start(), 4))
print(forgeron.player("monte-carlo", game, seed=1).choose(game.start(), forgeron.Limit(nodes=500)).move)
print(len(cache.compilations))
"""


def test_a_game_of_an_installed_package_is_listed_and_plays_and_keeps_its_code(tmp_path: Path, run_python: Run) -> None:
    environment = announce(tmp_path, "connect-four = four_in_a_row.rules:ConnectFour")
    listed, result, move, compiled = run_python(PLAY, **environment).stdout.splitlines()
    assert listed.split() == ["False", *sorted([*forgeron.game_names(), "connect-four"])]
    assert result == "0 2401"
    assert int(compiled) > 0
    again = run_python(PLAY, **environment).stdout.splitlines()
    assert again == [listed, result, move, "0"]


def test_a_game_that_is_announced_but_not_there_says_so(tmp_path: Path, run_python: Run) -> None:
    environment = announce(tmp_path, "connect-four = four_in_a_row.nowhere:ConnectFour")
    code = """
import forgeron
try:
    forgeron.game("connect-four")
except forgeron.ForgeronError as error:
    print(error)
"""
    said = run_python(code, **environment).stdout
    assert said.startswith("game 'connect-four' is announced as four_in_a_row.nowhere:ConnectFour, which cannot be")
    assert "No module named 'four_in_a_row.nowhere'" in said


def test_an_announced_object_that_is_no_game_is_refused(tmp_path: Path, run_python: Run) -> None:
    environment = announce(tmp_path, "connect-four = four_in_a_row.rules:State")
    code = "import forgeron\ntry: forgeron.game('connect-four')\nexcept forgeron.ForgeronError as error: print(error)"
    assert "not a subclass of forgeron.Game" in run_python(code, **environment).stdout


def test_an_unknown_name_gets_the_nearest_name_and_the_valid_list() -> None:
    with pytest.raises(UnknownNameError) as caught:
        forgeron.game("yola")
    assert str(caught.value) == (
        f"there is no game 'yola'; did you mean 'yolah'? valid: {', '.join(forgeron.game_names())}"
    )
    with pytest.raises(UnknownNameError, match="there is no game 'tic-tac-toe'; valid: "):
        forgeron.game("tic-tac-toe")


def test_a_missing_file_is_named_with_the_nearest_one(tmp_path: Path) -> None:
    assert refusal(str(tmp_path / "game.py")) == f"there is no file {tmp_path / 'game.py'}"
    write(tmp_path, "", name="game_mine.py")
    assert refusal(str(tmp_path / "game_nine.py")).endswith("game_nine.py; did you mean 'game_mine.py'?")


def test_a_folder_is_not_a_file(tmp_path: Path) -> None:
    folder = tmp_path / "folder.py"
    folder.mkdir()
    assert refusal(str(folder)).startswith(f"there is no file {folder}")


def test_a_file_with_no_game_is_refused(tmp_path: Path) -> None:
    file = write(tmp_path, "from forgeron import Game\n")
    assert refusal(file) == f"{file} defines 0 games; it must define one subclass of forgeron.Game with a name"


def test_a_file_with_two_games_names_them(tmp_path: Path) -> None:
    second = '\n\nclass Other(ConnectFour):\n    name = "other"\n'
    assert "defines 2 games (ConnectFour, Other)" in refusal(write(tmp_path, MINIMAL + second))


def test_a_base_class_beside_the_game_is_no_second_game(tmp_path: Path) -> None:
    file = write(tmp_path, MINIMAL.replace("class ConnectFour(Game)", "class Base(Game): ...\n\n\nclass Four(Base)"))
    assert forgeron.game(file).name == "connect-four"


def test_a_syntax_error_names_file_and_line(tmp_path: Path) -> None:
    file = write(tmp_path, "import forgeron\n\ndef broken(:\n")
    assert refusal(file) == f"{file}, line 3: invalid syntax"


def test_an_error_while_loading_names_file_line_and_kind(tmp_path: Path) -> None:
    file = write(tmp_path, "import forgeron\nWIDTH = 1 / 0\n")
    assert refusal(file) == f"{file}, line 2: ZeroDivisionError: division by zero"
    file = write(tmp_path, "import no_such_module\n", name="game_other.py")
    assert refusal(file) == f"{file}, line 1: ModuleNotFoundError: No module named 'no_such_module'"


def test_a_game_that_breaks_the_contract_says_what_is_missing(tmp_path: Path) -> None:
    file = write(tmp_path, MINIMAL.replace("@rule\ndef score", "def score"))
    assert refusal(file) == "game 'connect-four' has no rule for: score"


def test_a_file_that_failed_can_be_mended_and_loaded(tmp_path: Path) -> None:
    file = write(tmp_path, "def broken(:\n")
    refusal(file)
    write(tmp_path, MINIMAL)
    assert forgeron.game(file).perft(forgeron.game(file).start(), 2) == 49
    assert not [name for name in sys.modules if name.startswith("forgeron_file_") and sys.modules[name] is None]


def test_two_files_of_the_same_name_are_two_games(tmp_path: Path) -> None:
    for folder, columns in (("seven", 7), ("five", 5)):
        (tmp_path / folder).mkdir()
        write(tmp_path / folder, MINIMAL.replace("COLUMNS = 7", f"COLUMNS = {columns}"))
    seven, five = (forgeron.game(str(tmp_path / folder / "game_mine.py")) for folder in ("seven", "five"))
    assert seven.perft(seven.start(), 3) == 343
    assert five.perft(five.start(), 3) == 125
    assert seven.perft(seven.start(), 4) == 2401
    assert seven != five

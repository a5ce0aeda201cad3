"""Players from elsewhere: announced by an installed package, or named by the path of a file."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import forgeron
from conftest import EXAMPLES, ROOT
from forgeron.analysis.review import open_analyst
from forgeron.arena.journal import read
from forgeron.core.errors import ContractError, UnknownNameError

Run = Callable[..., subprocess.CompletedProcess[str]]
PLAYER_FILE = ROOT / "examples" / "player_mobility.py"
FOUR = str(EXAMPLES[0])


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    shutil.copyfile(PLAYER_FILE, tmp_path / "mine.py")
    return tmp_path


def announce(folder: Path, entry: str) -> dict[str, str]:
    """Lay a package out as pip would install it; return the environment of a process that has it."""
    package = folder / "my_players"
    package.mkdir()
    (package / "__init__.py").touch()
    shutil.copy(PLAYER_FILE, package / "one.py")
    (package / "wrong.py").write_text("1 / 0\n")
    info = folder / "my_players-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-players\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[forgeron.players]\n{entry}\n")
    return {"PYTHONPATH": os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])}


def test_a_player_of_an_installed_package_is_found_by_its_name(own_folder: Path, run_python: Run) -> None:
    code = """
import forgeron
game = forgeron.game("yolah")
player = forgeron.player("mine", game, ties="last")
print(player, player.chosen, "mine" in forgeron.player_names(game))
"""
    environment = announce(own_folder, "mine = my_players.one:MobilityPlayer")
    said = run_python(code, **environment).stdout
    assert said == "<Player mobility of yolah> {'ties': 'last'} True\n"


def test_a_package_that_cannot_be_loaded_harms_nobody_else(own_folder: Path, run_python: Run) -> None:
    code = """
import forgeron
game = forgeron.game("yolah")
print("greedy" in forgeron.player_names(game), "mine" in forgeron.player_names(game))
try: forgeron.player("mine", game)
except forgeron.ForgeronError as error: print(error)
"""
    said = run_python(code, **announce(own_folder, "mine = my_players.wrong:Mine")).stdout
    assert said.startswith("True False\nplayer 'mine' is announced as my_players.wrong:Mine, which cannot be loaded: ")
    assert "ZeroDivisionError: division by zero" in said


def test_a_player_is_found_by_the_path_of_its_file() -> None:
    game = forgeron.game("yolah")
    player = forgeron.player("./mine.py", game, ties="last")
    assert repr(player) == "<Player mobility of yolah>"
    with pytest.raises(UnknownNameError, match=r"no option of player mobility 'tie'; did you mean 'ties'\?"):
        forgeron.player("./mine.py", game, tie="last")


def test_a_file_with_two_players_is_refused(own_folder: Path) -> None:
    text = PLAYER_FILE.read_text() + '\n\nclass Other(MobilityPlayer):\n    name = "other"\n'
    (own_folder / "two.py").write_text(text)
    with pytest.raises(forgeron.ForgeronError, match=r"defines 2 players \(MobilityPlayer, Other\)"):
        forgeron.player("./two.py", forgeron.game("yolah"))


def test_a_player_whose_options_nobody_could_give_is_refused() -> None:
    for options, message in [
        ({"seed": forgeron.Option(1, (1, 2), "")}, "cannot have an option 'seed'"),
        ({"two words": forgeron.Option(1, (1, 2), "")}, "cannot have an option 'two words'"),
        ({"size": forgeron.Option(3, (1, 2), "")}, "the default of an option must be allowed"),
    ]:
        with pytest.raises(ContractError, match=message):
            type("Wrong", (forgeron.Player,), {"name": "wrong", "options": options})


def test_workers_load_a_player_of_a_file_and_play_the_same_games(own_folder: Path) -> None:
    def play(jobs: int) -> list[tuple[str, ...]]:
        match = forgeron.match(FOUR, "./mine.py:ties=last", "random", games=4, time="5n", seed=1, jobs=jobs)
        assert match.names == ("mobility:ties=last", "random")
        assert all(record.reason in ("win", "draw") for record in match.records)
        return [record.moves for record in match.records]

    assert play(1) == play(2)


def test_a_tournament_finds_the_file_of_a_player_beside_its_own(
    own_folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    (own_folder / "cup.toml").write_text(
        f'[event]\ngame = "{FOUR}"\ntime = "5n"\njobs = 2\n'
        '[[entrant]]\nname = "me"\nplayer = "./mine.py"\noptions = {ties = "last"}\n'
        '[[entrant]]\nplayer = "random"\n'
    )
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    results = forgeron.tournament(own_folder / "cup.toml")
    assert {row.name: row.faults.total() for row in results.rows} == {"me": 0, "random": 0}
    (own_folder / "mine.py").unlink()
    assert len(forgeron.read_results(own_folder / "cup.journal").games) == 2, "results need no players"


def test_a_player_of_a_file_judges_positions() -> None:
    judge = open_analyst(forgeron.game("yolah"), "./mine.py:ties=last")
    assert (judge.name, judge.chosen) == ("mobility", {"ties": "last"})


def test_play_and_match_take_the_file_of_a_player(own_folder: Path, run_python: Run) -> None:
    code = """
import sys
from forgeron.cli.main import main
sys.argv = ["forgeron", {arguments}]
main()
"""

    def forgeron_command(*arguments: str) -> str:
        done = run_python(code.format(arguments=", ".join(map(repr, arguments))))
        return done.stdout

    shown = forgeron_command(
        "play", FOUR, "--first", "./mine.py:ties=last", "--second", "random", "--nodes", "5", "--seed", "1"
    )
    assert "yellow (./mine.py:ties=last) plays" in shown
    forgeron_command("match", FOUR, "./mine.py", "random", "--games", "2", "--time", "5n", "--journal", "m.journal")
    assert {name for record in read(Path("m.journal"))[1].values() for name in record.players} == {"mobility", "random"}


def test_a_player_without_its_method_is_refused_in_one_line(own_folder: Path) -> None:
    text = (own_folder / "mine.py").read_text()
    (own_folder / "mine.py").write_text(text.replace("def think", "def thinks"))
    with pytest.raises(ContractError, match=r"player \./mine\.py: MobilityPlayer has no method think$"):
        forgeron.player("./mine.py", forgeron.game("yolah"))

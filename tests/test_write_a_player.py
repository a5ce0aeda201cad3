"""docs/write-a-player.md: every line of its player is told, every block of code runs, every command is executed."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "write-a-player.md").read_text(encoding="utf-8")
FILE = ROOT / "examples" / "player_my_mcts.py"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def forgeron_command(*words: str, folder: Path = ROOT, typed: str = "", **extra: str) -> str:
    environ = {**os.environ, "FORGERON_QUIET": "1", "PYTHONUTF8": "1", **extra}
    command = [sys.executable, "-m", "forgeron", *words]
    done = subprocess.run(
        command, input=typed, capture_output=True, encoding="utf-8", cwd=folder, env=environ, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_every_line_of_the_player_is_in_the_tutorial_and_it_is_short() -> None:
    told = {line for block in blocks("python") for line in block.splitlines()}
    lines = [line for line in FILE.read_text(encoding="utf-8").splitlines() if line.strip()]
    assert not [line for line in lines if line not in told]
    assert len(lines) <= 60


def test_every_python_block_is_in_the_player_or_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.syspath_prepend(str(ROOT))
    code, names, run = FILE.read_text(encoding="utf-8"), {}, 0
    for block in blocks("python"):
        if not block.startswith(">>>"):
            assert block in code
            continue
        test = doctest.DocTestParser().get_doctest(block, names, "write-a-player.md", None, 0)
        runner, report = doctest.DocTestRunner(), []
        runner.run(test, out=report.append, clear_globs=False)
        assert runner.failures == 0, "".join(report)
        names, run = test.globs, run + 1
    assert run >= 3


@pytest.mark.parametrize("command", blocks("sh")[0].splitlines())
def test_every_command_of_the_tutorial_works(command: str, tmp_path: Path) -> None:
    """By its path the player enters play, match, analysis and suites."""
    words = shlex.split(command)[1:]
    if words[0] == "match":
        words += ["--journal", str(tmp_path / "m.journal")]
    said = forgeron_command(*words, typed="resign\nyes\n", FORGERON_DATA_DIR=str(tmp_path))
    expected = {"play": "resigns", "match": "my-mcts", "analyse": "black wins", "suite": "solved ("}
    assert expected[words[0]] in said


def test_it_plays_in_a_tournament(tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (tmp_path / "cup.toml").write_text(blocks("toml")[0])
    forgeron_command("tournament", "cup.toml", folder=tmp_path)
    table = forgeron_command("results", "cup.journal", folder=tmp_path)
    assert re.search(r"\bmine\b", table)
    assert "2 games" in table


def test_by_an_entry_point_it_has_a_name_in_every_command(tmp_path: Path) -> None:
    package = tmp_path / "site" / "my_package"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "player_my_mcts.py").write_text(FILE.read_text(encoding="utf-8"))
    info = tmp_path / "site" / "my_package-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my_package\nVersion: 1.0\n")
    entry = blocks("toml")[1].splitlines()[1].replace('"', "")
    (info / "entry_points.txt").write_text(f"[forgeron.players]\n{entry}\n")
    found = {"PYTHONPATH": str(tmp_path / "site"), "FORGERON_DATA_DIR": str(tmp_path)}
    assert "my-mcts" in forgeron_command("games", **found)
    words = ["--games", "2", "--time", "10n", "--journal", str(tmp_path / "m.journal")]
    assert "my-mcts" in forgeron_command("match", "yolah", "my-mcts", "random", *words, **found)
    assert "resigns" in forgeron_command("play", "yolah", "--second", "my-mcts", typed="resign\nyes\n", **found)
    assert "black wins" in forgeron_command("analyse", "yolah", "--player", "my-mcts", "--nodes", "20", **found)
    (tmp_path / "cup.toml").write_text(
        '[event]\ngame = "yolah"\ntime = "10n"\n[[entrant]]\nplayer = "my-mcts"\n[[entrant]]\nplayer = "random"\n'
    )
    forgeron_command("tournament", str(tmp_path / "cup.toml"), **found)
    assert "my-mcts" in forgeron_command("results", str(tmp_path / "cup.journal"), **found)

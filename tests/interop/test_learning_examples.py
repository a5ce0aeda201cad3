"""The page about reinforcement learning runs as written, and so do the examples that learn."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "reinforcement-learning.md").read_text(encoding="utf-8")


def test_the_examples_of_the_page_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    blocks = re.findall(r"^```python\n(>>>.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    test = doctest.DocTestParser().get_doctest("".join(blocks), {}, "page", "page", 0)
    report: list[str] = []
    runner = doctest.DocTestRunner()
    runner.run(test, out=report.append)
    assert runner.tries > 3
    assert runner.failures == 0, "".join(report)


@pytest.mark.parametrize(
    ("name", "argument", "expected"),
    [
        ("policy.py", "2", r"update 2: .*\npolicy – random: [\d.]+ of 100.*\npolicy – greedy: "),
        (
            "alphazero.py",
            "1",
            r"round 1: .* positions, loss [\d.]+\nalphazero – random: [\d.]+ of 20.*\nalphazero – greedy: ",
        ),
    ],
)
def test_an_example_that_learns_runs(name: str, argument: str, expected: str, tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="pip install 'forgeron[train]'")
    (tmp_path / "learning").mkdir()
    shutil.copy(ROOT / "examples" / "game_connect_four.py", tmp_path)
    file = shutil.copy(ROOT / "examples" / "learning" / name, tmp_path / "learning")
    environ = {**os.environ, "FORGERON_QUIET": "1", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, file, argument], capture_output=True, encoding="utf-8", env=environ, timeout=600
    )
    assert done.returncode == 0, done.stderr
    assert re.search(expected, done.stdout), done.stdout

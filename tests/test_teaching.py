"""docs/teaching.md: a competition from nothing to the published site, every command of the page in its order."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import forgeron

PAGE = (Path(__file__).parent.parent / "docs" / "teaching.md").read_text(encoding="utf-8")
PATIENCE_SECONDS = 300


@pytest.mark.skipif(shutil.which("cc") is None, reason="a C compiler is not installed: the page builds a bot in C")
def test_every_command_of_the_page_runs(tmp_path: Path) -> None:
    program = tmp_path / "bin" / "forgeron"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m forgeron "$@"\n')
    program.chmod(0o755)
    own = {"PATH": f"{program.parent}:{os.environ['PATH']}", "FORGERON_DATA_DIR": str(tmp_path / "data")}
    here, said = tmp_path, {}
    for block, after in re.findall(r"^```sh\n(.*?)^```\n\n(.*?)(?=\n\n|\Z)", PAGE, re.MULTILINE | re.DOTALL):
        done = subprocess.run(
            ["bash", "-ec", block],
            cwd=here,
            env={**os.environ, **own, "FORGERON_QUIET": "1", "COLUMNS": "100"},
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
        )
        assert done.returncode == ("exit code is 1" in after), f"{block}\n{done.stdout}\n{done.stderr}"
        said[block] = done.stdout
        here = tmp_path / "class"
    told = "\n".join(said.values())
    assert len(said) > 8
    assert "not ready: Gus" in told
    assert "Gus is set aside" in told
    assert "changed: Zoe was added" in told
    assert re.search(
        r"changed: Gus was (set aside, and its files have changed: its \d+ games are played again|replaced)", told
    )
    results = forgeron.read_results(here / "class.journal")
    assert {row.name for row in results.rows} == {"Ann", "Ben", "Gus", "Zoe", "Minimax 200"}
    assert len(results.games) == 20
    assert results.due == 0
    assert len(forgeron.read_results(here / "again.journal").games) == 12
    assert "Spring cup, final" in (here / "site" / "index.html").read_text(encoding="utf-8")
    assert len(list((here / "site" / "games").iterdir())) == 20
    assert len(list((here / "site" / "bots").iterdir())) == 5
    assert (here / "table.csv").is_file()
    assert (here / "report.html").is_file()

"""Whatever somebody types: one clear line and the right exit code, at once; never a traceback, never silence."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hostile.command_line_fuzz import GAME, definitions

FUZZ = Path(__file__).parent / "command_line_fuzz.py"
#: As plain Python: what is tried is the command line, and nothing has to be compiled for it.
PLAIN = {**os.environ, "FORGERON_JIT": "0"}


def fuzz(folder: Path, seed: int, count: int, silent_seconds: float) -> dict[str, Any]:
    environment = {**PLAIN, "FORGERON_DATA_DIR": str(folder / "data")}
    environment["FUZZ_SILENT_SECONDS"] = str(silent_seconds)
    done = subprocess.run(
        [sys.executable, str(FUZZ), str(folder), str(seed), str(count)],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_every_number_of_every_command_has_bounds() -> None:
    numbers = [(command, one) for command, ones in definitions().items() for one in ones if one.is_number]
    assert len(numbers) > 40
    assert [f"{command} {one.name}" for command, one in numbers if one.least is None or one.most is None] == []


def test_no_command_line_breaks_a_promise(tmp_path: Path) -> None:
    found = fuzz(tmp_path, 1, 300, silent_seconds=20.0)
    assert found["broken"] == []
    assert {end.split()[0] for end in found["ends"]} == set(definitions()), "every command was tried"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["publish", "/", "--out", "site"], "error: / is not a regular file"),
        (["learn", GAME, "--time", "60+nan"], "error: "),
        (["learn", GAME, "--start", "nothing"], "error: "),
        (["learn", GAME, "--executor", "nothing"], "error: "),
    ],
)
def test_what_is_wrong_is_said_before_the_work(words: list[str], said: str, tmp_path: Path) -> None:
    """Found by the fuzz; importing PyTorch alone takes seconds."""
    script = "import sys; from forgeron.cli.main import main\ntry: main()\nfinally: assert 'torch' not in sys.modules"
    done = subprocess.run(
        [sys.executable, "-c", script, *words],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=PLAIN,
        check=False,
        timeout=300,
    )
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith(said)
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
def test_no_command_line_of_ten_thousand_breaks_a_promise(tmp_path: Path) -> None:
    found = fuzz(tmp_path, 2, 10_000, silent_seconds=2.0)
    assert found["broken"] == []

"""Training where PyTorch is not installed: said at once, and nothing is left behind."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]
GAME = Path(__file__).parents[2] / "examples" / "game_connect_four.py"
AS_IF_IT_WERE_NOT_INSTALLED = """
import importlib.util, sys
whole = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == "torch" else whole(name, *rest)
sys.modules["torch"] = None
from forgeron.cli.main import main
sys.argv = ["forgeron", *{arguments!r}]
try:
    main()
except SystemExit as ended:
    print(ended.code)
"""


@pytest.mark.parametrize("command", [["learn", str(GAME), "--games", "10"], ["train", str(GAME), "nowhere"]])
def test_it_is_said_before_anything_is_written(command: list[str], run_python: Run, tmp_path: Path) -> None:
    code = AS_IF_IT_WERE_NOT_INSTALLED.format(arguments=[*command, "--out", str(tmp_path / "out")])
    done = run_python(code)
    assert done.stderr.startswith("error: training needs PyTorch: pip install")
    assert done.stderr.count("\n") == 1
    assert done.stdout == "2\n"
    assert not (tmp_path / "out").exists()

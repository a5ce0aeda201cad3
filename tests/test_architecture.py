"""Folders import only folders below them (docs/architecture.md), and importing Forgeron is cheap."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "forgeron"
LOWEST_FIRST = ["core", "games", "kernels", "players", "arena", "learning", "interop", "web", "cli"]


def imported(file: Path) -> Iterator[str]:
    """The forgeron folders that a file imports, wherever in the file it does so."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: imports are written in full"
            names = [node.module or ""]
        for name in names:
            parts = name.split(".")
            if parts[0] == "forgeron" and len(parts) > 1:
                yield parts[1]


@pytest.mark.parametrize("file", sorted(SOURCE.rglob("*.py")), ids=lambda file: str(file.relative_to(SOURCE)))
def test_a_file_imports_only_folders_that_are_not_above_its_own(file: Path) -> None:
    folder = file.relative_to(SOURCE).parts[0]
    if folder not in LOWEST_FIRST:
        assert folder.endswith(".py"), (
            f"folder {folder} has no place in the order: add it here and in docs/architecture.md"
        )
        return
    for other in imported(file):
        assert LOWEST_FIRST.index(other) <= LOWEST_FIRST.index(folder), f"{folder} may not import {other}"


def test_a_game_does_not_import_another_game() -> None:
    for file in (SOURCE / "games").glob("*/*.py"):
        own = file.parent.name
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("forgeron.games."):
                assert (node.module or "").split(".")[2] == own


def test_importing_forgeron_imports_neither_numba_nor_numpy(
    run_python: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    code = "import sys, forgeron; print([name for name in ('numba', 'numpy', 'rich') if name in sys.modules])"
    assert run_python(code).stdout == "[]\n"


def test_the_public_names_exist(run_python: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    code = "import forgeron; print(all(getattr(forgeron, name) is not None for name in forgeron.__all__))"
    assert run_python(code).stdout == "True\n"

"""Errors of the library are for everybody who calls it: they know nothing of the command line."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "forgeron"
FLAG = re.compile(r"(?<![\w-])--[a-z]")


def complaints(text: str) -> Iterator[str]:
    """What is wrong with the errors that a module raises: a line for each."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Raise) or node.exc is None:
            continue
        for part in ast.walk(node.exc):
            if isinstance(part, ast.Constant) and isinstance(part.value, str) and FLAG.search(part.value):
                yield f"line {part.lineno}: {part.value!r} names a flag of the command line"
            if isinstance(part, ast.Call) and isinstance(part.func, ast.Call):
                yield f"line {part.lineno}: an error is rebuilt by its type, whose arguments nobody knows"


def library() -> list[str]:
    files = (file.relative_to(SOURCE) for file in SOURCE.rglob("*.py"))
    return sorted(str(file) for file in files if file.parts[0] != "cli")


@pytest.mark.parametrize("path", library())
def test_no_error_of_the_library_names_a_flag_or_is_rebuilt_by_its_type(path: str) -> None:
    assert list(complaints((SOURCE / path).read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "text",
    [
        "raise OptionError('say which one with --game')",
        "raise OptionError(f'{path}: use --method regression')",
        "try:\n    f()\nexcept ForgeronError as error:\n    raise type(error)(f'entrant: {error}') from None",
    ],
)
def test_the_law_notices_who_breaks_it(text: str) -> None:
    assert list(complaints(text))


def test_the_law_lets_the_others_be() -> None:
    assert list(complaints("raise OptionError('./bot-fast -- fast')\nrun('bwrap', '--dev')")) == []

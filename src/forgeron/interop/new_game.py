"""The first version of a game of your own: a file that runs, and its test."""

from __future__ import annotations

import keyword
import re
from importlib.resources import files
from pathlib import Path

from forgeron.core.errors import ForgeronError, OptionError
from forgeron.core.registry import game_names


def new_game(name: str, folder: Path) -> list[Path]:
    """Write the game `name` and its test into the folder; the paths of both. Nothing that is there is changed."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name) or keyword.iskeyword(name):
        raise OptionError(f"'{name}' cannot be the name of a game: lower-case words joined by -, such as four-in-a-row")
    if name in game_names():
        raise OptionError(f"there is a game '{name}' already; choose another name")
    file = f"{name.replace('-', '_')}.py"
    words = [word.capitalize() for word in name.split("-")]
    fill = {"name": name, "file": file, "title": " ".join(words), "cls": "".join(words)}
    texts = {file: _filled("game.py.txt", fill), f"test_{file}": _filled("test_game.py.txt", fill)}
    if not folder.is_dir():
        raise ForgeronError(f"there is no folder {folder}")
    for written in texts:
        if (folder / written).exists():
            raise ForgeronError(f"{folder / written} is there already: nothing was written")
    for written, text in texts.items():
        (folder / written).write_text(text, encoding="utf-8")
    return [folder / written for written in texts]


def _filled(template: str, words: dict[str, str]) -> str:
    text = (files("forgeron.interop") / "templates" / template).read_text(encoding="utf-8")
    for name, word in words.items():
        text = text.replace(f"{{{name}}}", word)
    return text

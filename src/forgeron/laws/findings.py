"""The findings about a game: which law it breaks, where, and the shortest game that shows it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

#: The first thing that is tried.
LOADS = "The file loads and defines one game"


@dataclass(frozen=True)
class Finding:
    """A law that a game breaks; plain data, because it comes from another process."""

    law: str
    """the sentence"""
    said: str
    """what happened"""
    remedy: str
    """what would do"""
    rule: str = ""
    """the function, method or attribute that did it, where that is known"""
    file: str = ""
    line: int = 0
    """0 where it is not known"""
    moves: tuple[str, ...] | None = None
    """the game that shows it; None where no position was reached"""
    position: str = ""
    shortest: bool = False
    """whether every shorter game was tried"""
    options: str = ""
    """the preset with which it was found"""

    @property
    def place(self) -> str:
        return f"{self.file}, line {self.line}" if self.file and self.line else self.file

    @property
    def summary(self) -> str:
        """One line: where, what, and what would do."""
        rule = f"{self.rule}: " if self.rule and not self.said.startswith(self.rule) else ""
        return f"{self.place}: {rule}{self.said}; {self.remedy}".removeprefix(": ")

    def to_data(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Finding:
        moves = data["moves"]
        return cls(**{**data, "moves": None if moves is None else tuple(moves)})


def digest_of(file: Path) -> str:
    """What tells a version of a file from another."""
    return hashlib.blake2b(file.read_bytes(), digest_size=16).hexdigest()

"""Several events looked at as one: nothing is played in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from forgeron.arena.entrant import Entrant
from forgeron.arena.event import Terms


@dataclass(frozen=True)
class Merged:
    """Events of the same game, in the order in which they were named."""

    titles: tuple[str, ...]
    terms: Terms
    """those of the first; the others may have had another time, seed or openings"""
    entrants: tuple[Entrant, ...]
    format: str = "merged"

    @property
    def names(self) -> list[str]:
        return [entrant.name for entrant in self.entrants]

    @property
    def title(self) -> str:
        return " + ".join(dict.fromkeys(self.titles))

    def settings(self) -> dict[str, Any]:
        """What is known about all of it."""
        return {
            "kind": "merged",
            "events": list(self.titles),
            **self.terms.to_data(),
            "entrants": [entrant.to_data() for entrant in self.entrants],
        }

"""Coloured Mancala as a beginner would write it from the rules: a list of holes, sown seed by seed."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field

TOKENS = ("R", "B", "TR", "TB")


def two_of_each() -> list[dict[str, int]]:
    return [{"red": 2, "blue": 2, "transparent": 2} for _ in range(16)]


@dataclass
class NaiveMancala:
    """A position; `holes[0]` is hole 1."""

    owners: str = "halves"
    limit: int = 400
    forty: bool = False
    holes: list[dict[str, int]] = field(default_factory=two_of_each)
    captured: list[int] = field(default_factory=lambda: [0, 0])
    mover: int = 0
    plies: int = 0
    ending: str = ""
    """why the game is over, or nothing"""

    def owner(self, hole: int) -> int:
        """Who owns hole 1 … 16."""
        if self.owners == "halves":
            return 0 if hole <= 8 else 1
        return 0 if hole % 2 == 1 else 1

    def total(self, hole: int) -> int:
        return sum(self.holes[hole - 1].values())

    def on_board(self) -> int:
        return sum(self.total(hole) for hole in range(1, 17))

    def moves(self) -> list[str]:
        if self.ending:
            return []
        found = []
        for hole in range(1, 17):
            if self.owner(hole) != self.mover:
                continue
            seeds = self.holes[hole - 1]
            if seeds["red"] > 0:
                found.append(f"{hole}R")
            if seeds["blue"] > 0:
                found.append(f"{hole}B")
            if seeds["transparent"] > 0:
                found.append(f"{hole}TR")
                found.append(f"{hole}TB")
        return found

    def play(self, move: str) -> NaiveMancala:
        after = deepcopy(self)
        after._play(move)
        return after

    def _play(self, move: str) -> None:
        origin = int(move.rstrip("RBT"))
        as_colour = "red" if move.endswith("R") else "blue"
        order = ["transparent", as_colour] if "T" in move else [as_colour]
        hand = []
        for colour in order:
            hand += [colour] * self.holes[origin - 1][colour]
            self.holes[origin - 1][colour] = 0
        here = origin
        for seed in hand:
            here = here % 16 + 1
            while here == origin or (as_colour == "blue" and self.owner(here) == self.mover):
                here = here % 16 + 1
            self.holes[here - 1][seed] += 1
        while self.total(here) in (2, 3):
            self.captured[self.mover] += self._empty(here)
            here = 16 if here == 1 else here - 1
        self.plies += 1
        self.ending = self._end()
        self.mover = 1 - self.mover

    def _empty(self, hole: int) -> int:
        taken = self.total(hole)
        self.holes[hole - 1] = {"red": 0, "blue": 0, "transparent": 0}
        return taken

    def _end(self) -> str:
        opponent = 1 - self.mover
        if all(self.total(hole) == 0 for hole in range(1, 17) if self.owner(hole) == opponent):
            for hole in range(1, 17):
                self.captured[self.mover] += self._empty(hole)
            return "starving"
        if max(self.captured) >= 49:
            return "49 seeds"
        if self.on_board() < 10:
            return "fewer than 10 seeds left"
        if self.plies == self.limit:
            return "ply limit"
        if self.forty and min(self.captured) >= 40:
            return "both have 40 seeds"
        return ""

"""Yut Nori as a beginner would write it from the rules: lists of stations, and pieces that walk step by step."""

from __future__ import annotations

from dataclasses import dataclass

RESULTS = (1, 2, 3, 4, 5, -1)
HOME = 30
#: The station after each one for a piece that walks past; 15 is missing because it depends on where one comes from.
PAST = {station: station + 1 for station in (*range(10), 11, 13, 16, 18, 19, 20, 21, 23, 25, 26, 27, 28, 29)}
PAST |= {10: 18, 12: 15, 14: 15, 17: 22, 22: 25, 24: 29}
#: Where back-do leads: one station, or two.
BEFORE = {station: [station - 1] for station in (*range(2, 11), 12, 14, 17, 19, 20, 21, 24, 26, 27, 28)}
BEFORE |= {1: [29], 13: [5], 11: [10], 23: [15], 16: [15], 18: [10], 25: [22], 15: [12, 14], 22: [21, 17], 29: [28, 24]}


def walk(station: int, steps: int) -> int:
    """Step by step; only where the walk begins may a corner be a turning."""
    came_from = None
    for step in range(steps):
        if station == HOME:
            break
        if step == 0 and station in (5, 10, 15):
            following = {5: 13, 10: 11, 15: 23}[station]
        elif station == 15:
            following = {12: 23, 14: 16}[came_from]  # type: ignore[index]
        else:
            following = PAST[station]
        came_from, station = station, following
    return station


@dataclass(frozen=True)
class NaiveYut:
    """Stations of both sides (sorted), whose turn it is, results in hand (sorted), and whether a throw is due."""

    sides: tuple[tuple[int, ...], tuple[int, ...]]
    mover: int = 0
    hand: tuple[int, ...] = ()
    must_throw: bool = True

    @classmethod
    def start(cls, pieces: int = 4) -> NaiveYut:
        return cls(((0,) * pieces, (0,) * pieces))

    @property
    def winner(self) -> int | None:
        return next((seat for seat in (0, 1) if all(station == HOME for station in self.sides[seat])), None)

    def moves(self) -> set[str]:
        if self.winner is not None:
            return set()
        if self.must_throw:
            return {f"t{result}" for result in RESULTS}
        own = self.sides[self.mover]
        found = set()
        for result in self.hand:
            for station in own:
                if station == HOME:
                    continue
                if result != -1:
                    found.add(f"s{station}:{result}")
                elif station == 0:
                    if all(other in (0, HOME) for other in own):
                        found.add("s0:-1")
                elif len(BEFORE[station]) == 2:
                    found |= {f"s{station}:-1a", f"s{station}:-1b"}
                else:
                    found.add(f"s{station}:-1")
        return found

    def play(self, move: str) -> NaiveYut:
        if move.startswith("t"):
            result = int(move[1:])
            return NaiveYut(self.sides, self.mover, tuple(sorted((*self.hand, result))), result in (4, 5))
        text, _, rest = move[1:].partition(":")
        station, result = int(text), int(rest.rstrip("ab"))
        if result > 0:
            target = walk(station, result)
        elif station == 0:
            target = 0
        else:
            target = BEFORE[station][1 if rest.endswith("b") else 0]
        own, enemy = list(self.sides[self.mover]), list(self.sides[1 - self.mover])
        movers = [own.index(0)] if station == 0 else [i for i, other in enumerate(own) if other == station]
        for i in movers:
            own[i] = target
        caught = 1 <= target <= 29 and target in enemy
        if caught:
            enemy = [0 if other == target else other for other in enemy]
        hand = list(self.hand)
        hand.remove(result)
        pair = (tuple(sorted(own)), tuple(sorted(enemy)))
        sides = pair if self.mover == 0 else (pair[1], pair[0])
        if caught and result not in (4, 5):
            return NaiveYut(sides, self.mover, tuple(hand), True)
        if hand:
            return NaiveYut(sides, self.mover, tuple(hand), False)
        return NaiveYut(sides, 1 - self.mover, (), True)

"""The exact values of a game with chance, level by level: what `forgeron solve` does.

The values of a level are first the evaluation, then improved by value iteration: quick sweeps that look at few hands of
a turn, and a few thorough ones that find out what the other hands are worth: the tail of each value, which quick sweeps
add. It ends when a thorough sweep changes nothing.

What is beyond the thorough limit is left out. In Yut Nori that is the seventh yut or mo of a turn, which comes in one
turn of 461,000 (0.1552⁷ = 2.2e-6): no turn changes by more than that, and who has thrown six wins nearly always anyway.
With a certain win, or a certain loss, in place of what is left out, the first value for two pieces changes by 2e-7.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from forgeron.core.contract import offers, rank
from forgeron.core.errors import ForgeronError
from forgeron.core.game import Game, TableLevel
from forgeron.core.table_file import WHOLE, TableFile, check_format, read_table, table_header
from forgeron.kernels.value_iteration import MOST_PLIES, UNSEEN, estimate, turn_start_values

#: The first thorough sweep comes when quick ones change less than the first number, later ones when they change less
#: than a small part of what the last thorough one did. The last changes less than the third number; a table keeps steps
#: of 1.5e-5.
_ROUGH, _PART, _NOTHING = 2e-2, 0.02, 2e-6
#: Indices that are computed at a time, between two signs of life.
_SLICE = 2_000
#: The table, its tails, two sweeps and whether there is a position; the memo has four bytes a hand besides.
_BYTES_AN_ENTRY = 4 + 4 + 4 + 4 + 1


@dataclass(frozen=True)
class SolvingProgress:
    """How far it has come."""

    level: TableLevel
    sweep: int
    """of this level, from 1"""
    done: int
    """indices of the level that this sweep has passed"""
    size: int
    change: float
    """the largest of the sweep before"""
    positions: int
    """in the level"""
    is_final: bool = False
    """the values of the level are those of the table, and no sweep changes them any more"""


def chosen_level(game: Game, name: str | None) -> TableLevel:
    """The level of this name, or the last one: the whole game."""
    needed = ("chance", "rank", "unrank", "turn_rank")
    if not all(offers(game.state_class, name) for name in needed) or not game.table_levels():
        raise ForgeronError(
            f"{game.title} cannot be solved: that needs the functions {', '.join(needed)}, and table_levels "
            "(docs/learning.md)"
        )
    levels = {level.name: level for level in game.table_levels()}
    if name is not None and name not in levels:
        raise ForgeronError(f"{game} has no level '{name}': its levels are {', '.join(levels)}")
    return levels[name] if name is not None else game.table_levels()[-1]


def check_memory(game: Game, level: TableLevel, megabytes: int) -> None:
    """Refuse what does not fit."""
    needed = level.entries * (_BYTES_AN_ENTRY + 4 * max(game.table_hands)) / 1e6
    if needed > megabytes:
        raise ForgeronError(
            f"level {level.name} has {level.entries:,} entries and needs {needed:,.0f} MB, more than the {megabytes} "
            "allowed: allow more, or ask for a lower level"
        )


def entries_before(path: Path, game: Game, *, fresh: bool) -> np.ndarray:
    """What the file of a table has so far; to be computed afresh, one that is damaged or outdated has nothing."""
    if not path.exists():
        return np.zeros(0, dtype=np.uint16)
    check_format(path)
    try:
        return read_table(path, game).entries
    except ForgeronError as error:
        if fresh:
            return np.zeros(0, dtype=np.uint16)
        raise ForgeronError(f"{error}; computed afresh, it is replaced") from None


class TableSolver:
    """Computes the table up to a level, sweep by sweep."""

    def __init__(self, game: Game, last: TableLevel) -> None:
        self.game, self.last = game, last
        self.table = np.full(last.entries, 0.5, dtype=np.float32)
        self._tails = np.zeros(last.entries, dtype=np.float32)
        self._there = np.zeros(last.entries, dtype=np.bool_)
        self._quick, self._thorough = game.table_hands
        self._memo = np.empty(last.entries * self._thorough, dtype=np.float32)
        self._lists = np.zeros((MOST_PLIES, game.max_moves), dtype=np.int64)
        self._odds = np.zeros((MOST_PLIES, game.max_moves))
        self._start = game.start().state
        self._change = 1.0
        self.sweeps = 0

    def run(self, known: np.ndarray | None = None) -> Generator[SolvingProgress, None, None]:
        """Compute level after level; what `known` has (a table from before) is taken over."""
        first = 0
        if known is not None:
            first = max((one.entries for one in self.game.table_levels() if one.entries <= len(known)), default=0)
            first = min(first, self.last.entries)
            self.table[:first] = known[:first] / np.float32(WHOLE)
        for level in self.game.table_levels():
            if first < level.entries <= self.last.entries:
                yield from self._level(level, first)
                first = level.entries

    def _level(self, level: TableLevel, first: int) -> Generator[SolvingProgress, None, None]:
        nothing, weights = np.zeros(0, dtype=np.float32), self.game.weights()
        for begin, end in self._slices(first, level.entries):
            estimate(self._start, np.int64(begin), np.int64(end), self.table, self._there, nothing, weights)
        before = self.sweeps
        enough, change = _ROUGH, 1.0
        while change >= _NOTHING:
            change = 1.0
            while change >= enough:
                values = self.table.copy()
                yield from self._sweep(level, first, before, self._quick, values)
                change = self._take(first, level, values + self._tails)
            few, whole = self.table.copy(), self.table.copy()
            yield from self._sweep(level, first, before, self._quick, few)
            yield from self._sweep(level, first, before, self._thorough, whole)
            change = self._take(first, level, whole)
            self._tails = whole - few
            enough = max(_PART * change, _NOTHING / 4)
        size, positions = level.entries - first, int(np.count_nonzero(self._there[first : level.entries]))
        yield SolvingProgress(level, self.sweeps - before, size, size, self._change, positions, is_final=True)

    def _sweep(
        self, level: TableLevel, first: int, before: int, hands: int, values: np.ndarray
    ) -> Generator[SolvingProgress, None, None]:
        """Write the values of a level, as the table sees them now, to `values`."""
        self.sweeps += 1
        memo = self._memo[: level.entries * hands]
        memo.fill(UNSEEN)
        positions = int(np.count_nonzero(self._there[first : level.entries]))
        for begin, end in self._slices(first, level.entries):
            turn_start_values(
                self._start, np.int64(begin), np.int64(end), np.int64(hands), memo, self._lists, self._odds, self.table,
                self._there, values,
            )  # fmt: skip
            done, size = end - first, level.entries - first
            yield SolvingProgress(level, self.sweeps - before, done, size, self._change, positions)

    def _take(self, first: int, level: TableLevel, values: np.ndarray) -> float:
        """Put the values of a sweep into the table; the largest change."""
        part = slice(first, level.entries)
        change = np.abs(values[part] - self.table[part])[self._there[part]]
        self._change = float(change.max(initial=0.0))
        self.table[part][self._there[part]] = values[part][self._there[part]]
        return self._change

    @staticmethod
    def _slices(first: int, end: int) -> list[tuple[int, int]]:
        return [(begin, min(begin + _SLICE, end)) for begin in range(first, end, _SLICE)]

    def first_value(self) -> float | None:
        """The win probability of who begins; None while the table does not reach the first position."""
        index = int(rank(self._start))
        return float(self.table[index]) if index < len(self.table) else None

    def file(self, level: TableLevel, before: np.ndarray) -> TableFile:
        """The table up to a level, and what there was beyond it before, which may have taken hours."""
        entries = np.rint(self.table[: level.entries].astype(np.float64) * WHOLE).astype(np.uint16)
        whole = np.concatenate([entries, before[len(entries) :]])
        return TableFile(table_header(self.game, f"forgeron solve {self.game.name}: {len(whole)} entries"), whole)

"""Results tables before rendering: columns with a name, a kind and a value.

Renderers (terminal, csv, json, sqlite, html) know kinds and nothing else. So a new column of a known kind appears in
all of them; a new kind needs one entry in each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum, Flag, auto
from typing import Any, Generic, TypeVar

Row = TypeVar("Row")


class Kind(Enum):
    """What the values of a column are. A value that is None is unknown, whatever the kind."""

    TEXT = auto()
    """somebody else's words: each renderer makes them harmless"""
    INTEGER = auto()
    POINTS = auto()
    """a multiple of ½, shown exactly"""
    NUMBER = auto()
    """a measured number, shown to readers with six digits"""
    SHARE = auto()
    """a number from 0 to 1, shown to readers in percent"""
    ESTIMATE = auto()
    """an `Estimate`: a value with its interval"""
    VERDICT = auto()
    """a `Verdict` of the sequential test"""
    TALLY = auto()
    """a `Counter` of things that should not happen; its total where there is no room for more"""
    COUNTS = auto()
    """a list of counts"""
    NAMES = auto()
    """a list of names, which may have spaces"""
    MOVES = auto()
    """a list of move tokens, which have none"""
    SCORE = auto()
    """a `Trinomial`: wins, draws and losses against one opponent"""


class Output(Flag):
    """The renderers."""

    TERMINAL = auto()
    CSV = auto()
    JSON = auto()
    SQLITE = auto()
    HTML = auto()

    READERS = TERMINAL | HTML
    """for people"""
    FLAT = CSV | SQLITE
    """for programs, without nesting"""
    ALL = TERMINAL | CSV | JSON | SQLITE | HTML


@dataclass(frozen=True)
class Column(Generic[Row]):
    """One statistic: what it is called, what kind of value it has, and how it is computed from a row."""

    name: str
    """for programs"""
    kind: Kind
    value: Callable[[Row], Any]
    heading: str | None = None
    """for people; the name, if none is given"""
    outputs: Output = Output.ALL
    """where it appears"""
    parts: tuple[str, ...] = ()
    """where each value is a sequence with a fixed place for each part (such as one for each seat): the names of the
    parts, which are columns of their own wherever cells cannot hold a sequence"""
    description: str = ""
    """what its name does not say; a comment in the database"""
    label: bool = False
    """this column says which row it is"""
    strong: bool = False
    """the column that matters most"""
    detail: bool = False
    """what a narrow screen leaves out"""
    decimals: int | None = None
    """of a number, for readers; six significant digits unless it is given"""
    missing: str = "–"
    """what readers see for None"""
    last: bool = False
    """readers find it in the last place, wherever it is defined"""
    references: str = ""
    """in the database: table(column) that the value is from"""

    @property
    def shown_heading(self) -> str:
        return self.name if self.heading is None else self.heading

    def split(self) -> list[Column[Row]]:
        """The columns of the parts; the column itself where it has none."""
        if not self.parts:
            return [self]
        return [
            replace(self, name=name, heading=name, parts=(), value=_Part(self.value, i))
            for i, name in enumerate(self.parts)
        ]


@dataclass(frozen=True)
class _Part(Generic[Row]):
    """The value of one part."""

    whole: Callable[[Row], Any]
    index: int

    def __call__(self, row: Row) -> Any:
        values = self.whole(row)
        return None if values is None else values[self.index]


@dataclass(frozen=True)
class ResultTable(Generic[Row]):
    """Columns and the rows that they are computed from."""

    name: str
    """for programs"""
    columns: tuple[Column[Row], ...]
    rows: Iterable[Row]
    title: str = ""
    key: tuple[str, ...] = ()
    """the columns that together name a row, for the database"""

    def columns_for(self, output: Output) -> list[Column[Row]]:
        """The columns that a renderer shows, in its order."""
        chosen = [column for column in self.columns if column.outputs & output]
        if output not in Output.JSON:
            chosen = [part for column in chosen for part in column.split()]
        if output in Output.READERS:
            chosen.sort(key=lambda column: column.last)
        return chosen

    def only(self, *names: str) -> ResultTable[Row]:
        """The table with these columns alone."""
        return replace(self, columns=tuple(column for column in self.columns if column.name in names))

    def cells(self, output: Output) -> Iterator[tuple[Row, list[tuple[Column[Row], Any]]]]:
        """Each row with its columns and values for a renderer."""
        columns = self.columns_for(output)
        for row in self.rows:
            yield row, [(column, column.value(row)) for column in columns]

"""A table that stays readable in a terminal too narrow for its columns."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import TYPE_CHECKING

from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult

#: In a terminal of this many columns the least bad table is shown; below it, one that would break words is no table.
_WIDE = 60


class NarrowTable(Table):
    """A table that gives up in a narrow terminal what is worth least: space between columns, lines that need not wrap,
    columns of `details` from the right. Where its words would be broken all the same, the rows come one below the
    other, a cell a line.

    >>> from rich.console import Console
    >>> table = NarrowTable("entrant", "points")
    >>> table.add_row("my-program", "1.5")
    >>> Console(width=18).print(table)
    entrant my-program
    points 1.5
    """

    details: frozenset[str] = frozenset()
    """the headings of columns that a narrow terminal leaves out"""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        drafts = list(self._drafts())
        whole = [draft for draft in drafts[:2] if draft._width(console).maximum <= options.max_width]
        wrapped = [draft for draft in drafts if draft._width(console).minimum <= options.max_width]
        if whole or wrapped or options.max_width >= _WIDE:
            yield from Table.__rich_console__([*whole, *wrapped, drafts[-1]][0], console, options)
            return
        if self.title:
            yield self._text(console, self.title, "bold")
        for row in range(self.row_count):
            if row or self.title:
                yield Text()
            yield from self._block(console, row)
        if self.caption:
            yield Text()
            yield self._text(console, self.caption, self.caption_style)

    def _drafts(self) -> Iterator[NarrowTable]:
        """The table as it is, with less space, and without one detail after the other."""
        yield self
        tight = copy(self)
        tight.padding = 0
        yield tight
        for column in reversed(self.columns):
            if column.header in self.details:
                tight = copy(tight)
                tight.columns = [one for one in tight.columns if one is not column]
                yield tight

    def _width(self, console: Console) -> Measurement:
        return Measurement.get(console, console.options.update(max_width=10_000), self)

    def _block(self, console: Console, row: int) -> RenderResult:
        for column in self.columns:
            heading = self._text(console, column.header, "cyan")
            cell = self._text(console, list(column.cells)[row])
            if cell.plain.strip():
                yield Text(" ").join(part for part in (heading, cell) if part.plain)

    @staticmethod
    def _text(console: Console, said: RenderableType, style: object = "") -> Text:
        text = said.copy() if isinstance(said, Text) else console.render_str(str(said))
        text.stylize_before(str(style) if style else "")
        return text

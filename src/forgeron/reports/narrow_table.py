"""A table that stays readable in a terminal too narrow for its columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult

#: In a terminal of this many columns a heading may be broken; below it, a table that would break words is no table.
_WIDE = 60


class NarrowTable(Table):
    """A table; where its columns would be narrower than their words, the rows come one below the other, a cell a line.

    >>> from rich.console import Console
    >>> table = NarrowTable("entrant", "points")
    >>> table.add_row("my-program", "1.5")
    >>> Console(width=19).print(table)
    entrant my-program
    points 1.5
    """

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if self._fits(console, options):
            yield from super().__rich_console__(console, options)
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

    def _fits(self, console: Console, options: ConsoleOptions) -> bool:
        if options.max_width >= _WIDE:
            return True
        return Measurement.get(console, options.update(max_width=10_000), self).minimum <= options.max_width

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

"""The positions of a game as data for a page: the first one whole, then what each move has changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from forgeron.core.errors import ForgeronError
from forgeron.core.game import Game
from forgeron.core.position import Position
from forgeron.core.record import Record
from forgeron.core.view import view_board, view_last_move

Change = list[Any]
"""names and numbers that lead to a value inside of the view, and as the last one the new value"""


def replay_data(record: Record, game: Game) -> list[list[Change]] | None:
    """The positions of a game (`course_data`); None when the record is no game by these rules."""
    try:
        return course_data(record.positions(game))
    except ForgeronError:
        return None


def course_data(positions: Sequence[Position]) -> list[list[Change]]:
    """For each position the changes since the one before it.

    A position is its view (docs/web.md) without the legal moves, with the `drawing` as lines, and with `step`, the move
    that led to it.
    """
    shown: Any = {}
    found = []
    for ply, position in enumerate(positions):
        view = view_board(position)
        step = view_last_move(positions[ply - 1], position) if ply else None
        view |= {"drawing": view["drawing"].split("\n"), "step": step}
        found.append(list(changes(shown, view)))
        shown = view
    return found


def changes(before: Any, after: Any, path: tuple[str | int, ...] = ()) -> Iterator[Change]:
    """What turns one piece of JSON data into another.

    >>> list(changes({"cells": [1, 2, 3], "turn": 0}, {"cells": [1, 5, 3], "turn": 1}))
    [['cells', 1, 5], ['turn', 1]]
    """
    if before == after:
        return
    if isinstance(before, dict) and isinstance(after, dict) and (before.keys() == after.keys()):
        for key in after:
            yield from changes(before[key], after[key], (*path, key))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for i, value in enumerate(after):
            yield from changes(before[i], value, (*path, i))
    else:
        yield [*path, after]

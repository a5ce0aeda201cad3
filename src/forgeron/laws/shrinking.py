"""The shortest game that breaks a law."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from forgeron.core.contract import fixed
from forgeron.core.game import Game
from forgeron.laws.catalogue import Check
from forgeron.laws.reached_positions import ReachedPosition

#: So many positions are looked at, level by level, before moves are taken away one by one.
MOST_POSITIONS = 4_000

Breaks = Callable[[Check, ReachedPosition], bool]
"""whether the check fails in the position in the way that is looked for; errors of the rules count as no"""


def shrink(
    game: Game, line: tuple[int, ...], begin: Callable[[], Check], breaks: Breaks
) -> tuple[tuple[int, ...], bool]:
    """A game as short as can be found that breaks the same law, and whether no shorter one exists.

    First all positions are looked at, those of few plies first; where there are too many, moves are taken out of the
    game that is known.
    """
    found, complete = _breadth_first(game, len(line), begin(), breaks)
    if found is not None:
        return found, True
    if complete:
        return line, True  # only the game as a whole shows it
    return _without_needless(game, line, begin, breaks), False


def _breadth_first(game: Game, depth: int, check: Check, breaks: Breaks) -> tuple[tuple[int, ...] | None, bool]:
    start = ReachedPosition(game, fixed(game.start_state()))
    waiting, seen = deque([start]), {tuple(start.state)}
    for _ in range(MOST_POSITIONS):
        if not waiting:
            return None, True
        visit = waiting.popleft()
        if len(visit.line) > depth:
            return None, True
        if breaks(check, visit):
            return visit.line, True
        for child in _children(visit):
            if tuple(child.state) not in seen:
                seen.add(tuple(child.state))
                waiting.append(child)
    return None, False


def _children(visit: ReachedPosition) -> list[ReachedPosition]:
    try:
        return [visit.after(move) for move in visit.moves]
    except Exception:
        return []


def _without_needless(game: Game, line: tuple[int, ...], begin: Callable[[], Check], breaks: Breaks) -> tuple[int, ...]:
    """Take out stretches of moves, long ones first, as long as what remains is legal and breaks the law."""
    size = len(line) // 2
    while size >= 1:
        at = 0
        while at + size <= len(line):
            shorter = line[:at] + line[at + size :]
            end = _play(game, shorter)
            if end is not None and breaks(begin(), end):
                line = shorter
            else:
                at += size
        size //= 2
    return line


def _play(game: Game, line: tuple[int, ...]) -> ReachedPosition | None:
    """The position after these moves; None when one is not legal."""
    visit = ReachedPosition(game, fixed(game.start_state()))
    try:
        for move in line:
            if move not in visit.moves:
                return None
            visit = visit.after(move)
    except Exception:
        return None
    return visit

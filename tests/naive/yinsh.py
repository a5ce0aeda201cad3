"""YINSH as a beginner would write it from the rules: a dictionary of points, whole turns, and nothing clever."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

Point = tuple[int, int]
RINGS, MARKERS = "WB", "wb"
AROUND = [(0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0)]
AXES = AROUND[:3]


def course_points(n: int) -> dict[Point, str]:
    """The name `h p` of each point: hexagon by hexagon, clockwise from the top, without the corners of the last."""
    names = {(0, 0): "0 0"}
    for h in range(1, n + 1):
        x, y = 0, h
        for p in range(6 * h):
            if h < n or p % h:
                names[x, y] = f"{h} {p}"
            dx, dy = AROUND[(p // h + 2) % 6]
            x, y = x + dx, y + dy
    return names


def step(point: Point, way: Point, times: int = 1) -> Point:
    return point[0] + way[0] * times, point[1] + way[1] * times


@dataclass(frozen=True)
class NaiveYinsh:
    """A position between two turns."""

    n: int = 5
    m: int = 5
    k: int = 5
    goal: int = 3
    removal: str = "end"
    markers: str = "none"
    pending: str = "move"
    board: tuple[tuple[Point, str], ...] = ()
    placed: int = 0
    removed: tuple[int, int] = (0, 0)
    mover: int = 0
    over: bool = False

    def turns(self) -> dict[str, NaiveYinsh]:
        """Every whole turn in the course's notation, and the position after it."""
        if self.over:
            return {}
        if self.placed < 2 * self.m:
            return dict(self._placements())
        found = {}
        for words, before in self._take_rows():
            rows = words.count("RS")
            if before.over:
                found[" ".join(words)] = before
            elif rows >= 2 and self.pending == "stop":
                found[" ".join(words)] = before._next()
            else:
                for text, after in before._move_on():
                    found[" ".join([*words, text]).strip()] = after
        return found

    def _placements(self) -> Iterator[tuple[str, NaiveYinsh]]:
        board = dict(self.board)
        for point, name in course_points(self.n).items():
            if point not in board:
                after = self._with({**board, point: RINGS[self.mover]}, placed=self.placed + 1)
                last = after.placed == 2 * self.m
                yield f"P {name}", after._next() if last else replace(after, mover=1 - self.mover)

    def _with(self, board: dict[Point, str], **changes: object) -> NaiveYinsh:
        return replace(self, board=tuple(sorted(board.items())), **changes)  # type: ignore[arg-type]

    def _next(self) -> NaiveYinsh:
        """The position of the other side, over when it can do nothing and neither can this one."""
        other = replace(self, mover=1 - self.mover)
        if not other._rows() and other._stuck():
            return replace(other, over=True)
        return other

    def _stuck(self) -> bool:
        pool_empty = self.markers == "51" and sum(c in MARKERS for _, c in self.board) == 51
        return pool_empty or not (list(self._ring_moves(0)) or list(self._ring_moves(1)))

    def _ring_moves(self, side: int) -> Iterator[tuple[Point, Point, list[Point]]]:
        """Start, end and jumped markers."""
        board, points = dict(self.board), course_points(self.n)
        for start in [point for point, c in self.board if c == RINGS[side]]:
            for way in AROUND:
                here, jumped = step(start, way), []
                while here in points and board.get(here) not in ("W", "B"):
                    if here in board:
                        jumped.append(here)
                    else:
                        yield start, here, list(jumped)
                        if jumped:
                            break
                    here = step(here, way)

    def _move_on(self) -> Iterator[tuple[str, NaiveYinsh]]:
        """What can follow when the rows the opponent made are gone: a move with its rows, or a pass."""
        if self._stuck():
            yield "", replace(self, over=True)
            return
        names = course_points(self.n)
        moves = list(self._ring_moves(self.mover))
        if not moves:
            yield "pass", self._next()
        for start, end, jumped in moves:
            board = dict(self.board)
            del board[start]
            board[end] = RINGS[self.mover]
            for point in jumped:
                board[point] = "b" if board[point] == "w" else "w"
            board[start] = MARKERS[self.mover]
            for words, after in self._with(board)._take_rows():
                text = " ".join([f"S {names[start]} M {names[end]}", *words])
                yield text, after if after.over else after._next()

    def _rows(self) -> list[list[Point]]:
        """The sets of K markers that the mover may take."""
        board, own, found = dict(self.board), MARKERS[self.mover], []
        for first in [point for point, c in self.board if c == own]:
            for way in AXES:
                row = [step(first, way, i) for i in range(self.k)]
                if any(board.get(point) != own for point in row):
                    continue
                begins = board.get(step(first, way, -1)) != own
                ends = board.get(step(first, way, self.k)) != own
                if self.removal == "free" or begins or ends:
                    found.append(row)
        return found

    def _take_rows(self) -> Iterator[tuple[list[str], NaiveYinsh]]:
        """All ways to take rows and rings off until no row is left or the game is won; [] when there is no row."""
        rows = self._rows()
        if not rows:
            yield [], self
            return
        names = course_points(self.n)
        for row in rows:
            for ring in [point for point, c in self.board if c == RINGS[self.mover]]:
                board = {point: c for point, c in self.board if point not in row and point != ring}
                gone = [*self.removed]
                gone[self.mover] += 1
                after = self._with(board, removed=tuple(gone))
                words = ["RS", names[row[0]], "RE", names[row[-1]], "X", names[ring]]
                if gone[self.mover] == self.goal:
                    yield words, replace(after, over=True)
                else:
                    for more, end in after._take_rows():
                        yield words + more, end

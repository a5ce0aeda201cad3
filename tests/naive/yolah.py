"""Yolah as a beginner would write it from the rules: a dictionary of squares and nothing clever."""

from __future__ import annotations

from dataclasses import dataclass

FILES, RANKS = "abcdefgh", "12345678"
SQUARES = [file + rank for rank in RANKS for file in FILES]
PASS = "a1:a1"


@dataclass(frozen=True)
class NaiveYolah:
    """A position: what stands on each square ("b", "w", "hole"), the points, and who is to move."""

    board: tuple[tuple[str, str], ...]
    points: tuple[int, int]
    mover: str

    @classmethod
    def start(cls) -> NaiveYolah:
        pieces = dict.fromkeys(("a1", "h8", "d5", "e4"), "b") | dict.fromkeys(("a8", "h1", "d4", "e5"), "w")
        return cls(tuple(sorted(pieces.items())), (0, 0), "b")

    def _moves_of(self, side: str) -> list[str]:
        board = dict(self.board)
        found = []
        for source in SQUARES:
            if board.get(source) != side:
                continue
            column, row = FILES.index(source[0]), RANKS.index(source[1])
            for dx in (-1, 0, 1):
                for dy in (-1, 0, 1):
                    if dx == dy == 0:
                        continue
                    x, y = column + dx, row + dy
                    while 0 <= x < 8 and 0 <= y < 8 and FILES[x] + RANKS[y] not in board:
                        found.append(f"{source}:{FILES[x]}{RANKS[y]}")
                        x, y = x + dx, y + dy
        return found

    def moves(self) -> set[str]:
        own = self._moves_of(self.mover)
        if own:
            return set(own)
        return {PASS} if self._moves_of("w" if self.mover == "b" else "b") else set()

    def play(self, move: str) -> NaiveYolah:
        other = "w" if self.mover == "b" else "b"
        if move == PASS:
            return NaiveYolah(self.board, self.points, other)
        source, target = move.split(":")
        board = dict(self.board)
        board[target] = board[source]
        board[source] = "hole"
        black, white = self.points
        points = (black + 1, white) if self.mover == "b" else (black, white + 1)
        return NaiveYolah(tuple(sorted(board.items())), points, other)

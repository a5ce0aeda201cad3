"""Connect Four on lists of lists, written to be obviously right and for nothing else."""

from __future__ import annotations

Board = list[list[str]]
"""the columns from left to right, each with its discs from the bottom up"""


def empty(columns: int) -> Board:
    return [[] for _ in range(columns)]


def disc(board: Board, x: int, y: int) -> str:
    """The letter of the disc at column x, height y; a dot where there is none, outside the board too."""
    return board[x][y] if 0 <= x < len(board) and 0 <= y < len(board[x]) else "."


def winner(board: Board, rows: int) -> str | None:
    """The letter that stands four times in a row, if one does."""
    for x in range(len(board)):
        for y in range(rows):
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                line = {disc(board, x + i * dx, y + i * dy) for i in range(4)}
                if len(line) == 1 and line != {"."}:
                    return line.pop()
    return None


def legal(board: Board, rows: int) -> list[int]:
    """The columns, from 0, that a disc can be dropped into."""
    if winner(board, rows):
        return []
    return [x for x, column in enumerate(board) if len(column) < rows]


def dropped(board: Board, x: int) -> Board:
    """The board after the next disc; yellow begins."""
    letter = "y" if sum(map(len, board)) % 2 == 0 else "r"
    return [[*column, letter] if i == x else column for i, column in enumerate(board)]


def perft(board: Board, rows: int, depth: int) -> int:
    """How many sequences of `depth` discs can follow."""
    if depth == 0:
        return 1
    return sum(perft(dropped(board, x), rows, depth - 1) for x in legal(board, rows))

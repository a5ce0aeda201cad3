"""Coloured Mancala for a page: the circle of holes, and each move with the way of its seeds."""

from __future__ import annotations

from typing import Any

from forgeron.games.mancala.rules import State, limit_of, mover, ply_of
from forgeron.games.mancala.text import format_move, holes, owner

_NAMES = {"R": "red", "B": "blue", "T": "transparent"}
_LETTERS = tuple(_NAMES)


def view(state: State) -> dict[str, Any]:
    """The sixteen holes in the order they are sown."""
    return {
        "board": "circle",
        "holes": [
            {"hole": hole, "owner": owner(state, hole), **dict(zip(_NAMES.values(), seeds, strict=True))}
            for hole, seeds in enumerate(holes(state), 1)
        ],
        "ply": int(ply_of(state.info)),
        "plies": int(limit_of(state.info)),
        "asks": ["Choose a hole", "Choose the seeds to sow", "Choose how the transparent seeds are sown"],
        "choices": {"R": "red", "B": "blue", "T": "transparent"},
        "unit": ["seed", "seeds"],
    }


def view_move(state: State, move: int) -> dict[str, Any]:
    """The parts of a move are hole and colour; for transparent seeds also the colour they are sown as."""
    token = format_move(state, move)
    kind = token.lstrip("0123456789")
    hole = int(token.removesuffix(kind))
    path, captured, rest = _sow(state, hole, kind)
    events: list[dict[str, Any]] = [
        {"do": "sow", "from": str(hole), "path": [str(one) for one, _ in path], "seeds": [seed for _, seed in path]}
    ]
    text = f"hole {hole}, {_named(kind)}, up to hole {path[-1][0]}"
    if captured:
        events.append({"do": "take", "at": [str(one) for one, _ in captured]})
        gain = sum(n for _, n in captured)
        text += f", captures {gain} seeds in hole{'s' * (len(captured) > 1)} {_listed([one for one, _ in captured])}"
    if rest:
        events.append({"do": "take", "at": [str(one) for one, n in rest if n]})
        text += f", starves the opponent and takes the last {sum(n for _, n in rest)}"
    return {"parts": [str(hole), *kind], "text": text, "events": events}


def _named(kind: str) -> str:
    return _NAMES[kind] if len(kind) == 1 else f"transparent and {_NAMES[kind[1]]} seeds as {_NAMES[kind[1]]}"


def _listed(numbers: list[int]) -> str:
    return " and ".join(filter(None, [", ".join(map(str, numbers[:-1])), str(numbers[-1])]))


Seeds = list[tuple[int, int]]
"""holes with their numbers of seeds"""


def _sow(state: State, origin: int, kind: str) -> tuple[list[tuple[int, str]], Seeds, Seeds]:
    """Hole and colour of every seed in turn; the holes captured; those the starved opponent leaves to the mover."""
    board = [list(seeds) for seeds in holes(state)]
    seat, hole = int(mover(state.info)), origin
    path: list[tuple[int, str]] = []
    for letter in kind:
        for _ in range(board[origin - 1][_LETTERS.index(letter)]):
            hole = hole % 16 + 1
            while hole == origin or (kind[-1] == "B" and owner(state, hole) == seat):
                hole = hole % 16 + 1
            path.append((hole, letter))
    for letter in kind:
        board[origin - 1][_LETTERS.index(letter)] = 0
    for one, letter in path:
        board[one - 1][_LETTERS.index(letter)] += 1
    captured: Seeds = []
    while sum(board[hole - 1]) in (2, 3):
        captured.append((hole, sum(board[hole - 1])))
        board[hole - 1] = [0, 0, 0]
        hole = (hole - 2) % 16 + 1
    left = [(one, sum(seeds)) for one, seeds in enumerate(board, 1)]
    starved = not any(n for one, n in left if owner(state, one) != seat)
    return path, captured, [(one, n) for one, n in left if n] if starved else []

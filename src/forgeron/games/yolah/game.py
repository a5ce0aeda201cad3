"""Yolah as the rest of Forgeron sees it."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from forgeron.core.game import Game, Symmetry
from forgeron.core.position import Seat
from forgeron.core.weights import shipped_weights
from forgeron.games.yolah import endings, evaluation, symmetry, text  # noqa: F401  (endings register their rule)
from forgeron.games.yolah.rules import MAX_MOVES, START, State


class Yolah(Game):
    """Queens that leave holes: every move earns a point, and who can move longer wins."""

    name = "yolah"
    title = "Yolah"
    state_class = State
    weight_names = evaluation.NAMES
    evaluations = {"material": "lead, free squares and the move alone: quick, and a measure for the default one"}
    max_moves = MAX_MOVES
    seats = ("black", "white")
    move_help = "from:to, for example d5:b7; a pass is a1:a1"

    def start_state(self) -> State:
        return START

    def format_move(self, state: State, move: int) -> str:
        return text.format_move(move)

    def parse_move(self, state: State, text_: str) -> int:
        return text.parse_move(text_)

    def why_illegal(self, state: State, move: int, legal: list[str]) -> str:
        return text.why_illegal(state, move, legal)

    def format_state(self, state: State) -> str:
        return text.format_state(state)

    def parse_state(self, text_: str) -> State:
        return text.parse_state(text_)

    def draw(self, state: State, last_move: str | None = None) -> str:
        return text.draw(state, last_move)

    def view(self, state: State) -> dict[str, Any]:
        return text.view(state)

    def scores(self, state: State) -> tuple[int, int]:
        return text.points(state)

    def symmetries(self) -> list[Symmetry]:
        return [
            Symmetry(name, partial(symmetry.map_state, squares=squares), partial(symmetry.map_move, squares=squares))
            for name, squares in symmetry.KEEPING_COLOURS.items()
        ]

    def weights(self) -> np.ndarray:
        return shipped_weights(__package__, "weights.json", self.name, self.weight_names)

    def other_weights(self, evaluation_: str, root: Seat) -> np.ndarray:
        return evaluation.MATERIAL

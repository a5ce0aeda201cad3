"""Yut Nori as the rest of Forgeron sees it."""

from __future__ import annotations

from typing import Any

import numpy as np

from forgeron.core.game import Game, Option
from forgeron.core.position import Seat
from forgeron.core.weights import shipped_weights
from forgeron.games.yut import evaluation, text
from forgeron.games.yut.board import HOME
from forgeron.games.yut.lists import stations
from forgeron.games.yut.rules import MAX_MOVES, State, mover, start_state


class Yut(Game):
    """A race with sticks for dice: bring all pieces home first; who is landed on starts again."""

    name = "yut"
    title = "Yut Nori"
    state_class = State
    weight_names = evaluation.NAMES
    max_moves = MAX_MOVES
    seats = text.SEATS
    move_help = text.MOVE_HELP
    options = {"pieces": Option(4, range(1, 5), "how many pieces (mal) each side has")}

    def start_state(self) -> State:
        return start_state(self._pieces)

    def format_move(self, state: State, move: int) -> str:
        return text.format_move(move)

    def parse_move(self, state: State, text_: str) -> int:
        return text.parse_move(text_)

    def parse_turn(self, state: State, text_: str) -> list[int]:
        return text.parse_turn(text_)

    def why_illegal(self, state: State, move: int, legal: list[str]) -> str:
        return text.why_illegal(state, move, legal)

    def format_state(self, state: State) -> str:
        return text.format_state(state)

    def parse_state(self, text_: str) -> State:
        return text.parse_state(text_, self._pieces)

    def draw(self, state: State, last_move: str | None = None) -> str:
        return text.draw(state, last_move)

    def view(self, state: State) -> dict[str, Any]:
        return text.view(state)

    def scores(self, state: State) -> tuple[int, int]:
        """The pieces that are home."""
        return stations(state, 0).count(HOME), stations(state, 1).count(HOME)

    def reason(self, state: State, winner: Seat | None) -> str:
        return "all pieces home"

    def thrower(self, state: State) -> Seat:
        return 1 if mover(state) else 0

    def weights(self) -> np.ndarray:
        return shipped_weights(__package__, "weights.json", self.name, self.weight_names)

    @property
    def _pieces(self) -> int:
        return int(self.chosen["pieces"])

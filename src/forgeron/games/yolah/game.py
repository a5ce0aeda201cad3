"""Yolah as the rest of Forgeron sees it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from forgeron import Game, ImportedGame, Seat, Symmetry, shipped_weights
from forgeron.games.yolah import (  # noqa: F401  (they register rules)
    endings,
    evaluation,
    features,
    game_records,
    images,
    symmetry,
    text,
)
from forgeron.games.yolah.lessons import LESSONS
from forgeron.games.yolah.rules import MAX_MOVES, START, State
from forgeron.games.yolah.search_errors import SEARCH_ERRORS


class Yolah(Game):
    """Queens that leave holes: every move earns a point, and who can move longer wins."""

    name = "yolah"
    title = "Yolah"
    rules_card = (
        "Each side has four pieces. A turn moves one of them like a chess queen: in any direction, any distance, over "
        "empty squares.",
        "The square it left becomes a hole for the rest of the game, and the mover gains a point.",
        "Nothing is captured. Pieces and holes cannot be crossed or landed on.",
        "Who cannot move passes. When neither side can move, more points win: keep room to move.",
    )
    lessons = LESSONS
    state_class = State
    weight_names = evaluation.NAMES
    evaluations = {"material": "lead, free squares and the move alone: quick, and a measure for the default one"}
    max_moves = MAX_MOVES
    action_count = 64 * 64
    feature_count = features.COUNT
    max_features = features.MOST
    phases = features.PHASES
    images = images.IMAGES
    network_files = ("yolah.network",)
    search_errors = SEARCH_ERRORS
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

    def view_move(self, state: State, move: int) -> dict[str, Any]:
        return text.view_move(move)

    def compose(self, places: Mapping[str, str], turn: Seat) -> str:
        return text.compose(places, turn)

    def reason(self, state: State, winner: Seat | None) -> str:
        return "neither side can move"

    def typical_moves(self) -> int:
        """Until a search has proven who wins: half a game."""
        return 12

    def opening_moves(self) -> int:
        return 6

    def scores(self, state: State) -> tuple[int, int]:
        return text.points(state)

    def symmetries(self) -> list[Symmetry]:
        return [
            Symmetry(name, partial(symmetry.map_state, squares=squares), partial(symmetry.map_move, squares=squares))
            for name, squares in symmetry.KEEPING_COLOURS.items()
        ]

    def import_games(self, data: bytes) -> Iterator[ImportedGame]:
        return game_records.read_records(self, data)

    def weights(self) -> np.ndarray:
        return shipped_weights(__package__, "weights.json", self.name, self.weight_names)

    def other_weights(self, evaluation_: str, root: Seat) -> np.ndarray:
        return evaluation.MATERIAL

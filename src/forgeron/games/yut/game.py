"""Yut Nori as the rest of Forgeron sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from forgeron import Game, Option, Seat, TableLevel, shipped_weights
from forgeron.games.yut import evaluation, features, ranks, text, view
from forgeron.games.yut.board import HOME
from forgeron.games.yut.lessons import LESSONS
from forgeron.games.yut.piece_lists import stations
from forgeron.games.yut.rules import MAX_MOVES, State, mover, start_state


class Yut(Game):
    """A race with sticks for dice: bring all pieces home first; who is landed on starts again."""

    name = "yut"
    title = "Yut Nori"
    rules_card = (
        "Four sticks are thrown: one flat side up is do (1 step), two gae (2), three geol (3), four yut (4), none mo "
        "(5). A marked stick alone is back-do, one step back. Yut and mo throw again.",
        "Use each throw for a piece of your choice. A piece that stops on a corner or in the middle takes the shorter "
        "way from there.",
        "Pieces on the same station go on together. Landing on the opponent's sends them back to the start, and "
        "throws again, unless it was done with yut or mo.",
        "Who first brings all pieces home wins.",
    )
    lessons = LESSONS
    state_class = State
    weight_names = evaluation.NAMES
    feature_count = features.FEATURE_COUNT
    max_features = features.MAX_FEATURES
    phases = features.PHASES
    network_options = ()
    network_files = ("yut.network",)
    table_file = "yut.table"
    table_hands = ranks.hands(1), ranks.hands(6)
    max_moves = MAX_MOVES
    draws_turns = True
    action_count = 512
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
        return view.view(state)

    def view_move(self, state: State, move: int) -> dict[str, Any]:
        return view.view_move(state, move)

    def typical_moves(self) -> int:
        """A turn without a choice takes no time."""
        return 3 * self._pieces

    def scores(self, state: State) -> tuple[int, int]:
        """The pieces that are home."""
        return stations(state, 0).count(HOME), stations(state, 1).count(HOME)

    def compose(self, places: Mapping[str, str], turn: Seat) -> str:
        return text.compose(self._pieces, places, turn)

    def reason(self, state: State, winner: Seat | None) -> str:
        return "all pieces home"

    def thrower(self, state: State) -> Seat:
        return 1 if mover(state) else 0

    def weights(self) -> np.ndarray:
        return shipped_weights(__package__, "weights.json", self.name, self.weight_names)

    def table_levels(self) -> tuple[TableLevel, ...]:
        """By the pieces that the sides still have to bring home."""
        levels = [level for level in ranks.LEVELS if max(level) <= self._pieces]
        return tuple(TableLevel(f"{more}-{fewer}", ranks.ENDS[more, fewer]) for more, fewer in levels)

    @property
    def _pieces(self) -> int:
        return int(self.chosen["pieces"])

"""Coloured Mancala as the rest of Forgeron sees it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from forgeron import Game, Option, Seat, Symmetry, shipped_weights
from forgeron.games.mancala import (  # noqa: F401 - endings and features register rules
    endings,
    evaluation,
    features,
    report_evaluation,
    symmetry,
    text,
    view,
)
from forgeron.games.mancala.evaluation import CAPTURED
from forgeron.games.mancala.lessons import LESSONS
from forgeron.games.mancala.rules import MAX_MOVES, MAX_PLIES, State
from forgeron.games.mancala.search_errors import SEARCH_ERRORS


class Mancala(Game):
    """Sow reds everywhere and blues at the opponent's, capture twos and threes: more seeds win."""

    name = "mancala"
    title = "Coloured Mancala"
    rules_card = (
        "Sixteen holes in a circle, half of them yours. Choose one of yours and a colour: all its seeds of that colour "
        "are sown one by one into the holes that follow; the hole they came from is skipped.",
        "Red seeds fall into every hole, blue ones only into the opponent's. Transparent seeds are sown as red or as "
        "blue, before the hole's own seeds of that colour.",
        "If the hole of the last seed then holds two or three seeds, of any colours, you capture them, and go on "
        "backwards while holes hold two or three.",
        "49 seeds win. The game also ends with fewer than ten seeds on the board, or when a side has none left: the "
        "other one takes the rest.",
    )
    lessons = LESSONS
    state_class = State
    weight_names = evaluation.NAMES
    evaluations = {
        "report": "the evaluation of the AI Game 2025 Report",
        "hand": "the features of the default with weights set by hand",
        "captured": "captured seeds and nothing else, as a beginner counts",
    }
    max_moves = MAX_MOVES
    action_count = 64
    feature_count = features.COUNT
    max_features = features.MOST
    phases = features.PHASES
    network_files = ("halves.network", "alternate.network")
    network_options = ("owners", "forty")
    search_errors = SEARCH_ERRORS
    move_help = "hole and colour, for example 3R, 5B, 14TR or 14TB"
    options = {
        "owners": Option(
            "halves",
            ("halves", "alternate"),
            "the first player owns holes 1 … 8 (halves) or the odd ones (alternate)",
        ),
        "plies": Option(400, range(1, MAX_PLIES + 1), "the game ends after this many moves of both together"),
        "forty": Option(False, (False, True), "the game also ends when both players have 40 seeds"),
    }
    presets = {"report": {"owners": "halves"}, "course": {"owners": "alternate"}}

    def __init__(self, *, preset: str | None = None, **options: object) -> None:
        super().__init__(preset=preset, **options)
        self.images = 8 if self.chosen["owners"] == "alternate" else 1
        if self.chosen["owners"] == "alternate":
            self.search_errors = {}  # no match has proven ProbCut there

    @property
    def _options(self) -> dict[str, Any]:
        return {
            "limit": int(self.chosen["plies"]),
            "alternate": self.chosen["owners"] == "alternate",
            "forty": bool(self.chosen["forty"]),
        }

    def start_state(self) -> State:
        return text.build_state([(2, 2, 2)] * 16, 0, (0, 0), 0, **self._options)

    def format_move(self, state: State, move: int) -> str:
        return text.format_move(state, move)

    def parse_move(self, state: State, text_: str) -> int:
        return text.parse_move(state, text_)

    def why_illegal(self, state: State, move: int, legal: list[str]) -> str:
        return text.why_illegal(state, move, legal)

    def format_state(self, state: State) -> str:
        return text.format_state(state)

    def parse_state(self, text_: str) -> State:
        return text.parse_state(text_, **self._options)

    def draw(self, state: State, last_move: str | None = None) -> str:
        return text.draw(state, last_move)

    def view(self, state: State) -> dict[str, Any]:
        return view.view(state)

    def view_move(self, state: State, move: int) -> dict[str, Any]:
        return view.view_move(state, move)

    def typical_moves(self) -> int:
        """Until a search has proven who wins. Good players may go on for long where neither gets ahead."""
        return min(60, max(int(self.chosen["plies"]) // 2, 1))

    def scores(self, state: State) -> tuple[int, int]:
        return text.points(state)

    def compose(self, places: Mapping[str, str], turn: Seat) -> str:
        return text.compose(places, turn)

    def reason(self, state: State, winner: Seat | None) -> str:
        return text.reason(state)

    def symmetries(self) -> list[Symmetry]:
        """With alternate owners the circle may be turned by any even number of holes; halves cannot be turned."""
        if self.chosen["owners"] != "alternate":
            return []
        return [
            Symmetry(
                f"turned by {2 * steps}",
                partial(symmetry.turn_state, steps=steps),
                partial(symmetry.turn_move, steps=steps),
            )
            for steps in range(1, 8)
        ]

    def weights(self) -> np.ndarray:
        return self._shipped(str(self.chosen["owners"]))

    def other_weights(self, evaluation: str, root: Seat) -> np.ndarray:
        if evaluation == "report":
            return report_evaluation.report_weights(root)
        return self._shipped("hand") if evaluation == "hand" else CAPTURED

    def _shipped(self, which: str) -> np.ndarray:
        return shipped_weights(__package__, f"weights-{which}.json", self.name, self.weight_names)

"""YINSH as the rest of Forgeron sees it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from forgeron.core.errors import IllegalMoveError, NotationError, OptionError
from forgeron.core.game import Game, Option, Symmetry
from forgeron.core.position import Position, Seat
from forgeron.core.weights import shipped_weights
from forgeron.games.yinsh import drawing, evaluation, positions, ranking, symmetry, text
from forgeron.games.yinsh.board import SIZES, longest_line, points_of
from forgeron.games.yinsh.rules import MAX_MOVES
from forgeron.games.yinsh.state import State, pack_options, removed


class RingOption(Option):
    """The number of rings: a number, or N for as many as the board's size says."""

    @property
    def range(self) -> str:
        return f"N (as many as the size of the board), {self.allowed[1]} … {self.allowed[-1]}"


class Yinsh(Game):
    """Rings that leave markers and turn them over: five in line take a ring off, three rings off win."""

    name = "yinsh"
    title = "YINSH"
    state_class = State
    weight_names = evaluation.NAMES
    max_moves = MAX_MOVES
    seats = text.COLOURS
    move_help = text.HELP
    options = {
        "N": Option(5, SIZES, "size of the board: 5 has 85 points"),
        "M": RingOption("N", ("N", *range(1, 61)), "rings of each player; N is as many as the size of the board"),
        "K": Option(5, range(2, 13), "markers that make a row"),
        "L": Option(3, range(1, 61), "removed rings that win"),
        "removal": Option("end", ("end", "free"), "which K markers of a longer run: those at one end, or any"),
        "markers": Option("none", ("none", "51"), "limit of markers: none, or a pool of 51"),
        "pending": Option("move", ("move", "stop"), "after taking rows the opponent made: move, or stop after two"),
    }
    presets = {
        "assignment": {"removal": "end", "markers": "none", "pending": "move"},
        "official": {"removal": "free", "markers": "51", "pending": "move"},
        "course": {"removal": "free", "markers": "none", "pending": "stop"},
    }

    def __init__(self, *, preset: str | None = None, **options: object) -> None:
        if options.get("markers") == 51:
            options["markers"] = "51"
        super().__init__(preset=preset, **options)
        self.size = int(self.chosen["N"])
        if self.chosen["M"] == self.size:
            self.chosen["M"] = "N"  # one way to say it, so that equal games are equal
        self.rings = self.size if self.chosen["M"] == "N" else int(self.chosen["M"])
        self._check()
        self._options = pack_options(
            self.size,
            self.rings,
            int(self.chosen["K"]),
            int(self.chosen["L"]),
            free=self.chosen["removal"] == "free",
            pool=self.chosen["markers"] == "51",
            stop=self.chosen["pending"] == "stop",
        )

    def _check(self) -> None:
        """Refuse options that fit badly together."""
        length, goal = int(self.chosen["K"]), int(self.chosen["L"])
        points = len(points_of(self.size))
        if 2 * self.rings >= points:
            raise OptionError(
                f"M = {self.rings} rings each do not fit on the {points} points of N = {self.size} with room to move; "
                f"M is at most {(points - 1) // 2}"
            )
        if length > longest_line(self.size):
            raise OptionError(
                f"K = {length} markers never stand in line for N = {self.size}: the longest line has "
                f"{longest_line(self.size)} points"
            )
        if goal > self.rings:
            raise OptionError(f"nobody can remove L = {goal} rings of M = {self.rings}; L is at most M")

    def start_state(self) -> State:
        return State._make([*(np.uint64(0) for _ in range(9)), self._options])

    def format_move(self, state: State, move: int) -> str:
        return text.format_move(self.size, move)

    def parse_move(self, state: State, text_: str) -> int:
        moves = text.parse_turn(self.size, text_)
        if len(moves) != 1:
            raise NotationError(f"'{text_}' is {len(moves)} plies; one is written {text.HELP}")
        return moves[0]

    def parse_turn(self, state: State, text_: str) -> list[int]:
        """The plies of a whole turn, or of a part of one, in the native or the course's notation."""
        moves = text.parse_turn(self.size, text_)
        position = Position(self, state)
        for move in moves[:-1]:
            if move not in position.moves:
                break  # whoever plays the moves says why it is illegal
            after = position.push(move)
            if after.turn not in (position.turn, None):
                why = f"the turn ends after {self.format_move(state, move)}"
                raise IllegalMoveError(text_, self.format_state(state), why)
            position = after
        return moves

    def format_turn(self, moves: Sequence[int], notation: str = "native") -> str:
        """The plies of a whole turn in one line, ``native`` or as the ``course`` writes them."""
        return text.format_turn(self.size, moves, notation)

    def why_illegal(self, state: State, move: int, legal: list[str]) -> str:
        return text.why_illegal(state, move, legal)

    def format_state(self, state: State) -> str:
        return positions.format_state(state)

    def parse_state(self, text_: str) -> State:
        return positions.parse_state(text_, self._options)

    def draw(self, state: State, last_move: str | None = None) -> str:
        return drawing.draw(state, last_move)

    def view(self, state: State) -> dict[str, Any]:
        return drawing.view(state)

    def scores(self, state: State) -> tuple[int, int]:
        """The rings that each side has removed."""
        return int(removed(state, np.uint64(0))), int(removed(state, np.uint64(1)))

    def reason(self, state: State, winner: Seat | None) -> str:
        return ranking.ended_by(state)

    def ranking(self, position: Position, seat: Seat) -> ranking.Ranking:
        """The result for a seat in the assignment's order: class, rings within the class, lead in markers."""
        return ranking.rank(position.state, seat)

    def course_score(self, position: Position, seat: Seat) -> float:
        """The grade of the course's server: 10 for 3-0 … 0 for 0-3, and own markers / 1000."""
        return ranking.grade(position.state, seat)

    def symmetries(self) -> list[Symmetry]:
        return [Symmetry(*parts) for parts in symmetry.maps()]

    def weights(self) -> np.ndarray:
        return shipped_weights(__package__, "weights.json", self.name, self.weight_names)

"""YINSH as the rest of Forgeron sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import numpy as np

from forgeron import (
    Game,
    IllegalMoveError,
    NotationError,
    Option,
    OptionError,
    Position,
    Seat,
    Symmetry,
    shipped_weights,
)
from forgeron.games.yinsh import actions, evaluation, features, images, ranking, text
from forgeron.games.yinsh.board import SIZES
from forgeron.games.yinsh.lessons import LESSONS
from forgeron.games.yinsh.point_sets import State
from forgeron.games.yinsh.ranking import Ranking
from forgeron.games.yinsh.rules import MAX_MOVES
from forgeron.games.yinsh.size import LARGEST
from forgeron.games.yinsh.state import pack_options, removed


@cache
def _modules(size: int) -> SimpleNamespace:
    """The modules that serve a board of this size: those of this package, or of `large`, compiled for more words."""
    package = __package__ if size <= LARGEST else f"{__package__}.large"
    names = ("actions", "board", "drawing", "evaluation", "features", "images", "position_text", "rules", "symmetry")
    return SimpleNamespace(**{name: import_module(f"{package}.{name}") for name in (*names, "text", "point_sets")})


class RingOption(Option):
    """The number of rings: a number, or N for as many as the board's size says."""

    @property
    def range(self) -> str:
        return f"N (as many as the size of the board), {self.allowed[1]} … {self.allowed[-1]}"


class Yinsh(Game):
    """Rings that leave markers and turn them over: five in line take a ring off, three rings off win."""

    name = "yinsh"
    title = "YINSH"
    rules_card = (
        "Both sides place their rings in turn. After that a turn moves one ring in a straight line, and leaves a "
        "marker of your colour where it stood.",
        "A ring passes empty points and may jump over markers without a gap between them; it lands on the first empty "
        "point behind. Every marker it jumped changes colour. Rings are never jumped.",
        "Five markers of your colour in line: take them off, and one of your rings with them.",
        "Who has taken off three rings wins. Each one you take leaves you with fewer to play with.",
    )
    lessons = LESSONS
    state_class = State
    weight_names = evaluation.NAMES
    max_moves = MAX_MOVES
    draws_turns = True
    action_count = actions.ACTIONS
    feature_count = features.COUNT
    max_features = features.MOST
    phases = features.PHASES
    images = images.IMAGES
    network_files = ("yinsh.network",)
    network_options = ("N", "M", "K", "L")
    seats = text.COLOURS
    move_help = text.HELP
    result_classes = ranking.Result
    options = {
        "N": Option(5, range(SIZES[0], LARGEST + 2), "size of the board: 5 has 85 points"),
        "M": RingOption("N", ("N", *range(1, 61)), "rings of each player; N is as many as the size of the board"),
        "K": Option(5, range(2, 15), "markers that make a row"),
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
        super().__init__(preset=preset, **options)
        self.size = int(self.chosen["N"])
        if self.chosen["M"] == self.size:
            self.chosen["M"] = "N"  # one way to say it, so that equal games are equal
        self.rings = self.size if self.chosen["M"] == "N" else int(self.chosen["M"])
        self._check()
        if self.size > LARGEST:
            self.use_state_class(self._modules.point_sets.State)
            self.max_moves = self._modules.rules.MAX_MOVES
            self.action_count = self._modules.actions.ACTIONS
            self.feature_count = self._modules.features.COUNT
        self._options = pack_options(
            self.size,
            self.rings,
            int(self.chosen["K"]),
            int(self.chosen["L"]),
            free=self.chosen["removal"] == "free",
            pool=self.chosen["markers"] == "51",
            stop=self.chosen["pending"] == "stop",
        )

    @property
    def _modules(self) -> SimpleNamespace:
        return _modules(self.size)

    def _check(self) -> None:
        """Refuse options that fit badly together."""
        length, goal = int(self.chosen["K"]), int(self.chosen["L"])
        points, longest = len(self._modules.board.points_of(self.size)), self._modules.board.longest_line(self.size)
        if 2 * self.rings >= points:
            raise OptionError(
                f"M = {self.rings} rings each do not fit on the {points} points of N = {self.size} with room to move; "
                f"M is at most {(points - 1) // 2}"
            )
        if length > longest:
            raise OptionError(
                f"K = {length} markers never stand in line for N = {self.size}: the longest line has {longest} points"
            )
        if goal > self.rings:
            raise OptionError(f"nobody can remove L = {goal} rings of M = {self.rings}; L is at most M")

    def start_state(self) -> State:
        fields = len(self.state_class._fields)
        start: State = self.state_class._make([*(np.uint64(0) for _ in range(fields - 1)), self._options])
        return start

    def format_move(self, state: State, move: int) -> str:
        return str(self._modules.text.format_move(self.size, move))

    def parse_move(self, state: State, text_: str) -> int:
        moves: list[int] = self._modules.text.parse_turn(self.size, text_)
        if len(moves) != 1:
            raise NotationError(f"'{text_}' is {len(moves)} plies; one is written {text.HELP}")
        return moves[0]

    def parse_turn(self, state: State, text_: str) -> list[int]:
        """The plies of a whole turn, or of a part of one, in the native or the course's notation."""
        moves: list[int] = self._modules.text.parse_turn(self.size, text_)
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
        return str(self._modules.text.format_turn(self.size, moves, notation))

    def why_illegal(self, state: State, move: int, legal: list[str]) -> str:
        return str(self._modules.text.why_illegal(state, move, legal))

    def format_state(self, state: State) -> str:
        return str(self._modules.position_text.format_state(state))

    def parse_state(self, text_: str) -> State:
        state: State = self._modules.position_text.parse_state(text_, self._options)
        return state

    def draw(self, state: State, last_move: str | None = None) -> str:
        return str(self._modules.drawing.draw(state, last_move))

    def view(self, state: State) -> dict[str, Any]:
        view: dict[str, Any] = self._modules.drawing.view(state)
        return view

    def view_move(self, state: State, move: int) -> dict[str, Any]:
        view: dict[str, Any] = self._modules.drawing.view_move(state, move)
        return view

    def typical_moves(self) -> int:
        return 30

    def opening_moves(self) -> int:
        """A search sees little of what the first rings and markers are worth."""
        return 15

    def scores(self, state: State) -> tuple[int, int]:
        """The rings that each side has removed."""
        return int(removed(state, np.uint64(0))), int(removed(state, np.uint64(1)))

    def compose(self, places: Mapping[str, str], turn: Seat) -> str:
        return str(self._modules.position_text.compose(self.size, self.rings, places, turn))

    def reason(self, state: State, winner: Seat | None) -> str:
        return ranking.ended_by(state)

    def ranking(self, position: Position, seat: Seat) -> Ranking:
        """The result for a seat in the assignment's order: class, rings within the class, lead in markers."""
        return ranking.rank(position.state, seat)

    def course_score(self, position: Position, seat: Seat) -> float:
        """The grade of the course's server: 10 for 3-0 … 0 for 0-3, and own markers / 1000."""
        return ranking.grade(position.state, seat)

    def forfeit_ranking(self, position: Position, seat: Seat, loser: Seat) -> Ranking:
        """As the course has it: a fault with x rings removed is a loss by x - L, and the opponent's win by L - x."""
        return ranking.rank_forfeit(position.state, seat, loser)

    def forfeit_score(self, position: Position, seat: Seat, loser: Seat) -> float:
        """The grade for that result."""
        return ranking.grade_of(position.state, seat, self.forfeit_ranking(position, seat, loser))

    def symmetries(self) -> list[Symmetry]:
        return [Symmetry(*parts) for parts in self._modules.symmetry.maps()]

    def weights(self) -> np.ndarray:
        return shipped_weights(__package__, "weights.json", self.name, self.weight_names)

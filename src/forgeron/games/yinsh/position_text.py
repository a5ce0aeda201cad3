"""YINSH positions as one token.

The columns from A on, each from its lowest point, divided by ``/``: W and B are rings, w and b markers, a number that
many empty points. Then who is to move, the stage of the turn, and the rings removed by white and black:
``4/7/8/3W5/10/4B4/10/9/8/7/4:w:place:0-0``.

Stages: ``place``, ``move``, ``pass``, ``over``; ``before-row`` and ``before-ring`` take off what the opponent's move
made, ``after-row`` and ``after-ring`` what the own move made. A digit after ``before-…`` counts the rows already taken
in this turn, where the option `pending` makes that matter.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import groupby

import numpy as np

from forgeron import NotationError

from .board import POINTS, WORDS, points_of, standard_names
from .line_bits import has_row
from .plies import before_move
from .point_sets import State, my_markers, their_markers
from .state import (
    MOVED,
    POOL,
    RING,
    ROW,
    TAKEN_ONE,
    TAKEN_TWO,
    THEY_HAVE_A_ROW,
    TO_NOTHING,
    TO_RING,
    TO_ROW,
    TURN,
    goal_of,
    has_pool,
    kind_of,
    length_of,
    removed,
    rings_of,
    size_of,
    stops_after_two,
    with_stage,
)
from .text import COLOURS, content

STAGES = ("place", "move", "row", "ring", "pass", "over")
_STAGE = re.compile(r"(place|move|pass|over)|(before|after)-(row|ring)([12]?)")


def columns_of(size: int) -> list[list[int]]:
    """The points of each column, from the left and from below."""
    return [list(column) for _, column in groupby(points_of(size), key=lambda number: POINTS[number][0])]


def stage_word(state: State) -> str:
    """The stage of the turn in writing."""
    kind, stage = kind_of(state), state.stage
    if kind not in (ROW, RING):
        return STAGES[int(kind)]
    if stage & MOVED:
        return f"after-{STAGES[int(kind)]}"
    taken = 2 if stage & TAKEN_TWO else 1 if stage & TAKEN_ONE else 0
    return f"before-{STAGES[int(kind)]}{taken or ''}"


def format_state(state: State) -> str:
    held = content(state)
    columns = ["".join(held[number] for number in column) for column in columns_of(int(size_of(state.options)))]
    board = re.sub(r"\.+", lambda run: str(len(run[0])), "/".join(columns))
    counts = "-".join(str(int(removed(state, np.uint64(seat)))) for seat in (0, 1))
    return f"{board}:{'wb'[int(state.stage & TURN)]}:{stage_word(state)}:{counts}"


class _Reader:
    """Reads one token; every refusal says what is wrong with it."""

    def __init__(self, text: str, options: np.uint64) -> None:
        self.text = text
        self.options = options
        self.size = int(size_of(options))

    def refuse(self, why: str) -> NotationError:
        empty = "/".join(str(len(column)) for column in columns_of(self.size))
        return NotationError(
            f"'{self.text}' is not a YINSH position with these options: {why} (the first position is "
            f"{empty}:w:place:0-0)"
        )

    def read(self) -> State:
        parts = self.text.split(":")
        if len(parts) != 4:
            raise self.refuse("it needs board:turn:stage:removed rings")
        board, mover, stage, counts = parts
        if mover not in ("w", "b"):
            raise self.refuse(f"the turn is w or b, not '{mover}'")
        found = re.fullmatch(r"([0-9]{1,2})-([0-9]{1,2})", counts)
        if not found:
            raise self.refuse(f"removed rings are two numbers such as 1-2, not '{counts}'")
        sets = self.sets(board)
        taken = (int(found[1]), int(found[2]))
        self.check_counts(sets, mover, stage, taken)
        order = "Ww" + "Bb" if mover == "w" else "Bb" + "Ww"
        words = [np.uint64(sets[letter] >> 64 * i & (2**64 - 1)) for letter in order for i in range(WORDS)]
        turn = np.uint64("wb".index(mover))
        state = State._make([*words, turn | np.uint64(taken[0] << 8 | taken[1] << 16), self.options])
        return self.with_stage(state, stage)

    def sets(self, board: str) -> dict[str, int]:
        columns = columns_of(self.size)
        written = [re.sub(r"[0-9]{1,2}", lambda run: "." * int(run[0]), column) for column in board.split("/")]
        if len(written) != len(columns):
            raise self.refuse(f"the board has {len(columns)} columns, not {len(written)}")
        sets = dict.fromkeys("WwBb", 0)
        for i, (column, letters) in enumerate(zip(columns, written, strict=True)):
            if len(letters) != len(column):
                raise self.refuse(f"column {chr(65 + i)} has {len(column)} points, not {len(letters)}")
            for number, letter in zip(column, letters, strict=True):
                if letter not in "WwBb.":
                    raise self.refuse(f"a point holds W, w, B or b, not '{letter}'")
                if letter != ".":
                    sets[letter] |= 1 << number
        return sets

    def check_counts(self, sets: dict[str, int], mover: str, stage: str, taken: tuple[int, int]) -> None:
        """Rings are neither made nor lost."""
        rings, goal = int(rings_of(self.options)), int(goal_of(self.options))
        white, black = sets["W"].bit_count(), sets["B"].bit_count()
        if stage == "place":
            if white != black + (mover == "b") or white + black >= 2 * rings:
                raise self.refuse("white places the first ring and then they alternate")
            if sets["w"] or sets["b"] or taken != (0, 0):
                raise self.refuse("there are no markers and no removed rings while rings are placed")
            return
        for side, left, gone in zip(COLOURS, (white, black), taken, strict=True):
            if left + gone != rings:
                raise self.refuse(f"{side} has {left} rings on the board and {gone} removed; together it is {rings}")
        if max(taken) > goal or min(taken) == goal or (max(taken) == goal and stage != "over"):
            raise self.refuse(f"the game is over when one side has removed {goal} rings")
        if max(taken) == goal and taken["wb".index(mover)] != goal:
            raise self.refuse("the winner is the last to move")
        markers = (sets["w"] | sets["b"]).bit_count()
        if has_pool(self.options) and markers > POOL:
            raise self.refuse(f"there are {POOL} markers, not {markers}")

    def with_stage(self, state: State, word: str) -> State:
        found = _STAGE.fullmatch(word)
        if not found:
            raise self.refuse(f"the stage is one of {', '.join(STAGES[:2])}, before-row, …, not '{word}'")
        length = length_of(self.options)
        mine, theirs = has_row(my_markers(state), length), has_row(their_markers(state), length)
        side = COLOURS[int(state.stage & TURN)]
        if word == "place":
            return state
        if found[1]:
            return self.stage_of_move(state, word, mine, theirs)
        stage = state.stage | (TO_ROW if found[3] == "row" else TO_RING)
        if found[3] == "row" and not mine:
            raise self.refuse(f"{side} has no row to remove")
        if found[2] == "after":
            if found[4]:
                raise self.refuse("rows are counted only before the move")
            return with_stage(state, stage | MOVED | (THEY_HAVE_A_ROW if theirs else np.uint64(0)))
        if theirs:
            raise self.refuse("both sides have a row before a move, which no move can bring about")
        expected = ("1", "2") if found[3] == "ring" else ("", "1", "2")
        if found[4] not in (expected if stops_after_two(self.options) else ("",)):
            raise self.refuse("rows taken before the move are counted, 1 or 2, only with pending=stop")
        return with_stage(state, stage | (TAKEN_ONE * np.uint64(int(found[4] or 0))))

    def stage_of_move(self, state: State, word: str, mine: bool, theirs: bool) -> State:
        """Move, pass or over: the board says which."""
        if word == "over" and goal_of(self.options) in (removed(state, np.uint64(0)), removed(state, np.uint64(1))):
            return with_stage(state, state.stage | TO_NOTHING)
        if mine or theirs:
            raise self.refuse("there is a row on the board, which must be removed first")
        ready = before_move(state)
        proper = stage_word(ready)
        if proper != word:
            raise self.refuse(f"the stage of this board is '{proper}', not '{word}'")
        return ready


def parse_state(text: str, options: np.uint64) -> State:
    """The state that a token stands for under these options; NotationError when there is none."""
    return _Reader(text, options).read()


def _run(content: str, length: int) -> str:
    return str(length) if content == "." else content * length


def compose(size: int, rings: int, places: Mapping[str, str], turn: int) -> str:
    """The token of these rings (W, B) and markers (w, b), about to move; missing rings have been removed."""
    columns: dict[str, str] = {}
    for name in sorted(standard_names(size).values(), key=lambda name: (name[0], int(name[1:]))):
        columns[name[0]] = columns.get(name[0], "") + (places.get(name, ".")[:1] or ".")
    board = "/".join(
        "".join(_run(content, len(list(run))) for content, run in groupby(column))
        for _, column in sorted(columns.items())
    )
    removed = [max(rings - sum(content == ring for content in places.values()), 0) for ring in "WB"]
    return f"{board}:{'wb'[turn]}:move:{removed[0]}-{removed[1]}"

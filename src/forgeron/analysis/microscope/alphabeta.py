"""Watching `forgeron.kernels.alphabeta`: what its steps are given and answer becomes the trace."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from forgeron.analysis.microscope.trace import Trace, watching
from forgeron.core.contract import OVER, UNKNOWN, solve, turn
from forgeron.core.game import Game
from forgeron.kernels import alphabeta as kernel
from forgeron.kernels.alphabeta_ordering import COUNTERMOVE_BONUS, KILLER_RATING, TABLE_MOVE_RATING
from forgeron.kernels.alphabeta_workspace import ENHANCEMENTS, STOP, Enhancement
from forgeron.kernels.move_lists import rating_at
from forgeron.kernels.transposition_table import LOWER_BOUND, MISS, UPPER_BOUND, bound_of, depth_of, value_of


@dataclass
class _AlphaBetaCall:
    """A call of `search` that is running."""

    id: int
    mover: int
    alpha: int
    """raised as the kernel raises it; for the mover"""
    beta: int
    enhancements: int
    moves: int = 0
    child: int = 0
    """the entry of the move that is tried now"""
    child_depth: int = 0
    entered: bool = False
    """whether that move has been searched already, with another window or depth"""
    order: str = ""
    best: int | None = None
    returned: int | None = None
    """the value of that move, until the kernel is seen to accept it instead of searching the move again"""


class AlphaBetaWatch:
    """Writes the trace of every search that is made while `watching` lasts."""

    def __init__(self, game: Game, trace: Trace) -> None:
        self._game = game
        self._trace = trace
        self._frames: list[_AlphaBetaCall] = []

    def watching(self) -> AbstractContextManager[None]:
        probes = ("search", "answers", "cutoff_by_table", "cutoff_by_static")
        steps = (*probes, "rate_moves", "move_at", "make_child", "leaf_value", "record_cutoff")
        return watching(kernel, {name: getattr(self, f"_{name}") for name in steps})

    # --- the steps of the kernel: each method takes the function and returns what stands in its place ---------------

    def _search(self, search: Callable[..., Any]) -> Callable[..., Any]:
        def watched(state: Any, depth: Any, alpha: Any, beta: Any, ply: Any, previous: Any, ws: Any, *rest: Any) -> Any:
            mover = int(turn(state))
            frame = _AlphaBetaCall(
                self._entry(int(ply), int(depth)), mover, int(alpha), int(beta), int(ws[ENHANCEMENTS])
            )
            low, high = _window(mover, int(alpha), int(beta))
            parent = self._frames[-1] if self._frames else None
            reduction = parent.child_depth - int(depth) if parent else 0
            narrow = parent is not None and _width(parent) > 1 and int(beta) - int(alpha) == 1
            self._trace.add("enter", frame.id, mover, int(depth), low, high, reduction, int(narrow))
            self._frames.append(frame)
            try:
                value = search(state, depth, alpha, beta, ply, previous, ws, *rest)
            finally:
                self._frames.pop()
            if not ws[STOP]:
                self._accept(frame)
                self._trace.add("done", frame.id, _first(mover, int(value)), _relation(mover, value, alpha, beta))
                if parent is not None:
                    parent.returned = int(value) if mover == parent.mover else -int(value)
            return value

        return watched

    def _entry(self, ply: int, depth: int) -> int:
        """The entry of the tree that a call of `search` belongs to."""
        if ply == 0:
            root = self._trace.new_id()
            self._trace.add("root", root, depth)
            return root
        parent = self._frames[-1]
        if parent.entered:
            first, parent.child, parent.returned = parent.child, self._trace.new_id(), None
            self._trace.add("again", parent.child, first)
        parent.entered = True
        return parent.child

    def _answers(self, answers: Callable[..., bool]) -> Callable[..., bool]:
        def watched(entry: Any, node: Any) -> bool:
            used = answers(entry, node)
            if entry != MISS:
                value = int(kernel.value_from_table(value_of(entry), node.ply))
                bound = {LOWER_BOUND: ">=", UPPER_BOUND: "<="}.get(int(bound_of(entry)), "=")
                seen = _first(int(node.mover), value)
                self._trace.add(
                    "table", self._frames[-1].id, int(depth_of(entry)), seen, _mirrored(node.mover, bound), int(used)
                )
            return used

        return watched

    def _cutoff_by_table(self, cutoff: Callable[..., Any]) -> Callable[..., Any]:
        def watched(ws: Any, entry: Any, node: Any) -> Any:
            edge = cutoff(ws, entry, node)
            self._guess(node, edge, int(value_of(entry)), int(depth_of(entry)))
            return edge

        return watched

    def _cutoff_by_static(self, cutoff: Callable[..., Any]) -> Callable[..., Any]:
        def watched(ws: Any, static: Any, node: Any) -> Any:
            edge = cutoff(ws, static, node)
            self._guess(node, edge, int(static), 0)
            return edge

        return watched

    def _guess(self, node: Any, edge: Any, value: int, depth: int) -> None:
        """ProbCut has looked at the value of a shallower search; a cut-off when there is an edge."""
        if edge != UNKNOWN:
            mover = int(node.mover)
            self._trace.add("probcut", self._frames[-1].id, _first(mover, value), depth, _first(mover, int(edge)))

    def _rate_moves(self, rate_moves: Callable[..., None]) -> Callable[..., None]:
        def watched(ws: Any, lists: Any, n: Any, node: Any, table_move: Any) -> None:
            rate_moves(ws, lists, n, node, table_move)
            frame = self._frames[-1]
            frame.moves = int(n)
            self._trace.add("moves", frame.id, int(n))

        return watched

    def _move_at(self, move_at: Callable[..., Any]) -> Callable[..., Any]:
        def watched(ws: Any, lists: Any, i: Any) -> Any:
            self._frames[-1].order = _order(int(rating_at(ws, lists, i)))
            return move_at(ws, lists, i)

        return watched

    def _make_child(self, make_child: Callable[..., Any]) -> Callable[..., Any]:
        def watched(ws: Any, state: Any, move: Any) -> Any:
            frame = self._frames[-1]
            self._accept(frame)
            self._trace.count_node()
            frame.child, frame.entered = self._trace.new_id(), False
            token = self._game.format_move(state, int(move))
            self._trace.add("child", frame.child, frame.id, token, frame.order)
            return make_child(ws, state, move)

        return watched

    def _leaf_value(self, leaf_value: Callable[..., Any]) -> Callable[..., Any]:
        def watched(child: Any, child_turn: Any, child_depth: Any, node: Any, weights: Any) -> Any:
            value = leaf_value(child, child_turn, child_depth, node, weights)
            frame = self._frames[-1]
            frame.child_depth = int(child_depth)
            if value != UNKNOWN:
                kind = "over" if child_turn == OVER else "solved" if solve(child) != UNKNOWN else "horizon"
                self._trace.add("leaf", frame.child, _first(frame.mover, int(value)), kind)
                frame.returned = int(value)
            return value

        return watched

    def _record_cutoff(self, record_cutoff: Callable[..., None]) -> Callable[..., None]:
        def watched(ws: Any, lists: Any, i: Any, node: Any) -> None:
            record_cutoff(ws, lists, i, node)
            frame = self._frames[-1]
            self._accept(frame)
            self._trace.add("cut", frame.id, frame.child, frame.moves - 1 - int(i))

        return watched

    def _accept(self, frame: _AlphaBetaCall) -> None:
        """The value that came back last counts: is it the best so far, and does it raise alpha?"""
        value, frame.returned = frame.returned, None
        if value is None or (frame.best is not None and value <= frame.best):
            return
        frame.best = value
        raises = bool(frame.enhancements & Enhancement.ALPHA_BETA) and value > frame.alpha
        if raises:
            frame.alpha = value
        self._trace.add("best", frame.id, frame.child, _first(frame.mover, value), int(raises))


def _width(frame: _AlphaBetaCall) -> int:
    return frame.beta - frame.alpha


def _window(mover: int, alpha: int, beta: int) -> tuple[int, int]:
    """The window of a mover as one for player 0."""
    return (alpha, beta) if mover == 0 else (-beta, -alpha)


def _first(mover: int, value: int) -> int:
    """A value of a mover for player 0."""
    return value if mover == 0 else -value


def _mirrored(mover: int, bound: str) -> str:
    return bound if mover == 0 else {">=": "<=", "<=": ">=", "=": "="}[bound]


def _relation(mover: int, value: int, alpha: int, beta: int) -> str:
    """What the value that a search returns says of the true one, for player 0."""
    return _mirrored(mover, ">=" if value >= beta else "<=" if value <= alpha else "=")


def _order(rating: int) -> str:
    """Why a move is tried now."""
    if rating >= TABLE_MOVE_RATING:
        return "table"
    if rating >= KILLER_RATING:
        return "killer"
    if rating >= COUNTERMOVE_BONUS // 2:
        return "countermove"
    return "history" if rating > 0 else ""

"""Watching `forgeron.kernels.expectimax`: what its steps are given and answer becomes the trace."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from forgeron.analysis.microscope.trace import Trace, watching
from forgeron.core.contract import CHANCE, OVER, UNKNOWN, solve, turn
from forgeron.core.game import Game
from forgeron.kernels import expectimax as kernel
from forgeron.kernels.expectimax_values import SCALE, decayed
from forgeron.kernels.expectimax_workspace import NO_VALUE, PRUNING, STOP, Pruning
from forgeron.kernels.transposition_table import LOWER_BOUND, MISS, UPPER_BOUND, bound_of, depth_of, value_of


@dataclass
class _ExpectimaxCall:
    """A call of `search` that is running."""

    id: int
    player: int
    is_chance: bool
    probing: bool
    alpha: int
    """raised as the kernel raises it; for the player"""
    moves: int = 0
    tried: int = 0
    child: int = 0
    children: dict[int, int] | None = None
    """outcome → its entry: a chance node may visit it twice, for a probe and for good"""
    again: bool = False
    best: int = NO_VALUE
    returned: int | None = None
    pruning: int = 0


class ExpectimaxWatch:
    """Writes the trace of every search that is made while `watching` lasts."""

    def __init__(self, game: Game, trace: Trace) -> None:
        self._game = game
        self._trace = trace
        self._frames: list[_ExpectimaxCall] = []

    def watching(self) -> AbstractContextManager[None]:
        steps = (
            *("search", "answers", "open_bounds", "rate_moves", "count_node", "make_child", "leaf_value"),
            *("narrow_bounds", "star1_cutoff"),
        )
        return watching(kernel, {name: getattr(self, f"_{name}") for name in steps})

    # --- the steps of the kernel: each method takes the function and returns what stands in its place ---------------

    def _search(self, search: Callable[..., Any]) -> Callable[..., Any]:
        def watched(state: Any, player: Any, depth: Any, alpha: Any, beta: Any, ply: Any, *rest: Any) -> Any:
            _throws, probing, ws = rest[:3]
            who, is_chance = int(player), bool(turn(state) == CHANCE)
            frame = _ExpectimaxCall(self._entry(int(ply), int(depth)), who, is_chance, bool(probing), int(alpha))
            frame.pruning = int(ws[PRUNING])
            low, high = _window(who, int(alpha), int(beta))
            seat = 2 if is_chance else who
            self._trace.add("enter", frame.id, seat, int(depth), low, high, 0, 0, int(bool(probing)))
            self._frames.append(frame)
            try:
                value = search(state, player, depth, alpha, beta, ply, *rest)
            finally:
                self._frames.pop()
            if not ws[STOP]:
                self._finish(frame, int(value), int(alpha), int(beta))
            return value

        return watched

    def _finish(self, frame: _ExpectimaxCall, value: int, alpha: int, beta: int) -> None:
        self._accept(frame)
        if not frame.is_chance and not frame.probing and 0 < frame.tried < frame.moves:
            self._trace.add("cut", frame.id, frame.child, frame.moves - frame.tried)
        bound = ">=" if value >= beta or frame.probing else "<=" if value <= alpha else "="
        self._trace.add("done", frame.id, _first(frame.player, value), _mirrored(frame.player, bound))
        if self._frames:
            parent = self._frames[-1]
            parent.returned = value if frame.player == parent.player else SCALE - value

    def _entry(self, ply: int, depth: int) -> int:
        """The entry of the tree that a call of `search` belongs to."""
        if ply > 0:
            return self._frames[-1].child
        root = self._trace.new_id()
        self._trace.add("root", root, depth)
        return root

    def _answers(self, answers: Callable[..., bool]) -> Callable[..., bool]:
        def watched(entry: Any, node: Any) -> bool:
            used = answers(entry, node)
            if entry != MISS:
                bound = {LOWER_BOUND: ">=", UPPER_BOUND: "<="}.get(int(bound_of(entry)), "=")
                value, bound = _first(int(node.player), int(value_of(entry))), _mirrored(int(node.player), bound)
                self._trace.add("table", self._frames[-1].id, int(depth_of(entry)), value, bound, int(used))
            return used

        return watched

    def _open_bounds(self, open_bounds: Callable[..., Any]) -> Callable[..., Any]:
        def watched(reals: Any, outcomes: Any, n: Any) -> Any:
            frame = self._frames[-1]
            frame.moves, frame.children = int(n), {}
            shares = [round(float(reals[outcomes.probabilities + i]), 4) for i in range(n)]
            self._trace.add("throws", frame.id, shares)
            return open_bounds(reals, outcomes, n)

        return watched

    def _rate_moves(self, rate_moves: Callable[..., None]) -> Callable[..., None]:
        def watched(ws: Any, lists: Any, n: Any, *rest: Any) -> None:
            rate_moves(ws, lists, n, *rest)
            frame = self._frames[-1]
            frame.moves = int(n)
            self._trace.add("moves", frame.id, int(n))

        return watched

    def _count_node(self, count_node: Callable[..., bool]) -> Callable[..., bool]:
        def watched(ws: Any) -> bool:
            self._accept(self._frames[-1])
            goes_on = count_node(ws)
            if goes_on:
                self._trace.count_node()
            return goes_on

        return watched

    def _make_child(self, make_child: Callable[..., Any]) -> Callable[..., Any]:
        def watched(state: Any, move: Any, node: Any) -> Any:
            frame = self._frames[-1]
            before = frame.children.get(int(move)) if frame.children is not None else None
            frame.child = self._trace.new_id()
            frame.tried += 1
            self._trace.add("child", frame.child, frame.id, self._game.format_move(state, int(move)), "")
            if before is not None:
                self._trace.add("probed", frame.child, before)
            if frame.children is not None:
                frame.children[int(move)] = frame.child
            return make_child(state, move, node)

        return watched

    def _leaf_value(self, leaf_value: Callable[..., Any]) -> Callable[..., Any]:
        def watched(ws: Any, child: Any, child_turn: Any, *rest: Any) -> Any:
            value = leaf_value(ws, child, child_turn, *rest)
            if value != NO_VALUE:
                frame = self._frames[-1]
                kind = "over" if child_turn == OVER else "solved" if solve(child) != UNKNOWN else "horizon"
                self._trace.add("leaf", frame.child, _first(frame.player, int(value)), kind)
                frame.returned = int(value)
            return value

        return watched

    def _narrow_bounds(self, narrow_bounds: Callable[..., Any]) -> Callable[..., Any]:
        def watched(*arguments: Any) -> Any:
            lower, upper = narrow_bounds(*arguments)
            frame = self._frames[-1]
            low, high = _window(frame.player, round(lower), round(upper))
            self._trace.add("bounds", frame.id, low, high)
            return lower, upper

        return watched

    def _star1_cutoff(self, star1_cutoff: Callable[..., Any]) -> Callable[..., Any]:
        def watched(lower: Any, upper: Any, node: Any) -> Any:
            value = star1_cutoff(lower, upper, node)
            if value != NO_VALUE:
                frame = self._frames[-1]
                left = frame.moves - len(frame.children or ())
                self._trace.add("cut", frame.id, frame.child, left)
            return value

        return watched

    def _accept(self, frame: _ExpectimaxCall) -> None:
        """The value that came back last counts at a choice: is it the best so far, and does it raise alpha?"""
        value, frame.returned = frame.returned, None
        if value is None or frame.is_chance:
            return
        value = int(decayed(value))
        if value <= frame.best:
            return
        frame.best = value
        raises = bool(frame.pruning & Pruning.ALPHA_BETA) and value > frame.alpha
        if raises:
            frame.alpha = value
        self._trace.add("best", frame.id, frame.child, _first(frame.player, value), int(raises))


def _window(player: int, alpha: int, beta: int) -> tuple[int, int]:
    """The window of a player as one for player 0."""
    return (alpha, beta) if player == 0 else (SCALE - beta, SCALE - alpha)


def _first(player: int, value: int) -> int:
    """A value of a player for player 0."""
    return value if player == 0 else SCALE - value


def _mirrored(player: int, bound: str) -> str:
    return bound if player == 0 else {">=": "<=", "<=": ">=", "=": "="}[bound]

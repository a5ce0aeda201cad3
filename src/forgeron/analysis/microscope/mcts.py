"""Watching `forgeron.kernels.mcts`: what its steps are given and answer becomes the trace."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from forgeron.analysis.microscope.trace import Trace, watching
from forgeron.core.contract import CHANCE
from forgeron.core.game import Game
from forgeron.kernels import mcts as kernel
from forgeron.kernels.mcts_tree import (
    NO_CHILDREN,
    PROVEN_WIN,
    ROOT,
    UNPROVEN,
    child_count,
    move_into,
    proven_value,
    turn_at,
    value_for,
    visits_of,
)
from forgeron.kernels.mcts_workspace import node_at

#: Digits of the values that are shown.
_DIGITS = 4


class MctsWatch:
    """Writes the trace of the simulations that are made while `watching` lasts. Entries are called by their slots."""

    def __init__(self, game: Game, trace: Trace) -> None:
        self._game = game
        self._trace = trace

    def watching(self) -> AbstractContextManager[None]:
        steps = ("visit_node", "expand", "choose_child", "throw", "evaluate_leaf", "back_up")
        return watching(kernel, {name: getattr(self, f"_{name}") for name in steps})

    # --- the steps of the kernel: each method takes the function and returns what stands in its place ---------------

    def _visit_node(self, visit_node: Callable[..., None]) -> Callable[..., None]:
        def watched(tree: Any, ws: Any, guaranteed: Any, node: Any, depth: Any) -> None:
            if depth == 0:
                self._trace.count_node()
                self._trace.add("simulation", self._trace.nodes)
            visit_node(tree, ws, guaranteed, node, depth)

        return watched

    def _expand(self, expand: Callable[..., Any]) -> Callable[..., Any]:
        def watched(
            tree: Any, ws: Any, node: Any, just_moved: Any, state: Any, player: Any, settings: Any, *rest: Any
        ) -> Any:
            first = expand(tree, ws, node, just_moved, state, player, settings, *rest)
            if first != NO_CHILDREN:
                with_priors = settings.use_priors or player == CHANCE
                children = [
                    [
                        int(child),
                        self._game.format_move(state, int(move_into(tree, child))),
                        round(float(tree.priors[child]), _DIGITS) if with_priors else None,
                    ]
                    for child in range(int(first), int(first) + int(child_count(tree, node)))
                ]
                self._trace.add("expand", int(node), int(player), children)
            return first

        return watched

    def _choose_child(self, choose_child: Callable[..., Any]) -> Callable[..., Any]:
        def watched(tree: Any, guaranteed: Any, node: Any, first: Any, depth: Any, settings: Any) -> Any:
            factor = float(kernel.exploration_factor(tree, node, settings))
            children = range(int(first), int(first) + int(child_count(tree, node)))
            parts = {child: [float(tree.means[child]), factor * float(tree.bonuses[child])] for child in children}
            child = choose_child(tree, guaranteed, node, first, depth, settings)
            if child >= 0:
                others = [one for one in children if one != child and proven_value(tree, one) == UNPROVEN]
                rival = max(others, key=lambda one: sum(parts[one]), default=None)
                told = [[one, *(round(part, _DIGITS) for part in parts[one])] for one in (int(child), rival) if one]
                self._trace.add("select", int(node), *told)
            return child

        return watched

    def _throw(self, throw: Callable[..., Any]) -> Callable[..., Any]:
        def watched(state: Any, bits: Any, values: Any) -> Any:
            outcome = throw(state, bits, values)
            self._trace.add("thrown", int(outcome))
            return outcome

        return watched

    def _evaluate_leaf(self, evaluate_leaf: Callable[..., Any]) -> Callable[..., Any]:
        def watched(state: Any, played: Any, settings: Any, *rest: Any) -> Any:
            value = evaluate_leaf(state, played, settings, *rest)
            weight = settings.evaluation_weight
            kind = "playout" if weight <= 0 else "evaluation" if weight >= 1 else "mixed"
            self._trace.add("evaluate", round(float(value), _DIGITS), kind)
            return value

        return watched

    def _back_up(self, back_up: Callable[..., None]) -> Callable[..., None]:
        def watched(tree: Any, ws: Any, played: Any, guaranteed: Any, depth: Any, value: Any, settings: Any) -> None:
            back_up(tree, ws, played, guaranteed, depth, value, settings)
            path = [int(node_at(ws, i)) for i in range(int(depth) + 1)]
            self._trace.add(
                "backup", round(float(value), _DIGITS), [self._numbers(tree, path, i) for i in range(len(path))]
            )

        return watched

    def _numbers(self, tree: Any, path: list[int], i: int) -> list[Any]:
        """The i-th node of the path: visits, mean for player 0, and whether that is proven."""
        node = path[i]
        proven = int(proven_value(tree, node))
        visits = int(visits_of(tree, node))
        if proven != UNPROVEN:
            return [node, visits, round(proven / PROVEN_WIN, _DIGITS), 1]
        if node == ROOT:
            return [node, visits, None, 0]
        just_moved = int(turn_at(tree, path[i - 1]))
        return [node, visits, round(float(value_for(just_moved, float(tree.means[node]))), _DIGITS), 0]

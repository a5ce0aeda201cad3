"""Proven results in a Monte Carlo search tree (MCTS-Solver, Winands and others 2008), also through throws.

A leaf whose result is certain is proven, and so is a node when the player to move has a winning child or all its
children are proven.
"""

from __future__ import annotations

import numpy as np

from forgeron.core.arrays import memory_fence
from forgeron.core.contract import CHANCE, OVER, UNKNOWN, score, solve
from forgeron.core.jit import compiled, inlined
from forgeron.kernels.mcts_tree import (
    PROVEN,
    PROVEN_WIN,
    UNPROVEN,
    child_count,
    first_child,
    proven_value,
    turn_at,
    update_mean_and_bonus,
    value_for,
)
from forgeron.kernels.mcts_workspace import node_at


@inlined
def result_of(state, player, first_visit):
    """The proven value of a finished game, or of one that the game itself can solve; UNPROVEN for others."""
    if player != OVER and not first_visit:
        return np.int64(UNPROVEN)
    result = score(state) if player == OVER else solve(state)
    if result == UNKNOWN:
        return np.int64(UNPROVEN)
    return np.int64(PROVEN_WIN if result > 0 else 0 if result < 0 else PROVEN_WIN // 2)


@inlined
def prove(tree, node, value, just_moved):
    """Mark the value of a node as proven; `just_moved` is the player to move in its parent."""
    tree.links[node, PROVEN] = np.int32(value)
    memory_fence()  # see `update_unproven`
    tree.means[node] = np.float32(value_for(just_moved, value / PROVEN_WIN))
    tree.bonuses[node] = np.float32(0.0)
    if tree.minimax.size > 1:
        tree.minimax[node] = tree.means[node]


@inlined
def update_unproven(tree, node, just_moved, settings):
    """Work out mean and bonus of a node that was not proven; another thread may prove it meanwhile."""
    update_mean_and_bonus(tree, node, settings)
    if settings.virtual_loss:
        memory_fence()
        value = proven_value(tree, node)
        if value != UNPROVEN:
            prove(tree, node, value, just_moved)


@compiled
def proven_by_children(tree, node):
    """The value of a node that its children prove, or UNPROVEN."""
    first, n, player = first_child(tree, node), child_count(tree, node), turn_at(tree, node)
    lowest, highest, mean, unproven = np.int64(PROVEN_WIN), np.int64(0), 0.0, np.int64(0)
    for child in range(first, first + n):
        value = proven_value(tree, child)
        if value == UNPROVEN:
            unproven += 1
            continue
        lowest, highest = min(lowest, value), max(highest, value)
        if player == CHANCE:
            mean += value * np.float64(tree.priors[child])
    if player == 0 and (highest == PROVEN_WIN or unproven == 0):
        return highest
    if player == 1 and (lowest == 0 or unproven == 0):
        return lowest
    if player == CHANCE and unproven == 0:
        return lowest if lowest == highest else np.int64(round(mean))
    return np.int64(UNPROVEN)


@compiled
def prove_upwards(tree, ws, depth):
    """The node of the path at this depth was proven: prove those above it, as far as that goes."""
    while depth > 0:
        depth -= 1
        node = node_at(ws, depth)
        value = proven_by_children(tree, node)
        if value == UNPROVEN:
            return
        prove(tree, node, value, turn_at(tree, node_at(ws, depth - 1)) if depth > 0 else np.int64(0))

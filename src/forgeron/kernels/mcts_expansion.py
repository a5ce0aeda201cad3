"""Expansion: a leaf of a Monte Carlo search tree gets its children, shuffled, or rated by the evaluation."""

from __future__ import annotations

import math

import numpy as np

from forgeron.core.arrays import memory_fence
from forgeron.core.contract import CHANCE, OVER, chance, moves, play, score, turn
from forgeron.core.jit import compiled
from forgeron.core.odds import probability_of
from forgeron.core.rng import below, word
from forgeron.kernels.mcts_tree import FIRST_CHILD, NO_CHILDREN, ROOT, SHAPE, value_for, visits_of, write_node
from forgeron.kernels.mcts_workspace import take_slots
from forgeron.kernels.network import static_evaluation

#: Log-odds are cut off here before they become priors.
_MAX_LOG_ODDS = 20.0


@compiled
def rate_children(state, player, out, log_odds, n, weights):
    """Sort the moves by the evaluation of the states they lead to, best for `player` first; `log_odds` gets it."""
    for i in range(n):
        move = out[i]
        child = play(state, move)
        if turn(child) == OVER:
            result = score(child)
            value = _MAX_LOG_ODDS if result > 0 else -_MAX_LOG_ODDS if result < 0 else 0.0
        else:
            value = min(max(static_evaluation(child, weights), -_MAX_LOG_ODDS), _MAX_LOG_ODDS)
        value = -value if player == 1 else value
        j = i
        while j > 0 and log_odds[j - 1] < value:
            out[j], log_odds[j] = out[j - 1], log_odds[j - 1]
            j -= 1
        out[j], log_odds[j] = move, value


@compiled
def shuffle(out, n, stream):
    """Put the moves into a random order, so that what comes first in the list is not preferred."""
    for i in range(n - 1, 0, -1):
        j = np.int64(below(word(stream, i), i + 1))
        out[i], out[j] = out[j], out[i]


@compiled
def first_play_value(tree, node, just_moved, player):
    """What is thought of a child before its first visit: the mean of its parent, for the player to move there."""
    if node == ROOT:
        return 0.5
    results = max(visits_of(tree, node) - 1, 1)  # the simulation under way has no result yet
    return value_for(player, value_for(just_moved, tree.sums[node] / results))


@compiled
def softmax_total(log_odds, n, temperature):
    """The denominator of the softmax, of log-odds that are sorted, the greatest first."""
    total = 0.0
    for i in range(n):
        total += math.exp((log_odds[i] - log_odds[0]) / temperature)
    return total


@compiled
def expand(tree, ws, node, just_moved, state, player, settings, weights, stream, out, values):
    """Give the node its children and return the first one; NO_CHILDREN when there is no room for them."""
    n = chance(state, values) if player == CHANCE else moves(state, out)
    first = take_slots(ws, n)
    if first == NO_CHILDREN:
        return first
    mean = first_play_value(tree, node, just_moved, player)
    total = 0.0
    if player != CHANCE and (settings.use_priors or settings.widening > 0.0):
        if weights is not None:  # a condition of its own, which the compiler knows
            rate_children(state, player, out, values, n, weights)
            total = softmax_total(values, n, settings.temperature)
    elif player != CHANCE:
        shuffle(out, n, stream)
    top = values[0]
    for i in range(n):
        if player == CHANCE:
            write_node(tree, first + i, np.int64(i), np.float32(mean), np.float32(values[i]))
        elif settings.use_priors:
            prior = math.exp((values[i] - top) / settings.temperature) / total
            write_node(tree, first + i, out[i], np.float32(probability_of(values[i])), np.float32(prior))
        else:
            write_node(tree, first + i, out[i], np.float32(mean), np.float32(1.0))
    # Other threads must see complete children, and know how many there are, before they can find the first.
    tree.links[node, SHAPE] = np.int32(4 * n + player)
    memory_fence()
    tree.links[node, FIRST_CHILD] = np.int32(first)
    return first

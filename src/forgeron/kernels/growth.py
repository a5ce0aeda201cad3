"""How the tree of a Monte Carlo search grows: a node gets its children, in random order or the best guesses first."""

from __future__ import annotations

import math

import numpy as np

from forgeron.core.arrays import publish
from forgeron.core.contract import CHANCE, OVER, chance, evaluate, moves, play, score, turn
from forgeron.core.jit import compiled
from forgeron.core.odds import probability_of
from forgeron.core.rng import below, word
from forgeron.kernels.tree import END_SLOT, FIRST, FULL, NEXT_SLOT, ROOT, SHAPE, VISITS, seen_by, write_node


@compiled
def rate_children(state, who, out, values, n, weights):
    """Order the moves by the evaluation of what they lead to, for the player `who`; `values` gets the log-odds."""
    for i in range(n):
        move = out[i]
        after = play(state, move)
        if turn(after) == OVER:
            result = score(after)
            value = 20.0 if result > 0 else -20.0 if result < 0 else 0.0
        else:
            value = min(max(evaluate(after, weights), -20.0), 20.0)
        value = -value if who == 1 else value
        j = i
        while j > 0 and values[j - 1] < value:
            out[j], values[j] = out[j - 1], values[j - 1]
            j -= 1
        out[j], values[j] = move, value


@compiled
def shuffle(out, n, stream):
    """Put the moves into a random order, so that what comes first in the list is not preferred."""
    for i in range(n - 1, 0, -1):
        j = np.int64(below(word(stream, i), i + 1))
        out[i], out[j] = out[j], out[i]


@compiled
def expand(tree, board, node, chooser, state, who, settings, weights, stream, out, values):
    """Give the node its children and return the first one; ROOT when there is no room for them."""
    n = chance(state, values) if who == CHANCE else moves(state, out)
    first = board[NEXT_SLOT]
    if first + n > board[END_SLOT]:
        board[FULL] = 1
        return np.int64(ROOT)
    board[NEXT_SLOT] = first + n
    rated = who != CHANCE and (settings.guided or settings.widening > 0.0)
    mean = 0.5
    if node != ROOT:
        known = max(tree.links[node, VISITS] - 1, 1)  # the simulation under way has no result yet
        mean = seen_by(seen_by(tree.sums[node] / known, chooser), who)
    total, top = 0.0, 0.0
    if rated:
        rate_children(state, who, out, values, n, weights)
        top = values[0]
        for i in range(n):
            total += math.exp((values[i] - top) / settings.warmth)
    elif who != CHANCE:
        shuffle(out, n, stream)
    for i in range(n):
        if who == CHANCE:
            write_node(tree, first + i, np.int64(i), np.float32(mean), np.float32(values[i]))
        elif settings.guided:
            prior = math.exp((values[i] - top) / settings.warmth) / total
            write_node(tree, first + i, out[i], np.float32(probability_of(values[i])), np.float32(prior))
        else:
            write_node(tree, first + i, out[i], np.float32(mean), np.float32(1.0))
    # Others must see complete children, and know how many there are, before they can find the first.
    tree.links[node, SHAPE] = np.int32(4 * n + who)
    publish()
    tree.links[node, FIRST] = np.int32(first)
    return first

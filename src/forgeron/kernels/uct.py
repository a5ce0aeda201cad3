"""Monte Carlo tree search (UCT, PUCT) for every game, with throws, over the arrays of `forgeron.kernels.tree`.

One simulation walks down the tree, to the child with the highest bound each time, judges the leaf by a random game or
the evaluation, and adds the result to the nodes of its path. Values are results of player 0 from 0 to 1, except in
sums and means, which are the chooser's.

Proven results take part: a leaf whose result is certain is marked, and so is a node when its mover has a winning child
or all its children are proven. A mover who is sure of a value by a proven child need not try it again: the simulation
goes on below the best child that is still open, and what is told upwards is the certain value.
"""

from __future__ import annotations

import math

import numpy as np

from forgeron.core.arrays import publish
from forgeron.core.contract import CHANCE, OVER, UNKNOWN, evaluate, pick, play, score, solve, throw, turn
from forgeron.core.jit import compiled, kernel
from forgeron.core.odds import probability_of
from forgeron.core.rng import split, word
from forgeron.kernels.growth import expand
from forgeron.kernels.ordering import slot_of
from forgeron.kernels.tree import (
    CERTAIN,
    DEEPEST,
    DONE,
    FIRST,
    FULL,
    LATER,
    LATER_SIZE,
    MAX_DEPTH,
    MOVE,
    PATH,
    PROVEN,
    ROOT,
    SHAPE,
    UNPROVEN,
    VISITS,
    refresh,
    seen_by,
)


@compiled
def prove(tree, node, value, who):
    """Mark the value of a node, which the player `who` chose, as certain."""
    tree.links[node, PROVEN] = np.int32(value)
    publish()  # see `refresh_open`
    tree.means[node] = np.float32(seen_by(value / CERTAIN, who))
    tree.spreads[node] = np.float32(0.0)


@compiled
def refresh_open(tree, node, chooser, settings):
    """Work out mean and spread of a node that was not proven; another thread may prove it meanwhile."""
    refresh(tree, node, settings)
    if settings.sharing:
        publish()
        certain = np.int64(tree.links[node, PROVEN])
        if certain != UNPROVEN:
            prove(tree, node, certain, chooser)


@compiled
def proof(tree, node):
    """The certain value of a node by its children, or UNPROVEN."""
    first = np.int64(tree.links[node, FIRST])
    n = np.int64(tree.links[node, SHAPE] >> 2)
    who = np.int64(tree.links[node, SHAPE] & 3)
    low, high, mean, open_ones = np.int64(CERTAIN), np.int64(0), 0.0, np.int64(0)
    for child in range(first, first + n):
        value = np.int64(tree.links[child, PROVEN])
        if value == UNPROVEN:
            open_ones += 1
            continue
        low, high = min(low, value), max(high, value)
        if who == CHANCE:
            mean += value * np.float64(tree.priors[child])
    if who == 0 and (high == CERTAIN or open_ones == 0):
        return high
    if who == 1 and (low == 0 or open_ones == 0):
        return low
    if who == CHANCE and open_ones == 0:
        return low if low == high else np.int64(round(mean))
    return np.int64(UNPROVEN)


@compiled
def prove_upwards(tree, board, depth):
    """A node of the path was proven: prove those above it, as far as that goes."""
    while depth > 0:
        depth -= 1
        node = board[PATH + depth]
        value = proof(tree, node)
        if value == UNPROVEN:
            return
        who = tree.links[board[PATH + depth - 1], SHAPE] & 3 if depth > 0 else 0
        prove(tree, node, value, who)


@compiled
def select(tree, node, first, n, settings, only_open):
    """The child with the highest bound, among all or among those that are not proven; -1 when all are."""
    visits = np.float64(tree.links[node, VISITS])
    factor = settings.exploration * (math.sqrt(visits) if settings.guided else math.sqrt(math.log(visits + 1.0)))
    width = n
    if settings.widening > 0.0:
        width = min(n, np.int64(1.0 + settings.widening * math.sqrt(visits)))
    weight = np.float32(factor)
    best, best_bound = np.int64(-1), np.float32(-1.0)
    for child in range(first, first + n):
        if child - first >= width and best >= 0 and best_bound > 0.0:
            break
        bound = tree.means[child] + weight * tree.spreads[child]
        if bound > best_bound and not (only_open and tree.links[child, PROVEN] != UNPROVEN):
            best, best_bound = np.int64(child), bound
    return best


@compiled
def _later_slot(who, move):
    return LATER + slot_of(move) + who * LATER_SIZE


@compiled
def _note(board, who, move):
    """Remember that the player made this move in the present simulation."""
    board[_later_slot(who, move)] = (board[DONE] << 24) | move


@compiled
def judge(state, board, settings, weights, stream, out, values):
    """The value of a leaf at which the game goes on: by a random game, by the evaluation, or by both."""
    value = probability_of(evaluate(state, weights)) if settings.share > 0.0 else 0.0
    if settings.share >= 1.0:
        return value
    plies, who = 0, turn(state)
    while who != OVER:
        plies += 1
        bits = word(stream, plies)
        move = throw(state, bits, values) if who == CHANCE else pick(state, bits, out)
        if settings.asides > 0.0 and who != CHANCE:
            _note(board, who, move)
        state = play(state, move)
        who = turn(state)
    result = score(state)
    end = 1.0 if result > 0 else 0.0 if result < 0 else 0.5
    return settings.share * value + (1.0 - settings.share) * end


@compiled
def certain_value(state, who, first_time):
    """The value of a finished game, or one that the game itself can tell; UNPROVEN for others."""
    if who != OVER and not first_time:
        return np.int64(UNPROVEN)
    result = score(state) if who == OVER else solve(state)
    if result == UNKNOWN:
        return np.int64(UNPROVEN)
    return np.int64(CERTAIN if result > 0 else 0 if result < 0 else CERTAIN // 2)


@compiled
def learn_asides(tree, board, node, value, settings):
    """RAVE: the children of a node whose moves its mover made later in the simulation share in its result."""
    first = np.int64(tree.links[node, FIRST])
    who = np.int64(tree.links[node, SHAPE] & 3)
    if first == ROOT or who == CHANCE:
        return
    seen = np.float32(seen_by(value, who))
    for child in range(first, first + np.int64(tree.links[node, SHAPE] >> 2)):
        move = np.int64(tree.links[child, MOVE])
        if board[_later_slot(who, move)] == (board[DONE] << 24) | move and tree.links[child, PROVEN] == UNPROVEN:
            tree.asides[child, 0] += np.float32(1.0)
            tree.asides[child, 1] += seen
            refresh_open(tree, np.int64(child), who, settings)


@compiled
def add_result(tree, board, floors, depth, value, settings):
    """Tell the nodes of the path the result, from the leaf to the root."""
    while True:
        node = board[PATH + depth]
        proven = np.int64(tree.links[node, PROVEN])
        if proven != UNPROVEN:
            value = np.float64(proven) / CERTAIN
        elif depth > 0:
            chooser = np.int64(tree.links[board[PATH + depth - 1], SHAPE] & 3)
            tree.sums[node] += seen_by(value, chooser)
            refresh_open(tree, node, chooser, settings)
        if settings.asides > 0.0:
            learn_asides(tree, board, node, value, settings)
        if depth == 0:
            return
        depth -= 1
        if settings.asides > 0.0:
            who = np.int64(tree.links[board[PATH + depth], SHAPE] & 3)
            if who != CHANCE:
                _note(board, who, np.int64(tree.links[node, MOVE]))
        if floors[depth] >= 0.0:
            value = floors[depth]


@kernel
def simulate(root, tree, board, floors, settings, weights, seed, count, out, values):
    """Make up to `count` more simulations from the state `root`; fewer when the root is proven or the tree is full.

    `out` and `values` are scratch space for the moves of one position. The simulations of a seed are numbered by the
    board, so the result does not depend on how the work is cut into calls.
    """
    links = tree.links
    for _ in range(count):
        if links[ROOT, PROVEN] != UNPROVEN or board[FULL]:
            return
        board[DONE] += 1
        stream = split(seed, board[DONE])
        inner = split(stream, 0)
        state, node, depth, value, chooser = root, np.int64(ROOT), np.int64(0), -1.0, np.int64(0)
        board[PATH] = ROOT
        floors[0] = -1.0
        links[ROOT, VISITS] += np.int32(1)
        while True:
            # 1. A certain result, or a leaf that judges itself, or one that gets children.
            proven = np.int64(links[node, PROVEN])
            if proven != UNPROVEN:
                value = np.float64(proven) / CERTAIN
                break
            first = np.int64(links[node, FIRST])
            if first == ROOT:
                who = turn(state)
                visits = np.int64(links[node, VISITS])
                if node != ROOT:
                    certain = certain_value(state, who, visits == 1)
                    if certain != UNPROVEN:
                        prove(tree, node, certain, chooser)
                        prove_upwards(tree, board, depth)
                        value = np.float64(certain) / CERTAIN
                        break
                if depth < MAX_DEPTH - 1 and (node == ROOT or visits > settings.patience or who == CHANCE):
                    first = expand(
                        tree, board, node, chooser, state, who, settings, weights, split(inner, depth), out, values
                    )
                if first == ROOT:
                    value = judge(state, board, settings, weights, stream, out, values)
                    break
            # 2. A step down: an outcome by its probability, or the best child.
            n = np.int64(links[node, SHAPE] >> 2)
            who = np.int64(links[node, SHAPE] & 3)
            if who == CHANCE:
                child = first + throw(state, word(inner, depth), values)
            else:
                child = select(tree, node, first, n, settings, False)
                if links[child, PROVEN] != UNPROVEN:
                    links[child, VISITS] += np.int32(1)
                    value = np.float64(links[child, PROVEN]) / CERTAIN
                    floors[depth] = value
                    child = select(tree, node, first, n, settings, True)
                    if child < 0:
                        break
            depth += 1
            node, chooser = child, who
            board[PATH + depth] = node
            floors[depth] = -1.0
            links[node, VISITS] += np.int32(1)
            if settings.sharing and links[node, PROVEN] == UNPROVEN:
                refresh_open(tree, node, chooser, settings)
            state = play(state, np.int64(links[node, MOVE]))
        # 3. The result is told upwards.
        board[DEEPEST] = max(board[DEEPEST], depth)
        add_result(tree, board, floors, depth, value, settings)

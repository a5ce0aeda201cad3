"""Monte Carlo tree search (UCT, PUCT) for every game, with throws, over the arrays of `forgeron.kernels.mcts_tree`.

One simulation selects a path down the tree, to the child with the highest upper confidence bound each time, expands the
leaf or evaluates it (by a playout, the evaluation, or both), and backs the value up along its path. Values are results
of player 0 from 0 to 1, except in the sums and means of nodes, which are for the player who just moved.

Proven results take part (`forgeron.kernels.mcts_proofs`). A player who has a proven child need not try it again: the
simulation goes on below the best child that is not proven, and what is backed up is the guaranteed value.
"""

from __future__ import annotations

import math

import numpy as np

from forgeron.core.arrays import borrowed
from forgeron.core.contract import CHANCE, play, throw, turn
from forgeron.core.jit import compiled, inlined, kernel
from forgeron.core.odds import probability_of
from forgeron.core.rng import split, word
from forgeron.kernels.mcts_expansion import expand
from forgeron.kernels.mcts_proofs import prove, prove_upwards, result_of, update_unproven
from forgeron.kernels.mcts_tree import (
    NO_CHILDREN,
    PROVEN,
    PROVEN_WIN,
    ROOT,
    UNPROVEN,
    VISITS,
    add_visit,
    borrowed_tree,
    child_count,
    first_child,
    move_into,
    proven_value,
    turn_at,
    value_for,
    visits_of,
)
from forgeron.kernels.mcts_workspace import (
    DEEPEST,
    FULL,
    MAX_DEPTH,
    SIMULATIONS,
    node_at,
    record_played,
    set_node,
    was_played,
)
from forgeron.kernels.network import static_evaluation
from forgeron.kernels.playout import playout

#: Not a value of a simulation: it goes on; not a guaranteed value: there is none.
_NO_VALUE = -1.0
_NO_CHILD = -1


# --- selection --------------------------------------------------------------------------------------------------------


@inlined
def exploration_factor(tree, node, settings):
    """What the bonuses of the children of a node are multiplied by: it grows with the visits of the node."""
    visits = np.float64(tree.links[node, VISITS])
    growth = math.sqrt(visits) if settings.use_priors else math.sqrt(math.log(visits + 1.0))
    return np.float32(settings.exploration * growth)


@inlined
def select_child(tree, node, first, n, settings, only_unproven):
    """The child with the highest bound, among all or among those that are not proven; -1 when all are."""
    factor = exploration_factor(tree, node, settings)
    width = n
    if settings.widening > 0.0:
        width = min(n, np.int64(1.0 + settings.widening * math.sqrt(np.float64(tree.links[node, VISITS]))))
    best, best_bound = np.int64(_NO_CHILD), np.float32(-1.0)
    for child in range(first, first + n):
        if child - first >= width and best >= 0 and best_bound > 0.0:
            break
        bound = tree.means[child] + factor * tree.bonuses[child]
        if bound > best_bound and not (only_unproven and tree.links[child, PROVEN] != UNPROVEN):
            best, best_bound = np.int64(child), bound
    return best


# --- evaluation -------------------------------------------------------------------------------------------------------


@inlined
def evaluate_leaf(state, played, settings, weights, stream, out, values):
    """The value of a leaf at which the game goes on: by a playout, by the evaluation, or by both."""
    weight = settings.evaluation_weight
    value = probability_of(static_evaluation(state, weights)) if weight > 0.0 else 0.0
    if weight >= 1.0:
        return value
    result, _plies = playout(state, stream, out, values, played)
    return weight * value + (1.0 - weight) * (1.0 if result > 0 else 0.0 if result < 0 else 0.5)


# --- backpropagation --------------------------------------------------------------------------------------------------


@compiled
def update_amaf(tree, ws, node, value, settings):
    """RAVE: the children of a node whose moves its player made later in the simulation share in its result."""
    first = first_child(tree, node)
    player = turn_at(tree, node)
    if first == NO_CHILDREN or player == CHANCE:
        return
    result = np.float32(value_for(player, value))
    for child in range(first, first + child_count(tree, node)):
        if was_played(ws, player, move_into(tree, child)) and tree.links[child, PROVEN] == UNPROVEN:
            tree.amaf[child, 0] += np.float32(1.0)
            tree.amaf[child, 1] += result
            update_unproven(tree, np.int64(child), player, settings)


@compiled
def update_minimax(tree, node, just_moved):
    """The minimax value of a node from those of its children: the best for its mover, or the mean over a throw."""
    first, player = first_child(tree, node), turn_at(tree, node)
    if first == NO_CHILDREN:
        return
    value = np.float32(0.0)
    for child in range(first, first + child_count(tree, node)):
        if player == CHANCE:
            value += tree.priors[child] * tree.minimax[child]
        else:
            value = max(value, tree.minimax[child])
    same_view = (player == 1) == (just_moved == 1)
    tree.minimax[node] = value if same_view else np.float32(1.0) - value


@inlined
def back_up(tree, ws, played, guaranteed, depth, value, settings):
    """Add the value to the nodes of the path, from the leaf to the root.

    Above a node at which the player to move has a proven child, `guaranteed[depth]` takes the place of the value.
    """
    while True:
        node = node_at(ws, depth)
        proven = proven_value(tree, node)
        if proven != UNPROVEN:
            value = np.float64(proven) / PROVEN_WIN
        elif depth > 0:
            just_moved = turn_at(tree, node_at(ws, depth - 1))
            tree.sums[node] += value_for(just_moved, value)
            if settings.minimax_share > 0.0:
                update_minimax(tree, node, just_moved)
            update_unproven(tree, node, just_moved, settings)
        if played is not None:
            update_amaf(tree, played, node, value, settings)
        if depth == 0:
            return
        depth -= 1
        if played is not None:
            player = turn_at(tree, node_at(ws, depth))
            if player != CHANCE:
                record_played(played, player, move_into(tree, node))
        if guaranteed[depth] >= 0.0:
            value = guaranteed[depth]


# --- a simulation -----------------------------------------------------------------------------------------------------


@inlined
def visit_node(tree, ws, guaranteed, node, depth):
    """Add the node to the path."""
    set_node(ws, depth, node)
    guaranteed[depth] = _NO_VALUE
    add_visit(tree, node)


@inlined
def visit_leaf(tree, ws, played, node, depth, just_moved, state, settings, weights, stream, inner, out, values):
    """Prove the leaf, expand it or evaluate it.

    Returns its first child, or NO_CHILDREN, and the value that ends the simulation, or _NO_VALUE.
    """
    player = turn(state)
    visits = visits_of(tree, node)
    if node != ROOT:
        result = result_of(state, player, visits == 1)
        if result != UNPROVEN:
            prove(tree, node, result, just_moved)
            prove_upwards(tree, ws, depth)
            return np.int64(NO_CHILDREN), np.float64(result) / PROVEN_WIN
    first = np.int64(NO_CHILDREN)
    if depth < MAX_DEPTH - 1 and (node == ROOT or visits > settings.expansion_visits or player == CHANCE):
        order = split(inner, depth)
        first = expand(tree, ws, node, just_moved, state, player, settings, weights, order, out, values)
    if first == NO_CHILDREN:
        return first, evaluate_leaf(state, played, settings, weights, stream, out, values)
    return first, _NO_VALUE


@inlined
def choose_child(tree, guaranteed, node, first, depth, settings):
    """The child to go on with, or _NO_CHILD. Instead of a proven one, whose value is guaranteed, the best other."""
    n = child_count(tree, node)
    child = select_child(tree, node, first, n, settings, False)
    if tree.links[child, PROVEN] != UNPROVEN:
        add_visit(tree, child)
        guaranteed[depth] = np.float64(tree.links[child, PROVEN]) / PROVEN_WIN
        child = select_child(tree, node, first, n, settings, True)
    return child


@kernel
def simulate(root, tree_, ws_, guaranteed_, played, settings, weights_, seed, count, out_, values_):
    """Make up to `count` more simulations from the state `root`; fewer when the root is proven or the tree is full.

    `out` and `values` are scratch space for the moves of one position. The simulations of a seed are numbered by the
    workspace, so the result does not depend on how the work is cut into calls.

    What a search does not need is None, and not compiled: `played`, the workspace once more, without RAVE, and
    `weights` where nothing is evaluated.
    """
    tree, ws, guaranteed = borrowed_tree(tree_), borrowed(ws_), borrowed(guaranteed_)
    weights, out, values = borrowed(weights_), borrowed(out_), borrowed(values_)
    for _ in range(count):
        if proven_value(tree, ROOT) != UNPROVEN or ws[FULL]:
            return
        ws[SIMULATIONS] += 1
        stream = split(seed, ws[SIMULATIONS])
        inner = split(stream, 0)
        state, node, depth, just_moved = root, np.int64(ROOT), np.int64(0), np.int64(0)
        visit_node(tree, ws, guaranteed, node, depth)
        while True:
            # 1. A proven node ends the simulation; a leaf ends it too, unless it is expanded.
            proven = proven_value(tree, node)
            if proven != UNPROVEN:
                value = np.float64(proven) / PROVEN_WIN
                break
            first = first_child(tree, node)
            if first == NO_CHILDREN:
                first, value = visit_leaf(
                    tree, ws, played, node, depth, just_moved, state, settings, weights, stream, inner, out, values
                )
                if value >= 0.0:
                    break
            # 2. Selection: an outcome by its probability, or the child with the highest bound.
            just_moved = turn_at(tree, node)
            if just_moved == CHANCE:
                child = first + throw(state, word(inner, depth), values)
            else:
                child = choose_child(tree, guaranteed, node, first, depth, settings)
                if child == _NO_CHILD:
                    value = guaranteed[depth]
                    break
            # 3. Make the child.
            node, depth = child, depth + 1
            visit_node(tree, ws, guaranteed, node, depth)
            if settings.virtual_loss and tree.links[node, PROVEN] == UNPROVEN:
                update_unproven(tree, node, just_moved, settings)
            state = play(state, move_into(tree, node))
        # 4. Backpropagation.
        ws[DEEPEST] = max(ws[DEEPEST], depth)
        back_up(tree, ws, played, guaranteed, depth, value, settings)

"""The tree of a Monte Carlo search: flat arrays of a fixed size, one slot a node.

The children of a node have slots side by side, made all at once. The sum and the mean of a node are for the player who
just moved, which is the one to move in its parent, so that a selection compares numbers as they stand. After a throw
nobody moved, and player 0's view is kept. States are not stored: a search replays the moves from the root.

Threads share the arrays without locks. A lost update of a sum does no harm, and each thread makes children in slots of
its own, which others see only when they are complete.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from forgeron.core.arrays import borrowed
from forgeron.core.contract import key, play
from forgeron.core.jit import cold_kernel, compiled, inlined, kernel

#: The slot of the root. No node has it as a child, so as the first child of a node it means that there is none.
ROOT = 0
NO_CHILDREN = ROOT
#: The fields of `Tree.links`; the shape is 4 × number of children + what `turn` says.
VISITS, MOVE, FIRST_CHILD, SHAPE, PROVEN, _FIELDS = range(6)
#: A proven value is kept as an integer for player 0: this for a win, 0 for a loss; `UNPROVEN` where none is known.
PROVEN_WIN = 1 << 30
UNPROVEN = -1
#: How many moves `find_node` replays before it gives up.
_MAX_REPLAYED = 50_000


class Tree(NamedTuple):
    """The arrays, all as long as there are slots; those that a search does not need have one element."""

    links: np.ndarray
    sums: np.ndarray
    """of the results, for the player who just moved"""
    means: np.ndarray
    """the mean result for that player; before the first visit, an estimate; when proven, the value"""
    bonuses: np.ndarray
    """the exploration term of UCB1 or PUCT without what all siblings have in common; 0 when proven"""
    priors: np.ndarray
    """the prior probability of a move by the evaluation; the probability of a throw's outcome"""
    amaf: np.ndarray
    """number and sum of the results of simulations in which the move was played later (all moves as first, RAVE)"""
    minimax: np.ndarray
    """the minimax value of the evaluation over the subtree, for the player who just moved; when proven, the value"""


class MctsSettings(NamedTuple):
    """How a search goes about it."""

    exploration: float
    """the factor of the exploration term"""
    expansion_visits: np.int64
    """simulations that end at a leaf before it is expanded, 1 or more"""
    use_priors: np.int64
    """1: children have priors by the evaluation, and are selected by PUCT instead of UCB1"""
    evaluation_weight: float
    """of the evaluation in the value of a leaf; the rest is a playout"""
    temperature: float
    """of the softmax that makes priors of evaluations, in log-odds"""
    rave_bias: float
    """the greater, the sooner a node's own results count for more than its AMAF statistics; 0 is no RAVE"""
    widening: float
    """progressive widening: with v visits only the best 1 + widening × √v children are tried; 0 means all"""
    minimax_share: float
    """of the minimax value in what selection takes for the value of a node; the rest is the mean of its results"""
    virtual_loss: np.int64
    """1: other threads are in the tree, so a simulation under way counts as lost"""


# --- making a tree ----------------------------------------------------------------------------------------------------


def slot_bytes(priors: bool, amaf: bool, minimax: bool) -> int:
    """The memory of a slot."""
    return 36 + 4 * priors + 8 * amaf + 4 * minimax


def make_tree(slots: int, *, priors: bool, amaf: bool, minimax: bool) -> Tree:
    """Room for so many nodes; nothing is in it until `reset_tree`."""
    return Tree(
        np.empty((slots, _FIELDS), dtype=np.int32),
        np.empty(slots),
        np.empty(slots, dtype=np.float32),
        np.empty(slots, dtype=np.float32),
        np.empty(slots if priors else 1, dtype=np.float32),
        np.empty((slots if amaf else 1, 2), dtype=np.float32),
        np.empty(slots if minimax else 1, dtype=np.float32),
    )


@inlined
def write_node(tree, node, move, mean, prior):
    """A node that was never visited."""
    links = tree.links
    links[node, VISITS] = 0
    links[node, MOVE] = move
    links[node, FIRST_CHILD] = NO_CHILDREN
    links[node, SHAPE] = 0
    links[node, PROVEN] = UNPROVEN
    tree.sums[node] = 0.0
    tree.means[node] = mean
    tree.bonuses[node] = prior
    if tree.priors.size > 1:
        tree.priors[node] = prior
    if tree.amaf.size > 2:
        tree.amaf[node, 0] = tree.amaf[node, 1] = 0.0
    if tree.minimax.size > 1:
        tree.minimax[node] = mean


def reset_tree(tree):
    """Make the tree a root without children."""
    write_node(tree, np.int64(ROOT), np.int64(0), np.float32(0.5), np.float32(1.0))


@inlined
def borrowed_tree(tree):
    """The same tree, its arrays not counted (see `borrowed`)."""
    return Tree(
        borrowed(tree.links),
        borrowed(tree.sums),
        borrowed(tree.means),
        borrowed(tree.bonuses),
        borrowed(tree.priors),
        borrowed(tree.amaf),
        borrowed(tree.minimax),
    )


# --- reading a node ---------------------------------------------------------------------------------------------------


@inlined
def first_child(tree, node):
    """The slot of the first child, or NO_CHILDREN."""
    return np.int64(tree.links[node, FIRST_CHILD])


@inlined
def child_count(tree, node):
    return np.int64(tree.links[node, SHAPE] >> 2)


@inlined
def turn_at(tree, node):
    """What `turn` says of the state of a node that has children."""
    return np.int64(tree.links[node, SHAPE] & 3)


@inlined
def visits_of(tree, node):
    return np.int64(tree.links[node, VISITS])


@inlined
def move_into(tree, node):
    """The move that leads from the parent to this node."""
    return np.int64(tree.links[node, MOVE])


@inlined
def proven_value(tree, node):
    """The proven value for player 0, from 0 to PROVEN_WIN, or UNPROVEN."""
    return np.int64(tree.links[node, PROVEN])


@inlined
def add_visit(tree, node):
    tree.links[node, VISITS] += np.int32(1)


@inlined
def value_for(player, value):
    """A value of player 0, from 0 to 1, for this player; at a throw nobody's view is taken, so it stays."""
    return 1.0 - value if player == 1 else value


@inlined
def update_mean_and_bonus(tree, node, settings):
    """Work out the mean and the bonus of a node after its visits or its results have changed."""
    visits = np.float64(tree.links[node, VISITS])
    n = max(visits, 1.0)
    mean = tree.sums[node] / n
    if settings.rave_bias > 0.0:
        amaf_visits = np.float64(tree.amaf[node, 0])
        if amaf_visits > 0.0:
            beta = amaf_visits / (amaf_visits + visits + settings.rave_bias * amaf_visits * visits)
            mean = (1.0 - beta) * mean + beta * np.float64(tree.amaf[node, 1]) / amaf_visits
    if settings.minimax_share > 0.0:
        mean += settings.minimax_share * (np.float64(tree.minimax[node]) - mean)
    tree.means[node] = np.float32(mean)
    tree.bonuses[node] = np.float32(tree.priors[node] / (1.0 + visits) if settings.use_priors else 1.0 / math.sqrt(n))


# --- from move to move ------------------------------------------------------------------------------------------------


@compiled
def _copy_node(old, new, source, target):
    for field in range(_FIELDS):
        new.links[target, field] = old.links[source, field]
    new.sums[target] = old.sums[source]
    new.means[target] = old.means[source]
    new.bonuses[target] = old.bonuses[source]
    if old.priors.size > 1:
        new.priors[target] = old.priors[source]
    if old.amaf.size > 2:
        new.amaf[target, 0], new.amaf[target, 1] = old.amaf[source, 0], old.amaf[source, 1]
    if old.minimax.size > 1:
        new.minimax[target] = old.minimax[source]


@kernel
def copy_subtree(old, new, root, progress, least_visits, most_slots, steps):
    """Copy the subtree of the node `root` into another tree, breadth first; whether all was done.

    `progress` is (nodes looked at, slots used), (0, 0) at the beginning: a call looks at no more than `steps` nodes, so
    that the caller can read the clock in between. The children of nodes with fewer than `least_visits` visits are left
    behind, and all the rest once `most_slots` are used. After a call with 0 steps the new tree is whole, whatever was
    copied.
    """
    done, used = progress[0], progress[1]
    if used == 0:
        _copy_node(old, new, root, np.int64(ROOT))
        new.links[ROOT, MOVE] = 0
        used = np.int64(1)
    for _ in range(steps):
        if done == used:
            break
        first = first_child(new, done)
        if first != NO_CHILDREN:
            n = child_count(new, done)
            if used + n > most_slots or (visits_of(new, done) < least_visits and done != ROOT):
                new.links[done, FIRST_CHILD] = NO_CHILDREN
            else:
                for i in range(n):
                    _copy_node(old, new, first + i, used + i)
                new.links[done, FIRST_CHILD] = used
                used += n
        done += 1
    if steps == 0:
        for node in range(done, used):
            new.links[node, FIRST_CHILD] = NO_CHILDREN
        done = used
    progress[0], progress[1] = done, used
    return done == used


@cold_kernel
def find_node(tree, state, node, plies, wanted, replayed):
    """The node exactly so many plies below `node`, whose state is given, with the key `wanted`; -1 when there is none.

    `replayed` counts the moves replayed, to give up when they are too many.
    """
    first = first_child(tree, node)
    if first == NO_CHILDREN:
        return np.int64(-1)
    for child in range(first, first + child_count(tree, node)):
        if plies > 1 and tree.links[child, FIRST_CHILD] == NO_CHILDREN:
            continue
        if replayed[0] >= _MAX_REPLAYED:
            return np.int64(-1)
        replayed[0] += 1
        after = play(state, move_into(tree, child))
        if plies > 1:
            found = find_node(tree, after, np.int64(child), plies - 1, wanted, replayed)
            if found >= 0:
                return found
        elif key(after) == wanted:
            return np.int64(child)
    return np.int64(-1)

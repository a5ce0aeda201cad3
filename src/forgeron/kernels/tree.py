"""The tree of a Monte Carlo search: flat arrays of a fixed size, one slot a node.

The children of a node have slots side by side, made all at once. A node is chosen by the player to move in its parent
(its chooser); its sum and mean are that player's, so that a choice compares numbers as they stand. At a throw there is
no chooser, and player 0's view is kept. States are not stored: a search replays the moves from the root.

Threads share the arrays without locks. A lost update of a sum does no harm, and each thread makes children in slots of
its own, which others see only when they are complete.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from forgeron.core.contract import key, play
from forgeron.core.jit import compiled, kernel
from forgeron.kernels.ordering import SLOTS

#: The slot of the root; as the first child of a node it means that there are none.
ROOT = 0
#: The fields of `Tree.links`; the shape is 4 × number of children + who is to move.
VISITS, MOVE, FIRST, SHAPE, PROVEN = range(5)
#: A proven value of player 0 is kept as an integer: this for a win, 0 for a loss; `UNPROVEN` where none is known.
CERTAIN = 1 << 30
UNPROVEN = -1
#: How many moves `find` replays before it gives up.
_PATIENCE = 50_000


MAX_DEPTH = 250

# The board of a thread, from 0: what it may use and has done, then the path, then the moves played later (RAVE).
NEXT_SLOT, END_SLOT, FULL, DONE, DEEPEST = range(5)
PATH = 8
LATER = PATH + MAX_DEPTH
LATER_SIZE = SLOTS
BOARD = LATER + 2 * LATER_SIZE


class Tree(NamedTuple):
    """The arrays, all as long as there are slots; those that a search does not need have one element."""

    links: np.ndarray
    sums: np.ndarray
    """of the results, for the chooser"""
    means: np.ndarray
    """the chooser's mean result, or what is to be thought of a node that was never tried; the value when proven"""
    spreads: np.ndarray
    """what a node gets for being uncertain, before the factor of its parent; 0 when proven"""
    priors: np.ndarray
    """the share of attention that a move deserves by the evaluation; the probability of a throw's outcome"""
    asides: np.ndarray
    """count and sum of the results of simulations in which the move was played later (RAVE)"""


class Settings(NamedTuple):
    """How a search goes about it."""

    exploration: float
    """how much uncertainty is worth beside the mean"""
    patience: np.int64
    """simulations that a leaf judges itself before it gets children, 1 or more"""
    guided: np.int64
    """1: children have priors by the evaluation, and bounds by PUCT instead of UCB1"""
    share: float
    """of the evaluation in the judgement of a leaf; the rest is a random game"""
    warmth: float
    """of the softmax that makes priors of evaluations, in log-odds"""
    asides: float
    """RAVE: the greater, the sooner a node's own results count for more; 0 is no RAVE"""
    widening: float
    """with v visits only the best 1 + widening × √v children are looked at; 0 means all"""
    sharing: np.int64
    """1: other threads are in the tree, so a simulation under way counts as lost"""


def make_board() -> tuple[np.ndarray, np.ndarray]:
    """What a thread writes to: whole numbers, and the certain values along its path."""
    return np.zeros(BOARD, dtype=np.int64), np.zeros(MAX_DEPTH)


def slot_bytes(priors: bool, asides: bool) -> int:
    return 36 + 4 * priors + 8 * asides


def make_tree(slots: int, *, priors: bool, asides: bool) -> Tree:
    """Room for so many nodes; nothing is in it until `plant`."""
    return Tree(
        np.empty((slots, 5), dtype=np.int32),
        np.empty(slots),
        np.empty(slots, dtype=np.float32),
        np.empty(slots, dtype=np.float32),
        np.empty(slots if priors else 1, dtype=np.float32),
        np.empty((slots if asides else 1, 2), dtype=np.float32),
    )


@compiled
def seen_by(value, who):
    """A value of player 0 for the player `who`; at a throw nobody's view is taken, so it stays."""
    return 1.0 - value if who == 1 else value


@compiled
def refresh(tree, node, settings):
    """Work out the mean and the spread of a node after its visits or sums have changed."""
    own = np.float64(tree.links[node, VISITS])
    n = max(own, 1.0)
    mean = tree.sums[node] / n
    if settings.asides > 0.0:
        later = np.float64(tree.asides[node, 0])
        if later > 0.0:
            trust = later / (later + own + settings.asides * later * own)
            mean = (1.0 - trust) * mean + trust * np.float64(tree.asides[node, 1]) / later
    tree.means[node] = np.float32(mean)
    tree.spreads[node] = np.float32(tree.priors[node] / (1.0 + own) if settings.guided else 1.0 / math.sqrt(n))


@compiled
def write_node(tree, node, move, mean, prior):
    """A node that was never tried."""
    links = tree.links
    links[node, VISITS] = 0
    links[node, MOVE] = move
    links[node, FIRST] = ROOT
    links[node, SHAPE] = 0
    links[node, PROVEN] = UNPROVEN
    tree.sums[node] = 0.0
    tree.means[node] = mean
    tree.spreads[node] = prior
    if tree.priors.size > 1:
        tree.priors[node] = prior
    if tree.asides.size > 2:
        tree.asides[node, 0] = tree.asides[node, 1] = 0.0


@kernel
def plant(tree):
    """An empty tree: a root without children."""
    write_node(tree, np.int64(ROOT), np.int64(0), np.float32(0.5), np.float32(1.0))


@compiled
def _copy_node(old, new, source, target):
    for field in range(5):
        new.links[target, field] = old.links[source, field]
    new.sums[target] = old.sums[source]
    new.means[target] = old.means[source]
    new.spreads[target] = old.spreads[source]
    if old.priors.size > 1:
        new.priors[target] = old.priors[source]
    if old.asides.size > 2:
        new.asides[target, 0], new.asides[target, 1] = old.asides[source, 0], old.asides[source, 1]


@kernel
def transplant(old, new, root, progress, least_visits, most_slots, steps):
    """Copy what grows from the node `root` into another tree, nearest to the root first; whether all was done.

    `progress` is (nodes looked at, slots used), (0, 0) at the beginning: a call looks at no more than `steps` nodes, so
    that the clock can be watched in between. The children of nodes with fewer than `least_visits` visits are left
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
        first = np.int64(new.links[done, FIRST])
        if first != ROOT:
            n = np.int64(new.links[done, SHAPE] >> 2)
            if used + n > most_slots or (new.links[done, VISITS] < least_visits and done != ROOT):
                new.links[done, FIRST] = ROOT
            else:
                for i in range(n):
                    _copy_node(old, new, first + i, used + i)
                new.links[done, FIRST] = used
                used += n
        done += 1
    if steps == 0:
        for node in range(done, used):
            new.links[node, FIRST] = ROOT
        done = used
    progress[0], progress[1] = done, used
    return done == used


@kernel
def find(tree, state, node, plies, wanted, played):
    """The node exactly so many plies below `node`, whose state is given, with the key `wanted`; -1 when there is none.

    `played` counts the moves replayed, to give up when they are too many.
    """
    first = np.int64(tree.links[node, FIRST])
    if first == ROOT:
        return np.int64(-1)
    for child in range(first, first + np.int64(tree.links[node, SHAPE] >> 2)):
        if plies > 1 and tree.links[child, FIRST] == ROOT:
            continue
        if played[0] >= _PATIENCE:
            return np.int64(-1)
        played[0] += 1
        after = play(state, np.int64(tree.links[child, MOVE]))
        if plies > 1:
            found = find(tree, after, np.int64(child), plies - 1, wanted, played)
            if found >= 0:
                return found
        elif key(after) == wanted:
            return np.int64(child)
    return np.int64(-1)

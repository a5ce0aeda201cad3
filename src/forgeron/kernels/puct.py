"""PUCT with an evaluator outside the kernel: leaves are gathered in batches, judged by somebody else, and backed up.

A simulation that waits for its value counts as a loss on its path (virtual loss), so that the next ones of the same
batch go elsewhere.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from forgeron.core.arrays import load_state, store_state
from forgeron.core.contract import CHANCE, OVER, action, chance, moves, observe, play, score, throw, turn
from forgeron.core.jit import compiled, kernel
from forgeron.core.rng import split, word

ROOT = 0
MAX_DEPTH = 1000
#: The mover of a node whose state has not been worked out yet.
UNSEEN = 9


class PuctTree(NamedTuple):
    """A row for each node; the children of a node lie side by side."""

    states: np.ndarray
    first: np.ndarray
    """the first child"""
    children: np.ndarray
    """how many there are; 0 for a leaf"""
    moves: np.ndarray
    visits: np.ndarray
    """simulations that have a value"""
    losses: np.ndarray
    """simulations that wait for one"""
    sums: np.ndarray
    """of the values of player 0, from 0 to 1"""
    priors: np.ndarray
    movers: np.ndarray
    """who moves there: 0, 1, CHANCE, OVER, or UNSEEN"""
    used: np.ndarray
    """a single number: nodes in use"""


class Leaves(NamedTuple):
    """A batch of simulations that have come to a leaf."""

    paths: np.ndarray
    depths: np.ndarray
    rows: np.ndarray
    """the row of the leaf in what is judged outside; -1 where the game is over"""
    observations: np.ndarray
    masks: np.ndarray
    seats: np.ndarray


def make_puct_tree(size: int, fields: int) -> PuctTree:
    return PuctTree(
        states=np.zeros((size, fields), dtype=np.uint64),
        first=np.zeros(size, dtype=np.int32),
        children=np.zeros(size, dtype=np.int32),
        moves=np.zeros(size, dtype=np.int32),
        visits=np.zeros(size, dtype=np.int32),
        losses=np.zeros(size, dtype=np.int32),
        sums=np.zeros(size),
        priors=np.zeros(size, dtype=np.float32),
        movers=np.zeros(size, dtype=np.int8),
        used=np.zeros(1, dtype=np.int64),
    )


def make_leaves(batch: int, words: int, actions: int) -> Leaves:
    return Leaves(
        paths=np.zeros((batch, MAX_DEPTH), dtype=np.int64),
        depths=np.zeros(batch, dtype=np.int64),
        rows=np.zeros(batch, dtype=np.int64),
        observations=np.zeros((batch, words), dtype=np.uint64),
        masks=np.zeros((batch, actions), dtype=np.int8),
        seats=np.zeros(batch, dtype=np.int8),
    )


@compiled
def _see(tree, node, state):
    store_state(state, tree.states[node])
    tree.movers[node] = turn(state)


@compiled
def _take_children(tree, node, n):
    """Give the node n new children, not seen yet; whether there was room."""
    first = tree.used[0]
    if first + n > len(tree.first):
        return False
    tree.used[0] = first + n
    for child in range(first, first + n):
        tree.first[child], tree.children[child], tree.movers[child] = 0, 0, UNSEEN
        tree.visits[child], tree.losses[child], tree.sums[child] = 0, 0, 0.0
        tree.moves[child], tree.priors[child] = child - first, 1.0
    tree.first[node], tree.children[node] = first, n
    return True


@kernel
def plant(tree, state):
    """Make the position, in which a player is to move, the root of an empty tree."""
    tree.used[0] = 1
    tree.children[ROOT], tree.visits[ROOT], tree.losses[ROOT], tree.sums[ROOT] = 0, 0, 0, 0.0
    _see(tree, ROOT, state)


@compiled
def _select(tree, node, exploration):
    """The child of the highest upper confidence bound, for the player who moves."""
    first, visits = tree.first[node], tree.visits[node]
    flip = tree.movers[node] == 1
    root = math.sqrt(max(float(visits + tree.losses[node]), 1.0))
    # A child that nobody has visited is taken to be as good as the node has been so far.
    mean = tree.sums[node] / visits if visits else 0.5
    mean = 1.0 - mean if flip else mean
    best, highest = np.int64(first), -1.0
    for child in range(first, first + tree.children[node]):
        seen = tree.visits[child] + tree.losses[child]
        won = tree.visits[child] - tree.sums[child] if flip else tree.sums[child]
        value = won / seen if seen else mean
        bound = value + exploration * tree.priors[child] * root / (1.0 + seen)
        if bound > highest:
            best, highest = np.int64(child), bound
    return best


@compiled
def _descend(like, tree, path, exploration, stream, probs):
    """Go down to a leaf; return the depth, or -1 when there is no room for the outcomes of a throw."""
    node, depth = np.int64(ROOT), 0
    path[0] = ROOT
    while depth < MAX_DEPTH - 1:
        mover = tree.movers[node]
        state = load_state(like, tree.states[node])
        if mover == CHANCE:
            if tree.children[node] == 0 and not _take_children(tree, node, chance(state, probs)):
                return -1
            child = np.int64(tree.first[node]) + throw(state, word(stream, depth + 1), probs)
        elif mover == OVER or tree.children[node] == 0:
            break
        else:
            child = _select(tree, node, exploration)
        if tree.movers[child] == UNSEEN:
            _see(tree, child, play(state, np.int64(tree.moves[child])))
        node = child
        depth += 1
        path[depth] = node
    return depth


@kernel
def gather(like, tree, leaves, wanted, exploration, stream, number, by_place, out, probs):
    """Make up to so many descents, of which the first has this number; return them, and the leaves to be judged.

    Fewer when a descent ends in a leaf that waits already, or when there is no room.
    """
    found = waiting = 0
    while found < wanted:
        depth = _descend(like, tree, leaves.paths[found], exploration, split(stream, number + found), probs)
        if depth < 0:
            break
        leaf = leaves.paths[found, depth]
        mover = tree.movers[leaf]
        if mover != OVER and tree.losses[leaf]:
            break
        leaves.depths[found], leaves.rows[found] = depth, -1
        for i in range(depth + 1):
            tree.losses[leaves.paths[found, i]] += 1
        if mover != OVER:
            state = load_state(like, tree.states[leaf])
            leaves.rows[found], leaves.seats[waiting] = waiting, mover
            observe(state, np.int64(mover), leaves.observations[waiting])
            leaves.masks[waiting, :] = 0
            for i in range(moves(state, out)):
                leaves.masks[waiting, i if by_place else np.int64(action(state, out[i]))] = 1
            waiting += 1
        found += 1
    return found, waiting


@kernel
def absorb(like, tree, leaves, found, values, policies, by_place, out):
    """Give the leaves their children, with priors from the policies, and back up the values of their movers.

    A policy without anything for the legal moves counts as the same for all.
    """
    for k in range(found):
        leaf, row = leaves.paths[k, leaves.depths[k]], leaves.rows[k]
        state = load_state(like, tree.states[leaf])
        if row < 0:
            result = score(state)
            value = 1.0 if result > 0 else 0.0 if result < 0 else 0.5
        else:
            value = 1.0 - values[row] if leaves.seats[row] == 1 else values[row]
            n = moves(state, out)
            if tree.children[leaf] == 0 and _take_children(tree, leaf, n):
                _set_priors(tree, leaf, state, n, policies[row], by_place, out)
        for i in range(leaves.depths[k] + 1):
            node = leaves.paths[k, i]
            tree.losses[node] -= 1
            tree.visits[node] += 1
            tree.sums[node] += value


@compiled
def _set_priors(tree, node, state, n, policy, by_place, out):
    first, total = tree.first[node], 0.0
    for i in range(n):
        tree.moves[first + i] = out[i]
        prior = max(float(policy[i if by_place else np.int64(action(state, out[i]))]), 0.0)
        tree.priors[first + i] = prior
        total += prior
    for i in range(first, first + n):
        tree.priors[i] = tree.priors[i] / total if total > 0.0 else 1.0 / n

"""Expectimax: the search for games in which moves and throws alternate; without throws it is alpha-beta.

A value is the win probability of the player on turn as an integer, 0 … `SCALE`: at a chance node the expectation is
taken over probabilities, never over the log-odds of the evaluation, whose mean means nothing. Depth counts turns:
everything until the other player is on turn, throws included, is one. What is left of a throw is part of the state, so
all ways of using it are searched, and the transposition table sees where they meet. A value depends on the state and
the depth alone, and the table keeps an entry for each depth, so that neither the table nor pruning ever changes it.

Everything the search writes is in its workspace (`forgeron.kernels.expectimax_workspace`) and in the table.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from forgeron.core.arrays import borrowed
from forgeron.core.contract import CHANCE, chance, key, moves, play, player_on_turn, turn
from forgeron.core.jit import inlined, kernel
from forgeron.kernels.expectimax_values import SCALE, decayed, exact_value, static_value, terminal_value
from forgeron.kernels.expectimax_workspace import (
    BEST_MOVE,
    ESTIMATED_TURNS,
    GENERATION,
    MAX_PLY,
    MAX_THROWS,
    NO_MOVE,
    NO_VALUE,
    NODE_LIMIT,
    NODES,
    PRUNING,
    STOP,
    Pruning,
    lists_of,
    outcomes_of,
    record_root_value,
)
from forgeron.kernels.move_lists import best_rated, move_at, move_forward, set_rating
from forgeron.kernels.star_pruning import (
    expectation,
    narrow_bounds,
    needs_search,
    open_bounds,
    outcome_window,
    star1_cutoff,
)
from forgeron.kernels.transposition_table import (
    EXACT,
    MISS,
    bound_of,
    bound_type,
    causes_cutoff,
    move_of,
    pack,
    probe,
    store,
    value_of,
)

#: In turns.
MAX_DEPTH = 60
_THROWS_KEY, _DEPTH_KEY = np.uint64(0x9E37_79B9_7F4A_7C15), np.uint64(0xD1B5_4A32_D192_ED03)
#: The two visits of a chance node: one move of each outcome is probed (Star2), then all are searched.
_PROBE, _FULL = 0, 1


class Node(NamedTuple):
    """A state in the tree and how it is searched: what does not change while its children are visited."""

    key: np.uint64
    """of state, depth and throws: what the table keeps an answer for"""
    player: np.int64
    """the one on turn"""
    is_chance: bool
    depth: np.int64
    alpha: np.int64
    beta: np.int64
    ply: np.int64
    throws: np.int64
    """made on the way in this turn"""
    pruning: np.int64


# --- the steps of a search --------------------------------------------------------------------------------------------


@inlined
def table_key(state_key, depth, throws_left):
    """The key of the table entry: for each depth, and each number of throws to search, the same state is another
    question."""
    return state_key + np.uint64(depth) * _DEPTH_KEY + np.uint64(throws_left) * _THROWS_KEY


@inlined
def answers(entry, node):
    """Whether the table entry of the node makes searching it needless."""
    return entry != MISS and node.ply > 0 and causes_cutoff(bound_of(entry), value_of(entry), node.alpha, node.beta)


@inlined
def move_to_try_first(ws, table, entry, node):
    """The best move of the root so far; else that of the table, perhaps of the depth before; else NO_MOVE."""
    if node.ply == 0 and ws[BEST_MOVE] != NO_MOVE:
        return ws[BEST_MOVE]
    if entry == MISS and node.depth > 1 and node.pruning & Pruning.TABLE:
        entry = probe(table, node.key - _DEPTH_KEY)
    return move_of(entry) if entry != MISS else np.int64(NO_MOVE)


@inlined
def count_node(ws):
    """Count another node; False when the search must stop instead."""
    if ws[NODES] >= ws[NODE_LIMIT]:
        ws[STOP] = 1
    if ws[STOP]:
        return False
    ws[NODES] += 1
    return True


@inlined
def make_child(state, move, node):
    """The state after a move or an outcome, what `turn` says of it, the player on turn, turns left, throws made."""
    child = play(state, move)
    child_turn = turn(child)
    player = player_on_turn(child, child_turn, node.player)
    if player != node.player:
        return child, child_turn, player, node.depth - 1, np.int64(0)
    return child, child_turn, player, node.depth, node.throws + np.int64(node.is_chance)


@inlined
def seen_by(player, node, value):
    """A value of `player` for the player of the node, or the other way round."""
    return value if player == node.player else SCALE - value


@inlined
def leaf_value(ws, child, child_turn, child_player, depth, throws, node, weights, exact):
    """The value for the node's player of a child that needs no search (an end, a value known exactly, or the
    horizon); else NO_VALUE."""
    value = terminal_value(child, child_turn, node.player)
    if value != NO_VALUE:
        return value
    value = exact_value(child, exact)
    if value != NO_VALUE:
        return seen_by(child_player, node, value)
    if depth <= 0 or (child_turn == CHANCE and throws >= ws[MAX_THROWS]) or node.ply >= MAX_PLY - 2:
        ws[ESTIMATED_TURNS] += depth <= 0
        return static_value(child, node.player, weights)
    return np.int64(NO_VALUE)


@inlined
def store_result(ws, table, node, move, value, bound):
    if node.pruning & Pruning.TABLE:
        store(table, node.key, pack(move, value, node.depth, bound, ws[GENERATION]))


# --- the steps of a choice --------------------------------------------------------------------------------------------


@inlined
def rate_moves(ws, lists, n, state, node, first_move, weights):
    """Rate each of the n listed moves: by the evaluation where much hangs on the order, and `first_move` first."""
    by_evaluation = node.ply == 0 or (node.depth > 1 and n > 1)
    for i in range(n):
        move = move_at(ws, lists, i)
        rating = np.int64(0)
        if by_evaluation:
            child = play(state, move)
            rating = terminal_value(child, turn(child), node.player)
            if rating == NO_VALUE:
                rating = static_value(child, node.player, weights)
        set_rating(ws, lists, i, rating + (2 * SCALE if move == first_move else 0))


@kernel
def search(state, player, depth, alpha, beta, ply, throws, probing, ws_, reals_, table_, weights_, exact_):
    """The value of the state for `player`, who is on turn: exact between alpha and beta, else a bound.

    The game must not be over, the depth at least 1, and at ply 0 the state no throw. `throws` are those made on the way
    in this turn. With `probing` only the first move is tried, which gives a lower bound. At ply 0 the values of the
    moves and the best one are left in the workspace. When it says STOP the value means nothing, but they stay. `exact`
    is a table of exact values by rank, or empty.
    """
    ws, reals, table, weights = borrowed(ws_), borrowed(reals_), borrowed(table_), borrowed(weights_)
    exact = borrowed(exact_)
    is_chance = turn(state) == CHANCE
    node_key = table_key(key(state), depth, ws[MAX_THROWS] - throws)
    node = Node(node_key, player, is_chance, depth, alpha, beta, ply, throws, ws[PRUNING])
    zero = np.int64(0)

    # 1. Probe the transposition table.
    entry = probe(table, node.key) if node.pruning & Pruning.TABLE else MISS
    if answers(entry, node):
        return value_of(entry)

    if is_chance:
        # 2. A chance node: lower and upper bounds enclose the expectation, and each outcome narrows them.
        outcomes = outcomes_of(ws, ply)
        n = chance(state, reals[outcomes.probabilities : outcomes.lower])
        lower, upper = open_bounds(reals, outcomes, n)
        for visit in range(_PROBE if node.pruning & Pruning.STAR2 and depth > 1 else _FULL, _FULL + 1):
            for i in range(n):
                if not needs_search(reals, outcomes, i):
                    continue
                if not count_node(ws):
                    return zero
                child, child_turn, child_player, left, made = make_child(state, np.int64(i), node)
                value = leaf_value(ws, child, child_turn, child_player, left, made, node, weights, exact)
                is_lower = is_upper = True
                if value == NO_VALUE:
                    # 3. Search the outcome with its own window. One move alone gives a lower bound for its player.
                    if visit == _PROBE and child_turn == CHANCE:
                        continue
                    low, high = outcome_window(reals, outcomes, i, lower, upper, node)
                    same = child_player == player
                    if visit == _PROBE:
                        low, high = (np.int64(-1), high) if same else (low, np.int64(SCALE + 1))
                    a, b = (low, high) if same else (SCALE - high, SCALE - low)
                    probe_only = np.int64(visit == _PROBE)
                    value = search(
                        child, child_player, left, a, b, ply + 1, made, probe_only, ws, reals, table, weights, exact
                    )
                    if ws[STOP]:
                        return zero
                    value = seen_by(child_player, node, value)
                    is_lower = value > low and (same or visit == _FULL)
                    is_upper = value < high and (not same or visit == _FULL)
                # 4. Narrow the bounds; outside the window of the node nothing more needs to be known.
                lower, upper = narrow_bounds(reals, outcomes, i, value, is_lower, is_upper, lower, upper)
                value = star1_cutoff(lower, upper, node)
                if value != NO_VALUE:
                    store_result(ws, table, node, zero, value, bound_type(value, alpha, beta))
                    return value
        value = expectation(reals, outcomes, n)
        store_result(ws, table, node, zero, value, EXACT)
        return value

    # 5. A choice: list the moves and rate them.
    lists = lists_of(ws, ply)
    n = moves(state, ws[lists.moves : lists.ratings])
    rate_moves(ws, lists, n, state, node, move_to_try_first(ws, table, entry, node), weights)
    best_value, best_move = np.int64(NO_VALUE), np.int64(NO_MOVE)
    for i in range(1 if probing else n):
        move_forward(ws, lists, best_rated(ws, lists, i, n), i)
        move = move_at(ws, lists, i)
        if ply == 0 and ws[BEST_MOVE] == NO_MOVE:
            ws[BEST_MOVE] = move
        if not count_node(ws):
            return zero
        # 6. Make the child; evaluate it, if it is a leaf, or search it.
        child, child_turn, child_player, left, made = make_child(state, move, node)
        value = leaf_value(ws, child, child_turn, child_player, left, made, node, weights, exact)
        if value == NO_VALUE:
            low, high = alpha - 1, beta + 1  # before the value decays
            a, b = (low, high) if child_player == player else (SCALE - high, SCALE - low)
            value = search(child, child_player, left, a, b, ply + 1, made, zero, ws, reals, table, weights, exact)
            if ws[STOP]:
                return zero
            value = seen_by(child_player, node, value)
        value = decayed(value)

        # 7. Back at the node: a new best move, a higher alpha, a cutoff.
        if value > best_value:
            best_value, best_move = value, move
        if ply == 0:
            value = record_root_value(ws, move, value)
        if node.pruning & Pruning.ALPHA_BETA:
            alpha = max(alpha, value)
            if alpha >= beta:
                break

    # 8. Store the result.
    if not probing:
        store_result(ws, table, node, best_move, best_value, bound_type(best_value, node.alpha, beta))
    return best_value

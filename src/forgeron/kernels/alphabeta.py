"""Alpha-beta search (negamax form) for every game of two players without chance.

A value is an integer for the side to move: thousandths of log-odds from the evaluation, or, when the end of the game
was reached, `WIN` less the plies to it, so that the faster win and the slower loss are preferred. Where the game's own
`solve` knows the result earlier, the value is a proven one too, by the margin instead of the plies. A player may move
several times in a row: a value changes its sign only when the turn does.

Everything the search writes is in the workspace of its thread (`forgeron.kernels.alphabeta_workspace`) and in the
transposition table that all threads share.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from forgeron.core.arrays import borrowed
from forgeron.core.contract import OVER, UNKNOWN, key, moves, play, score, solve, turn
from forgeron.core.jit import inlined, kernel
from forgeron.core.kernel_clock import now_ns
from forgeron.kernels.alphabeta_ordering import COUNTERMOVE_BONUS, bring_best_forward, rate_moves, record_cutoff
from forgeron.kernels.alphabeta_probcut import cutoff_by_static, cutoff_by_table, has_static_margin, may_cut
from forgeron.kernels.alphabeta_workspace import (
    BEST_MOVE,
    BEST_VALUE,
    CLOCK,
    DEADLINE,
    ENHANCEMENTS,
    EXCLUDED,
    GENERATION,
    MAX_PLY,
    NO_MOVE,
    NODE_LIMIT,
    NODES,
    ROOT_MOVE,
    STOP,
    Enhancement,
    deferred_at,
    is_excluded,
    lists_of,
    set_deferred,
)
from forgeron.kernels.move_lists import move_at, rating_at
from forgeron.kernels.network import static_evaluation
from forgeron.kernels.transposition_table import (
    MAX_STORED_DEPTH,
    MISS,
    UPPER_BOUND,
    bound_of,
    bound_type,
    busy_mark,
    causes_cutoff,
    clear_busy,
    depth_of,
    is_busy,
    move_of,
    pack,
    probe,
    set_busy,
    store,
    value_of,
)

#: The value of a game won at once; beyond `PROVEN` a value is a proven result.
WIN = 1_000_000
PROVEN = WIN - 1_000
# A result that `solve` knows is worth less than an end that was reached, and more the greater its margin.
_SOLVED_DISCOUNT, _MAX_MARGIN = 700, 400
# Margins beyond this are of games that count in large steps, such as the classes of YINSH: there an eighth is enough.
_PLAIN_MARGIN = 128
_MAX_LOG_ODDS = 900.0  # no evaluation is surer than this
#: At the last ply only so many moves are put in order: looking for the best costs more than trying it.
_ORDERED_AT_FRONTIER = 3
#: The clock is read once in so many nodes, a power of two.
_CLOCK_EVERY = 256
#: From this depth of the children on it is worth asking what the other threads do.
_ABDADA_DEPTH = 3


class Node(NamedTuple):
    """A position in the tree and how it is searched: what does not change while its moves are tried."""

    key: np.uint64
    mover: np.int64
    depth: np.int64
    alpha: np.int64
    beta: np.int64
    ply: np.int64
    previous: np.int64
    """the move that led here, or NO_MOVE"""
    enhancements: np.int64


# --- values -----------------------------------------------------------------------------------------------------------


@inlined
def final_value(state, mover, ply):
    """The value of a finished game for the player `mover`."""
    result = score(state)
    if result == 0:
        return np.int64(0)
    if solve(state) == result:
        return solved_value(result, mover, ply)  # as it is judged before the end: by the margin, not by the plies
    won = np.int64(WIN) - ply
    return won if (result > 0) == (mover == 0) else -won


@inlined
def solved_value(result, mover, ply):
    """The value for the player `mover` of a final score that is known before the end."""
    if result == 0:
        return np.int64(0)
    margin = abs(result)
    if margin > _PLAIN_MARGIN:
        margin = np.int64(_PLAIN_MARGIN) + ((margin - np.int64(_PLAIN_MARGIN)) >> np.int64(3))
    won = np.int64(WIN - _SOLVED_DISCOUNT) - ply + min(margin, np.int64(_MAX_MARGIN))
    return won if (result > 0) == (mover == 0) else -won


@inlined
def static_value(state, mover, weights):
    """The evaluation as an integer for the player `mover`."""
    value = np.int64(1000.0 * min(max(static_evaluation(state, weights), -_MAX_LOG_ODDS), _MAX_LOG_ODDS))
    return value if mover == 0 else -value


@inlined
def value_to_table(value, ply):
    """In the table a proven result counts its plies from the position; in the search, from the root."""
    return value + ply if value > PROVEN else value - ply if value < -PROVEN else value


@inlined
def value_from_table(value, ply):
    return value - ply if value > PROVEN else value + ply if value < -PROVEN else value


# --- the steps of a search --------------------------------------------------------------------------------------------


@inlined
def answers(entry, node):
    """Whether the table entry of the node makes searching it needless."""
    if entry == MISS or node.ply == 0 or depth_of(entry) < node.depth:
        return False
    if depth_of(entry) > node.depth and not node.enhancements & Enhancement.LMR:
        return False  # a deeper answer is a better one, but not the one of this depth
    return causes_cutoff(bound_of(entry), value_from_table(value_of(entry), node.ply), node.alpha, node.beta)


@inlined
def probable_value(ws, state, entry, node, weights):
    """ProbCut: the edge of the window that the value is very probably beyond, beta or alpha; else UNKNOWN."""
    if not may_cut(node):
        return np.int64(UNKNOWN)
    if entry != MISS:
        return cutoff_by_table(ws, entry, node)
    if not has_static_margin(ws, node.depth):
        return np.int64(UNKNOWN)
    return cutoff_by_static(ws, static_value(state, node.mover, weights), node)


@inlined
def move_to_try_first(ws, entry, ply):
    """The root move of the caller, else the table move, else NO_MOVE."""
    move = ws[ROOT_MOVE] if ply == 0 else np.int64(NO_MOVE)
    return move_of(entry) if move == NO_MOVE and entry != MISS else move


@inlined
def next_index(ws, lists, step, n, child_depth):
    """The index of the move to try: the best rated of those left, after the last one the deferred ones."""
    if step >= n:
        return deferred_at(ws, lists, step - n)
    if child_depth > 0 or step < _ORDERED_AT_FRONTIER:
        bring_best_forward(ws, lists, step, n)
    return step


@inlined
def budget_is_spent(ws):
    """Whether the limit of nodes or the deadline has been reached."""
    nodes = ws[NODES]
    return nodes >= ws[NODE_LIMIT] or (nodes & (_CLOCK_EVERY - 1) == 0 and now_ns(ws[CLOCK]) >= ws[DEADLINE])


@inlined
def make_child(ws, state, move):
    """The state after the move: another node of the search."""
    ws[NODES] += 1
    return play(state, move)


@inlined
def leaf_value(child, child_turn, child_depth, node, weights):
    """The value for the mover of a child that needs no search (an end, solved, at the horizon); else UNKNOWN."""
    if child_turn == OVER:
        return final_value(child, node.mover, node.ply + 1)
    result = solve(child)
    if result != UNKNOWN:
        return solved_value(result, node.mover, node.ply + 1)
    if child_depth <= 0 or node.ply >= MAX_PLY - 2:
        return static_value(child, node.mover, weights)
    return np.int64(UNKNOWN)


@inlined
def late_move_reduction(i, rating, node):
    """By how many plies less than the others the i-th move is searched at first."""
    if not node.enhancements & Enhancement.LMR or i < 3 or node.depth < 3 or rating >= COUNTERMOVE_BONUS:
        return np.int64(0)
    return min(np.int64(1 + (i >= 10) + (node.depth >= 7)), node.depth - 2)


@inlined
def record_root_move(ws, move, value):
    ws[BEST_MOVE], ws[BEST_VALUE] = move, value


@inlined
def store_result(ws, table, node, value, move, table_move):
    """Write what was found out to the transposition table."""
    if not node.enhancements & Enhancement.TABLE or move == NO_MOVE or (node.ply == 0 and ws[EXCLUDED]):
        return
    bound = bound_type(value, node.alpha, node.beta)
    if bound == UPPER_BOUND and table_move != NO_MOVE:
        move = table_move  # where nothing was good enough, what was once good is the better guess
    depth = min(node.depth, MAX_STORED_DEPTH)
    store(table, node.key, pack(move, value_to_table(value, node.ply), depth, bound, ws[GENERATION]))


@kernel
def search(state, depth, alpha, beta, ply, previous, ws_, table_, weights_):
    """The value of the state for the side to move, exact between alpha and beta, a bound outside.

    The game must not be over, the depth at least 1. `previous` is the move that led here, or NO_MOVE. At ply 0 the best
    move is left in the workspace. When the workspace says STOP the value means nothing, but the best move found so far
    stays.
    """
    ws, table, weights = borrowed(ws_), borrowed(table_), borrowed(weights_)
    node = Node(key(state), turn(state), depth, alpha, beta, ply, previous, ws[ENHANCEMENTS])

    # 1. Probe the transposition table.
    entry = probe(table, node.key) if node.enhancements & Enhancement.TABLE else MISS
    if answers(entry, node):
        return value_from_table(value_of(entry), ply)

    # 2. ProbCut: leave a position whose value is very probably outside the window.
    value = probable_value(ws, state, entry, node, weights)
    if value != UNKNOWN:
        return value

    # 3. List the moves and rate them.
    lists = lists_of(ws, ply)
    n = moves(state, ws[lists.moves : lists.ratings])
    table_move = move_to_try_first(ws, entry, ply)
    rate_moves(ws, lists, n, node, table_move)
    child_depth = depth if n == 1 and ply > 0 else depth - 1  # a forced move costs no depth
    abdada = node.enhancements & Enhancement.ABDADA and child_depth >= _ABDADA_DEPTH

    best_value, best_move = np.int64(-WIN - 1), np.int64(NO_MOVE)
    step = deferred = np.int64(0)
    while step < n + deferred:
        # 4. Choose the next move. What another thread is searching is deferred; it may settle the node meanwhile.
        i = next_index(ws, lists, step, n, child_depth)
        step += 1
        move = move_at(ws, lists, i)
        mark = busy_mark(node.key, move) if abdada else np.uint64(0)
        if abdada and i > 0:
            entry = probe(table, node.key)
            if answers(entry, node):
                return value_from_table(value_of(entry), ply)
            if step <= n and is_busy(table, mark):
                set_deferred(ws, lists, deferred, i)
                deferred += 1
                continue
        if ply == 0 and ws[EXCLUDED] and is_excluded(ws, move):
            continue
        if budget_is_spent(ws):
            ws[STOP] = 1
            return best_value

        # 5. Make the child and evaluate it, if it is a leaf.
        child = make_child(ws, state, move)
        child_turn = turn(child)
        value = leaf_value(child, child_turn, child_depth, node, weights)
        if value == UNKNOWN:
            # 6. Search the child: a later move first with a null window, perhaps at reduced depth, and again if it
            # turns out better than that allows.
            null_window = node.enhancements & Enhancement.PVS and best_move != NO_MOVE
            reduction = late_move_reduction(i, rating_at(ws, lists, i), node)
            if abdada:
                set_busy(table, mark)
            while True:
                upper = alpha + 1 if null_window or reduction else beta
                low, high = (alpha, upper) if child_turn == node.mover else (-upper, -alpha)
                value = search(child, child_depth - reduction, low, high, ply + 1, move, ws, table, weights)
                value = value if child_turn == node.mover else -value
                if reduction and value > alpha:
                    reduction = np.int64(0)
                elif null_window and alpha < value < beta:
                    null_window = np.int64(0)
                else:
                    break
            if abdada:
                clear_busy(table, mark)
        if ws[STOP]:
            return best_value

        # 7. Back at the node: a new best move, a higher alpha, a cutoff. Below the alpha of the root a value is only a
        # bound, which does not make one move better than another.
        if value > best_value:
            if ply == 0 and (best_move == NO_MOVE or value > node.alpha):
                record_root_move(ws, move, value)
            best_value, best_move = value, move
        if node.enhancements & Enhancement.ALPHA_BETA:
            alpha = max(alpha, value)
            if alpha >= beta:
                record_cutoff(ws, lists, i, node)
                break

    # 8. Store the result.
    store_result(ws, table, node, best_value, best_move, table_move)
    return best_value


@kernel
def static_value_of(state, weights):
    """The static value for the side to move, as the leaves of a search have it: a search of depth 0."""
    return static_value(state, turn(state), weights)

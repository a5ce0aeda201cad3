"""Expectimax: the search for games in which moves and throws alternate; without throws it is alpha-beta.

A value is the win probability of the player on turn as an integer, 0 … `SCALE`: at a throw the expectation is taken
over probabilities, never over the log-odds of the evaluation, whose mean means nothing. Depth counts turns: everything
until the other player is on turn, throws included, is one. What is left of a throw is part of the state, so all ways of
using it are searched, and the table sees where they meet. A value depends on the state and the depth alone, and the
table keeps an entry for each depth, so that neither the table nor pruning ever changes the answer.

Everything the search writes is in two arrays (see `make_board` and `make_floats`) and in the table.
"""

from __future__ import annotations

import math

import numpy as np

from forgeron.core.arrays import borrowed
from forgeron.core.contract import CHANCE, OVER, UNKNOWN, chance, evaluate, key, moves, play, score, solve, turn
from forgeron.core.jit import compiled, kernel
from forgeron.core.odds import probability_of
from forgeron.kernels.ordering import best_of
from forgeron.kernels.table import (
    AT_LEAST,
    AT_MOST,
    EXACT,
    NOTHING,
    bound_of,
    move_of,
    pack,
    probe,
    store,
    value_of,
)

#: The value of a certain win; the loser's is 0.
SCALE = 8_000_000
#: Estimates keep this distance from certainty, and only values that are nearer to it fade.
MARGIN = 1_000
MAX_PLY = 200
MAX_DEPTH = 60
#: Not a move, and not a value.
NONE = -1
_THROWS, _DEPTH = np.uint64(0x9E37_79B9_7F4A_7C15), np.uint64(0xD1B5_4A32_D192_ED03)

# Parts of the search that can be switched off, to see what each is worth. STAR2 is of no use without STAR1.
ALPHABETA, STAR1, STAR2, TABLE = 1, 2, 4, 8
EVERYTHING = 15

# The board, from 0: settings and results; then the moves at the root that are valued, with their values; then for each
# ply the moves with their order.
STOP, NODES, NODE_LIMIT, FLAGS, GENERATION, WIDTH, CHAIN, LINES, VALUED, BEST, BEST_VALUE = range(11)
ROOT = 16


def make_board(width: int, chain: int = 2) -> np.ndarray:
    """An empty board for a game whose positions have at most `width` moves. Of the throws of one turn, which may bring
    each other without end, the first `chain` are looked at; what would come after them is estimated."""
    board = np.zeros(ROOT + 2 * width * (MAX_PLY + 1), dtype=np.int64)
    board[WIDTH], board[CHAIN], board[FLAGS], board[LINES] = width, chain, EVERYTHING, 1
    new_search(board, 0)
    return board


def make_floats(width: int) -> np.ndarray:
    """Room for the probabilities of the outcomes of a throw, and bounds of their values, at each ply."""
    return np.zeros(3 * width * MAX_PLY)


def new_search(board: np.ndarray, generation: int, node_limit: int = 1 << 62) -> None:
    """Make the board ready for another search."""
    board[STOP] = board[NODES] = 0
    board[NODE_LIMIT] = node_limit
    board[GENERATION] = generation % 32
    board[BEST] = NONE
    new_depth(board)


def new_depth(board: np.ndarray) -> None:
    """Make the board ready to search the same root at another depth; the best move so far comes first there."""
    board[VALUED] = 0
    board[BEST_VALUE] = NONE


@compiled
def settled(state, after, who):
    """The value for `who` where the game is over or its end is known; else NONE. `after` is the state's `turn`."""
    result = score(state) if after == OVER else solve(state)
    if result == UNKNOWN:
        return np.int64(NONE)
    return np.int64(SCALE // 2 if result == 0 else SCALE if (result > 0) == (who == 0) else 0)


@compiled
def estimate(state, who, weights):
    """The evaluation as a value for `who`."""
    chances = probability_of(evaluate(state, weights))
    value = np.int64(np.rint(min(max(SCALE * chances, float(MARGIN)), float(SCALE - MARGIN))))
    return value if who == 0 else SCALE - value


@compiled
def on_turn(state, after, who):
    """The player whose turn it is: at a throw, the one who may move after it; `who` where that is nobody."""
    for _ in range(8):
        if after != CHANCE:
            break
        state = play(state, np.int64(0))
        after = turn(state)
    return after if after < CHANCE else who


@compiled
def step(state, move, who, depth):
    """The state after the move or throw, the player on turn there and the turns left; and its value for `who` where
    that is settled, else NONE."""
    child = play(state, move)
    after = turn(child)
    owner = on_turn(child, after, who)
    return child, owner, depth if owner == who else depth - 1, settled(child, after, who)


@compiled
def fade(value):
    """What is nearly certain loses a trifle with each move: so the faster win is better, and the slower loss."""
    return value - 1 if value > SCALE - MARGIN else value + 1 if value < MARGIN else value


@compiled
def place_of(place, depth, throws):
    """Where the table keeps the answer: for each depth, and each number of throws made, the same state is another
    question. `place` is the key of the state."""
    return place + np.uint64(depth) * _DEPTH + np.uint64(throws) * _THROWS


@compiled
def _rate_moves(state, who, board, first, n, known, by_evaluation, weights):
    """Give each listed move a number by which the good ones come first."""
    width = board[WIDTH]
    for i in range(n):
        move = board[first + i]
        rating = np.int64(0)
        if by_evaluation:
            child, _owner, _left, rating = step(state, move, who, np.int64(0))
            if rating == NONE:
                rating = estimate(child, who, weights)
        board[first + width + i] = rating + (2 * SCALE if move == known else 0)


@compiled
def _bring_forward(board, first, n, i):
    """Bring the best of the moves i … n-1 to place i; the others keep their order."""
    width = board[WIDTH]
    best = best_of(board, first + width, i, n)
    for row in (first, first + width):
        chosen = board[row + best]
        for j in range(best, i, -1):
            board[row + j] = board[row + j - 1]
        board[row + i] = chosen


@compiled
def _note_root(board, move, value):
    """Write down the value of a move at the root; return what another move must beat to be among the best lines."""
    width, n = board[WIDTH], board[VALUED]
    board[ROOT + n], board[ROOT + width + n] = move, value
    board[VALUED] = n + 1
    if value > board[BEST_VALUE]:
        board[BEST], board[BEST_VALUE] = move, value
    if n + 1 < board[LINES]:
        return np.int64(NONE)
    bar = np.int64(NONE)
    for i in range(n + 1):
        value = board[ROOT + width + i]
        better = 0
        for j in range(n + 1):
            better += board[ROOT + width + j] > value
        if better < board[LINES] and (bar == NONE or value < bar):
            bar = value
    return bar


@kernel
def search(state, who, depth, alpha, beta, ply, throws, probing, board_, floats_, table_, weights_):
    """The value of the state for `who`, the player on turn: exact between alpha and beta, else a bound.

    The game must not be over, the depth at least 1, and at ply 0 the state no throw. `throws` are those made on the way
    in this turn. With `probing` only the first move is tried, which gives a lower bound. At ply 0 the values of the
    moves and the best one are left in the board. When the board says STOP the value means nothing, but they stay.
    """
    board, floats, table, weights = borrowed(board_), borrowed(floats_), borrowed(table_), borrowed(weights_)
    flags, width = board[FLAGS], board[WIDTH]
    zero, one = np.int64(0), np.int64(1)

    # 1. What is known already; at least, perhaps, the best move of the depth before.
    known = np.int64(NONE)
    chosen = turn(state) != CHANCE
    place = place_of(key(state), depth, throws)
    if flags & TABLE:
        data = probe(table, place)
        if data != NOTHING and ply > 0:
            value, bound = value_of(data), bound_of(data)
            if bound == EXACT or (bound == AT_LEAST and value >= beta) or (bound == AT_MOST and value <= alpha):
                return value
        if data == NOTHING and depth > 1 and chosen:
            data = probe(table, place - _DEPTH)
        if data != NOTHING:
            known = move_of(data)

    if not chosen:
        # 2. A throw: `low` and `high` enclose the expectation, and each outcome brings them nearer to each other.
        row, lows, highs = 3 * width * ply, 3 * width * ply + width, 3 * width * ply + 2 * width
        n = chance(state, floats[row : row + width])
        low, high = 0.0, 0.0
        for i in range(n):
            floats[lows + i], floats[highs + i] = 0.0, SCALE
            high += SCALE * floats[row + i]
        for phase in range(0 if flags & STAR2 and depth > 1 else 1, 2):
            for i in range(n):
                share = floats[row + i]
                if share <= 0.0 or floats[lows + i] == floats[highs + i]:
                    continue
                if board[NODES] >= board[NODE_LIMIT]:
                    board[STOP] = 1
                if board[STOP]:
                    return zero
                board[NODES] += 1
                child, owner, left, value = step(state, np.int64(i), who, depth)
                again = turn(child) == CHANCE
                made = throws + one if owner == who else zero
                upper = lower = True
                if value == NONE:
                    if left <= 0 or (again and made >= board[CHAIN]) or ply >= MAX_PLY - 2:
                        value = estimate(child, who, weights)
                    elif phase == 0 and again:
                        continue
                    else:
                        # 3. Beyond these values the outcome alone would decide that the throw is outside the window.
                        least, most = np.int64(-1), np.int64(SCALE + 1)
                        if flags & STAR1:
                            most_now = (beta - low) / share + floats[lows + i]
                            least_now = (alpha - high) / share + floats[highs + i]
                            most = np.int64(min(math.ceil(most_now) + 1.0, SCALE + 1.0))
                            least = np.int64(max(math.floor(least_now) - 1.0, -1.0))
                        if phase == 0:
                            # One move tells a lower bound for the one who makes it.
                            if owner == who:
                                least, upper = np.int64(-1), False
                            else:
                                most, lower = np.int64(SCALE + 1), False
                        test = np.int64(phase == 0)
                        if owner == who:
                            value = search(
                                child, who, left, least, most, ply + 1, made, test, board, floats, table, weights
                            )
                        else:
                            value = SCALE - search(
                                child, owner, left, SCALE - most, SCALE - least,
                                ply + 1, zero, test, board, floats, table, weights,
                            )  # fmt: skip
                        if board[STOP]:
                            return zero
                        if value <= least:
                            lower = False
                        if value >= most:
                            upper = False
                # 4. What it changes.
                if lower and value > floats[lows + i]:
                    low += share * (value - floats[lows + i])
                    floats[lows + i] = value
                if upper and value < floats[highs + i]:
                    high += share * (value - floats[highs + i])
                    floats[highs + i] = value
                if flags & STAR1:
                    found, bound = np.int64(NONE), EXACT
                    if math.floor(low) >= beta:
                        found, bound = np.int64(math.floor(low)), AT_LEAST
                    elif math.ceil(high) <= alpha:
                        found, bound = np.int64(math.ceil(high)), AT_MOST
                    if found != NONE:
                        if flags & TABLE:
                            store(table, place, pack(zero, found, depth, bound, board[GENERATION]))
                        return found
        total = 0.0
        for i in range(n):
            total += floats[row + i] * floats[lows + i]
        found = np.int64(np.rint(total))
        if flags & TABLE:
            store(table, place, pack(zero, found, depth, EXACT, board[GENERATION]))
        return found

    # 5. A choice: the moves, best guesses first. Where much hangs on the order, the evaluation helps to guess.
    if ply == 0 and board[BEST] != NONE:
        known = board[BEST]
    first = ROOT + 2 * width * (ply + 1)
    n = moves(state, board[first : first + width])
    _rate_moves(state, who, board, first, n, known, ply == 0 or (depth > 1 and n > 1), weights)
    best, best_move, bar = np.int64(NONE), np.int64(NONE), alpha
    for i in range(one if probing else n):
        _bring_forward(board, first, n, i)
        move = board[first + i]
        if ply == 0 and board[BEST] == NONE:
            board[BEST] = move
        if board[NODES] >= board[NODE_LIMIT]:
            board[STOP] = 1
        if board[STOP]:
            return zero
        board[NODES] += 1
        child, owner, left, value = step(state, move, who, depth)
        if value == NONE:
            enough = owner == who and throws >= board[CHAIN] and turn(child) == CHANCE
            if left <= 0 or enough or ply >= MAX_PLY - 2:
                value = estimate(child, who, weights)
            elif owner == who:
                value = search(
                    child, who, left, bar - 1, beta + 1, ply + 1, throws, zero, board, floats, table, weights
                )
            else:
                value = SCALE - search(
                    child, owner, left, SCALE - beta - 1, SCALE - bar + 1,
                    ply + 1, zero, zero, board, floats, table, weights,
                )  # fmt: skip
            if board[STOP]:
                return zero
        value = fade(value)

        # 6. What it changes.
        if value > best:
            best, best_move = value, move
        if ply == 0:
            value = _note_root(board, move, value)
        if flags & ALPHABETA:
            bar = max(bar, value)
            if bar >= beta:
                break

    # 7. What was found out.
    if flags & TABLE and not probing:
        bound = AT_LEAST if best >= beta else AT_MOST if best <= alpha else EXACT
        store(table, place, pack(best_move, best, depth, bound, board[GENERATION]))
    return best

"""Alpha-beta search for every game of two players without chance.

A value is an integer for the side to move: thousandths of log-odds from the evaluation, or, when the end of the game
was reached, `WON` less the plies to it, so that the faster win and the slower loss are preferred. Where the game's own
`solve` knows the result earlier, the value is a proven one too, by the margin instead of the plies. A player may move
several times in a row: a value changes its sign only when the turn does.

Everything the search writes is in one array, the `board` of its thread (see `make_board`), besides the table that all
threads share: arrays cost time with every call they are passed to.
"""

from __future__ import annotations

import numpy as np

from forgeron.core.arrays import borrowed
from forgeron.core.contract import OVER, UNKNOWN, evaluate, key, moves, play, score, solve, turn
from forgeron.core.jit import compiled, kernel
from forgeron.core.stopwatch import now_ns
from forgeron.kernels.ordering import SLOTS, best_of, slot_of
from forgeron.kernels.table import (
    AT_LEAST,
    AT_MOST,
    EXACT,
    NOTHING,
    bound_of,
    clear_mark,
    depth_of,
    is_marked,
    mark_of,
    move_of,
    pack,
    probe,
    set_mark,
    store,
    value_of,
)

#: The value of a game won at once; beyond `PROVEN` a value is a proven result.
WON = 1_000_000
PROVEN = WON - 1_000
MAX_PLY = 200
# A result that `solve` knows is worth less than an end that was reached, and more the greater its margin.
_SOLVED, _MARGINS = 700, 400
_SURE = 900.0  # no evaluation is surer than this, in log-odds
_ORDERED = 3  # so many moves of the last ply are put in order
#: Not a move; and a number of nodes, or a moment, that no search reaches.
NONE, NEVER = -1, 1 << 62

# Parts of the search that can be switched off, to see what each is worth. All but the last leave the value of a depth
# exactly what trying everything would find; deepening is up to the caller.
PRUNING, DEEPENING, TABLE, KILLERS, HISTORY, SCOUTING, REDUCTIONS = 1, 2, 4, 8, 16, 32, 64
EVERYTHING = 127
#: Besides: other threads search the same, so what one of them is at is left for later.
SHARING = 128
_SHARED_DEPTH = 3  # plies below a move from which on it is worth asking the others

# The board of a thread, from 0: settings and results, then killers, history, and for each ply moves with their order.
# DEADLINE is a moment of `now_ns`: the kernel stops itself. FIRST is the move that the root tries first, or NONE.
STOP, NODES, NODE_LIMIT, DEADLINE, FLAGS, GENERATION, WIDTH, FIRST, BEST, BEST_VALUE, EXCLUDED = range(11)
_EXCLUDED_MOVES = 11
MAX_EXCLUDED = 20
#: The clock is looked at once in so many nodes, a power of two.
_CLOCK_EVERY = 256
_KILLERS = 32
_HISTORY = _KILLERS + 2 * MAX_PLY
_HISTORY_SIZE = SLOTS
_MOST_HISTORY = 1 << 19
_COUNTER = _HISTORY + 2 * _HISTORY_SIZE
_LISTS = _COUNTER + 2 * _HISTORY_SIZE
_ROWS = 3  # for each ply: moves, their ratings, and the places of those left for later


def make_board(width: int) -> np.ndarray:
    """An empty board for a game whose positions have at most `width` moves."""
    board = np.zeros(_LISTS + MAX_PLY * _ROWS * width, dtype=np.int64)
    board[WIDTH] = width
    board[FLAGS] = EVERYTHING
    board[DEADLINE] = board[NODE_LIMIT] = NEVER
    board[FIRST] = NONE
    board[_KILLERS:_HISTORY] = NONE
    board[_COUNTER:_LISTS] = NONE
    return board


def new_search(board: np.ndarray, generation: int, node_limit: int = NEVER) -> None:
    """Make the board ready for another search: killers are forgotten, history fades, the table ages."""
    board[STOP] = board[NODES] = 0
    board[NODE_LIMIT] = node_limit
    board[DEADLINE] = NEVER
    board[GENERATION] = generation % 32
    board[BEST] = board[FIRST] = NONE
    board[_KILLERS:_HISTORY] = NONE
    board[_HISTORY:_COUNTER] //= 8
    exclude(board, ())


def forget(board: np.ndarray) -> None:
    """Clear what earlier searches taught about the order of moves."""
    board[_KILLERS:_HISTORY] = NONE
    board[_HISTORY:_COUNTER] = 0
    board[_COUNTER:_LISTS] = NONE


def exclude(board: np.ndarray, excluded: tuple[int, ...]) -> None:
    """Leave these moves out at the root: so the second best is found."""
    board[EXCLUDED] = min(len(excluded), MAX_EXCLUDED)
    board[_EXCLUDED_MOVES : _EXCLUDED_MOVES + int(board[EXCLUDED])] = excluded[:MAX_EXCLUDED]


@compiled
def final_value(state, mover, ply):
    """The value of a finished game for the player `mover`."""
    result = score(state)
    if result == 0:
        return np.int64(0)
    if solve(state) == result:
        return solved_value(result, mover, ply)  # as it is judged before the end: the margin counts, not the haste
    won = np.int64(WON) - ply
    return won if (result > 0) == (mover == 0) else -won


@compiled
def solved_value(result, mover, ply):
    """The value for the player `mover` of a final score that is known before the end."""
    if result == 0:
        return np.int64(0)
    won = np.int64(WON - _SOLVED) - ply + min(abs(result), np.int64(_MARGINS))
    return won if (result > 0) == (mover == 0) else -won


@compiled
def estimate(state, who, weights):
    """The evaluation as an integer for the player `who`."""
    value = np.int64(1000.0 * min(max(evaluate(state, weights), -_SURE), _SURE))
    return value if who == 0 else -value


@compiled
def _slot(who, move):
    """The place of a move in the tables of history."""
    return slot_of(move) + who * _HISTORY_SIZE


@compiled
def _rate_moves(board, first, n, who, ply, known, before):
    """Give each listed move a number by which the good ones come first."""
    width = board[WIDTH]
    flags = board[FLAGS]
    killer_1, killer_2 = board[_KILLERS + 2 * ply], board[_KILLERS + 2 * ply + 1]
    answer = board[_COUNTER + _slot(1 - who, before)] if before != NONE else np.int64(NONE)
    for i in range(n):
        move = board[first + i]
        rating = np.int64(0)
        if move == known:
            rating = np.int64(1 << 40)
        elif flags & KILLERS and (move == killer_1 or move == killer_2):
            rating = np.int64((1 << 38) + (move == killer_1))
        elif flags & HISTORY:
            rating = board[_HISTORY + _slot(who, move)] + ((1 << 20) if move == answer else 0)
        board[first + width + i] = rating


@compiled
def _bring_forward(board, first, n, i):
    """Swap the best of the moves i … n-1 to place i."""
    width = board[WIDTH]
    best = best_of(board, first + width, i, n)
    if best != i:
        for row in (first, first + width):
            board[row + i], board[row + best] = board[row + best], board[row + i]


@compiled
def _learn_cutoff(board, who, ply, first, i, depth, before):
    """The i-th move refuted the line: try it earlier next time, and those tried in vain before it later."""
    move = board[first + i]
    if board[_KILLERS + 2 * ply] != move:
        board[_KILLERS + 2 * ply + 1] = board[_KILLERS + 2 * ply]
        board[_KILLERS + 2 * ply] = move
    slot = _HISTORY + _slot(who, move)
    board[slot] = min(board[slot] + depth * depth, _MOST_HISTORY)
    for j in range(i):
        slot = _HISTORY + _slot(who, board[first + j])
        board[slot] = max(board[slot] - depth * depth, -_MOST_HISTORY)
    if before != NONE:
        board[_COUNTER + _slot(1 - who, before)] = move


@compiled
def _to_table(value, ply):
    """A proven result counts its plies from the position, in the table; from the root, in the search."""
    return value + ply if value > PROVEN else value - ply if value < -PROVEN else value


@compiled
def _from_table(value, ply):
    return value - ply if value > PROVEN else value + ply if value < -PROVEN else value


@compiled
def _answers(data, depth, alpha, beta, ply, flags):
    """Whether what the table knows about the position makes searching it needless."""
    # A deeper answer is a better one, but not the one of this depth.
    if ply == 0 or depth_of(data) < depth or (depth_of(data) > depth and not flags & REDUCTIONS):
        return False
    value = _from_table(value_of(data), ply)
    bound = bound_of(data)
    return bound == EXACT or (bound == AT_LEAST and value >= beta) or (bound == AT_MOST and value <= alpha)


@compiled
def _is_excluded(board, move):
    return (board[_EXCLUDED_MOVES : _EXCLUDED_MOVES + board[EXCLUDED]] == move).any()


@compiled
def _reduction(i, depth, rating):
    """How many plies less a late, unpromising move is looked at."""
    if i < 3 or depth < 3 or rating >= 1 << 20:
        return np.int64(0)
    return min(np.int64(1 + (i >= 10) + (depth >= 7)), depth - 2)


@kernel
def search(state, depth, alpha, beta, ply, before, board_, table_, weights_):
    """The value of the state for the side to move, exact between alpha and beta, a bound outside.

    The game must not be over, the depth at least 1. `before` is the move that led here, or NONE. At ply 0 the best move
    is left in the board. When the board says STOP the value means nothing, but the best move found so far stays.
    """
    board, table, weights = borrowed(board_), borrowed(table_), borrowed(weights_)
    who = turn(state)
    flags = board[FLAGS]

    # 1. What is known already.
    known = board[FIRST] if ply == 0 else np.int64(NONE)
    place = key(state)
    if flags & TABLE:
        data = probe(table, place)
        if data != NOTHING:
            known = move_of(data) if known == NONE else known
            if _answers(data, depth, alpha, beta, ply, flags):
                return _from_table(value_of(data), ply)

    # 2. The moves, best guesses first.
    width = board[WIDTH]
    first = _LISTS + _ROWS * width * ply
    n = moves(state, board[first : first + width])
    _rate_moves(board, first, n, who, ply, known, before)
    below = depth if n == 1 and ply > 0 else depth - 1  # a forced move costs no depth
    shared = flags & SHARING and below >= _SHARED_DEPTH

    best, best_move, low = np.int64(-WON - 1), np.int64(NONE), alpha
    step = late = np.int64(0)
    while step < n + late:
        i = step if step < n else board[first + 2 * width + step - n]
        if step < n and (below > 0 or i < _ORDERED):  # at the last ply, looking for the best costs more than trying it
            _bring_forward(board, first, n, i)
        step += 1
        move = board[first + i]
        mark = mark_of(place, move) if shared else np.uint64(0)
        if shared and i > 0:
            data = probe(table, place)
            if data != NOTHING and _answers(data, depth, alpha, beta, ply, flags):
                return _from_table(value_of(data), ply)  # another thread was faster
            if step <= n and is_marked(table, mark):  # another thread is at it: look at its answer later
                board[first + 2 * width + late] = i
                late += 1
                continue
        if ply == 0 and board[EXCLUDED] and _is_excluded(board, move):
            continue
        if board[NODES] >= board[NODE_LIMIT] or (
            board[NODES] & (_CLOCK_EVERY - 1) == 0 and now_ns() >= board[DEADLINE]
        ):
            board[STOP] = 1
            return best
        board[NODES] += 1
        child = play(state, move)
        after = turn(child)

        # 3. The value of the move: an end, a leaf, or a search.
        result = np.int64(UNKNOWN) if after == OVER else solve(child)
        if after == OVER:
            value = final_value(child, who, ply + 1)
        elif result != UNKNOWN:
            value = solved_value(result, who, ply + 1)
        elif below <= 0 or ply >= MAX_PLY - 2:
            value = estimate(child, who, weights)
        else:
            scout = flags & SCOUTING and best_move != NONE
            less = _reduction(i, depth, board[first + width + i]) if flags & REDUCTIONS else np.int64(0)
            if shared:
                set_mark(table, mark)
            while True:
                # A later move is first asked only whether it is better, and perhaps less deeply.
                high = low + 1 if scout or less else beta
                if after == who:
                    value = search(child, below - less, low, high, ply + 1, move, board, table, weights)
                else:
                    value = -search(child, below - less, -high, -low, ply + 1, move, board, table, weights)
                if less and value > low:
                    less = np.int64(0)
                elif scout and low < value < beta:
                    scout = np.int64(0)
                else:
                    break
            if shared:
                clear_mark(table, mark)
        if board[STOP]:
            return best

        # 4. What it changes.
        if value > best:
            # What only came nearer to alpha from below is a bound: it does not make a move better than another.
            if ply == 0 and (best_move == NONE or value > alpha):
                board[BEST], board[BEST_VALUE] = move, value
            best, best_move = value, move
        if flags & PRUNING:
            low = max(low, value)
            if low >= beta:
                _learn_cutoff(board, who, ply, first, i, depth, before)
                break

    # 5. What was found out.
    if flags & TABLE and best_move != NONE and not (ply == 0 and board[EXCLUDED]):
        bound = AT_LEAST if best >= beta else AT_MOST if best <= alpha else EXACT
        if bound == AT_MOST and known != NONE:
            best_move = known  # where nothing was good enough, what was once good is the better guess
        store(table, place, pack(best_move, _to_table(best, ply), min(depth, 255), bound, board[GENERATION]))
    return best

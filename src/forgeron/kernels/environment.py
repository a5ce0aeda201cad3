"""Thousands of games side by side, moved on by one call: the environment of reinforcement learning.

Everything is in arrays with a row for each game (`Rows`). A call plays one action in every game, throws what is to be
thrown, begins finished games again, and writes what the players see next.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from forgeron.core.arrays import borrowed, load_state, store_state
from forgeron.core.contract import CHANCE, OVER, action, moves, observe, pick, play, score, throw, turn
from forgeron.core.jit import compiled, kernel
from forgeron.core.rng import below, split, word

#: When a finished game begins again: in the call that ended it, or in the next one, whose action is ignored.
SAME_STEP, NEXT_STEP = 0, 1

#: The bits of a byte as eight bytes.
_SPREAD = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little").view("<u8")[:, 0]
_BYTE, _8 = np.uint64(255), np.uint64(8)


class Rows(NamedTuple):
    """The arrays; row i is game i."""

    states: np.ndarray
    """words of the state"""
    ticks: np.ndarray
    """random words used so far; only ever more, so that a game that begins again is another one"""
    seats: np.ndarray
    """who is to move, and whose view `observations` is"""
    observations: np.ndarray
    """bits of the observation, eight bytes a word"""
    final: np.ndarray
    """the same of the last position, for games that ended in this call, seen by the one who acted"""
    masks: np.ndarray
    """1 for each action that is legal"""
    listed: np.ndarray
    """the legal moves as numbers of the rules, and their actions: [game, 0 or 1, i]"""
    counts: np.ndarray
    """how many of them there are"""
    rewards: np.ndarray
    """of the one who acted: 1 for a win, -1 for a loss, 0 else"""
    ended: np.ndarray
    lengths: np.ndarray
    """actions of the game so far, or of the one that ended in this call"""


@compiled
def _uncounted(rows):
    """The same arrays, whose rows can be taken without counting references."""
    return Rows(
        borrowed(rows.states),
        borrowed(rows.ticks),
        borrowed(rows.seats),
        borrowed(rows.observations),
        borrowed(rows.final),
        borrowed(rows.masks),
        borrowed(rows.listed),
        borrowed(rows.counts),
        borrowed(rows.rewards),
        borrowed(rows.ended),
        borrowed(rows.lengths),
    )


@compiled
def _look(state, seat, row, words):
    """Write what the seat sees, a byte a bit."""
    n = observe(state, seat, words)
    for w in range(n):
        left = words[w]
        for i in range(8):
            row[8 * w + i] = _SPREAD[np.int64(left & _BYTE)]
            left >>= _8


@compiled
def _list_actions(rows, i, state, by_place, out):
    mask, listed = rows.masks[i], rows.listed[i]
    for j in range(rows.counts[i]):
        mask[listed[1, j]] = 0
    n = moves(state, out)
    for j in range(n):
        number = np.int64(j) if by_place else np.int64(action(state, out[j]))
        listed[0, j], listed[1, j] = out[j], number
        mask[number] = 1
    rows.counts[i] = n


@compiled
def _clear_actions(rows, i):
    for j in range(rows.counts[i]):
        rows.masks[i, rows.listed[i, 1, j]] = 0
    rows.counts[i] = 0


@compiled
def _go_on(rows, i, state, stream, alone, out, probs):
    """Throw what is to be thrown and, where the agent plays alone, make the other side's moves at random."""
    who = turn(state)
    # The agent's seat changes from game to game and from one game of a row to the next.
    agent = np.int64(below(word(stream, rows.ticks[i]), 2)) if alone and rows.lengths[i] == 0 else rows.seats[i]
    while who == CHANCE or (alone and who != OVER and who != agent):
        rows.ticks[i] += 1
        bits = word(stream, rows.ticks[i])
        state = play(state, throw(state, bits, probs) if who == CHANCE else pick(state, bits, out))
        who = turn(state)
    rows.seats[i] = agent if alone or who == OVER else who
    return state, who


@compiled
def _begin(rows, i, start, seed, alone, by_place, out, probs, words):
    stream = split(seed, i)
    rows.lengths[i] = 0
    state = start
    while True:
        rows.ticks[i] += 1
        state, who = _go_on(rows, i, start, stream, alone, out, probs)
        if who != OVER:  # dice or the other side alone can end a game: then there is nothing to learn from it
            break
    store_state(state, rows.states[i])
    _look(state, rows.seats[i], rows.observations[i], words)
    _list_actions(rows, i, state, by_place, out)


@kernel
def begin_games(start, rows, first, end, seed, alone, by_place, out, probs, words):
    """Begin the games first … end - 1."""
    for i in range(first, end):
        rows.rewards[i], rows.ended[i] = 0.0, False
        _begin(rows, i, start, seed, alone, by_place, out, probs, words)


@kernel
def find_illegal(rows, actions):
    """The first game whose action is not legal; -1 when all are. Actions of games that have ended do not count."""
    for i in range(len(actions)):
        number = actions[i]
        if rows.counts[i] and (number < 0 or number >= rows.masks.shape[1] or rows.masks[i, number] == 0):
            return i
    return -1


@kernel
def step_games(start, rows, first, end, actions, seed, alone, by_place, reset_mode, out, probs, words):
    """Play an action, which must be legal, in each of the games first … end - 1."""
    rows = _uncounted(rows)
    out, probs, words = borrowed(out), borrowed(probs), borrowed(words)
    for i in range(first, end):
        rows.rewards[i] = 0.0
        if rows.counts[i] == 0:  # it ended in the call before
            rows.ended[i] = False
            _begin(rows, i, start, seed, alone, by_place, out, probs, words)
            continue
        j = 0
        while rows.listed[i, 1, j] != actions[i]:
            j += 1
        actor = rows.seats[i]
        rows.lengths[i] += 1
        state = play(load_state(start, rows.states[i]), np.int64(rows.listed[i, 0, j]))
        state, who = _go_on(rows, i, state, split(seed, i), alone, out, probs)
        rows.ended[i] = who == OVER
        if who != OVER:
            store_state(state, rows.states[i])
            _look(state, rows.seats[i], rows.observations[i], words)
            _list_actions(rows, i, state, by_place, out)
            continue
        result = score(state)
        sign = np.int64(result > 0) - np.int64(result < 0)
        rows.rewards[i] = sign if actor == 0 else -sign
        if reset_mode == SAME_STEP:
            _look(state, np.int64(actor), rows.final[i], words)
            _begin(rows, i, start, seed, alone, by_place, out, probs, words)
        else:
            store_state(state, rows.states[i])
            _look(state, np.int64(actor), rows.observations[i], words)
            _clear_actions(rows, i)


@kernel
def draw_actions(rows, seed, number, actions):
    """A legal action of every game, each as likely as the others; 0 where a game has ended."""
    stream = split(seed, number)
    for i in range(len(actions)):
        n = rows.counts[i]
        actions[i] = rows.listed[i, 1, np.int64(below(word(stream, i + 1), n))] if n else 0

"""From games to training data: the active features of their positions."""

from __future__ import annotations

import numpy as np

from forgeron.core.contract import OVER, active, image, key, moves, phase, play, turn
from forgeron.core.jit import compiled, kernel
from forgeron.core.rng import below, split, word


@compiled
def _is_listed(move, n, out):
    for i in range(n):
        if out[i] == move:
            return True
    return False


@kernel
def hash_line(state, line, keys, out):
    """The key of every position before a move of `line`; the number of moves up to the first illegal one."""
    for ply in range(len(line)):
        if turn(state) == OVER or not _is_listed(line[ply], moves(state, out), out):
            return np.int64(ply)
        keys[ply] = key(state)
        state = play(state, np.int64(line[ply]))
    return np.int64(len(line))


@kernel
def encode_games(start, games, firsts, line, wanted, images, stream, most, indices, ends, rows, phases, seats):
    """List the active features of the wanted positions of some games, as the side to move sees them.

    Game g has the plies firsts[g] … firsts[g + 1] - 1 of `line` and `wanted`. Position number i has the features
    indices[ends[i - 1]:ends[i]], is ply rows[i] of `line`, in phase phases[i], with seats[i] to move. Each is seen
    through one of `images` symmetries, drawn for it from the stream. Return how many positions were listed,
    or -1 when one has more than `most` features; `indices` has room for many more than that behind the last position.
    """
    n = np.int64(0)
    end = np.int64(0)
    for game in games:
        state = start
        for ply in range(firsts[game], firsts[game + 1]):
            if wanted[ply]:
                seen = image(state, np.int64(below(word(split(stream, game), ply + 1), images)))
                seat = np.int64(turn(state) == 1)
                count = np.int64(active(seen, seat, indices[end:]))
                if count > most:
                    return np.int64(-1)
                end += count
                ends[n], rows[n], phases[n], seats[n] = end, ply, phase(seen), seat
                n += 1
            state = play(state, np.int64(line[ply]))
    return n

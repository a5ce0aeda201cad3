"""Playouts: random games to the end, one or very many."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from forgeron.core.contract import CHANCE, MAX_PLIES, OVER, pick, play, score, throw, turn
from forgeron.core.errors import EndlessGameError, OptionError
from forgeron.core.jit import inlined, kernel
from forgeron.core.rng import split, word
from forgeron.kernels.mcts_workspace import record_played

#: What is said of a random game that does not end.
ENDLESS = f"a random game has not ended after {MAX_PLIES:,} plies, and no game may last longer"


class PlayoutTally(NamedTuple):
    """What a number of random games came to, seen from player 0."""

    wins: int
    draws: int
    losses: int
    margin: int
    """sum of the final scores"""
    plies: int

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses


@inlined
def playout(state, stream, out, probs, ws):
    """Play random moves to the end; return the final score for player 0 and the number of plies.

    `out` and `probs` are scratch space. The moves of both players are recorded in `ws`, the workspace of a tree search;
    None: they are not.
    """
    plies = 0
    player = turn(state)
    while player != OVER:
        plies += 1
        if plies > MAX_PLIES:
            raise EndlessGameError(ENDLESS)
        bits = word(stream, plies)
        move = throw(state, bits, probs) if player == CHANCE else pick(state, bits, out)
        if ws is not None and player != CHANCE:
            record_played(ws, player, move)
        state = play(state, move)
        player = turn(state)
    return score(state), plies


@kernel
def random_games(state, seed, first, count, out, probs):
    """Play the games numbered first … first + count - 1 of `seed`; game i is the same whoever plays it."""
    wins = draws = losses = margin = plies = 0
    for game in range(first, first + count):
        result, length = playout(state, split(seed, game), out, probs, None)
        plies += length
        margin += result
        if result > 0:
            wins += 1
        elif result < 0:
            losses += 1
        else:
            draws += 1
    return wins, draws, losses, margin, plies


def play_many(position: Any, *, seed: int, games: int, threads: int = 1) -> PlayoutTally:
    """Random games from a position: the same tally for any number of threads."""
    if threads < 1 or not 0 <= seed < 2**64:
        raise OptionError(f"threads are 1 or more and a seed is 0 … 2⁶⁴ - 1, not {threads} and {seed}")
    each, rest = divmod(games, threads)
    counts = [each + (i < rest) for i in range(threads)]
    firsts = [sum(counts[:i]) for i in range(threads)]
    room = position.game.max_moves

    def run(first: int, count: int) -> tuple[int, ...]:
        out, probs = np.empty(room, dtype=np.int64), np.empty(room)
        parts: tuple[int, ...] = random_games(position.state, np.uint64(seed), first, count, out, probs)
        return parts

    if threads == 1:
        return PlayoutTally(*(int(part) for part in run(0, games)))
    with ThreadPoolExecutor(threads) as pool:
        tallies = list(pool.map(run, firsts, counts))
    return PlayoutTally(*(int(sum(parts)) for parts in zip(*tallies, strict=True)))

"""A random game as positions, the same in every run and on every machine."""

from __future__ import annotations

import numpy as np

from forgeron.core.contract import MAX_PLIES
from forgeron.core.errors import EndlessGameError
from forgeron.core.game import Game
from forgeron.core.position import Position
from forgeron.core.rng import below, split, word


def random_game(game: Game, seed: int, number: int) -> list[Position]:
    """All positions of random game `number` of a seed, the first and the last included.

    Each legal move has the same probability, and so has each outcome of a throw: for samples of positions, not for
    results.
    """
    line = [game.start()]
    with np.errstate(over="ignore"):
        stream = split(np.uint64(seed), number)
        while line[-1].turn is not None:
            if len(line) > MAX_PLIES:
                raise EndlessGameError(f"a random game of {game.name} has not ended after {MAX_PLIES:,} plies")
            moves = line[-1].moves
            line.append(line[-1].push(moves[int(below(word(stream, len(line)), len(moves)))]))
    return line

"""Chance outcomes in Python: drawing them from a seed, skipping them, and random moves."""

from __future__ import annotations

import random

import numpy as np

from forgeron.core.position import Position
from forgeron.core.rng import split, unit, word


def throw(position: Position, seed: int, number: int) -> Position:
    """The position after throw `number` (1, 2, …) of the player who throws here, in a game with this seed.

    Each seat has a stream of its own: a player sees the same throws whatever the opponent does, and in the mirrored
    game of a pair.
    """
    seat = position.game.thrower(position.state)
    with np.errstate(over="ignore"):
        left = float(unit(word(split(np.uint64(seed % 2**64), seat), number)))
    chances = position.chances()
    for outcome, chance in enumerate(chances):
        left -= chance
        if left < 0:
            return position.push(position.moves[outcome])
    return position.push(position.moves[len(chances) - 1])


def next_decision(position: Position) -> Position:
    """The position itself or, where dice are to be thrown, one after throws: the first outcome there is, then the
    second one, and so on, because in some games one outcome for ever leads to no decision."""
    number = 0
    while position.turn == "chance":
        position = position.push(position.moves[number % len(position.moves)])
        number += 1
    return position


def random_move(position: Position, rng: random.Random) -> int:
    """The number of a random move: a throw by its probabilities, any legal move with the same probability."""
    if position.turn == "chance":
        return rng.choices(position.moves, position.chances())[0]
    return rng.choice(position.moves)

"""The captures that a network of Mancala sees are those that the rules make."""

from __future__ import annotations

import random

import numpy as np
import pytest

import forgeron
from forgeron.core.jit import kernel
from forgeron.games.mancala.captures import captures
from forgeron.games.mancala.rules import alternates


@kernel
def compiled_captures(mine, theirs, alternate, seat):
    return captures(mine, theirs, alternate, seat)


@pytest.mark.parametrize("preset", ["report", "course"])
def test_captures_are_those_of_playing_every_move(preset: str) -> None:
    game = forgeron.game("mancala", preset=preset)
    capturing = 0
    for seed in range(12):
        rng = random.Random(seed)
        position = game.start()
        while position.turn is not None:
            state, seat = position.state, np.uint64(position.turn)
            after = [position.push(move) for move in position.moves]
            won = [one.scores[int(seat)] - position.scores[int(seat)] for one in after]
            if all(sum(one.scores) < 96 for one in after):  # starving takes what no chain does
                mine = (state.my_red, state.my_blue, state.my_clear)
                theirs = (state.their_red, state.their_blue, state.their_clear)
                found = compiled_captures(mine, theirs, alternates(state.info), seat)
                assert tuple(map(int, found)) == (sum(one > 0 for one in won), max(won))
                capturing += max(won) > 0
            position = rng.choice(after)
    assert capturing > 200

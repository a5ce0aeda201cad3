"""Mancala's certain endings against trying everything."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest

import forgeron
from forgeron.core.contract import OVER, UNKNOWN, moves, play, score, solve, turn
from forgeron.core.jit import kernel
from forgeron.games.mancala.rules import MAX_MOVES, State, ply_of

PRESETS = ("report", "course")


@kernel
def try_everything(state, depth, rows):
    """The score that best play reaches within so many plies, or UNKNOWN: no pruning, no table, no evaluation.

    A player who can win wins; a margin of UNKNOWN is what neither a win nor a loss could be shown for.
    """
    who = turn(state)
    if who == OVER:
        return score(state)
    if depth == 0:
        return UNKNOWN
    best, open_end = np.int64(-1000), False
    for i in range(moves(state, rows[depth])):
        value = try_everything(play(state, rows[depth, i]), depth - 1, rows)
        if value == UNKNOWN:
            open_end = True
        else:
            best = max(best, value if who == 0 else -value)
    if open_end and best <= 0:
        return UNKNOWN
    return best if who == 0 else -best


@kernel
def known(state):
    return solve(state)


def sign(value: int) -> int:
    return (value > 0) - (value < 0)


def truth(state: State, depth: int) -> int:
    rows = np.empty((depth + 1, MAX_MOVES), dtype=np.int64)
    return int(try_everything(state, np.int64(depth), rows))


@cache
def late_positions(preset: str, plies: int = 400) -> list[State]:
    """Positions from random games, from fifty captured seeds to the end."""
    game = forgeron.game("mancala", preset=preset, plies=plies)
    found = []
    for seed in range(120):
        rng, here = random.Random(seed), game.start()
        while here.turn is not None:
            if sum(here.scores) >= 50:
                found.append(here.state)
            here = here.play(rng.choice(here.legal_moves()))
    return found


@pytest.mark.parametrize("preset", PRESETS)
def test_what_is_known_is_what_trying_everything_finds(preset: str) -> None:
    wins = losses = 0
    for state in late_positions(preset):
        margin = int(known(state))
        if margin != UNKNOWN:
            best = truth(state, 2)
            assert best != UNKNOWN
            assert sign(margin) == sign(best) != 0
            assert abs(margin) <= abs(best)  # a margin that is certain, perhaps not the greatest
            mover = turn(state)
            wins, losses = wins + (sign(margin) == 1 - 2 * mover), losses + (sign(margin) == 2 * mover - 1)
    assert wins > 200
    assert losses > 20


@pytest.mark.parametrize("preset", PRESETS)
def test_with_ten_to_thirteen_seeds_and_a_small_lead_every_win_in_one_move_is_known(preset: str) -> None:
    decided = 0
    for state in late_positions(preset):
        left = sum(int(word) >> 8 * i & 255 for word in state[:6] for i in range(8))
        if left <= 13 and abs(score(state)) <= 4:
            best = truth(state, 1)
            if best not in (UNKNOWN, 0):
                decided += 1
                assert sign(int(known(state))) == sign(best)
    assert decided > 10


@pytest.mark.parametrize("preset", PRESETS)
def test_what_is_known_before_the_last_plies_holds_to_the_very_end(preset: str) -> None:
    # With a limit at hand everything can be tried to the end of the game: no horizon, no UNKNOWN.
    checked = 0
    for plies in (50, 60, 70, 80):
        for state in late_positions(preset, plies):
            margin = int(known(state))
            plies_left = plies - int(ply_of(state.info))
            if margin != UNKNOWN and plies_left <= 3:
                best = truth(state, plies_left)
                assert best != UNKNOWN
                assert sign(margin) == sign(best)
                checked += 1
    assert checked > 10


def test_a_game_that_no_single_move_decides_is_not_known() -> None:
    game = forgeron.game("mancala")
    assert known(game.start().state) == UNKNOWN
    # 48 : 38 with ten seeds left looks won, and is not: whoever takes all ten has a draw.
    here = game.parse("1b/-/-/-/-/-/-/1r/4b/4b/-/-/-/-/-/-:2:48:38:91")
    assert known(here.state) == UNKNOWN


def test_the_only_seed_of_the_other_side_taken_is_a_win_that_is_known() -> None:
    # 8R makes hole 9 two, takes them, and nothing is left to the second player: starving, 24 seeds.
    game = forgeron.game("mancala")
    here = game.parse("5b/6b/6b/5b/-/-/-/1r/1b/-/-/-/-/-/-/-:1:30:42:90")
    assert known(here.state) == 30 + 24 - 42
    assert here.play("8R").score == 12

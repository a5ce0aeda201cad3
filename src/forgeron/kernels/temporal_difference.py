"""Learning by temporal differences while playing against oneself: TD(λ) for games with chance.

Before every turn the value of the position is backed up: the expectation over all throws of the best way to use them,
the turns after it being valued by the network itself, or by a table of exact values. Then a throw is made, and the best
moves are played. At the end of the game each turn start learns its λ-return: (1 - λ) of what was backed up and λ of the
return of the next turn, the last of which is the result. Both players are one network, which sees the position as the
player on turn does. What comes in the middle of a turn, a throw or a choice, learns its own backed-up value.
"""

from __future__ import annotations

import numpy as np

from forgeron.core.contract import CHANCE, OVER, active, moves, phase, pick, play, player_on_turn, throw, turn, unrank
from forgeron.core.jit import compiled, kernel
from forgeron.core.network_file import MOST_ACTIVE
from forgeron.core.rng import below, split, unit, word
from forgeron.kernels.trainable_network import learn
from forgeron.kernels.turn_value import result_value, start_value, turn_value

#: Positions of a game that are learnt from; a longer game is broken off and taught by its last value.
MOST_POSITIONS = 2_000


class Trail:
    """Room for the positions of a game."""

    def __init__(self) -> None:
        self.features = np.zeros((MOST_POSITIONS, MOST_ACTIVE), dtype=np.int32)
        self.counts = np.zeros((MOST_POSITIONS, 4), dtype=np.int64)
        """of each position: how many features it has, its phase, who is on turn, and whether the turn begins here"""
        self.values = np.zeros(MOST_POSITIONS)

    @property
    def arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return self.features, self.counts, self.values


@compiled
def _note(state, player, value, begins, length, features, counts, values):
    """Add a position to the trail."""
    counts[length, 0] = active(state, player, features[length])
    counts[length, 1] = phase(state)
    counts[length, 2] = player
    counts[length, 3] = begins
    values[length] = value


@compiled
def _best_move(state, player, throws, stamp, keys, values, lists, odds, table, parameters, out):
    """The move with the greatest value; all of them were valued when the turn was backed up, or are now."""
    n = moves(state, out)
    best, chosen = -1.0, out[0]
    for i in range(n):
        child = play(state, out[i])
        child_turn = turn(child)
        if child_turn == OVER:
            value = result_value(child, player)
        else:
            owner = player_on_turn(child, child_turn, player)
            if owner != player:
                value = 1.0 - start_value(child, owner, table, parameters)
            else:
                value = turn_value(
                    child, player, throws, np.int64(1), stamp, keys, values, lists, odds, table, parameters
                )
        if value > best:
            best, chosen = value, out[i]
    return chosen


@compiled
def _turned(value, player):
    """A probability for player 0 from the one for `player`, and the other way round."""
    return value if player == 0 else 1.0 - value


@compiled
def _learn_trail(length, final, share, rate, features, counts, values, parameters, squares):
    """Teach every position of a game that ended with `final`, a probability for player 0; the sum of squared errors of
    the turn starts against what was backed up, and how many there were."""
    follows = final
    total, starts = 0.0, np.int64(0)
    for i in range(length - 1, -1, -1):
        player = counts[i, 2]
        target = values[i]
        if counts[i, 3]:
            follows = (1.0 - share) * _turned(target, player) + share * follows
            target = _turned(follows, player)
        error = learn(parameters, squares, features[i], counts[i, 0], counts[i, 1], target, rate)
        if counts[i, 3]:
            total += (error + target - values[i]) ** 2
            starts += 1
    return total, starts


@kernel
def play_and_learn(
    start, stream, games, share, rate, opening_plies, drills, throws, stamp,
    keys, memo, lists, odds, table, parameters, squares, features, counts, values, out,
):  # fmt: skip
    """Play so many games and learn from each; the sum of squared errors of the turn starts, their number, next stamp.

    Every second game begins with up to `opening_plies` random plies. After each game `drills` random entries of the
    table are learnt.
    """
    total, starts = 0.0, np.int64(0)
    for number in range(games):
        game = split(stream, number)
        state = start
        random_plies = np.int64(below(word(game, 1), opening_plies + 1)) if number % 2 else np.int64(0)
        count, length, last = np.uint64(2), np.int64(0), np.int64(-1)
        left = throws
        while turn(state) != OVER and length < MOST_POSITIONS:
            who = turn(state)
            bits = word(game, count)
            count += np.uint64(1)
            if random_plies > 0:
                random_plies -= 1
                state = play(state, throw(state, bits, odds[0]) if who == CHANCE else pick(state, bits, out))
                continue
            player = np.int64(player_on_turn(state, who, np.int64(0)))
            begins = player != last
            if begins:
                stamp += 1
                left = throws
                last = player
            value = turn_value(state, player, left, np.int64(0), stamp, keys, memo, lists, odds, table, parameters)
            _note(state, player, value, begins, length, features, counts, values)
            length += 1
            if who == CHANCE:
                state = play(state, throw(state, bits, odds[0]))
                left = max(left - 1, 1)
            else:
                state = play(
                    state,
                    _best_move(state, player, left, stamp, keys, memo, lists, odds, table, parameters, out),
                )
        if length == 0:
            continue
        if turn(state) == OVER:
            final = result_value(state, np.int64(0))
        else:
            final = _turned(values[length - 1], counts[length - 1, 2])
        more, found = _learn_trail(length, final, share, rate, features, counts, values, parameters, squares)
        total += more
        starts += found
        for drill in range(drills):
            index = np.int64(unit(word(split(game, 7), drill + 1)) * len(table))
            state = unrank(start, index)
            if turn(state) != OVER:
                player = np.int64(player_on_turn(state, turn(state), np.int64(0)))
                _note(state, player, 0.0, 0, 0, features, counts, values)
                learn(parameters, squares, features[0], counts[0, 0], counts[0, 1], np.float64(table[index]), rate)
    return total, starts, stamp

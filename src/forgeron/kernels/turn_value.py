"""What a turn is worth in a game with chance: every throw by its probability, every way of using it, to its end.

The value of the position in which the other player's turn begins comes from a table of exact values, where it has one
(`rank`), or from an evaluation. Throws may bring each other without end: after so many, outcomes that bring another
throw are left out and the others scaled up.

A value is the probability that the player on turn wins. The memo holds what is known in this turn: `memo_keys` and
`memo_values` have the same length, a power of two, and a new `stamp` for each turn makes them as good as empty.
"""

from __future__ import annotations

import numpy as np

from forgeron.core.arrays import borrowed
from forgeron.core.contract import CHANCE, OVER, chance, key, moves, play, player_on_turn, rank, score, turn
from forgeron.core.jit import inlined, kernel
from forgeron.core.odds import probability_of
from forgeron.kernels.network import static_evaluation

#: Plies of a turn that are looked at, throws included; nobody's turn is longer.
MOST_PLIES = 40
_LEFT_KEY, _STAMP_KEY = np.uint64(0x9E37_79B9_7F4A_7C15), np.uint64(0xD1B5_4A32_D192_ED03)


class TurnMemory:
    """What `turn_value` writes to."""

    def __init__(self, max_moves: int, memo_bits: int = 14) -> None:
        self.keys = np.zeros(1 << memo_bits, dtype=np.uint64)
        self.values = np.zeros(1 << memo_bits)
        self.lists = np.zeros((MOST_PLIES + 1, max_moves), dtype=np.int64)
        self.odds = np.zeros((MOST_PLIES + 1, max_moves))

    @property
    def arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        return self.keys, self.values, self.lists, self.odds


@inlined
def result_value(state, player):
    """1 where the player has won the game that is over, 0 where it has lost, 0.5 for a draw."""
    final = score(state)
    return 0.5 if final == 0 else 1.0 if (final > 0) == (player == 0) else 0.0


@inlined
def start_value(state, player, table, evaluation):
    """The value for `player` of a position in which its turn begins."""
    index = rank(state)
    if index < len(table):
        return np.float64(table[index])
    value = probability_of(static_evaluation(state, evaluation))
    return value if player == 0 else 1.0 - value


@kernel
def turn_value(state, player, throws, ply, stamp, keys_, values_, lists_, odds_, table_, evaluation_):
    """The value for `player`, who is on turn, of a position that is not over; so many throws are looked at."""
    keys, values, lists, odds = borrowed(keys_), borrowed(values_), borrowed(lists_), borrowed(odds_)
    table, evaluation = borrowed(table_), borrowed(evaluation_)
    who = turn(state)
    mark = key(state) + np.uint64(throws) * _LEFT_KEY + np.uint64(stamp) * _STAMP_KEY
    place = np.int64((mark ^ (mark >> np.uint64(31))) & np.uint64(len(keys) - 1))
    if keys[place] == mark:
        return values[place]
    is_chance = who == CHANCE
    n = chance(state, odds[ply]) if is_chance else moves(state, lists[ply])
    best, total, weight = 0.0, 0.0, 0.0
    for i in range(n):
        child = play(state, np.int64(i) if is_chance else lists[ply, i])
        child_turn = turn(child)
        if child_turn == OVER:
            value = result_value(child, player)
        else:
            owner = player_on_turn(child, child_turn, player)
            if owner != player:
                value = 1.0 - start_value(child, owner, table, evaluation)
            elif is_chance and child_turn == CHANCE and throws <= 1:
                continue
            elif ply >= MOST_PLIES:
                value = 0.5
            else:
                left = max(throws - 1, 1) if is_chance else throws
                value = turn_value(child, player, left, ply + 1, stamp, keys, values, lists, odds, table, evaluation)
        if is_chance:
            total += odds[ply, i] * value
            weight += odds[ply, i]
        elif value > best:
            best = value
    if is_chance:
        best = total / weight if weight > 0.0 else 0.5
    keys[place], values[place] = mark, best
    return best

"""Self-play of any player, or program that speaks the native protocol, as training data.

A game is written down as `forgeron.kernels.selfplay` does it: a random opening, a value for every position after it,
now and then a random move, and an end where the player has proven the result.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from forgeron.arena.entrant import Entrant
from forgeron.arena.process_player import ProcessPlayer
from forgeron.core.game import Game
from forgeron.core.position import Position
from forgeron.core.rng import below, split, unit, word
from forgeron.kernels.alphabeta import WIN
from forgeron.kernels.selfplay import JUDGED, LABELLED, PROVED, RANDOM
from forgeron.players.base import Choice, Limit

#: A player may be surer of a win or a loss than this, but what it has not proven is not taken to be certain.
_SUREST = 1e-9


class PlayerGames:
    """A player that plays against itself, until it is closed."""

    def __init__(self, game: Game, player: Mapping[str, Any], nodes: int, seed: int) -> None:
        self._game = game
        self._player = Entrant.from_data(player).open_player(game, seed=seed)
        self._limit = Limit(nodes=nodes)

    def play(
        self, stream: np.uint64, opening_plies: int, random_share: float, most: int
    ) -> tuple[int, int, list[np.ndarray]]:
        """The game of a random stream, `most` plies of it: its result for player 0, the nodes that were searched, and
        its moves, values and flags."""
        position, nodes = self._game.start(), 0
        plies: list[tuple[int, int, int]] = []
        result: int | None = None
        while position.outcome is None and result is None and len(plies) < most:
            value, flags = 0, 0
            move, drawn = _drawn(position, stream, len(plies) + 1)
            if len(plies) >= opening_plies:
                choice = self._player.analyse(position, self._limit)
                nodes += choice.nodes
                value, flags = _judgement(choice)
                if flags & PROVED:
                    result = 1 if (value > 0) == (position.turn == 0) else -1
            if len(plies) < opening_plies or (result is None and drawn < random_share):
                flags |= RANDOM
            else:
                move = self._game.parse_turn(position.state, choice.move)[0]
            plies.append((move, value, flags))
            position = position.push(move)
        if result is None:
            winner = None if position.outcome is None else position.outcome.winner
            result = 0 if winner is None else 1 - 2 * winner
        return result, nodes, list(np.array(plies, dtype=np.int64).reshape(-1, 3).T)

    def close(self) -> None:
        """End it, if it is a program."""
        if isinstance(self._player, ProcessPlayer):
            self._player.close()


def _drawn(position: Position, stream: np.uint64, ply: int) -> tuple[int, float]:
    """A random move, and a number from 0 to 1 that says whether it is made."""
    with np.errstate(over="ignore"):
        move = position.moves[int(below(word(split(stream, 0), ply), len(position.moves)))]
        return move, float(unit(word(stream, ply)))


def _judgement(choice: Choice) -> tuple[int, int]:
    """The value and the flags of a position in which this was chosen."""
    if choice.proven and choice.value != 0.5:
        return (WIN if choice.value > 0.5 else -WIN), JUDGED | PROVED
    if choice.nodes == 0 and choice.value == 0.5:
        return 0, LABELLED  # it judges nothing, as `random` does: the result counts
    probability = min(max(choice.value, _SUREST), 1 - _SUREST)
    return round(1000 * math.log(probability / (1 - probability))), JUDGED

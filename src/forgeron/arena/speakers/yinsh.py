"""Our players in the YINSH course: the first line tells player, N, seconds and K, then a line in and a line out."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from typing import Any, TextIO

from forgeron.core.errors import ForgeronError
from forgeron.core.game import Game
from forgeron.core.position import Position
from forgeron.players.base import Limit, Player

#: What is kept back of the time for the game, and the part of what is left that one ply may take.
RESERVE = 0.05
SHARE = 1 / 30


class Speaker:
    """One game. `find_player` makes the player once the first line has told the size of the board."""

    def __init__(self, game: Game, find_player: Callable[[Game], Player], out: TextIO, limit: Limit | None = None):
        self._game = game
        self._find_player = find_player
        self._out = out
        self._limit = limit
        self._left = 0.0

    def run(self, lines: Iterable[str]) -> None:
        try:
            self._play(line for line in lines if line.strip())
        except (ForgeronError, ValueError) as error:
            print(f"forgeron: {error}", file=sys.stderr, flush=True)

    def _play(self, lines: Iterable[str]) -> None:
        each = iter(lines)
        first = next(each, None)
        if first is None:
            return
        started = time.monotonic()
        seat = self._read_first(first)
        player = self._find_player(self._game)
        position = self._game.start()
        self._left -= time.monotonic() - started
        while True:
            if seat == 1:
                line = next(each, None)
                if line is None:
                    return
                position = position.play(line.strip())
            if position.turn is None:
                return
            position = self._turn(player, position)
            seat = 1  # from now on the opponent's turn comes first

    def _read_first(self, line: str) -> int:
        """Take the board and the time from the first line; the seat."""
        words = line.split()
        if len(words) != 4 or words[0] not in ("1", "2"):
            raise ValueError(f"the first line is '<player 1|2> <N> <seconds> <K>', not '{line.strip()}'")
        chosen: dict[str, Any] = {**self._game.chosen, "N": words[1], "K": words[3]}
        self._game = type(self._game)(**chosen)
        self._left = float(words[2]) * (1 - RESERVE)
        return int(words[0]) - 1

    def _turn(self, player: Player, position: Position) -> Position:
        """Choose ply by ply until the turn is the opponent's, and say it in one line."""
        started = time.monotonic()
        mover, moves = position.turn, []
        while position.turn == mover:
            limit = self._limit or Limit(seconds=max(self._left * SHARE, 0.001))
            token = player.choose(position, limit).move
            moves.append(self._game.parse_move(position.state, token))
            position = position.play(token)
        print(self._game.format_turn(moves, "course"), file=self._out, flush=True)  # type: ignore[attr-defined]
        self._left -= time.monotonic() - started
        return position

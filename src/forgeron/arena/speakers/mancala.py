"""Our players in the Mancala course: `START` or the opponent's move in, a move or RESULT out."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TextIO

from forgeron.core.errors import ForgeronError
from forgeron.core.position import Position
from forgeron.players.base import Limit, Player

#: The course allows its bots two seconds for a move; this leaves something for the way.
SECONDS = 1.8


def speak(player: Player, limit: Limit, lines: Iterable[str], out: TextIO) -> None:
    """Play one game. As in the course, a move that ends it is sent, and answered, as `RESULT move score score`."""
    position = player.game.start()
    for line in lines:
        words = line.split()
        if not words:
            continue
        if words[0].upper() == "RESULT":
            return
        try:
            if words[0].upper() != "START":
                position = position.play(words[0])
            token = words[0]
            if position.turn is not None:
                token = player.choose(position, limit).move
                position = position.play(token)
        except ForgeronError as error:
            print(f"forgeron: {error}", file=sys.stderr, flush=True)
            return
        over = position.turn is None
        print(f"RESULT {_ending(position, token)}" if over else token, file=out, flush=True)
        if over:
            return


def _ending(position: Position, token: str) -> str:
    first, second = position.scores
    return f"{token} {first} {second}"

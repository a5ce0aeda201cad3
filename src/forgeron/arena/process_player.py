"""A program used as a player: asked for a hint, or to evaluate a position."""

from __future__ import annotations

from forgeron.arena.entrant import Entrant
from forgeron.bots.clock import Clocks, TimeControl
from forgeron.bots.contestant import MoveRequest
from forgeron.bots.faults import BotFault
from forgeron.core.errors import ForgeronError, OptionError
from forgeron.core.game import Game
from forgeron.core.position import Position, Seat
from forgeron.players.base import Choice, Player, Search


class ProcessPlayer(Player):
    """A program of somebody else's as a player; a fault of it is a ForgeronError that says what it did."""

    name = "process"
    summary = "a program that speaks the native protocol"

    def __init__(self, game: Game, entrant: Entrant, *, seed: int = 0) -> None:
        if entrant.protocol != "native":
            raise OptionError("only the native protocol can be asked about any position")
        self._contestant = entrant.enter(game)
        self._title = entrant.name
        super().__init__(game, seed=seed)
        try:
            self._contestant.open(game, 0, Clocks(TimeControl(move_seconds=1.0)), seed)
        except BotFault as fault:
            raise ForgeronError(f"{self._title} does not start: {fault.detail}") from None

    def think(self, position: Position, search: Search) -> Choice:
        limit = search.limit
        if limit.seconds is None and limit.nodes is None:
            raise OptionError("a program thinks for a time or a number of nodes")
        control = TimeControl(move_nodes=limit.nodes) if limit.nodes else TimeControl(move_seconds=limit.seconds)
        seat: Seat = 1 if position.turn == 1 else 0
        try:
            answer = self._contestant.choose(MoveRequest(position, position, False, (), "", seat, Clocks(control)))
        except BotFault as fault:
            raise ForgeronError(f"{self._title}: {fault.detail}") from None
        position.play(answer.text)  # refuses what is not legal
        line = answer.line if answer.line[:1] == (answer.text,) else (answer.text,)
        value = 0.5 if answer.value is None else answer.value
        return Choice(answer.text, value, line, answer.depth or 0, answer.nodes or 0, answer.seconds)

    def close(self) -> None:
        """End the program."""
        self._contestant.close()

"""Across the table: a program where a player is expected, and a person where a contestant is."""

from __future__ import annotations

import time
from collections.abc import Callable

from forgeron.arena.clock import Clocks, TimeControl
from forgeron.arena.contestant import Answer, Contestant, Request
from forgeron.arena.entrant import Entrant
from forgeron.arena.faults import BotFault
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
            answer = self._contestant.choose(Request(position, position, False, (), "", seat, Clocks(control)))
        except BotFault as fault:
            raise ForgeronError(f"{self._title}: {fault.detail}") from None
        position.play(answer.text)  # refuses what is not legal
        line = answer.line if answer.line[:1] == (answer.text,) else (answer.text,)
        value = 0.5 if answer.value is None else answer.value
        return Choice(answer.text, value, line, answer.depth or 0, answer.nodes or 0, answer.seconds)

    def close(self) -> None:
        """End the program."""
        self._contestant.close()


class Human(Contestant):
    """A person; `ask` shows the position and returns what was written: a move, or "resign"."""

    def __init__(self, name: str, ask: Callable[[Request], str]) -> None:
        self.name = name
        self._ask = ask

    def open(self, game: Game, seat: Seat, clocks: Clocks, seed: int) -> None:
        """A person is always ready."""

    def choose(self, request: Request) -> Answer:
        """Ask until the text is a legal move: a slip of the hand loses no game, thinking too long does."""
        started = time.monotonic()
        while True:
            text = self._ask(request).strip()
            try:
                if text != "resign":
                    request.position.play(text)
                return Answer(text, time.monotonic() - started)
            except ForgeronError:
                continue

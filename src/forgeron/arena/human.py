"""A person as a contestant."""

from __future__ import annotations

import time
from collections.abc import Callable

from forgeron.bots.clock import Clocks
from forgeron.bots.contestant import RESIGN, Answer, Contestant, MoveRequest
from forgeron.core.errors import ForgeronError
from forgeron.core.game import Game
from forgeron.core.position import Seat


class Human(Contestant):
    """A person, who is always ready.

    Without `ask` the referee waits: `Referee.awaited` names the seat, and what the person does comes through
    `Referee.submit`. With it the referee asks by itself: `ask` shows the position of a request and returns what was
    written, a move or "resign".
    """

    def __init__(self, name: str, ask: Callable[[MoveRequest], str] | None = None, *, timed: bool = True) -> None:
        self.name = name
        self.timed = timed
        self._ask = ask

    @property
    def is_awaited(self) -> bool:
        """Whether its moves come through `Referee.submit`."""
        return self._ask is None

    def open(self, game: Game, seat: Seat, clocks: Clocks, seed: int) -> None:
        """Nothing to do."""

    def choose(self, request: MoveRequest) -> Answer:
        """Ask until the text is a legal move: a slip of the hand loses no game, thinking too long does."""
        assert self._ask is not None, "the referee waits for such a person"
        started = time.monotonic()
        while True:
            text = self._ask(request).strip()
            try:
                if text != RESIGN:
                    request.position.play(text)
                return Answer(text, time.monotonic() - started)
            except ForgeronError:
                continue

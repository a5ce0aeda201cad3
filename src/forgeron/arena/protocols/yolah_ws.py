"""Yolah over a websocket, as the author's server speaks it: JSON messages, and the bot connects to the referee.

The command is started with the address of the referee as its last word, and for the second player the key to join
with after it; `{url}` and `{key}` in the command say where they go instead (`{key}` is empty for the first player).
The first player sends `new`, the second `join`; after that a bot gets `game state` messages, and `your move`, which
it answers with `my move`. A third program may `watch`. docs/protocol.md has all messages.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from forgeron.arena.clock import Clocks, TimeControl
from forgeron.arena.contestant import Answer, Request
from forgeron.arena.faults import BotFault, Reason, shown
from forgeron.arena.process import OUTPUT_BYTES
from forgeron.arena.protocols.course import CourseBot
from forgeron.arena.protocols.door import CLOSED, FLOOD, Door, Message, need_websockets
from forgeron.core.game import Game
from forgeron.core.position import Position, Seat
from forgeron.games.yolah.text import cells

#: How often a waiting referee looks whether the process still lives.
_LOOK_SECONDS = 0.05
#: A process that dies closes its connection a moment before.
_DYING_SECONDS = 0.3


class YolahSocketBot(CourseBot):
    """A bot that connects to the referee. The sandbox leaves it the network, and the record says so."""

    protocol = "yolah-ws"
    game_name = "yolah"

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self._sandbox = replace(self._sandbox, network=True)
        self.layers = self._sandbox.layers
        self.door: Door | None = None

    @classmethod
    def check_terms(cls, game: str, control: TimeControl, options: Mapping[str, object]) -> None:
        super().check_terms(game, control, options)
        need_websockets("sync.server")

    def words(self, seat: Seat) -> list[str]:
        self.door = Door()
        key = self.door.join_key if seat else ""
        if any("{url}" in word for word in self._command):
            return [word.replace("{url}", self.door.url).replace("{key}", key) for word in self._command]
        return [*self._command, self.door.url, *([key] if key else [])]

    def begin(self, game: Game, seat: Seat, clocks: Clocks, seed: int) -> None:
        door = self._open_door
        deadline = time.monotonic() + self._startup_seconds
        try:
            self._hear(deadline)
        except BotFault as fault:
            if fault.reason is Reason.TIME:
                what = f"it did not connect to {door.url} and send 'new' or 'join' within {self._startup_seconds:g} s"
                raise BotFault(Reason.STARTUP, what) from None
            raise
        self._clock_starts = 0.0
        door.tell({"type": "init", "join key": door.join_key, "watch key": door.watch_key})
        door.show(state_of(game.start(), 0))

    @property
    def _open_door(self) -> Door:
        if self.door is None:
            raise BotFault(Reason.STARTUP, "it is not running")
        return self.door

    def choose(self, request: Request) -> Answer:
        door, process = self._open_door, self.running
        process.start_counting()
        stale = door.start_counting()
        door.show(state_of(request.position, len(request.moves)))
        door.tell({"type": "your move"})
        process.transcript.append('→ {"type": "your move"}')
        started = time.monotonic()
        deadline = started + request.clocks.allowed(request.seat) + request.clocks.control.margin_seconds
        while (message := self._hear(deadline))["type"] != "my move":
            pass
        answer = Answer(str(message.get("move", "")).strip(), time.monotonic() - started, process.cpu_spent())
        if stale:
            answer.warnings.append(f"{stale} moves sent before it was asked were not read")
        if not answer.text:
            raise BotFault(Reason.PROTOCOL, f"its message {shown(str(message))} has no move")
        return answer

    def watch(self, request: Request) -> None:
        if self.door and (request.seat == self.seat or request.position.turn is None):
            self.door.show(state_of(request.position, len(request.moves)))

    def _hear(self, deadline: float) -> Message:
        """The next message of the bot; its death and its excesses are faults."""
        door, process = self._open_door, self.running
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                raise BotFault(Reason.TIME, "it did not answer in time")
            process.look()
            try:
                message = door.inbox.get(timeout=min(left, _LOOK_SECONDS))
            except queue.Empty:
                continue
            process.transcript.append(f"← {message}")
            if message == CLOSED:
                process.look(_DYING_SECONDS)
                raise BotFault(Reason.CRASH, "it closed its connection while running")
            if message == FLOOD:
                raise BotFault(
                    Reason.OUTPUT, f"it sent a message of more than 64 KB, or {OUTPUT_BYTES >> 20} MB a move"
                )
            return message

    def close(self) -> None:
        if self.door:
            self.door.close()
            self.door = None
        super().close()


def state_of(position: Position, ply: int) -> dict[str, str]:
    """The state in the words of the author's server: sets of squares as numbers, a1 the lowest bit."""
    squares = cells(position.state)
    sets = {
        name: str(sum(1 << i for i, cell in enumerate(squares) if cell == letter))
        for name, letter in (("black", "b"), ("white", "w"), ("empty", "x"))
    }
    black, white = position.scores
    turn = position.turn if position.turn in (0, 1) else ply % 2
    # The number of plies tells who is to move; from another first position it may be one off.
    return sets | {"black score": str(black), "white score": str(white), "ply": str(ply + (ply + turn) % 2)}

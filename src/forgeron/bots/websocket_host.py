"""The referee's end of a protocol over a websocket: the program connects to a server of ours, one for each game.

The command is started with the address of the server as its last word, and for the second player the key to join
with after it; `{url}` and `{key}` in the command say where they go instead (`{key}` is empty for the first player).
"""

from __future__ import annotations

import queue
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from forgeron.bots.faults import BotFault, Reason
from forgeron.bots.process import OUTPUT_BYTES, BotProcess
from forgeron.bots.protocol import ConnectionKeys, RefereeSide, WebSocketReferee
from forgeron.bots.protocol_host import ProtocolHost, understood
from forgeron.bots.websocket_server import GameServer, Trouble
from forgeron.core.position import Seat

#: How often a waiting referee looks whether the process still lives.
_LOOK_SECONDS = 0.05
#: A process that dies closes its connection a moment before.
_DYING_SECONDS = 0.3


class WebSocketHost(ProtocolHost):
    """A program that connects to the referee. The sandbox leaves it the network, and the record says so.

    Where the kernel can tell ports apart it can connect to this game's server alone: not to that of its rival, nor to
    anything else that listens on this machine.
    """

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self._sandbox = replace(self._sandbox, network=True)
        self.layers = self._sandbox.plan(self._command).layers
        self.server: GameServer | None = None

    def place(self, seat: Seat) -> tuple[list[str], ConnectionKeys]:
        server = self.server = GameServer(self.protocol.name)
        self._sandbox = replace(self._sandbox, port=server.port)
        key = server.keys.join if seat else ""
        command = self.protocol.command_line(self._command, seat, self._settings)
        if any("{url}" in word for word in command):
            return [word.replace("{url}", server.url).replace("{key}", key) for word in command], server.keys
        return [*command, server.url, *([key] if key else [])], server.keys

    def start_process(self, command: Sequence[str]) -> BotProcess:
        assert isinstance(self.side, WebSocketReferee)  # or `Protocol` would have refused it
        self._connected.start(self.side)
        return super().start_process(command)

    @property
    def url(self) -> str:
        return self.server.url if self.server else ""

    @property
    def _connected(self) -> GameServer:
        if self.server is None:
            raise BotFault(Reason.STARTUP, "it is not running")
        return self.server

    def send(self, messages: Sequence[str], deadline: float) -> None:
        for message in messages:
            self._connected.send(message)
            self.running.note_sent(message)

    def receive(self, deadline: float) -> str:
        """The next message of the program; its death and its excesses are faults."""
        server, process = self._connected, self.running
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                raise BotFault(Reason.TIME, "it did not answer in time")
            process.look()
            try:
                message = server.inbox.get(timeout=min(left, _LOOK_SECONDS))
            except queue.Empty:
                continue
            if message is Trouble.CLOSED:
                process.look(_DYING_SECONDS)
                raise BotFault(Reason.CRASH, "it closed its connection while running")
            if message is Trouble.DEAF:
                raise BotFault(Reason.TIME, "it does not read what it is sent")
            if message is Trouble.FLOOD:
                raise BotFault(
                    Reason.OUTPUT, f"it sent a message of more than 64 KB, or {OUTPUT_BYTES >> 20} MB a move"
                )
            process.note_heard(str(message))
            return str(message)

    def forget(self, side: RefereeSide) -> str:
        self.running.start_counting()
        stale = sum(understood(side.is_answer, message) for message in self._connected.start_counting())
        return f"{stale} moves sent before it was asked were not read" if stale else ""

    def close(self) -> None:
        if self.server:
            self.server.close()
            self.server = None
        super().close()

"""A websocket server for one game of one program: the player comes in, and whoever wants to watch."""

from __future__ import annotations

import contextlib
import logging
import queue
import secrets
import threading
from enum import Enum
from typing import Any

from forgeron.bots.process import GRACE_SECONDS, LINE_BYTES, OUTPUT_BYTES
from forgeron.bots.protocol import Broadcast, ConnectionKeys, RefusedMessageError, Role, WebSocketReferee
from forgeron.bots.websockets_extra import need_websockets


class Trouble(Enum):
    """What the server puts into its inbox besides messages."""

    CLOSED = "the player has gone"
    FLOOD = "the player has sent more than is allowed"


class GameServer:
    """What the player sends is in `inbox`, as far as the description of the protocol admits it."""

    def __init__(self, protocol: str) -> None:
        server = need_websockets("sync.server", protocol)
        self.keys = ConnectionKeys(secrets.token_urlsafe(12), secrets.token_urlsafe(12))
        self.inbox: queue.SimpleQueue[str | Trouble] = queue.SimpleQueue()
        self._side: WebSocketReferee | None = None
        self._player: Any = None
        self._seating = threading.Lock()
        """two connections at once cannot both become the player"""
        self._watchers: list[Any] = []
        self._broadcast = ""
        self._received = 0
        log = logging.Logger("forgeron.websocket", logging.CRITICAL + 1)  # a bot's mistakes are not ours to log
        self._server = server.serve(
            self._serve,
            "127.0.0.1",
            0,
            max_size=LINE_BYTES,
            compression=None,
            ping_interval=None,
            close_timeout=GRACE_SECONDS,
            logger=log,
        )
        self.port: int = self._server.socket.getsockname()[1]
        self.url = f"ws://127.0.0.1:{self.port}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def start(self, side: WebSocketReferee) -> None:
        """Let connections in, as this side of the protocol admits them."""
        self._side = side
        self._thread.start()

    def start_counting(self) -> list[str]:
        """Forget what was sent before the player was asked, and how much it was; the messages that are forgotten."""
        stale = []
        self._received = 0
        while not self.inbox.empty():
            message = self.inbox.get()
            if isinstance(message, Trouble):
                self.inbox.put(message)
                break
            stale.append(message)
        return stale

    def send(self, message: str) -> None:
        """To the player; a broadcast to all who watch, too."""
        self._send(self._player, message)
        if isinstance(message, Broadcast):
            self._broadcast = message
            for watcher in list(self._watchers):
                self._send(watcher, message)

    def _send(self, connection: Any, text: str) -> None:
        """A connection that has gone is noticed by whoever reads from it."""
        with contextlib.suppress(Exception):
            connection.send(str(text))

    def _serve(self, connection: Any) -> None:
        """One connection, in a thread of its own."""
        try:
            for message in connection:
                self._received += len(message) if connection is self._player else 0
                if self._received > OUTPUT_BYTES:
                    self.inbox.put(Trouble.FLOOD)
                    return
                text = message if isinstance(message, str) else message.decode("utf-8", errors="replace")
                self._sort(connection, text)
        except Exception as error:  # whatever the other end did wrong ends this connection only
            if "1009" in str(error) and connection is self._player:
                self.inbox.put(Trouble.FLOOD)
        finally:
            if connection is self._player:
                self.inbox.put(Trouble.CLOSED)
            elif connection in self._watchers:
                self._watchers.remove(connection)

    def _sort(self, connection: Any, message: str) -> None:
        """Give the connection the role that its message asks for; a message of the player goes to the inbox."""
        assert self._side is not None
        role: Role = "stranger"
        if connection is self._player:
            role = "player"
        elif connection in self._watchers:
            role = "watcher"
        try:
            with self._seating:
                becomes = self._side.admit(message, role, seat_free=self._player is None)
                self._player = connection if becomes == "player" else self._player
        except RefusedMessageError as refusal:
            self._send(connection, str(refusal))
            return
        if becomes == "player":
            self.inbox.put(message)
        elif becomes == "watcher" and role == "stranger":
            self._watchers.append(connection)
            if self._broadcast:
                self._send(connection, self._broadcast)

    def close(self) -> None:
        for connection in [self._player, *self._watchers]:
            if connection is not None:
                with contextlib.suppress(Exception):
                    connection.close()
        self._server.shutdown()
        if self._thread.is_alive():
            self._thread.join(1.0)

"""A websocket server for one game of one program: the player comes in, and whoever wants to watch.

None of them can make the referee wait: who does not read what it is sent is cut off, those who watch are written to by
a thread of their own, and few may be there at the same time.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import secrets
import socket
import struct
import threading
from enum import Enum
from typing import Any

from forgeron.bots.process import GRACE_SECONDS, LINE_BYTES, OUTPUT_BYTES
from forgeron.bots.protocol import Broadcast, ConnectionKeys, RefusedMessageError, Role, WebSocketReferee
from forgeron.bots.websockets_extra import need_websockets

#: How long a write may wait for somebody to read.
_WRITE_SECONDS = 0.2
#: Connections at the same time; more are turned away.
_MOST_CONNECTIONS = 16
#: A message costs this besides its length: many small ones are a flood, too.
_MESSAGE_BYTES = 256


class Trouble(Enum):
    """What the server puts into its inbox besides messages."""

    CLOSED = "the player has gone"
    FLOOD = "the player has sent more than is allowed"
    DEAF = "the player does not read what it is sent"


class _Door(socket.socket):
    """Where connections come in: a few at a time, and none that a write waits for."""

    def __init__(self) -> None:
        super().__init__(socket.AF_INET, socket.SOCK_STREAM)
        self.bind(("127.0.0.1", 0))
        self.listen()
        self._inside: list[socket.socket] = []

    def accept(self) -> tuple[socket.socket, Any]:
        connection, address = super().accept()
        self._inside = [one for one in self._inside if one.fileno() >= 0]
        seconds = struct.pack("ll", 0, int(_WRITE_SECONDS * 1e6))
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, seconds)
        if len(self._inside) >= _MOST_CONNECTIONS:
            connection.shutdown(socket.SHUT_RDWR)
        self._inside.append(connection)
        return connection, address

    def turn_out(self) -> None:
        """End every connection, whatever somebody waits for there."""
        for one in self._inside:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)


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
        self._news: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        """for those who watch; None: there is no more"""
        self._received = 0
        log = logging.Logger("forgeron.websocket", logging.CRITICAL + 1)  # a bot's mistakes are not ours to log
        self._door = _Door()
        self._server = server.serve(
            self._serve,
            sock=self._door,
            max_size=LINE_BYTES,
            compression=None,
            ping_interval=None,
            close_timeout=GRACE_SECONDS,
            logger=log,
        )
        self.port: int = self._server.socket.getsockname()[1]
        self.url = f"ws://127.0.0.1:{self.port}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._herald = threading.Thread(target=self._tell_watchers, daemon=True)

    def start(self, side: WebSocketReferee) -> None:
        """Let connections in, as this side of the protocol admits them."""
        self._side = side
        self._thread.start()
        self._herald.start()

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
            self._news.put(message)

    def _tell_watchers(self) -> None:
        while (message := self._news.get()) is not None:
            for watcher in list(self._watchers):
                self._send(watcher, message)

    def _send(self, connection: Any, text: str) -> None:
        """A connection that has gone, or is not read from, is noticed by whoever reads from it."""
        with contextlib.suppress(Exception):
            connection.send(str(text))

    def _serve(self, connection: Any) -> None:
        """One connection, in a thread of its own."""
        try:
            for message in connection:
                self._received += len(message) + _MESSAGE_BYTES if connection is self._player else 0
                if self._received > OUTPUT_BYTES:
                    self.inbox.put(Trouble.FLOOD)
                    return
                text = message if isinstance(message, str) else message.decode("utf-8", errors="replace")
                self._sort(connection, text)
        except Exception as error:  # whatever the other end did wrong ends this connection only
            if connection is self._player:
                if "1009" in str(error):
                    self.inbox.put(Trouble.FLOOD)
                elif isinstance(error.__cause__, BlockingIOError):
                    self.inbox.put(Trouble.DEAF)
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
        """Say goodbye to those who listen, and end what is left."""
        self._news.put(None)
        goodbye = threading.Thread(target=self._say_goodbye, daemon=True)
        goodbye.start()
        goodbye.join(2 * GRACE_SECONDS)
        self._door.turn_out()
        self._server.shutdown()
        if self._thread.is_alive():
            self._thread.join(1.0)

    def _say_goodbye(self) -> None:
        for connection in [self._player, *self._watchers]:
            if connection is not None:
                with contextlib.suppress(Exception):
                    connection.close()

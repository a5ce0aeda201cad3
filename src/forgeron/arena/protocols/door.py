"""The websocket door of the referee: one player comes in, and whoever wants to watch."""

from __future__ import annotations

import contextlib
import json
import logging
import queue
import secrets
import threading
from importlib import import_module
from typing import Any

from forgeron.arena.process import GRACE_SECONDS, LINE_BYTES, OUTPUT_BYTES
from forgeron.core.errors import OptionError

Message = dict[str, Any]
#: What the door puts into its inbox besides messages: the player has gone, or has sent more than is allowed.
CLOSED: Message = {"type": "(closed)"}
FLOOD: Message = {"type": "(flood)"}


def need_websockets(part: str) -> Any:
    """The module `websockets.<part>`; it is an extra, so that its absence must be explained."""
    try:
        return import_module(f"websockets.{part}")
    except ImportError:
        raise OptionError(
            "protocol yolah-ws needs the package websockets: install it with pip install 'forgeron[ws]'"
        ) from None


class Door:
    """A server for one game of one bot. What the player says is in `inbox`, as far as it is JSON with a type."""

    def __init__(self) -> None:
        server = need_websockets("sync.server")
        self.join_key = secrets.token_urlsafe(12)
        self.watch_key = secrets.token_urlsafe(12)
        self.inbox: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._player: Any = None
        self._watchers: list[Any] = []
        self._state = ""
        self._received = 0
        log = logging.Logger("forgeron.websocket", logging.CRITICAL + 1)  # a bot's mistakes are not ours to log
        self._server = server.serve(
            self._receive,
            "127.0.0.1",
            0,
            max_size=LINE_BYTES,
            compression=None,
            ping_interval=None,
            close_timeout=GRACE_SECONDS,
            logger=log,
        )
        self.url = f"ws://127.0.0.1:{self._server.socket.getsockname()[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def start_counting(self) -> int:
        """Forget what was sent before the bot was asked; says how many moves it was."""
        stale = 0
        self._received = 0
        while not self.inbox.empty():
            message = self.inbox.get()
            if message in (CLOSED, FLOOD):
                self.inbox.put(message)
                break
            stale += message["type"] == "my move"
        return stale

    def show(self, state: Message) -> None:
        """Send the state of the game to the player and to all who watch."""
        self._state = json.dumps({"type": "game state", "state": state})
        for connection in [self._player, *self._watchers]:
            self._send(connection, self._state)

    def tell(self, message: Message) -> None:
        self._send(self._player, json.dumps(message))

    def _send(self, connection: Any, text: str) -> None:
        """A connection that has gone is noticed by whoever reads from it."""
        with contextlib.suppress(Exception):
            connection.send(text)

    def _receive(self, connection: Any) -> None:
        """Serve one connection, in a thread of its own."""
        try:
            for text in connection:
                self._received += len(text) if connection is self._player else 0
                if self._received > OUTPUT_BYTES:
                    self.inbox.put(FLOOD)
                    return
                self._read(connection, text)
        except Exception as error:  # whatever the other end did wrong ends this connection only
            if "1009" in str(error) and connection is self._player:
                self.inbox.put(FLOOD)
        finally:
            if connection is self._player:
                self.inbox.put(CLOSED)
            elif connection in self._watchers:
                self._watchers.remove(connection)

    def _read(self, connection: Any, text: str | bytes) -> None:
        try:
            message = json.loads(text)
        except ValueError:
            message = None
        if not isinstance(message, dict) or not isinstance(message.get("type"), str):
            self._refuse(connection, "a message is a JSON object with a type")
            return
        if connection is self._player:
            self.inbox.put(message)
            return
        kind = message["type"]
        if kind == "watch" and message.get("watch key") == self.watch_key:
            self._watchers.append(connection)
            if self._state:
                self._send(connection, self._state)
        elif kind in ("new", "join") and self._player is None:
            if kind == "join" and message.get("join key") != self.join_key:
                self._refuse(connection, "there is no game with this key")
                return
            self._player = connection
            self.inbox.put(message)
        elif connection not in self._watchers:
            self._refuse(connection, "send new, join with the join key, or watch with the watch key")

    def _refuse(self, connection: Any, why: str) -> None:
        self._send(connection, json.dumps({"type": "error", "message": why}))

    def close(self) -> None:
        for connection in [self._player, *self._watchers]:
            if connection is not None:
                with contextlib.suppress(Exception):
                    connection.close()
        self._server.shutdown()
        self._thread.join(1.0)

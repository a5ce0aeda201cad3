"""A server in the test's own process, and what a page does, from Python."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient, WebSocketTestSession

from forgeron.web.app import ServerSettings, make_app

HOST = "http://localhost:8765"
SOCKET = "ws://localhost:8765/ws"
CONNECT_FOUR = str(Path(__file__).parent.parent / "examples" / "game_connect_four.py")


class Page:
    """What the page's own modules do, from Python: says things and hears what happens."""

    def __init__(self, socket: WebSocketTestSession, key: str) -> None:
        self.socket = socket
        self.key = key
        self.id = ""
        self.state: dict[str, Any] = {}
        self.you: dict[str, Any] = {}
        self._numbers = itertools.count(1)

    def say(self, what: str, **more: Any) -> None:
        """A message about the game that is open."""
        self.socket.send_json({"do": what, "id": self.id, "key": self.key, **more})

    def hear(self) -> dict[str, Any]:
        """The next message."""
        message: dict[str, Any] = self.socket.receive_json()
        if message["event"] == "game":
            self.state, self.you = message["state"], message["you"]
        elif message["event"] == "opened":
            self.id = message["id"]
        return message

    def hear_until(self, right: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Read on until a message is right."""
        for _ in range(2000):
            message = self.hear()
            if right(message):
                return message
        raise AssertionError("2000 messages and none was right")

    def new(self, game: str, sides: list[str], clock: list[float] | None = None, **options: Any) -> None:
        self.socket.send_json(
            {"do": "new", "key": self.key, "game": game, "options": options, "sides": sides, "clock": clock}
        )
        self.hear_until(lambda message: message["event"] in ("game", "refused"))

    def open(self, name: str) -> None:
        self.id = name
        self.say("open")
        self.hear_until(lambda message: message["event"] in ("game", "refused"))

    def move(self, token: str) -> dict[str, Any]:
        """Play a move; what the server answers: the game, or why not."""
        self.say("move", move=token, ply=self.state["ply"])
        return self.hear_until(lambda message: message["event"] in ("game", "refused"))

    def wait(self, right: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Until the state of the game is right."""
        while not right(self.state):
            self.hear()
        return self.state


def running(database: Path, **settings: Any) -> TestClient:
    """A server whose workers run plain Python, so that no test waits for a compiler."""
    env = {**os.environ, "FORGERON_JIT": "0"}
    made = ServerSettings(database, games=[CONNECT_FOUR], pace_seconds=0.0, worker_env=env, **settings)
    return TestClient(make_app(made), base_url=HOST)

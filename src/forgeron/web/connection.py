"""One open page: validates its messages, answers them, and sends it the news of the game it shows."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import Callable
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from forgeron.core.errors import ForgeronError
from forgeron.web.analysis_requests import AnalysisRequests
from forgeron.web.hall import TIMES, Hall
from forgeron.web.live_game import LiveGame
from forgeron.web.lobby import Lobby
from forgeron.web.messages import MessageError, read
from forgeron.web.watched_event import WatchedEvent

#: A page that does not read so many messages is let go; it comes back and is told everything anew.
MOST_UNSENT = 200


class Allowance:
    """So many a second on average, and a burst of so many at once."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._left, self._at = burst, clock()

    def take(self) -> bool:
        """Whether one more is allowed now."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Connection:
    """A watcher of games (`live_game.Spectator`) at the other end of a socket."""

    def __init__(self, socket: WebSocket, lobby: Lobby, hall: Hall) -> None:
        self.key = ""
        self._socket = socket
        self._lobby = lobby
        self._hall = hall
        self._event: WatchedEvent | None = None
        self._outbox: asyncio.Queue[str | None] = asyncio.Queue()
        self._live: LiveGame | None = None
        self._analysis = AnalysisRequests(lobby, lambda message: self._answer(None, message))
        self._messages = Allowance(rate=20, burst=60)
        self._new_games = Allowance(rate=0.5, burst=20)
        self._jobs: set[asyncio.Task[None]] = set()

    async def serve(self) -> None:
        """Until the page goes."""
        await self._socket.accept()
        sender = asyncio.create_task(self._send_all())
        try:
            while True:
                text = await self._socket.receive_text()
                self._hear(text)
        except (WebSocketDisconnect, KeyError):  # a KeyError is a binary message
            pass
        finally:
            self._leave()
            self._analysis.stop()
            for job in self._jobs:
                job.cancel()
            sender.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await sender

    def send(self, text: str) -> None:
        if self._outbox.qsize() >= MOST_UNSENT:
            self._outbox.put_nowait(None)
        else:
            self._outbox.put_nowait(text)

    async def _send_all(self) -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while (text := await self._outbox.get()) is not None:
                await self._socket.send_text(text)
            await self._socket.close(1013)

    def _hear(self, text: str) -> None:
        ask = None
        try:
            if not self._messages.take():
                raise MessageError("too many messages at once; this one was not read")
            message = read(text)
            ask = message.get("ask")
            self._do(message)
        except ForgeronError as error:
            self._answer(ask, {"event": "refused", "text": str(error)})

    def _answer(self, ask: int | None, message: dict[str, Any]) -> None:
        self.send(json.dumps(message if ask is None else {**message, "ask": ask}))

    def _do(self, message: dict[str, Any]) -> None:
        kind, ask = message["do"], message.get("ask")
        if "key" in message:
            self.key = message["key"]
        if kind == "games":
            self._answer(
                ask, {"event": "games", "games": self._lobby.catalogue(), "recent": self._lobby.recent(self.key)}
            )
        elif kind == "leave":
            self._leave()
            self._analysis.stop()
        elif kind == "look":
            self._answer(ask, self._analysis.look(message))
        elif kind == "analyse":
            self._analysis.analyse(message)
        elif kind == "review":
            self._analysis.review(message)
        elif kind == "compose":
            self._answer(ask, self._analysis.compose(message))
        elif kind == "follow":
            self._answer(ask, self._analysis.follow(message))
        elif kind == "microscope":
            self._analysis.microscope(message)
        elif kind == "count":
            self._analysis.count(message)
        elif kind == "rest":
            self._analysis.rest()
        elif kind == "new":
            if not self._new_games.take():
                raise MessageError("too many new games at once")
            self._open(self._lobby.new(message), ask)
        elif kind == "share":
            self._later(self._share(message, ask))
        elif kind.startswith("event"):
            if kind == "event-new" and not self._new_games.take():
                raise MessageError("too many new events at once")
            self._later(self._in_hall(kind, message, ask))
        else:
            self._in_game(kind, message, ask)

    async def _in_hall(self, kind: str, message: dict[str, Any], ask: int | None) -> None:
        """What a page asks about events."""
        hall, key = self._hall, message["key"]
        try:
            if kind == "events":
                self._answer(ask, {"event": "events", "events": await hall.listed(key), "times": list(TIMES)})
                return
            event = await hall.new(message) if kind == "event-new" else hall.find(message["id"])
            if kind == "event-games":
                self._answer(ask, {"event": "event-games", "games": event.games(*message["names"])})
            elif kind == "event-game":
                await event.read()
                self._answer(ask, {"event": "history", **event.history(message["game"])})
            elif kind == "event-do":
                await hall.control(event, key, message["order"])
                self._answer(ask, {"event": "done"})
            else:
                self._watch(event, ask)
        except ForgeronError as error:
            self._answer(ask, {"event": "refused", "text": str(error)})

    def _watch(self, event: WatchedEvent, ask: int | None) -> None:
        if self._event is not event:  # else nobody would be left for a moment, and what was held would go on
            self._leave()
            self._event = event
        self._answer(ask, {"event": "opened", "id": event.name})
        event.watch(self)

    def _in_game(self, kind: str, message: dict[str, Any], ask: int | None) -> None:
        live, key = self._lobby.find(message["id"]), message["key"]
        if kind == "open":
            self._open(live, ask)
        elif kind == "history":
            self._answer(ask, {"event": "history", **live.history()})
        elif kind == "rematch":
            self._open(self._lobby.rematch(live, key), ask)
        elif kind == "sit":
            live.sit(key)
        elif kind == "move":
            live.move(key, message["ply"], message["move"])
        elif kind == "throw":
            live.throw(key, message["ply"])
        elif kind == "takeback":
            live.take_back(key, message["ply"])
        elif kind == "resign":
            live.resign(key)
        elif kind == "hint":
            self._later(self._hint(live, key, message["ply"], ask))
        elif kind == "step":
            live.step(key)
        else:
            live.pause(key, kind == "pause")

    def _open(self, live: LiveGame, ask: int | None) -> None:
        self._leave()
        self._live = live
        self._answer(ask, {"event": "opened", "id": live.name})
        live.watch(self)

    def _leave(self) -> None:
        if self._live is not None:
            self._live.leave(self)
            self._live = None
        if self._event is not None:
            self._event.leave(self)
            self._event = None

    async def _share(self, message: dict[str, Any], ask: int | None) -> None:
        try:
            self._answer(ask, await self._analysis.share(message))
        except ForgeronError as error:
            self._answer(ask, {"event": "refused", "text": str(error)})

    async def _hint(self, live: LiveGame, key: str, ply: int, ask: int | None) -> None:
        try:
            self._answer(ask, await live.hint(key, ply))
        except ForgeronError as error:
            self._answer(ask, {"event": "refused", "text": str(error)})

    def _later(self, work: Any) -> None:
        if len(self._jobs) >= 4:
            work.close()
            raise MessageError("an answer is being worked on already")
        job = asyncio.create_task(work)
        self._jobs.add(job)
        job.add_done_callback(self._jobs.discard)

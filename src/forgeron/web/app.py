"""The server as an ASGI application: static files, one socket for all that happens, and the guard around both."""

from __future__ import annotations

import contextlib
import os
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from forgeron.drawing.bundle import MODULES
from forgeron.web.connection import Connection
from forgeron.web.hall import Hall
from forgeron.web.live_game import PACE_SECONDS
from forgeron.web.lobby import Lobby
from forgeron.web.peer_user import is_of_another_user
from forgeron.web.security import LOOPBACK, Guard, IsStranger
from forgeron.web.store import Store
from forgeron.web.worker_pool import WorkerPool

STATIC = Path(__file__).parent / "static"
#: Open pages at the same time.
MOST_PAGES = 1_000
#: Processes that analyse: a review of a whole game does not hold up the lines of a position.
ANALYSTS = 2
#: Processes that run a search step by step; each trace is a few seconds' work.
MICROSCOPES = 1


@dataclass(frozen=True)
class ServerSettings:
    """How a server is run."""

    database: Path
    workers: int = 1
    token: str | None = None
    """asked of everybody when the server listens beyond this machine"""
    is_stranger: IsStranger = is_of_another_user
    """who is not let in without a token"""
    hosts: Sequence[str] = LOOPBACK
    games: Sequence[str] = ()
    """files with games that may be played besides the registered ones"""
    journals: Sequence[Path] = ()
    """journals, and folders of journals, of events that are played elsewhere"""
    pace_seconds: float = PACE_SECONDS
    worker_env: dict[str, str] | None = field(default=None, repr=False)
    """the environment of the workers; None: ours"""


def make_app(settings: ServerSettings) -> ASGIApp:
    """The application; its workers start when they are needed, and end with it."""
    pages: set[Connection] = set()

    @contextlib.asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        store = Store(settings.database)
        env = dict(os.environ if settings.worker_env is None else settings.worker_env)
        thinkers, quick = WorkerPool(settings.workers, env), WorkerPool(1, {**env, "FORGERON_JIT": "0"})
        analysts, microscopes = WorkerPool(ANALYSTS, env), WorkerPool(MICROSCOPES, {**env, "FORGERON_JIT": "0"})
        lobby = app.state.lobby = Lobby(
            store, thinkers, quick, analysts, microscopes, settings.games, settings.pace_seconds
        )
        hall = app.state.hall = Hall(
            settings.database.parent / "events", lobby, settings.journals, env, is_private=settings.token is None
        )
        lobby.catalogue()
        await quick.start()
        try:
            yield
        finally:
            lobby.close()
            await hall.close()
            await thinkers.close()
            await quick.close()
            await analysts.close()
            await microscopes.close()
            store.close()

    async def index(_: Request) -> Response:
        return FileResponse(STATIC / "index.html")

    async def socket(ws: WebSocket) -> None:
        if len(pages) >= MOST_PAGES:
            await ws.close(1013)
            return
        connection = Connection(ws, ws.app.state.lobby, ws.app.state.hall)
        pages.add(connection)
        try:
            await connection.serve()
        finally:
            pages.discard(connection)

    routes = [
        Route("/", index),
        WebSocketRoute("/ws", socket),
        Mount("/static/boards", StaticFiles(directory=MODULES)),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]
    app = Starlette(routes=routes, lifespan=life)
    return Guard(app, settings.hosts, settings.token, is_stranger=settings.is_stranger)

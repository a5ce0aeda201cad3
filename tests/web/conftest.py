"""Servers and pages as fixtures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient, WebSocketTestSession

from web_pages import HOST, SOCKET, Page, running


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite"


@pytest.fixture
def server(database: Path) -> Iterator[TestClient]:
    with running(database) as client:
        yield client


@pytest.fixture
def pages(server: TestClient) -> Iterator[Callable[..., Page]]:
    """Opens pages: each call is another browser, unless it is given the key of one."""
    open_now: list[WebSocketTestSession] = []

    def make(key: str | None = None) -> Page:
        number = len(open_now) + 1
        socket = server.websocket_connect(SOCKET, headers={"origin": HOST})
        open_now.append(socket)
        return Page(socket.__enter__(), key or f"{number:032x}")

    yield make
    for socket in open_now:
        socket.__exit__(None, None, None)

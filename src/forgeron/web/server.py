"""Running the server: where it listens, the link it prints, and how it ends."""

from __future__ import annotations

import ipaddress
import os
import secrets
import socket
import webbrowser
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import uvicorn

from forgeron.core.errors import ForgeronError
from forgeron.core.files import data_folder
from forgeron.core.registry import game_class
from forgeron.web.app import ServerSettings, make_app
from forgeron.web.messages import MESSAGE_BYTES
from forgeron.web.security import LOOPBACK
from forgeron.web.store import Store


def run(
    games: Sequence[str],
    *,
    host: str,
    port: int,
    workers: int,
    data: Path | None,
    browser: bool,
    worker_env: dict[str, str],
    journals: Sequence[Path] = (),
) -> None:
    """Serve until somebody says stop."""
    np.seterr(over="ignore")  # machine words wrap around, in plain Python too
    local = _is_loopback(host)
    token = None if local else secrets.token_urlsafe(24)
    listening = _listen(host, port)
    port = listening.getsockname()[1]
    settings = ServerSettings(
        database=(data or data_folder()) / "games.sqlite",
        workers=workers or max(1, (os.cpu_count() or 2) - 1),
        token=token,
        hosts=LOOPBACK,
        games=[str(Path(path).resolve()) for path in games],
        journals=list(journals),
        worker_env=worker_env,
    )
    _refuse_unusable(settings)
    shown = "localhost" if local else (_own_address() if host in ("0.0.0.0", "::") else host)
    link = f"http://{shown}:{port}/" + (f"?token={token}" if token else "")
    print(f"Forgeron is at {link}", flush=True)
    print("Ctrl-C ends it; games are kept.", flush=True)
    config = uvicorn.Config(
        make_app(settings), log_level="warning", ws_max_size=4 * MESSAGE_BYTES, ws_max_queue=32, server_header=False
    )
    if browser:
        webbrowser.open(link)
    uvicorn.Server(config).run(sockets=[listening])


def _refuse_unusable(settings: ServerSettings) -> None:
    """What the server would only find out when it has begun: games that are not there, a place that keeps nothing."""
    for path in settings.games:
        game_class(path)
    Store(settings.database).close()


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise ForgeronError(f"cannot listen at {host}, port {port}: {error.strerror or error}") from None


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _own_address() -> str:
    """The address by which others on the network find this machine; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()

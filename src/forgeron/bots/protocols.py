"""Protocols by name, and the host that runs the referee's end of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from forgeron.bots.contestant import Contestant
from forgeron.bots.native_host import NativeHost
from forgeron.bots.protocol import Protocol
from forgeron.bots.protocol_host import LineHost, ProtocolHost
from forgeron.bots.sandbox import Sandbox
from forgeron.bots.websocket_host import WebSocketHost
from forgeron.core.registry import Registry

_protocols = Registry("protocol", Protocol)
_HOSTS: dict[str, type[ProtocolHost]] = {"lines": LineHost, "websocket": WebSocketHost}


def protocol_names() -> list[str]:
    """The names of all protocols. A protocol is chosen, never guessed."""
    return _protocols.names()


def protocol_class(name: str) -> type[Protocol]:
    """The description of the protocol of this name, or of the Python file at this path."""
    return _protocols.find(name)


def make_process_bot(
    protocol: str,
    name: str,
    command: Sequence[str],
    *,
    options: Mapping[str, Any],
    sandbox: Sandbox,
    startup: float,
    hidden: Sequence[Path] = (),
) -> Contestant:
    """A bot that is a process and speaks this protocol."""
    kind = protocol_class(protocol)
    limits: dict[str, Any] = {"sandbox": sandbox, "startup_seconds": startup, "hidden": hidden}
    if kind.transport == "native":
        return NativeHost(name, command, options=options, **limits)
    return _HOSTS[kind.transport](kind, name, command, options=options, **limits)

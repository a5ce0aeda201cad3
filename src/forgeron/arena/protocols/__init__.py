"""How bots are spoken to: the native protocol, and those of the courses."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from forgeron.arena.contestant import Contestant
from forgeron.arena.sandbox import Sandbox
from forgeron.core.errors import unknown_name

#: name → the class of the contestant that speaks it. A protocol is chosen, never guessed.
PROTOCOLS = {
    "native": "forgeron.arena.protocols.native:NativeBot",
    "mancala": "forgeron.arena.protocols.mancala:MancalaBot",
    "yinsh": "forgeron.arena.protocols.yinsh:YinshBot",
    "yut": "forgeron.arena.protocols.yut:YutBot",
    "yolah-ws": "forgeron.arena.protocols.yolah_ws:YolahSocketBot",
}


def protocol_class(protocol: str) -> type[Contestant]:
    """The kind of contestant that speaks this protocol."""
    if protocol not in PROTOCOLS:
        raise unknown_name("protocol", protocol, PROTOCOLS)
    module, _, attribute = PROTOCOLS[protocol].partition(":")
    found: type[Contestant] = getattr(importlib.import_module(module), attribute)
    return found


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
    found: Any = protocol_class(protocol)
    bot: Contestant = found(name, command, options=options, sandbox=sandbox, startup_seconds=startup, hidden=hidden)
    return bot

"""What is needed to describe a protocol in one file, for a game of ours or of yours; docs/protocol.md shows how.

Published: the classes of `forgeron.bots.protocol` and what their methods are given and may raise.
"""

from __future__ import annotations

from forgeron.bots.clock import TimeControl
from forgeron.bots.contestant import MoveRequest
from forgeron.bots.faults import BotFault, Reason, shown
from forgeron.bots.protocol import (
    BotSetup,
    BotSide,
    Broadcast,
    ConnectionKeys,
    GameSetup,
    PlayerSpec,
    Protocol,
    RefereeSide,
    RefusedMessageError,
    Reply,
    Role,
    WebSocketReferee,
)

__all__ = [
    "BotFault",
    "BotSetup",
    "BotSide",
    "Broadcast",
    "ConnectionKeys",
    "GameSetup",
    "MoveRequest",
    "PlayerSpec",
    "Protocol",
    "Reason",
    "RefereeSide",
    "RefusedMessageError",
    "Reply",
    "Role",
    "TimeControl",
    "WebSocketReferee",
    "shown",
]

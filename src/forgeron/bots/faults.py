"""What a bot did wrong, as a result with a reason: never an exception of the referee."""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    """How a game came to its end."""

    WIN = "win"
    DRAW = "draw"
    RESIGN = "resign"
    TIME = "time"
    CRASH = "crash"
    ILLEGAL = "illegal"
    PROTOCOL = "protocol"
    OUTPUT = "output"
    MEMORY = "memory"
    STARTUP = "startup"
    WITHDRAWN = "withdrawn"
    """it was taken out of the event while its opponents were waiting for it"""
    ABORTED = "aborted"
    """nobody's fault: the game is played again"""


#: Endings that are a bot's own fault and cost it the game.
FORFEITS = frozenset(
    {
        Reason.TIME,
        Reason.CRASH,
        Reason.ILLEGAL,
        Reason.PROTOCOL,
        Reason.OUTPUT,
        Reason.MEMORY,
        Reason.STARTUP,
        Reason.WITHDRAWN,
    }
)


class BotFault(Exception):
    """A fault of the bot that was asked: costs it the game, for this reason."""

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail
        self.cpu_seconds: float | None = None
        """of a loss on time: the processor time that the bot used meanwhile, where that is known"""


def escaped(text: str) -> str:
    """A line of a bot as it may be printed: control characters escaped, all else as it is.

    >>> escaped("naïve \\x1b[31m")
    'naïve \\\\x1b[31m'
    """
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text)


def shown(text: str | bytes, limit: int = 200) -> str:
    """Any text of a bot as one harmless line: control characters escaped, long texts cut.

    >>> shown("d5:b7\\x00\\x1b[31m")
    "'d5:b7\\\\x00\\\\x1b[31m'"
    """
    if isinstance(text, bytes):
        text = text.decode("utf-8", errors="replace")
    cut = text if len(text) <= limit else text[:limit] + f"… ({len(text)} characters)"
    return ascii(cut) if not cut.isprintable() else f"'{cut}'"

"""Contestants: whoever plays a seat. The referee asks for a move; a contestant answers or commits a fault."""

from __future__ import annotations

import time
import traceback
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from forgeron.bots.clock import Clocks
from forgeron.bots.faults import BotFault, Reason, shown
from forgeron.core.game import Game
from forgeron.core.position import Position, Seat
from forgeron.players.base import Limit, Player

_PACKAGE = Path(__file__).parents[1]


@dataclass(slots=True)
class MoveRequest:
    """What a contestant is asked: a position, how it came about, and the time there is."""

    position: Position
    start: Position
    from_startpos: bool
    """whether `start` is the game's own first position"""
    moves: Sequence[str]
    """the tokens from the start to the position, throws included"""
    history: str
    """the same as a text, each token after a space: kept from ply to ply, so that a long game costs no more to tell"""
    seat: Seat
    clocks: Clocks


@dataclass(slots=True)
class Answer:
    """A move as text, not yet judged, and what the contestant said about it."""

    text: str
    seconds: float
    cpu_seconds: float = 0.0
    value: float | None = None
    depth: int | None = None
    nodes: int | None = None
    line: tuple[str, ...] = ()
    info: str = ""
    """the last line that a program wrote about its search"""
    warnings: tuple[str, ...] = ()
    ends: bool = False
    """instead of a move: the game is over here, with the scores that the position has"""


RESIGN = "resign"


class Contestant(ABC):
    """One side of a game. Every method may raise `BotFault`; the referee turns it into a result."""

    name: str
    layers: tuple[str, ...] = ()
    """the sandbox layers around it"""
    any_start: bool = True
    """whether it can begin anywhere; if not, a game with an opening or another first position is refused"""
    timed: bool = True
    """whether it loses when it takes longer than the clocks allow"""

    @abstractmethod
    def open(self, game: Game, seat: Seat, clocks: Clocks, seed: int) -> None:
        """Make ready for a new game; `seed` is for those whose play depends on luck."""

    @abstractmethod
    def choose(self, request: MoveRequest) -> Answer:
        """A move for the seat to move, or the text "resign"."""

    def stop(self) -> None:  # noqa: B027
        """Called from another thread while it chooses: answer soon with the best there is, where it can."""

    def watch(self, request: MoveRequest) -> None:  # noqa: B027
        """Called after every answer of either side that was played; `request.position` is the one it led to."""

    def blame(self, fault: BotFault) -> None:  # noqa: B027
        """It has lost by this fault and will be closed: the last word it may hear."""

    def finish(self, result: str) -> None:  # noqa: B027
        """The game is over; `result` is one line for people."""

    def close(self) -> None:  # noqa: B027
        """Leave for good; nothing of the contestant remains. Safe to call twice."""

    def cpu_spent(self) -> float | None:
        """At least the processor time that it has used since its last answer; None where nobody knows."""
        return None

    @property
    def log(self) -> str:
        """What it wrote beside the protocol."""
        return ""


class BuiltIn(Contestant):
    """A player in the referee's own process.

    With a `limit` of its own it goes by that instead of the clocks, and is not timed.
    """

    def __init__(self, name: str, player: Player, limit: Limit | None = None) -> None:
        self.name = name
        self._player = player
        self._limit = limit
        self.timed = limit is None

    def open(self, game: Game, seat: Seat, clocks: Clocks, seed: int) -> None:
        if self._player.game != game:
            raise BotFault(Reason.STARTUP, f"it plays {self._player.game}, not {game}")
        self._player.seed = seed
        self._player.get_ready(self._limit or clocks.limit(seat))

    def choose(self, request: MoveRequest) -> Answer:
        started, cpu, cpu_of_all = time.monotonic(), time.thread_time(), time.process_time()
        limit = self._limit or request.clocks.limit(request.seat)
        try:
            choice = self._player.choose(request.position, limit)
        except Exception as error:
            raise BotFault(Reason.CRASH, shown(f"{type(error).__name__}: {error}") + _place_of(error)) from error
        spent = time.process_time() - cpu_of_all if limit.cpu else time.monotonic() - started
        return Answer(
            choice.move, spent, time.thread_time() - cpu, choice.value, choice.depth, choice.nodes, choice.line
        )

    def stop(self) -> None:
        self._player.stop()


def _place_of(error: Exception) -> str:
    """Where somebody's player failed: the innermost line that is none of ours."""
    frames = traceback.extract_tb(error.__traceback__)
    theirs = [frame for frame in frames if not Path(frame.filename).is_relative_to(_PACKAGE)]
    return f" ({Path(theirs[-1].filename).name}, line {theirs[-1].lineno})" if theirs else ""

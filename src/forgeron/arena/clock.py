"""What a move may cost: so much time, a clock with increment, or a number of nodes."""

from __future__ import annotations

import re
from dataclasses import dataclass

from forgeron.core.errors import OptionError
from forgeron.players.base import Limit

#: A clock is shared out over so many moves, always as if the game had so many left: it never runs out.
_MOVES_TO_COME = 30
#: A difficult move may take so many times its share, but never more of the clock than this.
_MOST_TARGETS, _MOST_SHARE = 4, 0.4
#: The end of the clock is kept for what is needed besides thinking; and something must be allowed.
_KEPT_SECONDS, _SHORTEST_SECONDS = 0.05, 1e-6


@dataclass(frozen=True)
class TimeControl:
    """Exactly one of: `move_seconds` for every move; `base_seconds` for the game with `increment_seconds` after each
    move; `move_nodes` for every move, which makes games of deterministic players repeatable.

    >>> TimeControl.parse("0.5"), TimeControl.parse("60+0.5"), TimeControl.parse("1000n")
    (<TimeControl 0.5>, <TimeControl 60+0.5>, <TimeControl 1000n>)
    """

    move_seconds: float | None = None
    base_seconds: float | None = None
    increment_seconds: float = 0.0
    move_nodes: int | None = None
    margin_seconds: float = 0.05
    """what a message may take on its way; only then a move is too late"""
    nodes_seconds: float = 60.0
    """with `move_nodes`: when a bot is given up all the same"""

    def __post_init__(self) -> None:
        given = [part for part in (self.move_seconds, self.base_seconds, self.move_nodes) if part is not None]
        if len(given) != 1 or not given[0] > 0 or self.increment_seconds < 0:
            raise OptionError("give one of: seconds a move, a clock with increment, nodes a move; more than 0 of it")

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """Reads "0.5" (seconds a move), "60+0.5" (a clock with increment) and "1000n" (nodes a move)."""
        number = r"(\d+(?:\.\d*)?|\.\d+)"
        if match := re.fullmatch(number, text):
            return cls(move_seconds=float(match[1]))
        if match := re.fullmatch(rf"{number}\+{number}", text):
            return cls(base_seconds=float(match[1]), increment_seconds=float(match[2]))
        if match := re.fullmatch(r"(\d+)n", text):
            return cls(move_nodes=int(match[1]))
        raise OptionError(f"'{text}' is not a time: write 0.5 (a move), 60+0.5 (clock and increment) or 1000n (nodes)")

    def __str__(self) -> str:
        if self.move_seconds is not None:
            return f"{self.move_seconds:g}"
        return f"{self.move_nodes}n" if self.move_nodes else f"{self.base_seconds:g}+{self.increment_seconds:g}"

    def __repr__(self) -> str:
        return f"<TimeControl {self}>"


class Clocks:
    """What is left to both seats."""

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.left = [control.base_seconds or 0.0, control.base_seconds or 0.0]

    def allowed(self, seat: int) -> float:
        """The seconds this seat may take for its next move."""
        if self.control.base_seconds is not None:
            return self.left[seat]
        return self.control.move_seconds or self.control.nodes_seconds

    def spend(self, seat: int, seconds: float) -> None:
        """Book the time of a move that was made."""
        if self.control.base_seconds is not None:
            self.left[seat] = max(self.left[seat] - seconds, 0.0) + self.control.increment_seconds

    def limit(self, seat: int) -> Limit:
        """What a player without a plan of its own should spend on the next move, and may at most."""
        if self.control.move_nodes is not None:
            return Limit(nodes=self.control.move_nodes)
        if self.control.move_seconds is not None:
            return Limit(seconds=self.control.move_seconds)
        left = max(self.left[seat] - _KEPT_SECONDS, self.left[seat] / 2)
        target = left / _MOVES_TO_COME + 0.8 * self.control.increment_seconds
        most = max(min(_MOST_TARGETS * target, left * _MOST_SHARE), _SHORTEST_SECONDS)
        return Limit(seconds=most, target_seconds=min(target, most))

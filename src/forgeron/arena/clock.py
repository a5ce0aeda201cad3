"""Time in a game: so much a move, or a clock with increment."""

from __future__ import annotations

from dataclasses import dataclass

from forgeron.core.errors import OptionError


@dataclass(frozen=True)
class TimeControl:
    """Either `move_seconds` for every move, or `base_seconds` for the game with `increment_seconds` after each move.

    >>> TimeControl.parse("0.5"), TimeControl.parse("60+0.5").base_seconds
    (TimeControl(move_seconds=0.5, base_seconds=None, increment_seconds=0.0, margin_seconds=0.05), 60.0)
    """

    move_seconds: float | None = None
    base_seconds: float | None = None
    increment_seconds: float = 0.0
    margin_seconds: float = 0.05
    """what a message may take on its way; only then a move is too late"""

    def __post_init__(self) -> None:
        if (self.move_seconds is None) == (self.base_seconds is None):
            raise OptionError("time is either so many seconds a move, or a base with an increment")
        for seconds in (self.move_seconds, self.base_seconds):
            if seconds is not None and not seconds > 0:
                raise OptionError(f"the time must be more than 0 seconds, not {seconds}")

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """Reads "0.5" (seconds a move) and "60+0.5" (a clock with increment)."""
        base, plus, increment = text.partition("+")
        try:
            if plus:
                return cls(base_seconds=float(base), increment_seconds=float(increment or 0))
            return cls(move_seconds=float(base))
        except ValueError:
            raise OptionError(f"'{text}' is not a time: write 0.5 (a move) or 60+0.5 (clock and increment)") from None

    def __str__(self) -> str:
        if self.move_seconds is not None:
            return f"{self.move_seconds:g}"
        return f"{self.base_seconds:g}+{self.increment_seconds:g}"


class Clocks:
    """What is left to both seats."""

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.left = [control.base_seconds or 0.0, control.base_seconds or 0.0]

    def allowed(self, seat: int) -> float:
        """The seconds this seat may take for its next move."""
        return self.left[seat] if self.control.move_seconds is None else self.control.move_seconds

    def spend(self, seat: int, seconds: float) -> None:
        """Book the time of a move that was made."""
        if self.control.move_seconds is None:
            self.left[seat] = max(self.left[seat] - seconds, 0.0) + self.control.increment_seconds

    def sensible(self, seat: int) -> float:
        """How long a player without a plan of its own should think."""
        if self.control.move_seconds is not None:
            return self.control.move_seconds
        share = self.left[seat] / 30 + 0.8 * self.control.increment_seconds
        return max(min(share, self.left[seat] * 0.5), 0.001)

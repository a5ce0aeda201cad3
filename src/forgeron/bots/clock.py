"""Time controls and clocks: seconds a move, a clock with increment, both in processor time, too, or nodes a move."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import NamedTuple

from forgeron.core.errors import OptionError
from forgeron.core.game import Game
from forgeron.players.base import Limit

#: A clock is shared out over the moves of a typical game that are still to come, but always over at least this part of
#: all of them, and this number: so it never runs out, however long the game.
_LEAST_PART, _LEAST_MOVES = 0.4, 3
#: The share of the first move of an opening; those of the following ones rise to a whole one.
_FIRST_SHARE = 0.25
#: A difficult move may take so many times its share, but never more of the clock than this.
_MOST_TARGETS, _MOST_SHARE = 4, 0.4
#: Kept for what is needed besides thinking: so many seconds, which a game of many moves takes however long its clock
#: is, but of a very short clock this part; of a long one at least this part. In need, this part of the rest is used.
_KEPT_SECONDS, _MOST_KEPT_PART, _KEPT_PART, _NEED_PART = 0.15, 0.05, 0.01, 0.005
_SHORTEST_SECONDS = 1e-6
#: A week and a million million nodes: beyond that a time is a slip of the hand, and the system's timers overflow.
MOST_SECONDS, MOST_NODES = 604_800.0, 10**12


@dataclass(frozen=True)
class TimeControl:
    """Exactly one of: `move_seconds` for every move; `base_seconds` for the game with `increment_seconds` after each
    move; `move_nodes` for every move, which makes games of deterministic players repeatable.

    >>> TimeControl.parse("0.5"), TimeControl.parse("60+0.5"), TimeControl.parse("0.1cpu"), TimeControl.parse("1000n")
    (<TimeControl 0.5>, <TimeControl 60+0.5>, <TimeControl 0.1cpu>, <TimeControl 1000n>)
    """

    move_seconds: float | None = None
    base_seconds: float | None = None
    increment_seconds: float = 0.0
    move_nodes: int | None = None
    cpu: bool = False
    """whether seconds are those of the processor: for players of ours, on a machine that has other work, too"""
    margin_seconds: float = 0.05
    """what a message may take on its way; only then a move is too late"""
    nodes_seconds: float = 60.0
    """with `move_nodes`: when a bot is given up all the same"""

    def __post_init__(self) -> None:
        given = [part for part in (self.move_seconds, self.base_seconds, self.move_nodes) if part is not None]
        if len(given) != 1 or not given[0] > 0 or self.increment_seconds < 0:
            raise OptionError("give one of: seconds a move, a clock with increment, nodes a move; more than 0 of it")
        times = (self.move_seconds or 0, self.base_seconds or 0, self.increment_seconds)
        if not max(times) <= MOST_SECONDS or (self.move_nodes or 0) > MOST_NODES:
            raise OptionError(f"a time is at most {MOST_SECONDS:.0f} (seconds, a week) or {MOST_NODES:.0e}n (nodes)")

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """Reads "0.5" (seconds a move), "60+0.5" (a clock with increment), either with "cpu" behind it (seconds of the
        processor) and "1000n" (nodes a move)."""
        number = r"(\d+(?:\.\d*)?|\.\d+)"
        if match := re.fullmatch(rf"{number}(cpu)?", text):
            return cls(move_seconds=float(match[1]), cpu=bool(match[2]))
        if match := re.fullmatch(rf"{number}\+{number}(cpu)?", text):
            return cls(base_seconds=float(match[1]), increment_seconds=float(match[2]), cpu=bool(match[3]))
        if match := re.fullmatch(r"(\d{1,4000})n", text):
            return cls(move_nodes=int(match[1]))
        raise OptionError(f"'{text}' is not a time: write 0.5 (a move), 60+0.5 (clock and increment) or 1000n (nodes)")

    def __str__(self) -> str:
        if self.move_nodes is not None:
            return f"{self.move_nodes}n"
        clock = f"{self.base_seconds:g}+{self.increment_seconds:g}" if self.base_seconds else f"{self.move_seconds:g}"
        return clock + "cpu" * self.cpu

    def __repr__(self) -> str:
        return f"<TimeControl {self}>"


class Pace(NamedTuple):
    """How a clock is shared out over the moves of a game."""

    moves: int = 40
    """the choices of a player in a typical game"""
    opening: int = 0
    """the first of them that get less than a whole share"""

    @classmethod
    def of(cls, game: Game) -> Pace:
        return cls(game.typical_moves(), game.opening_moves())

    def share(self, made: float) -> float:
        """What a move gets after so many others, a whole share being 1."""
        return 1.0 if made >= self.opening else _FIRST_SHARE + (1 - _FIRST_SHARE) * made / self.opening

    def moves_left(self, made: int) -> float:
        """How often what the next move gets has to be there, after so many others.

        >>> [Pace(40).moves_left(made) for made in (0, 10, 30, 36, 100)]
        [40.0, 30.0, 16.0, 16.0, 16.0]
        >>> [round(Pace(40, opening=4).moves_left(made), 1) for made in (0, 1, 2, 3, 4)]
        [152.5, 86.6, 59.9, 45.3, 36.0]
        """
        in_opening = max(min(self.opening, self.moves) - made, 0)
        shares = float(max(self.moves - made - in_opening, 0))
        if in_opening:
            shares += in_opening * self.share(made + (in_opening - 1) / 2)  # they rise evenly: as many times the middle
        return max(shares / self.share(made), _LEAST_PART * self.moves, _LEAST_MOVES)


#: Of a game that nobody has told anything of.
_USUAL_PACE = Pace()


def shared_out(left: float, base: float, pace: Pace, made: int, increment: float = 0.0) -> Limit:
    """What the next move of a player should cost, and may at most, when so many seconds are left of `base` for the
    whole game, and so many more come with every move."""
    kept = max(_KEPT_PART * base, min(_KEPT_SECONDS, _MOST_KEPT_PART * base))
    usable = max(left - kept, _NEED_PART * left, 0.0)
    target = usable / pace.moves_left(made) + 0.8 * increment
    most = max(min(_MOST_TARGETS * target, usable * _MOST_SHARE), _SHORTEST_SECONDS)
    return Limit(seconds=most, target_seconds=max(min(target, most), _SHORTEST_SECONDS))


class Clocks:
    """What is left to both seats. Each has a control of its own; where one is given, it is that of both."""

    def __init__(self, control: TimeControl, second: TimeControl | None = None, *, pace: Pace = _USUAL_PACE) -> None:
        self.controls = (control, second or control)
        self.made = [0, 0]
        """the moves of each seat so far"""
        self._pace = pace
        self.left = [one.base_seconds or 0.0 for one in self.controls]
        self._margins = [one.margin_seconds for one in self.controls]

    def __str__(self) -> str:
        """The controls as a record keeps them: one, or those of the two seats.

        >>> str(Clocks(TimeControl.parse("0.5"))), str(Clocks(TimeControl.parse("200n"), TimeControl.parse("5000n")))
        ('0.5', '200n / 5000n')
        """
        first, second = self.controls
        return str(first) if first == second else f"{first} / {second}"

    def allowed(self, seat: int) -> float:
        """The seconds this seat may take for its next move."""
        control = self.controls[seat]
        if control.base_seconds is not None:
            return self.left[seat]
        return control.move_seconds or control.nodes_seconds

    def deadline_seconds(self, seat: int) -> float:
        """After how many seconds a move is too late: what is allowed, and the margin.

        On a clock there is one margin for the whole game: what was once taken of it is gone.
        """
        control = self.controls[seat]  # as in `allowed`, which is asked as often as there are moves
        if control.base_seconds is not None:
            return self.left[seat] + self._margins[seat]
        return (control.move_seconds or control.nodes_seconds) + self._margins[seat]

    def spend(self, seat: int, seconds: float) -> None:
        """Book the time of a move that was made."""
        self.made[seat] += 1
        control = self.controls[seat]
        if control.base_seconds is not None:
            left = self.left[seat] - seconds
            self._margins[seat] = max(self._margins[seat] + min(left, 0.0), 0.0)
            self.left[seat] = max(left, 0.0) + control.increment_seconds

    def limit(self, seat: int) -> Limit:
        """What a player without a plan of its own should spend on the next move, and may at most."""
        control = self.controls[seat]
        if control.move_nodes is not None:
            return Limit(nodes=control.move_nodes)
        if control.move_seconds is not None:
            return Limit(seconds=control.move_seconds, cpu=control.cpu)
        base = control.base_seconds or self.left[seat]
        limit = shared_out(self.left[seat], base, self._pace, self.made[seat], control.increment_seconds)
        return replace(limit, cpu=True) if control.cpu else limit

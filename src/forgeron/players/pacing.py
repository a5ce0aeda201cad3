"""When a search that deepens a ply at a time has thought enough about a move."""

from __future__ import annotations

from forgeron.players.base import Limit

#: Right after the best move has changed a move may take so many times its target; less with every depth without change.
_UNSETTLED, _CALMER, _SETTLED = 2.0, 0.75, 0.5
#: A value that fell by this much, as a probability, doubles the time.
_ALARMING = 0.1
#: The first move of a depth, without which the depth teaches nothing, takes about this share of it.
_FIRST_MOVE = 0.4
#: How many times longer than the last depth the next one is expected to take, at least and at most.
_GROWTH = (1.5, 8.0)


class Pace:
    """Decides after every finished depth how long thinking may go on.

    Without a target there is nothing to save time for, and the limit alone counts. With one, a move whose search is
    settled ends at half the target, and one that keeps changing its mind, or sees its value fall, goes on up to the
    limit; and a depth that could not even rate its first move in what is left is not begun.
    """

    def __init__(self, limit: Limit) -> None:
        self._target = limit.target_seconds
        self._most = float("inf") if limit.seconds is None else limit.seconds
        self.allowed_seconds = self._most if self._target is None else min(self._target * _UNSETTLED, self._most)
        """since the beginning of the search; thinking ends when they are over"""
        self._unsettled = _UNSETTLED
        self._move: int | None = None
        self._best_value = 0.0
        self._finished_at = self._last_took = 0.0

    def goes_on(self, move: int, value: float, seconds: float) -> bool:
        """Told of a finished depth, its move and value (a probability), and when: whether to begin another one."""
        took, before = seconds - self._finished_at, self._last_took
        self._finished_at, self._last_took = seconds, took
        if self._target is None:
            return True
        fall = max(self._best_value - value, 0.0) if self._move is not None else 0.0
        changed = self._move is not None and move != self._move
        self._unsettled = _UNSETTLED if changed else max(self._unsettled * _CALMER, _SETTLED)
        self._move, self._best_value = move, max(value, self._best_value - fall / 2)
        factor = self._unsettled * (1 + min(fall / _ALARMING, 2.0))
        self.allowed_seconds = min(self._target * factor, self._most)
        growth = min(max(took / before, _GROWTH[0]), _GROWTH[1]) if before > 0 else _GROWTH[0]
        return seconds + _FIRST_MOVE * growth * took < self.allowed_seconds

"""Time management: when a search by iterative deepening has thought enough about a move."""

from __future__ import annotations

from forgeron.players.base import Limit

#: A value that fell by this much, as a probability, doubles the time.
_VALUE_DROP = 0.1
#: How many times longer than the last depth the next one is expected to take, at least and at most.
_BRANCHING = (1.5, 8.0)


class TimeManager:
    """Decides after every finished depth how long thinking may go on.

    Without a target there is nothing to save time for, and the limit alone counts. With one, a search whose best move
    is stable ends before the target; one whose best move keeps changing, or whose value falls, goes on up to the
    limit; and a depth that could not even search its first move in what is left is not begun.
    """

    #: How many times its target a move may take: right after the best move has changed; the factor for every depth
    #: without a change; the least.
    UNSTABLE, STABILITY_DECAY, STABLE = 2.5, 0.8, 0.8
    #: The fraction of a depth that its first move takes, without which the depth teaches nothing.
    FIRST_MOVE = 0.4

    def __init__(self, limit: Limit) -> None:
        self._target = limit.target_seconds
        self._most = float("inf") if limit.seconds is None else limit.seconds
        self.allowed_seconds = self._most if self._target is None else min(self._target * self.UNSTABLE, self._most)
        """since the beginning of the search; thinking ends when they are over"""
        self._instability = self.UNSTABLE
        self._move: int | None = None
        self._best_value = 0.0
        self._finished_at = self._last_took = 0.0

    def may_deepen(self, move: int, value: float, seconds: float) -> bool:
        """Told of a finished depth, its move and value (a probability), and when: whether to begin another one."""
        took, before = seconds - self._finished_at, self._last_took
        self._finished_at, self._last_took = seconds, took
        if self._target is None:
            return True
        fall = max(self._best_value - value, 0.0) if self._move is not None else 0.0
        changed = self._move is not None and move != self._move
        self._instability = self.UNSTABLE if changed else max(self._instability * self.STABILITY_DECAY, self.STABLE)
        self._move, self._best_value = move, max(value, self._best_value - fall / 2)
        factor = self._instability * (1 + min(fall / _VALUE_DROP, 2.0))
        self.allowed_seconds = min(self._target * factor, self._most)
        branching = min(max(took / before, _BRANCHING[0]), _BRANCHING[1]) if before > 0 else _BRANCHING[0]
        return seconds + self.FIRST_MOVE * branching * took < self.allowed_seconds

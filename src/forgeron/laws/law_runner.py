"""Tries the laws on a game, in this process, which may hang or crash: `isolated_run` does it in another one."""

from __future__ import annotations

import random
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from forgeron.core.contract import OVER, fixed
from forgeron.core.game import Game
from forgeron.laws.catalogue import Check, Law
from forgeron.laws.findings import Finding
from forgeron.laws.hints import TookTooLong, hint_for, said_by
from forgeron.laws.reached_positions import ReachedPosition
from forgeron.laws.safe_notation import text_of, tokens_of
from forgeron.laws.shrinking import shrink
from forgeron.laws.source_locations import location_of_error, location_of_rule
from forgeron.laws.violation import BrokenLaw

#: So many of the first positions are tried whatever chance does: what is wrong is often wrong at once.
FIRST_POSITIONS = 40
#: A random game is left after so many plies: whether games end is a law of its own.
LONGEST_WALK = 1_000

Notice = Callable[[Law, ReachedPosition], None]
"""told before a law is tried, so that somebody knows what killed the process"""


class LawRunner:
    """Tries laws on one game until one is broken or the time is up."""

    def __init__(
        self,
        game: Game,
        laws: Sequence[Law],
        *,
        seconds: float,
        patience: float,
        notice: Notice | None = None,
        found: Callable[[Finding], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.game = game
        self.positions = 0
        self.games = 0
        self._laws = laws
        self._checks: list[Check] = [law.begin() for law in laws]
        self._patience = patience
        """seconds after which a rule is taken for endless"""
        self._notice = notice
        self._found = found
        """told what is broken before the shortest game is looked for, which may never end"""
        self._clock = clock
        self._seconds = seconds
        self._package = type(game).__module__.partition(".")[0]

    def run(self, plies: int, seed: int = 0) -> Finding | None:
        """Try the laws on the first positions and on random games of so many plies in all."""
        deadline = float("inf")
        visits = self._visits(plies, seed)
        while True:
            try:
                with time_limit(self._patience):
                    visit = next(visits, None)
            except BaseException as error:
                # The laws on `play` and `moves` come before the next position: only a game that is not pure gets here.
                return self._finding(self._laws[0], ReachedPosition(self.game, None), _catch(error))
            if visit is None or self._clock() > deadline:
                return None
            self.positions += 1
            for law, check in zip(self._laws, self._checks, strict=True):
                if self.positions % law.every and visit.line and not _is_over(visit):
                    continue
                broken = self._try(law, check, visit, self._patience)
                if broken is not None:
                    return self._shrunk(law, visit, broken)
            if self.positions == 1:  # now everything is compiled
                deadline = self._clock() + self._seconds

    def _visits(self, plies: int, seed: int) -> Iterator[ReachedPosition]:
        start = ReachedPosition(self.game, fixed(self.game.start_state()))
        waiting = deque([start])
        for _ in range(FIRST_POSITIONS):
            if not waiting:
                break
            visit = waiting.popleft()
            yield visit
            waiting.extend(visit.after(move) for move in visit.moves[:FIRST_POSITIONS])
        rng = random.Random(seed)
        while plies > 0:
            visit, self.games = start, self.games + 1
            while visit.turn != OVER and len(visit.line) < LONGEST_WALK:
                visit = visit.after(rng.choice(visit.moves))
                plies -= 1
                yield visit
            plies -= 1  # a game that is over at once must not be tried for ever

    def _try(self, law: Law, check: Check, visit: ReachedPosition, patience: float) -> BaseException | None:
        if self._notice is not None:
            self._notice(law, visit)
        try:
            with time_limit(patience), np.errstate(over="ignore", divide="raise", invalid="raise"):
                check(visit)
        except BaseException as error:
            return _catch(error)
        return None

    def _shrunk(self, law: Law, visit: ReachedPosition, error: BaseException) -> Finding:
        """The finding for the shortest game that can be found in a few seconds."""
        deadline = self._clock() + 4 * self._patience
        wanted = self._finding(law, visit, error)
        if self._found is not None:
            self._found(wanted)
        best: dict[tuple[int, ...], BaseException] = {}

        def breaks(check: Check, other: ReachedPosition) -> bool:
            if self._clock() > deadline:
                return False
            found = self._try(law, check, other, self._patience / 4)
            if found is None or type(found) is not type(error):
                return False
            if self._finding(law, other, found).place != wanted.place:
                return False
            best[other.line] = found
            return True

        try:
            with time_limit(5 * self._patience):
                line, shortest = shrink(self.game, visit.line, law.begin, breaks)
        except TookTooLong:
            return wanted
        in_time = self._clock() <= deadline
        if line not in best:
            return wanted
        end = ReachedPosition(self.game, _state_after(self.game, line), line)
        return self._finding(law, end, best[line], shortest and in_time)

    def _finding(self, law: Law, visit: ReachedPosition, error: BaseException, shortest: bool = False) -> Finding:
        rule = error.rule if isinstance(error, BrokenLaw) else ""
        raised = error.__cause__ or (None if rule else error)
        place = location_of_error(raised, self._package) if raised is not None else None
        if place is None and rule:
            place = location_of_rule(self.game, rule)
        return Finding(
            law=law.sentence,
            said=said_by(error, place),
            remedy=hint_for(error),
            rule=rule,
            file=place.file if place else "",
            line=place.line if place else 0,
            moves=None if visit.state is None else tuple(tokens_of(self.game, visit.line)),
            position="" if visit.state is None else text_of(self.game, visit.state),
            shortest=shortest,
        )


def _is_over(visit: ReachedPosition) -> bool:
    """Whether all laws should be tried here: at the end of a game, and where not even that can be told."""
    try:
        return visit.turn == OVER
    except Exception:
        return True


def _state_after(game: Game, line: tuple[int, ...]) -> Any:
    visit = ReachedPosition(game, fixed(game.start_state()))
    for move in line:
        visit = visit.after(move)
    return visit.state


def _catch(error: BaseException) -> BaseException:
    """Errors of a game are what is looked for; Ctrl-C is not."""
    if isinstance(error, KeyboardInterrupt):
        raise error
    return error


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise `TookTooLong` where the Python code below is after so many seconds. Only in the main thread.

    One inside another ends no later than the outer one.
    """

    def ring(*_: object) -> None:
        raise TookTooLong(seconds)

    left, _ = signal.getitimer(signal.ITIMER_REAL)
    started = time.monotonic()
    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, min(seconds, left) if left else seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, max(left - (time.monotonic() - started), 1e-3) if left else 0)
        signal.signal(signal.SIGALRM, before)

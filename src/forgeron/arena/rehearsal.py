"""Before the first game: every entrant tried as `forgeron check` tries a bot, and how long the event will take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass

from forgeron.arena.check import Check
from forgeron.arena.entrant import Entrant, control_of
from forgeron.arena.referee import Referee
from forgeron.arena.schedule import ScheduledGame
from forgeron.arena.tournament import Tournament
from forgeron.bots.contestant import BuiltIn
from forgeron.bots.sandbox import Sandbox
from forgeron.core.errors import ForgeronError
from forgeron.core.game import Game
from forgeron.core.record import Record
from forgeron.players import player

_SEED = 1


@dataclass(frozen=True)
class Trial:
    """How an entrant did when it was tried."""

    name: str
    passed: bool
    note: str
    """what went wrong, or how its game against random moves ended"""
    record: Record | None = None
    """that game, the entrant in seat 0"""
    seconds: float = 0.0
    """what that game took, with its start and end: of many short games that is most of it"""

    @property
    def plies(self) -> int:
        return len(self.record.moves) if self.record else 0


@dataclass(frozen=True)
class Forecast:
    """How long games will take, so many at the same time."""

    games: int
    expected_seconds: float
    """if all play as they did when they were tried"""
    longest_seconds: float | None
    """if all take all the time they have; None where a limit of nodes says nothing about time"""
    plies: int
    """in games of so many plies, the longest of those that were tried"""


def try_all(event: Tournament, jobs: int) -> Iterator[Trial]:
    """Try every entrant, so many at the same time; each trial when it has ended."""
    game = event.terms.open_game()
    present = [one for one in event.entrants if one.name not in event.roll.withdrawn]
    with ThreadPoolExecutor(jobs) as pool:
        trials = [pool.submit(_try, entrant, event, game) for entrant in present]
        try:
            for one in as_completed(trials):
                yield one.result()
        finally:
            for one in trials:
                one.cancel()


def _try(entrant: Entrant, event: Tournament, game: Game) -> Trial:
    here = entrant.located(event.terms.folder)
    try:
        return _try_program(here, event, game) if here.player is None else _try_player(here, event, game)
    except ForgeronError as error:
        return Trial(entrant.name, False, str(error))


def _try_program(entrant: Entrant, event: Tournament, game: Game) -> Trial:
    check = Check(
        game,
        entrant.command,
        entrant.protocol,
        control_of(entrant, event.terms.time),
        entrant.options,
        Sandbox(memory_mb=entrant.memory_mb, bwrap=entrant.bwrap),
        entrant.startup_seconds,
        _SEED,
    )
    game_step = None
    for step in check.steps():
        if step.passed is False:
            return Trial(entrant.name, False, f"{step.what}: {step.note}")
        if step.record is not None:
            game_step = step
    assert game_step is not None
    return Trial(entrant.name, True, game_step.note, game_step.record, game_step.seconds)


def _try_player(entrant: Entrant, event: Tournament, game: Game) -> Trial:
    """A player of ours plays a game against random moves: only to see how long it takes."""
    rival = BuiltIn("random", player("random", game, seed=_SEED))
    own = entrant.enter(game)
    record = Referee(game, (own, rival), control_of(entrant, event.terms.time), seed=_SEED).play()
    passed = record.winner != 1 or record.reason == "win"
    # Not what compiling took: that is done once, not in every game.
    thought = sum(note["t"] for note in record.extra["notes"])
    return Trial(entrant.name, passed, f"player {entrant.player}", record, thought)


def forecast(event: Tournament, games: Sequence[ScheduledGame], trials: Iterable[Trial], jobs: int) -> Forecast:
    """How long these games take, by how long the trials took."""
    tried = {one.name: one for one in trials}
    seats = Counter(name for game in games for name in game.seats)
    plies = max((one.plies for one in tried.values()), default=0)
    expected = sum(tried[name].seconds * count for name, count in seats.items() if name in tried)
    longest = _longest(event, seats, plies)
    return Forecast(len(games), expected / jobs, None if longest is None else longest / jobs, plies)


def _longest(event: Tournament, seats: Mapping[str, int], plies: int) -> float | None:
    total = 0.0
    for entrant in event.entrants:
        control = control_of(entrant, event.terms.time)
        moves = (plies + 1) // 2
        if control.base_seconds is not None:
            seconds = control.base_seconds + control.increment_seconds * moves
        elif control.move_seconds is not None:
            seconds = control.move_seconds * moves
        else:
            return None
        start = entrant.startup_seconds if entrant.player is None else 0.0
        total += (seconds + start) * seats.get(entrant.name, 0)
    return total

"""A match of two entrants: pairs of games from the same opening, until all are played or the test has decided.

What counts is a pure function of the games in the journal. Pairs count in the order of the schedule, whatever the
order in which they ended: so the test stops at the same pair with one worker or with many, interrupted or not, and
quick games do not come to bear before slow ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Mapping
from contextlib import closing
from dataclasses import InitVar, asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from forgeron.arena import schedule
from forgeron.arena.absent import at_fault
from forgeron.arena.entrant import Entrant
from forgeron.arena.event import MOST_GAMES, Terms, check_entrants, play, points
from forgeron.arena.executor import Executor
from forgeron.arena.journal import Journal
from forgeron.arena.overload import overload_of
from forgeron.arena.schedule import GameNames, Pairing, Round, ScheduledGame
from forgeron.arena.task import GameTask
from forgeron.bots.faults import Reason
from forgeron.core.errors import OptionError
from forgeron.core.options import check_kinds
from forgeron.core.record import Record
from forgeron.stats.elo import Pentanomial, Summary, summarise
from forgeron.stats.luck import LuckAdjusted, LuckTally
from forgeron.stats.sprt import Sprt, Verdict


@dataclass(frozen=True)
class Match:
    """Who plays whom, on which terms, and how long."""

    terms: Terms
    entrants: tuple[Entrant, Entrant]
    games: int
    """at most so many; an even number, as they are played in pairs"""
    sprt: Sprt | None = None
    to_be_played: InitVar[bool] = True
    """False: it is only read from its journal, and its players need not be there"""

    def __post_init__(self, to_be_played: bool) -> None:
        if self.games < 2 or self.games % 2:
            raise OptionError(f"games are played in pairs: give an even number such as 200, not {self.games}")
        if self.games > MOST_GAMES:
            raise OptionError(f"a match has at most {MOST_GAMES} games, not {self.games}")
        if to_be_played:
            check_entrants(self.entrants, self.terms)

    @property
    def names(self) -> tuple[str, str]:
        return self.entrants[0].name, self.entrants[1].name

    @property
    def title(self) -> str:
        return f"{self.names[0]} – {self.names[1]}"

    def settings(self) -> dict[str, Any]:
        """All that decides how the games go, for the journal."""
        return {
            "kind": "match",
            **self.terms.to_data(),
            "entrants": [entrant.to_data() for entrant in self.entrants],
            "games": self.games,
            "sprt": asdict(self.sprt) if self.sprt else None,
        }

    @classmethod
    def from_settings(cls, data: Mapping[str, Any], folder: Path) -> Match:
        """The match of a journal."""
        check_kinds("the match", data, {"entrants": (list,), "games": (int,), "sprt": (dict, type(None))})
        first, second = (Entrant.from_data(one) for one in data["entrants"])
        sprt = Sprt(**data["sprt"]) if data["sprt"] else None
        return cls(Terms.from_data(data, folder), (first, second), data["games"], sprt, to_be_played=False)

    @cached_property
    def schedule(self) -> list[tuple[ScheduledGame, ScheduledGame]]:
        """All pairs, in the order in which they count."""
        pairings = schedule.match(*self.names, self.games // 2).pairings
        return [self._two_games(pairing) for pairing in pairings]

    def scheduled(self, pairings: Iterable[Pairing]) -> list[ScheduledGame]:
        """The games of pairings; their ids and seeds depend on all settings."""
        return [game for one in pairings for game in self._two_games(one)]

    def _two_games(self, pairing: Pairing) -> tuple[ScheduledGame, ScheduledGame]:
        return self._names.games_of(pairing)

    @cached_property
    def _names(self) -> GameNames:
        return GameNames(self.settings(), self.terms.seed)

    def rounds(self, records: Mapping[str, Record]) -> list[Round]:
        return [schedule.match(*self.names, self.games // 2)]

    def counted(self, records: Mapping[str, Record]) -> dict[str, Record]:
        """The games that count, in the order of the schedule."""
        counter = PairCounter(self)
        counter.update(records)
        return {game.id: records[game.id] for pair in self.schedule[: counter.pairs] for game in pair}

    def due(self, records: Mapping[str, Record]) -> list[GameTask]:
        """The games still to be played."""
        if PairCounter(self).update(records).decided:
            return []
        openings = self.terms.openings(self.games // 2)
        entrants = {entrant.name: entrant for entrant in self.entrants}
        games = (game for pair in self.schedule for game in pair if game.id not in records)
        return [self.terms.task(game, entrants, openings) for game in games]


@dataclass(frozen=True)
class Standing:
    """Where a match stands; every number is from the viewpoint of its first-named entrant."""

    results: Pentanomial
    summary: Summary
    verdict: Verdict | None
    wins: int
    draws: int
    losses: int
    faults: tuple[Counter[str], Counter[str]]
    """for each entrant, how often it lost by a fault of its own, by reason"""
    overloads: tuple[int, int]
    """those of them that were on time with so little processor time that the machine was perhaps overloaded"""
    decided: bool
    """nothing more is to be played"""
    played: int
    """games in the journal, those included that wait for the other game of their pair"""
    adjusted: LuckAdjusted | None = None
    """the score without the luck of the throws, in a game that has some"""

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    @property
    def games(self) -> int:
        """games that count"""
        return self.wins + self.draws + self.losses

    def crashes(self, entrant: int) -> int:
        """Losses by any fault but time."""
        return self.faults[entrant].total() - self.time_losses(entrant)

    def time_losses(self, entrant: int) -> int:
        return self.faults[entrant][Reason.TIME]


@dataclass
class PairCounter:
    """Counts pairs as they are completed; the answer depends on the records alone."""

    match: Match
    pairs: int = 0
    """how many of the schedule's pairs count so far"""
    _results: Pentanomial = field(default_factory=Pentanomial)
    _ends: Counter[float] = field(default_factory=Counter)
    _faults: tuple[Counter[str], Counter[str]] = field(default_factory=lambda: (Counter(), Counter()))
    _overloads: list[int] = field(default_factory=lambda: [0, 0])
    _verdict: Verdict | None = None
    _luck: LuckTally = field(default_factory=LuckTally)

    def __post_init__(self) -> None:
        if self.match.sprt is not None:
            self._verdict = self.match.sprt.judge(self._results)

    @property
    def decided(self) -> bool:
        stopped = self._verdict is not None and self._verdict.decision != "continue"
        return stopped or self.pairs == len(self.match.schedule)

    def update(self, records: Mapping[str, Record]) -> Standing:
        """Count what is complete by now, and say where the match stands."""
        while not self.decided:
            pair = [records.get(game.id) for game in self.match.schedule[self.pairs]]
            if pair[0] is None or pair[1] is None:
                break
            self._count(pair[0], pair[1])
        return Standing(
            results=self._results,
            summary=summarise(self._results),
            verdict=self._verdict,
            wins=self._ends[1.0],
            draws=self._ends[0.5],
            losses=self._ends[0.0],
            faults=(self._faults[0].copy(), self._faults[1].copy()),
            overloads=(self._overloads[0], self._overloads[1]),
            decided=self.decided,
            played=len(records),
            adjusted=self._luck.result(),
        )

    def _count(self, one: Record, two: Record) -> None:
        brought = points(one, 0), points(two, 1)
        self.pairs += 1
        self._results += Pentanomial.of([brought])
        self._ends.update(brought)
        luck = [self.match.terms.luck(record) for record in (one, two)]
        if luck[0] is not None and luck[1] is not None:
            self._luck.add(sum(brought) / 2, (luck[0] - luck[1]) / 2)
        for record, entrant_of_seat in ((one, (0, 1)), (two, (1, 0))):
            for seat in at_fault(record):
                self._faults[entrant_of_seat[seat]][record.reason] += 1
                self._overloads[entrant_of_seat[seat]] += overload_of(record) is not None
        if self.match.sprt is not None:
            self._verdict = self.match.sprt.judge(self._results)


def play_match(match: Match, journal: Journal, executor: Executor) -> Generator[Standing, None, None]:
    """Play what is still to be played: yields where the match stands, at first and after every game."""
    counter = PairCounter(match)
    standing = counter.update(journal.records)
    yield standing
    if standing.decided:
        return
    with closing(play(match.due(journal.records), executor, journal)) as played:
        for _ in played:
            standing = counter.update(journal.records)
            yield standing
            if standing.decided:
                return

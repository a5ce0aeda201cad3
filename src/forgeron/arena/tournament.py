"""Tournaments: what is to be played next is a pure function of the settings and the games in the journal.

So nothing but the journal has to survive: a tournament that was killed at any moment goes on where it was, and comes
to the same games as one that was not.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import InitVar, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, get_args

from forgeron.arena import schedule
from forgeron.arena.absent import Absent
from forgeron.arena.entrant import Entrant
from forgeron.arena.event import MOST_GAMES, Terms, check_entrants, play, points
from forgeron.arena.executor import Executor
from forgeron.arena.journal import Journal
from forgeron.arena.roll import Roll, first_roll
from forgeron.arena.schedule import GameNames, Pairing, Round, ScheduledGame
from forgeron.arena.task import GameTask
from forgeron.core.errors import OptionError, unknown_name
from forgeron.core.options import check_kinds
from forgeron.core.record import Record

Format = Literal["round-robin", "gauntlet", "swiss", "knockout"]
FORMATS: tuple[str, ...] = get_args(Format)
#: Formats whose encounters do not depend on each other: entrants may come and go at any time.
FREE_FORMATS = ("round-robin", "gauntlet")
#: A level encounter of a knockout gets so many more pairs of games; then the better seed goes on.
PLAY_OFFS = 4
_KINDS: dict[str, tuple[type, ...]] = {
    "name": (str,),
    "entrants": (list,),
    "format": (str,),
    "pairs": (int,),
    "rounds": (int,),
    "challengers": (list,),
    "roll": (dict,),
}


@dataclass(frozen=True)
class TournamentState:
    """How far a tournament is."""

    rounds: list[Round]
    """those that have begun, or can begin"""
    due: list[ScheduledGame]
    """what can be played now; empty when the tournament is over"""
    total: int
    """games of the whole tournament, as far as one can know now"""
    through: list[list[str]] = field(default_factory=list)
    """in a knockout: who won an encounter of each round that is over"""


@dataclass(frozen=True)
class Tournament:
    """Who takes part, on which terms, and who meets whom."""

    name: str
    terms: Terms
    entrants: tuple[Entrant, ...]
    format: str = "round-robin"
    pairs: int = 1
    """pairs of games when two entrants meet"""
    swiss_rounds: int = 0
    """0: as many as a knockout would have"""
    challengers: tuple[str, ...] = ()
    """in a gauntlet: those who meet all the others; the first entrant when empty"""
    roll: Roll = field(default_factory=Roll)
    """who entered it when; of the entrants alone when empty"""
    fixed: bool = False
    """its journal is older than rolls: its games are known by all settings together, and nothing can change"""
    to_be_played: InitVar[bool] = True
    """False: it is only read from its journal, and its players need not be there"""

    def __post_init__(self, to_be_played: bool) -> None:
        if to_be_played:
            check_entrants([one for one in self.entrants if one.name not in self.roll.withdrawn], self.terms)
        if not self.roll.names:
            object.__setattr__(self, "roll", first_roll(self.names))
        if self.format not in FORMATS:
            raise unknown_name("format", self.format, FORMATS)
        if len(self.entrants) < 2:
            raise OptionError(f"a tournament needs 2 entrants or more, not {len(self.entrants)}")
        if self.pairs < 1:
            raise OptionError(f"pairs is 1 or more, not {self.pairs}")
        n = len(self.entrants)
        if self.pairs * n * n > MOST_GAMES:
            raise OptionError(f"{n} entrants and {self.pairs} pairs are more than {MOST_GAMES} games; give fewer pairs")
        if self.swiss_rounds and self.format != "swiss":
            raise OptionError(f"rounds can be chosen for the format swiss, not for {self.format}")
        if not 0 <= self.swiss_rounds < len(self.entrants):
            raise OptionError(
                f"{len(self.entrants)} entrants can play 1 to {len(self.entrants) - 1} rounds without meeting again, "
                f"not {self.swiss_rounds}"
            )
        if self.challengers and self.format != "gauntlet":
            raise OptionError(f"challengers are for the format gauntlet, not for {self.format}")
        for name in self.challengers:
            if name not in self.names:
                raise unknown_name("entrant", name, self.names)
        if len(set(self.challengers)) == len(self.entrants):
            raise OptionError("a gauntlet needs an entrant who is no challenger")

    @property
    def names(self) -> list[str]:
        return [entrant.name for entrant in self.entrants]

    @property
    def title(self) -> str:
        return self.name

    def settings(self) -> dict[str, Any]:
        """All that decides how the games go, for the journal."""
        return {
            "kind": "tournament",
            "name": self.name,
            **self.terms.to_data(),
            "format": self.format,
            "pairs": self.pairs,
            "rounds": self.swiss_rounds,
            "challengers": list(self.challengers),
            "entrants": [entrant.to_data() for entrant in self.entrants],
            **({} if self.fixed else {"roll": self.roll.to_data()}),
        }

    @classmethod
    def from_settings(cls, data: Mapping[str, Any], folder: Path) -> Tournament:
        """The tournament of a journal."""
        check_kinds("the tournament", data, _KINDS)
        entrants = tuple(Entrant.from_data(one) for one in data["entrants"])
        roll = Roll.from_data(data["roll"]) if "roll" in data else Roll()
        unknown = {one.name for one in entrants} - {*roll.names} if "roll" in data else set()
        if unknown:
            raise OptionError(f"the tournament: {min(unknown)} is not on its roll")
        return cls(
            data["name"],
            Terms.from_data(data, folder),
            entrants,
            data["format"],
            data["pairs"],
            data["rounds"],
            tuple(data["challengers"]),
            roll,
            fixed="roll" not in data,
            to_be_played=False,
        )

    # --- what is to be played ---------------------------------------------------------------------------------------

    def progress(self, records: Mapping[str, Record]) -> TournamentState:
        """How far the tournament is after these games."""
        if self.format == "swiss":
            return self._swiss(records)
        if self.format == "knockout":
            return self._knockout(records)
        if self.format == "gauntlet":
            chosen = self.challengers or (self.names[0],)
            others = [name for name in self.names if name not in chosen]
            rounds = schedule.gauntlet(chosen, others, self.pairs)
        else:
            rounds = schedule.round_robin(self.names, self.pairs)
        due = self._missing((pairing for one in rounds for pairing in one.pairings), records)
        return TournamentState(rounds, due, sum(2 * len(one.pairings) for one in rounds))

    def rounds(self, records: Mapping[str, Record]) -> list[Round]:
        return self.progress(records).rounds

    def counted(self, records: Mapping[str, Record]) -> dict[str, Record]:
        """The games that count, in the order of the schedule: not those of who left, nor of earlier versions."""
        games = [game for one in self.rounds(records) for game in self.scheduled(one.pairings)]
        return {game.id: records[game.id] for game in games if game.id in records}

    def due(self, records: Mapping[str, Record]) -> list[GameTask]:
        """The games that can be played now."""
        games = self.progress(records).due
        entrants = {entrant.name: entrant for entrant in self.entrants}
        return [self.terms.task(game, entrants, self._openings) for game in games]

    def bye_points(self, rounds: Iterable[Round]) -> dict[str, float]:
        """In a Swiss tournament who has no opponent in a round gets the points of an encounter that was won."""
        brought = dict.fromkeys(self.names, 0.0)
        if self.format == "swiss":
            for one in rounds:
                for name in one.byes:
                    brought[name] += 2 * self.pairs
        return brought

    def _swiss(self, records: Mapping[str, Record]) -> TournamentState:
        total = 0
        rounds: list[Round] = []
        due: list[ScheduledGame] = []
        for number in range(1, self.swiss_round_count + 1):
            there = [name for name in self.names if self.roll.is_there(name, number)]
            total += len(there) // 2 * 2 * self.pairs
            if due or len(there) < 2:
                continue
            order = schedule.drawn_order(there, self.terms.seed)
            brought = self.bye_points(rounds)
            for one in rounds:
                for name, value in self._points(one.pairings, records).items():
                    brought[name] += value
            known = {name: brought[name] for name in there}
            rounds.append(schedule.swiss_round(order, known, rounds, self.pairs))
            due = self._missing(rounds[-1].pairings, records)
        return TournamentState(rounds, due, total)

    @property
    def swiss_round_count(self) -> int:
        """As many rounds as were asked for, or as a knockout would have."""
        n = len(self.names)
        return self.swiss_rounds or max(1, min(math.ceil(math.log2(n)), n - 1))

    def _knockout(self, records: Mapping[str, Record]) -> TournamentState:
        rounds: list[Round] = []
        through: list[list[str]] = []
        while (drawn := schedule.knockout_round(self.names, through, self.pairs)) is not None:
            pairings, winners = [], []
            for number in sorted({pairing.number for pairing in drawn.pairings}):
                encounter = [pairing for pairing in drawn.pairings if pairing.number == number]
                winner = self._decide(encounter, records)
                pairings += encounter
                winners += [winner] if winner else []
            rounds.append(Round(tuple(pairings), drawn.byes))
            due = self._missing(pairings, records)
            if due:
                left = len(self.entrants) - 1 - sum(map(len, through)) - len({p.number for p in pairings})
                begun = sum(2 * len(one.pairings) for one in rounds)
                return TournamentState(rounds, due, begun + 2 * self.pairs * left, through)
            through.append(winners)
        return TournamentState(rounds, [], sum(2 * len(one.pairings) for one in rounds), through)

    def _decide(self, encounter: list[Pairing], records: Mapping[str, Record]) -> str | None:
        """Who goes on; None while games are missing. A level encounter gets its play-offs appended."""
        for extra in range(PLAY_OFFS + 1):
            if self._missing(encounter, records):
                return None
            first, second = encounter[0].names
            brought = self._points(encounter, records)
            if brought[first] != brought[second]:
                return first if brought[first] > brought[second] else second
            if extra < PLAY_OFFS:
                encounter.append(schedule.play_off(encounter))
        return min(encounter[0].names, key=self.names.index)

    # --- games ------------------------------------------------------------------------------------------------------

    def scheduled(self, pairings: Iterable[Pairing]) -> list[ScheduledGame]:
        """The games of pairings; their ids and seeds depend on the terms and on who meets as which version."""
        return [game for one in pairings for game in self._two_games(one)]

    def _two_games(self, pairing: Pairing) -> tuple[ScheduledGame, ScheduledGame]:
        """Computed once: results and schedule ask for all games again and again."""
        games = self._games.get(pairing)
        if games is None:
            games = self._games[pairing] = self._named_games(pairing)
        return games

    def _named_games(self, pairing: Pairing) -> tuple[ScheduledGame, ScheduledGame]:
        if self.fixed:
            return self._names.games_of(pairing)
        known = self.roll.encounter(pairing) if self.format in FREE_FORMATS else pairing
        players = [[name, self.roll.version(name)] for name in known.names]
        one, two = schedule.games_of(known, {**self._terms_data, "players": players}, self.terms.seed)
        return replace(one, pairing=pairing), replace(two, pairing=pairing)

    @cached_property
    def _games(self) -> dict[Pairing, tuple[ScheduledGame, ScheduledGame]]:
        return {}

    def _missing(self, pairings: Iterable[Pairing], records: Mapping[str, Record]) -> list[ScheduledGame]:
        return [game for game in self.scheduled(pairings) if game.id not in records]

    def _points(self, pairings: Iterable[Pairing], records: Mapping[str, Record]) -> dict[str, float]:
        brought: dict[str, float] = {}
        for game in self.scheduled(pairings):
            for seat in (0, 1):
                name = game.seats[seat]
                brought[name] = brought.get(name, 0.0) + points(records[game.id], 1 if seat else 0)
        return brought

    @cached_property
    def _names(self) -> GameNames:
        return GameNames(self.settings(), self.terms.seed)

    @cached_property
    def _terms_data(self) -> dict[str, Any]:
        return self.terms.to_data()

    @cached_property
    def _openings(self) -> Sequence[tuple[str, ...]]:
        """Enough for the longest this tournament can become."""
        n = len(self.entrants)
        if self.format in FREE_FORMATS and not self.fixed:
            return self.terms.openings(self.roll.openings_needed(self.pairs))
        rounds = {"swiss": self.swiss_rounds or n, "knockout": math.ceil(math.log2(n))}.get(self.format, n)
        return self.terms.openings(rounds * self.pairs + (PLAY_OFFS if self.format == "knockout" else 0))


def play_tournament(
    tournament: Tournament, journal: Journal, executor: Executor
) -> Generator[tuple[int, int], None, None]:
    """Play what is still to be played: yields (games so far, games in all), at first and after every game."""
    while True:
        progress = tournament.progress(journal.records)
        counted = tournament.counted(journal.records)
        done = len(counted)
        yield done, progress.total
        if not progress.due:
            return
        absent = Absent(counted.values(), tournament.roll.withdrawn)
        with closing(play(tournament.due(journal.records), executor, journal, absent)) as played:
            for _ in played:
                done += 1
                yield done, progress.total

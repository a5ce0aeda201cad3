"""What came out of an event: standings, crosstable, ratings and faults, all computed from its journal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from forgeron.arena import journal
from forgeron.arena.event import at_fault, points
from forgeron.arena.match import Match, Tally
from forgeron.arena.ratings import Ratings, rate
from forgeron.arena.schedule import Round, games_of
from forgeron.arena.statistics import Estimate, Trinomial
from forgeron.arena.tournament import Tournament
from forgeron.core.errors import ForgeronError
from forgeron.core.game import Game
from forgeron.core.record import Record

Event = Match | Tournament


@dataclass(frozen=True)
class Played:
    """A game that counts."""

    number: int
    """1, 2, … in the order of the schedule"""
    id: str
    round: int
    record: Record

    @property
    def names(self) -> tuple[str, str]:
        return self.record.players


@dataclass(frozen=True)
class Row:
    """An entrant in the standings."""

    place: int
    name: str
    points: float
    """byes included"""
    games: int
    score: Trinomial
    faults: Counter[str]
    """losses by a fault of its own, by reason"""
    rating: Estimate


@dataclass(frozen=True)
class Results:
    """All there is to say about an event so far."""

    event: Event
    games: list[Played]
    rows: list[Row]
    """the best first"""
    cross: Mapping[tuple[str, str], Trinomial]
    """results of the first-named against the second-named, whoever began"""
    ratings: Ratings
    due: int
    """games that could be played now: 0 when the event is over"""
    champion: str | None = None
    """who won the last encounter of a knockout"""

    def progress(self, name: str) -> list[float]:
        """Points above even after each game of an entrant: 0, then one number a game."""
        course = [0.0]
        for game in self.games:
            for seat in (0, 1):
                if game.names[seat] == name:
                    course.append(course[-1] + points(game.record, 1 if seat else 0) - 0.5)
        return course


def read_results(path: Path) -> Results:
    """The results of the journal at this path; nobody needs to have stopped writing it."""
    settings, records = journal.read(path)
    return results_of(event_of(settings, path), records)


def event_of(settings: Mapping[str, Any], path: Path) -> Event:
    """The match or tournament whose settings these are; `path` is its journal."""
    kinds: dict[str, type[Event]] = {"match": Match, "tournament": Tournament}
    kind = kinds.get(settings.get("kind", ""))
    if kind is None:
        raise ForgeronError(f"{path} is the journal of a '{settings.get('kind')}'; known: {', '.join(kinds)}")
    # A journal lies beside its tournament file, or in matches/ below the folder where the match was run.
    folders = [Path(), path.parent, path.parent.parent]
    name = str(settings["game"])
    folder = next((one for one in folders if name.endswith(".py") and (one / name).is_file()), Path())
    return kind.from_settings(settings, folder)


def results_of(event: Event, records: Mapping[str, Record]) -> Results:
    """The results of the games so far."""
    settings = event.settings()
    rounds = event.rounds(records)
    scheduled = [
        (one.round, game.id)
        for stage in rounds
        for one in stage.pairings
        for game in games_of(one, settings, event.terms.seed)
    ]
    counted = event.counted(records)
    played = [(number, id) for number, id in scheduled if id in counted]
    games = [Played(i, id, number, counted[id]) for i, (number, id) in enumerate(played, 1)]
    names = [entrant.name for entrant in event.entrants]
    ratings = rate([(*game.names, points(game.record, 0)) for game in games], players=names)
    cross = _cross(games)
    extra, reached, due = _by_format(event, records)
    rows = []
    for name in names:
        score = sum((one for (own, _), one in cross.items() if own == name), Trinomial())
        faults = Counter(g.record.reason for g in games for seat in at_fault(g.record) if g.names[seat] == name)
        own = score.wins + score.draws / 2 + extra.get(name, 0.0)
        rows.append(Row(0, name, own, score.games, score, faults, ratings.rating(name)))
    rows.sort(key=lambda row: (-reached[row.name], -row.points, -row.rating.value, row.name))
    ranked = [Row(place, *list(vars(row).values())[1:]) for place, row in enumerate(rows, 1)]
    champion = ranked[0].name if isinstance(event, Tournament) and event.format == "knockout" and not due else None
    return Results(event, games, ranked, cross, ratings, due, champion)


def _by_format(event: Event, records: Mapping[str, Record]) -> tuple[dict[str, float], Counter[str], int]:
    """Points for byes, the round of a knockout that was reached, and how many games are due."""
    if isinstance(event, Match):
        standing = Tally(event).update(records)
        return {}, Counter(), 0 if standing.decided else event.games - standing.played
    progress = event.progress(records)
    reached: Counter[str] = Counter()
    if event.format == "knockout":
        for number, stage in enumerate(progress.rounds, 1):
            reached |= Counter(dict.fromkeys(_present(stage), number))
        for number, winners in enumerate(progress.through, 1):
            reached |= Counter(dict.fromkeys(winners, number + 1))
    return event.bye_points(progress.rounds), reached, len(progress.due)


def _present(stage: Round) -> set[str]:
    return {*stage.byes, *(name for pairing in stage.pairings for name in pairing.names)}


def _cross(games: list[Played]) -> dict[tuple[str, str], Trinomial]:
    table: dict[tuple[str, str], Trinomial] = {}
    for game in games:
        for seat in (0, 1):
            pair = (game.names[seat], game.names[1 - seat])
            one = Trinomial.of([points(game.record, 1 if seat else 0)])
            table[pair] = table.get(pair, Trinomial()) + one
    return table


@dataclass(frozen=True)
class ClassRow:
    """An entrant in a ranking by classes of results, such as that of the YINSH course."""

    name: str
    games: int
    """those that ended on the board, not by a fault"""
    grade: float | None
    """the mean grade of a game, where the game gives grades"""
    classes: Counter[str]
    """how often each class of result came, as this entrant sees it"""


def class_ranking(results: Results, game: Game) -> tuple[list[str], list[ClassRow]] | None:
    """Classes, the best first, and entrants, the best first; None for a game that does not grade its results.

    A game offers this by a method `ranking(position, seat)` that returns a tuple whose greater values are better: an
    enumeration member, a number within it, and what else settles ties. A method `course_score(position, seat)`
    gives the grade.
    """
    rank, grade = getattr(game, "ranking", None), getattr(game, "course_score", None)
    if rank is None:
        return None
    labels: dict[str, Any] = {}
    found: dict[str, list[tuple[Any, float | None, str]]] = {row.name: [] for row in results.rows}
    for one in results.games:
        if at_fault(one.record) or one.record.reason == "resign":
            continue
        end = one.record.positions(game)[-1]
        for seat in (0, 1):
            value = rank(end, seat)
            label = _label(value)
            labels.setdefault(label, tuple(value)[:2])
            found[one.names[seat]].append((value, grade(end, seat) if grade else None, label))
    rows = []
    for name, ends in found.items():
        grades = [mark for _, mark, _ in ends if mark is not None]
        mean = sum(grades) / len(grades) if grades else None
        rows.append(ClassRow(name, len(ends), mean, Counter(label for _, _, label in ends)))
    best: dict[str, list[Any]] = {name: sorted((end[0] for end in ends), reverse=True) for name, ends in found.items()}
    rows.sort(key=lambda row: (row.grade if row.grade is not None else -1.0, best[row.name]), reverse=True)
    return sorted(labels, key=lambda label: labels[label], reverse=True), rows


def _label(value: Any) -> str:
    kind, within = tuple(value)[:2]
    return f"{kind.name.lower().replace('_', ' ')} {within:+d}" if kind else f"{kind.name.lower()} {within}"

"""The results of an event: standings, crosstable, ratings and faults, all computed from its journal."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from forgeron.arena import journal
from forgeron.arena.absent import at_fault
from forgeron.arena.entrant import Entrant
from forgeron.arena.event import points
from forgeron.arena.match import Match, PairCounter, Standing
from forgeron.arena.merged import Merged
from forgeron.arena.overload import overload_of
from forgeron.arena.schedule import Round
from forgeron.arena.tournament import Tournament
from forgeron.core.errors import ForgeronError
from forgeron.core.game import Game
from forgeron.core.garbage import uncollected
from forgeron.core.position import Position, Seat
from forgeron.core.record import Record
from forgeron.stats.elo import Estimate, Trinomial
from forgeron.stats.ratings import Ratings, rate, tabulate

Event = Match | Tournament | Merged


@dataclass(frozen=True)
class GameResult:
    """A game that counts."""

    number: int
    """1, 2, … in the order of the schedule"""
    id: str
    round: int
    record: Record

    @property
    def names(self) -> tuple[str, str]:
        return self.record.players

    @property
    def winner(self) -> str | None:
        return None if self.record.winner is None else self.names[self.record.winner]

    @property
    def points(self) -> tuple[float, float]:
        return points(self.record, 0), points(self.record, 1)

    @property
    def detail(self) -> str | None:
        """What is known about the end of the game beyond its reason; in the words of a bot, often."""
        return self.record.extra.get("detail")

    @property
    def at_fault(self) -> list[str]:
        """Whose own fault ended the game, if anybody's."""
        return [self.names[seat] for seat in at_fault(self.record)]

    @property
    def overload(self) -> str | None:
        """Of a loss on time with little processor time: how little. The machine was perhaps overloaded."""
        noted = overload_of(self.record)
        return None if noted is None else str(noted)

    @property
    def move_notes(self) -> dict[int, dict[str, Any]]:
        """What was noted about each move, by its ply: nothing for openings and dice."""
        return {note["ply"]: note for note in self.record.extra.get("notes", [])}


@dataclass(frozen=True)
class StandingsRow:
    """An entrant in the standings."""

    place: int
    name: str
    points: float
    """byes included"""
    games: int
    score: Trinomial
    faults: Counter[str]
    """losses by a fault of its own, by reason"""
    overloads: int
    """losses on time with so little processor time that the machine was perhaps overloaded"""
    rating: Estimate
    entrant: Entrant
    adjusted: float | None = None
    """the points less the luck of the throws, in a game that has some; see `forgeron.stats.luck`"""


@dataclass(frozen=True)
class EventResults:
    """All there is to say about an event so far."""

    event: Event
    games: list[GameResult]
    rows: list[StandingsRow]
    """the best first"""
    cross: Mapping[tuple[str, str], Trinomial]
    """results of the first-named against the second-named, whoever began"""
    ratings: Ratings
    due: int
    """games that could be played now: 0 when the event is over"""
    champion: str | None = None
    """who won the last encounter of a knockout"""
    match: Standing | None = None
    """where a match of two stands: its pairs and the sequential test"""
    outside: Mapping[str, Record] = field(default_factory=dict)
    """games that do not count, by their id: of who left, of earlier versions, and behind a gap in a match"""
    order: Sequence[str] = ()
    """the ids of the games that count in the order in which they ended"""

    def _repr_html_(self) -> str:
        """The standings with everybody's points against everybody, as a notebook shows them."""
        from forgeron.reports.html_tables import to_table
        from forgeron.reports.schema import standings_with_crosstable

        return to_table(standings_with_crosstable(self))

    def progress(self, name: str) -> list[float]:
        """Points above even after each game of an entrant: 0, then one number a game."""
        progress = [0.0]
        for game in self.games:
            for seat in (0, 1):
                if game.names[seat] == name:
                    progress.append(progress[-1] + game.points[seat] - 0.5)
        return progress


def read_results(path: Path) -> EventResults:
    """The results of the journal at this path; nobody needs to have stopped writing it."""
    with uncollected():
        settings, records = journal.read(path)
        return results_of(event_of(settings, path), records)


def event_of(settings: Mapping[str, Any], path: Path) -> Match | Tournament:
    """The match or tournament whose settings these are; `path` is its journal."""
    kinds: dict[str, type[Match | Tournament]] = {"match": Match, "tournament": Tournament}
    kind = kinds.get(str(settings.get("kind", "")))
    if kind is None:
        raise ForgeronError(f"{path} is the journal of a '{settings.get('kind')}'; known: {', '.join(kinds)}")
    # A journal lies beside its tournament file, or in matches/ below the folder where the match was run.
    folders = [Path(), path.parent, path.parent.parent]
    name = str(settings.get("game"))
    folder = next((one for one in folders if name.endswith(".py") and (one / name).is_file()), Path())
    try:
        return kind.from_settings(settings, folder)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, ForgeronError):
            raise
        what = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise ForgeronError(f"{path} has settings that no event has: {what}") from None


def results_of(event: Match | Tournament, records: Mapping[str, Record]) -> EventResults:
    """The results of the games so far."""
    scheduled = [
        (game.pairing.round, game.id) for stage in event.rounds(records) for game in event.scheduled(stage.pairings)
    ]
    counted = event.counted(records)
    played = [(number, id) for number, id in scheduled if id in counted]
    games = [GameResult(i, id, number, counted[id]) for i, (number, id) in enumerate(played, 1)]
    match = PairCounter(event).update(records) if isinstance(event, Match) else None
    byes, reached, due = _by_format(event, records, match)
    found = _tables(event, games, byes, reached)
    champion = found.rows[0].name if isinstance(event, Tournament) and event.format == "knockout" and not due else None
    over = match is not None and match.decided  # what was still being played then is left out without a word
    outside = {} if over else {id: one for id, one in records.items() if id not in counted}
    order = [id for id in records if id in counted]
    return replace(found, due=due, champion=champion, match=match, outside=outside, order=order)


def _tables(event: Event, games: list[GameResult], byes: Mapping[str, float], reached: Counter[str]) -> EventResults:
    """Standings, crosstable and ratings of these games."""
    entrants = {entrant.name: entrant for entrant in event.entrants}
    by_seats = tabulate((*game.names, game.points[0]) for game in games)
    ratings = rate(by_seats, players=list(entrants))
    cross = _cross(by_seats)
    scores = dict.fromkeys(entrants, Trinomial())
    for (own, _), one in cross.items():
        scores[own] = scores.get(own, Trinomial()) + one
    faults: dict[str, Counter[str]] = {name: Counter() for name in entrants}
    overloads: Counter[str] = Counter()
    for game in games:
        for name in game.at_fault:
            faults.setdefault(name, Counter())[game.record.reason] += 1
            overloads[name] += game.overload is not None
    luck = _luck(event, games)
    rows = []
    for name, entrant in entrants.items():
        score = scores[name]
        total = score.points + byes.get(name, 0.0)
        adjusted = total - luck[name] if name in luck else None
        standing = faults[name], overloads[name], ratings.rating(name), entrant, adjusted
        rows.append(StandingsRow(0, name, total, score.games, score, *standing))
    rows.sort(key=lambda row: (-reached[row.name], -row.points, -row.rating.value, row.name))
    ranked = [replace(row, place=place) for place, row in enumerate(rows, 1)]
    return EventResults(event, games, ranked, cross, ratings, due=0)


def _luck(event: Event, games: Sequence[GameResult]) -> dict[str, float]:
    """The luck of the throws that each entrant had in all its games; nobody is in it where luck cannot be told."""
    found: dict[str, float] = {}
    for game in games:
        luck = event.terms.luck(game.record)
        if luck is not None:
            for name, own in zip(game.names, (luck, -luck), strict=True):
                found[name] = found.get(name, 0.0) + own
    return found


def merge_results(parts: Sequence[EventResults]) -> EventResults:
    """The results of several journals as one event: all games that count in one of them, each once.

    Entrants of the same name are one. Only events of the same game with the same options can be merged.
    """
    first = parts[0].event
    for one in parts[1:]:
        if (one.event.terms.game, one.event.terms.options) != (first.terms.game, first.terms.options):
            raise ForgeronError(
                f"{one.event.title} cannot be merged with {first.title}: "
                f"the one is {one.event.terms.open_game()}, the other {first.terms.open_game()}"
            )
    entrants = {entrant.name: entrant for one in parts for entrant in one.event.entrants}
    event = Merged(tuple(one.event.title for one in parts), first.terms, tuple(entrants.values()))
    found = {game.id: game for one in parts for game in one.games}
    games = [replace(game, number=number) for number, game in enumerate(found.values(), 1)]
    merged = _tables(event, games, Counter(), Counter())
    outside = {id: record for one in parts for id, record in one.outside.items() if id not in found}
    order = list(dict.fromkeys(id for one in parts for id in one.order))
    return replace(merged, due=sum(one.due for one in parts), outside=outside, order=order)


def outside_reasons(results: EventResults) -> list[str]:
    """Why games do not count, each reason with the number of its games."""
    there = {row.name for row in results.rows}
    versions = results.event.roll.versions if isinstance(results.event, Tournament) else {}
    found: Counter[str] = Counter()
    for record in results.outside.values():
        left = [name for name in record.players if name not in there]
        replaced = sorted(name for name in record.players if versions.get(name, 1) > 1)
        if isinstance(results.event, Match):
            found["that counts once the games before it are played: run the match again"] += 1
        elif left:
            found[f"of {' and '.join(left)} (withdrawn)"] += 1
        elif replaced:
            found[f"of an earlier version of {' or '.join(replaced)}"] += 1
        else:
            found["that the schedule no longer has"] += 1
    return [f"{count} {why}" for why, count in found.items()]


def _by_format(
    event: Match | Tournament, records: Mapping[str, Record], match: Standing | None
) -> tuple[dict[str, float], Counter[str], int]:
    """Points for byes, the round of a knockout that was reached, and how many games are due."""
    if isinstance(event, Match):
        assert match is not None
        return {}, Counter(), 0 if match.decided else event.games - match.played
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


def _cross(by_seats: Mapping[tuple[str, str], Trinomial]) -> dict[tuple[str, str], Trinomial]:
    """The results of each against each, whoever began."""
    table: dict[tuple[str, str], Trinomial] = {}
    for (first, second), one in by_seats.items():
        table[first, second] = table.get((first, second), Trinomial()) + one
        other = Trinomial(one.losses, one.draws, one.wins)
        table[second, first] = table.get((second, first), Trinomial()) + other
    return table


@dataclass(frozen=True)
class ClassRow:
    """An entrant in a ranking by classes of results, such as that of the YINSH course."""

    name: str
    games: int
    """all that count, those lost by a fault included"""
    grade: float | None
    """the mean grade of a game, where the game gives grades"""
    rank: float | None
    """what share of all other results of the event its results beat on average, equal ones counting half; None without
    games"""
    markers: int | None
    """the sum over its games of what decides within a class, such as the lead in markers; None where nothing does"""
    classes: Counter[str]
    """how often each class of result came, as this entrant sees it"""


def class_ranking(results: EventResults, game: Game) -> tuple[list[str], list[ClassRow]] | None:
    """Classes, the best first, and entrants, the best first; None for a game that does not grade its results.

    Each result is ranked among those of all games, by its class, then within it. An entrant's final rank combines the
    ranks of all its games: their mean.

    A game offers this by its `result_classes`, with `ranking` and perhaps `course_score`.
    """
    if game.result_classes is None:
        return None
    labels: dict[str, Any] = {}
    found: dict[str, list[tuple[Any, float | None, str]]] = {row.name: [] for row in results.rows}
    for one in results.games:
        end = one.record.positions(game)[-1]
        seats: tuple[Seat, Seat] = (0, 1)
        for seat in seats:
            value, mark = _graded(one.record, game, end, seat)
            label = _label(value)
            labels.setdefault(label, tuple(value)[:2])
            found[one.names[seat]].append((value, mark, label))
    everybody = sorted(tuple(value) for ends in found.values() for value, _, _ in ends)
    rows = []
    for name, ends in found.items():
        grades = [mark for _, mark, _ in ends if mark is not None]
        mean = sum(grades) / len(grades) if grades else None
        shares = [_share_beaten(tuple(value), everybody) for value, _, _ in ends]
        rank = sum(shares) / len(shares) if shares else None
        within = [tuple(value)[2] for value, _, _ in ends if len(tuple(value)) > 2]
        markers = sum(within) if within else None
        rows.append(ClassRow(name, len(ends), mean, rank, markers, Counter(label for _, _, label in ends)))
    rows.sort(key=lambda row: (row.rank if row.rank is not None else -1.0, row.grade or 0.0), reverse=True)
    return sorted(labels, key=lambda label: labels[label], reverse=True), rows


def _share_beaten(value: tuple[Any, ...], everybody: Sequence[tuple[Any, ...]]) -> float:
    """Where a result stands among all others of the event: 1 for the only best, 0 for the only worst."""
    worse, not_better = bisect_left(everybody, value), bisect_right(everybody, value)
    return (worse + (not_better - worse - 1) / 2) / max(len(everybody) - 1, 1)


def _graded(record: Record, game: Game, end: Position, seat: Seat) -> tuple[Any, float | None]:
    """What a game counts for a seat. Who loses by a fault, or gives up, must not be better off than who plays on."""
    losers = at_fault(record)
    if record.reason == "resign":
        losers = (1,) if record.winner == 0 else (0,)
    if not losers:
        return game.ranking(end, seat), game.course_score(end, seat)
    loser = seat if seat in losers else losers[0]
    return game.forfeit_ranking(end, seat, loser), game.forfeit_score(end, seat, loser)


def _label(value: Any) -> str:
    kind, within = tuple(value)[:2]
    return f"{kind.name.lower().replace('_', ' ')} {within:+d}" if kind else f"{kind.name.lower()} {within}"

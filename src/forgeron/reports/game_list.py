"""The games of one entrant as it sees them: against whom, how they ended, how long they were."""

from __future__ import annotations

from dataclasses import dataclass

from forgeron.core.errors import unknown_name
from forgeron.core.position import Seat
from forgeron.reports.result_table import Column, Kind, ResultTable
from forgeron.reports.results import EventResults, GameResult

_RESULTS = {1.0: "won", 0.5: "drawn", 0.0: "lost"}


@dataclass(frozen=True)
class OwnGame:
    """A game seen from one of its seats."""

    game: GameResult
    seat: Seat

    @property
    def opponent(self) -> str:
        return self.game.names[1 - self.seat]

    @property
    def result(self) -> str:
        return _RESULTS[self.game.points[self.seat]]


OWN_GAMES: tuple[Column[OwnGame], ...] = (
    Column("number", Kind.INTEGER, lambda own: own.game.number, heading="game"),
    Column("opponent", Kind.TEXT, lambda own: own.opponent, label=True),
    Column("seat", Kind.TEXT, lambda own: ("first", "second")[own.seat]),
    Column("result", Kind.TEXT, lambda own: own.result, strong=True),
    Column("reason", Kind.TEXT, lambda own: own.game.record.reason, heading="ended by"),
    Column("plies", Kind.INTEGER, lambda own: len(own.game.record.moves)),
    Column("at_fault", Kind.NAMES, lambda own: own.game.at_fault or None, heading="whose fault", missing=""),
)


def games_of(results: EventResults, name: str) -> ResultTable[OwnGame]:
    """All games of an entrant, in the order of the schedule; a name that nobody has is refused."""
    known = [row.name for row in results.rows]
    if name not in known:
        raise unknown_name("entrant", name, known)
    seats: tuple[Seat, Seat] = (0, 1)
    rows = [OwnGame(game, seat) for game in results.games for seat in seats if game.names[seat] == name]
    return ResultTable("own_games", OWN_GAMES, rows, f"Games of {name}", key=("number",))

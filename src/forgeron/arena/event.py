"""What the games of an event have in common, and how they are played: whatever happens, each game counts once."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from forgeron.arena.absent import Absent
from forgeron.arena.entrant import Entrant, control_of
from forgeron.arena.executor import Executor, in_batches
from forgeron.arena.journal import Journal
from forgeron.arena.live import live_folder
from forgeron.arena.opening_book import read_openings
from forgeron.arena.openings import balance_by_playouts, draw_openings
from forgeron.arena.schedule import ScheduledGame
from forgeron.arena.task import GameTask
from forgeron.bots.clock import TimeControl
from forgeron.bots.faults import Reason
from forgeron.bots.protocols import protocol_class
from forgeron.core import contract
from forgeron.core.errors import ForgeronError, OptionError, error_context
from forgeron.core.game import Game
from forgeron.core.options import check_kinds
from forgeron.core.position import Seat
from forgeron.core.record import Record
from forgeron.core.registry import game_class, located
from forgeron.stats.luck import has_luck, luck_of

#: Random plies before the players begin to think, in a game without chance; an even number, so that seat 0 begins.
OPENING_PLIES = 4
#: No opening is longer; nor is any event.
MOST_OPENING_PLIES = 100
MOST_GAMES = 2_000_000
#: Where there are too few openings of that length, up to so many plies more are tried.
_MORE_PLIES = 4
#: A game that was nobody's fault to lose is played again so often.
_TRIES = 3
_KINDS = {"game": (str,), "options": (dict,), "time": (str,), "seed": (int,), "opening_plies": (int,), "rules": (int,)}


@dataclass(frozen=True)
class Terms:
    """The game, the time and the seed of an event: all that its games depend on, apart from who plays."""

    game: str
    """a registered name, or the path of a one-file game as somebody wrote it"""
    options: Mapping[str, Any]
    """every option of the game, settled"""
    time: str
    seed: int = 0
    opening_plies: int = OPENING_PLIES
    rules: int = 1
    book: tuple[str, ...] = ()
    """openings to begin from, each the tokens of its moves; none: `opening_plies` random ones"""
    folder: Path = field(default=Path(), compare=False)
    """where relative paths begin"""

    @classmethod
    def settle(
        cls,
        game: str,
        options: Mapping[str, Any] | None = None,
        preset: str | None = None,
        *,
        time: str,
        seed: int = 0,
        opening_plies: int | None = None,
        openings: str | None = None,
        folder: Path | None = None,
    ) -> Terms:
        """The terms with every default filled in; what makes no sense is refused."""
        folder = folder or Path()
        found = game_class(located(game, folder)).with_options(options or {}, preset)
        TimeControl.parse(time)
        if not 0 <= seed < 2**63:
            raise OptionError(f"a seed is a number from 0 to 2⁶³ - 1, not {seed}")
        if opening_plies is None:
            opening_plies = 0 if contract.offers(found.state_class, "chance") else OPENING_PLIES
        if not 0 <= opening_plies <= MOST_OPENING_PLIES:
            raise OptionError(f"opening_plies is a number from 0 to {MOST_OPENING_PLIES}, not {opening_plies}")
        book = read_openings(folder / openings, found) if openings is not None else ()
        if book:
            opening_plies = max(len(line.split()) for line in book)
        return cls(game, dict(found.chosen), time, seed, opening_plies, found.version, book, folder)

    @property
    def path(self) -> str:
        """The game's name, or where its file is."""
        return located(self.game, self.folder)

    def open_game(self) -> Game:
        return game_class(self.path).with_options(self.options)

    def luck(self, record: Record) -> float | None:
        """The luck of the first seat in the throws of a game; None where there are none, or it cannot be replayed."""
        if self._dice is None:
            return None
        game = record.start, record.moves
        if game not in self._lucks:
            notes = record.extra.get("notes")
            # An opening was chosen: its throws are not the dice's own.
            first = int(notes[0]["ply"]) if self.opening_plies and notes else 0
            try:
                self._lucks[game] = luck_of(record, self._dice, first)
            except ForgeronError:
                self._lucks[game] = None
        return self._lucks[game]

    @cached_property
    def _dice(self) -> Game | None:
        """The game, if its results can be adjusted for luck."""
        try:
            game = self.open_game()
        except ForgeronError:
            return None  # results can be shown without the game
        return game if has_luck(game) else None

    @cached_property
    def _lucks(self) -> dict[tuple[str, tuple[str, ...]], float | None]:
        """What `luck` has found: each game is counted several times."""
        return {}

    def to_data(self) -> dict[str, Any]:
        kept = [one.name for one in fields(self) if one.name not in ("folder", "book")]
        data = {name: getattr(self, name) for name in kept}
        return {**data, "book": list(self.book)} if self.book else data  # so that older journals go on

    @classmethod
    def from_data(cls, data: Mapping[str, Any], folder: Path) -> Terms:
        """Read back what `to_data` wrote."""
        check_kinds("the terms", data, {**_KINDS, "book": (list,)})
        book = tuple(data.get("book", ()))
        if any(not isinstance(line, str) for line in book):
            raise OptionError("the terms: an opening of the book is a text")
        return cls(**{name: data[name] for name in _KINDS}, book=book, folder=folder)

    def openings(self, count: int) -> list[tuple[str, ...]]:
        """So many different openings, balanced where there are enough of those; always the same ones."""
        if self.book:
            if len(self.book) < count:
                raise OptionError(f"{count} openings are needed, and there are {len(self.book)}: write more of them")
            return [tuple(line.split()) for line in self.book[:count]]
        if self.opening_plies == 0:
            return [()] * count
        game, plies = self.open_game(), self.opening_plies
        try:
            balance = balance_by_playouts(seed=self.seed)
            found = draw_openings(game, count, plies=plies, seed=self.seed, balance=balance, tolerance=0.2)
        except ForgeronError:
            # Seats are swapped anyway: an opening that favours one of them is better than the same one twice.
            found = draw_openings(game, count, plies=plies, seed=self.seed, max_plies=plies + _MORE_PLIES)
        return [opening.moves for opening in found]

    def task(
        self, scheduled: ScheduledGame, entrants: Mapping[str, Entrant], openings: Sequence[tuple[str, ...]]
    ) -> GameTask:
        """The game as workers take it: paths in full, so that it does not matter where they run."""
        first, second = (entrants[name].located(self.folder) for name in scheduled.seats)
        return GameTask(
            id=scheduled.id,
            game=self.path,
            options=self.options,
            entrants=(first, second),
            time=self.time,
            opening=openings[scheduled.opening],
            seed=scheduled.seed,
        )


def know_openings(entrants: Iterable[Entrant]) -> bool:
    """Whether all of them can begin anywhere: some protocols of courses only know the first position."""
    return all(protocol_class(entrant.protocol).any_start for entrant in entrants)


def check_entrants(entrants: Sequence[Entrant], terms: Terms) -> None:
    """Refuse what would only be found out in the first game: names twice, people, players that do not play the game or
    have no such option, programs that are not there or whose protocol does not suit the event."""
    names = [entrant.name for entrant in entrants]
    for name in names:
        if names.count(name) > 1:
            raise OptionError(f"every entrant needs a name of its own; '{name}' came more than once")
    game = terms.open_game()
    for entrant in entrants:
        if entrant.is_human:
            raise OptionError("people play at a terminal, not in matches and tournaments; name a player or a command")
        if entrant.player is None:
            _check_protocol(entrant, terms, game)
        entrant.located(terms.folder).check(game)


def _check_protocol(entrant: Entrant, terms: Terms, game: Game) -> None:
    kind = protocol_class(entrant.protocol)
    with error_context(f"entrant '{entrant.name}'"):
        kind.check_terms(game.name, control_of(entrant, terms.time), entrant.options)
        if terms.opening_plies and not kind.any_start:
            raise OptionError(f"protocol {entrant.protocol} knows no openings: leave out opening_plies, or set it to 0")


def points(record: Record, seat: Seat) -> float:
    """What a game brought one seat: 1, ½ or 0."""
    return 0.5 if record.winner is None else float(record.winner == seat)


def play(
    tasks: Iterable[GameTask], executor: Executor, journal: Journal, absent: Absent | None = None
) -> Generator[tuple[GameTask, Record], None, None]:
    """Play the games and yield each when the journal has it. Leaving early drops the games in progress.

    Games of who is `absent`, or turns out to be on the way, are forfeited at once.
    """
    live = str(live_folder(journal.path).absolute())
    waiting = [replace(task, live=live) for task in tasks if task.id not in journal.records]
    for _ in range(_TRIES):
        aborted: list[GameTask] = []
        with closing(in_batches(executor, absent.without(waiting) if absent else waiting)) as batches:
            for batch in batches:
                aborted += [task for task, record in batch if record.reason == Reason.ABORTED]
                ended = [(task, record) for task, record in batch if record.reason != Reason.ABORTED]
                new = journal.append_all((task.id, record) for task, record in ended)
                for task, record in ended:
                    if task.id in new:
                        new.remove(task.id)
                        if absent:
                            absent.note(record)
                        yield task, record
                yield from _forfeited(absent, journal)
        yield from _forfeited(absent, journal)
        if not aborted:
            return
        waiting = aborted
    raise ForgeronError(f"game {waiting[0].id} was aborted {_TRIES} times")


def _forfeited(absent: Absent | None, journal: Journal) -> Generator[tuple[GameTask, Record], None, None]:
    for task, record in absent.take_forfeits() if absent else ():
        if journal.append(task.id, record):
            yield task, record

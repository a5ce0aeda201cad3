"""What the games of an event have in common, and how they are played: whatever happens, each game counts once."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from forgeron.arena.clock import TimeControl
from forgeron.arena.entrant import Entrant
from forgeron.arena.executor import Executor
from forgeron.arena.faults import FORFEITS, Reason
from forgeron.arena.journal import Journal
from forgeron.arena.openings import balance_by_playouts, draw_openings
from forgeron.arena.protocols import protocol_class
from forgeron.arena.schedule import ScheduledGame
from forgeron.arena.task import GameTask
from forgeron.core import contract
from forgeron.core.errors import ForgeronError, OptionError, unknown_name
from forgeron.core.game import Game
from forgeron.core.position import Seat
from forgeron.core.record import Record
from forgeron.games import game as find_game
from forgeron.games import game_class
from forgeron.players import player_class

#: Random plies before the players begin to think, in a game without chance; an even number, so that seat 0 begins.
OPENING_PLIES = 4
#: Where there are too few openings of that length, up to so many plies more are tried.
_MORE_PLIES = 4
#: A game that was nobody's fault to lose is played again so often.
_TRIES = 3


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
        folder: Path | None = None,
    ) -> Terms:
        """The terms with every default filled in; what makes no sense is refused."""
        folder = folder or Path()
        kind = game_class(_located(game, folder))
        for name in options or {}:
            if name not in kind.options:
                raise unknown_name(f"option of {kind.name}", name, kind.options)
        found = kind(preset=preset, **(options or {}))
        TimeControl.parse(time)
        if not 0 <= seed < 2**63:
            raise OptionError(f"a seed is a number from 0 to 2⁶³ - 1, not {seed}")
        if opening_plies is None:
            opening_plies = 0 if contract.offers(found.state_class, "chance") else OPENING_PLIES
        if opening_plies < 0:
            raise OptionError(f"opening_plies is a number from 0, not {opening_plies}")
        return cls(game, dict(found.chosen), time, seed, opening_plies, found.version, folder)

    @property
    def path(self) -> str:
        """The game's name, or where its file is."""
        return _located(self.game, self.folder)

    def open_game(self) -> Game:
        return find_game(self.path, **self.options)

    def to_data(self) -> dict[str, Any]:
        return {key: value for key, value in vars(self).items() if key != "folder"}

    @classmethod
    def from_data(cls, data: Mapping[str, Any], folder: Path) -> Terms:
        """Read back what `to_data` wrote."""
        names = ("game", "options", "time", "seed", "opening_plies", "rules")
        return cls(**{name: data[name] for name in names}, folder=folder)

    def openings(self, count: int) -> list[tuple[str, ...]]:
        """So many different openings, balanced where there are enough of those; always the same ones."""
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
        first, second = (_at(entrants[name], self.folder) for name in scheduled.seats)
        return GameTask(
            id=scheduled.id,
            game=self.path,
            options=self.options,
            entrants=(first, second),
            time=self.time,
            opening=openings[scheduled.opening],
            seed=scheduled.seed,
        )


def _located(game: str, folder: Path) -> str:
    return str((folder / game).resolve()) if game.endswith(".py") else game


def _at(entrant: Entrant, folder: Path) -> Entrant:
    """The entrant with the files that its command names written in full."""
    words = []
    for i, word in enumerate(entrant.command):
        # The first word is looked for in PATH, as a shell does, unless it has a slash.
        may_be_file = not word.startswith(("-", "/")) and (i > 0 or "/" in word)
        words.append(str((folder / word).absolute()) if may_be_file and (folder / word).is_file() else word)
    return replace(entrant, command=tuple(words))


def know_openings(entrants: Iterable[Entrant]) -> bool:
    """Whether all of them can begin anywhere: some protocols of courses only know the first position."""
    return all(protocol_class(entrant.protocol).any_start for entrant in entrants)


def check_entrants(entrants: Sequence[Entrant], terms: Terms) -> None:
    """Refuse what would only be found out in the first game: names twice, unknown options, unfit protocols."""
    names = [entrant.name for entrant in entrants]
    for name in names:
        if names.count(name) > 1:
            raise OptionError(f"every entrant needs a name of its own; '{name}' came more than once")
    for entrant in entrants:
        if entrant.player is None:
            _check_program(entrant, terms)
            continue
        known = player_class(entrant.player).options
        for key, value in entrant.options.items():
            if key not in known:
                raise unknown_name(f"option of player {entrant.player}", key, known)
            known[key].read(key, value)


def _check_program(entrant: Entrant, terms: Terms) -> None:
    kind = protocol_class(entrant.protocol)
    try:
        kind.check_terms(game_class(terms.path).name, TimeControl.parse(terms.time), entrant.options)
        if terms.opening_plies and not kind.any_start:
            raise OptionError(f"protocol {entrant.protocol} knows no openings: leave out opening_plies, or set it to 0")
    except ForgeronError as error:
        raise type(error)(f"entrant '{entrant.name}': {error}") from None


def points(record: Record, seat: Seat) -> float:
    """What a game brought one seat: 1, ½ or 0."""
    return 0.5 if record.winner is None else float(record.winner == seat)


def at_fault(record: Record) -> tuple[Seat, ...]:
    """The seats whose own fault ended the game: nobody, one, or both when neither bot started."""
    if record.reason not in FORFEITS:
        return ()
    return (0, 1) if record.winner is None else (1,) if record.winner == 0 else (0,)


def play(
    tasks: Iterable[GameTask], executor: Executor, journal: Journal
) -> Generator[tuple[GameTask, Record], None, None]:
    """Play the games and yield each when the journal has it. Leaving early drops the games in progress."""
    waiting = [task for task in tasks if task.id not in journal.records]
    for _ in range(_TRIES):
        aborted = []
        with closing(executor(waiting)) as played:
            for task, record in played:
                if record.reason == Reason.ABORTED:
                    aborted.append(task)
                elif journal.append(task.id, record):
                    yield task, record
        if not aborted:
            return
        waiting = aborted
    raise ForgeronError(f"game {waiting[0].id} was aborted {_TRIES} times")

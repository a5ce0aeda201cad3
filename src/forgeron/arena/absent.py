"""Who cannot play: bots that do not start, and entrants that were withdrawn. Their games are forfeited at once.

A bot that was not there in each of its first games, `GAMES_TO_START` of them, is set aside: it costs its opponents no
more time, and itself no more than can be played again when it is mended.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from forgeron.arena.bot_files import digest_of
from forgeron.arena.task import GameTask
from forgeron.bots.faults import FORFEITS, Reason
from forgeron.core.position import Seat
from forgeron.core.record import Record
from forgeron.core.registry import game_class

#: So many games a bot may fail to start.
GAMES_TO_START = 2


class Absent:
    """Told of every game, it knows who is absent, and keeps their games from being played."""

    def __init__(self, records: Iterable[Record] = (), withdrawn: Collection[str] = ()) -> None:
        self._withdrawn = withdrawn
        self._failed: Counter[str] = Counter()
        self._why: dict[str, str] = {}
        self._started: set[str] = set()
        self._forfeits: list[GameTask] = []
        for record in records:
            self.note(record)

    def note(self, record: Record) -> None:
        """A game has ended."""
        seats: tuple[Seat, Seat] = (0, 1)
        for seat in seats:
            name = record.players[seat]
            if not did_not_start(record, seat):
                self._started.add(name)
            elif "absent" not in record.extra:
                self._failed[name] += 1
                self._why[name] = str(record.extra.get("detail", ""))

    @property
    def set_aside(self) -> dict[str, str]:
        """Bots that do not start, each with what happened when it was last tried."""
        failed = [name for name, count in self._failed.items() if count >= GAMES_TO_START]
        return {name: self._why[name] for name in failed if name not in self._started}

    def without(self, tasks: Iterable[GameTask]) -> Iterator[GameTask]:
        """The games that can be played, looked at when each is asked for; the others are noted as forfeits."""
        for task in tasks:
            if any(self._reason(entrant.name) for entrant in task.entrants):
                self._forfeits.append(task)
            else:
                yield task

    def take_forfeits(self) -> Iterator[tuple[GameTask, Record]]:
        """The games that were forfeited since this was asked last."""
        while self._forfeits:
            task = self._forfeits.pop(0)
            yield task, self._forfeit(task)

    def _reason(self, name: str) -> Reason | None:
        if name in self._withdrawn:
            return Reason.WITHDRAWN
        return Reason.STARTUP if name in self.set_aside else None

    def _forfeit(self, task: GameTask) -> Record:
        """The record of a game that was not played; without a winner where neither is there."""
        seats: tuple[Seat, Seat] = (0, 1)
        losers = [seat for seat in seats if self._reason(task.entrants[seat].name)]
        names = [task.entrants[seat].name for seat in losers]
        said = [
            f"{name}: withdrawn"
            if name in self._withdrawn
            else f"{name}: set aside, as it could not be started in its first {GAMES_TO_START} games; not played"
            for name in names
        ]
        game = game_class(task.game).with_options(task.options)
        start = game.start()
        reason = self._reason(names[0])
        assert reason is not None
        return Record(
            game=game.name,
            options=dict(game.chosen),
            rules=game.version,
            start=str(start),
            players=(task.entrants[0].name, task.entrants[1].name),
            seed=task.seed,
            winner=None if len(losers) > 1 else 1 - losers[0],
            scores=start.scores,
            reason=str(reason),
            extra={
                "files": [digest_of(entrant) for entrant in task.entrants],
                "detail": " / ".join(said),
                "absent": names,
                "time": task.time,
                "layers": [[], []],
                "notes": [],
            },
        )


def at_fault(record: Record) -> tuple[Seat, ...]:
    """The seats whose own fault ended the game: nobody, one, or both when neither bot started."""
    if record.reason not in FORFEITS:
        return ()
    return (0, 1) if record.winner is None else (1,) if record.winner == 0 else (0,)


def did_not_start(record: Record, seat: Seat) -> bool:
    """Whether a bot lost the game without having begun: it did not start, or crashed before its first move.

    Some protocols of courses have no handshake: there a bot that cannot be run is only noticed when it is to move.
    """
    if seat not in at_fault(record):
        return False
    if record.reason == Reason.STARTUP:
        return True
    if record.reason != Reason.CRASH:
        return False
    # It is the loser's turn: had it moved before, there would be that answer and one of its opponent's.
    return len(record.extra.get("notes", ())) <= 1

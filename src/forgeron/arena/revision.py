"""A tournament whose file was edited: what has changed since its journal was last written, and how it goes on.

Entrants may be added, withdrawn and replaced at any time in a round robin or a gauntlet: games of who left, and of
earlier versions, stay in the journal and do not count. In a Swiss tournament newcomers begin with the next round; there
and in a knockout who leaves forfeits what is left, since the results so far have decided who meets whom.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from forgeron.arena import journal
from forgeron.arena.absent import Absent
from forgeron.arena.bot_files import digest_of
from forgeron.arena.entrant import Entrant
from forgeron.arena.journal import Journal, refuse_other_settings
from forgeron.arena.roll import Roll
from forgeron.arena.tournament import FREE_FORMATS, Tournament
from forgeron.core.errors import OptionError, unknown_name
from forgeron.core.record import Record

#: What a file may change about an event that has begun.
_MAY_CHANGE = ("name", "pairs", "rounds", "challengers", "entrants", "roll")
#: What makes two entrants the same; limits of a program and the like may change.
_IDENTITY = ("player", "command", "protocol", "options", "threads", "time")


@dataclass
class OpenEvent:
    """A tournament with its journal open."""

    tournament: Tournament
    journal: Journal
    changes: list[str]
    """what its file has changed since the journal was last written, in sentences"""


@contextmanager
def open_event(wanted: Tournament, path: Path, replay: Sequence[str] = ()) -> Iterator[OpenEvent]:
    """Open the journal of a tournament, as its file now says, and note in it what has changed.

    All games of the entrants named in `replay` are played again.
    """
    _refuse_strangers(wanted, replay)
    changes: list[str] = []
    going_on = [wanted]

    def revise(there: Mapping[str, Any], records: Mapping[str, Record]) -> dict[str, Any]:
        going_on[:] = [_Revision(wanted, there, records, path, changes).revised(replay)]
        return going_on[0].settings()

    with Journal(path, wanted.settings(), revise=revise) as kept:
        yield OpenEvent(going_on[0], kept, changes)


def look_ahead(
    wanted: Tournament, path: Path, replay: Sequence[str] = ()
) -> tuple[Tournament, dict[str, Record], list[str]]:
    """What `open_event` would come to, with the games of the journal; nothing is written."""
    _refuse_strangers(wanted, replay)
    if not path.exists() or not path.stat().st_size:
        return wanted, {}, []
    changes: list[str] = []
    there, records = journal.read(path)
    return _Revision(wanted, there, records, path, changes).revised(replay), records, changes


def _refuse_strangers(wanted: Tournament, replay: Sequence[str]) -> None:
    for name in replay:
        if name not in wanted.names:
            raise unknown_name("entrant", name, wanted.names)


class _Revision:
    """How the event of a journal goes on as its file now says."""

    def __init__(
        self,
        wanted: Tournament,
        there: Mapping[str, Any],
        records: Mapping[str, Record],
        path: Path,
        changes: list[str],
    ) -> None:
        self.wanted, self.there, self.records, self.path, self.changes = wanted, there, records, path, changes

    def revised(self, replay: Sequence[str]) -> Tournament:
        settings, wanted = self.wanted.settings(), self.wanted
        if "roll" not in self.there:
            del settings["roll"]
            refuse_other_settings(self.there, settings, self.path)
            if replay:
                raise OptionError(f"{self.path} was begun by an older version of Forgeron: none of it can be replayed")
            return replace(wanted, fixed=True, to_be_played=False)
        refuse_other_settings(_without(self.there), _without(settings), self.path)
        if not self.records:
            return wanted
        self._note_settings()
        self.before = Tournament.from_settings(self.there, wanted.terms.folder)
        self.old = {one.name: one for one in self.before.entrants}
        self.new = {one.name: one for one in wanted.entrants}
        going_on = self._free() if wanted.format in FREE_FORMATS else self._bound()
        return self._replayed(self._with_mended(going_on, replay), replay)

    def _note_settings(self) -> None:
        for key in ("name", "pairs", "rounds", "challengers"):
            old, new = self.there[key], self.wanted.settings()[key]
            if old == new:
                continue
            if key == "pairs" and self.wanted.format not in FREE_FORMATS:
                raise OptionError(f"a {self.wanted.format} that has begun keeps its number of pairs, {old}")
            self.changes.append(f"{key}: {_said(new)} instead of {_said(old)}")

    # --- round robin and gauntlet ---------------------------------------------------------------------------------

    def _free(self) -> Tournament:
        roll, versions = self.before.roll, dict(self.before.roll.versions)
        left = {**roll.left, **{name: one.to_data() for name, one in self.old.items() if name not in self.new}}
        for name in self.old:
            if name not in self.new:
                games = _games(self._of(name))
                self.changes.append(f"{name} was withdrawn: its {games} stay in the journal and do not count")
        for name, one in self.new.items():
            known = self.old.get(name) or (Entrant.from_data(left[name]) if name in left else None)
            if known is None:
                self.changes.append(f"{name} was added")
            elif not _same(known, one):
                versions[name] = roll.version(name) + 1
                games = _games(self._of(name))
                self.changes.append(f"{name} was replaced: {games} of its earlier version do not count")
            elif name not in self.old:
                self.changes.append(f"{name} is back: its games count again")
            elif known != one:
                self.changes.append(f"{name} has other limits; its games so far count")
            left.pop(name, None)
        names = (*roll.names, *(name for name in self.new if name not in roll.names))
        return self._as(self.wanted.entrants, Roll(names, versions, left))

    # --- Swiss and knockout -----------------------------------------------------------------------------------------

    def _bound(self) -> Tournament:
        """Whoever has played stays in the schedule: who meets whom depends on all results so far."""
        roll = self.before.roll
        following = self._following_round()
        joined, withdrawn = dict(roll.joined), dict(roll.withdrawn)
        entrants = [self._gone_on(name, one, withdrawn, following) for name, one in self.old.items()]
        added = [one for name, one in self.new.items() if name not in self.old]
        for one in added:
            if self.wanted.format == "knockout":
                raise OptionError(f"a knockout that has begun takes no newcomers: {one.name} cannot be added")
            joined[one.name] = following
            self.changes.append(f"{one.name} was added and plays from round {following} on")
        names = (*roll.names, *(one.name for one in added))
        going_on = self._as((*entrants, *added), Roll(names, roll.versions, {}, joined, withdrawn))
        if added and following > going_on.swiss_round_count:
            raise OptionError(
                f"all {following - 1} rounds have begun: {added[0].name} can only be added with more rounds"
            )
        return going_on

    def _gone_on(self, name: str, one: Entrant, withdrawn: dict[str, int], following: int) -> Entrant:
        now = self.new.get(name)
        if now is None:
            if name not in withdrawn:
                withdrawn[name] = following
                self.changes.append(f"{name} was withdrawn: what it has not played yet is forfeited")
            return one
        if withdrawn.pop(name, None) is not None:
            self.changes.append(f"{name} is back")
        if not _same(one, now):
            self.changes.append(f"{name} was replaced: it plays on as the new version, and its games so far count")
        return now

    def _following_round(self) -> int:
        """The first round of which no game was played."""
        rounds = self.before.rounds(self.records)
        begun = [
            number
            for number, one in enumerate(rounds, 1)
            if any(game.id in self.records for game in self.before.scheduled(one.pairings))
        ]
        return max(begun, default=0) + 1

    # --- both -------------------------------------------------------------------------------------------------------

    def _with_mended(self, event: Tournament, replay: Sequence[str]) -> Tournament:
        """Bots that were set aside, and whose files have changed since, are tried again: none of their games counts
        for anything but a loss."""
        if event.format not in FREE_FORMATS:
            return event
        versions = dict(event.roll.versions)
        changed = changed_bots(event, self.records)
        for name in set_aside(event, self.records):
            if name in changed and name not in replay:
                versions[name] = event.roll.version(name) + 1
                games = _games(self._of(name))
                self.changes.append(f"{name} was set aside, and its files have changed: its {games} are played again")
        return self._as(event.entrants, replace(event.roll, versions=versions))

    def _replayed(self, event: Tournament, replay: Sequence[str]) -> Tournament:
        if not replay:
            return event
        if event.format not in FREE_FORMATS:
            raise OptionError(f"a {event.format} cannot replay games: their results have decided who met whom later")
        versions = dict(event.roll.versions)
        for name in replay:
            if versions.get(name, 1) == self.before.roll.version(name):  # else it was replaced anyway
                versions[name] = event.roll.version(name) + 1
                self.changes.append(f"{name}: its {_games(self._of(name))} are played again")
        return self._as(event.entrants, replace(event.roll, versions=versions))

    def _as(self, entrants: Iterable[Entrant], roll: Roll) -> Tournament:
        return replace(self.wanted, entrants=tuple(entrants), roll=roll, to_be_played=False)

    def _of(self, name: str) -> int:
        return sum(name in record.players for record in self.before.counted(self.records).values())


def set_aside(event: Tournament, records: Mapping[str, Record]) -> dict[str, str]:
    """The bots that could not be started, each with what happened."""
    return Absent(event.counted(records).values()).set_aside


def changed_bots(event: Tournament, records: Mapping[str, Record]) -> dict[str, int]:
    """The bots whose files are not those that played: for each, how many of its games were played by others."""
    found: dict[str, int] = {}
    for entrant in event.entrants:
        now = digest_of(entrant.located(event.terms.folder))
        for record in event.counted(records).values():
            played = record.extra.get("files") or (None, None)
            for seat in (0, 1):
                if record.players[seat] == entrant.name and now and played[seat] and played[seat] != now:
                    found[entrant.name] = found.get(entrant.name, 0) + 1
    return found


def _without(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in settings.items() if key not in _MAY_CHANGE}


def _same(one: Entrant, other: Entrant) -> bool:
    return all(getattr(one, key) == getattr(other, key) for key in _IDENTITY)


def _games(count: int) -> str:
    return "1 game" if count == 1 else f"{count} games"


def _said(value: Any) -> str:
    return ", ".join(map(str, value)) or "none" if isinstance(value, list) else str(value)

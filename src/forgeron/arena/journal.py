"""The journal of an event: a file that only grows, one line a game, on the disk before the game counts.

The first line holds the settings of the event; a journal of other settings is refused, unless somebody says how the
event goes on: then a line with the new settings is added. A line that was cut off by a
crash or a power failure is dropped when the journal is opened again, and its game is played again: no game is lost,
none counts twice. A file that is no journal is never changed, and a journal that somebody else changed is refused with
the line (`forgeron.arena.journal_lines`); `repair` saves what is undamaged.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from forgeron.arena.journal_lines import FORMAT, OLD_FORMAT, Contents, Damage, checksum, decode, seal
from forgeron.core.critical_section import uninterrupted
from forgeron.core.errors import ForgeronError, StorageError
from forgeron.core.files import sync_to_disk
from forgeron.core.json_text import read_json, write_json
from forgeron.core.record import Record

Revise = Callable[[Mapping[str, Any], Mapping[str, Record]], Mapping[str, Any]]
"""from the settings and the games of a journal to the settings with which it goes on"""


class Journal:
    """An open journal; one process at a time."""

    def __init__(self, path: Path, settings: Mapping[str, Any], revise: Revise | None = None) -> None:
        """Begin a journal, or go on with the one that is there.

        `revise` is asked for the settings with which a journal that is there goes on; without it, it must have these.
        """
        self.path = path
        self._revise = revise
        self.records: dict[str, Record] = {}
        """the games so far, by their id"""
        self._last = ""
        try:
            _refuse_special(path)
            path.parent.mkdir(parents=True, exist_ok=True)
            # Unbuffered: what could not be written must not be tried again when the file is closed.
            self._file = path.open("a+b", buffering=0)
        except OSError as error:
            raise _failure("cannot open", path, error) from None
        try:
            self._lock()
            self._resume(read_json(write_json(settings)))
        except BaseException:
            self._file.close()
            raise

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ForgeronError(f"{self.path} is in use: another run of this event is going on") from None

    def _resume(self, settings: dict[str, Any]) -> None:
        header = seal({"format": FORMAT, "settings": settings}, "")
        try:
            self._file.seek(0)
            data = self._file.read()
        except OSError as error:
            raise _failure("cannot read", self.path, error) from None
        *lines, torn = data.split(b"\n")
        if not lines:
            # Either nothing, or the beginning of what would be written now: else it is somebody else's file.
            old = write_json({"format": OLD_FORMAT, "settings": settings}).encode()
            if not (header.startswith(torn) or old.startswith(torn)):
                raise ForgeronError(f"{self.path} is not a journal; give another file")
            self._drop(torn)
            self._append(header)
            with contextlib.suppress(OSError):  # not every file system can
                sync_to_disk(self.path.parent)  # the name of the new file as well
            return
        found = decode(lines, self.path)
        _refuse_damage(found, self.path)
        there = found.settings or {}
        if self._revise is None:
            refuse_other_settings(there, settings, self.path)
        else:
            settings = read_json(write_json(self._revise(there, found.records)))
        self._drop(torn)
        self.records = found.records
        self._last = found.last
        if settings != there:
            self._append(seal({"settings": settings}, self._last))

    def _drop(self, torn: bytes) -> None:
        """Cut off the line that was being written when the power failed."""
        if torn:
            try:
                self._file.truncate(os.fstat(self._file.fileno()).st_size - len(torn))
            except OSError as error:
                raise _failure("cannot write", self.path, error) from None

    def append(self, id: str, record: Record) -> bool:
        """Note a finished game; False when it is there already. When this returns, the disk has it."""
        if id in self.records:
            return False
        line = seal({"id": id, "record": record.to_data()}, self._last)
        with uninterrupted():  # what is on the disk and what is in `records` are the same games, always
            self._append(line)
            self.records[id] = record
        return True

    def append_all(self, games: Iterable[tuple[str, Record]]) -> set[str]:
        """Note finished games, all at once and with one sync; the ids of those that were not there already."""
        lines: list[bytes] = []
        new: dict[str, Record] = {}
        last = self._last
        for id, record in games:
            if id not in self.records and id not in new:
                lines.append(seal({"id": id, "record": record.to_data()}, last))
                last = checksum(lines[-1])
                new[id] = record
        if new:
            with uninterrupted():
                self._append(b"".join(lines))
                self.records.update(new)
        return set(new)

    def supersede(self, id: str, record: Record) -> None:
        """Note a game that was played again: it counts instead of the one that is there, which stays in the file."""
        line = seal({"id": id, "instead": True, "record": record.to_data()}, self._last)
        with uninterrupted():
            self._append(line)
            self.records[id] = record

    def _append(self, line: bytes) -> None:
        """Write a line, or several, all of it or nothing."""
        before = os.fstat(self._file.fileno()).st_size
        try:
            self._write(line)
        except OSError as error:
            with contextlib.suppress(OSError):
                self._file.truncate(before)
            kept = len(self.records)
            raise _failure(f"{kept} game{'s' * (kept != 1)} safe, but cannot write", self.path, error) from None
        self._last = checksum(line)

    def _write(self, line: bytes) -> None:
        while line:
            line = line[self._file.write(line) or 0 :]
        os.fsync(self._file.fileno())

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read(path: Path) -> tuple[dict[str, Any], dict[str, Record]]:
    """The settings and games of a journal that nobody needs to be writing; a torn last line is passed over."""
    found = decode(_whole_lines(path), path)
    _refuse_damage(found, path)
    return found.settings or {}, found.records


def repair(path: Path, target: Path) -> tuple[int, list[Damage]]:
    """Write the undamaged games of a journal to a new one; return how many, and what is wrong with the old one.

    A line that is only out of place is undamaged. The settings are kept as they read, and must be readable.
    """
    found = decode(_whole_lines(path), path)
    if found.settings is None:
        raise ForgeronError(f"{found.damage[0].describe(path)}; without the settings no game can be kept")
    if target.exists():
        raise ForgeronError(f"{target} exists; a repaired journal is a new file")
    with Journal(target, found.settings) as mended:
        for id, record in found.records.items():
            mended.append(id, record)
    return len(found.records), found.damage


def _whole_lines(path: Path) -> list[bytes]:
    try:
        _refuse_special(path)
        data = path.read_bytes()
    except OSError as error:
        raise ForgeronError(f"cannot read {path}: {error.strerror}") from None
    except ValueError:  # a NUL in it
        raise ForgeronError(f"cannot read {str(path)!a}: no file has such a name") from None
    if not data:
        raise ForgeronError(f"{path} is empty: no event has begun")
    return data.split(b"\n")[:-1]


def _refuse_special(path: Path) -> None:
    """A pipe, a device or a folder is no place for a journal; to open some of them would wait for ever."""
    with contextlib.suppress(FileNotFoundError):
        if not stat.S_ISREG(path.stat().st_mode):
            raise ForgeronError(f"{path} is not a regular file; give another one for the journal")


def _refuse_damage(found: Contents, path: Path) -> None:
    if found.damage:
        first, *others = found.damage
        more = f" (and {len(others)} more)" if others else ""
        raise ForgeronError(
            f"{first.describe(path)}{more}; repairing the journal saves its undamaged games in a new file"
        )


def refuse_other_settings(there: Mapping[str, Any], wanted: Mapping[str, Any], path: Path) -> None:
    """Refuse a journal that is not of this event, and say what differs."""
    changed = sorted(key for key in {*there, *wanted} if there.get(key) != wanted.get(key))
    if changed:
        raise ForgeronError(
            f"{path} belongs to an event with other settings ({', '.join(changed)}); "
            "give another journal, or the old settings"
        )


def _failure(what: str, path: Path, error: OSError) -> StorageError:
    return StorageError(f"{what} {path}: {error.strerror or error}")

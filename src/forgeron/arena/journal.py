"""The journal of an event: a file that only grows, one line a game, on the disk before the game counts.

The first line holds the settings of the event; a journal of other settings is refused. A line that was cut off by a
crash or a power failure is dropped when the journal is opened again, and its game is played again: no game is lost,
none counts twice.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from forgeron.core.errors import ForgeronError
from forgeron.core.record import Record

FORMAT = "forgeron-journal-1"


class Journal:
    """An open journal; one process at a time."""

    def __init__(self, path: Path, settings: Mapping[str, Any]) -> None:
        """Begin a journal, or go on with the one that is there."""
        self.path = path
        self.records: dict[str, Record] = {}
        """the games so far, by their id"""
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("a+b")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.close()
            raise ForgeronError(f"{path} is in use: another run of this event is going on") from None
        try:
            self._resume(json.loads(json.dumps(settings)))
        except BaseException:
            self._file.close()
            raise

    def _resume(self, settings: Mapping[str, Any]) -> None:
        self._file.seek(0)
        lines = self._file.read().split(b"\n")
        torn = lines.pop()
        if torn:
            self._file.truncate(self._file.seek(0, os.SEEK_END) - len(torn))
        if not lines:
            self._write({"format": FORMAT, "settings": settings})
            _sync_folder(self.path.parent)
            return
        first = _parse(lines[0], self.path, 1)
        if first.get("format") != FORMAT:
            raise ForgeronError(f"{self.path} is not a journal of this version of Forgeron")
        if first["settings"] != settings:
            changed = sorted(
                key for key in {*first["settings"], *settings} if first["settings"].get(key) != settings.get(key)
            )
            raise ForgeronError(
                f"{self.path} belongs to an event with other settings ({', '.join(changed)}); "
                "give another journal, or the old settings"
            )
        for number, line in enumerate(lines[1:], start=2):
            entry = _parse(line, self.path, number)
            self.records.setdefault(entry["id"], Record.from_data(entry["record"]))

    def append(self, id: str, record: Record) -> bool:
        """Note a finished game; False when it is there already. When this returns, the disk has it."""
        if id in self.records:
            return False
        self._write({"id": id, "record": record.to_data()})
        self.records[id] = record
        return True

    def _write(self, entry: Mapping[str, Any]) -> None:
        self._file.write(json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _sync_folder(folder: Path) -> None:
    """Have the name of a new file on the disk as well: without it a power failure could lose the whole journal."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read(path: Path) -> tuple[dict[str, Any], dict[str, Record]]:
    """The settings and games of a journal that nobody needs to be writing; a torn last line is passed over."""
    lines = list(_whole_lines(path))
    if not lines:
        raise ForgeronError(f"{path} is empty: no event has begun")
    first = _parse(lines[0], path, 1)
    if first.get("format") != FORMAT:
        raise ForgeronError(f"{path} is not a journal of this version of Forgeron")
    records: dict[str, Record] = {}
    for number, line in enumerate(lines[1:], start=2):
        entry = _parse(line, path, number)
        records.setdefault(entry["id"], Record.from_data(entry["record"]))
    return first["settings"], records


def _whole_lines(path: Path) -> Iterator[bytes]:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ForgeronError(f"cannot read {path}: {error.strerror}") from None
    yield from data.split(b"\n")[:-1]


def _parse(line: bytes, path: Path, number: int) -> dict[str, Any]:
    try:
        entry = json.loads(line)
    except ValueError:
        raise ForgeronError(f"line {number} of {path} is damaged; move the file away to begin anew") from None
    if not isinstance(entry, dict):
        raise ForgeronError(f"line {number} of {path} is damaged; move the file away to begin anew")
    return entry

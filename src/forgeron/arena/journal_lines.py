"""The lines of a journal, and how damage to them is found.

Each line is a JSON object that ends with two checksums: `after` repeats the checksum of the line before, and `sum` is
that of the line itself, `after` included. So a changed line is known by its own checksum, and a line that was moved,
removed or put in by that of its neighbour. Whole lines missing at the end cannot be told from games not yet played.

Journals of format 1 have no checksums. They are read as they are; lines added to them have checksums, the first of
which covers everything before it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from forgeron.core.errors import ForgeronError
from forgeron.core.json_text import read_json, write_json
from forgeron.core.record import Record

FORMAT = "forgeron-journal-2"
#: Without checksums.
OLD_FORMAT = "forgeron-journal-1"

_SEAL = re.compile(rb',"sum":"([0-9a-f]{16})"\}')
_SEAL_BYTES = 26


def seal(entry: Mapping[str, Any], after: str) -> bytes:
    """The line of an entry that follows the line with the checksum `after`."""
    body = write_json({**entry, "after": after}).encode()[:-1]
    return body + b',"sum":"%s"}\n' % _digest(body).encode()


def checksum(line: bytes) -> str:
    """The checksum that a line states about itself."""
    stated = _SEAL.fullmatch(line.rstrip(b"\n")[-_SEAL_BYTES:])
    return stated[1].decode() if stated else ""


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=8).hexdigest()


@dataclass(frozen=True)
class Damage:
    """Something that is not as it was written."""

    line: int
    what: str
    lost: bool
    """whether the line cannot be kept; false where only its place is wrong, or it is the settings and can be read"""

    def describe(self, path: Path) -> str:
        return f"line {self.line} of {path} is {self.what}"


@dataclass
class Contents:
    """What the complete lines of a journal say."""

    settings: dict[str, Any] | None = None
    """those of the event, the last ones where they have changed; None where the first line cannot be read"""
    records: dict[str, Record] = field(default_factory=dict)
    """the undamaged games by their id; of two with the same id the first counts, unless one says that it is instead"""
    damage: list[Damage] = field(default_factory=list)
    last: str = ""
    """the checksum of the last line"""


def decode(lines: list[bytes], path: Path) -> Contents:
    """Read the complete lines of a journal; one that is no journal at all raises a ForgeronError.

    Damage is noted, and undamaged games are kept, whatever happened to others.
    """
    if not lines or not is_header(lines[0]):
        raise ForgeronError(f"{path} is not a journal of this version of Forgeron, or its first line is damaged")
    found = Contents()
    sealed = f'"{FORMAT}"'.encode() in lines[0][: len(FORMAT) + 20]
    for number, line in enumerate(lines, start=1):
        stated = checksum(line)
        sealed = sealed or bool(stated)
        try:
            entry = _entry(line, stated, sealed)
            _take(entry, found, number)
        except ValueError as error:
            if number == 1:
                found.settings = _readable_settings(line)
            found.damage.append(Damage(number, f"damaged: {error}", lost=found.settings is None or number > 1))
        else:
            # Where the line before was changed, that has been said.
            named = found.damage and found.damage[-1].line == number - 1 and "damaged" in found.damage[-1].what
            if sealed and entry["after"] != found.last and not named:
                what = "out of place: it does not follow the line before it; lines were moved, removed or put in"
                found.damage.append(Damage(number, what, lost=False))
        found.last = stated if sealed else _digest(found.last.encode() + line)
    return found


def is_header(line: bytes) -> bool:
    """Whether a complete line begins like the first line of a journal."""
    return any(line.startswith(f'{{"format":"{name}"'.encode()) for name in (FORMAT, OLD_FORMAT))


def _entry(line: bytes, stated: str, sealed: bool) -> dict[str, Any]:
    """The data of one line with this checksum; ValueError says what is wrong with it."""
    if sealed:
        if not stated:
            raise ValueError("it has no checksum")
        if _digest(line[:-_SEAL_BYTES]) != stated:
            raise ValueError("it was changed, its checksum is wrong")
    try:
        entry = read_json(line)
    except ValueError as error:
        raise ValueError(f"it is no JSON: {error}") from None
    if not isinstance(entry, dict):
        raise ValueError("it is no JSON object")
    if sealed and not isinstance(entry.get("after"), str):
        raise ValueError("it does not say which line it follows")
    return entry


def _readable_settings(line: bytes) -> dict[str, Any] | None:
    """The settings of a damaged first line, as they read now."""
    try:
        settings = read_json(line)["settings"]
    except (ValueError, TypeError, KeyError):
        return None
    return settings if isinstance(settings, dict) else None


def _take(entry: dict[str, Any], found: Contents, number: int) -> None:
    if number == 1 or "settings" in entry:
        if not isinstance(entry.get("settings"), dict):
            raise ValueError("it has no settings")
        found.settings = entry["settings"]
        return
    if not isinstance(entry.get("id"), str) or "record" not in entry:
        raise ValueError("it needs an id and a record")
    try:
        record = Record.from_data(entry["record"])
    except ForgeronError as error:
        raise ValueError(str(error)) from None
    if "instead" in entry:
        found.records[entry["id"]] = record
    else:
        found.records.setdefault(entry["id"], record)

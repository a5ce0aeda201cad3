"""Submissions: a folder for each student, with a `bot.toml` that says how its bot is built and started.

What is built goes to `.built/` beside the submissions: these are never written to. A tournament takes all of them whose
build succeeded; what a student may say is the bot's own business, limits are those of the tournament.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from forgeron.arena.bot_files import BUILT, SOURCES_FILE, SUBMISSION_FILE, beside, digest
from forgeron.arena.entrant import Entrant
from forgeron.arena.submission_check import (
    check_command,
    check_name,
    check_options,
    check_place,
    check_protocol,
    look_of,
)
from forgeron.arena.toml_table import NUMBER, TABLE, TEXT, Key, check_limits, check_table, read_toml
from forgeron.bots.building import build
from forgeron.bots.folders import remove_folder
from forgeron.bots.own_files import name_class_path
from forgeron.bots.protocols import protocol_class
from forgeron.core.errors import ForgeronError, OptionError, error_context
from forgeron.core.files import write_file
from forgeron.core.json_text import read_json

BOT_KEYS = {
    "name": TEXT,
    "command": Key((str,), "the command that starts the bot, seen from its folder", needed=True),
    "language": TEXT,
    "build": Key((str,), "the command that builds the bot"),
    "protocol": TEXT,
    "options": TABLE,
}
SUBMISSION_KEYS = {
    "folder": Key((str,), "the folder with a folder for each student", needed=True),
    "protocol": TEXT,
    "memory_mb": NUMBER,
    "startup_seconds": Key((int, float), "a number of seconds"),
    "bwrap": Key((bool,), "true or false"),
}

Verdict = Literal["ready", "built", "failed"]


@dataclass(frozen=True)
class Submission:
    """What one student has handed in."""

    folder: Path
    name: str
    command: str = ""
    language: str = ""
    build: str = ""
    entrant: Mapping[str, Any] = field(default_factory=dict)
    """protocol and options, where they are given"""
    problem: str = ""
    """why it cannot take part, where its bot.toml alone says so"""

    @property
    def place(self) -> Path:
        """Where the bot is started from: where it was built, or the submission itself."""
        return self.folder.parent / BUILT / self.folder.name if self.build else self.folder

    @property
    def log(self) -> Path:
        return self.folder.parent / BUILT / f"{self.folder.name}.log"

    @property
    def stamp(self) -> Path:
        """What came of the last build, and of which sources it was."""
        return self.folder.parent / BUILT / f"{self.folder.name}.json"

    @property
    def digest(self) -> str:
        return digest([self.folder])


@dataclass(frozen=True)
class Build:
    """What came of building a submission."""

    submission: Submission
    verdict: Verdict
    note: str = ""
    seconds: float | None = None


def read_submissions(folder: Path) -> list[Submission]:
    """All submissions of a folder, in the order of their folders' names."""
    try:
        places = sorted(one for one in folder.iterdir() if one.is_dir() and not one.name.startswith("."))
    except OSError as error:
        raise ForgeronError(f"cannot read the submissions in {folder}: {error.strerror}") from None
    if not places:
        raise ForgeronError(f"{folder} has no submissions: a folder for each, with a {SUBMISSION_FILE}")
    return [_read(one) for one in places]


def _read(folder: Path) -> Submission:
    """One submission; what is wrong with it is its problem, and not that of the others."""
    try:
        check_place(folder, folder / SUBMISSION_FILE)
        data = read_toml(folder / SUBMISSION_FILE)
        check_table(data, BOT_KEYS, SUBMISSION_FILE)
        name = data.get("name") or folder.name
        with error_context(SUBMISSION_FILE):
            check_name(name)
            check_command(data["command"], folder)
            check_protocol(data.get("protocol"))
            check_options(data.get("options", {}))
            if "\0" in data.get("build", ""):
                raise OptionError("build is no line of a shell")
        given: dict[str, Any] = {key: data[key] for key in ("protocol", "options") if key in data}
    except (ForgeronError, OSError) as error:
        return Submission(folder, folder.name, problem=str(error).replace(f"{folder}{os.sep}", ""))
    return Submission(folder, name, data["command"], data.get("language", ""), data.get("build", ""), given)


# --- building --------------------------------------------------------------------------------------------------------


def build_all(
    submissions: Sequence[Submission], *, seconds: float, memory_mb: int, jobs: int, again: bool = False
) -> Iterator[Build]:
    """Build what has changed since it was built, or everything `again`; each as it is done."""
    with ThreadPoolExecutor(jobs) as pool:
        running = [pool.submit(_build, one, seconds, memory_mb, again) for one in submissions]
        try:
            for one in as_completed(running):
                yield one.result()
        finally:
            for one in running:
                one.cancel()


def _build(one: Submission, seconds: float, memory_mb: int, again: bool) -> Build:
    if one.problem:
        return Build(one, "failed", one.problem)
    if not one.build:
        return Build(one, "ready", "nothing to build")
    try:
        return _build_anew(one, seconds, memory_mb, again)
    except (ForgeronError, OSError) as error:  # the others are built all the same
        return Build(one, "failed", str(error))


def _build_anew(one: Submission, seconds: float, memory_mb: int, again: bool) -> Build:
    sources = one.digest
    before = _stamped(one)
    if not again and before.get("sources") == sources and before.get("passed"):
        return Build(one, "ready", "built before")
    draft = one.place.with_name(f".{one.place.name}.part")
    remove_folder(draft)
    one.place.parent.mkdir(exist_ok=True)
    others = beside(one.folder.parent, [one.folder])
    result = build(one.folder, one.build, draft, seconds=seconds, memory_mb=memory_mb, hidden=others)
    write_file(one.log, result.log.encode("utf-8", "replace"))
    if result.passed:
        (draft / SOURCES_FILE).write_text(sources)
        remove_folder(one.place)
        draft.rename(one.place)
    stamp = {"sources": sources, "passed": result.passed, "note": result.note}
    write_file(one.stamp, json.dumps(stamp, ensure_ascii=False))
    return Build(one, "built" if result.passed else "failed", result.note, result.seconds)


def _stamped(one: Submission) -> dict[str, Any]:
    try:
        found = read_json(one.stamp.read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) and (one.place.is_dir() or not found.get("passed")) else {}


# --- in a tournament -------------------------------------------------------------------------------------------------


def submitted_entrants(table: object, folder: Path, others: Sequence[Entrant] = ()) -> tuple[Entrant, ...]:
    """The entrants of the table [submissions] of a tournament file in this folder, which has these `others`, too."""
    place = submission_folder(table, folder)
    assert isinstance(table, Mapping)
    found = read_submissions(place)
    late = [one for one in found if not one.problem and one.build and _stamped(one).get("sources") != one.digest]
    if late:
        names = ", ".join(one.folder.name for one in late)
        raise ForgeronError(f"not built since they were handed in: {names}; run: forgeron build {place}")
    ready = [one for one in found if not left_out(one, table)]
    known = {look_of(one.name) for one in others}
    for one in ready:
        folders = [other.folder.name for other in ready if look_of(other.name) == look_of(one.name)]
        if len(folders) > 1:
            raise OptionError(f"the submissions {' and '.join(folders)} have the same name '{one.name}'")
        if look_of(one.name) in known:
            raise OptionError(f"the submission {one.folder.name} has the name of another entrant, '{one.name}'")
    return tuple(_entrant(one, table, folder) for one in ready)


def submission_folder(table: object, folder: Path) -> Path:
    """The folder that the table [submissions] names."""
    if not isinstance(table, dict):
        raise OptionError('submissions is a table: write [submissions] and below it folder = "…"')
    check_table(table, SUBMISSION_KEYS, "[submissions]")
    check_limits(table, "[submissions]")
    check_protocol(table.get("protocol"))
    return folder / str(table["folder"])


def left_out(one: Submission, table: Mapping[str, Any]) -> str:
    """Why a submission does not take part in an event with this table [submissions]; empty where it does."""
    if one.problem:
        return one.problem
    if one.build and not (stamp := _stamped(one)).get("passed"):
        return f"its build failed: {stamp.get('note')}"
    try:
        entrant = _entrant(one, table, one.folder.parent).located(one.folder.parent)
        spoken = protocol_class(entrant.protocol)
        spoken.check_command(entrant.command)
        spoken.read_options(entrant.options)
    except ForgeronError as error:
        return str(error)
    return ""


def _entrant(one: Submission, table: Mapping[str, Any], folder: Path) -> Entrant:
    """The entrant with paths as the tournament file's folder sees them."""
    shared = {key: table[key] for key in ("protocol", "memory_mb", "startup_seconds", "bwrap") if key in table}
    words = []
    for i, word in enumerate(shlex.split(one.command)):
        path = one.place / word
        own = not word.startswith(("-", "/")) and path.exists() and (i > 0 or "/" in word)
        words.append(_relative(path, folder) if own else word)
    if (named := name_class_path(words, one.place)) != tuple(words):
        words = [named[0], named[1], _relative(one.place, folder), *named[3:]]
    return Entrant.from_data({**shared, **one.entrant, "name": one.name, "command": words})


def _relative(path: Path, folder: Path) -> str:
    """A path that is written like one, also where it is a name alone."""
    return os.path.join(".", os.path.relpath(path, folder))

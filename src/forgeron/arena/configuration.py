"""Tournament files: TOML, read with an answer for everything that may be wrong in it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from forgeron.arena.entrant import Entrant
from forgeron.arena.event import Terms, know_openings
from forgeron.arena.protocols import PROTOCOLS
from forgeron.arena.tournament import FORMATS, Tournament
from forgeron.core.errors import ForgeronError, OptionError, unknown_name


@dataclass(frozen=True)
class Key:
    """A key of a table: the kinds of value it takes, and how to say that."""

    kinds: tuple[type, ...]
    said: str
    needed: bool = False


TEXT = Key((str,), "a text")
NUMBER = Key((int,), "a whole number")
TABLE = Key((dict,), "a table of names and values")

EVENT_KEYS = {
    "name": TEXT,
    "game": Key((str,), "the name of a game, or the path of a one-file game", needed=True),
    "options": TABLE,
    "preset": TEXT,
    "format": Key((str,), f"one of {', '.join(FORMATS)}"),
    "pairs": NUMBER,
    "rounds": NUMBER,
    "challengers": Key((list,), "a list of names of entrants"),
    "time": Key((str, int, float), 'a time such as "0.5", "60+0.5" or "1000n"', needed=True),
    "seed": NUMBER,
    "jobs": NUMBER,
    "opening_plies": NUMBER,
}
ENTRANT_KEYS = {
    "name": Key((str,), "a text"),
    "player": Key((str,), "the name of a player of ours"),
    "command": Key((str, list), "a command line"),
    "protocol": Key((str,), f"one of {', '.join(PROTOCOLS)}"),
    "options": TABLE,
    "memory_mb": NUMBER,
    "startup_seconds": Key((int, float), "a number of seconds"),
    "bwrap": Key((bool,), "true or false"),
}


def read_tournament(path: Path) -> tuple[Tournament, int]:
    """The tournament of a file, and how many games it wants played at the same time."""
    try:
        with path.open("rb") as file:
            data = tomllib.load(file)
    except OSError as error:
        raise ForgeronError(f"cannot read {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ForgeronError(f"{path} is not TOML: {error}") from None
    try:
        return _tournament(data, path)
    except ForgeronError as error:
        raise type(error)(f"{path}: {error}") from None


def _tournament(data: Mapping[str, Any], path: Path) -> tuple[Tournament, int]:
    for name in data:
        if name not in ("event", "entrant"):
            raise unknown_name("table", name, ["event", "entrant"])
    event = data.get("event")
    if not isinstance(event, dict):
        raise OptionError("a tournament needs a table [event] with at least game and time")
    _check(event, EVENT_KEYS, "[event]")
    tables = data.get("entrant", [])
    if not isinstance(tables, list) or not tables:
        raise OptionError("a tournament needs entrants: a table [[entrant]] for each")
    jobs = event.get("jobs", 1)
    if jobs < 1:
        raise OptionError(f"jobs is 1 or more, not {jobs}")
    entrants = tuple(_entrant(table, number) for number, table in enumerate(tables, 1))
    terms = Terms.settle(
        event["game"],
        event.get("options"),
        event.get("preset"),
        time=str(event["time"]),
        seed=event.get("seed", 0),
        opening_plies=event.get("opening_plies", None if know_openings(entrants) else 0),
        folder=path.parent,
    )
    tournament = Tournament(
        event.get("name", path.stem),
        terms,
        entrants,
        event.get("format", "round-robin"),
        event.get("pairs", 1),
        event.get("rounds", 0),
        tuple(event.get("challengers", ())),
    )
    return tournament, jobs


def _entrant(table: object, number: int) -> Entrant:
    where = f"entrant {number}"
    if not isinstance(table, dict):
        raise OptionError(f"{where} is not a table; write [[entrant]] above its keys")
    _check(table, ENTRANT_KEYS, where)
    if "player" in table and "protocol" in table:
        raise OptionError(f"{where}: a player of ours needs no protocol")
    name = table.get("name") or table.get("player")
    if name is None:
        raise OptionError(f"{where} needs a name")
    if isinstance(table.get("command"), list) and not all(isinstance(word, str) for word in table["command"]):
        raise OptionError(f"{where}: the words of command are texts")
    if table.get("memory_mb", 1) < 1 or table.get("startup_seconds", 1) <= 0:
        raise OptionError(f"{where}: memory_mb and startup_seconds are more than 0")
    return Entrant.from_data({**table, "name": name})


def _check(table: Mapping[str, Any], keys: Mapping[str, Key], where: str) -> None:
    for name, value in table.items():
        if name not in keys:
            raise unknown_name(f"key in {where}", name, keys)
        key = keys[name]
        if not isinstance(value, key.kinds) or (isinstance(value, bool) and bool not in key.kinds):
            raise OptionError(f"{where}: {name} is {key.said}, not {value!r}")
    for name, key in keys.items():
        if key.needed and name not in table:
            raise OptionError(f"{where} needs {name}: {key.said}")

"""Tournament files: TOML, read with an answer for everything that may be wrong in it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from forgeron.arena.entrant import Entrant
from forgeron.arena.event import Terms, know_openings
from forgeron.arena.submissions import submitted_entrants
from forgeron.arena.toml_table import NUMBER, TABLE, TEXT, Key, check_limits, check_table, read_toml
from forgeron.arena.tournament import FORMATS, Tournament
from forgeron.bots.protocols import protocol_names
from forgeron.core.errors import OptionError, error_context, unknown_name

MOST_JOBS = 1024

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
    "openings": Key((str,), "a file of openings, as `forgeron openings` writes it"),
}
TABLES = ("event", "entrant", "submissions", "site")
SITE_KEYS = {"title": TEXT, "text": TEXT, "logs": Key((bool,), "true or false")}
ENTRANT_KEYS = {
    "name": Key((str,), "a text"),
    "player": Key((str,), "the name of a player, or the path of a Python file that defines one"),
    "command": Key((str, list), "a command line"),
    "protocol": Key((str,), f"one of {', '.join(protocol_names())}"),
    "options": TABLE,
    "memory_mb": NUMBER,
    "startup_seconds": Key((int, float), "a number of seconds"),
    "bwrap": Key((bool,), "true or false"),
    "threads": NUMBER,
    "time": Key((str, int, float), 'a time such as "0.5", "60+0.5" or "1000n"'),
}


def read_tournament(path: Path) -> tuple[Tournament, int]:
    """The tournament of a file, and how many games it wants played at the same time."""
    data = read_toml(path)
    read_site_table(path)
    with error_context(str(path)):
        return _tournament(data, path)


def read_site_table(path: Path) -> dict[str, Any]:
    """The table [site] of a file: how the event is published; nothing in it decides how games go."""
    table = read_toml(path).get("site", {})
    with error_context(str(path)):
        if not isinstance(table, dict):
            raise OptionError("site is a table: write [site] above its keys")
        check_table(table, SITE_KEYS, "[site]")
    return table


def _tournament(data: Mapping[str, Any], path: Path) -> tuple[Tournament, int]:
    for name in data:
        if name not in TABLES:
            raise unknown_name("table", name, TABLES)
    event = data.get("event")
    if not isinstance(event, dict):
        raise OptionError("a tournament needs a table [event] with at least game and time")
    check_table(event, EVENT_KEYS, "[event]")
    tables = data.get("entrant", [])
    if not isinstance(tables, list) or not (tables or "submissions" in data):
        raise OptionError("a tournament needs entrants: a table [[entrant]] for each, or a folder of [submissions]")
    jobs = event.get("jobs", 1)
    if jobs < 1:
        raise OptionError(f"jobs is 1 or more, not {jobs}")
    if jobs > MOST_JOBS:
        raise OptionError(f"jobs is at most {MOST_JOBS}, not {jobs}")
    entrants = tuple(_entrant(table, number) for number, table in enumerate(tables, 1))
    if "submissions" in data:
        entrants += submitted_entrants(data["submissions"], path.parent, entrants)
    terms = Terms.settle(
        event["game"],
        event.get("options"),
        event.get("preset"),
        time=str(event["time"]),
        seed=event.get("seed", 0),
        opening_plies=event.get("opening_plies", None if know_openings(entrants) else 0),
        openings=event.get("openings"),
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
    check_table(table, ENTRANT_KEYS, where)
    if "player" in table and "protocol" in table:
        raise OptionError(f"{where}: a player speaks no protocol")
    name = table.get("name") or table.get("player")
    if name is None:
        raise OptionError(f"{where} needs a name")
    if isinstance(table.get("command"), list) and not all(isinstance(word, str) for word in table["command"]):
        raise OptionError(f"{where}: the words of command are texts")
    check_limits(table, where)
    own_time = {"time": str(table["time"])} if "time" in table else {}
    return Entrant.from_data({**table, **own_time, "name": name})

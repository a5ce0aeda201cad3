"""Tables of a TOML file, read with an answer for everything that may be wrong in them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from forgeron.bots.clock import MOST_SECONDS
from forgeron.core.errors import ForgeronError, OptionError, unknown_name
from forgeron.core.files import read_file

MOST_MEMORY_MB = 1 << 24
_MOST_BITS = 10_000


@dataclass(frozen=True)
class Key:
    """A key of a table: the kinds of value it takes, and how to say that."""

    kinds: tuple[type, ...]
    said: str
    needed: bool = False


TEXT = Key((str,), "a text")
NUMBER = Key((int,), "a whole number")
TABLE = Key((dict,), "a table of names and values")


def read_toml(path: Path) -> dict[str, Any]:
    """The data of a file."""
    try:
        data = tomllib.loads(read_file(path).decode())
    except OSError as error:
        raise ForgeronError(f"cannot read {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ForgeronError(f"{path} is not TOML: {error}") from None
    except RecursionError:
        raise ForgeronError(f"cannot read {path}: it is nested too deeply") from None
    except ValueError:  # Python reads no number of more than 4,300 digits
        raise ForgeronError(f"cannot read {path}: a number in it is too long") from None
    _refuse_long_numbers(data, path)
    return data


def _refuse_long_numbers(data: dict[str, Any], path: Path) -> None:
    """Numbers that were read from other digits than decimal ones, and could not be written in a message."""
    waiting: list[Any] = [data]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict | list):
            waiting += one.values() if isinstance(one, dict) else one
        elif isinstance(one, int) and one.bit_length() > _MOST_BITS:
            raise ForgeronError(f"cannot read {path}: a number in it is too long")


def check_table(table: Mapping[str, Any], keys: Mapping[str, Key], where: str) -> None:
    """Refuse keys that are unknown, of the wrong kind, or missing."""
    for name, value in table.items():
        if name not in keys:
            raise unknown_name(f"key in {where}", name, keys)
        key = keys[name]
        if not isinstance(value, key.kinds) or (isinstance(value, bool) and bool not in key.kinds):
            raise OptionError(f"{where}: {name} is {key.said}, not {value!r}")
    for name, key in keys.items():
        if key.needed and name not in table:
            raise OptionError(f"{where} needs {name}: {key.said}")


def check_limits(table: Mapping[str, Any], where: str) -> None:
    """Refuse limits of a bot, memory_mb and startup_seconds, that are none."""
    memory, startup = table.get("memory_mb", 1), table.get("startup_seconds", 1)
    if memory < 1 or startup <= 0:
        raise OptionError(f"{where}: memory_mb and startup_seconds are more than 0")
    if memory > MOST_MEMORY_MB or not startup <= MOST_SECONDS:
        raise OptionError(
            f"{where}: memory_mb is at most {MOST_MEMORY_MB}, startup_seconds {MOST_SECONDS:.0f} (a week)"
        )

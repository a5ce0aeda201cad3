"""Tables of exact values as files: the win probability of the player on turn at every turn start, in 65,535ths.

A file is a line of JSON, the header, and the compressed numbers. The header names the game, the version of its rules,
the number of entries, a checksum of the numbers, and a digest of the ranks of some positions: a table is refused by a
game that numbers its positions otherwise. A table serves every option of its game: `rank` tells apart what matters.
"""

from __future__ import annotations

import hashlib
import json
import random
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from forgeron.core.contract import rank
from forgeron.core.errors import ForgeronError
from forgeron.core.files import data_folder, write_file
from forgeron.core.json_text import read_json

if TYPE_CHECKING:
    from forgeron.core.game import Game

FORMAT = "forgeron-table-1"
#: What a certain win is as an entry.
WHOLE = 65_535
#: Larger tables are refused before memory is asked for.
_MOST_ENTRIES = 1 << 32
_LONGEST_HEADER = 10_000
_DIGESTED_GAMES, _DIGESTED_PLIES = 5, 120


@dataclass(frozen=True)
class TableFile:
    """Exact values with what is known about them."""

    header: Mapping[str, Any]
    """`game`, `rules`, `digest` (of ranks), `note`"""
    entries: np.ndarray
    """np.uint16, by rank"""


def table_path(game: str) -> Path:
    """Where a table that was computed here is kept."""
    return data_folder() / "tables" / f"{game}.table"


def table_header(game: Game, note: str) -> dict[str, Any]:
    return {"game": game.name, "rules": game.version, "digest": rank_digest(game), "note": note}


def rank_digest(game: Game, seed: int = 0) -> str:
    """A name for the ranks of some positions: it changes with their numbering."""
    digest = hashlib.blake2b(digest_size=8)
    rng = random.Random(f"ranks {seed}")
    start = type(game)().start()  # the numbering is the same for all options
    for _ in range(_DIGESTED_GAMES):
        position = start
        for _ in range(_DIGESTED_PLIES):
            if position.turn is None:
                break
            if position.turn == "chance":
                with np.errstate(over="ignore"):
                    digest.update(b"%d " % int(rank(position.state)))
            position = position.push(rng.choice(position.moves))
    return digest.hexdigest()


def write_table(path: Path, file: TableFile) -> None:
    """Write the whole file or nothing."""
    payload = file.entries.astype("<u2").tobytes()
    digest = hashlib.blake2b(payload, digest_size=16).hexdigest()
    header = {"format": FORMAT, **file.header, "entries": len(file.entries), "checksum": digest}
    packed = zlib.compress(_differences(payload, len(file.entries)), 9)
    write_file(path, json.dumps(header, ensure_ascii=False).encode() + b"\n" + packed, make_folder=True)


def check_format(path: Path) -> None:
    """Refuse a file that is no table at all."""
    try:
        with path.open("rb") as file:
            _header(path, file.readline(_LONGEST_HEADER))
    except OSError as error:
        raise ForgeronError(f"cannot read the table {path}: {error.strerror}") from None


def read_table(path: Path | Traversable, game: Game) -> TableFile:
    """The table of a file; one that is damaged, or belongs to something else, is refused."""
    try:
        first, _, packed = path.read_bytes().partition(b"\n")
    except OSError as error:
        raise ForgeronError(f"cannot read the table {path}: {error.strerror}") from None
    header = _header(path, first)
    if header.get("game") != game.name:
        raise ForgeronError(f"the table {path} is of {header.get('game')}, not of {game.name}")
    if header.get("rules") != game.version or header.get("digest") != rank_digest(game):
        raise ForgeronError(f"the table {path} was computed for other rules or another numbering of {game.title}")
    size = 2 * header["entries"]
    try:
        unpacker = zlib.decompressobj()
        differences = unpacker.decompress(packed, size + 1)
    except zlib.error as error:
        raise ForgeronError(f"the table {path} is damaged: {error}") from None
    if not unpacker.eof or unpacker.unused_data or len(differences) != size:
        raise ForgeronError(f"the table {path} is damaged: it is not as long as its header says")
    low, high = np.frombuffer(differences, dtype=np.uint8).reshape(2, -1).astype(np.uint16)
    entries = np.cumsum(low | high << np.uint16(8), dtype=np.uint16)
    if hashlib.blake2b(entries.astype("<u2").tobytes(), digest_size=16).hexdigest() != header.get("checksum"):
        raise ForgeronError(f"the table {path} is damaged: its numbers do not fit its checksum")
    return TableFile(header, entries)


def _differences(payload: bytes, count: int) -> bytes:
    """Neighbours have similar values: their differences, low bytes before high ones, are smaller when compressed."""
    entries = np.frombuffer(payload, dtype="<u2").astype(np.uint16)
    steps = np.diff(entries, prepend=np.uint16(0)).astype("<u2")
    return steps.view(np.uint8).reshape(count, 2).T.tobytes()


def _header(path: Path | Traversable, line: bytes) -> dict[str, Any]:
    try:
        header = read_json(line)
    except ValueError:
        header = None
    if not isinstance(header, dict) or "format" not in header:
        raise ForgeronError(f"{path} is not a table of Forgeron")
    if header["format"] != FORMAT:
        raise ForgeronError(f"the table {path} has the format {header['format']}; this version reads {FORMAT}")
    if type(header.get("entries")) is not int or not 0 < header["entries"] <= _MOST_ENTRIES:
        raise ForgeronError(f"the table {path} is damaged: its header does not say how large it is")
    return header

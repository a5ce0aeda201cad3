"""Training data: games with the value of every searched position, many games in a file (a shard).

A shard is a NumPy archive (.npz) and needs nothing of Forgeron to be read:

| array | type | one for each | what |
|---|---|---|---|
| `header` | text | shard | JSON: `schema`, `game`, `options`, `rules` (their version), how the games were played |
| `lengths` | uint16 | game | its number of plies |
| `results` | int8 | game | 1 when player 0 won, -1 when player 1 did, 0 for a draw |
| `moves` | int32 | ply, game after game | the move, as the game's kernels number it |
| `values` | int32 | ply | thousandths of log-odds for the side to move; beyond ±999,000 a proven result |
| `flags` | uint8 | ply | bits: JUDGED 1 (it has a value), RANDOM 2 (its move was drawn), PROVED 4, LABELLED 8 |

A position that is LABELLED, in a game of another program, has no value: the result of the game is what counts.

Moves and not positions are stored: they are the smallest form, and whatever a network wants to see of a position is
computed when the data are read.
"""

from __future__ import annotations

import json
import warnings
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np

from forgeron.core.errors import ForgeronError
from forgeron.core.files import replaced_file
from forgeron.core.game import Game
from forgeron.core.json_text import read_json

SCHEMA = 1
_COLUMNS = {"lengths": np.uint16, "results": np.int8, "moves": np.int32, "values": np.int32, "flags": np.uint8}
#: No shard is larger than this when unpacked: a file from elsewhere must not fill the memory.
_MOST_BYTES = 1 << 30


@dataclass(frozen=True)
class Shard:
    """Some games with what was found out about their positions; see above for the arrays."""

    header: Mapping[str, Any]
    lengths: np.ndarray
    results: np.ndarray
    moves: np.ndarray
    values: np.ndarray
    flags: np.ndarray

    @property
    def games(self) -> int:
        return len(self.lengths)

    @property
    def plies(self) -> int:
        return len(self.moves)


def header_of(game: Game, **played: Any) -> dict[str, Any]:
    """What a shard says about its games; `played` is how they were played."""
    return {"schema": SCHEMA, "game": game.name, "options": dict(game.chosen), "rules": game.version, **played}


def write_shard(path: Path, shard: Shard) -> None:
    """Write the whole file or nothing."""
    with replaced_file(path) as draft, draft.open("wb") as file:
        save_shard(file, shard)


def save_shard(file: IO[bytes], shard: Shard) -> None:
    """Write the archive to an open file."""
    columns = {name: np.asarray(getattr(shard, name), dtype=kind) for name, kind in _COLUMNS.items()}
    np.savez_compressed(file, header=np.array(json.dumps(shard.header, sort_keys=True)), **columns)  # type: ignore[arg-type]


def read_shard(path: Path, game: Game | None = None) -> Shard:
    """The games of a file; one that is damaged, or of another game than `game`, is refused."""
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(member.file_size for member in archive.infolist()) > _MOST_BYTES:
                raise ForgeronError(f"the shard {path} is larger than {_MOST_BYTES >> 20} MB")
        with warnings.catch_warnings(), np.load(path, allow_pickle=False) as data:
            warnings.simplefilter("error")  # NumPy only warns of headers that it can hardly read
            header = read_json(str(data["header"]))
            columns = {name: np.asarray(data[name]) for name in _COLUMNS}
    except FileNotFoundError:
        raise ForgeronError(f"there is no shard {path}") from None
    except ForgeronError:
        raise
    except Exception as error:  # of a damaged archive ZipFile and NumPy raise whatever their parsers come upon
        what = " ".join(str(error).split())[:200]
        raise ForgeronError(f"{path} is not a shard of training data, or it is damaged: {what}") from None
    _check(path, header, columns, game)
    return Shard(header, **columns)


def _check(path: Path, header: Any, columns: Mapping[str, np.ndarray], game: Game | None) -> None:
    if not isinstance(header, dict) or header.get("schema") != SCHEMA:
        raise ForgeronError(f"{path} has another schema than {SCHEMA}, which is the one this version reads")
    for name, kind in _COLUMNS.items():
        if columns[name].dtype != kind or columns[name].ndim != 1:
            raise ForgeronError(f"the array {name} of {path} is not a row of {np.dtype(kind).name}")
    plies = int(columns["lengths"].sum(dtype=np.int64))
    if len(columns["results"]) != len(columns["lengths"]) or any(
        len(columns[name]) != plies for name in ("moves", "values", "flags")
    ):
        raise ForgeronError(f"the arrays of {path} do not fit together")
    if not np.isin(columns["results"], (-1, 0, 1)).all():
        raise ForgeronError(f"the results of {path} are not all -1, 0 or 1")
    if game is not None:
        asked, found = header_of(game), {name: header.get(name) for name in ("game", "options", "rules")}
        if any(asked[name] != found[name] for name in found):
            raise ForgeronError(
                f"{path} has games of {found['game']} {found['options']} by rules {found['rules']}, not of "
                f"{asked['game']} {asked['options']} by rules {asked['rules']}"
            )

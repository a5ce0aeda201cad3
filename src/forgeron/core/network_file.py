"""Network files: their format, how they are written, and what is refused when they are read.

A file is a line of JSON, the header, and the compressed numbers of the network. The header names the game, the options
and the version of the rules it was trained for, the sizes, a checksum of the numbers, and a digest of the features of
some positions: a network is refused by a game whose features have changed since.
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

from forgeron.core.contract import active, offers, phase
from forgeron.core.errors import ForgeronError
from forgeron.core.files import read_file, write_file
from forgeron.core.json_text import read_json

if TYPE_CHECKING:
    from forgeron.core.game import Game

FORMAT = "forgeron-network-1"
#: Lanes are added sixteen at a time: 256 bits.
CHUNK = 16
#: No position of any game has more active features.
MOST_ACTIVE = 128
#: Larger networks are refused before memory is asked for.
_MOST_BYTES = 1 << 26
#: Positions whose features are digested: every so many plies of so many random games, up to a ply.
_DIGESTED_GAMES, _DIGESTED_PLIES, _DIGEST_EVERY = 3, 60, 7
_SIZES = ("features", "hidden", "phases")


def layout(features: int, hidden: int, phases: int) -> np.dtype[Any]:
    """The type of a network of these sizes; hidden + phases, the lanes, are a multiple of 16.

    >>> layout(features=100, hidden=24, phases=8).itemsize
    6976
    """
    lanes = hidden + phases
    if features < 1 or hidden < 0 or lanes % CHUNK or not 1 <= phases <= CHUNK:
        raise ForgeronError(
            f"a network cannot have {features} features, {hidden} hidden lanes and {phases} phases: the last two "
            f"together are a multiple of {CHUNK}, and there are 1 to {CHUNK} phases"
        )
    fields = [("bias", np.int16, (lanes,)), ("out", np.int16, (phases, lanes)), ("rows", np.int16, (features, lanes))]
    return np.dtype(fields, align=True)


def input_sizes(game: Game) -> tuple[int, int]:
    """How many features of a position the game tells apart, and how many are active at once at most; without a
    declaration they are the bits of its planes, and (0, 0) where there are none."""
    if game.feature_count or not offers(game.state_class, "planes") or offers(game.state_class, "features"):
        return game.feature_count, game.max_features
    bits = 64 * len(game.start().observe(0))
    return bits, game.max_features or min(bits, MOST_ACTIVE)


def check_trainable(game: Game, hidden: int) -> None:
    """Refuse a game that no network can be trained for, and a number of hidden lanes that no network has."""
    count, most = input_sizes(game)
    if count < 1 or not 1 <= most <= MOST_ACTIVE:
        raise ForgeronError(
            f"{game.title} has nothing that a network could see: it needs planes, or features with feature_count and "
            f"max_features, 1 to {MOST_ACTIVE} (docs/add-a-game.md)"
        )
    layout(count, hidden, game.phases)


def sizes(kind: np.dtype[Any]) -> dict[str, int]:
    """The numbers of features, hidden lanes and phases of a type of network."""
    assert kind.fields is not None
    features, lanes = kind.fields["rows"][0].shape
    phases = kind.fields["out"][0].shape[0]
    return dict(zip(_SIZES, (features, lanes - phases, phases), strict=True))


@dataclass(frozen=True)
class NetworkFile:
    """A network with what is known about it."""

    header: Mapping[str, Any]
    """`game`, `options` (those it depends on), `rules`, `digest` (of features), `note`, and the sizes"""
    network: np.ndarray
    """one record of the type that `layout` gives"""

    def serves(self, game: Game) -> bool:
        """Whether it was trained for a game with these options."""
        return all(game.chosen.get(name) == value for name, value in self.header["options"].items())


def network_header(game: Game, note: str) -> dict[str, Any]:
    """The header of a network that was trained for this game with the options that matter to it."""
    names = game.chosen if game.network_options is None else game.network_options
    options = {name: game.chosen[name] for name in names}
    return {
        "game": game.name,
        "options": options,
        "rules": game.version,
        "digest": feature_digest(type(game).with_options(options)),
        "note": note,
    }


def feature_digest(game: Game, seed: int = 0) -> str:
    """A name for the features that some positions have, and their phases: it changes with the meaning of a feature."""
    digest = hashlib.blake2b(digest_size=8)
    rng = random.Random(f"features {seed}")
    out = np.zeros(max(input_sizes(game)[1], 1), dtype=np.int32)
    for _ in range(_DIGESTED_GAMES):
        position = game.start()
        for ply in range(_DIGESTED_PLIES):
            if position.turn is None:
                break
            if ply % _DIGEST_EVERY == 0 and position.turn != "chance":
                with np.errstate(over="ignore"):
                    n = int(active(position.state, np.int64(position.turn), out))
                    stage = int(phase(position.state))
                digest.update(repr((stage, sorted(out[:n].tolist()))).encode())
            position = position.push(rng.choice(position.moves))
    return digest.hexdigest()


def options_of(path: Path | Traversable, file: NetworkFile) -> Mapping[str, Any]:
    """The options that a network is for."""
    options = file.header.get("options")
    if not isinstance(options, dict):
        raise ForgeronError(f"the network {path} is damaged: it does not say which options it is for")
    return options


def check_fit(path: Path | Traversable, file: NetworkFile, game: Game) -> None:
    """Refuse a network that was trained for something else."""
    header = file.header
    options_of(path, file)
    if header.get("game") != game.name:
        raise ForgeronError(f"the network {path} plays {header.get('game')}, not {game.name}")
    if not file.serves(game):
        raise ForgeronError(f"the network {path} is for {game.name} with the options {header['options']}, not {game}")
    shape = {"features": input_sizes(game)[0], "phases": game.phases}
    if (
        header.get("rules") != game.version
        or any(header[name] != size for name, size in shape.items())
        or header.get("digest") != feature_digest(type(game).with_options(header["options"]))
    ):
        raise ForgeronError(f"the network {path} was trained for other rules or features of {game.title}")


def write_network(path: Path, file: NetworkFile) -> None:
    """Write the whole file or nothing."""
    payload = file.network.tobytes()
    digest = hashlib.blake2b(payload, digest_size=16).hexdigest()
    header = {"format": FORMAT, **file.header, **sizes(file.network.dtype), "checksum": digest}
    write_file(path, json.dumps(header, ensure_ascii=False).encode() + b"\n" + zlib.compress(payload, 9))


def read_network(path: Path | Traversable) -> NetworkFile:
    """The network of a file; one that is damaged, or no network at all, is refused."""
    try:
        first, _, packed = read_file(path).partition(b"\n")
    except OSError as error:
        raise ForgeronError(f"cannot read the network {path}: {error.strerror}") from None
    header = _header(path, first)
    try:
        kind = layout(*(header[name] for name in _SIZES))
    except (ForgeronError, ValueError) as error:
        raise ForgeronError(f"the network {path} is damaged: {error}") from None
    if kind.itemsize > _MOST_BYTES:
        raise ForgeronError(f"the network {path} is larger than {_MOST_BYTES >> 20} MB")
    try:
        unpacker = zlib.decompressobj()
        payload = unpacker.decompress(packed, kind.itemsize + 1)
    except zlib.error as error:
        raise ForgeronError(f"the network {path} is damaged: {error}") from None
    digest = hashlib.blake2b(payload, digest_size=16).hexdigest()
    if not unpacker.eof or unpacker.unused_data or len(payload) != kind.itemsize or digest != header.get("checksum"):
        raise ForgeronError(f"the network {path} is damaged: its numbers do not fit its checksum")
    return NetworkFile(header, aligned(kind, payload))


def aligned(kind: np.dtype[Any], payload: bytes | None = None) -> np.ndarray:
    """A network of this type at the beginning of a cache line, all zero or with these bytes."""
    memory = np.zeros(kind.itemsize + 64, dtype=np.uint8)
    skipped = -memory.ctypes.data % 64
    network: np.ndarray = memory[skipped : skipped + kind.itemsize].view(kind)
    if payload is not None:
        network.view(np.uint8)[:] = np.frombuffer(payload, dtype=np.uint8)
    return network


def _header(path: Path | Traversable, line: bytes) -> dict[str, Any]:
    try:
        header = read_json(line)
    except ValueError:
        header = None
    if not isinstance(header, dict) or "format" not in header:
        raise ForgeronError(f"{path} is not a network of Forgeron")
    if header["format"] != FORMAT:
        raise ForgeronError(f"the network {path} has the format {header['format']}; this version reads {FORMAT}")
    if not all(type(header.get(name)) is int for name in _SIZES):
        raise ForgeronError(f"the network {path} is damaged: its header does not say how large it is")
    return header

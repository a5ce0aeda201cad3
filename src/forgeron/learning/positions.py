"""Training positions: those of many shards, each once, with its target value."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from forgeron.core.errors import ForgeronError
from forgeron.core.game import Game
from forgeron.core.network_file import input_sizes
from forgeron.kernels.selfplay import JUDGED, LABELLED, PROVED, RANDOM
from forgeron.kernels.training_data import encode_games, hash_line
from forgeron.learning.shards import Shard, read_shard

#: Of so many games one is kept back: training does not see it, and is judged by it.
ONE_IN = 20
#: So many features of a position are found to be too many before anything else is overwritten.
_SPARE_FEATURES = 64 * 1024


@dataclass(frozen=True)
class Batch:
    """Some positions, as the side to move sees them."""

    indices: np.ndarray
    """the active features of all of them, one position after the other"""
    ends: np.ndarray
    """where the features of each position end"""
    phases: np.ndarray
    targets: np.ndarray
    """the expected result for the side to move that the network should find, from 0 to 1"""
    results: np.ndarray
    """how the game ended for the side to move: 1, ½, 0"""
    trusted: np.ndarray
    """whether no random move came in between"""

    def __len__(self) -> int:
        return len(self.ends)

    @property
    def starts(self) -> np.ndarray:
        """Where the features of each position begin."""
        return np.concatenate([[0], self.ends[:-1]])


class Positions:
    """The games of some shards, ready to be turned into batches."""

    def __init__(self, game: Game, files: Sequence[Path], result_share: float = 0.4) -> None:
        """`result_share` of a target is the result of the game, the rest the value of the search; where a random move
        came in between, the result says nothing, and the search alone counts."""
        self.game = game
        shards = [read_shard(file, game) for file in files]
        if not shards:
            raise ForgeronError(f"there are no games of {game.title} to learn from")
        lengths = np.concatenate([shard.lengths for shard in shards]).astype(np.int64)
        self.firsts = np.concatenate([[0], np.cumsum(lengths)])
        self.line = np.concatenate([shard.moves for shard in shards])
        keys = np.concatenate([_keys(game, shard, file) for shard, file in zip(shards, files, strict=True)])
        flags = np.concatenate([shard.flags for shard in shards])
        values = np.concatenate([shard.values for shard in shards])
        self._results = np.repeat(np.concatenate([shard.results for shard in shards]).astype(np.float32), lengths)
        labelled = flags & LABELLED > 0
        self._wanted = ((flags & JUDGED > 0) & (flags & PROVED == 0)) | labelled
        self._wanted = _first_of_each(keys, self._wanted)
        self._trusted = _after_the_last(flags & RANDOM > 0, self.firsts)
        self._searched = 0.5 + 0.5 * np.tanh(values.astype(np.float32) / 2000.0)
        self._share = np.where(labelled, 1.0, np.where(self._trusted, result_share, 0.0)).astype(np.float32)
        numbers = np.arange(len(lengths))
        kept_back = numbers % ONE_IN == ONE_IN - 1
        if len(numbers) < ONE_IN:
            kept_back = numbers == len(numbers) - 1  # of few games one at least
        if not self.count(numbers[kept_back]) or not self.count(numbers[~kept_back]):
            raise ForgeronError(
                f"{len(numbers)} games of {game.title} with {len(self)} different positions are too few to learn from: "
                f"one game in {ONE_IN} is kept back, and has none of its own"
            )
        self.training, self.validation = numbers[~kept_back], numbers[kept_back]

    def __len__(self) -> int:
        return int(self._wanted.sum())

    @cached_property
    def digest(self) -> str:
        """A name for all that is learnt from: games, values and targets."""
        digest = hashlib.blake2b(digest_size=8)
        for part in (self.firsts, self.line, self._wanted, self._results, self._searched, self._share):
            digest.update(np.ascontiguousarray(part).tobytes())
        return digest.hexdigest()

    def count(self, games: np.ndarray) -> int:
        """How many positions these games have."""
        upto = np.concatenate([[0], np.cumsum(self._wanted)])
        return int((upto[self.firsts[games + 1]] - upto[self.firsts[games]]).sum())

    def some_games(self, size: int) -> np.ndarray:
        """Games that have so many positions, as far as there are any: those kept back come first."""
        games = np.concatenate([self.validation, self.training])
        upto = np.concatenate([[0], np.cumsum(self._wanted)])
        counts = np.cumsum(upto[self.firsts[games + 1]] - upto[self.firsts[games]])
        found: np.ndarray = games[: int(np.searchsorted(counts, size)) + 1]
        return found

    def encode(self, games: np.ndarray, images: int = 1, seed: int = 0) -> Batch:
        """All positions of these games in their order; with several images each is turned in a random way."""
        room = self.count(games)
        feature_count, most = input_sizes(self.game)
        indices = np.empty(room * most + _SPARE_FEATURES, dtype=np.int32)
        ends, rows = (np.empty(room, dtype=np.int64) for _ in range(2))
        phases, seats = (np.empty(room, dtype=np.int64) for _ in range(2))
        found = encode_games(
            self.game.start_state(),
            games.astype(np.int64),
            self.firsts,
            self.line,
            self._wanted,
            np.int64(images),
            np.uint64(seed),
            np.int64(most),
            indices,
            ends,
            rows,
            phases,
            seats,
        )
        if found < 0:
            raise ForgeronError(f"{self.game.title} has a position of more than {most} features, its max_features")
        assert found == room
        results = (1.0 + np.where(seats == 0, 1.0, -1.0) * self._results[rows]) / 2.0
        share = self._share[rows]
        targets = share * results + (1.0 - share) * self._searched[rows]
        used = indices[: ends[-1]] if room else indices[:0]
        if len(used) and not 0 <= used.min() <= used.max() < feature_count:
            raise ForgeronError(
                f"{self.game.title} writes the features {used.min()} to {used.max()}, and its feature_count is "
                f"{feature_count}: they are numbers from 0, less than that"
            )
        return Batch(
            used, ends, phases, targets.astype(np.float32), results.astype(np.float32), self._trusted[rows].copy()
        )

    def chunks(self, games: np.ndarray, size: int) -> Iterator[np.ndarray]:
        """The games in parts of about `size` positions, all of about the same size."""
        parts = max(1, round(self.count(games) / size))
        yield from (part for part in np.array_split(games, parts) if len(part))


def _keys(game: Game, shard: Shard, file: Path) -> np.ndarray:
    """The key of every position of a shard; its games are played again, and an illegal move is refused."""
    keys = np.empty(shard.plies, dtype=np.uint64)
    start, out = game.start_state(), np.zeros(game.max_moves, dtype=np.int64)
    ends = np.cumsum(shard.lengths, dtype=np.int64)
    for number, (length, end) in enumerate(zip(shard.lengths.tolist(), ends.tolist(), strict=True)):
        legal = hash_line(start, shard.moves[end - length : end], keys[end - length : end], out)
        if legal < length:
            raise ForgeronError(f"game {number + 1} of {file} is not of {game.title}: move {legal + 1} is illegal")
    return keys


def _first_of_each(keys: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Which of the wanted plies have a position that no wanted one has before them."""
    rows = np.flatnonzero(wanted)
    first = np.zeros(len(keys), dtype=np.bool_)
    first[rows[np.unique(keys[rows], return_index=True)[1]]] = True
    return first


def _after_the_last(random: np.ndarray, firsts: np.ndarray) -> np.ndarray:
    """Which plies have no random move at them or later in their game."""
    upto = np.concatenate([[0], np.cumsum(random)])
    ends = np.repeat(upto[firsts[1:]], np.diff(firsts))
    trusted: np.ndarray = ends == upto[:-1]
    return trusted

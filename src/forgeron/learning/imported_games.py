"""Games of other programs as training data: their positions are judged at how the games ended."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from forgeron.core.errors import ForgeronError, error_context
from forgeron.core.game import Game, ImportedGame
from forgeron.kernels.selfplay import LABELLED, RANDOM
from forgeron.learning.data_generation import shard_file
from forgeron.learning.shards import Shard, header_of, write_shard


def read_files(game: Game, files: Iterable[Path]) -> Iterator[ImportedGame]:
    """The games of all files; what is wrong with one is said with its name."""
    for file in files:
        try:
            data = file.read_bytes()
        except OSError as error:
            raise ForgeronError(f"cannot read {file}: {error.strerror}") from None
        with error_context(str(file)):
            yield from game.import_games(data)


def make_imported_shard(game: Game, games: list[ImportedGame], number: int) -> Shard:
    """A shard of these games: random moves are marked, and what comes after them is labelled with the result."""
    flags = [np.where(np.arange(len(one.moves)) < one.random_plies, RANDOM, LABELLED).astype(np.uint8) for one in games]
    plies = sum(len(one.moves) for one in games)
    return Shard(
        header_of(game, shard=number, imported=True),
        np.array([len(one.moves) for one in games]),
        np.array([one.result for one in games]),
        np.array([move for one in games for move in one.moves]),
        np.zeros(plies),
        np.concatenate(flags),
    )


def import_games(game: Game, files: Iterable[Path], folder: Path, shard_games: int) -> Iterator[tuple[int, int]]:
    """Write the games to shards of a new folder; yields the games and positions of each."""
    if folder.exists() and any(folder.glob("shard-*.npz")):
        raise ForgeronError(f"there are shards in {folder} already: give another folder")
    games = read_files(game, files)
    for number in itertools.count():
        taken = list(itertools.islice(games, shard_games))
        if not taken:
            return
        folder.mkdir(parents=True, exist_ok=True)
        shard = make_imported_shard(game, taken, number)
        write_shard(shard_file(folder, number), shard)
        yield shard.games, shard.plies

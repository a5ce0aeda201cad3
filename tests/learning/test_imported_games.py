"""The binary records of the author of Yolah: played games are learnt from, anything else is refused with its place."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

import forgeron
from forgeron.core.errors import ForgeronError, OptionError
from forgeron.learning.data_generation import shard_files
from forgeron.learning.imported_games import import_games
from forgeron.learning.positions import Positions
from forgeron.learning.shards import read_shard

GAME = forgeron.game("yolah")


def record(seed: int, random_plies: int = 6) -> bytes:
    """A random game as the author's program writes it."""
    rng = random.Random(seed)
    position, squares = GAME.start(), []
    while position.turn is not None:
        token = rng.choice(position.legal_moves())
        squares += ["abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1) for name in token.split(":")]
        position = position.play(token)
    return bytes([len(squares) // 2, random_plies, *squares, *position.scores])


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / "a.bin", tmp_path / "b.bin"]
    paths[0].write_bytes(b"".join(record(seed) for seed in range(7)))
    paths[1].write_bytes(record(7, random_plies=0))
    return paths


def test_games_are_read_as_they_were_played(files: list[Path], tmp_path: Path) -> None:
    made = list(import_games(GAME, files, tmp_path / "out", 5))
    assert [games for games, _ in made] == [5, 3]
    shards = [read_shard(file, GAME) for file in shard_files(tmp_path / "out")]
    position = GAME.start()
    for move in shards[0].moves[: shards[0].lengths[0]]:
        position = position.push(int(move))
    assert position.outcome is not None
    winner = position.outcome.winner
    assert shards[0].results[0] == (0 if winner is None else 1 - 2 * winner)


def test_positions_after_the_random_moves_are_judged_at_the_result(files: list[Path], tmp_path: Path) -> None:
    for _ in import_games(GAME, files, tmp_path / "out", 100):
        pass
    positions = Positions(GAME, shard_files(tmp_path / "out"))
    plies = sum(data[0] for data in map(record, range(8)))
    assert plies - 7 * 6 - 20 < len(positions) <= plies - 7 * 6, "all but the random ones and those seen twice"
    batch = positions.encode(np.arange(8))
    assert np.array_equal(batch.targets, batch.results)
    assert batch.trusted.all()


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda data: data[:-1], "is cut off"),
        (lambda data: data[:2] + b"\x08" + data[3:], "move 1, .* is not legal"),
        (lambda data: data[:2] + b"\xff" + data[3:], "move 1, 255 .* is not legal"),
        (lambda data: data[:-1] + bytes([data[-1] + 1]), "its moves make"),
        (lambda data: data[:1] + b"\xff" + data[2:], "255 random moves, but only"),
    ],
)
def test_damage_is_refused_with_the_file_and_the_game(spoil, said: str, tmp_path: Path) -> None:
    file = tmp_path / "games.bin"
    good = record(1)
    file.write_bytes(good + spoil(record(2)))
    with pytest.raises(ForgeronError, match=rf"games\.bin: game 2 at byte {len(good)}.*{said}"):
        list(import_games(GAME, [file], tmp_path / "out", 100))
    assert not (tmp_path / "out").exists()


def test_a_folder_with_shards_is_not_mixed_with_others(files: list[Path], tmp_path: Path) -> None:
    list(import_games(GAME, files, tmp_path / "out", 100))
    with pytest.raises(ForgeronError, match="there are shards in"):
        list(import_games(GAME, files, tmp_path / "out", 100))


def test_a_game_without_such_records_says_so() -> None:
    with pytest.raises(OptionError, match="no records of YINSH by other programs can be read"):
        forgeron.game("yinsh").import_games(b"")

"""The laws of what networks and learners see of a position: planes, features, phases and images."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from forgeron.core import contract
from forgeron.core.game import Game
from forgeron.core.jit import kernel
from forgeron.core.position import Position

GAMES_A_LAW = 8


def walks(game: Game) -> Iterator[Position]:
    """The positions of some random games."""
    for seed in range(GAMES_A_LAW):
        rng = random.Random(seed)
        position = game.start()
        yield position
        while position.turn is not None:
            position = position.push(rng.choice(position.moves))
            yield position


def skip_without(game: Game, *functions: str) -> None:
    for name in functions:
        if not contract.offers(game.state_class, name):
            pytest.skip(f"this game has no {name}")


@kernel
def compiled_planes(state, seat):
    return contract.planes(state, seat)


@kernel
def compiled_features(state, seat, out):
    return contract.active(state, seat, out), contract.phase(state)


def test_positions_that_the_rules_tell_apart_have_different_planes_for_either_seat(game: Game) -> None:
    skip_without(game, "planes")
    for seat in (0, 1):
        seen: dict[bytes, object] = {}
        for position in walks(game):
            bits = position.observe(1 if seat else 0).tobytes()
            assert seen.setdefault(bits, position.state) == position.state


def test_planes_are_the_same_words_compiled_and_in_plain_python(game: Game) -> None:
    skip_without(game, "planes")
    with np.errstate(over="ignore"):
        for position in list(walks(game))[::7]:
            for seat in (0, 1):
                plain = contract.planes(position.state, np.int64(seat))
                assert tuple(map(int, plain)) == tuple(map(int, compiled_planes(position.state, np.int64(seat))))


def test_features_are_within_their_ranges_and_the_same_compiled_and_in_plain_python(game: Game) -> None:
    skip_without(game, "planes")
    count = game.feature_count or 64 * len(game.start().observe(0))
    most = game.max_features or count
    with np.errstate(over="ignore"):
        for position in list(walks(game))[::7]:
            for seat in (0, 1):
                plain, out = np.full((2, most + 1), -1, dtype=np.int32)
                n = int(contract.active(position.state, np.int64(seat), plain))
                found, phase = compiled_features(position.state, np.int64(seat), out)
                assert n == found <= most
                assert plain.tolist() == out.tolist()
                assert ((plain[:n] >= 0) & (plain[:n] < count)).all()
                assert 0 <= phase == int(contract.phase(position.state)) < game.phases


def test_an_image_of_a_position_is_played_in_the_same_way(game: Game) -> None:
    skip_without(game, "image")
    for position in list(walks(game))[::9]:
        state = position.state
        assert tuple(contract.image(state, np.int64(0))) == tuple(state)
        for symmetry in range(game.images):
            with np.errstate(over="ignore"):
                image = Position(game, contract.fixed(contract.image(state, np.int64(symmetry))))
            assert image.turn == position.turn
            assert image.scores == position.scores
            assert len(image.moves) == len(position.moves)
            assert game.perft(image, 2) == game.perft(position, 2)
            assert int(contract.phase(image.state)) == int(contract.phase(state))


def test_images_map_planes_to_planes(game: Game) -> None:
    """The bits change places, perhaps to another word of the same set, and to the same one in every position."""
    skip_without(game, "planes", "image")
    positions = list(walks(game))[::9]
    for symmetry in range(game.images):
        with np.errstate(over="ignore"):
            images = [
                Position(game, contract.fixed(contract.image(position.state, np.int64(symmetry))))
                for position in positions
            ]
        for seat in (0, 1):
            assert columns(positions, seat) == columns(images, seat)


def test_images_are_different_symmetries(game: Game) -> None:
    skip_without(game, "image")
    images = [
        tuple(tuple(map(int, contract.image(position.state, np.int64(symmetry)))) for position in walks(game))
        for symmetry in range(game.images)
    ]
    assert len(set(images)) == game.images


def test_symmetries_map_planes_to_planes(game: Game) -> None:
    """Each symmetry has one permutation of the bits, the same in every position."""
    skip_without(game, "planes")
    positions = list(walks(game))[::9]
    for symmetry in game.symmetries():
        images = [Position(game, contract.fixed(symmetry.state(position.state))) for position in positions]
        for seat in (0, 1):
            assert columns(positions, seat) == columns(images, seat)


def columns(positions: list[Position], seat: int) -> Counter[bytes]:
    """What each bit of the planes is in each of the positions, in no order of the bits."""
    bits = np.array([position.observe(1 if seat else 0).ravel() for position in positions])
    return Counter(column.tobytes() for column in np.ascontiguousarray(bits.T))

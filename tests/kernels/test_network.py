"""The network kernel: whole numbers that come out the same compiled and in plain Python."""

from __future__ import annotations

import random
import re
from pathlib import Path

import numpy as np
import pytest

from forgeron.core import contract
from forgeron.core.game import Game
from forgeron.core.jit import JIT, kernel
from forgeron.core.network_file import aligned, layout
from forgeron.core.position import Position
from forgeron.kernels.network import MOST_ACTIVE, infer, out_limit, row_limit, static_evaluation

SIZES = [(300, 24, 8), (300, 40, 8), (50, 56, 8), (40, 16, 16), (40, 15, 1), (40, 0, 16)]


@kernel
def compiled_infer(network, indices, n, phase):
    return infer(network, indices, n, phase)


@kernel
def compiled_evaluation(state, evaluation):
    return static_evaluation(state, evaluation)


def random_network(features: int, hidden: int, phases: int, active: int, seed: int = 0) -> np.ndarray:
    """A network whose numbers are as large as they may be, most of them smaller."""
    rng = np.random.default_rng(seed)
    network = aligned(layout(features, hidden, phases))
    limit = row_limit(active)
    for part in ("rows", "bias"):
        network[part][0] = rng.integers(-limit, limit + 1, network[part][0].shape)
    if hidden:
        most = out_limit() // hidden
        network["out"][0][:, :hidden] = rng.integers(-most, most + 1, (phases, hidden))
    return network


@pytest.mark.parametrize(("features", "hidden", "phases"), SIZES)
def test_compiled_and_plain_python_give_the_same_value_to_the_last_bit(features: int, hidden: int, phases: int) -> None:
    network = random_network(features, hidden, phases, 60)
    rng = np.random.default_rng(1)
    for n in (0, 1, 2, 17, 60):
        for phase in range(phases):
            indices = rng.integers(0, features, 60).astype(np.int32)
            expected = infer(network, indices, n, phase)
            assert compiled_infer(network, indices, np.int64(n), np.int64(phase)) == expected


@pytest.mark.parametrize("sign", [1, -1])
def test_the_largest_numbers_do_not_overflow(sign: int) -> None:
    active, hidden, phases = 79, 56, 8
    network = aligned(layout(1, hidden, phases))
    limit = row_limit(active)
    network["rows"][0] = limit
    network["bias"][0] = limit
    network["out"][0][:, :hidden] = sign * (out_limit() // hidden)
    indices = np.zeros(active, dtype=np.int32)
    value = compiled_infer(network, indices, np.int64(active), np.int64(3))
    # Every hidden lane is full: the sum of the output weights; and the linear lane holds all that it can.
    full = 1023**2 // 16 * hidden * (out_limit() // hidden) / 2**24
    assert value == sign * full + limit * (active + 1) / 256


def test_the_value_is_the_formula_of_the_documentation() -> None:
    network = aligned(layout(3, 24, 8))
    network["rows"][0][:, 0] = 100, 200, 300
    network["rows"][0][1, 24 + 5] = 512
    network["bias"][0][0] = 50
    network["out"][0][5, 0] = 256
    indices = np.array([1, 2], dtype=np.int32)
    hidden = (550 / 1024) ** 2
    assert infer(network, indices, 2, 5) == pytest.approx(hidden + 2.0, abs=1e-4)


def sample(game: Game) -> list[Position]:
    rng = random.Random(3)
    found = []
    for _ in range(3):
        position = game.start()
        while position.turn is not None:
            if position.turn != "chance":
                found.append(position)
            position = position.push(rng.choice(position.moves))
    return rng.sample(found, min(len(found), 25))


def test_a_position_is_judged_the_same_compiled_and_in_plain_python(game: Game) -> None:
    if not contract.offers(game.state_class, "planes"):
        pytest.skip("this game has no planes")
    features = game.feature_count or 64 * len(game.start().observe(0))
    assert (game.max_features or features) <= MOST_ACTIVE or not game.feature_count
    if not game.feature_count and any(position.observe(0).sum() > MOST_ACTIVE for position in sample(game)):
        pytest.skip("its planes have too many bits")
    network = random_network(features, 32 - game.phases, game.phases, MOST_ACTIVE)
    with np.errstate(over="ignore"):
        for position in sample(game):
            assert compiled_evaluation(position.state, network) == static_evaluation(position.state, network)


def test_weights_of_a_linear_evaluation_are_judged_by_the_game(sure_game: Game) -> None:
    weights = sure_game.weights()
    for position in sample(sure_game)[:5]:
        assert compiled_evaluation(position.state, weights) == pytest.approx(contract.evaluate(position.state, weights))


@pytest.mark.skipif(not JIT, reason="there is no machine code")
def test_rows_are_added_in_vectors_of_at_least_256_bits(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import llvmlite.binding as llvm

    if not llvm.get_host_cpu_features().get("avx2", False):
        pytest.skip("this processor has no vectors of 256 bits")
    # Code from the cache cannot be looked at: a size that no other test has, and an empty cache.
    monkeypatch.setenv("FORGERON_CACHE_DIR", str(tmp_path))
    network = random_network(23, 24, 8, 60)
    compiled_infer(network, np.zeros(4, dtype=np.int32), np.int64(4), np.int64(0))
    code = compiled_infer.inspect_asm(compiled_infer.signatures[-1])  # type: ignore[attr-defined]
    assert re.search(r"vpaddw\s[^\n]*%[yz]mm", code)

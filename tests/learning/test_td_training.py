"""Learning by temporal differences: values come nearer to the truth, and a training goes on where it was stopped."""

from __future__ import annotations

import contextlib
import random
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import forgeron
from forgeron.core.errors import ForgeronError, OptionError
from forgeron.core.game import Game
from forgeron.core.network_file import read_network, write_network
from forgeron.kernels.network import static_evaluation
from forgeron.learning.exact_values import TableSolver
from forgeron.learning.td_training import TDLearner, TDTraining, exact_error

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def truth() -> np.ndarray:
    game = forgeron.game("yut", pieces=1)
    solver = TableSolver(game, game.table_levels()[-1])
    list(solver.run())
    return solver.table


class Unsolved:
    """Yut Nori with one piece each, as if nothing were known about it."""

    @staticmethod
    def game(monkeypatch: pytest.MonkeyPatch) -> Game:
        game = forgeron.game("yut", pieces=1)
        monkeypatch.setattr(type(game), "table", lambda _self: np.zeros(0, dtype=np.uint16))
        return game


def test_from_games_alone_values_come_near_to_the_exact_ones(
    truth: np.ndarray, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    learner = TDLearner(Unsolved.game(monkeypatch), TDTraining(games=1500, seed=1))
    before = exact_error(learner.game, truth, learner.parameters)
    progress = list(learner.run(tmp_path / "checkpoint.npz"))
    after = exact_error(learner.game, truth, learner.parameters)
    assert progress[-1].games == 1500
    assert before is not None
    assert after is not None
    assert before > 0.2
    assert after < 0.1


def test_the_same_seed_gives_the_same_network_however_often_it_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("forgeron.learning.td_training._CHECKPOINT_SECONDS", 0)
    game = Unsolved.game(monkeypatch)
    training = TDTraining(games=300, seed=2)
    whole = TDLearner(game, training)
    list(whole.run(tmp_path / "whole.npz"))
    for rounds in (1, 1, 5):
        part = TDLearner(game, training)
        for _ in zip(range(rounds + 1), part.run(tmp_path / "part.npz"), strict=False):
            pass
    assert (part.parameters == whole.parameters).all()
    other = TDLearner(game, TDTraining(games=300, seed=3))
    with pytest.raises(ForgeronError, match="was begun with seed = 2: use the same settings"):
        list(other.run(tmp_path / "part.npz"))
    whole_file = (tmp_path / "part.npz").read_bytes()
    rng = random.Random(7)
    for _ in range(300):
        damaged = bytearray(whole_file[: rng.choice([len(whole_file), rng.randrange(len(whole_file))])])
        for _ in range(8):
            damaged[rng.randrange(min(len(damaged), 400))] = rng.randrange(256)
        (tmp_path / "part.npz").write_bytes(damaged)
        with contextlib.suppress(ForgeronError):  # the damage may be where nothing is said
            TDLearner(game, training)._resume(tmp_path / "part.npz")
    (tmp_path / "part.npz").write_bytes(b"PK nothing")
    with pytest.raises(ForgeronError, match="damaged"):
        list(part.run(tmp_path / "part.npz"))


def test_features_that_have_changed_since_are_another_training(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Unsolved.game(monkeypatch)
    list(TDLearner(game, TDTraining(games=100)).run(tmp_path / "kept.npz"))
    monkeypatch.setattr("forgeron.learning.td_training.feature_digest", lambda _game: "another")
    with pytest.raises(ForgeronError, match=r"was begun with another meaning of features"):
        list(TDLearner(game, TDTraining(games=100)).run(tmp_path / "kept.npz"))


def test_a_game_that_is_broken_off_is_taught_its_last_value_from_both_sides(run_python: Run) -> None:
    code = """
import forgeron.kernels.temporal_difference as kernels
from forgeron.learning import td_training
import forgeron, numpy
kernels.MOST_POSITIONS, seen = 7, set()
taught = kernels._learn_trail
def watched(length, final, share, rate, features, counts, values, *rest):
    if length == 7:
        seen.add((int(counts[6, 2]), bool(final == (values[6] if counts[6, 2] == 0 else 1 - values[6]))))
    return taught(length, final, share, rate, features, counts, values, *rest)
kernels._learn_trail, td_training._ROUND = watched, 4
game = forgeron.game("yut", pieces=1)
type(game).table = lambda self: numpy.zeros(0, numpy.uint16)
td_training.TDLearner(game, td_training.TDTraining(games=4, opening_plies=0, drills=0, throws=1, seed=1))._round()
print(sorted(seen))
"""
    assert run_python(code, FORGERON_JIT="0").stdout == "[(0, True), (1, True)]\n"


def test_the_network_in_whole_numbers_says_what_the_trained_one_does_for_any_number_of_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    learner = TDLearner(Unsolved.game(monkeypatch), TDTraining(games=200, seed=4))
    list(learner.run(tmp_path / "checkpoint.npz"))
    write_network(tmp_path / "yut.network", learner.file("a test"))
    network = read_network(tmp_path / "yut.network").network
    for pieces, text in ((1, "3/8:b:t"), (1, "0/0:r:t"), (4, "30,30,30,3/30,30,30,8:b:t")):
        game = forgeron.game("yut", pieces=pieces)
        state = game.parse(text).state
        assert game.evaluation(str(tmp_path / "yut.network")) is not None
        with np.errstate(over="ignore"):
            exact = float(static_evaluation(state, learner.parameters))
            assert float(static_evaluation(state, network)) == pytest.approx(exact, abs=0.05)


def test_what_cannot_be_learnt_is_refused() -> None:
    with pytest.raises(ForgeronError, match="Yolah cannot be learnt by temporal differences: that needs chance"):
        TDLearner(forgeron.game("yolah"), TDTraining())
    with pytest.raises(OptionError, match="λ is from 0 to 1"):
        TDTraining(trace=1.5)


def test_weights_that_are_no_numbers_are_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    learner = TDLearner(Unsolved.game(monkeypatch), TDTraining(games=100))
    learner.parameters[3, 5] = np.nan
    with pytest.raises(ForgeronError, match="no numbers"):
        learner.file("a test")

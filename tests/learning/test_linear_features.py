"""Features are what the evaluation multiplies by its weights; evaluations that are no such sum are refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import forgeron
from forgeron.core import contract
from forgeron.core.errors import OptionError
from forgeron.core.game import Game
from forgeron.learning.linear_features import check_linear, features, random_lines, root_mean_square, spread
from learning.synthetic import race


def test_features_times_weights_are_the_evaluation_of_every_game(game: Game) -> None:
    if not game.weight_names:
        pytest.skip("it has no names of weights")
    weights = np.random.default_rng(1).normal(size=len(game.weight_names))
    (line,) = random_lines(game, 1, seed=5)
    rows, _ = features(game, line)
    position = game.start()
    for row, move in zip(rows, line, strict=True):
        with np.errstate(over="ignore"):
            assert float(contract.evaluate(position.state, weights)) == pytest.approx(float(row @ weights), abs=1e-9)
        position = position.push(move)


def test_every_game_whose_weights_have_names_can_be_tuned(game: Game) -> None:
    if not game.weight_names:
        pytest.skip("it has no names of weights")
    check_linear(game, game.weights())
    assert (spread(game) > 0).all()


def test_random_lines_are_legal_and_the_same_every_time() -> None:
    game = forgeron.game("yut")
    lines = random_lines(game, 3, seed=2)
    assert lines == random_lines(game, 3, seed=2) != random_lines(game, 3, seed=3)
    for line in lines:
        position = game.start()
        for move in line:
            position = position.push(move)
        assert position.turn is None


@pytest.mark.parametrize(
    ("name", "value", "complaint"),
    [
        ("square", "weights[0] * weights[0] * state.lead + weights[1]", "is not linear in its weights"),
        ("constant", "weights[0] * state.lead + weights[1] + 0.1", "is not linear in its weights"),
        ("product", "weights[0] * weights[1] * state.lead", "is not linear in its weights"),
        ("rounded", "np.floor(weights[0] * state.lead) + weights[1]", "is not linear in its weights"),
        ("infinite", "weights[0] / 0.0 + weights[1]", "is not linear in its weights"),
        ("none", None, "has no evaluation"),
    ],
)
def test_an_evaluation_that_cannot_be_fitted_is_refused(
    tmp_path: Path, name: str, value: str | None, complaint: str
) -> None:
    file = tmp_path / f"{name}.py"
    file.write_text(race(name, value))
    game = forgeron.game(str(file))
    with np.errstate(all="ignore"), pytest.raises(OptionError, match=complaint):
        check_linear(game, game.weights())


def test_weights_need_names_and_as_many_as_there_are(tmp_path: Path) -> None:
    for name, names, complaint in (
        ("nameless", (), "have no names: its class needs weight_names"),
        ("three", ("a", "b", "c"), "has 2 weights and 3 names"),
    ):
        file = tmp_path / f"{name}.py"
        file.write_text(race(name, "weights[0] * state.lead + weights[1]", names))
        game = forgeron.game(str(file))
        with pytest.raises(OptionError, match=complaint):
            check_linear(game, game.weights())


def test_the_size_of_a_feature_is_the_root_of_its_mean_square() -> None:
    assert root_mean_square(np.array([[3.0, 0.0], [-4.0, 0.0]])).tolist() == [pytest.approx(12.5**0.5), 1.0]

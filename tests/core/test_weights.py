"""Weights as data: by name, checked, and read back as they were written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import forgeron
from forgeron.core.errors import OptionError
from forgeron.core.weights import read_weights, write_weights

NAMES = ("lead", "mobility")


def test_weights_are_read_back_as_they_were_written(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    write_weights(file, "yolah", NAMES, np.array([0.25, -1e-7]), "fitted")
    assert read_weights(file, "yolah", NAMES).tolist() == [0.25, -1e-7]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{", "is not a file of weights"),
        ("[]", "is not a file of weights"),
        ('{"game": "yolah", "weights": {"lead": "much"}}', "is not a file of weights"),
        ('{"game": "yinsh", "weights": {"lead": 1, "mobility": 1}}', "are for yinsh, not for yolah"),
        ('{"game": "yolah", "weights": {"lead": 1, "mobility": NaN}}', "'mobility' in .* is nan"),
        ('{"game": "yolah", "weights": {"lead": 1}}', "lacks the weight 'mobility'"),
        ('{"game": "yolah", "weights": {"lead": 1, "mobility": 1, "luck": 1}}', "'luck' that yolah does not know"),
    ],
)
def test_a_bad_file_of_weights_is_refused_with_its_fault(tmp_path: Path, text: str, complaint: str) -> None:
    file = tmp_path / "bad.json"
    file.write_text(text)
    with pytest.raises(OptionError, match=complaint):
        read_weights(file, "yolah", NAMES)


def test_a_player_judges_by_the_weights_of_a_file(tmp_path: Path) -> None:
    game = forgeron.game("yolah")
    file = tmp_path / "zero.json"
    write_weights(file, "yolah", game.weight_names, np.zeros(len(game.weight_names)), "all the same")
    choice = forgeron.player("greedy", game, eval=str(file)).choose(game.start(), forgeron.Limit(nodes=100))
    assert choice.value == 0.5
    assert forgeron.player("greedy", game).choose(game.start(), forgeron.Limit(nodes=100)).value != 0.5


def test_an_unknown_evaluation_is_refused_with_the_valid_names() -> None:
    with pytest.raises(forgeron.ForgeronError, match=r"evaluation of Yolah .*default"):
        forgeron.player("minimax", forgeron.game("yolah"), eval="gut")
    with pytest.raises(OptionError, match="there is no file"):
        forgeron.player("minimax", forgeron.game("yolah"), eval="nowhere.json")

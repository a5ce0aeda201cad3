"""The errors of shallow searches: measured on real positions, the same every time."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import forgeron
from forgeron.core.errors import ContractError, OptionError
from forgeron.core.search_errors import check_search_errors
from forgeron.learning import search_error_measurement
from forgeron.learning.search_error_measurement import SearchErrorMeasurement

CONNECT_FOUR = str(Path(__file__).parent.parent.parent / "examples" / "game_connect_four.py")


def measured(games: int) -> SearchErrorMeasurement:
    measurement = SearchErrorMeasurement(forgeron.game(CONNECT_FOUR), "default", games, 20, nodes=60, seed=3)
    assert list(measurement.run()) == list(range(1, games + 1))
    return measurement


def test_errors_are_mean_and_spread_of_what_deeper_searches_find(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_error_measurement, "FEWEST", 10)
    measurement = measured(8)
    errors = measurement.errors()
    assert {(1, 0), (2, 1)} <= set(errors)
    steps = [row[2] - row[1] for row in measurement.rows if len(row) > 2 and max(map(abs, row[1:3])) <= 4000]
    assert errors[2, 1] == (round(np.mean(steps)), round(np.std(steps)))
    check_search_errors("connect-four", {"linear": errors})
    assert measured(8).errors() == errors


def test_too_few_positions_show_nothing() -> None:
    assert measured(1).errors() == {}


def test_a_game_with_dice_has_no_minimax_to_measure() -> None:
    with pytest.raises(OptionError, match="minimax, which does not play Yut Nori"):
        SearchErrorMeasurement(forgeron.game("yut"), "default")


@pytest.mark.parametrize("wrong", [{(1, 1): (0, 5)}, {(2, 3): (0, 5)}, {(2, 0): (0, 0)}, {(1, -1): (0, 5)}])
def test_errors_that_nobody_can_have_measured_are_refused(wrong: dict[tuple[int, int], tuple[int, int]]) -> None:
    with pytest.raises(ContractError, match="deeper depth, shallower depth"):
        check_search_errors("game 'x'", {"linear": wrong})

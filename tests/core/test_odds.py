"""Log-odds and probabilities."""

from __future__ import annotations

import pytest

from forgeron.core.odds import probability_of


def test_log_odds_of_any_size_have_a_probability() -> None:
    assert probability_of(0.0) == 0.5
    assert probability_of(1.0) == pytest.approx(0.7310585786300049, abs=1e-15)
    assert probability_of(-2.0) == pytest.approx(1 - probability_of(2.0), abs=1e-15)
    assert probability_of(-1e6) == pytest.approx(0, abs=1e-300)
    assert probability_of(1e6) == 1.0

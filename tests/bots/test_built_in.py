"""Players in the referee's own process: what is done before their clock runs."""

from __future__ import annotations

from pathlib import Path

import pytest

import forgeron
from forgeron.bots.clock import Clocks, TimeControl
from forgeron.bots.contestant import BuiltIn

STATUS = Path("/proc/self/status")


def resident_megabytes() -> float:
    line = next(line for line in STATUS.read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


@pytest.mark.skipif(not STATUS.exists(), reason="resident memory is read from /proc, which Linux has")
@pytest.mark.parametrize(("game", "player"), [("yolah", "minimax"), ("yut", "expectimax")])
def test_the_memory_of_a_search_is_in_place_before_its_clock_runs(game: str, player: str) -> None:
    rules = forgeron.game(game)
    contestant = BuiltIn(player, forgeron.player(player, rules, hash=256))
    before = resident_megabytes()
    contestant.open(rules, 0, Clocks(TimeControl.parse("200n")), 1)  # so few nodes need little of it
    assert resident_megabytes() - before < 32
    contestant.open(rules, 0, Clocks(TimeControl.parse("0.1cpu")), 1)
    assert resident_megabytes() - before > 240

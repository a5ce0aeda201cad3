"""The named levels, and what they are worth."""

from __future__ import annotations

import importlib.util
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest

import forgeron
from forgeron.players import levels as module
from forgeron.players.levels import Level, ladder, levels

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def benchmark(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT / "benchmarks")  # a script finds the others of its folder
    spec = importlib.util.spec_from_file_location("levels_benchmark", ROOT / "benchmarks" / "levels.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


@pytest.mark.parametrize("name", ["yolah", "mancala", "yinsh", "yut"])
def test_a_higher_level_is_worth_more(name: str) -> None:
    rated = [one.rating for one in levels(forgeron.game(name)) if one.rating is not None]
    assert len(rated) >= 2, "nobody has measured the levels of this game"
    assert rated[0] == (0, 0, False)
    for low, high in pairwise(rated):
        assert low.elo < high.elo


def test_a_level_that_was_changed_has_no_rating_until_it_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    game = forgeron.game("yolah")
    known = dict(ladder())
    changed = [{**one, "nodes": 7} if one["name"] == "novice" else one for one in known["yolah"]["levels"]]
    monkeypatch.setattr(module, "ladder", lambda: {"yolah": {"levels": changed}})
    ratings = {one.name: one.rating for one in levels(game)}
    assert ratings["novice"] is None
    assert ratings["beginner"] is not None


def test_a_game_of_ones_own_has_levels_without_ratings() -> None:
    found = levels(forgeron.game(str(ROOT / "examples" / "game_connect_four.py")))
    assert found[0].name == "beginner"
    assert all(one.rating is None for one in found)


def test_the_benchmark_measures_the_levels_that_there_are(benchmark: ModuleType) -> None:
    game = forgeron.game("yolah")
    names = [one.name for one in benchmark.rungs("yolah")]
    assert [name for name in names if not name.startswith("monte-carlo")] == [one.name for one in levels(game)]
    strongest = levels(game)[-1]
    assert isinstance(strongest, Level)
    assert benchmark.entrant(strongest).time == f"{module.MEASURED_NODES}n"

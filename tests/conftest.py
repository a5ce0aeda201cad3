"""Fixtures for all tests: every game with every preset, and the paths of the project."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

import forgeron
from forgeron.core.contract import offers
from forgeron.core.game import Game
from forgeron.core.registry import game_class

# The same examples in every run, however long the first of them takes to compile.
settings.register_profile("forgeron", derandomize=True, deadline=None)
settings.load_profile("forgeron")

ROOT = Path(__file__).parent.parent
#: Games written outside the package, as a user would write one: all laws hold for them too.
EXAMPLES = sorted((ROOT / "examples").glob("game_*.py"))
#: More such games, wherever they are: paths of files, separated as in PATH (docs/add-a-game.md).
OUTSIDE = [path for path in os.environ.get("FORGERON_TEST_GAMES", "").split(os.pathsep) if path]


def all_games() -> list[tuple[str, str | None]]:
    """Every registered game, with its default options and with each of its presets."""
    cases: list[tuple[str, str | None]] = []
    for name in [*forgeron.game_names(), *map(str, EXAMPLES), *OUTSIDE]:
        cases.append((name, None))
        cases.extend((name, preset) for preset in game_class(name).presets)
    return cases


def case_id(case: tuple[str, str | None]) -> str:
    name, preset = case
    return Path(name).stem + (f"-{preset}" if preset else "")


@pytest.fixture(scope="session", params=all_games(), ids=case_id)
def game(request: pytest.FixtureRequest) -> Game:
    """Each game in turn."""
    name, preset = request.param
    return forgeron.game(name, preset=preset)


def _is_sure(case: tuple[str, str | None]) -> bool:
    return not offers(game_class(case[0]).state_class, "chance")


@pytest.fixture(scope="session", params=filter(_is_sure, all_games()), ids=case_id)
def sure_game(request: pytest.FixtureRequest) -> Game:
    """Each game without chance in turn."""
    name, preset = request.param
    return forgeron.game(name, preset=preset)


@pytest.fixture
def run_python(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run a piece of Python in a fresh process; extra keyword arguments are environment variables."""

    def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
        environ = {**os.environ, "FORGERON_QUIET": "1", **environment}
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environ, timeout=300)
        assert done.returncode == 0, done.stderr
        return done

    return run

"""Every game and preset as a PettingZoo environment passes PettingZoo's own tests."""

from __future__ import annotations

import random
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import forgeron
from forgeron.core.registry import game_class

pytest.importorskip("pygame", reason="PettingZoo's tests need it: pip install 'forgeron[pettingzoo]' pygame")
with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # PettingZoo's own, about its own environments
    zoo: Any = pytest.importorskip("pettingzoo.test", reason="pip install 'forgeron[pettingzoo]' pygame")

from forgeron.interop.pettingzoo import env, raw_env

ROOT = Path(__file__).parent.parent.parent
FILES = [ROOT / "examples" / "game_connect_four.py", *sorted((ROOT / "examples" / "games").glob("*.py"))]
GAMES = [*forgeron.game_names(), *map(str, FILES)]
CASES = [(name, preset) for name in GAMES for preset in (None, *game_class(name).presets)]


@pytest.mark.parametrize(("name", "preset"), CASES, ids=lambda part: Path(part).stem if part else "default")
def test_a_game_passes_the_tests_of_pettingzoo(
    name: str, preset: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    game = forgeron.game(name, preset=preset)

    def make(render_mode: str | None = None) -> Any:
        return env(game, render_mode=render_mode)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that bits in rows are no picture, for one
        zoo.api_test(make(), num_cycles=120)
        zoo.seed_test(make, num_cycles=30)
        zoo.render_test(make)


def play(table: Any, seed: int) -> list[float]:
    rng = random.Random(seed)
    table.reset(seed=seed)
    total = dict.fromkeys(table.possible_agents, 0.0)
    for agent in table.agent_iter():
        seen, reward, ended, _, _ = table.last()
        total[agent] += reward
        legal = np.flatnonzero(seen["action_mask"])
        table.step(None if ended else int(rng.choice(legal)))
    return list(total.values())


def test_who_wins_gets_one_and_who_loses_minus_one() -> None:
    table = env("mancala")
    results = {tuple(play(table, seed)) for seed in range(12)}
    assert results <= {(1, -1), (-1, 1), (0, 0)}
    assert len(results) > 1


def test_the_same_seed_throws_the_same_dice() -> None:
    positions = []
    for _ in range(2):
        table = raw_env("yut")
        play(table, 3)
        positions.append(str(table.position))
    assert positions[0] == positions[1]


def test_an_illegal_action_loses_the_game() -> None:
    table = env("yolah")
    table.reset(seed=1)
    table.step(63)
    assert table.terminations == {"black": True, "white": True}
    assert table.rewards == {"black": -1, "white": 0}
    raw = raw_env("yolah")
    raw.reset()
    with pytest.raises(forgeron.IllegalMoveError, match="'action 63'"):
        raw.step(63)


def test_a_game_can_begin_in_a_given_position() -> None:
    table = raw_env("yolah")
    table.reset(options={"position": str(forgeron.game("yolah").start().play("d5:b7"))})
    assert table.agent_selection == "white"


def test_without_pettingzoo_the_error_says_how_to_get_it() -> None:
    code = "import sys; sys.modules['pettingzoo'] = None; import forgeron.interop.pettingzoo"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "this needs pettingzoo: pip install 'forgeron[pettingzoo]'" in done.stderr

"""A rule that cannot be compiled: its author is told which one, where and why, in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

import forgeron
from forgeron.core import cache
from forgeron.core.errors import ContractError
from forgeron.core.jit import JIT

GAME = """
from typing import NamedTuple
import numpy as np
from forgeron import OVER, Game, compiled, rules_for

class State(NamedTuple):
    left: np.uint64
    who: np.int64

rule = rules_for(State)

@compiled
def helper(state):
    return HELPER

@rule
def turn(state):
    return state.who if state.left > 0 else OVER

@rule
def moves(state, out):
    out[0] = helper(state)
    return MOVES

@rule
def play(state, move):
    return State(state.left - np.uint64(1), 1 - state.who)

@rule
def score(state):
    return np.int64(0)

@rule
def key(state):
    return state.left

class Broken(Game):
    name = "broken"
    title = "Broken"
    state_class = State
    max_moves = 1

    def start_state(self):
        return State(np.uint64(3), np.int64(0))
"""

pytestmark = pytest.mark.skipif(not JIT, reason="plain Python compiles nothing")


def written(folder: Path, helper: str = "0", moves: str = "1") -> str:
    path = folder / "broken.py"
    path.write_text(GAME.replace("HELPER", helper).replace("MOVES", moves))
    return str(path)


def line_of(path: str, text: str) -> int:
    return next(i for i, line in enumerate(Path(path).read_text().splitlines(), 1) if text in line)


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ({"helper": "state.lost"}, "Unknown attribute 'lost' of type State"),
        ({"moves": "1 * ('many' if state.left > 2 else 1)"}, "unify"),
        ({"moves": "state.left + (1, 2)"}, "No implementation of function Function(<built-in function add>)"),
    ],
)
def test_the_rule_the_file_and_the_line_are_named(tmp_path: Path, broken: dict[str, str], said: str) -> None:
    path = written(tmp_path, **broken)
    with pytest.raises(ContractError) as caught:
        forgeron.game(path).start()
    line = line_of(path, f"return {next(iter(broken.values()))}")
    message = str(caught.value)
    assert message.startswith(f"{path}, line {line}: the rule 'moves' cannot be compiled: ")
    assert said in message
    assert "\n" not in message


def test_returns_that_do_not_fit_together_are_named_by_the_line_of_one_of_them(tmp_path: Path) -> None:
    """Python 3.14 makes two returns of one with an `if` in it."""
    path = tmp_path / "broken.py"
    assert GAME.count("    return MOVES\n") == 1
    two = "    if state.left > 2:\n        return 'many'\n    return 1\n"
    path.write_text(GAME.replace("HELPER", "0").replace("    return MOVES\n", two))
    with pytest.raises(ContractError, match="the rule 'moves' cannot be compiled: Can't unify return type") as caught:
        forgeron.game(str(path)).start()
    lines = line_of(str(path), "return 'many'"), line_of(str(path), "return 1")
    assert any(str(caught.value).startswith(f"{path}, line {line}: ") for line in lines)


def test_a_name_that_does_not_exist_is_looked_for_in_its_rule(tmp_path: Path) -> None:
    path = written(tmp_path, moves="how_many")
    with pytest.raises(
        ContractError, match=r"the rule 'moves' cannot be compiled: .*'how_many' is not defined"
    ) as caught:
        forgeron.game(path).start()
    assert f"line {line_of(path, 'def moves') - 1}" in str(caught.value)


def test_the_notice_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cache, "announce", cache.announce_on_stderr)
    monkeypatch.delenv("FORGERON_QUIET", raising=False)
    with pytest.raises(ContractError):
        forgeron.game(written(tmp_path, helper="state.gone")).start()
    assert capsys.readouterr().err == "compiling query state for broken … not finished\n"


def test_nobody_waits_for_a_compilation_that_has_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORGERON_CACHE_DIR", str(tmp_path / "cache"))
    with pytest.raises(ContractError):
        forgeron.game(written(tmp_path, helper="state.gone")).start()
    assert (tmp_path / "cache").is_dir()
    assert not list((tmp_path / "cache").rglob("*.lock"))


def test_a_kernel_that_another_one_needs_has_no_notice_of_its_own(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("FORGERON_QUIET", raising=False)
    whole = cache.announce_on_stderr("play game")
    cache.announce_on_stderr("search")(1.0)
    whole(2.0)
    cache.announce_on_stderr("random games")(0.5)
    assert capsys.readouterr().err == (
        "compiling play game … 2.0 s (once; kept for next time)\n"
        "compiling random games … 0.5 s (once; kept for next time)\n"
    )


def test_a_game_that_is_right_is_compiled_as_ever(tmp_path: Path) -> None:
    assert forgeron.game(written(tmp_path, helper="5")).start().moves == (5,)

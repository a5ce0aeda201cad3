"""Single questions are plain Python at first, loaded when their code is stored, compiled when they are asked often."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import forgeron
from forgeron.core import tiers
from forgeron.core.jit import JIT
from forgeron.core.queries import compile_queries, hash_state, play_and_query, query_state

Run = Callable[..., subprocess.CompletedProcess[str]]

# Says what it has compiled after each of: a few questions, many, many more.
ASK = """
import forgeron
from forgeron.core import cache, tiers
from forgeron.core.queries import query_state
start = forgeron.game("yolah").start()
def ask(times):
    for _ in range(times):
        type(start)(start.game, start.state)
    print(len(query_state.overloads), len(cache.compilations))
ask(tiers.LOAD_AFTER - 1)
ask(2)
ask(tiers.COMPILE_AFTER)
"""


@pytest.mark.skipif(not JIT, reason="plain Python has one tier")
def test_questions_are_compiled_when_they_are_asked_often_and_loaded_much_sooner(
    run_python: Run, tmp_path: Path
) -> None:
    environment = {"FORGERON_CACHE_DIR": str(tmp_path)}
    assert run_python(ASK, **environment).stdout.split("\n")[:3] == ["0 0", "0 0", "1 1"]
    assert run_python(ASK, **environment).stdout.split("\n")[:3] == ["0 0", "1 0", "1 0"]


def test_nothing_is_compiled_while_a_player_thinks() -> None:
    tier = tiers.Tier(lambda *_args: True)
    state = forgeron.game("yolah").start().state
    tiers.thinking.add(1)
    try:
        assert all(tier.is_plain(state) for _ in range(tiers.COMPILE_AFTER + 2))
    finally:
        tiers.thinking.discard(1)
    assert not tier.is_plain(state)


def test_games_are_counted_each_for_itself() -> None:
    tier = tiers.Tier(lambda *_args: False)
    first, second = (forgeron.game(name).start().state for name in ("yolah", "mancala"))
    assert [tier.is_plain(first) for _ in range(tiers.COMPILE_AFTER + 1)].count(False) == 1
    assert tier.is_plain(second)


@pytest.mark.parametrize("player", ["greedy", "monte-carlo"])
def test_a_player_says_when_it_thinks_and_when_it_has_ended(player: str, monkeypatch: pytest.MonkeyPatch) -> None:
    chooser = forgeron.player(player, forgeron.game("yolah"))
    start = chooser.game.start()
    think, seen = chooser.think, []

    def noted(*args: Any) -> Any:
        seen.append(len(tiers.thinking))
        return think(*args)

    monkeypatch.setattr(chooser, "think", noted)
    chooser.choose(start, forgeron.Limit(nodes=10))
    chooser.analyse(start, forgeron.Limit(nodes=10))
    assert seen == [1, 1]
    assert not tiers.thinking


@pytest.mark.skipif(not JIT, reason="plain Python has nothing to compile")
def test_who_plays_by_the_clock_has_all_questions_compiled_beforehand() -> None:
    state = forgeron.game("mancala").start().state
    compile_queries(state)
    for query in (query_state, play_and_query, hash_state):
        compiled: Any = query
        kinds = {args[0].instance_class for args in compiled.overloads}
        assert type(state) in kinds, compiled.__name__


@pytest.mark.parametrize("name", forgeron.game_names())
def test_both_tiers_answer_the_same(name: str) -> None:
    plays: list[list[tuple[object, ...]]] = []
    for _ in range(2):
        position, line = forgeron.game(name).start(), []
        while position.turn is not None and len(line) < 60:
            line.append((str(position), position.moves, position.key, position.scores))
            position = position.push(position.moves[len(line) % len(position.moves)])
        plays.append(line)
        compile_queries(position.state)  # the second game is all machine code
    assert plays[0] == plays[1]


@pytest.mark.skipif(not JIT, reason="plain Python has one tier")
def test_a_rule_that_only_the_compiler_understands_is_compiled_at_once(tmp_path: Path, run_python: Run) -> None:
    example = Path(__file__).parent.parent.parent / "examples" / "game_connect_four.py"
    text = example.read_text(encoding="utf-8")
    strange = "np.uint64(3) >> np.int64(1)"  # NumPy refuses to shift an unsigned word by a signed one
    assert text.count("    tops = open_tops(state)\n    while") == 1
    file = tmp_path / "game_strange.py"
    file.write_text(
        text.replace("    tops = open_tops(state)\n    while", f"    {strange}\n    tops = open_tops(state)\n    while")
    )
    assert run_python(f"import forgeron; print(len(forgeron.game({str(file)!r}).start().moves))").stdout == "7\n"

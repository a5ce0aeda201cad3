"""The search microscope shows what the kernels do: their counts, their windows, their values."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import forgeron
from forgeron.analysis.microscope.microscope import count_nodes, look_into
from forgeron.analysis.microscope.subject import ALPHABETA, EXPECTIMAX, IDEAS, MCTS, Subject, subjects
from forgeron.analysis.microscope.trace import MOST_NODES, Trace, TraceEnded
from forgeron.core.errors import ForgeronError, OptionError
from forgeron.core.jit import JIT

HERE = Path(__file__).parent
CONNECT_FOUR = str(HERE.parent.parent / "examples" / "game_connect_four.py")
OPENING = ["4", "4", "3"]
THROWN = ["t3", "s0:3", "t2"]


def names(search: str) -> list[str]:
    return [idea.name for idea in IDEAS[search]]


def without(search: str, name: str) -> list[str]:
    return [one for one in names(search) if one != name]


#: What is looked at: everything on, everything off, and each idea switched off alone.
CASES: list[list[Any]] = [
    [CONNECT_FOUR, OPENING, ALPHABETA, names(ALPHABETA), 4],
    [CONNECT_FOUR, OPENING, ALPHABETA, [], 3],
    *([CONNECT_FOUR, OPENING, ALPHABETA, without(ALPHABETA, name), 3] for name in names(ALPHABETA)),
    ["yut", THROWN, EXPECTIMAX, names(EXPECTIMAX), 2],
    *(["yut", THROWN, EXPECTIMAX, without(EXPECTIMAX, name), 2] for name in names(EXPECTIMAX)),
    [CONNECT_FOUR, OPENING, MCTS, [], 60],
    ["yut", THROWN, MCTS, ["evaluation", "rave"], 40],
]
#: A case of its own: a game whose search errors are known, so that ProbCut has something to go by.
ERRORS = [[1, 0, 0, 60], [2, 0, 0, 60], [2, 1, 0, 40], [3, 0, 0, 60], [3, 1, 0, 40], [3, 2, 0, 40]]
PROBCUT_CASE = [CONNECT_FOUR, OPENING, ALPHABETA, names(ALPHABETA), 5, ERRORS]
LABELS = [f"{search}-{'+'.join(ideas) or 'nothing'}" for _, _, search, ideas, _ in CASES]
Told = tuple[list[list[Any]], dict[str, Any]]


@pytest.fixture(scope="module")
def told() -> list[Told]:
    """The traces of all cases, made by plain Python in one process; the last one is that of PROBCUT_CASE."""
    env = {**os.environ, "FORGERON_JIT": "0"}
    command = [sys.executable, str(HERE / "traces.py")]
    done = subprocess.run(
        command, input=json.dumps([*CASES, PROBCUT_CASE]), env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found: list[Told] = json.loads(done.stdout)
    return found


def position_of(case: list[Any]) -> forgeron.Position:
    position = forgeron.game(case[0]).start()
    for move in case[1]:
        position = position.play(move)
    return position


@pytest.mark.parametrize("number", range(len(CASES)), ids=LABELS)
def test_the_microscope_counts_the_nodes_that_the_compiled_kernel_counts(told: list[Told], number: int) -> None:
    steps, effort = told[number]
    _, _, search, ideas, depth = CASES[number]
    counted = count_nodes(position_of(CASES[number]), Subject.of(search, ideas, depth))
    shown = sum(step[0] == ("simulation" if search == MCTS else "child") for step in steps)
    assert effort["complete"]
    assert shown == effort["nodes"] == counted.nodes
    assert effort["move"] == counted.move
    assert effort["value"] == pytest.approx(counted.value, abs=1e-12)


@pytest.mark.parametrize("number", [i for i, case in enumerate(CASES) if case[2] == ALPHABETA])
def test_every_window_is_what_the_steps_before_it_say(told: list[Told], number: int) -> None:
    """Who knows alpha-beta can foretell each window from the values told so far: the trace hides nothing."""
    steps, _ = told[number]
    parent: dict[int, int] = {}
    seat: dict[int, int] = {}
    window: dict[int, list[int]] = {}
    checked = 0
    for what, *rest in steps:
        if what == "root":
            parent.pop(rest[0], None)
        elif what == "child":
            parent[rest[0]] = rest[1]
        elif what == "again":
            parent[rest[0]] = parent[rest[1]]
        elif what == "enter":
            node, who, _, low, high, reduction, null = rest
            if node in parent:
                above, mover = window[parent[node]], seat[parent[node]]
                if null or reduction:
                    edge = above[0] if mover == 0 else above[1]
                    assert [low, high] == ([edge, edge + 1] if mover == 0 else [edge - 1, edge])
                else:
                    assert [low, high] == above
                checked += 1
            seat[node], window[node] = who, [low, high]
        elif what == "best" and rest[3]:
            node, _, value, _ = rest
            window[node][seat[node]] = value
    assert checked > 10


def test_without_ideas_a_value_is_the_best_of_all_moves(told: list[Told]) -> None:
    steps, _ = told[1]
    children: dict[int, list[int]] = {}
    value: dict[int, int] = {}
    seat: dict[int, int] = {}
    for what, *rest in steps:
        if what == "child":
            children.setdefault(rest[1], []).append(rest[0])
        elif what == "enter":
            seat[rest[0]] = rest[1]
        elif what in ("leaf", "done"):
            value[rest[0]] = rest[1]
    assert len(children) > 20
    for node, below in children.items():
        best = max if seat[node] == 0 else min
        assert value[node] == best(value[child] for child in below)
    assert not any(step[0] in ("cut", "table", "again") for step in steps)


def test_a_cut_has_its_reason(told: list[Told]) -> None:
    steps, _ = told[0]
    cuts = 0
    window: dict[int, tuple[int, int]] = {}
    seat: dict[int, int] = {}
    best: dict[int, int] = {}
    for what, *rest in steps:
        if what == "enter":
            seat[rest[0]], window[rest[0]] = rest[1], (rest[3], rest[4])
        elif what == "best":
            best[rest[0]] = rest[2]
        elif what == "cut":
            node = rest[0]
            low, high = window[node]
            assert best[node] >= high if seat[node] == 0 else best[node] <= low
            cuts += 1
    assert cuts > 10


def test_ideas_leave_their_marks(told: list[Told]) -> None:
    steps, _ = told[0]
    assert any(step[0] == "again" for step in steps)
    assert any(step[0] == "table" and step[5] for step in steps)
    assert any(step[0] == "enter" and step[6] for step in steps)  # a reduction
    orders = {step[4] for step in steps if step[0] == "child"}
    assert {"table", "killer"} <= orders


def test_probcut_is_shown_with_its_reason(told: list[Told], monkeypatch: pytest.MonkeyPatch) -> None:
    steps, effort = told[-1]
    position = position_of(PROBCUT_CASE)
    errors = {(deep, shallow): (mean, spread) for deep, shallow, mean, spread in ERRORS}
    monkeypatch.setattr(type(position.game), "search_errors", {"linear": errors})
    counted = count_nodes(position, Subject.of(ALPHABETA, names(ALPHABETA), 5))
    assert effort["nodes"] == counted.nodes
    assert effort["move"] == counted.move
    kinds, last = set(), {}
    for what, node, *rest in steps:
        if what == "enter":
            last[node] = rest
        elif what == "probcut":
            _, _, low, high, *_ = last[node]
            value, depth, edge = rest
            assert high - low == 1
            assert edge in (low, high)
            assert value > high if edge == high else value < low
            kinds.add(depth == 0)
    assert kinds == {True, False}  # by the static evaluation, and by what the table remembers


def test_the_visits_of_a_tree_add_up(told: list[Told]) -> None:
    steps, effort = told[len(CASES) - 2]
    visits = {node: count for step in steps if step[0] == "backup" for node, count, _, _ in step[2]}
    first = next(step for step in steps if step[0] == "expand")
    assert visits[0] == effort["nodes"] == 60
    assert sum(visits.get(child, 0) for child, _, _ in first[3]) == 60


def test_a_trace_ends_when_it_is_full_or_somebody_stops_it() -> None:
    parcels: list[Any] = []
    trace = Trace(parcels.append, most_nodes=2)
    trace.count_node()
    trace.count_node()
    with pytest.raises(TraceEnded):
        trace.count_node()
    assert not trace.complete
    with pytest.raises(TraceEnded):
        Trace(parcels.append, stopped=lambda: True).count_node()
    assert MOST_NODES <= 5_000


@pytest.mark.skipif(not JIT, reason="this is about compiled kernels")
def test_compiled_kernels_cannot_be_watched() -> None:
    position = forgeron.game(CONNECT_FOUR).start()
    with pytest.raises(ForgeronError, match="FORGERON_JIT=0"):
        look_into(position, Subject.of(ALPHABETA, [], 1), lambda steps: None)


@pytest.mark.parametrize(
    ("search", "ideas", "depth", "why"),
    [
        ("bogus", [], 1, "no search 'bogus'"),
        (ALPHABETA, ["rave"], 1, "no idea of alphabeta 'rave'"),
        (ALPHABETA, [], 0, "from 1 to 8, not 0"),
        (MCTS, [], 100_000, "from 1 to 1000"),
    ],
)
def test_what_makes_no_sense_is_refused(search: str, ideas: list[str], depth: int, why: str) -> None:
    with pytest.raises((OptionError, ForgeronError), match=why):
        Subject.of(search, ideas, depth)


def test_games_with_throws_are_searched_by_expectimax() -> None:
    assert list(subjects(forgeron.game("yut"))) == [EXPECTIMAX, MCTS]
    assert list(subjects(forgeron.game("yolah"))) == [ALPHABETA, MCTS]

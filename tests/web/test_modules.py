"""The modules of the page, run and checked by node where it is there."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import forgeron
from forgeron.analysis.microscope.microscope import UNITS
from forgeron.analysis.microscope.subject import IDEAS
from forgeron.drawing.bundle import MODULES, bundle
from forgeron.reports.replay_data import course_data
from forgeron.web.app import STATIC

HERE = Path(__file__).parent
CONNECT_FOUR = str(HERE.parent.parent / "examples" / "game_connect_four.py")
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed: the modules of the page are not run")


def views(game: forgeron.Game, games: int, every: int) -> list[dict]:
    found = []
    for seed in range(games):
        rng = random.Random(seed)
        position = game.start()
        found.append(position.view())
        while position.turn is not None:
            position = position.play(rng.choice(position.legal_moves()))
            if rng.randrange(every) == 0 or position.turn is None:
                found.append(position.view())
    return found


@needs_node
def test_the_modules_do_what_their_own_tests_say(tmp_path: Path) -> None:
    games = {
        "yolah": views(forgeron.game("yolah"), 2, 8),
        "mancala": views(forgeron.game("mancala"), 2, 15) + views(forgeron.game("mancala", preset="course"), 2, 15),
        # Small boards with short rows: rows of every kind come up in random games.
        "yinsh": views(forgeron.game("yinsh", N=4, K=3, removal="free"), 4, 4) + views(forgeron.game("yinsh"), 1, 15),
        "yut": views(forgeron.game("yut"), 2, 8),
        "connect-four": views(forgeron.game(CONNECT_FOUR), 2, 5),
        "generic": generic_views(),
    }
    path = tmp_path / "views.json"
    path.write_text(json.dumps(games), encoding="utf-8")
    command = [str(NODE), "--test", str(HERE / "boards.test.mjs")]
    done = subprocess.run(command, env={**os.environ, "VIEWS": str(path)}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


@needs_node
def test_a_link_from_anywhere_is_a_game_or_refused(tmp_path: Path) -> None:
    courses = {}
    for name in ("yolah", "mancala", "yinsh", "yut"):
        game, rng = forgeron.game(name), random.Random(3)
        positions, moves = [game.start()], []
        while positions[-1].turn is not None and len(moves) < 12:
            moves.append(rng.choice(positions[-1].legal_moves()))
            positions.append(positions[-1].play(moves[-1]))
        about = {"format": 1, "game": name, "title": game.title, "options": {}, "names": ["a", "b"], "end": ""}
        courses[name] = {**about, "moves": moves, "boards": course_data(positions)}
    path = tmp_path / "courses.json"
    path.write_text(json.dumps(courses), encoding="utf-8")
    command = [str(NODE), "--test", str(HERE / "share.test.mjs")]
    environment = {**os.environ, "COURSES": str(path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


#: What the microscope is tried on: game, moves, search, ideas, depth, and perhaps search errors for ProbCut.
TRACED: list[list[Any]] = [
    [CONNECT_FOUR, ["4", "4", "3"], "alphabeta", [idea.name for idea in IDEAS["alphabeta"]], 5],
    [
        CONNECT_FOUR,
        ["4", "4", "3"],
        "alphabeta",
        [idea.name for idea in IDEAS["alphabeta"]],
        4,
        [[1, 0, 0, 60], [2, 1, 0, 40], [3, 2, 0, 40]],
    ],
    [CONNECT_FOUR, ["4", "1", "4", "1", "4", "1"], "alphabeta", ["alphabeta"], 3],
    ["yolah", [], "alphabeta", [idea.name for idea in IDEAS["alphabeta"]], 3],
    ["yut", ["t3", "s0:3", "t2"], "expectimax", [idea.name for idea in IDEAS["expectimax"]], 2],
    ["yut", ["t3", "s0:3", "t2"], "mcts", ["evaluation", "rave"], 60],
    [CONNECT_FOUR, ["4", "1", "4", "1", "4", "1"], "mcts", [], 80],
]


@needs_node
def test_the_microscope_has_a_place_and_a_sentence_for_every_step(tmp_path: Path) -> None:
    tracer = HERE.parent / "analysis" / "traces.py"
    plain = {**os.environ, "FORGERON_JIT": "0"}
    told = subprocess.run(
        [sys.executable, str(tracer)], input=json.dumps(TRACED), env=plain, capture_output=True, text=True, check=True
    )
    traces = [
        {
            "name": f"{search} of {forgeron.game(game).title}, {number}",
            "unit": UNITS[search],
            "seats": forgeron.game(game).seats,
            "steps": steps,
            "nodes": effort["nodes"],
        }
        for number, ((game, _, search, *_), (steps, effort)) in enumerate(
            zip(TRACED, json.loads(told.stdout), strict=True)
        )
    ]
    # On the server the boards are mounted beside the modules of the page.
    shutil.copytree(STATIC / "app", tmp_path / "app")
    shutil.copytree(MODULES, tmp_path / "boards")
    (tmp_path / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    path = tmp_path / "traces.json"
    path.write_text(json.dumps({"app": str(tmp_path / "app"), "traces": traces}), encoding="utf-8")
    command = [str(NODE), "--test", str(HERE / "search.test.mjs")]
    done = subprocess.run(command, env={**os.environ, "TRACES": str(path)}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


def generic_views() -> list[dict]:
    """The generic boards that no game of ours uses."""
    frame = forgeron.game("yolah").start().view()
    common = {key: frame[key] for key in ("format", "game", "title", "seats", "position", "turn", "chance", "scores")}
    common |= {"outcome": None, "last": None, "drawing": ""}
    hexes = [{"name": f"{'abc'[x]}{y + 1}", "x": x, "y": y, "content": "."} for x in range(3) for y in range(3)]
    pits = [{"name": str(i + 1), "owner": i // 6, "seeds": 4 + i} for i in range(12)]
    places = [[i, i % 4, i // 4] for i in range(8)]
    return [
        {
            **common,
            "board": "hexagons",
            "cells": hexes,
            "edges": [[0, "a1", "c1"]],
            "moves": [{"move": "a1"}, {"move": "c3"}],
        },
        {**common, "board": "pits", "pits": pits, "moves": [{"move": "1"}, {"move": "6"}]},
        {**common, "board": "track", "places": places, "groups": [[0, 1, 2], [1, 5, 1]], "moves": [{"move": "1-3"}]},
    ]


@needs_node
def test_the_bundle_is_one_script_that_defines_everything(tmp_path: Path) -> None:
    script = tmp_path / "all.cjs"
    script.write_text(bundle() + "console.log(Object.keys(forgeron.boards).join());", encoding="utf-8")
    done = subprocess.run([str(NODE), str(script)], capture_output=True, text=True, check=True)
    assert done.stdout == "Board,MoveBuilder,draw,drawText,inWords,toText\n"


def test_the_bundle_cannot_end_the_element_it_stands_in() -> None:
    assert "</script" not in bundle().lower()
    assert "<!--" not in bundle()


@needs_node
def test_the_types_in_the_comments_hold() -> None:
    tsc = shutil.which("tsc")
    if tsc is None:
        pytest.skip("tsc is not installed (npm install --global typescript): types of the page are not checked")
    done = subprocess.run([tsc, "-p", str(STATIC / "jsconfig.json")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout

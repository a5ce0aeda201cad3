"""The games of examples/games/ are right by counts from outside, keep every law, and can be drawn."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from shutil import which

import pytest

import forgeron
from forgeron.core.chance import next_decision
from forgeron.core.game import Game
from forgeron.core.position import Position
from forgeron.laws.isolated_run import LawRequest, plain
from naive.pig import first_player_wins

ROOT = Path(__file__).parent.parent.parent
FOLDER = ROOT / "examples" / "games"
FILES = sorted(FOLDER.glob("*.py"))
#: Othello's are well known (the first nine are the same in every list); the others are those of OpenSpiel 2.0.
KNOWN: dict[str, tuple[dict[str, int], list[int]]] = {
    "othello": ({}, [4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288]),
    "breakthrough": ({}, [22, 484, 11132, 256036, 6182818]),
    "hex": ({"size": 3}, [9, 72, 504, 3024, 15120, 54720, 146880, 207360, 120960]),
}


def load(name: str, **options: int) -> Game:
    return forgeron.game(str(FOLDER / f"{name}.py"), **options)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_an_example_is_short_enough_to_read(file: Path) -> None:
    assert len(file.read_text(encoding="utf-8").splitlines()) <= 200


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_an_example_keeps_every_law(file: Path) -> None:
    found = [message["finding"] for message in plain(LawRequest(str(file), seconds=1.0)) if "finding" in message]
    assert found == []


@pytest.mark.parametrize("name", KNOWN)
def test_the_tree_has_the_size_that_others_count(name: str) -> None:
    options, counts = KNOWN[name]
    game = load(name, **options)
    assert [game.perft(game.start(), depth) for depth in range(1, len(counts) + 1)] == counts


def test_a_pass_of_othello_is_a_move() -> None:
    game = load("othello")
    position = game.parse("1:2:0")  # black a1, white b1: black takes c1
    assert position.legal_moves() == ["c1"]
    position = game.parse("2:1:0")  # black b1, white a1: black cannot move, white takes c1
    assert position.legal_moves() == ["pass"]
    after = position.play("pass").play("c1")
    assert after.outcome is not None
    assert after.outcome.winner == 1
    assert after.scores == (0, 3)


def test_hex_is_never_drawn_on_a_full_board() -> None:
    game = load("hex", size=4)
    for seed in range(30):
        tally = forgeron.play_many(game.start(), seed=seed, games=100)
        assert tally.draws == 0


def reachable(start: Position) -> dict[Position, list[Position]]:
    """Every position that can come, with those that follow it."""
    found: dict[Position, list[Position]] = {}
    waiting = [start]
    while waiting:
        position = waiting.pop()
        if position not in found:
            found[position] = [position.push(move) for move in position.moves]
            waiting.extend(found[position])
    return found


def test_pig_is_won_as_often_as_value_iteration_without_our_rules_says() -> None:
    tree = reachable(load("pig", goal=10).start())
    wins = {one: 0.5 if one.outcome is None else float(one.outcome.winner == 0) for one in tree}
    change = 1.0
    while change > 1e-7:
        change = 0.0
        for position, after in tree.items():
            if position.turn is None:
                continue
            values = [wins[one] for one in after]
            new = min(values) if position.turn == 1 else max(values)
            if position.turn == "chance":
                new = sum(p * value for p, value in zip(position.chances(), values, strict=True))
            change, wins[position] = max(change, abs(new - wins[position])), new
    assert wins[next(iter(tree))] == pytest.approx(first_player_wins(10), abs=1e-6)


def test_a_game_in_which_one_outcome_never_leads_to_a_decision_can_be_played() -> None:
    position = next_decision(load("pig").start())  # a one, and then a one of the other player, and so on for ever
    assert position.legal_moves() == ["hold", "throw"]


@pytest.mark.slow
def test_value_iteration_finds_the_published_figure_of_pig() -> None:
    assert first_player_wins(100, 1e-5) == pytest.approx(0.5306, abs=1e-4)


@pytest.mark.skipif(which("node") is None, reason="node draws the boards: install nodejs")
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_an_example_is_drawn_by_the_modules_of_the_page(file: Path) -> None:
    position = next_decision(forgeron.game(str(file)).start())
    for _ in range(3):
        position = next_decision(position.push(position.moves[0]))
    modules = ROOT / "src" / "forgeron" / "drawing" / "boards" / "draw.js"
    view = json.dumps(position.view())
    code = f"import {{ drawText }} from '{modules.as_uri()}'; process.stdout.write(drawText({view}))"
    done = subprocess.run(["node", "--input-type=module", "-e", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("<svg ")
    assert "NaN" not in done.stdout
    assert "undefined" not in done.stdout
    assert done.stdout.count("fg-body") >= 1 or "fg-disc" in done.stdout

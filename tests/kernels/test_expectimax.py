"""Expectimax: the same value as adding up everything by hand, whatever it prunes; and the player made of it."""

from __future__ import annotations

import math
import random
from pathlib import Path

import numpy as np
import pytest

import forgeron
from conftest import EXAMPLES
from forgeron.core import contract
from forgeron.core.game import Game
from forgeron.core.jit import kernel
from forgeron.core.position import Position
from forgeron.core.table_file import write_table
from forgeron.kernels import expectimax as em
from forgeron.kernels import expectimax_workspace as wsp
from forgeron.kernels import transposition_table as tt
from forgeron.kernels.expectimax_values import MARGIN, SCALE, decayed
from forgeron.kernels.expectimax_workspace import Pruning
from forgeron.kernels.turn_value import TurnMemory, turn_value
from forgeron.learning.exact_values import TableSolver
from forgeron.players.base import Limit, Thought
from forgeron.players.expectimax import PRUNING

NOTHING_EXACT = np.zeros(0, dtype=np.uint16)
DICE_RACE = str(Path(__file__).parent.parent / "cli" / "dice_race.py")


@kernel
def evaluation(state, weights):
    return contract.evaluate(state, weights)


def owner(position: Position) -> int:
    """Whose turn it is, by the game's own word at a throw."""
    return position.game.thrower(position.state) if position.turn == "chance" else int(position.turn or 0)


def by_hand(position: Position, depth: int, max_throws: int, throws: int = 0) -> int:
    """The value for the player on turn: all throws weighed by their probability, all moves tried."""
    who = owner(position)
    values = []
    for move in position.moves:
        child = position.push(move)
        made = throws + (position.turn == "chance")
        if child.turn is None:
            won = (child.score > 0) == (who == 0)
            value = SCALE // 2 if child.score == 0 else SCALE if won else 0
        else:
            same = owner(child) == who
            left = depth if same else depth - 1
            if left == 0 or (same and child.turn == "chance" and made >= max_throws):
                odds = float(evaluation(child.state, child.game.weights()))
                value = round(SCALE / (1 + math.exp(-odds)))
                value = value if who == 0 else SCALE - value
            else:
                value = by_hand(child, left, max_throws, made if same else 0)
                value = value if same else SCALE - value
        values.append(value)
    if position.turn == "chance":
        return round(sum(p * value for p, value in zip(position.chances(), values, strict=True)))
    best = max(values)
    return best - 1 if best > SCALE - MARGIN else best + 1 if best < MARGIN else best


def searched(position: Position, depth: int, flags: int, max_throws: int = 2, table: np.ndarray | None = None) -> int:
    game = position.game
    workspace, reals = wsp.make_workspace(game.max_moves, max_throws)
    workspace[wsp.PRUNING] = flags
    window = np.int64(-1), np.int64(SCALE + 1)
    ply = np.int64(1 if position.turn == "chance" else 0)
    zero = np.int64(0)
    scratch = workspace, reals, tt.make_table(1) if table is None else table, game.weights(), NOTHING_EXACT
    who = np.int64(owner(position))
    value = int(em.search(position.state, who, np.int64(depth), *window, ply, zero, zero, *scratch))
    if position.turn != "chance":
        assert int(workspace[wsp.BEST_MOVE]) in position.moves
        assert int(workspace[wsp.BEST_VALUE]) == value
    return value


def sampled(game: Game, count: int, seed: int = 0) -> list[Position]:
    """Positions of random games, from anywhere in them."""
    found = []
    while len(found) < count:
        rng = random.Random(seed)
        seed += 1
        line = [game.start()]
        while line[-1].turn is not None:
            chances = line[-1].chances() if line[-1].turn == "chance" else None
            line.append(line[-1].push(rng.choices(line[-1].moves, chances)[0]))
        position = rng.choice(line[:-1])
        if len(position.moves) <= 7:  # many results in hand can be used in too many orders to try by hand
            found.append(position)
    return found


#: Every way of pruning, with the table and without it.
WAYS = [flags & ~without for flags in PRUNING.values() for without in (0, Pruning.TABLE)]


@pytest.mark.parametrize(
    ("name", "options", "depth", "count", "max_throws"),
    [
        ("yut", {"pieces": 1}, 3, 20, 1),
        ("yut", {"pieces": 2}, 2, 20, 1),
        ("yut", {"pieces": 4}, 1, 40, 2),
        ("yut", {"pieces": 4}, 2, 6, 1),
        (DICE_RACE, {}, 2, 30, 2),
        (str(EXAMPLES[0]), {}, 2, 20, 2),
    ],
)
def test_the_value_is_the_expectation_added_up_by_hand(
    name: str, options: dict[str, int], depth: int, count: int, max_throws: int
) -> None:
    for position in sampled(forgeron.game(name, **options), count):
        expected = by_hand(position, depth, max_throws)
        for flags in WAYS:
            # A sum of fractions that ends halfway between two integers may be rounded either way.
            assert abs(searched(position, depth, flags, max_throws) - expected) <= 1, (str(position), flags)


def test_pruning_saves_nodes() -> None:
    game = forgeron.game("yut")
    position = game.parse("0,0,3,8/0,0,5,14:r:4,2")
    nodes = {}
    for name in PRUNING:
        choice = forgeron.player("expectimax", game, pruning=name).choose(position, Limit(depth=2))
        nodes[name] = (choice.move, choice.value), choice.nodes
    assert len({answer for answer, _ in nodes.values()}) == 1
    assert nodes["star1"][1] < nodes["alphabeta"][1] / 2
    assert nodes["star2"][1] < nodes["alphabeta"][1] / 2


def test_deep_enough_the_value_of_a_game_with_one_piece_each_is_the_exact_one() -> None:
    """0.493 is known from elsewhere; after 18 turns few games go on, and few turns have six throws."""
    start = forgeron.game("yut", pieces=1).start()
    value = searched(start, 18, PRUNING["none"], max_throws=5, table=tt.make_table(64))
    assert round(value / SCALE, 3) == 0.493


def test_a_search_stopped_at_any_node_has_a_legal_move() -> None:
    for name in ("yut", str(EXAMPLES[0])):
        game = forgeron.game(name)
        player = forgeron.player("expectimax", game)
        position = game.parse("0,0,3,8/0,0,5,14:r:4,2") if name == "yut" else game.start()
        for nodes in (*range(1, 30), 100, 1000, 5000):
            choice = player.choose(position, Limit(nodes=nodes))
            assert choice.move in position.legal_moves()
            assert choice.nodes <= nodes


def test_what_is_left_of_a_throw_counts() -> None:
    """Neither gae nor geol alone takes the piece home or hits anything; together they win the game."""
    game = forgeron.game("yut", pieces=1)
    position = game.parse("25/5:r:2,3")
    choice = forgeron.player("expectimax", game).choose(position, Limit(depth=1))
    assert choice.value == 1.0
    assert len(choice.line) == 2
    outcome = position.play(choice.line[0]).play(choice.line[1]).outcome
    assert outcome is not None
    assert outcome.winner == 0


def test_the_faster_win_is_preferred_and_a_game_without_chance_is_played_to_its_end() -> None:
    game = forgeron.game(str(EXAMPLES[0]))
    position = game.start()
    for move in "414243":
        position = position.play(move)
    choice = forgeron.player("expectimax", game).choose(position, Limit(depth=6))
    assert (choice.move, choice.value, choice.depth) == ("4", 1.0, 1)
    assert decayed(SCALE) > decayed(decayed(SCALE))
    assert decayed(0) < decayed(decayed(0))


def test_an_analysis_has_the_best_lines_each_with_its_own_value() -> None:
    game = forgeron.game("yut")
    position = game.parse("0,0,3,8/0,0,5,14:r:4,2")
    player = forgeron.player("expectimax", game, eval="linear")
    heard: list[Thought] = []
    choice = player.analyse(position, Limit(depth=2), lines=3, listener=heard.append)
    assert [thought.depth for thought in heard] == [1, 2]
    assert len({line.moves[0] for line in choice.lines}) == 3
    assert choice.lines[0].moves == choice.line
    assert all(line.moves[0] in position.legal_moves() for line in choice.lines)
    for line in choice.lines:
        child = position.play(line.moves[0])
        value = searched(child, 2, wsp.EVERYTHING) / SCALE
        assert line.value == pytest.approx(value, abs=1e-6)


def test_the_table_forgets_what_another_evaluation_thought() -> None:
    """A number of nodes promises the same answer, whatever was asked before."""
    game = forgeron.game("yut")
    position = game.parse("0,0,3,8/0,0,5,14:r:4,2")
    fresh = forgeron.player("expectimax", game).choose(position, Limit(nodes=3000))
    used = forgeron.player("expectimax", game)
    for other in sampled(game, 20):
        if other.turn != "chance":
            used.choose(other, Limit(nodes=3000))
    again = used.choose(position, Limit(nodes=3000))
    assert (fresh.move, fresh.value, fresh.nodes) == (again.move, again.value, again.nodes)


@pytest.fixture
def exact_yut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Game, np.ndarray]:
    """Yut Nori with one piece each and its exact values, which `expectimax` finds in the data folder."""
    game = forgeron.game("yut", pieces=1)
    solver = TableSolver(game, game.table_levels()[-1])
    list(solver.run())
    write_table(tmp_path / "tables" / "yut.table", solver.file(solver.last, np.zeros(0, np.uint16)))
    monkeypatch.setenv("FORGERON_DATA_DIR", str(tmp_path))
    return game, solver.table


def test_with_exact_values_the_answer_is_that_of_the_whole_game(exact_yut: tuple[Game, np.ndarray]) -> None:
    """A turn further every value is known: the choice is the one that leaves the opponent least."""
    game, table = exact_yut
    player = forgeron.player("expectimax", game)
    for text in ("0/3:r:2,4", "29/28:r:-1", "15/12:b:-1,4", "22/21:r:-1", "10/0:b:3,5"):
        position = game.parse(text)
        choice = player.choose(position, Limit(depth=20))
        assert choice.depth == 2  # there is nothing to see deeper
        memory = TurnMemory(game.max_moves)
        numbers = np.int64(owner(position)), np.int64(6), np.int64(0), np.int64(1)
        best = float(turn_value(position.state, *numbers, *memory.arrays, table, game.weights()))
        assert choice.value == pytest.approx(best, abs=1e-4), text


def test_exact_values_can_be_left_alone(exact_yut: tuple[Game, np.ndarray]) -> None:
    game, _ = exact_yut
    choice = forgeron.player("expectimax", game, exact=False, eval="linear").choose(
        game.parse("0/3:r:2,4"), Limit(depth=3)
    )
    assert choice.depth == 3

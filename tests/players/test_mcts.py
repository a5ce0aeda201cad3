"""The player of a Monte Carlo tree search: what it promises besides what every player does."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import forgeron
from conftest import EXAMPLES, ROOT
from forgeron.core.errors import OptionError
from forgeron.core.position import Position
from forgeron.kernels import mcts_tree as tr
from forgeron.kernels import mcts_workspace as wsp
from forgeron.players.base import Limit, Thought
from forgeron.players.mcts import GUIDES, MctsPlayer

CONNECT_FOUR = str(EXAMPLES[0])
RACE = str(ROOT / "tests" / "cli" / "dice_race.py")
OPTIONS: list[dict[str, Any]] = [
    *({"guide": guide} for guide in GUIDES),
    {"rave": True},
    {"widening": True},
    {"exploration": "0.3"},
    {"guide": "eval", "rave": True, "widening": True},
]


def mcts(game: forgeron.Game, **options: Any) -> MctsPlayer:
    player = forgeron.player("mcts", game, **options)
    assert isinstance(player, MctsPlayer)
    return player


def working(game: forgeron.Game, seconds_each: float, **options: Any) -> MctsPlayer:
    """A player whose clock is its own work, so that a search in seconds does not depend on the machine."""
    found: list[MctsPlayer] = []
    now, before = 0.0, 0

    def clock() -> float:
        nonlocal now, before
        done = sum(worker.done for worker in found[0]._workers)
        now += max(done - before, 0) * seconds_each + 1e-9
        before = done
        return now

    found.append(MctsPlayer(game, options, seed=1, clock=clock))
    return found[0]


def play_columns(columns: str) -> Position:
    position = forgeron.game(CONNECT_FOUR).start()
    for column in columns:
        position = position.play(column)
    return position


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_a_win_in_one_is_found_and_certain(options: dict[str, Any]) -> None:
    position = play_columns("414243")
    choice = mcts(position.game, **options).choose(position, Limit(nodes=2000))
    assert (choice.move, choice.value, choice.line) == ("4", 1.0, ("4",))
    assert choice.nodes < 2000, "it stops when the result is certain"


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_a_loss_in_two_is_avoided_although_its_random_games_look_well(options: dict[str, Any]) -> None:
    position = play_columns("152515")  # three discs in column 5: only 5 stops them
    assert position.play("1").play("5").outcome is not None
    choice = mcts(position.game, **options).analyse(position, Limit(nodes=20_000), lines=7)
    assert choice.move == "5"
    assert max(line.value for line in choice.lines[1:]) < 0.2
    if not options.get("exploration"):
        assert [line.value for line in choice.lines[1:]] == [0.0] * 6, "and proven to lose"


def test_a_certain_loss_is_told_and_still_played_on() -> None:
    lost = play_columns("31415")  # three in the row, and both ends are open
    choice = mcts(lost.game).choose(lost, Limit(nodes=50_000))
    assert choice.value == 0.0
    assert choice.nodes < 50_000
    assert choice.move in lost.legal_moves()


@pytest.mark.parametrize("name", ["yolah", "mancala", "yinsh", CONNECT_FOUR, RACE], ids=lambda name: Path(name).stem)
def test_a_search_stopped_at_any_simulation_has_a_legal_move(name: str) -> None:
    game = forgeron.game(name)
    position = game.start()
    while position.turn == "chance":
        position = position.push(position.moves[0])
    player = mcts(game)
    for nodes in (1, 2, 3, 5, 8, 13, 40, 100, 1000):
        choice = player.choose(position, Limit(nodes=nodes))
        assert choice.move in position.legal_moves()
        assert choice.nodes == nodes


def test_a_number_of_nodes_gives_the_same_answer_whatever_was_searched_before_and_on_any_threads() -> None:
    game = forgeron.game("yolah")
    answers = set()
    for threads in (1, 2):
        player = mcts(game, threads=threads, seed=3)
        for _ in range(2):
            choice = player.choose(game.start(), Limit(nodes=5000))
            answers.add((choice.move, choice.value, choice.line, choice.nodes))
            player.choose(game.start().push(game.start().moves[7]), Limit(seconds=0.02))
            player.choose(game.start(), Limit(seconds=0.02))
    assert len(answers) == 1


def test_plain_python_makes_the_same_choices(run_python: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    code = (
        "import forgeron\n"
        f"for name in ('yolah', 'mancala', {RACE!r}):\n"
        "    game = forgeron.game(name); position = game.start()\n"
        "    while position.turn == 'chance': position = position.push(0)\n"
        "    for options in ({}, {'guide': 'eval'}, {'guide': 'mixed', 'rave': True}, {'widening': True}):\n"
        "        choice = forgeron.player('mcts', game, seed=5, **options).choose(position, forgeron.Limit(nodes=40))\n"
        "        print(choice.move, round(choice.value, 5), choice.line, choice.nodes, choice.depth)\n"
    )
    assert run_python(code, FORGERON_JIT="0").stdout == run_python(code).stdout


def test_the_tree_is_kept_from_move_to_move() -> None:
    game = forgeron.game("yolah")
    player = working(game, 1e-5)
    first = player.choose(game.start(), Limit(seconds=0.2))
    after = game.start().play(first.line[0]).play(first.line[1])
    visits = first.nodes
    second = player.analyse(after, Limit(seconds=0.001), lines=60)
    total = sum(line.nodes for line in second.lines)
    assert second.nodes < total < visits + second.nodes, "visits of the first search count in the second"
    assert {line.moves[0] for line in second.lines} <= set(after.legal_moves())


@pytest.mark.parametrize("threads", [1, 2])
def test_the_same_position_again_goes_on_with_its_tree(threads: int) -> None:
    game = forgeron.game("yolah")
    player = working(game, 1e-5)
    if threads > 1:
        player = mcts(game, threads=threads)
    total = 0
    for _ in range(4):
        choice = player.analyse(game.start(), Limit(seconds=0.03), lines=60)
        total += choice.nodes
        assert choice.move in game.start().legal_moves()
        assert 0.9 * total <= int(player.tree.links[tr.ROOT, tr.VISITS]) <= total
        assert 0.9 * total <= sum(line.nodes for line in choice.lines) <= total


def test_a_position_from_elsewhere_is_searched_from_nothing() -> None:
    game = forgeron.game("yolah")
    player = working(game, 1e-5)
    player.choose(game.start(), Limit(seconds=0.02))
    position = game.start()
    for _ in range(9):
        position = position.push(position.moves[-1])
    choice = player.analyse(position, Limit(seconds=0.02), lines=100)
    assert choice.move in position.legal_moves()
    assert sum(line.nodes for line in choice.lines) == choice.nodes


@pytest.mark.parametrize("name", ["mancala", "yinsh", "yut", CONNECT_FOUR, RACE], ids=lambda name: Path(name).stem)
def test_whole_games_with_a_kept_tree_are_legal(name: str) -> None:
    """Also where a player moves several times in a row, and after throws that nobody foresaw."""
    game = forgeron.game(name)
    player = working(game, 1e-5, memory=1)
    position, ply = game.start(), 0
    while position.turn is not None and ply < 120:
        ply += 1
        if position.turn == "chance":
            position = position.push(position.moves[ply % len(position.moves)])
            continue
        choice = player.choose(position, Limit(seconds=0.004))
        assert choice.move in position.legal_moves()
        position = position.play(choice.move)


@pytest.mark.parametrize("threads", [1, 2])
def test_memory_is_bounded_and_a_full_tree_makes_room(threads: int) -> None:
    game = forgeron.game("yolah")
    player = mcts(game, memory=1, threads=threads)
    arrays = [*player.tree, *player._spare]
    assert sum(array.nbytes for array in arrays) <= 1 << 20
    choice = player.choose(game.start(), Limit(nodes=60_000) if threads == 1 else Limit(seconds=0.3))
    assert choice.move in game.start().legal_moves()
    assert {id(array) for array in (*player.tree, *player._spare)} == {id(array) for array in arrays}
    if threads == 1:
        assert choice.nodes == 60_000
        assert player._used > 1, "something was kept when room was made"
        again = mcts(game, memory=1).choose(game.start(), Limit(nodes=60_000))
        assert (again.move, again.value) == (choice.move, choice.value)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_two_threads_share_the_tree_and_their_simulations_add_up(options: dict[str, Any]) -> None:
    game = forgeron.game("mancala")
    player = mcts(game, threads=2, **options)
    choice = player.analyse(game.start(), Limit(seconds=0.2), lines=100)
    assert choice.move in game.start().legal_moves()
    shares = [int(worker.workspace[wsp.SIMULATIONS]) for worker in player._workers]
    assert min(shares) > 0
    assert sum(shares) == choice.nodes
    total = int(player.tree.links[tr.ROOT, tr.VISITS])
    assert 0.9 * choice.nodes <= total <= choice.nodes, "a few updates may be lost"
    assert all(0.0 <= line.value <= 1.0 for line in choice.lines)


def test_two_threads_prove_what_one_proves() -> None:
    """Often, because both may give a node its children at the same moment, and only one set of them stays."""
    position = play_columns("414243")
    player = mcts(position.game, threads=2)
    for _ in range(30):
        choice = player.choose(position, Limit(seconds=60))
        assert (choice.move, choice.value) == ("4", 1.0)
        player._root = None


def test_a_certain_result_of_which_the_proof_was_lost_is_proven_again() -> None:
    position = play_columns("414243")
    player = working(position.game, 1e-5)
    player.choose(position, Limit(seconds=60))
    assert player.proven
    first = int(player.tree.links[tr.ROOT, tr.FIRST_CHILD])
    player.tree.links[first : first + 7, tr.PROVEN] = tr.UNPROVEN
    choice = player.choose(position, Limit(seconds=60))
    assert (choice.move, choice.value) == ("4", 1.0)
    assert choice.nodes > 0


def test_an_analysis_tells_visits_and_values_of_each_move_and_is_told_on_the_way() -> None:
    game = forgeron.game("mancala")
    heard: list[Thought] = []
    player = working(game, 1e-3)
    choice = player.analyse(game.start(), Limit(seconds=4), lines=3, listener=heard.append)
    assert len(choice.lines) == 3
    assert choice.lines[0].moves == choice.line
    assert choice.lines[0].value == choice.value
    assert [line.nodes for line in choice.lines] == sorted((line.nodes for line in choice.lines), reverse=True)
    assert 2 <= len(heard) <= 4 / 0.25
    assert [thought.nodes for thought in heard] == sorted(thought.nodes for thought in heard)
    assert all(1 <= len(thought.lines) <= 3 for thought in heard)
    for line in choice.lines:
        position = game.start()
        for move in line.moves:
            position = position.play(move)


def test_stop_ends_a_search_on_two_threads() -> None:
    game = forgeron.game("yolah")
    player = mcts(game, threads=2)
    answers = []
    thinking = threading.Thread(target=lambda: answers.append(player.choose(game.start(), Limit(seconds=3600))))
    thinking.start()
    while thinking.is_alive():
        player.stop()
        thinking.join(timeout=0.05)
    assert answers[0].move in game.start().legal_moves()


def test_an_exploration_that_is_no_number_and_a_limit_of_depth_are_refused() -> None:
    game = forgeron.game("mancala")
    for text in ("much", "-1", "nan"):
        with pytest.raises(
            OptionError, match=r"option exploration cannot be .*; it is auto or a number from 0 to 1000"
        ):
            mcts(game, exploration=text)
    for text in ("much", "-1", "nan", "1.1"):
        with pytest.raises(OptionError, match=r"option minimax cannot be .*; it is auto or a number from 0 to 1$"):
            mcts(game, guide="eval", minimax=text)
    with pytest.raises(OptionError, match="option minimax needs an evaluation of the moves"):
        mcts(game, minimax="0.3")
    with pytest.raises(OptionError, match="mcts thinks for a time or a number of simulations"):
        mcts(game).choose(game.start(), Limit(depth=3))


def test_no_exploration_stays_with_what_did_best() -> None:
    game = forgeron.game("mancala")
    spread = {}
    for exploration in ("0", "3"):
        lines = mcts(game, exploration=exploration).analyse(game.start(), Limit(nodes=3000), lines=100).lines
        visits = np.array([line.nodes for line in lines])
        spread[exploration] = visits.max() / visits.sum()
    assert spread["0"] > 2 * spread["3"]

"""Players that evaluate by a network: the shipped ones, and what happens where there is none."""

from __future__ import annotations

import math
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import forgeron
from conftest import EXAMPLES, ROOT, all_games, case_id
from forgeron.core.contract import offers
from forgeron.core.game import Game
from forgeron.core.jit import kernel
from forgeron.core.network_file import check_fit, read_network
from forgeron.core.position import Position
from forgeron.kernels import mcts_tree as tr
from forgeron.kernels.network import static_evaluation
from forgeron.players.base import Limit
from forgeron.players.levels import levels
from forgeron.players.mcts import MctsPlayer

WITHOUT: list[tuple[str, dict[str, Any]]] = [("mancala", {"forty": True}), ("yinsh", {"N": 4}), (str(EXAMPLES[0]), {})]


@kernel
def compiled_evaluation(state, evaluation):
    return static_evaluation(state, evaluation)


def has_network(case: tuple[str, str | None]) -> bool:
    return forgeron.game(case[0], preset=case[1]).network() is not None


@pytest.fixture(scope="module", params=filter(has_network, all_games()), ids=case_id)
def any_game(request: pytest.FixtureRequest) -> Game:
    """Each game that a network comes with."""
    name, preset = request.param
    return forgeron.game(name, preset=preset)


@pytest.fixture(scope="module")
def game() -> Game:
    """One of them for the players: what they do with a network does not depend on the game, and compiling is slow."""
    return forgeron.game("yolah")


def file_of(game: Game) -> Path:
    folder = ROOT / "src" / "forgeron" / "games" / game.name
    return next(folder / name for name in game.network_files if read_network(folder / name).serves(game))


def sample(game: Game, count: int) -> list[Position]:
    """Positions of random games in which somebody is to move."""
    rng = random.Random(7)
    found: list[Position] = []
    while len(found) < 4 * count:
        position = game.start()
        while position.turn is not None:
            if position.turn != "chance":
                found.append(position)
            position = position.push(rng.choice(position.moves))
    return rng.sample(found, count)


def judged(position: Position) -> float:
    """The expected result of player 0 by the network, computed in plain Python; certain when the game is over."""
    if position.outcome is not None:
        return {0: 1.0, 1: 0.0, None: 0.5}[position.outcome.winner]
    network = position.game.evaluation("network")
    with np.errstate(over="ignore"):
        return 1 / (1 + math.exp(-static_evaluation(position.state, network)))


def expected_after_each_move(position: Position) -> list[float]:
    """What the mover may expect after each of its moves, one ply ahead by the network."""
    values = [judged(position.push(move)) for move in position.moves]
    return values if position.turn == 0 else [1 - value for value in values]


# --- the files --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "preset"), [("yolah", None), ("mancala", "report"), ("mancala", "course")])
def test_these_games_come_with_a_network(name: str, preset: str | None) -> None:
    assert forgeron.game(name, preset=preset).network() is not None


def test_the_network_in_the_package_is_whole_small_and_made_for_the_game(any_game: Game) -> None:
    path = file_of(any_game)
    assert path.stat().st_size <= 1_000_000
    check_fit(path, read_network(path), any_game)


def test_the_documentation_says_which_network_is_in_the_package(any_game: Game) -> None:
    checksum = read_network(file_of(any_game)).header["checksum"]
    assert checksum in (ROOT / "docs" / "learning.md").read_text()


def test_the_network_in_the_package_gives_the_same_value_compiled_and_in_plain_python(any_game: Game) -> None:
    network = any_game.evaluation("network")
    with np.errstate(over="ignore"):
        for position in sample(any_game, 40):
            assert compiled_evaluation(position.state, network) == static_evaluation(position.state, network)


# --- the players ------------------------------------------------------------------------------------------------------


def test_neural_is_minimax_with_the_network(game: Game) -> None:
    neural, minimax = forgeron.player("neural", game), forgeron.player("minimax", game, eval="network")
    linear = forgeron.player("minimax", game)
    assert neural.notice == ""
    values = []
    for position in sample(game, 8):
        choice, same, other = (one.choose(position, Limit(nodes=2000)) for one in (neural, minimax, linear))
        assert (choice.move, choice.value, choice.nodes) == (same.move, same.value, same.nodes)
        values.append((choice.value, other.value))
    assert any(one != other for one, other in values)


def test_greedy_takes_the_move_that_the_network_likes_best(game: Game) -> None:
    player = forgeron.player("greedy", game, eval="network")
    for position in sample(game, 15):
        expected = expected_after_each_move(position)
        choice = player.choose(position, Limit(nodes=1))
        assert choice.value == pytest.approx(max(expected))
        assert expected[position.legal_moves().index(choice.move)] == pytest.approx(max(expected))


def test_a_search_of_one_ply_by_expectimax_finds_the_value_of_the_network(game: Game) -> None:
    player = forgeron.player("expectimax", game, eval="network")
    unsolved = [position for position in sample(game, 60) if not _is_solved_nearby(position)][:10]
    assert unsolved
    for position in unsolved:
        choice = player.analyse(position, Limit(depth=1))
        assert choice.value == pytest.approx(max(expected_after_each_move(position)), abs=2e-3)


def _is_solved_nearby(position: Position) -> bool:
    """Whether the rules know the result of the position or of one after it: a search then uses no evaluation."""
    from forgeron.core.contract import UNKNOWN, solve

    if not offers(position.game.state_class, "solve"):
        return False
    with np.errstate(over="ignore"):
        near = [position, *(position.push(move) for move in position.moves)]
        return any(int(solve(one.state)) != int(UNKNOWN) for one in near)


@pytest.mark.parametrize("options", [{"guide": "network"}, {"guide": "eval", "eval": "network"}])
def test_a_tree_search_guided_by_the_network_begins_with_its_values(game: Game, options: dict[str, Any]) -> None:
    player = forgeron.player("mcts", game, **options)
    assert isinstance(player, MctsPlayer)
    assert player.notice == ""
    position = game.start()
    choice = player.choose(position, Limit(nodes=1))
    assert choice.move in position.legal_moves()
    first = int(player.tree.links[tr.ROOT, tr.FIRST_CHILD])
    children = range(first, first + len(position.moves))
    found = {int(player.tree.links[child, tr.MOVE]): float(player.tree.means[child]) for child in children}
    unvisited = [move for child, move in zip(children, found, strict=True) if not player.tree.links[child, tr.VISITS]]
    expected = dict(zip(position.moves, expected_after_each_move(position), strict=True))
    assert len(unvisited) >= len(position.moves) - 1
    for move in unvisited:
        assert found[move] == pytest.approx(expected[move], abs=1e-6)


def test_the_strongest_level_plays_by_the_network(any_game: Game) -> None:
    strongest = levels(any_game)[-1].player
    if offers(any_game.state_class, "chance"):
        player = forgeron.player(strongest, any_game)
        assert player.weights(forgeron.next_decision(any_game.start())) is any_game.evaluation("network")
    else:
        assert strongest == "neural"
    assert levels(forgeron.game("mancala", forty=True))[-1].player == "minimax"


# --- where there is no network ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "options"), WITHOUT)
def test_without_a_network_the_default_weights_evaluate_and_the_player_says_so(
    name: str, options: dict[str, Any]
) -> None:
    game = forgeron.game(name, **options)
    neural, minimax = forgeron.player("neural", game), forgeron.player("minimax", game)
    assert neural.notice == f"no network comes with Forgeron for {game}: the default weights evaluate"
    assert minimax.notice == ""
    choices = [player.choose(game.start(), Limit(nodes=500)) for player in (neural, minimax)]
    assert (choices[0].move, choices[0].value) == (choices[1].move, choices[1].value)


@pytest.mark.parametrize(("player", "options"), [("greedy", {"eval": "network"}), ("mcts", {"guide": "network"})])
def test_every_player_with_an_evaluation_does_without_a_network(player: str, options: dict[str, Any]) -> None:
    game = forgeron.game("mancala", forty=True)
    found = forgeron.player(player, game, **options)
    assert "the default weights evaluate" in found.notice
    assert found.choose(game.start(), Limit(nodes=50)).move in game.start().legal_moves()


def test_a_network_file_that_is_named_is_never_replaced_by_other_weights(tmp_path: Path) -> None:
    with pytest.raises(forgeron.ForgeronError, match="cannot read the network"):
        forgeron.player("neural", forgeron.game("yolah"), eval=str(tmp_path / "mine.network"))


def test_a_network_file_is_one_evaluation_for_both_seats() -> None:
    game = forgeron.game("yolah")
    player = forgeron.player("neural", game, eval=str(ROOT / "src/forgeron/games/yolah/yolah.network"))
    start = game.start()
    # Were it read twice, the transposition table would be cleared whenever the seat changes.
    assert player.weights(start) is player.weights(start.push(start.moves[0]))

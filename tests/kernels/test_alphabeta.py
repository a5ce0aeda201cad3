"""Alpha-beta search: the same value as trying everything, whatever it prunes; and players made of it."""

from __future__ import annotations

import random

import numpy as np
import pytest

import forgeron
from conftest import EXAMPLES
from forgeron.core import contract
from forgeron.core.game import Game
from forgeron.core.jit import kernel
from forgeron.core.position import Position
from forgeron.kernels import alphabeta as ab
from forgeron.kernels import table as tt
from forgeron.players.base import Limit
from forgeron.players.minimax import IDEAS, MinimaxPlayer


@kernel
def evaluation(state, weights):
    return contract.evaluate(state, weights)


def brute_force(position: Position, depth: int, ply: int = 0) -> int:
    """The value for the side to move, by trying everything; a forced move below the root costs no depth."""
    moves = position.moves
    below = depth if len(moves) == 1 and ply > 0 else depth - 1
    best = -ab.WON - 1
    for move in moves:
        child = position.push(move)
        known = int(contract.solve(child.state)) if child.turn is not None else contract.UNKNOWN
        if child.turn is None:
            value = int(ab.final_value(child.state, position.turn, ply + 1))
        elif known != contract.UNKNOWN:
            value = int(ab.solved_value(known, position.turn, ply + 1))
        elif below <= 0:
            estimate = float(evaluation(child.state, child.game.weights()))
            value = int(1000.0 * min(max(estimate, -900.0), 900.0)) * (1 if position.turn == 0 else -1)
        else:
            value = brute_force(child, below, ply + 1) * (1 if child.turn == position.turn else -1)
        best = max(best, value)
    return best


def sampled(game: Game, count: int, late: bool) -> list[Position]:
    """Positions of random games, from their last moves or from anywhere."""
    found, seed = [], 0
    while len(found) < count:
        rng = random.Random(seed)
        seed += 1
        line = [game.start()]
        while line[-1].turn is not None:
            line.append(line[-1].push(rng.choice(line[-1].moves)))
        found.append(rng.choice(line[-6:-1] if late else line[:-1]))
    return found


def searched(position: Position, depth: int, flags: int, table: np.ndarray | None = None) -> int:
    game = position.game
    board = ab.make_board(game.max_moves)
    ab.new_search(board, 1)
    board[ab.FLAGS] = flags
    table = tt.make_table(1) if table is None else table
    numbers = [np.int64(n) for n in (depth, -ab.WON - 1, ab.WON + 1, 0, ab.NONE)]
    value = int(ab.search(position.state, *numbers, board, table, game.weights()))
    assert int(board[ab.BEST]) in position.moves
    return value


EXACT = [flags for name, flags in IDEAS.items() if name != "full"]


def test_every_idea_but_reductions_leaves_the_value_as_it_is(game: Game) -> None:
    if not MinimaxPlayer.plays(game):
        pytest.skip("a game with chance")
    for late in (True, False):
        for position in sampled(game, 12 if game.max_moves <= 128 else 4, late):
            depth = 3 if len(position.moves) <= 12 else 2
            expected = brute_force(position, depth)
            for flags in EXACT:
                assert searched(position, depth, flags) == expected


def test_an_ending_is_solved_like_trying_everything() -> None:
    """With reductions too: what is searched to the end of the game cannot be misjudged."""
    game = forgeron.game("yolah")
    for position in sampled(game, 60, late=True):
        expected = brute_force(position, 6)
        if abs(expected) > ab.PROVEN or expected == 0:
            assert searched(position, 6, ab.EVERYTHING & ~ab.REDUCTIONS) == expected


def test_a_search_stopped_at_any_node_has_a_legal_move() -> None:
    game = forgeron.game("mancala")
    player = forgeron.player("minimax", game)
    position = game.start()
    for nodes in (1, 2, 3, 5, 8, 13, 40, 100, 1000, 5000):
        choice = player.choose(position, Limit(nodes=nodes))
        assert choice.move in position.legal_moves()
        assert choice.nodes <= nodes


def test_a_win_in_one_is_found_and_certain() -> None:
    game = forgeron.game(str(EXAMPLES[0]))
    position = game.start()
    for move in "414243":
        position = position.play(move)
    choice = forgeron.player("minimax", game).choose(position, Limit(depth=4))
    assert (choice.move, choice.value) == ("4", 1.0)


def test_the_faster_win_and_the_slower_loss_are_preferred() -> None:
    over = forgeron.game("yolah").parse("bbwwxxxx/bbwwxxxx/" + "/".join(["xxxxxxxx"] * 6) + ":b:29:27").state
    assert ab.final_value(over, 0, 3) > ab.final_value(over, 0, 5) > ab.PROVEN
    assert ab.final_value(over, 1, 3) < ab.final_value(over, 1, 5) < -ab.PROVEN


def test_the_line_can_be_played() -> None:
    game = forgeron.game("yolah")
    choice = forgeron.player("minimax", game).choose(game.start(), Limit(depth=6))
    position = game.start()
    for move in choice.line:
        position = position.play(move)
    assert len(choice.line) >= 3
    assert choice.depth == 6


def test_a_game_with_chance_is_refused() -> None:
    with pytest.raises(forgeron.ForgeronError, match="minimax does not play games with chance such as Yut Nori"):
        forgeron.player("minimax", forgeron.game("yut"))
    assert "minimax" not in forgeron.player_names(forgeron.game("yut"))


def test_two_threads_find_a_legal_move_and_count_their_nodes() -> None:
    game = forgeron.game("yolah")
    choice = forgeron.player("minimax", game, threads=2).choose(game.start(), Limit(depth=6))
    assert choice.move in game.start().legal_moves()
    assert choice.depth == 6


def test_the_table_gives_back_what_was_stored_and_forgets_the_shallow_first() -> None:
    table = tt.make_table(1 / 16384)  # one bucket
    assert table.size == 8
    with np.errstate(over="ignore"):
        for depth in range(1, 6):
            tt.store(table, np.uint64(1000 + depth), tt.pack(depth, -depth, depth, tt.EXACT, 1))
        kept = [depth for depth in range(1, 6) if tt.probe(table, np.uint64(1000 + depth)) != tt.NOTHING]
        assert kept == [2, 3, 4, 5]
        data = tt.probe(table, np.uint64(1005))
        assert (tt.move_of(data), tt.value_of(data), tt.depth_of(data), tt.bound_of(data)) == (5, -5, 5, tt.EXACT)
        tt.store(table, np.uint64(2000), tt.pack(9, 0, 1, tt.AT_MOST, 2))  # a new search: age counts
        assert tt.probe(table, np.uint64(2000)) != tt.NOTHING
        assert tt.probe(table, np.uint64(1002)) == tt.NOTHING


def test_threads_do_not_change_the_answer_to_a_number_of_nodes() -> None:
    game = forgeron.game("yolah")
    choices = [
        forgeron.player("minimax", game, threads=threads).choose(game.start(), Limit(nodes=20_000))
        for threads in (1, 2, 2)
    ]
    assert len({(choice.move, choice.value, choice.nodes) for choice in choices}) == 1


def test_a_move_of_too_many_bits_does_not_spoil_its_entry() -> None:
    data = tt.pack(np.int64((1 << 30) + 3), 5, 4, tt.EXACT, 1)
    assert (tt.value_of(data), tt.depth_of(data), tt.bound_of(data)) == (5, 4, tt.EXACT)

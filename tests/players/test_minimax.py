"""The minimax player: lines, limits, threads and time."""

from __future__ import annotations

import itertools
import math
import random

import pytest

import forgeron
from conftest import EXAMPLES
from forgeron.analysis.ablation import fixed_positions
from forgeron.bots.clock import Clocks, TimeControl
from forgeron.core.contract import UNKNOWN, evaluate, solve
from forgeron.core.errors import OptionError
from forgeron.core.game import Game
from forgeron.core.position import Position
from forgeron.players.base import Limit, Thought
from forgeron.players.minimax import FIXED_DEPTH, MinimaxPlayer


def after(game: Game, plies: int, seed: int = 1) -> Position:
    """The position after some plies of the player itself, so that it is a sensible one."""
    player = MinimaxPlayer(game, {"hash": 1})
    position = game.start()
    for _ in range(plies):
        position = position.play(player.choose(position, Limit(nodes=50 + seed)).move)
    return position


def test_a_search_stopped_at_any_node_has_a_legal_move(sure_game: Game) -> None:
    player = MinimaxPlayer(sure_game, {"hash": 1})
    position = after(sure_game, 11)
    legal = position.legal_moves()
    for nodes in range(1, 301):
        choice = player.choose(position, Limit(nodes=nodes))
        assert choice.move in legal
        assert choice.nodes <= nodes or len(legal) == 1


def test_the_best_lines_are_distinct_sorted_and_begin_with_the_best_move(sure_game: Game) -> None:
    for plies in (4, 9):
        position = after(sure_game, plies)
        for enhancements in ("pvs", "full"):
            options = {"enhancements": enhancements, "hash": 1}
            alone = MinimaxPlayer(sure_game, options).analyse(position, Limit(depth=4))
            choice = MinimaxPlayer(sure_game, options).analyse(position, Limit(depth=4), lines=4)
            assert len(choice.lines) == min(4, len(position.moves))
            assert len({line.moves[0] for line in choice.lines}) == len(choice.lines)
            values = [line.value for line in choice.lines]
            assert values == sorted(values, reverse=True)
            assert (choice.move, choice.value, choice.line) == (
                choice.lines[0].moves[0],
                choice.lines[0].value,
                choice.lines[0].moves,
            )
            if enhancements == "pvs":  # exact, so the other lines change nothing
                assert choice.value == alone.value
            for line in choice.lines:
                position.play(line.moves[0])


def test_all_lines_have_the_value_of_their_move() -> None:
    game = forgeron.game("mancala")
    position = after(game, 6)
    choice = MinimaxPlayer(game, {"enhancements": "pvs"}).analyse(position, Limit(depth=4), lines=100)
    assert len(choice.lines) == min(len(position.moves), 21)
    for line in choice.lines:
        reply = MinimaxPlayer(game, {"enhancements": "alphabeta"}).analyse(position.play(line.moves[0]), Limit(depth=3))
        assert line.value == pytest.approx(1 - reply.value)


def test_more_lines_than_can_be_left_out_are_cut() -> None:
    game = forgeron.game("yolah")
    choice = MinimaxPlayer(game).analyse(game.start(), Limit(depth=2), lines=56)
    assert len({line.moves[0] for line in choice.lines}) == len(choice.lines) == 21


def test_a_listener_hears_of_every_depth() -> None:
    game = forgeron.game("yolah")
    heard: list[Thought] = []
    choice = MinimaxPlayer(game).analyse(game.start(), Limit(depth=5), lines=2, listener=heard.append)
    assert [thought.depth for thought in heard] == [1, 2, 3, 4, 5]
    assert all(len(thought.lines) == 2 for thought in heard)
    assert heard[-1].lines == choice.lines
    assert [thought.nodes for thought in heard] == sorted(thought.nodes for thought in heard)


def test_a_stopped_analysis_has_as_many_lines_as_the_last_depth() -> None:
    game = forgeron.game("mancala")
    player = MinimaxPlayer(game, {"hash": 1})
    for nodes in range(100, 4000, 130):
        choice = player.analyse(game.start(), Limit(nodes=nodes), lines=3)
        assert len({line.moves[0] for line in choice.lines}) == len(choice.lines)
        assert len(choice.lines) == 3 or choice.depth == 0
        values = [line.value for line in choice.lines]
        assert values == sorted(values, reverse=True)


def test_without_deepening_one_depth_is_searched() -> None:
    game = forgeron.game("mancala")
    for enhancements in ("minimax", "alphabeta"):
        heard: list[Thought] = []
        player = MinimaxPlayer(game, {"enhancements": enhancements, "depth": 3})
        player.analyse(game.start(), Limit(seconds=600), listener=heard.append)
        assert [thought.depth for thought in heard] == [3]
    assert (
        MinimaxPlayer(game, {"enhancements": "alphabeta"}).choose(game.start(), Limit(seconds=600)).depth == FIXED_DEPTH
    )
    assert MinimaxPlayer(game, {"enhancements": "alphabeta"}).choose(game.start(), Limit(depth=2)).depth == 2


def test_each_exact_idea_agrees_on_the_value_of_a_depth() -> None:
    game = forgeron.game("mancala")
    position = after(game, 8)
    values = {
        MinimaxPlayer(game, {"enhancements": enhancements}).choose(position, Limit(depth=4)).value
        for enhancements in ("minimax", "alphabeta", "deepening", "table", "killers", "history", "pvs")
    }
    assert len(values) == 1


def test_a_win_in_one_is_found_certain_and_ends_the_search() -> None:
    game = forgeron.game(str(EXAMPLES[0]))
    position = game.start()
    for move in "414243":
        position = position.play(move)
    choice = forgeron.player("minimax", game).choose(position, Limit(seconds=600))
    assert (choice.move, choice.value, choice.depth) == ("4", 1.0, 1)


def test_a_forced_move_has_the_value_one_ply_ahead() -> None:
    game = forgeron.game("yolah")
    seen = 0
    for seed in range(80):
        rng = random.Random(seed)
        position = game.start()
        while position.turn is not None:
            if len(position.moves) == 1:
                child = position.push(position.moves[0])
                if child.turn is not None and solve(child.state) == UNKNOWN:
                    seen += 1
                    estimate = float(evaluate(child.state, game.weights())) * (1 if position.turn == 0 else -1)
                    choice = forgeron.player("minimax", game, hash=1).choose(position, Limit(seconds=600))
                    assert choice.nodes == 0
                    assert choice.value in (0.0, 1.0) or choice.value == pytest.approx(
                        1 / (1 + math.exp(-estimate)), abs=1e-3
                    )
            position = position.push(rng.choice(position.moves))
    assert seen > 5


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


def test_a_move_better_than_the_window_is_not_forgotten_when_the_limit_comes() -> None:
    """At 45,000 nodes d6:b4 has failed high at depth 7, and the search in the wider window has rated no move yet."""
    game = forgeron.game("yolah")
    position = game.parse("x1x1b2x/3x4/3bxw2/x2xxx2/x2xxbx1/4w3/6x1/b1xwx2w:b:8:8")
    assert forgeron.player("minimax", game).choose(position, Limit(nodes=45_000)).move == "d6:b4"


def test_a_stopped_search_claims_only_what_is_true() -> None:
    """A move that loses, tried first and found out, does not mean that all others lose."""
    game = forgeron.game(str(EXAMPLES[0]))
    player = forgeron.player("minimax", game, hash=1)
    claims = 0
    for position in fixed_positions(game, 30):
        truth = player.choose(position, Limit(depth=10))
        for nodes in range(1, 400, 3):
            choice = player.analyse(position, Limit(nodes=nodes), lines=2)
            if choice.proven:
                claims += 1
                assert (choice.value, truth.proven) == (truth.value, True)
    assert claims > 100


@pytest.mark.parametrize("name", ["yolah", "mancala", "yinsh"])
def test_threads_do_not_change_the_value_of_a_depth(name: str) -> None:
    game = forgeron.game(name)
    alone, together = (forgeron.player("minimax", game, threads=threads, enhancements="pvs") for threads in (1, 3))
    for position in fixed_positions(game):
        expected = alone.analyse(position, Limit(depth=5), lines=2)
        found = together.analyse(position, Limit(depth=5), lines=2)
        assert [line.value for line in found.lines] == [line.value for line in expected.lines]


def test_threads_do_not_change_the_answer_to_a_number_of_nodes() -> None:
    game = forgeron.game("yolah")
    choices = [
        forgeron.player("minimax", game, threads=threads).choose(game.start(), Limit(nodes=20_000))
        for threads in (1, 2, 2)
    ]
    assert len({(choice.move, choice.value, choice.nodes) for choice in choices}) == 1


class SlowClock:
    """A clock that goes on a little whenever somebody looks at it."""

    def __init__(self, step: float) -> None:
        self._ticks = itertools.count()
        self._step = step

    def __call__(self) -> float:
        return next(self._ticks) * self._step


@pytest.mark.parametrize(("control", "step"), [("20+0", 0.02), ("5+1", 0.1), ("60+0.5", 0.05)])
def test_a_whole_game_never_runs_out_of_its_clock(control: str, step: float) -> None:
    game = forgeron.game("mancala")
    clocks = Clocks(TimeControl.parse(control))
    player = MinimaxPlayer(game, {"hash": 1}, clock=SlowClock(step))
    position, spent = game.start(), 0.0
    for _ in range(80):  # a look at this clock costs so much that the last moves of a long game could not be paid
        if position.turn is None:
            break
        seat = 1 if position.turn == 1 else 0
        choice = player.choose(position, clocks.limit(seat))
        assert choice.seconds < clocks.left[seat]
        clocks.spend(seat, choice.seconds)
        spent += choice.seconds
        position = position.play(choice.move)
    assert spent > 0.5 * (clocks.controls[0].base_seconds or 0)  # and it was not left unused


def test_a_target_needs_a_limit() -> None:
    for limit in ({"nodes": 5, "target_seconds": 1.0}, {"seconds": 1.0, "target_seconds": 2.0}):
        with pytest.raises(OptionError, match="target"):
            Limit(**limit)  # type: ignore[arg-type]

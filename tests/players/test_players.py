"""What every player promises, on every game, and what makes each one itself."""

from __future__ import annotations

import threading
from collections.abc import Callable
from math import sqrt
from typing import Any

import numpy as np
import pytest

import forgeron
from conftest import EXAMPLES, all_games, case_id
from forgeron.core.errors import GameOverError, OptionError, UnknownNameError
from forgeron.core.game import Game
from forgeron.core.position import Position
from forgeron.core.rng import below, word
from forgeron.players.base import Limit


def first_decision(position: Position) -> Position:
    """The first position from here on in which somebody has a choice."""
    while position.turn is not None and (position.turn == "chance" or len(position.moves) < 2):
        position = position.push(position.moves[0])
    return position


@pytest.mark.parametrize("name", ["minimax", "mcts"])
def test_what_is_proven_is_told_apart_from_what_is_thought(name: str) -> None:
    game = forgeron.game(str(EXAMPLES[0]))
    player = forgeron.player(name, game, seed=1)
    assert not player.choose(game.start(), Limit(nodes=5_000)).proven
    two = game.start()
    for move in ("4", "4", "5", "5"):
        two = two.play(move)
    won, lost = (player.choose(position, Limit(nodes=20_000)) for position in (two, two.play("6")))
    assert (won.value, won.proven) == (1.0, True)
    assert (lost.value, lost.proven) == (0.0, True)
    lines = player.analyse(two, Limit(nodes=20_000), lines=4).lines
    assert lines[0].proven
    assert not lines[-1].proven
    assert 0 < lines[-1].value < 1


def pair_id(pair: tuple[tuple[str, str | None], str]) -> str:
    return f"{case_id(pair[0])}-{pair[1]}"


#: Every game with every player that plays it.
PAIRS = [(case, name) for case in all_games() for name in forgeron.player_names(forgeron.game(case[0]))]


@pytest.fixture(params=forgeron.player_names(forgeron.game("yolah")))
def general(request: pytest.FixtureRequest) -> str:
    """The players that do not belong to a game of their own."""
    return str(request.param)


@pytest.mark.parametrize(("game", "name"), PAIRS, indirect=["game"], ids=map(pair_id, PAIRS))
def test_a_player_chooses_a_legal_move_and_says_what_it_thinks(name: str, game: Game) -> None:
    player = forgeron.player(name, game, seed=1)
    position = first_decision(game.start())
    for _ in range(10):
        choice = player.choose(position, Limit(nodes=200))
        assert choice.move in position.legal_moves()
        assert choice.line[0] == choice.move
        assert 0 <= choice.value <= 1
        assert choice.nodes <= 200 or name == "greedy"
        position = first_decision(position.play(choice.move))
        if position.turn is None:
            break


@pytest.mark.parametrize(("game", "name"), PAIRS, indirect=["game"], ids=map(pair_id, PAIRS))
def test_the_same_seed_gives_the_same_choice(name: str, game: Game) -> None:
    position = first_decision(game.start())
    choices = [forgeron.player(name, game, seed=9).choose(position, Limit(nodes=300)) for _ in range(2)]
    assert (choices[0].move, choices[0].value, choices[0].nodes) == (
        choices[1].move,
        choices[1].value,
        choices[1].nodes,
    )


def test_a_forced_move_is_answered_without_thinking(general: str) -> None:
    game = forgeron.game("yolah")
    position, n = game.start(), 0
    while len(position.moves) != 1:
        n += 1
        with np.errstate(over="ignore"):
            position = position.push(position.moves[int(below(word(np.uint64(3), n), len(position.moves)))])
    choice = forgeron.player(general, game).choose(position, Limit(seconds=60))
    assert (choice.move, choice.nodes) == (position.legal_moves()[0], 0)


def test_nothing_is_chosen_when_the_game_is_over(general: str) -> None:
    game = forgeron.game("yolah")
    over = game.parse("bbwwxxxx/bbwwxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxx:b:28:28")
    with pytest.raises(GameOverError, match="the game is over"):
        forgeron.player(general, game).choose(over, Limit(nodes=1))


def test_a_player_of_one_game_refuses_a_position_of_another_setting(general: str) -> None:
    yolah = forgeron.game("yolah")

    class Other(type(yolah)):  # type: ignore[misc]
        name = "other"

    with pytest.raises(OptionError, match="this player plays yolah, not other"):
        forgeron.player(general, yolah).choose(Other().start(), Limit(nodes=1))


def test_stop_makes_a_thinking_player_answer() -> None:
    game = forgeron.game("yolah")
    player = forgeron.player("monte-carlo", game)
    answers = []
    thinking = threading.Thread(target=lambda: answers.append(player.choose(game.start(), Limit(seconds=3600))))
    thinking.start()
    while thinking.is_alive():
        player.stop()
        thinking.join(timeout=0.05)
    assert answers[0].move in game.start().legal_moves()


@pytest.mark.parametrize("limit", [{}, {"seconds": 0}, {"nodes": -3}, {"depth": 0}])
def test_a_limit_must_limit(limit: dict[str, int]) -> None:
    with pytest.raises(OptionError):
        Limit(**limit)


def test_an_unknown_player_or_option_is_refused_with_the_valid_list() -> None:
    game = forgeron.game("yolah")
    with pytest.raises(UnknownNameError, match="no player 'montecarlo'; did you mean 'monte-carlo'\\?"):
        forgeron.player("montecarlo", game)
    with pytest.raises(UnknownNameError, match="no option of player monte-carlo 'budgt'; did you mean 'budget'\\?"):
        forgeron.player("monte-carlo", game, budgt="equal")
    with pytest.raises(OptionError, match="option budget cannot be 'all'; it is one of ucb, equal"):
        forgeron.player("monte-carlo", game, budget="all")
    with pytest.raises(OptionError, match="threads is a whole number from 1 to 256, not 0"):
        forgeron.player("monte-carlo", game, threads=0)


def test_what_is_no_limit_and_no_game_is_refused() -> None:
    game = forgeron.game("yolah")
    for wrong, why in (
        ({"nodes": 1.5}, "a limit of nodes is a whole number, not 1.5"),
        ({"depth": "3"}, "a limit of depth is a whole number, not '3'"),
        ({"seconds": "1"}, "a limit of seconds is a number, not '1'"),
        ({"nodes": 0}, "a limit of nodes must be more than 0, not 0"),
    ):
        with pytest.raises(OptionError, match=why):
            Limit(**wrong)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match=r"threads is a whole number from 1 to 256, not 1\.5"):
        forgeron.player("random", game, threads=1.5)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="a player needs a game"):
        forgeron.player("random", "yolah")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="at least one line, not 0"):
        forgeron.player("minimax", game).analyse(game.start(), Limit(depth=1), lines=0)


@pytest.mark.parametrize("name", ["monte-carlo", "mcts"])
def test_a_number_of_nodes_gives_the_same_choice_on_any_number_of_threads(name: str) -> None:
    game = forgeron.game("yolah")
    position = game.start().play("d5:b7")
    options = {"memory": 1} if name == "mcts" else {}
    choices = [
        forgeron.player(name, game, seed=1, threads=threads, **options).choose(position, Limit(nodes=30_000))
        for threads in (1, 2)
    ]
    assert (choices[0].move, choices[0].value) == (choices[1].move, choices[1].value)


def test_monte_carlo_plays_exactly_as_many_games_as_it_may_on_any_number_of_threads() -> None:
    game = forgeron.game("yolah")
    for threads in (1, 2, 3):
        for budget in ("ucb", "equal"):
            player = forgeron.player("monte-carlo", game, threads=threads, budget=budget)
            assert player.choose(game.start(), Limit(nodes=1001)).nodes == 1001


def test_monte_carlo_does_not_depend_on_how_its_work_is_cut_into_slices() -> None:
    game = forgeron.game("yolah")
    ticks = iter(range(10**9))
    slow = forgeron.players.player_class("monte-carlo")(game, seed=4, clock=lambda: float(next(ticks)))
    fast = forgeron.player("monte-carlo", game, seed=4)
    limit = Limit(nodes=3000)
    a, b = (player.choose(game.start(), limit) for player in (slow, fast))
    assert (a.move, a.value) == (b.move, b.value)


def score_of(strong: str, weak: str, games: int, nodes: int) -> float:
    """The share of points that `strong` makes against `weak`: every opening twice, sides swapped."""
    game = forgeron.game("yolah")
    points = 0.0
    for number in range(games // 2):
        with np.errstate(over="ignore"):
            opening = game.start().push(game.start().moves[int(below(word(np.uint64(99), number), 56))])
        for seat in (0, 1):
            players = [forgeron.player(kind, game, seed=2 * number + seat) for kind in (strong, weak)]
            position = opening
            while position.outcome is None:
                mover = players[0] if position.turn == seat else players[1]
                position = position.play(mover.choose(position, Limit(nodes=nodes)).move)
            points += 0.5 if position.outcome.winner is None else float(position.outcome.winner == seat)
    return points / games


@pytest.mark.parametrize(
    ("strong", "weak", "games", "nodes"),
    [
        ("greedy", "random", 60, 100),
        ("monte-carlo", "random", 40, 1500),
        ("mcts", "random", 40, 500),
        ("minimax", "greedy", 40, 3000),
    ],
)
def test_each_player_is_stronger_than_random(strong: str, weak: str, games: int, nodes: int) -> None:
    score = score_of(strong, weak, games, nodes)
    assert score > 0.5 + 3 * sqrt(0.25 / games)


@pytest.mark.parametrize("name", ["monte-carlo", "mcts", "minimax"])
def test_ctrl_c_stops_all_threads_of_a_player(name: str, run_python: Callable[..., Any]) -> None:
    """A limit of an hour, and Ctrl-C after half a second: the process must end by itself, long before the limit."""
    code = f"""
import os, signal, threading
import forgeron
game = forgeron.game("yolah")
player = forgeron.player({name!r}, game, seed=1, threads=2)
signal.signal(signal.SIGINT, signal.default_int_handler)
threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    player.choose(game.start(), forgeron.Limit(seconds=3600.0))
except KeyboardInterrupt:
    print("stopped")
"""
    assert run_python(code).stdout == "stopped\n"


def test_ctrl_c_stops_a_kernel_that_would_search_for_ages(run_python: Callable[..., Any]) -> None:
    """One call of the kernel, which has no depth to finish first: Python itself would hear Ctrl-C at its end."""
    code = """
import os, signal, threading
import forgeron
game = forgeron.game("yolah")
player = forgeron.player("minimax", game, seed=1, enhancements="minimax", depth=30)
signal.signal(signal.SIGINT, signal.default_int_handler)
ears, mouth = os.pipe()
os.set_blocking(mouth, False)
signal.set_wakeup_fd(mouth)
threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    player.choose(game.start(), forgeron.Limit(seconds=3600.0))
except KeyboardInterrupt:
    print("stopped", signal.set_wakeup_fd(-1) == mouth, os.read(ears, 1) == bytes([signal.SIGINT]))
"""
    assert run_python(code).stdout == "stopped True True\n"

"""When a deepening search has thought enough: with numbers for the clock, no waiting."""

from __future__ import annotations

import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import forgeron
from forgeron.arena.referee import Referee
from forgeron.bots.clock import Clocks, Pace, TimeControl
from forgeron.bots.contestant import BuiltIn
from forgeron.bots.faults import Reason
from forgeron.players.base import Limit
from forgeron.players.mcts import MctsPlayer
from forgeron.players.minimax import MinimaxPlayer
from forgeron.players.monte_carlo import MonteCarloPlayer
from forgeron.players.time_management import TimeManager


def spent(limit: Limit, depths: list[tuple[int, float, float]]) -> float:
    """When a search ends whose depths bring this move and value and take so many seconds each."""
    manager = TimeManager(limit)
    now = 0.0
    for move, value, seconds in depths:
        now = min(now + seconds, manager.allowed_seconds)
        if now == manager.allowed_seconds or not manager.may_deepen(move, value, now):
            break
    return now


def doubling(moves: list[int], values: list[float] | None = None) -> list[tuple[int, float, float]]:
    """Depths that take twice as long each, the first 1 ms."""
    values = values or [0.5] * len(moves)
    return [(move, value, 0.001 * 2**i) for i, (move, value) in enumerate(zip(moves, values, strict=True))]


LIMIT = Limit(seconds=4.0, target_seconds=1.0)
CONNECT_FOUR = Path(__file__).parents[2] / "examples" / "game_connect_four.py"
PLAYERS = {kind.name: kind for kind in (MinimaxPlayer, MctsPlayer, MonteCarloPlayer)}


def test_without_a_target_all_the_time_is_used() -> None:
    assert spent(Limit(seconds=1.0), doubling([7] * 20)) == 1.0


def test_a_settled_search_ends_before_the_target() -> None:
    assert 0.3 < spent(LIMIT, doubling([7] * 20)) <= 0.8


def test_a_search_that_changes_its_mind_takes_more_than_one_that_does_not() -> None:
    settled, unsettled = spent(LIMIT, doubling([7] * 20)), spent(LIMIT, doubling([1, 2] * 10))
    assert unsettled > 1.5 * settled
    assert unsettled <= LIMIT.seconds


def test_a_falling_value_buys_time() -> None:
    falling = [0.6] * 5 + [0.55, 0.5, 0.45, 0.4, 0.35, 0.3, 0.25, 0.2, 0.15, 0.1]
    assert spent(LIMIT, doubling([7] * 15, falling)) > 1.5 * spent(LIMIT, doubling([7] * 15))


def test_a_rising_value_buys_none() -> None:
    rising = [0.4 + 0.03 * i for i in range(15)]
    assert spent(LIMIT, doubling([7] * 15, rising)) == spent(LIMIT, doubling([7] * 15))


def test_no_search_exceeds_its_limit() -> None:
    for target in (0.01, 0.5, 4.0):
        limit = Limit(seconds=4.0, target_seconds=target)
        wild = doubling([i % 2 for i in range(20)], [0.9 - 0.04 * i for i in range(20)])
        assert spent(limit, wild) <= 4.0


def test_a_depth_that_cannot_be_finished_is_not_begun() -> None:
    manager = TimeManager(LIMIT)
    assert manager.may_deepen(7, 0.5, 0.02)
    assert manager.may_deepen(7, 0.5, 0.10)
    assert not manager.may_deepen(7, 0.5, 0.50)  # the next one would take seconds


def test_a_player_that_always_takes_the_most_never_runs_out() -> None:
    for base, increment in ((1.0, 0.0), (60.0, 0.0), (5.0, 1.0), (0.5, 0.1)):
        clocks = Clocks(TimeControl(base_seconds=base, increment_seconds=increment))
        for _ in range(60):
            limit = clocks.limit(0)
            assert limit.seconds is not None
            assert limit.target_seconds is not None
            assert limit.target_seconds <= limit.seconds < clocks.left[0]
            clocks.spend(0, limit.seconds)
        assert clocks.left[0] > 0


@pytest.mark.parametrize("typical", [12, 40, 65])
def test_most_of_a_clock_is_used_in_a_typical_game_and_some_is_left_for_a_longer_one(typical: int) -> None:
    clocks = Clocks(TimeControl.parse("30+0"), pace=Pace(typical))
    left = []
    for _ in range(2 * typical):
        clocks.spend(1, clocks.limit(1).target_seconds or 0.0)
        left.append(clocks.left[1])
    assert 2.0 < left[typical - 1] < 5.0
    assert 0.4 < left[-1] < 2.0


def test_the_moves_of_an_opening_get_less_than_the_others_and_together_all_there_is() -> None:
    pace, left, spent = Pace(40, opening=10), 1.0, []
    for made in range(20):
        spent.append(left / pace.moves_left(made))
        left -= spent[-1]
    assert spent[0] == pytest.approx(spent[10] / 4)
    assert all(a < b for a, b in pairwise(spent[:11]))
    assert spent[10:] == pytest.approx([spent[10]] * 10)
    assert left == pytest.approx(20 * spent[10])


def test_a_pace_that_makes_no_sense_still_leaves_time() -> None:
    for pace in (Pace(0), Pace(-5, -5), Pace(5, opening=50), Pace(10**12, opening=10**12)):
        for made in (0, 4, 5, 6, 49, 50, 1000):
            assert pace.moves_left(made) >= 3


@pytest.mark.parametrize(("clock", "extra"), [("30+0", 0.001), ("3+0", 0.0005)])
def test_a_game_of_any_length_never_runs_out(clock: str, extra: float) -> None:
    """Every move costs a little more than was planned: half a millisecond in games of our own players."""
    clocks = Clocks(TimeControl.parse(clock), pace=Pace(20))
    for _ in range(200):
        limit = clocks.limit(0)
        assert limit.seconds is not None
        clocks.spend(0, limit.seconds + extra)
    assert clocks.left[0] > 0.01


def test_each_seat_has_a_plan_of_its_own() -> None:
    clocks = Clocks(TimeControl.parse("30+0"), pace=Pace(20))
    before = clocks.limit(0)
    for _ in range(10):
        clocks.spend(1, 0.0)
    assert clocks.limit(0) == before
    assert (clocks.limit(1).target_seconds or 0) > 1.5 * (before.target_seconds or 0)


def test_every_game_says_how_many_moves_are_typical() -> None:
    for name in forgeron.game_names():
        assert 1 <= forgeron.game(name).typical_moves() <= 200
        assert 0 <= forgeron.game(name).opening_moves() < forgeron.game(name).typical_moves()
    assert forgeron.game("mancala", plies=10).typical_moves() == 5


@pytest.mark.parametrize("name", PLAYERS)
def test_processor_time_is_counted_by_the_processor(name: str) -> None:
    def stopped() -> float:
        return 0.0  # by this clock no search would ever end

    game = forgeron.game("yolah")
    player = PLAYERS[name](game, clock=stopped)
    before = time.process_time()
    choice = player.choose(game.start(), Limit(seconds=0.05, cpu=True))
    assert 0 < choice.seconds <= time.process_time() - before


def test_a_game_by_processor_time_is_timed_by_it() -> None:
    class Sleeper(forgeron.Player):
        name = "sleeper"

        def think(self, position: forgeron.Position, search: Any) -> forgeron.Choice:
            assert search.limit.cpu
            time.sleep(0.1)  # longer than a move may take, but the processor has nothing to do
            move = position.legal_moves()[0]
            return forgeron.Choice(move, 0.5, (move,), 0, 0, search.seconds)

    game = forgeron.game(str(CONNECT_FOUR))
    both = BuiltIn("one", Sleeper(game)), BuiltIn("two", Sleeper(game))
    assert Referee(game, both, TimeControl.parse("0.02cpu")).play().reason == Reason.WIN
    assert Referee(game, both, TimeControl.parse("5+0cpu")).play().reason == Reason.WIN


def test_a_clock_gives_a_difficult_move_more_than_its_share() -> None:
    limit = Clocks(TimeControl.parse("60+0.5")).limit(0)
    assert limit.seconds is not None
    assert limit.target_seconds is not None
    assert limit.seconds > 2 * limit.target_seconds

"""Yut Nori: every sentence of its rules, and an independent implementation beside it."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import forgeron
from forgeron.core.contract import chance, count
from forgeron.core.errors import OptionError
from forgeron.games.yut.piece_lists import queue, stations, throwing, whose_turn
from forgeron.games.yut.rules import MOST_OF_A_KIND
from naive.yut import BEFORE, RESULTS, NaiveYut, walk

game = forgeron.game("yut")


def play(position: str, moves: str) -> str:
    """The position after some moves, both in writing."""
    return str(game.parse(position).play(moves))


def legal(position: str) -> list[str]:
    return game.parse(position).legal_moves()


def hand(state: object) -> list[int]:
    return [RESULTS[result] for result in queue(state)]  # type: ignore[arg-type]


# --- an independent implementation ------------------------------------------------------------------------------


@settings(max_examples=60)
@given(st.integers(0, 2**32), st.integers(1, 4))
def test_random_games_go_as_in_the_naive_implementation(seed: int, pieces: int) -> None:
    rng = random.Random(seed)
    position, naive = forgeron.game("yut", pieces=pieces).start(), NaiveYut.start(pieces)
    while True:
        tokens = position.legal_moves()
        assert sorted(tokens) == sorted(naive.moves())
        assert int(count(position.state)) == len(tokens)
        winner = None if position.outcome is None else position.outcome.winner
        assert winner == naive.winner
        if winner is not None:
            return
        assert tuple(tuple(stations(position.state, seat)) for seat in (0, 1)) == naive.sides
        assert whose_turn(position.state) == naive.mover
        assert sorted(hand(position.state)) == list(naive.hand)
        assert throwing(position.state) == naive.must_throw == (position.turn == "chance")
        move = rng.choice(tokens)
        position, naive = position.play(move), naive.play(move)


@settings(max_examples=300)
@given(st.data())
def test_any_position_that_can_be_written_has_the_moves_of_the_naive_implementation(data: st.DataObject) -> None:
    pieces = data.draw(st.integers(1, 4))
    station = st.integers(0, 30)
    mine = data.draw(st.lists(station, min_size=pieces, max_size=pieces).filter(lambda side: set(side) != {30}))
    taken = set(mine) - {0, 30}
    theirs = data.draw(
        st.lists(station.filter(lambda s: s not in taken), min_size=pieces, max_size=pieces).filter(
            lambda side: set(side) != {30}
        )
    )
    results = data.draw(st.lists(st.sampled_from(RESULTS), min_size=1, max_size=6))
    sides = "/".join(",".join(map(str, side)) for side in (mine, theirs))
    own = forgeron.game("yut", pieces=pieces)
    position = own.parse(f"{sides}:r:{','.join(map(str, results))}")
    naive = NaiveYut((tuple(sorted(mine)), tuple(sorted(theirs))), 0, tuple(sorted(results)), False)
    tokens = position.legal_moves()
    assert tokens, "there is always a legal move"
    assert sorted(tokens) == sorted(naive.moves())
    for token in tokens:
        after, naive_after = position.play(token), naive.play(token)
        assert tuple(tuple(stations(after.state, seat)) for seat in (0, 1)) == naive_after.sides
        if after.turn is not None:
            assert (whose_turn(after.state), throwing(after.state)) == (naive_after.mover, naive_after.must_throw)


def test_positions_with_the_same_pieces_are_equal_however_they_came_about() -> None:
    one = game.start().play("t4 t2 s0:4 s0:2")
    two = game.start().play("t4 t2 s0:2 s0:4")
    assert one == two
    assert one.key == two.key
    assert game.parse("4,0,2,0/0,0,0,0:b:t") == one


# --- the throw --------------------------------------------------------------------------------------------------


def test_a_turn_begins_with_a_throw_and_the_first_player_begins() -> None:
    start = game.start()
    assert start.turn == "chance"
    assert start.legal_moves() == ["t1", "t2", "t3", "t4", "t5", "t-1"]
    assert str(start) == "0,0,0,0/0,0,0,0:r:t"
    assert start.play("t2").turn == 0


@pytest.mark.parametrize("result", [4, 5])
def test_after_yut_or_mo_the_player_throws_again(result: int) -> None:
    again = game.start().play(f"t{result}")
    assert again.turn == "chance"
    assert again.play(f"t{result}").turn == "chance"
    assert str(again.play("t1")) == f"0,0,0,0/0,0,0,0:r:1,{result}"


@pytest.mark.parametrize("result", [1, 2, 3, -1])
def test_after_any_other_result_the_player_moves(result: int) -> None:
    assert game.start().play(f"t{result}").turn == 0


def test_results_are_used_in_any_order_by_any_piece() -> None:
    assert legal("0,3,3,8/0,0,0,0:r:2,4") == ["s0:2", "s3:2", "s8:2", "s0:4", "s3:4", "s8:4"]


def test_the_turn_passes_when_the_queue_is_empty() -> None:
    assert play("0,0,0,0/0,0,0,0:r:2,4", "s0:2") == "0,0,0,2/0,0,0,0:r:4"
    assert play("0,0,0,0/0,0,0,0:r:2,4", "s0:2 s2:4") == "0,0,0,6/0,0,0,0:b:t"


def test_one_more_than_the_queue_can_hold_is_lost() -> None:
    full = ",".join(["4"] * MOST_OF_A_KIND)
    assert play(f"0,0,0,0/0,0,0,0:r:{full},t", "t4") == f"0,0,0,0/0,0,0,0:r:{full},t"
    assert play(f"0,0,0,0/0,0,0,0:r:{full},t", "t5") == f"0,0,0,0/0,0,0,0:r:{full},5,t"


# --- the board --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("station", range(30))
@pytest.mark.parametrize("result", [1, 2, 3, 4, 5])
def test_a_piece_gets_where_a_walk_step_by_step_gets(station: int, result: int) -> None:
    expected = sorted([0, 30, 30, walk(station, result)])
    after = game.parse(f"0,30,30,{station}/0,0,0,0:r:{result},5").play(f"s{station}:{result}")
    assert stations(after.state, 0) == expected


@pytest.mark.parametrize(
    ("station", "way"),
    [
        (0, [1, 2, 3, 4, 5]),
        (3, [4, 5, 6, 7, 8]),
        (5, [13, 14, 15, 16, 17]),
        (8, [9, 10, 18, 19, 20]),
        (10, [11, 12, 15, 23, 24]),
        (11, [12, 15, 23, 24, 29]),
        (13, [14, 15, 16, 17, 22]),
        (15, [23, 24, 29, 30, 30]),
        (17, [22, 25, 26, 27, 28]),
        (21, [22, 25, 26, 27, 28]),
        (27, [28, 29, 30, 30, 30]),
        (29, [30, 30, 30, 30, 30]),
    ],
)
def test_the_ways_of_the_rules(station: int, way: list[int]) -> None:
    for result, target in enumerate(way, start=1):
        after = game.parse(f"{station},0,0,0/0,0,0,0:r:{result}").play(f"s{station}:{result}")
        assert target in stations(after.state, 0)


@pytest.mark.parametrize(("station", "before"), BEFORE.items())
def test_back_do_steps_back_by_one_and_at_a_fork_the_player_chooses(station: int, before: list[int]) -> None:
    position = game.parse(f"{station},30,30,30/0,0,0,0:r:-1")
    ways = [f"s{station}:-1a", f"s{station}:-1b"] if len(before) == 2 else [f"s{station}:-1"]
    assert position.legal_moves() == ways
    assert [stations(position.play(way).state, 0)[0] for way in ways] == before


def test_a_piece_on_29_is_not_home() -> None:
    assert play("28,30,30,30/0,0,0,0:r:1", "s28:1") == "29,30,30,30/0,0,0,0:b:t"


def test_back_do_at_the_start_is_legal_only_without_pieces_on_the_board_and_changes_nothing() -> None:
    assert legal("0,0,30,30/0,0,0,7:r:-1") == ["s0:-1"]
    assert play("0,0,30,30/0,0,0,7:r:-1", "s0:-1") == "0,0,30,30/0,0,0,7:b:t"
    assert play("0,0,30,30/0,0,0,7:r:4,-1", "s0:-1") == "0,0,30,30/0,0,0,7:r:4"
    assert legal("0,0,6,30/0,0,0,7:r:-1") == ["s6:-1"]


# --- stacks and captures ----------------------------------------------------------------------------------------


def test_own_pieces_on_one_station_move_together() -> None:
    assert play("3,3,3,0/0,0,0,0:r:2", "s3:2") == "0,5,5,5/0,0,0,0:b:t"
    assert play("2,2,1,1/0,0,0,0:r:1", "s1:1") == "2,2,2,2/0,0,0,0:b:t"
    assert play("2,2,2,2/0,0,0,0:r:-1", "s2:-1") == "1,1,1,1/0,0,0,0:b:t"
    assert play("28,28,28,30/0,0,0,0:r:3", "s28:3") == "30,30,30,30/0,0,0,0:r:-"


def test_pieces_at_the_start_move_singly() -> None:
    assert play("0,0,0,0/0,0,0,0:r:2", "s0:2") == "0,0,0,2/0,0,0,0:b:t"


def test_landing_on_enemies_sends_all_of_them_back() -> None:
    assert play("3,0,0,0/5,5,5,7:r:2", "s3:2") == "0,0,0,5/0,0,0,7:r:t"
    assert play("3,3,0,0/5,5,5,5:r:2", "s3:2") == "0,0,5,5/0,0,0,0:r:t"


def test_passing_enemies_does_nothing() -> None:
    assert play("3,0,0,0/5,5,5,7:r:3", "s3:3") == "0,0,0,6/5,5,5,7:b:t"


def test_enemies_at_the_start_and_at_home_are_left_alone() -> None:
    assert play("29,0,0,0/0,30,30,7:r:3", "s29:3") == "0,0,0,30/0,7,30,30:b:t"
    assert play("0,0,0,0/0,30,30,7:r:-1", "s0:-1") == "0,0,0,0/0,7,30,30:b:t"


@pytest.mark.parametrize(("source", "result"), [(6, 1), (5, 2), (4, 3), (8, -1)])
def test_a_capture_with_do_gae_geol_or_back_do_gives_one_more_throw(source: int, result: int) -> None:
    target = BEFORE[source][0] if result == -1 else walk(source, result)
    assert play(f"{source},0,0,0/{target},0,0,0:r:{result}", f"s{source}:{result}") == f"0,0,0,{target}/0,0,0,0:r:t"


@pytest.mark.parametrize(("source", "result"), [(3, 4), (2, 5)])
def test_a_capture_with_yut_or_mo_gives_none(source: int, result: int) -> None:
    assert play(f"{source},0,0,0/7,0,0,0:r:{result}", f"s{source}:{result}") == "0,0,0,7/0,0,0,0:b:t"
    assert play(f"{source},0,0,0/7,0,0,0:r:1,{result}", f"s{source}:{result}") == "0,0,0,7/0,0,0,0:r:1"


def test_the_throw_for_a_capture_is_added_to_the_queue_and_repeats_after_yut_and_mo() -> None:
    assert play("6,0,0,0/7,0,0,0:r:1,4", "s6:1 t5 t2") == "0,0,0,7/0,0,0,0:r:2,4,5"


# --- the end ----------------------------------------------------------------------------------------------------


def test_the_first_side_home_wins_at_once_even_in_the_middle_of_the_queue() -> None:
    end = game.parse("29,30,30,30/0,5,30,30:r:2,4,5").play("s29:4")
    assert end.outcome == forgeron.Outcome(0, (4, 2), "all pieces home")
    assert end.score == 2
    assert end.legal_moves() == []
    assert str(end) == "30,30,30,30/0,5,30,30:r:-"


def test_the_second_side_wins_as_well() -> None:
    end = game.parse("0,0,0,30/29,29,30,30:b:1").play("s29:1")
    assert end.outcome == forgeron.Outcome(1, (1, 4), "all pieces home")
    assert end.score == -3


@pytest.mark.parametrize("pieces", [1, 2, 3, 4])
def test_the_number_of_pieces_is_an_option(pieces: int) -> None:
    own = forgeron.game("yut", pieces=pieces)
    position = own.parse(f"{','.join(['29'] * pieces)}/{','.join(['0'] * pieces)}:r:1").play("s29:1")
    assert position.score == pieces
    assert position.scores == (pieces, 0)


@pytest.mark.parametrize("pieces", [0, 5])
def test_no_other_number_of_pieces_is_allowed(pieces: int) -> None:
    with pytest.raises(OptionError, match=r"option pieces cannot be \d; it is one of 1 … 4"):
        forgeron.game("yut", pieces=pieces)


def test_the_probabilities_do_not_depend_on_the_position() -> None:
    for text in ("0,0,0,0/0,0,0,0:r:t", "0,5,5,30/0,0,0,7:b:4,5,t"):
        probs = np.zeros(6)
        assert int(chance(game.parse(text).state, probs)) == 6
        assert probs.tolist() == [0.1152, 0.3456, 0.3456, 0.1296, 0.0256, 0.0384]

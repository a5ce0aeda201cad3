"""Yut Nori in writing: moves, positions, errors, drawings, and the course's way of speaking."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import forgeron
from forgeron.core.errors import IllegalMoveError, NotationError
from forgeron.core.record import Record
from forgeron.games.yut import course_notation as course
from forgeron.games.yut.piece_lists import stations, whose_turn

GOLDEN = Path(__file__).parent.parent / "golden"
game = forgeron.game("yut")


# --- moves ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["s3:2", "S3:2", "s3:gae", "S03:Gae"])
def test_a_move_may_be_written_in_several_ways(text: str) -> None:
    position = game.parse("0,0,0,3/0,0,0,0:r:2")
    assert position.play(text) == position.play("s3:2")


def test_a_throw_may_be_named() -> None:
    assert game.start().play("tgeol") == game.start().play("t3")
    assert game.start().play("tback-do") == game.start().play("t-1")


def test_a_whole_turn_may_be_played_at_once() -> None:
    step_by_step = game.start()
    for token in ("t4", "t2", "s0:4", "s4:2"):
        step_by_step = step_by_step.play(token)
    assert game.start().play("t4 t2 s0:4 s4:2") == step_by_step


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("hello", "a move is written station:result, for example s12:3 or s0:2"),
        ("t0", "a throw is t1, t2, t3, t4, t5 or t-1"),
        ("t6", "a throw is t1, t2, t3, t4, t5 or t-1"),
        ("tail", "a throw is t1, t2, t3, t4, t5 or t-1"),
        ("s31:1", "stations are 0 … 30, not 31"),
        ("s3:6", "a result is 1, 2, 3, 4, 5 or -1"),
        ("s3:0", "a result is 1, 2, 3, 4, 5 or -1"),
        ("s15:-1", "two ways lead back from 15: add a for 12 or b for 14"),
        ("s22:-1", "two ways lead back from 22: add a for 21 or b for 17"),
        ("s29:-1", "two ways lead back from 29: add a for 28 or b for 24"),
        ("s12:-1a", "a and b are for back-do from 15, 22, 29, where two ways lead back"),
        ("s15:3b", "a and b are for back-do from 15, 22, 29, where two ways lead back"),
    ],
)
def test_a_text_that_is_no_move_is_told_what_would_do(text: str, why: str) -> None:
    with pytest.raises(NotationError) as caught:
        game.parse("0,0,5,15/0,0,0,0:r:3,-1").play(text)
    assert str(caught.value).startswith(f"'{text}' is not a Yut Nori move: {why}")


@pytest.mark.parametrize(
    ("position", "text", "why"),
    [
        ("0,0,5,15/0,0,0,0:r:3,4,4", "s12:3", "no piece of yours stands on station 12; yours that can move: 0, 5, 15"),
        ("5,5,5,15/0,0,0,0:r:3", "s0:3", "no piece of yours waits at the start (0); yours that can move: 5, 15"),
        (
            "0,0,5,15/0,0,0,0:r:1,4,4",
            "s5:3",
            "you have no geol (3) to use; your throws: do (1), 2 × yut (4)",
        ),
        ("0,0,5,30/0,0,0,0:r:1", "s30:1", "pieces that are home (30) stay there"),
        ("0,0,5,15/0,0,0,0:r:-1", "s0:-1", "back-do must be used by a piece on the board: s5:-1, s15:-1a, s15:-1b"),
        ("0,0,0,0/0,0,0,9:b:t", "s9:2", "blue must throw first: t1, t2, t3, t4, t5, t-1"),
        ("0,0,0,0/0,0,0,9:b:2,5", "t3", "there is nothing to throw now; blue has to use gae (2), mo (5)"),
    ],
)
def test_an_illegal_move_is_told_why(position: str, text: str, why: str) -> None:
    with pytest.raises(IllegalMoveError) as caught:
        game.parse(position).play(text)
    assert str(caught.value) == f"illegal move '{text}' in position '{position}': {why}"


# --- positions --------------------------------------------------------------------------------------------------


def test_a_position_may_be_written_in_any_order() -> None:
    assert str(game.parse("12,0,0,12/5,30,0,5:b:4,t,-1,2")) == "0,0,12,12/0,5,5,30:b:2,4,-1,t"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("0,0,0,0/0,0,0,0:r", "it needs red's stations/blue's stations:turn:in hand"),
        ("0,0,0/0,0,0,0:r:t", "each side has 4 stations, with commas between"),
        ("0,0,0,0:r:t", "each side has 4 stations, with commas between"),
        ("0,0,0,x/0,0,0,0:r:t", "stations are numbers 0 … 30"),
        ("0,0,0,31/0,0,0,0:r:t", "stations are 0 … 30, not 31"),
        ("0,0,0,0/0,0,0,0:w:t", "the turn is r or b, not 'w'"),
        ("0,0,0,0/0,0,0,0:r:6", "in hand are results 1 … 5 and -1 with commas between, and one t when a throw is due"),
        ("0,0,0,0/0,0,0,0:r:t,t", "in hand are results 1 … 5 and -1 with commas between, and one t"),
        ("0,0,0,0/0,0,0,0:r:-", "the game goes on, so there is a throw to make or a result to use"),
        ("0,0,0,7/0,0,0,7:r:t", "both sides stand on station 7; landing on enemies sends them back to 0"),
        ("30,30,30,30/30,30,30,30:r:-", "both sides are home; the first one there has won"),
        ("30,30,30,30/0,0,0,0:r:t", "a side is home and has won: it is its turn, with nothing to throw or to use"),
        ("30,30,30,30/0,0,0,0:b:-", "a side is home and has won: it is its turn, with nothing to throw or to use"),
        ("0,0,0,0/0,0,0,0:r:" + ",".join(["4"] * 256), "256 results of 4 are more than the 255 that are kept"),
    ],
)
def test_a_wrong_position_is_told_why(text: str, why: str) -> None:
    with pytest.raises(NotationError) as caught:
        game.parse(text)
    assert f"is not a Yut Nori position: {why}" in str(caught.value)
    assert str(caught.value).endswith("(the first position is 0,0,0,0/0,0,0,0:r:t)")


def test_a_record_replays() -> None:
    rng, position, moves = random.Random(4), game.start(), []
    while position.turn is not None:
        moves.append(rng.choice(position.legal_moves()))
        position = position.play(moves[-1])
    record = Record.of(game, game.start(), tuple(moves))
    again = Record.from_json(record.to_json())
    assert again == record
    assert again.positions(game)[-1] == position


# --- drawings ---------------------------------------------------------------------------------------------------


def test_the_drawing_shows_groups_the_last_move_and_what_is_in_hand() -> None:
    position = game.parse("0,5,12,30/0,15,15,30:r:3,4,4").play("s5:4")
    assert position.draw().splitlines() == [
        " 10      9       8               7       6      [5]",
        " 18      11                              13      4",
        " 19              12:R1           14              3",
        "                         15:B2",
        " 20             [16:R1]          23              2",
        " 21      17                              24      1",
        " 22      25      26              27      28      29",
        " R = red   at the start: 1   home: 1",
        " B = blue  at the start: 1   home: 1",
        " red to move, with geol (3), yut (4) to use",
    ]


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("0,0,0,0/0,0,0,0:b:t", "blue throws"),
        ("0,0,0,0/0,0,0,0:r:4,5,t", "red throws, and has yut (4), mo (5) to use"),
        ("0,0,0,0/0,0,0,0:r:-1", "red to move, with back-do (-1) to use"),
        ("0,0,0,0/30,30,30,30:b:-", "blue is home and wins"),
    ],
)
def test_the_drawing_ends_with_what_is_to_be_done(text: str, status: str) -> None:
    assert game.parse(text).draw().splitlines()[-1] == f" {status}"


def test_the_view_has_every_station_once_and_all_pieces() -> None:
    view = game.parse("0,5,12,30/0,15,15,30:b:2,4,t").view()
    assert sorted(station for station, _, _ in view["places"]) == list(range(1, 30))
    assert len({(x, y) for _, x, y in view["places"]}) == 29
    assert view["groups"] == [[0, 5, 1], [0, 12, 1], [1, 15, 2]]
    assert (view["waiting"], view["home"], view["turn"]) == ([1, 1], [1, 1], 1)
    assert (view["queue"], view["queue_names"], view["throwing"]) == ([2, 4], ["gae", "yut"], True)


def test_a_game_reads_as_it_always_did() -> None:
    """Moves, positions and choices of a stored game: a change of notation or of the order of moves is seen here."""
    lines = (GOLDEN / "yut-game.txt").read_text(encoding="utf-8").splitlines()
    position = game.start()
    for line in lines:
        token, text, choices = line.split()
        position = position.play(token)
        assert str(position) == text
        assert position.legal_moves() == ([] if choices == "-" else choices.split("|"))
    assert position.outcome == forgeron.Outcome(0, (4, 3), "all pieces home")


# --- the course -------------------------------------------------------------------------------------------------


@settings(max_examples=25)
@given(st.integers(0, 2**32))
def test_a_game_in_the_course_s_words_is_the_same_game(seed: int) -> None:
    """Two tuples of stations with an index for each piece follow a random game through `after`."""
    rng = random.Random(seed)
    position = game.start()
    sides: list[course.Stations] = [(0, 0, 0, 0), (0, 0, 0, 0)]
    while position.turn is not None:
        if position.turn == "chance":
            position = position.push(rng.choice(position.moves))
            continue
        seat = whose_turn(position.state)
        mine, theirs, results = course.to_course(position.state)
        assert course.from_course(mine, theirs, results, seat) == position.state
        assert sorted(sides[seat]) == list(mine)
        move = rng.choice(position.moves)
        action = course.action_of(sides[seat], move)
        assert course.move_of(sides[seat], action) == move
        before = stations(position.state, 1 - seat).count(0)
        sides[seat], sides[1 - seat], caught = course.after(sides[seat], sides[1 - seat], action)
        position = position.push(move)
        assert caught == stations(position.state, 1 - seat).count(0) - before
        assert [sorted(side) for side in sides] == [stations(position.state, i) for i in (0, 1)]


def test_any_piece_of_a_group_stands_for_the_group_and_shortcut_counts_only_at_a_fork() -> None:
    mine = (5, 15, 15, 0)
    assert course.move_of(mine, (1, 3, True)) == course.move_of(mine, (2, 3, False))
    assert course.move_of(mine, (0, -1, True)) == course.move_of(mine, (0, -1, False))
    assert course.move_of(mine, (1, -1, True)) != course.move_of(mine, (1, -1, False))
    assert course.after(mine, (0, 0, 0, 0), (2, -1, True))[0] == (5, 14, 14, 0)
    assert course.after(mine, (0, 0, 0, 0), (2, -1, False))[0] == (5, 12, 12, 0)


@pytest.mark.parametrize("index", [-1, 4])
def test_a_piece_that_does_not_exist_is_refused(index: int) -> None:
    with pytest.raises(NotationError, match=rf"there is no piece {index}; pieces are 0 … 3"):
        course.move_of((0, 0, 0, 0), (index, 2, False))


def test_a_result_or_station_that_does_not_exist_is_refused() -> None:
    with pytest.raises(NotationError, match="a result is 1, 2, 3, 4, 5 or -1, not 6"):
        course.move_of((0, 0, 0, 0), (0, 6, False))
    with pytest.raises(NotationError, match="no piece stands on station 12; pieces stand on 0, 0, 0, 0"):
        course.action_of((0, 0, 0, 0), 12 | 3 << 5)

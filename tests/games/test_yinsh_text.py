"""YINSH in writing: turns in two notations, positions, drawings, options, and what a wrong text is told."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

import forgeron
from forgeron.core.errors import GameOverError, IllegalMoveError, NotationError, OptionError
from forgeron.games.yinsh.game import Yinsh
from forgeron.games.yinsh.point_sets import State
from forgeron.games.yinsh.position_text import stage_word
from forgeron.games.yinsh.ranking import Result
from forgeron.games.yinsh.rules import score


def yinsh(preset: str | None = None, **options: object) -> Yinsh:
    game = forgeron.game("yinsh", preset=preset, **options)
    assert isinstance(game, Yinsh)
    return game


RINGS = ["B1", "F6", "C2", "G7", "D3", "H8", "E5", "I9", "F7", "J10"]
#: white has made a row on column C by its own move, and one for black on column E
BOTH_HAVE_ROWS = "4/7/wwwww3/9/bbbbb5/9/10/9/WWW5/BBB4/4:w:after-row:2-2"
#: black's last move made two rows for white
TWO_FOR_WHITE = "4/7/wwwww3/9/wwwww5/9/10/9/WWWWW3/BBBBB2/4:w:before-row:0-0"


def ringed(game: Yinsh) -> forgeron.Position:
    position = game.start()
    for name in RINGS:
        position = position.play(name)
    return position


# --- turns ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("course", "native"), [("P 0 0", "F6"), ("P 1 0", "F7"), ("P 1 1", "G7"), ("P 5 1", "G11")])
def test_points_have_two_names(course: str, native: str) -> None:
    game = yinsh()
    assert game.start().play(course) == game.start().play(native) == game.start().play(native.lower())
    assert game.start().play(course).last_move == native


def test_a_move_may_be_written_in_several_ways() -> None:
    position = ringed(yinsh())
    assert position.turn == 0
    moved = position.play("E5-E9")
    for text in ("e5-e9", "E5:E9", "S 1 4 M 4 23", "s 1 4 m 4 23", " S  1 4  M 4 23 "):
        assert position.play(text) == moved


@pytest.mark.parametrize(
    "text",
    [
        "xC1-C5xI4,I8-I9",
        "xC5-C1xI4,I8-I9",
        "xc1:c5,xi4,i8:i9",
        "RS 5 18 RE 3 14 X 5 12 S 3 4 M 3 3",
        "RS 3 14 RE 5 18 X 5 12 S 3 4 M 3 3",
    ],
)
def test_a_whole_turn_with_its_row_first_is_read_in_both_notations(text: str) -> None:
    game = yinsh()
    position = game.parse("4/7/wwwww3/9/10/9/10/9/WWWWW3/BBBBB2/4:w:before-row:0-0")
    assert position.legal_moves() == ["xC1-C5"]
    after = position.play(text)
    assert after == position.play("xC1-C5").play("xI4").play("I8-I9")
    assert (after.turn, after.scores) == (1, (1, 0))
    plies = game.parse_turn(position.state, text)
    assert game.format_turn(plies) == "xC1-C5xI4,I8-I9"
    assert game.format_turn(plies, "course") == "RS 5 18 RE 3 14 X 5 12 S 3 4 M 3 3"


def test_a_turn_is_written_in_both_notations_and_read_back() -> None:
    game = yinsh("course", K=4)
    rng = random.Random(8)
    seen: set[str] = set()
    for _ in range(12):
        position = game.start()
        while position.turn is not None:
            start, plies = position, []
            while position.turn == start.turn:
                plies.append(rng.choice(position.moves))
                position = position.push(plies[-1])
            for notation in ("native", "course"):
                text = game.format_turn(plies, notation)
                assert start.play(text) == position
            assert " " not in game.format_turn(plies)
            seen.add("".join(word for word in game.format_turn(plies, "course").split() if word.isalpha()))
    assert {"P", "SM", "SMRSREX", "RSREXSM"} <= seen


def test_an_unknown_notation_is_refused() -> None:
    with pytest.raises(NotationError, match="there is no notation 'chess' of YINSH; valid: course, native"):
        yinsh().format_turn([0], "chess")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A1", "there is no point 'A1' on the board of N = 5; column A is A2 … A5"),
        ("Z3", "there is no point 'Z3' on the board of N = 5; columns are A … K"),
        (
            "P 5 0",
            "there is no point '5 0' on the board of N = 5; hexagon 5 has places 0 … 29, less the corners 0, 5, …",
        ),
        ("P 6 1", "there is no point '6 1' on the board of N = 5; hexagons are 0 … 5"),
        ("S 1 2", "S goes with M after it, RS with RE after it"),
        ("RS 1 2 M 1 3", "S goes with M after it, RS with RE after it"),
        ("P 1 2 Q", "'Q' is not one of P, S, M, RS, RE, X with the two numbers of a point"),
        ("P one 2", "'P one 2' is not one of P, S, M, RS, RE, X with the two numbers of a point"),
        ("P 0 0 P 1 1", "'P 0 0 P 1 1' is more than one turn: a turn moves or places one ring"),
        ("F6,F7", "'F6,F7' is more than one turn: a turn moves or places one ring"),
        ("F6-F6", "'F6-F6' names one point twice; a move or a row has two ends"),
        ("S 0 0 M 0 0", "'S 0 0 M 0 0' names one point twice; a move or a row has two ends"),
        ("F6F7", "'F6F7' is not a move of YINSH; write F6 (place), F6-F9 (move)"),
    ],
)
def test_a_text_that_is_no_turn_is_told_why(text: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        yinsh().start().play(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("position", "text", "message"),
    [
        ("start", "F6-F7", "white must place a ring first, for example A2"),
        ("start", "pass", "white must place a ring first, for example A2"),
        ("rings", "A2", "all rings are placed; move one, for example B1-"),
        ("rings", "A2-A3", "there is no white ring on A2; white has rings on B1, C2, D3, E5, F7"),
        ("rings", "F7-F6", "F7 can go to "),
        ("rings", "pass", "white can still move and may not pass; for example B1-"),
        ("rings", "xC1-C5", "white has no row to remove"),
        ("rings", "xF6", "white has no row to remove"),
        (BOTH_HAVE_ROWS, "I4-I7", "white must first remove a row: xC1-C5"),
        (BOTH_HAVE_ROWS, "xE1-E5", "there is no such row to take: xC1-C5"),
        (BOTH_HAVE_ROWS, "xC1-C5xJ5", "there is no white ring on it: xI4, xI5, xI6"),
        (BOTH_HAVE_ROWS, "xC1-C5,I4-I7", "white must now remove a ring: xI4, xI5, xI6"),
        (BOTH_HAVE_ROWS, "xC1-C5xI4,I5-I7", "the game is over before this part of the turn"),
    ],
)
def test_an_illegal_move_is_told_what_would_do(position: str, text: str, message: str) -> None:
    game = yinsh()
    at = game.start() if position == "start" else ringed(game) if position == "rings" else game.parse(position)
    with pytest.raises(IllegalMoveError) as caught:
        at.play(text)
    assert message in str(caught.value)
    assert caught.value.move == text
    assert caught.value.position == str(at)


def test_a_taken_point_cannot_be_placed_on() -> None:
    with pytest.raises(IllegalMoveError, match="F6 is not empty"):
        yinsh().start().play("F6").play("F6")


def test_a_turn_may_not_go_on_into_the_opponent_s() -> None:
    game = yinsh()
    position = game.parse(BOTH_HAVE_ROWS.replace("2-2", "1-1").replace("WWW5/BBB4", "WWWW4/BBBB3"))
    with pytest.raises(IllegalMoveError, match="the turn ends after xI4"):
        position.play("xC1-C5xI4,xE1-E5xJ5")


# --- the order of things --------------------------------------------------------------------------------------------


def test_if_both_complete_their_last_row_the_mover_wins() -> None:
    position = yinsh().parse(BOTH_HAVE_ROWS)
    end = position.play("xC1-C5xI4")
    assert end.outcome is not None
    assert (end.outcome.winner, end.outcome.scores, end.outcome.reason) == (0, (3, 2), "win")
    with pytest.raises(GameOverError):
        end.play("xE1-E5")


def test_a_row_made_for_the_opponent_is_removed_at_the_start_of_the_opponent_s_turn() -> None:
    game = yinsh()
    position = game.parse(BOTH_HAVE_ROWS.replace("2-2", "1-1").replace("WWW5/BBB4", "WWWW4/BBBB3"))
    theirs = position.play("xC1-C5xI4")
    assert (theirs.turn, stage_word(theirs.state)) == (1, "before-row")
    assert theirs.legal_moves() == ["xE1-E5"]
    moving = theirs.play("xE1-E5xJ5")
    assert (moving.turn, stage_word(moving.state), moving.scores) == (1, "move", (2, 2))


def test_after_two_rows_of_the_opponent_s_making_one_moves_or_the_turn_ends() -> None:
    for pending, turn in (("move", 0), ("stop", 1)):
        position = yinsh(pending=pending).parse(TWO_FOR_WHITE)
        one = position.play("xC1-C5xI4")
        assert stage_word(one.state) == ("before-row" if pending == "move" else "before-row1")
        two = one.play("xE1-E5xI5")
        assert (two.turn, stage_word(two.state), two.scores) == (turn, "move", (2, 0))


def test_after_one_such_row_one_always_moves() -> None:
    text = TWO_FOR_WHITE.replace("wwwww5", "wwww6")
    for pending in ("move", "stop"):
        position = yinsh(pending=pending).parse(text).play("xC1-C5xI4")
        assert (position.turn, stage_word(position.state)) == (0, "move")


@pytest.mark.parametrize(("removal", "rows"), [("end", ["xC1-C5", "xC3-C7"]), ("free", ["xC1-C5", "xC2-C6", "xC3-C7"])])
def test_of_seven_in_line_the_ends_or_any_five_may_be_taken(removal: str, rows: list[str]) -> None:
    position = yinsh(removal=removal).parse("4/7/wwwwwww1/9/10/9/10/9/WWWWW3/BBBBB2/4:w:after-row:0-0")
    assert position.legal_moves() == rows


def test_of_two_crossing_rows_only_one_can_be_taken() -> None:
    position = yinsh().parse("4/7/wwwww3/2w6/2w7/1w7/1w8/9/WWWWW3/BBBBB2/4:w:after-row:0-0")
    assert position.legal_moves() == ["xC3-G3", "xC1-C5"]
    after = position.play("xC1-C5").play("xI4")
    assert after.turn == 1
    assert after.scores == (1, 0)


# --- positions ------------------------------------------------------------------------------------------------------


def test_every_stage_of_a_turn_has_a_token_that_reads_back() -> None:
    words = {}
    for pending in ("move", "stop"):
        game = yinsh(N=3, M=6, L=6, K=3, pending=pending)
        rng = random.Random(3)
        found = words.setdefault(pending, set())
        for _ in range(60):
            position = game.start()
            while position.turn is not None:
                position = position.push(rng.choice(position.moves))
                assert game.parse(str(position)) == position
                found.add(stage_word(position.state))
    always = {"place", "move", "pass", "over", "after-row", "after-ring", "before-row"}
    assert words["move"] == always | {"before-ring"}
    assert words["stop"] == always | {"before-ring1", "before-row1", "before-ring2"}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("4/7/8/9/10/9/10/9/8/7/4:w:place", "it needs board:turn:stage:removed rings"),
        ("4/7/8/9/10/9/10/9/8/7/4:x:place:0-0", "the turn is w or b, not 'x'"),
        ("4/7/8/9/10/9/10/9/8/7/4:w:place:0", "removed rings are two numbers such as 1-2, not '0'"),
        ("4/7/8/9/10/9/10/9/8/7:w:place:0-0", "the board has 11 columns, not 10"),
        ("4/7/8/9/10/8/10/9/8/7/4:w:place:0-0", "column F has 9 points, not 8"),
        ("4/7/8/9/10/8q/10/9/8/7/4:w:place:0-0", "a point holds W, w, B or b, not 'q'"),
        ("4/7/8/9/10/9/10/9/8/7/4:b:place:0-0", "white places the first ring and then they alternate"),
        ("4/7/8/9/10/8w/10/9/8/7/4:w:place:0-0", "there are no markers and no removed rings while rings are placed"),
        ("4/7/8/9/10/9/10/9/8/7/4:w:move:0-0", "white has 0 rings on the board and 0 removed; together it is 5"),
        (
            "4/7/8/9/10/9/10/9/WWWWW3/BBBBB2/4:w:sleep:0-0",
            "the stage is one of place, move, before-row, …, not 'sleep'",
        ),
        ("4/7/8/9/10/9/10/9/WWWWW3/BBBBB2/4:w:pass:0-0", "the stage of this board is 'move', not 'pass'"),
        ("4/7/8/9/10/9/10/9/WWWWW3/BBBBB2/4:w:after-row:0-0", "white has no row to remove"),
        ("4/7/8/9/10/9/10/9/WW6/BBBBB2/4:w:move:3-0", "the game is over when one side has removed 3 rings"),
        ("4/7/8/9/10/9/10/9/WW6/BBBBB2/4:b:over:3-0", "the winner is the last to move"),
        (
            "4/7/wwwww3/9/10/9/10/9/WWWWW3/BBBBB2/4:w:move:0-0",
            "there is a row on the board, which must be removed first",
        ),
        ("4/7/8/9/10/9/10/9/WWWWW3/BBBBB2/4:w:before-ring1:0-0", "counted, 1 or 2, only with pending=stop"),
    ],
)
def test_a_wrong_position_is_told_why(text: str, why: str) -> None:
    with pytest.raises(NotationError) as caught:
        yinsh().parse(text)
    assert why in str(caught.value)


def test_the_drawing_shows_rings_markers_coordinates_and_the_last_move() -> None:
    position = yinsh(N=3, M=1, L=1).start().play("D4").play("E5").play("D4-D6")
    assert position.draw().splitlines() == [
        "              2   3",
        "         A   ·───·",
        "        1   ╱ ╲ ╱ ╲ 4   5",
        "   B   ·───·───·───·───·",
        "      ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ 6",
        " C   ·───·───·───·───·───·",
        "      ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱",
        "   D   ·───·──[○]──·──[W]",
        "      ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ 7",
        " E   ·───·───·───B───·───·   W white ring  ○ marker",
        "      ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱      removed 0 of 1",
        "   F   ·───·───·───·───·     B black ring  ● marker",
        "            ╲ ╱ ╲ ╱            removed 0 of 1",
        "         G   ·───·           black to move",
    ]


@pytest.mark.parametrize("size", [3, 4, 5, 6])
def test_every_board_fits_a_small_terminal_with_all_its_points(size: int) -> None:
    game = yinsh(N=size)
    lines = game.start().draw().splitlines()
    assert len(lines) <= 22
    assert max(map(len, lines)) <= 80
    assert "".join(lines).count("·") == len(game.start().legal_moves())
    letters = [line.split()[0] for line in lines if line.split()[0].isalpha()]
    assert "".join(letters) == "ABCDEFGHIJKLM"[: 2 * size + 1]


def test_a_whole_turn_is_marked_where_it_is_known() -> None:
    game = yinsh()
    position = game.start().play("F6").play("B2").play("E5")
    drawn = game.draw(position.state, "B2 E5 F6-F7")
    assert drawn.count("[") == 4


def test_the_view_names_every_point_and_what_stands_on_it() -> None:
    view = yinsh().start().play("F6").view()
    assert (view["size"], view["turn"], view["stage"], view["scores"]) == (5, 1, "place", [0, 0])
    assert len(view["points"]) == 85
    assert [point for point in view["points"] if point["content"] != "."] == [
        {"name": "F6", "course": "0 0", "x": 0, "y": 0, "content": "W"}
    ]


# --- options and results --------------------------------------------------------------------------------------------


def test_presets_and_options_go_together() -> None:
    game = yinsh("course", N=6)
    assert (game.size, game.rings) == (6, 6)
    assert game.chosen["removal"] == "free"
    assert game.chosen["pending"] == "stop"
    assert str(game) == "yinsh[N=6,removal=free,pending=stop]"
    assert yinsh("assignment") == yinsh()
    assert yinsh("official").chosen["markers"] == "51"


def test_as_many_rings_as_the_size_of_the_board_is_the_default_however_it_is_said() -> None:
    assert yinsh(N=6) == yinsh(N=6, M=6) == yinsh(N=6, M="N")
    assert yinsh(N=6, M=5) != yinsh(N=6)
    assert hash(yinsh(M=5)) == hash(yinsh())


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"K": 11}, "K = 11 markers never stand in line for N = 5: the longest line has 10 points"),
        ({"N": 3, "M": 16}, "M = 16 rings each do not fit on the 31 points of N = 3"),
        ({"L": 6}, "nobody can remove L = 6 rings of M = 5; L is at most M"),
        ({"M": 2}, "nobody can remove L = 3 rings of M = 2; L is at most M"),
        ({"N": 8}, "option N cannot be 8; it is one of 3 … 7"),
        ({"M": "many"}, "option M cannot be 'many'; it is one of N (as many as the size of the board), 1 … 60"),
        ({"markers": 40}, "option markers cannot be 40; it is one of none, 51"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, object], why: str) -> None:
    with pytest.raises(OptionError) as caught:
        yinsh(**options)
    assert why in str(caught.value)


def finished(game: Yinsh, removed: tuple[int, int], markers: tuple[int, int]) -> forgeron.Position:
    """A finished game with these rings removed and this many markers on the board."""
    white, black = (np.uint64((1 << n) - 1) for n in markers)
    zero = np.uint64(0)
    stage = np.uint64(5 << 1 | removed[0] << 8 | removed[1] << 16)
    sets = [zero, zero, white, zero, zero, zero, zero, black]
    return forgeron.Position(game, State._make([*sets, stage, game.start_state().options]))


def test_results_are_ranked_as_the_assignment_ranks_them() -> None:
    """Win > stalemate win > draw > stalemate loss > loss; in a class by rings, then by markers."""
    game = yinsh()
    best_first = [[(3, 0)], [(3, 1)], [(3, 2)], [(2, 0)], [(2, 1), (1, 0)], [(2, 2)], [(1, 1)], [(0, 0)]]
    best_first += [[(0, 1), (1, 2)], [(0, 2)], [(2, 3)], [(1, 3)], [(0, 3)]]
    markers = [(30, 0), (12, 11), (11, 11), (11, 12), (0, 30)]
    keys = []
    for group in best_first:
        for pair in markers:
            found = {game.ranking(finished(game, removed, pair), 0) for removed in group}
            assert len(found) == 1
            keys.append(found.pop())
    assert all(better > worse for better, worse in pairwise(keys))
    assert keys[0].result is Result.WIN
    assert keys[-1].result is Result.LOSS


def test_scores_are_in_the_order_of_the_ranking_and_0_for_draws() -> None:
    game = yinsh()
    pairs = [(a, b) for a in range(4) for b in range(4) if (a, b) != (3, 3)]
    ends = [finished(game, pair, markers) for pair in pairs for markers in [(40, 0), (7, 7), (0, 40), (6, 7)]]
    decided = [end for end in ends if end.scores[0] != end.scores[1]]
    by_score = sorted(decided, key=lambda end: int(score(end.state)))
    ranked = [game.ranking(end, 0) for end in by_score]
    assert ranked == sorted(ranked)
    for end in ends:
        mirrored = finished(game, end.scores[::-1], marker_counts(end)[::-1])
        assert int(score(end.state)) == -int(score(mirrored.state))
        assert game.ranking(end, 0) == game.ranking(mirrored, 1)
        if end.scores[0] == end.scores[1]:
            assert end.score == 0


def marker_counts(position: forgeron.Position) -> tuple[int, int]:
    """As `finished` puts them."""
    return int(position.state.markers_lo).bit_count(), int(position.state.their_markers_hi).bit_count()


@pytest.mark.parametrize(
    ("removed", "grade"),
    [
        ((3, 0), 10),
        ((3, 1), 9),
        ((3, 2), 8),
        ((2, 0), 7),
        ((2, 1), 6),
        ((1, 0), 6),
        ((2, 2), 5),
        ((0, 0), 5),
        ((1, 2), 4),
        ((0, 1), 4),
        ((0, 2), 3),
        ((2, 3), 2),
        ((1, 3), 1),
        ((0, 3), 0),
    ],
)
def test_the_course_grades_a_result(removed: tuple[int, int], grade: int) -> None:
    game = yinsh("course")
    end = finished(game, removed, (12, 17))
    assert game.course_score(end, 0) == pytest.approx(grade + 0.012)
    assert game.course_score(end, 1) == pytest.approx(10 - grade + 0.017)


def test_a_position_is_read_without_a_warning_where_the_rules_run_as_plain_python(
    run_python: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    """Lines are read by multiplications that wrap around: no machine code complains about that."""
    code = f"import forgeron; print(forgeron.game('yinsh').parse('{BOTH_HAVE_ROWS}'))"
    assert run_python(code, FORGERON_JIT="0", PYTHONWARNINGS="error").stdout.strip() == BOTH_HAVE_ROWS

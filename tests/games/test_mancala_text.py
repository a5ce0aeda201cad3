"""Coloured Mancala in writing: what is read, what is refused and how that is said, and what a player sees."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import forgeron
from forgeron.core.errors import IllegalMoveError, NotationError, OptionError

course = forgeron.game("mancala", preset="course")
report = forgeron.game("mancala")
FULL = "/".join(["2r2b2t"] * 16)


def test_the_presets_differ_in_the_owners_only() -> None:
    assert report == forgeron.game("mancala", preset="report") == forgeron.game("mancala", owners="halves")
    assert course == forgeron.game("mancala", owners="alternate")
    assert str(course) == "mancala[owners=alternate]"
    assert report.start().legal_moves()[::4] == ["1R", "2R", "3R", "4R", "5R", "6R", "7R", "8R"]
    assert course.start().legal_moves()[::4] == ["1R", "3R", "5R", "7R", "9R", "11R", "13R", "15R"]
    assert course.start().play("1R").legal_moves()[:4] == ["2R", "2B", "2TR", "2TB"]


@pytest.mark.parametrize("plies", [0, 1001, 2.5, "many"])
def test_a_limit_that_is_no_limit_is_refused(plies: object) -> None:
    with pytest.raises(OptionError, match=r"option plies cannot be .*; it is one of 1 … 1000"):
        forgeron.game("mancala", plies=plies)


@pytest.mark.parametrize("written", ["3TB", "3tb", " 3Tb\n", "03TB"])
def test_moves_are_read_in_capitals_or_not(written: str) -> None:
    assert report.start().play(written) == report.start().play("3TB")


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("17R", "'17R': there is no hole 17; holes are 1 … 16"),
        ("0B", "'0B': there is no hole 0; holes are 1 … 16"),
        ("3X", "'3X' names no colour; after the hole comes R, B, TR or TB"),
        ("3RT", "'3RT' names no colour; after the hole comes R, B, TR or TB"),
        (
            "3T",
            "'3T' does not say how the transparent seeds are sown; write 3TR (as red) or 3TB (as blue)",
        ),
        (
            "R3",
            "'R3' is not a move of Coloured Mancala; write a hole and R, B, TR or TB, for example 3R or 14TB",
        ),
    ],
)
def test_a_text_that_is_no_move_is_told_what_would_be_one(written: str, why: str) -> None:
    with pytest.raises(NotationError) as caught:
        report.start().play(written)
    assert str(caught.value) == why


@pytest.mark.parametrize(
    ("game", "played", "move", "why"),
    [
        (report, "", "9R", "hole 9 is the opponent's; the first player's are 1, 2, 3, 4, 5, 6, 7, 8"),
        (course, "1R", "3R", "hole 3 is the opponent's; the second player's are 2, 4, 6, 8, 10, 12, 14, 16"),
        (report, "3B 12B", "3B", "hole 3 has no blue seed; legal here: 3R, 3TR, 3TB"),
        (report, "3R 12B", "3R", "hole 3 has no red seed; legal here: 3B, 3TR, 3TB"),
        (report, "3TR 12B", "3TR", "hole 3 has no transparent seed; legal here: 3B"),
        (
            report,
            "3TR 12B 3B 13B",
            "3TB",
            "hole 3 is empty; legal here: 1R, 1B, 1TR, 1TB, 2R, 2B, 2TR, 2TB, 4R, 4B, 4TR, 4TB, …",
        ),
    ],
)
def test_an_illegal_move_is_told_what_is_wrong(game: forgeron.Game, played: str, move: str, why: str) -> None:
    here = game.start()
    for one in played.split():
        here = here.play(one)
    with pytest.raises(IllegalMoveError) as caught:
        here.play(move)
    assert caught.value.why == why


def test_a_position_is_written_so_that_a_person_can_write_it() -> None:
    assert str(report.start()) == f"{FULL}:1:0:0:0"
    written = "4t2R/-/0r3b/-/-/-/-/12r/5b/-/-/-/-/-/-/-:2:40:30"
    assert str(report.parse(written)) == "2r4t/-/3b/-/-/-/-/12r/5b/-/-/-/-/-/-/-:2:40:30:1"


def test_the_position_on_the_games_page_is_one() -> None:
    page = (Path(__file__).parent.parent.parent / "docs" / "games" / "mancala.md").read_text()
    token = page.split("```")[1].strip()
    assert str(report.parse(token)) == token


@pytest.mark.parametrize(
    ("written", "why"),
    [
        (f"{FULL}:1", "it has 2 parts joined by ':', not 5"),
        (f"{FULL}:3:0:0:0", "the turn is 1 or 2, not '3'"),
        (f"{FULL}:1:0:x:0", "captured seeds and plies are numbers"),
        (f"{FULL}:1:0:0:401", "401 plies were played, but the game ends after 400"),
        (f"{FULL}:1:0:0:7", "after 7 plies the second player is to move"),
        (f"{FULL}/-:1:0:0:0", "it has 17 holes, not 16"),
        (f"{FULL[:-6]}2r2x2t:1:0:0:0", "a hole is written like 2r2b2t, or - when it is empty, not '2r2x2t'"),
        (f"{FULL[:-6]}1r1r2b2t:1:0:0:0", "'1r1r2b2t' names red twice"),
        (f"{FULL[:-6]}0r1r1r2b2t:1:0:0:0", "'0r1r1r2b2t' names red twice"),
        (f"{FULL[:-6]}3r1b2t:1:0:0:0", "there are 33 red seeds; a game has 32"),
        (f"{FULL[:-6]}2r2b1t:1:0:0:0", "95 seeds on the board and 0 + 0 captured must make 96"),
        (f"{FULL}:1:1:0:0", "96 seeds on the board and 1 + 0 captured must make 96"),
        (
            "-/-/-/-/-/-/-/-/20r/-/-/-/-/-/-/-:1:40:36:0",
            "the first player is to move and has no seed: the move before ended the game",
        ),
    ],
)
def test_a_text_that_is_no_position_is_told_what_is_wrong(written: str, why: str) -> None:
    with pytest.raises(NotationError) as caught:
        report.parse(written)
    assert str(caught.value) == (
        f"'{written}' is not a position of Coloured Mancala: {why} "
        "(a position is 16 holes joined by /, then :turn:captured by 1:captured by 2:plies)"
    )


@given(st.text(alphabet="0123456789rbt-/:12", max_size=140))
def test_no_text_makes_the_parser_stumble(written: str) -> None:
    try:
        here = report.parse(written)
    except NotationError:
        return
    assert report.parse(str(here)) == here


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("-/-/-/-/-/-/-/-/-/-/-/-/-/-/-/-:1:40:56:0", "starving"),
        ("9r/-/-/-/-/-/-/-/1b/-/-/-/-/-/-/-:1:37:49:0", "49 seeds"),
        ("-/-/-/-/-/-/-/-/9b/-/-/-/-/-/-/-:1:47:40:0", "fewer than 10 seeds left"),
        (f"{FULL}:1:0:0:400", "ply limit"),
    ],
)
def test_a_finished_game_can_be_written_too(written: str, reason: str) -> None:
    here = report.parse(written)
    assert here.outcome is not None
    assert here.outcome.reason == reason
    assert here.legal_moves() == []


def test_the_drawing_shows_the_circle_the_owners_and_the_last_move() -> None:
    here = course.start().play("1R").play("14TB")
    assert here.draw().splitlines() == [
        "    1●    2○    3●    4○    5●    6○    7●    8○",
        " R   ·     3     3     2     2     2     2     2",
        " B   2     2     3     2     3     2     2     2",
        " T   3     2     2     2     2     2     2     2",
        " =   5     7     8     6     7     6     6     6",
        "",
        " =   6     7     2     6     6     6     6     6",
        " R   2     2     2     2     2     2     2     2",
        " B   2     2     ·     2     2     2     2     2",
        " T   2     3     ·     2     2     2     2     2",
        "   16○   15●  [14○]  13●   12○   11●   10○    9●",
        "",
        " ● first 0   ○ second 0   ply 2 of 400   first to move",
        " last move 14TB",
    ]


def test_the_drawing_of_a_finished_game_says_why_it_is_over() -> None:
    assert report.parse(f"{FULL}:1:0:0:400").draw().endswith("ply 400 of 400   ply limit")


def test_the_view_has_every_hole_with_its_owner() -> None:
    view = course.start().play("1R").view()
    assert view["holes"][0] == {"hole": 1, "owner": 0, "red": 0, "blue": 2, "transparent": 2}
    assert view["holes"][1] == {"hole": 2, "owner": 1, "red": 3, "blue": 2, "transparent": 2}
    assert [hole["owner"] for hole in view["holes"]] == [0, 1] * 8
    assert {name: view[name] for name in ("board", "turn", "scores", "ply", "plies")} == {
        "board": "circle",
        "turn": 1,
        "scores": [0, 0],
        "ply": 1,
        "plies": 400,
    }

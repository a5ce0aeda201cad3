"""Yolah against its author's program, an independent implementation, and its book."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import forgeron
from forgeron.core.contract import OVER, moves, play, turn
from forgeron.core.errors import IllegalMoveError, NotationError
from forgeron.core.jit import kernel
from forgeron.games.yolah.rules import PASS, slides_by_rays, targets
from forgeron.games.yolah.text import cells
from forgeron.kernels.playout import play_many
from naive.yolah import NaiveYolah

GOLDEN = Path(__file__).parent.parent / "golden"
game = forgeron.game("yolah")


def lines_of(name: str) -> list[str]:
    lines = (GOLDEN / name).read_text().splitlines()
    return [line for line in lines if line.strip() and not line.startswith("#")]


def after(moves_text: str) -> forgeron.Position:
    position = game.start()
    for move in moves_text.split():
        position = position.play(move)
    return position


def test_every_game_of_the_authors_engine_replays_with_its_points() -> None:
    games = lines_of("yolah-games.txt")
    assert len(games) == 100
    for line in games:
        text, black, white = line.split(";")
        end = after(text)
        assert end.turn is None
        assert end.scores == (int(black), int(white))


@kernel
def count_with_ends(state, depth, out):
    """Nodes at exactly this depth, games that ended before it, and passes played on the way."""
    if depth == 0:
        return 1, 0, 0
    if turn(state) == OVER:
        return 0, 1, 0
    row = out[depth]
    n = moves(state, row)
    nodes, ended, passes = 0, 0, 0
    for i in range(n):
        passes += 1 if row[i] == PASS else 0
        a, b, c = count_with_ends(play(state, row[i]), depth - 1, out)
        nodes += a
        ended += b
        passes += c
    return nodes, ended, passes


@pytest.mark.parametrize("line", lines_of("yolah-perft.txt"), ids=range(len(lines_of("yolah-perft.txt"))))
def test_late_positions_have_the_authors_counts(line: str) -> None:
    text, counts, black, white = line.split(";")
    position = after(text)
    assert position.scores == (int(black), int(white))
    out = np.empty((6, game.max_moves), dtype=np.int64)
    for depth, expected in enumerate(counts.split(), start=1):
        found = count_with_ends(position.state, np.int64(depth), out)
        assert "/".join(str(int(part)) for part in found) == expected


@pytest.mark.parametrize(("depth", "leaves"), [(1, 56), (2, 2_988), (3, 164_512), (4, 8_655_628), (5, 456_814_328)])
def test_the_first_position_has_the_authors_counts(depth: int, leaves: int) -> None:
    assert game.perft(game.start(), depth) == leaves


@pytest.mark.slow
def test_the_first_position_has_the_same_count_at_depth_6_bulk_or_move_by_move() -> None:
    start = game.start()
    assert game.perft(start, 6) == sum(game.divide(start, 6).values()) == game.count(start, 6).leaves


def test_the_book_s_example_gives_one_point_each() -> None:
    position = game.start().play("d5:b7").play("e5:f5")
    assert position.scores == (1, 1)
    assert str(position) == "w6b/1b6/8/3xxw2/3wb3/8/8/b6w:b:1:1"


def test_a_position_with_76_moves_is_listed_whole() -> None:
    assert len(after("h8:c8 h1:h2 a1:f1 a8:a5 d5:b3 a5:a7 e4:g6 h2:h4").moves) == 76


def test_the_56_first_moves_are_16_classes_under_the_four_symmetries() -> None:
    start = game.start()
    symmetries = game.symmetries()
    assert len(symmetries) == 3
    classes = {min([move, *(symmetry.move(move) for symmetry in symmetries)]) for move in start.moves}
    assert len(classes) == 16


@settings(max_examples=60)
@given(st.integers(0, 2**32))
def test_random_games_go_as_in_the_naive_implementation(seed: int) -> None:
    rng = random.Random(seed)
    position, naive = game.start(), NaiveYolah.start()
    while True:
        assert set(position.legal_moves()) == naive.moves()
        assert position.scores == naive.points
        if position.turn is None:
            break
        move = rng.choice(position.legal_moves())
        position, naive = position.play(move), naive.play(move)
        content = {name: {"b": "b", "w": "w", "x": "hole"}[c] for name, c in _named_cells(position) if c != "."}
        assert content == dict(naive.board)


def _named_cells(position: forgeron.Position) -> list[tuple[str, str]]:
    return [(f"{'abcdefgh'[s % 8]}{s // 8 + 1}", content) for s, content in enumerate(cells(position.state))]


@given(st.integers(0, 63), st.integers(0, 2**64 - 1))
def test_rays_find_the_squares_that_a_step_by_step_walk_finds(square: int, occupied: int) -> None:
    expected = 0
    for dx, dy in [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]:
        x, y = square % 8 + dx, square // 8 + dy
        while 0 <= x < 8 and 0 <= y < 8 and not occupied >> (x + 8 * y) & 1:
            expected |= 1 << (x + 8 * y)
            x, y = x + dx, y + dy
    word = np.uint64(occupied)
    with np.errstate(over="ignore"):
        assert int(slides_by_rays(np.uint64(square), word) & ~word) == expected
        assert int(targets(np.uint64(square), word)) == expected


def test_random_games_have_the_authors_statistics() -> None:
    """The author's engine over a million games: black 49.91 %, white 39.55 %, draws 10.54 %, 55.1 plies."""
    tally = play_many(game.start(), seed=2025, games=1_000_000, threads=2)
    assert tally.wins / tally.games == pytest.approx(0.499124, abs=0.0025)
    assert tally.losses / tally.games == pytest.approx(0.395468, abs=0.0025)
    assert tally.draws / tally.games == pytest.approx(0.105408, abs=0.0016)
    assert tally.plies / tally.games == pytest.approx(55.1, abs=0.06)


@pytest.mark.parametrize("text", ["d5:b7", "d5b7", "d5-b7", "D5:B7"])
def test_a_move_may_be_written_in_several_ways(text: str) -> None:
    assert game.start().play(text) == game.start().play("d5:b7")


def test_a_pass_may_be_written_as_a_word() -> None:
    blocked = next(
        after(" ".join(prefix))
        for line in lines_of("yolah-games.txt")
        for prefix in [line.split(";")[0].split("a1:a1")[0].split()]
        if "a1:a1" in line
    )
    assert blocked.legal_moves() == ["a1:a1"]
    assert blocked.play("pass") == blocked.play("a1:a1")
    assert blocked.play("pass").scores == blocked.scores


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("d5:b9", NotationError, "'d5:b9' is not a Yolah move; write from:to with squares a1 … h8, for example d5:b7"),
        ("b7:b7", NotationError, "'b7:b7' moves nowhere: write from:to with two squares, or a1:a1 for a pass"),
        ("a1:a1", IllegalMoveError, "black can still move and may not pass; for example a1:b1"),
        ("d4:d3", IllegalMoveError, "no black piece stands on d4; pieces that can move: a1, d5, e4, h8"),
        ("d5:d4", IllegalMoveError, "d5 can go to a2, b3, c4, a5, b5, c5, c6, d6, e6, b7, d7, f7, d8, g8"),
        ("h8:c4", IllegalMoveError, "h8 can go to h2, h3, h4, h5, f6, h6, g7, h7, b8, c8, d8, e8, f8, g8"),
    ],
)
def test_a_wrong_move_is_told_what_would_do(text: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        game.start().play(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("w6b/8/8/3bw3/3wb3/8/8/b6w:b:0", "it needs board:turn:black's points:white's points"),
        ("w6b/8/8/3bw3/3wb3/8/8/b6w:x:0:0", "the turn is b or w, not 'x'"),
        ("w6b/8/8/3bw3/3wb3/8/8/b6w:b:-1:0", "points are numbers"),
        ("w6b/8/8/3bw3/3wb3/8/b6w:b:0:0", "the board is eight ranks of eight squares"),
        ("w6b/8/8/3bw4/3wb3/8/8/b6w:b:0:0", "the board is eight ranks of eight squares"),
        ("w6q/8/8/3bw3/3wb3/8/8/b6w:b:0:0", "a square holds b, w or x, not 'q'"),
        ("w7/8/8/3bw3/3wb3/8/8/b6w:b:0:0", "each side has four pieces"),
        ("w6b/8/8/3bw3/3wb3/8/8/b6w:b:1:0", "there are 0 holes but 1 + 0 points; every point left a hole"),
    ],
)
def test_a_wrong_position_is_told_why(text: str, why: str) -> None:
    with pytest.raises(NotationError) as caught:
        game.parse(text)
    assert why in str(caught.value)


def test_the_drawing_shows_pieces_holes_and_the_last_move() -> None:
    drawing = game.start().play("d5:b7").draw()
    assert drawing.splitlines() == [
        "    a  b  c  d  e  f  g  h",
        " 8  ○  ·  ·  ·  ·  ·  ·  ●  8",
        " 7  · [●] ·  ·  ·  ·  ·  ·  7",
        " 6  ·  ·  ·  ·  ·  ·  ·  ·  6",
        " 5  ·  ·  · [░] ○  ·  ·  ·  5",
        " 4  ·  ·  ·  ○  ●  ·  ·  ·  4",
        " 3  ·  ·  ·  ·  ·  ·  ·  ·  3",
        " 2  ·  ·  ·  ·  ·  ·  ·  ·  2",
        " 1  ●  ·  ·  ·  ·  ·  ·  ○  1",
        "    a  b  c  d  e  f  g  h",
        " ● black 1   ○ white 0   white to move",
    ]

"""YINSH on the board of N = 7, whose sets of points have three words, against the rules written once more."""

from __future__ import annotations

import json
import pickle
import random

import numpy as np
import pytest

import forgeron
from forgeron.core.contract import evaluate, features, planes
from forgeron.games.yinsh.game import Yinsh
from forgeron.games.yinsh.large import board, point_sets, text
from naive.yinsh import NaiveYinsh, course_points


def yinsh(**options: object) -> Yinsh:
    game = forgeron.game("yinsh", N=7, **options)
    assert isinstance(game, Yinsh)
    return game


def random_position(game: Yinsh, plies: int, seed: int) -> forgeron.Position:
    rng = random.Random(seed)
    position = game.start()
    for _ in range(plies):
        position = position.push(rng.choice(position.moves))
    return position


def turns_of(position: forgeron.Position) -> dict[tuple[int, ...], forgeron.Position]:
    """Every whole turn as its plies, and the position after it."""
    found: dict[tuple[int, ...], forgeron.Position] = {}
    for move in position.moves:
        then = position.push(move)
        if then.turn == position.turn:
            found |= {(move, *more): end for more, end in turns_of(then).items()}
        else:
            found[move,] = then
    return found


def test_the_board_has_163_points_with_the_names_of_the_course() -> None:
    assert len(board.standard_names(7)) == 163
    assert {board.POINTS[i]: name for i, name in board.course_names(7).items()} == course_points(7)
    assert board.standard_names(7)[board.NUMBERS[0, 0]] == "H8"
    assert board.longest_line(7) == 14


@pytest.mark.parametrize("index", range(0, 3 * 163, 7))
def test_a_line_is_read_across_three_words(index: int) -> None:
    bits = random.Random(index).getrandbits(163)
    expected = sum(2 << i for i, point in enumerate(board.line(index // 3, index % 3)) if bits >> point & 1)
    points = tuple(np.uint64(bits >> 64 * i & (2**64 - 1)) for i in range(3))
    assert int(point_sets.read_line(np.uint64(index), points)) == expected


GAMES: list[dict[str, object]] = [
    {"K": 4},
    {"preset": "course", "K": 3},
    {"K": 14, "M": 2, "L": 2, "removal": "free", "markers": "51"},
]


@pytest.mark.parametrize("options", GAMES, ids=["K4", "course-K3", "K14-51"])
def test_random_games_go_as_in_the_naive_implementation(options: dict[str, object]) -> None:
    """Whole games; every third position is compared turn by turn."""
    game = yinsh(**options)
    flags = {name: str(game.chosen[name]) for name in ("removal", "markers", "pending")}
    naive = NaiveYinsh(7, game.rings, int(game.chosen["K"]), int(game.chosen["L"]), **flags)
    position, rng, number = game.start(), random.Random(5), 0
    while position.turn is not None:
        assert position.turn == naive.mover
        assert position.scores == naive.removed
        held = {board.POINTS[i]: letter for i, letter in text.content(position.state).items() if letter != "."}
        assert held == dict(naive.board)
        assert game.parse(str(position)) == position
        turns = naive.turns()
        if number % 3 == 0:
            assert {game.format_turn(plies, "course") for plies in turns_of(position)} == turns.keys()
        chosen = rng.choice(sorted(turns))
        position, naive = position.play(chosen), turns[chosen]
        number += 1
    assert naive.over


def test_the_rules_count_the_leaves_that_the_naive_rules_count() -> None:
    game = yinsh()
    assert [game.perft(game.start(), depth) for depth in (1, 2)] == [163, 163 * 162]
    game = yinsh(K=3)
    position, naive = game.start(), NaiveYinsh(7, 7, 3)
    for number in range(20):
        turns = naive.turns()
        chosen = sorted(turns)[number * 37 % len(turns)]
        position, naive = position.play(chosen), turns[chosen]
    assert len(turns_of(position)) == len(naive.turns())
    assert sum(len(turns_of(end)) for end in list(turns_of(position).values())[::9]) == sum(
        len(naive.turns()[game.format_turn(plies, "course")].turns()) for plies in list(turns_of(position))[::9]
    )


def test_all_that_smaller_boards_offer_is_there() -> None:
    game = yinsh()
    position = random_position(game, 40, 3)
    state = position.state
    assert pickle.loads(pickle.dumps(game)) == game
    assert {game.max_moves, game.state_class} == {6 * 163, point_sets.LargeState}
    assert len(planes(state, 0)) == 13
    out = np.zeros(game.max_features, dtype=np.int64)
    with np.errstate(over="ignore"):
        found = out[: features(state, 0, out)]
        assert 0 <= found.min() <= found.max() < game.feature_count
        for symmetry in game.symmetries():
            image = symmetry.state(state)
            assert evaluate(image, game.weights()) == pytest.approx(evaluate(state, game.weights()))
    actions = position.actions
    assert len(set(actions)) == len(actions)
    assert max(actions) < game.action_count


def test_the_drawing_fits_a_screen_of_80_by_24_and_the_view_has_every_point() -> None:
    game = yinsh()
    position = random_position(game, 30, 1)
    lines = game.draw(position.state, position.last_move).splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 20
    view = game.view(position.state)
    assert len(view["points"]) == 163
    assert view["size"] == 7
    json.dumps(view)


def test_classes_stay_in_order_whatever_the_markers() -> None:
    """3-1 with all markers one's own is still worse than 3-0 with all of them the other side's."""
    from forgeron.games.yinsh.large.rules import score

    game = yinsh()
    zero, full = np.uint64(0), np.uint64(2**50 - 1)

    def finished(removed: tuple[int, int], mine: int, theirs: int) -> int:
        stage = np.uint64(5 << 1 | removed[0] << 8 | removed[1] << 16)
        sets = [zero, zero, zero, *[full] * mine, *[zero] * (3 - mine), zero, zero, zero]
        state = point_sets.LargeState._make(
            [*sets, *[full] * theirs, *[zero] * (3 - theirs), stage, game.start_state().options]
        )
        return int(score(state))

    assert finished((3, 0), 0, 3) > finished((3, 1), 3, 0) > finished((3, 2), 0, 3) > finished((2, 0), 3, 0) > 0

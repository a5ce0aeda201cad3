"""Openings of every game, and of two small games whose openings can be listed by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import forgeron
from forgeron.arena.openings import Opening, balance_by_playouts, canonical, draw_openings
from forgeron.core.contract import CHANCE, OVER, rules_for
from forgeron.core.errors import ForgeronError, OptionError
from forgeron.core.game import Game, Symmetry
from forgeron.core.position import Position
from forgeron.core.rng import mix


class Heaps(NamedTuple):
    """Nim with two heaps: take one or two from one of them; who takes the last wins."""

    left: np.int64
    right: np.int64
    mover: np.int64


rule = rules_for(Heaps)


@rule
def turn(state):
    return OVER if state.left + state.right == 0 else state.mover


@rule
def moves(state, out):
    n = 0
    for take in range(1, 3):
        if state.left >= take:
            out[n] = take
            n += 1
        if state.right >= take:
            out[n] = 10 + take
            n += 1
    return n


@rule
def play(state, move):
    if move > 10:
        return Heaps(state.left, state.right - (move - 10), 1 - state.mover)
    return Heaps(state.left - move, state.right, 1 - state.mover)


@rule
def score(state):
    return np.int64(1) if state.mover == 1 else np.int64(-1)


@rule
def key(state):
    return mix(np.uint64(state.left * 1000 + state.right * 10 + state.mover))


class TwoHeaps(Game):
    name = "two-heaps"
    title = "Two heaps"
    state_class = Heaps
    max_moves = 8
    heap = 4

    def start_state(self) -> Heaps:
        return Heaps(np.int64(self.heap), np.int64(self.heap), np.int64(0))

    def symmetries(self) -> list[Symmetry]:
        def swap(state: Any) -> Any:
            return state._replace(left=state.right, right=state.left)

        return [Symmetry("swap", swap, lambda move: move - 10 if move > 10 else move + 10)]


class Race(NamedTuple):
    """Throw a coin, then take one or as many as it shows (1 or 3); who takes the last wins."""

    left: np.int64
    shown: np.int64
    mover: np.int64


rule = rules_for(Race)


@rule
def turn(state):  # noqa: F811
    if state.left == 0:
        return OVER
    return CHANCE if state.shown == 0 else state.mover


@rule
def moves(state, out):  # noqa: F811
    if state.left == 0:
        return 0
    out[0] = 0
    if state.shown == 0 or (state.shown == 3 and state.left >= 3):
        out[1] = 1
        return 2
    return 1


@rule
def play(state, move):  # noqa: F811
    if state.shown == 0:
        return Race(state.left, np.int64(1) + 2 * move, state.mover)
    return Race(state.left - (np.int64(1) + 2 * move), np.int64(0), 1 - state.mover)


@rule
def score(state):  # noqa: F811
    return np.int64(1) if state.mover == 1 else np.int64(-1)


@rule
def key(state):  # noqa: F811
    return mix(np.uint64(state.left * 100 + state.shown * 10 + state.mover))


@rule
def chance(state, probs):
    probs[0] = probs[1] = 0.5
    return 2


class CoinRace(Game):
    name = "coin-race"
    title = "Coin race"
    state_class = Race
    max_moves = 4

    def start_state(self) -> Race:
        return Race(np.int64(12), np.int64(0), np.int64(0))


def test_openings_are_legal_different_and_leave_a_game_to_play(game: Game) -> None:
    openings = draw_openings(game, 12, plies=4, seed=1)
    ends = [opening.play(game) for opening in openings]
    assert len({canonical(end) for end in ends}) == len(openings) == 12
    assert all(end.turn is not None for end in ends)
    for opening in openings:
        position, plies = game.start(), 0
        for move in opening.moves:
            plies += position.turn != "chance"
            position = position.play(move)
        assert plies == 4


def test_the_same_seed_gives_the_same_openings_and_another_one_others(game: Game) -> None:
    one, again, other = (draw_openings(game, 6, plies=4, seed=seed) for seed in (1, 1, 2))
    assert one == again
    assert one != other


def test_images_of_a_position_have_one_canonical_form(game: Game) -> None:
    for opening in draw_openings(game, 5, plies=4, seed=3):
        position = opening.play(game)
        for symmetry in game.symmetries():
            assert canonical(Position(game, symmetry.state(position.state))) == canonical(position)


def test_yolah_has_sixteen_first_moves_up_to_symmetry() -> None:
    # By Burnside: the identity keeps all 56 first moves, each diagonal keeps the 4 along it, the half turn none.
    game = forgeron.game("yolah")
    moves = {opening.moves for opening in draw_openings(game, 16, plies=1, seed=5)}
    assert len(moves) == 16 == (56 + 4 + 4 + 0) // 4
    with pytest.raises(ForgeronError) as caught:
        draw_openings(game, 17, plies=1, seed=5)
    assert str(caught.value) == "yolah has 16 different openings of 1 ply, not 17; ask for fewer, or for more plies"


@pytest.mark.parametrize("plies", [1, 2, 3])
def test_all_openings_of_a_small_game_are_found_when_all_are_asked_for(plies: int) -> None:
    reached = {(4, 4)}
    for _ in range(plies):
        taken = {(a - take, b) for a, b in reached for take in (1, 2) if a >= take}
        reached = taken | {(a, b - take) for a, b in reached for take in (1, 2) if b >= take}
    different = {tuple(sorted(pair)) for pair in reached}
    found = draw_openings(TwoHeaps(), len(different), plies=plies, seed=0)
    ends = [opening.play(TwoHeaps()).state for opening in found]
    assert {tuple(sorted((int(end.left), int(end.right)))) for end in ends} == different
    with pytest.raises(ForgeronError, match=f"two-heaps has {len(different)} different openings of {plies} "):
        draw_openings(TwoHeaps(), len(different) + 1, plies=plies, seed=0)


def test_openings_never_end_the_game() -> None:
    # after seven of eight single takes, or fewer larger ones, only some lines are still open
    for opening in draw_openings(TwoHeaps(), 1, plies=7, seed=0):
        assert opening.play(TwoHeaps()).turn is not None
    with pytest.raises(ForgeronError, match="two-heaps has 0 different openings of 8 plies, not 1"):
        draw_openings(TwoHeaps(), 1, plies=8, seed=0)


def test_more_plies_than_a_game_has_are_refused() -> None:
    refused = "yolah: found only 0 different openings of 300 plies, not 2; ask for fewer, or for fewer plies"
    with pytest.raises(ForgeronError, match=refused):
        draw_openings(forgeron.game("yolah"), 2, plies=300, seed=0, max_plies=310)


def test_longer_lines_are_tried_where_that_is_allowed() -> None:
    openings = draw_openings(TwoHeaps(), 7, plies=1, seed=0, max_plies=3)
    assert {len(opening.moves) for opening in openings} == {3}
    with pytest.raises(ForgeronError, match="two-heaps has 6 different openings of 2 plies, not 7"):
        draw_openings(TwoHeaps(), 7, plies=1, seed=0, max_plies=2)
    with pytest.raises(OptionError, match="max_plies is 3 or more, not 2"):
        draw_openings(TwoHeaps(), 7, plies=3, seed=0, max_plies=2)


def test_a_game_without_chance_has_one_opening_of_no_plies() -> None:
    assert [opening.moves for opening in draw_openings(TwoHeaps(), 1, plies=0, seed=0)] == [()]
    with pytest.raises(ForgeronError, match="two-heaps has 1 different opening of 0 plies, not 2"):
        draw_openings(TwoHeaps(), 2, plies=0, seed=0)


def test_in_a_game_with_chance_openings_of_no_plies_differ_by_their_throws() -> None:
    openings = draw_openings(CoinRace(), 50, plies=0, seed=4)
    assert {opening.moves for opening in openings} == {()}
    assert len({opening.seed for opening in openings}) == 50
    assert all(0 <= opening.seed < 2**63 for opening in openings)


def test_in_a_game_with_chance_the_throws_are_part_of_the_opening() -> None:
    # after two plies 10, 8 or 6 are left, and the third player is to throw
    openings = draw_openings(CoinRace(), 3, plies=2, seed=4)
    assert sorted(int(opening.play(CoinRace()).state.left) for opening in openings) == [6, 8, 10]
    assert all(len(opening.moves) == 4 for opening in openings)
    with pytest.raises(ForgeronError, match="coin-race has 3 different openings of 2 plies, not 4"):
        draw_openings(CoinRace(), 4, plies=2, seed=4)


def test_unbalanced_openings_are_left_out() -> None:
    def even_when_alike(position: Position) -> float:
        return 0.5 if position.state.left == position.state.right else 0.9

    openings = draw_openings(TwoHeaps(), 2, plies=2, seed=0, balance=even_when_alike)
    assert {tuple(map(int, opening.play(TwoHeaps()).state[:2])) for opening in openings} == {(3, 3), (2, 2)}
    why = r"two-heaps has 2 balanced openings of 2 plies \(4 more are not balanced\), not 3"
    with pytest.raises(ForgeronError, match=why):
        draw_openings(TwoHeaps(), 3, plies=2, seed=0, balance=even_when_alike)


def test_random_games_judge_an_opening() -> None:
    game = forgeron.game("yolah")
    judge = balance_by_playouts(games=400, seed=2)
    for opening in draw_openings(game, 5, plies=6, seed=2, balance=judge, tolerance=0.05):
        assert 0.45 <= judge(opening.play(game)) <= 0.55
    last = Position(TwoHeaps(), Heaps(np.int64(1), np.int64(0), np.int64(0)))
    assert judge(last) == 1  # the mover takes the last one


def test_an_opening_is_played_from_the_first_position() -> None:
    game = forgeron.game("yolah")
    assert Opening(("d5:b7",), 0).play(game) == game.start().play("d5:b7")


def test_numbers_below_nought_are_refused() -> None:
    wrong: list[Callable[[], object]] = [
        lambda: draw_openings(TwoHeaps(), -1, plies=1, seed=0),
        lambda: draw_openings(TwoHeaps(), 1, plies=-1, seed=0),
    ]
    for call in wrong:
        with pytest.raises(OptionError, match="both are numbers from 0"):
            call()

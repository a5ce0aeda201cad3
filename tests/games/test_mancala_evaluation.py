"""Coloured Mancala's evaluations: the report's numbers by hand, and the laws of the default one."""

from __future__ import annotations

import random

import numpy as np
import pytest

import forgeron
from forgeron.core.contract import evaluate
from forgeron.games.mancala import evaluation, report_evaluation, text
from forgeron.games.mancala.rules import alternates, pack_info, ply_of
from forgeron.kernels.alphabeta import static_value

game = forgeron.game("mancala", preset="report")
course = forgeron.game("mancala", preset="course")
COLOURS = ("red", "blue", "transparent")


def position(
    game: forgeron.Game, holes: dict[int, str], turn: int, taken: tuple[int, int], ply: int
) -> forgeron.Position:
    """A position with these holes; the others are empty."""
    board = "/".join(holes.get(hole, "-") for hole in range(1, 17))
    return game.parse(f"{board}:{turn}:{taken[0]}:{taken[1]}:{ply}")


def points(here: forgeron.Position, root: int) -> int:
    """The report's points for a player, as the search counts them."""
    value = int(static_value(here.state, np.int64(root), report_evaluation.report_weights(root)))
    # The search sees the evaluation only through its integers; they must be the points, not nearly.
    assert report_evaluation.report_points(here.state, report_evaluation.report_weights(root)) == value
    return value


def test_the_first_position_has_nothing_but_mobility() -> None:
    assert points(game.start(), 0) == points(game.start(), 1) == 8 * 20 - 8 * 30


def test_captures_and_plies_count_for_the_player_who_searches() -> None:
    # Four or five seeds in every hole: nothing is small, big or empty.
    holes = dict.fromkeys(range(1, 9), "4r") | dict.fromkeys(range(9, 17), "4b1t")
    here = position(game, holes, 2, (16, 8), ply=31)
    assert points(here, 0) == 200 * 8 - 31 + 20 * 8 - 30 * 8
    assert points(here, 1) == -200 * 8 - 31 + 20 * 8 - 30 * 8


def test_small_big_and_empty_holes_count_differently_on_each_side() -> None:
    # First player: 1 and 2 seeds (small), 3 (not), 8 (not big), 9 (big), three empty.
    # Second player: 1 and 2 (small), 3, 10 (big, only its owner is paid for it), four empty.
    first = {1: "1r", 2: "1r1b", 3: "3t", 4: "8r", 5: "9b"}
    second = {9: "1t", 10: "2b", 11: "1r1b1t", 12: "5r5t"}
    here = position(game, first | second, 1, (30, 27), ply=80)
    assert points(here, 0) == 200 * 3 - 80 - 40 * 2 + 10 + 30 * 2 - 5 * 4 + 20 * 5 - 30 * 4
    assert points(here, 1) == -200 * 3 - 80 - 40 * 2 + 10 + 30 * 2 - 5 * 3 + 20 * 4 - 30 * 5


@pytest.mark.parametrize(("filled", "own", "other"), [(1, -500, 600), (2, -100, 0), (3, 0, 0)])
def test_few_filled_holes_are_a_danger(filled: int, own: int, other: int) -> None:
    holes = dict.fromkeys(range(1, 9), "4r") | dict.fromkeys(range(9, 9 + filled), "5b")
    left = 96 - 32 - 5 * filled
    here = position(game, holes, 1, (left // 2, left - left // 2), ply=60)
    lead = left // 2 - (left - left // 2)
    assert points(here, 0) == 200 * lead - 60 - 5 * (8 - filled) + 20 * 8 - 30 * filled + other
    assert points(here, 1) == -200 * lead - 60 - 5 * 0 + 20 * filled - 30 * 8 + own


def test_who_emptied_its_own_side_is_as_good_as_lost() -> None:
    # 1r alone goes to hole 9 and leaves the mover nothing; it is not starved, the other must still move.
    holes = {8: "1r"} | dict.fromkeys(range(9, 17), "4b1t")
    here = position(game, holes, 1, (28, 27), ply=90).play("8R")
    assert here.outcome is None
    assert points(here, 0) == 200 - 91 - 5 * 0 - 50_000 - 30 * 8
    assert points(here, 1) == -200 - 91 - 5 * 8 + 20 * 8 + 50_000


@pytest.mark.parametrize(("taken", "sign"), [((49, 37), 1), ((37, 49), -1), ((44, 43), 1)])
def test_a_finished_game_is_worth_a_hundred_thousand_less_the_plies(taken: tuple[int, int], sign: int) -> None:
    here = position(game, {1: f"{(96 - sum(taken)) // 2}r", 9: f"{(97 - sum(taken)) // 2}r"}, 1, taken, ply=120)
    assert here.outcome is not None
    assert points(here, 0) == sign * (100_000 - 120)
    assert points(here, 1) == -sign * (100_000 - 120)


def test_a_finished_draw_is_worth_nothing() -> None:
    here = position(game, {1: "8r"}, 1, (44, 44), ply=120)
    assert here.outcome is not None
    assert here.outcome.winner is None
    assert points(here, 0) == points(here, 1) == 0


def test_with_alternate_owners_the_holes_of_a_side_are_the_odd_or_the_even_ones() -> None:
    holes = {1: "1r", 3: "9b", 2: "2t", 4: "4r", 6: "4r"}
    here = position(course, holes, 2, (36, 40), ply=101)
    assert points(here, 0) == -200 * 4 - 101 - 40 + 10 + 20 * 2 - 100 + 30 - 5 * 5 - 30 * 3
    assert points(here, 1) == 200 * 4 - 101 - 40 + 20 * 3 + 30 - 5 * 6 - 30 * 2


def test_a_player_judges_by_the_report_of_its_own_seat() -> None:
    player = forgeron.player("minimax", game, eval="report", hash=1)
    start = game.start()
    assert player.weights(start)[-1] == 0.0
    assert player.weights(start.play("1R"))[-1] == 1.0
    assert evaluate(start.state, player.weights(start)) == -0.08
    assert evaluate(start.state, player.weights(start.play("1R"))) == 0.08


def swapped(here: forgeron.Position) -> forgeron.Position:
    """The same position with the players changed about: everybody's holes and captures are the other's."""
    info, turned = int(here.state.info), text.points(here.state)[::-1]
    options = {"limit": 400, "alternate": bool(alternates(here.state.info)), "forty": False}
    other = pack_info(1 - (info >> 24 & 1), turned, int(ply_of(here.state.info)), **options)
    return forgeron.Position(here.game, here.state._replace(info=other))


def random_positions(preset: str) -> list[forgeron.Position]:
    rng, found = random.Random(5), []
    for _ in range(6):
        here = forgeron.game("mancala", preset=preset).start()
        while here.turn is not None:
            found.append(here)
            here = here.play(rng.choice(here.legal_moves()))
    return found


def slow_features(here: forgeron.Position) -> list[float]:
    """The features counted hole by hole, from what the board shows."""
    view = here.view()
    holes, taken = view["holes"], view["scores"]
    left = sum(hole[colour] for hole in holes for colour in COLOURS)

    def side(seat: int) -> list[float]:
        own = [hole for hole in holes if hole["owner"] == seat]
        totals = [sum(hole[colour] for colour in COLOURS) for hole in own]
        red, blue, clear = (sum(hole[colour] for hole in own) for colour in COLOURS)
        with_colour = [sum(hole[colour] > 0 for hole in own) for colour in COLOURS]
        halves = here.game.chosen["owners"] == "halves"
        return [
            *(taken[seat] * by for by in (1, (96 - left) / 96, 1 / (left + 0.5))),
            *(red, blue, clear, blue * (96 - left) / 96, blue / (left + 0.5)),
            sum(total in (1, 2) for total in totals),
            totals.count(0),
            *with_colour,
            with_colour[0] + with_colour[1] + 2 * with_colour[2] <= 6,
            sum(totals) <= 2,
            here.turn == seat,
            halves * sum(totals[5:]),
            halves * totals[5:].count(0),
            halves * sum(hole["blue"] for hole in own[6:]),
        ]

    return [mine - theirs for mine, theirs in zip(side(0), side(1), strict=True)]


@pytest.mark.parametrize("preset", ["report", "course"])
def test_a_weight_of_one_shows_its_feature_as_counted_hole_by_hole(preset: str) -> None:
    units = np.eye(len(evaluation.NAMES))
    seen = set()
    for here in random_positions(preset)[::3]:
        for number, feature in enumerate(slow_features(here)):
            assert evaluate(here.state, units[number]) == pytest.approx(feature)
            if feature:
                seen.add(evaluation.NAMES[number])
    lacking = set(evaluation.NAMES) - seen
    assert lacking <= {"nearly starved"} | (
        {name for name in evaluation.NAMES if name.startswith("last")} if preset == "course" else set()
    )


@pytest.mark.parametrize("preset", ["report", "course"])
def test_the_default_evaluation_is_the_same_for_both_players(preset: str) -> None:
    weights = forgeron.game("mancala", preset=preset).weights()
    for here in random_positions(preset):
        assert evaluate(swapped(here).state, weights) == pytest.approx(-evaluate(here.state, weights))


def test_turning_the_circle_of_alternate_owners_changes_nothing() -> None:
    weights = course.weights()
    for here in random_positions("course")[::5]:
        value = evaluate(here.state, weights)
        assert all(evaluate(one.state(here.state), weights) == pytest.approx(value) for one in course.symmetries())


def test_each_way_of_owning_holes_has_its_own_weights() -> None:
    assert not np.array_equal(game.weights(), course.weights())
    assert forgeron.game("mancala", preset="course").weights()[-3:].tolist() == [0.0, 0.0, 0.0]


def test_a_blockade_counts_for_less_when_the_plies_run_out_and_a_lead_for_more() -> None:
    """With hardly anything captured only: a game that is under way is judged as before, to the last ply."""
    game = forgeron.game("mancala", preset="course")
    board = "/".join(["2r2b2t"] * 15)

    def judged(last: str, taken: str, ply: int) -> float:
        position = game.parse(f"{board}/{last}:1:{taken}:{ply}")
        return float(evaluate(position.state, game.weights()))

    early, late = judged("2b2t", "1:1", 0), judged("2b2t", "1:1", 380)
    assert 0 < late / early < 0.5
    assert judged("2b2t", "1:1", 100) == early
    lead_early = judged("2b", "4:0", 0) - judged("2b", "0:4", 0)
    lead_late = judged("2b", "4:0", 380) - judged("2b", "0:4", 380)
    assert lead_late > 1.5 * lead_early > 0
    few = "/".join(["2r2b"] * 15)
    open_game = [float(evaluate(game.parse(f"{few}/2b2t:1:20:12:{ply}").state, game.weights())) for ply in (0, 380)]
    assert open_game[0] == open_game[1]

"""Coloured Mancala against the games of course programs, their counts, and an independent implementation."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import forgeron
from forgeron.core import contract
from forgeron.core.queries import hash_state
from forgeron.games.mancala import text
from forgeron.games.mancala.rules import State
from forgeron.games.mancala.sowing_tables import circle
from forgeron.kernels.playout import play_many
from naive.mancala import NaiveMancala

GOLDEN = Path(__file__).parent.parent / "golden"
OWNERS = ("halves", "alternate")
course = forgeron.game("mancala", preset="course")
report = forgeron.game("mancala", preset="report")
REASONS = {"49": "49 seeds", "STARVE": "starving", "LT10": "fewer than 10 seeds left", "LIMIT": "ply limit"}


def position(
    game: forgeron.Game, holes: dict[int, str], turn: int, taken: tuple[int, int], ply: int | None = None
) -> forgeron.Position:
    """A position with these holes; the others are empty."""
    board = "/".join(holes.get(hole, "-") for hole in range(1, 17))
    return game.parse(f"{board}:{turn}:{taken[0]}:{taken[1]}:{turn - 1 if ply is None else ply}")


def oracle_games() -> list[tuple[list[str], tuple[int, int], str]]:
    found = []
    for line in (GOLDEN / "mancala-games.txt").read_text().splitlines():
        if not line.startswith("#"):
            moves, first, second, ending = (part.strip() for part in line.split(";"))
            found.append((moves.split(), (int(first), int(second)), ending))
    return found


def test_every_game_of_the_course_replays_with_its_seeds_and_its_end() -> None:
    games = oracle_games()
    assert len(games) == 228
    assert {ending for _, _, ending in games} == set(REASONS)
    for moves, scores, ending in games:
        here = course.start()
        for move in moves:
            assert here.turn is not None
            here = here.play(move)
        assert here.outcome is not None
        assert here.scores == scores
        assert here.outcome.reason == REASONS[ending]


@pytest.mark.parametrize(("depth", "leaves"), [(1, 32), (2, 1_024), (3, 30_856), (4, 929_896), (5, 26_514_320)])
def test_the_first_position_has_the_counts_of_the_course_programs(depth: int, leaves: int) -> None:
    assert course.perft(course.start(), depth) == leaves
    assert course.count(course.start(), depth).leaves == leaves


@pytest.mark.slow
def test_the_sixth_count_agrees_too() -> None:
    assert course.count(course.start(), 6).leaves == 756_267_936


def test_halves_have_the_counts_of_the_slow_rules() -> None:
    def count(naive: NaiveMancala, depth: int) -> int:
        moves = naive.moves()
        return len(moves) if depth == 1 else sum(count(naive.play(move), depth - 1) for move in moves)

    assert [report.perft(report.start(), depth) for depth in (1, 2, 3)] == [
        count(NaiveMancala("halves"), depth) for depth in (1, 2, 3)
    ]


def test_the_first_example_of_the_rules_captures_across_hole_1_and_the_origin() -> None:
    before = position(course, {1: "2r", 13: "2r2b", 14: "2r2b", 15: "2b", 16: "2r"}, 2, (41, 41))
    after = before.play("14B")
    assert text.holes(after.state) == [(0, 0, 0)] * 12 + [(2, 2, 0)] + [(0, 0, 0)] * 3
    # 3 + 2 + 3 + 2 seeds from holes 1, 16, 15, 14; four are left, all of the first player, which is the end
    assert after.scores == (41, 51)


@pytest.mark.parametrize(("move", "emptied", "seeds"), [("16B", (5, 4, 3, 2, 1), 10), ("16R", (1, 16, 15), 7)])
def test_the_second_example_of_the_rules(move: str, emptied: tuple[int, ...], seeds: int) -> None:
    holes = {1: "1r", 2: "2r", 3: "1b", 4: "2b", 5: "1r", 14: "4b", 15: "2r", 16: "1r3b"}
    after = position(course, holes, 2, (40, 39)).play(move)
    assert after.scores == (40, 39 + seeds)
    assert all(sum(text.holes(after.state)[hole - 1]) == 0 for hole in emptied)
    assert sum(text.holes(after.state)[13]) == 4


def same(here: forgeron.Position, naive: NaiveMancala) -> None:
    """Assert that both implementations are in the same position."""
    assert text.holes(here.state) == [tuple(hole.values()) for hole in naive.holes]
    assert here.scores == tuple(naive.captured)
    assert here.turn == (None if naive.ending else naive.mover)
    assert sorted(here.legal_moves()) == sorted(naive.moves())
    assert here.view()["ply"] == naive.plies
    if here.outcome is not None:
        assert here.outcome.reason == naive.ending
        assert here.score == naive.captured[0] - naive.captured[1]


def play_both(here: forgeron.Position, naive: NaiveMancala, rng: random.Random) -> None:
    """Play a random game with both, comparing after each move."""
    same(here, naive)
    while not naive.ending:
        move = rng.choice(naive.moves())
        here, naive = here.play(move), naive.play(move)
        same(here, naive)
        assert naive.on_board() + sum(naive.captured) == 96


@given(st.integers(), st.sampled_from(OWNERS), st.integers(1, 1000), st.booleans())
def test_random_games_are_those_of_the_slow_rules(seed: int, owners: str, plies: int, forty: bool) -> None:
    game = forgeron.game("mancala", owners=owners, plies=plies, forty=forty)
    play_both(game.start(), NaiveMancala(owners, plies, forty), random.Random(seed))


@st.composite
def crowded(draw: st.DrawFn) -> tuple[str, NaiveMancala]:
    """A position with most seeds in a few holes, so that hands go round the circle more than once."""
    owners = draw(st.sampled_from(OWNERS))
    mover = draw(st.integers(0, 1))
    naive = NaiveMancala(owners, holes=[dict.fromkeys(("red", "blue", "transparent"), 0) for _ in range(16)])
    favourites = draw(st.lists(st.integers(1, 16), min_size=1, max_size=5))
    for colour in ("red", "blue", "transparent"):
        for _ in range(draw(st.integers(0, 32))):
            naive.holes[draw(st.sampled_from(favourites)) - 1][colour] += 1
    missing = 96 - naive.on_board()
    naive.captured = [missing // 2, missing - missing // 2]
    naive.mover = naive.plies = mover
    return owners, naive


@given(crowded())
def test_hands_of_several_laps_are_sown_as_by_the_slow_rules(case: tuple[str, NaiveMancala]) -> None:
    owners, naive = case
    if naive.on_board() < 10 or not naive.moves():
        return
    game = forgeron.game("mancala", owners=owners)
    holes = {i: "".join(f"{n}{c[0]}" for c, n in hole.items()) for i, hole in enumerate(naive.holes, 1)}
    here = position(game, holes, naive.mover + 1, (naive.captured[0], naive.captured[1]))
    same(here, naive)
    for move in naive.moves():
        same(here.play(move), naive.play(move))


@pytest.mark.parametrize("owners", OWNERS)
@pytest.mark.parametrize("colours", ["32r", "32t", "32r32t", "32b32t", "32b"])
def test_the_largest_hands_skip_their_origin_on_every_lap(owners: str, colours: str) -> None:
    game = forgeron.game("mancala", owners=owners)
    for hole in range(1, 17):
        naive = NaiveMancala(owners)
        naive.mover = naive.plies = naive.owner(hole)
        counts = {name: 32 if name[0] in colours else 0 for name in naive.holes[0]}
        naive.holes = [dict(counts) if h == hole else dict.fromkeys(counts, 0) for h in range(1, 17)]
        left = 96 - naive.on_board()
        naive.captured = [left // 2, left - left // 2]
        here = position(game, {hole: colours}, naive.mover + 1, (naive.captured[0], naive.captured[1]))
        for move in naive.moves():
            same(here.play(move), naive.play(move))


def test_transparent_seeds_go_first_and_stay_transparent() -> None:
    after = report.start().play("1TR")
    assert text.holes(after.state)[:6] == [(0, 2, 0), (2, 2, 3), (2, 2, 3), (3, 2, 2), (3, 2, 2), (2, 2, 2)]
    after = report.start().play("3TB")
    assert text.holes(after.state)[7:13] == [(2, 2, 2), (2, 2, 3), (2, 2, 3), (2, 3, 2), (2, 3, 2), (2, 2, 2)]


def test_a_transparent_seed_can_be_sown_as_a_colour_the_hole_does_not_hold() -> None:
    here = position(report, {2: "1t", 5: "5r", 12: "6b"}, 1, (42, 42))
    assert here.legal_moves() == ["2TR", "2TB", "5R"]
    assert text.holes(here.play("2TB").state)[8] == (0, 0, 1)


def test_starving_comes_before_all_other_ends() -> None:
    # 8R captures the last two seeds of the second player; the eight that are left decide the game
    here = position(report, {8: "1r", 1: "8b", 9: "1r"}, 1, (39, 47))
    after = here.play("8R")
    assert after.scores == (49, 47)
    assert after.outcome == forgeron.Outcome(0, (49, 47), "starving")


def test_a_mover_may_empty_its_own_side_and_play_on() -> None:
    here = position(report, {8: "1r", 9: "4b", 10: "7r"}, 1, (42, 42)).play("8R")
    assert here.turn == 1
    assert here.play("10R").turn == 0


def test_fewer_than_ten_seeds_left_count_for_nobody() -> None:
    here = position(report, {8: "1r", 9: "1b", 2: "4b", 10: "5r"}, 1, (43, 42)).play("8R")
    assert here.outcome == forgeron.Outcome(0, (45, 42), "fewer than 10 seeds left")


def test_equal_seeds_are_a_draw() -> None:
    here = position(report, {8: "1r", 9: "1b", 2: "4b", 10: "4r"}, 1, (42, 44)).play("8R")
    assert here.outcome == forgeron.Outcome(None, (44, 44), "fewer than 10 seeds left")


def test_the_last_ply_ends_the_game() -> None:
    for plies in (1, 7, 400, 1000):
        game = forgeron.game("mancala", plies=plies)
        here = position(game, dict.fromkeys(range(1, 17), "2r2b2t"), (plies - 1) % 2 + 1, (0, 0), plies - 1)
        here = here.push(here.moves[0])
        assert here.outcome == forgeron.Outcome(None, (0, 0), "ply limit")


def test_forty_each_ends_the_game_only_where_it_is_asked_for() -> None:
    holes = {8: "1r", 9: "1b", 2: "4b", 10: "10r"}
    assert position(report, holes, 1, (38, 42)).play("8R").outcome is None
    older = forgeron.game("mancala", forty=True)
    assert position(older, holes, 1, (38, 42)).play("8R").outcome == forgeron.Outcome(1, (40, 42), "both have 40 seeds")


def test_random_games_have_the_statistics_of_the_course_programs() -> None:
    tally = play_many(course.start(), seed=5, games=20_000)
    assert tally.plies / tally.games == pytest.approx(98.5, abs=1)


def test_random_games_end_and_branch_as_those_of_the_course_programs() -> None:
    rng = random.Random(3)
    ends = dict.fromkeys(REASONS.values(), 0)
    choices: list[int] = []
    for _ in range(400):
        here = course.start()
        while here.outcome is None:
            choices.append(len(here.moves))
            here = here.push(rng.choice(here.moves))
        ends[here.outcome.reason] += 1
    assert sum(choices) / len(choices) == pytest.approx(18.2, abs=0.4)
    assert max(choices) == 32
    # three standard deviations of 400 games are 7.5 % and 2.6 %
    assert ends["49 seeds"] / 400 == pytest.approx(0.58, abs=0.075)
    assert ends["fewer than 10 seeds left"] / 400 == pytest.approx(0.39, abs=0.075)
    assert ends["starving"] / 400 == pytest.approx(0.03, abs=0.026)


def test_the_key_tells_apart_whatever_the_rules_can() -> None:
    start = course.start()
    states = {start.state}
    for field in range(6):
        for byte in range(8):
            for other in range(6):
                for there in range(8):
                    words = [int(word) for word in start.state[:6]]
                    words[field] += 1 << 8 * byte
                    words[other] -= 1 << 8 * there
                    states.add(State(*map(np.uint64, words), start.state.info))
    for info in (
        forgeron.game("mancala", preset="course", plies=399).start().state.info,
        forgeron.game("mancala", preset="course", forty=True).start().state.info,
        report.start().state.info,
        start.play("1R").state.info,
        start.state.info + np.uint64(1 << 32),
        start.state.info + np.uint64(1 << 40),
        start.state.info + np.uint64(1),
    ):
        states.add(State(*start.state[:6], info))
    assert len(states) == 48 * 47 + 1 + 7
    assert len({int(hash_state(state)) for state in states}) == len(states)


def test_each_hole_belongs_to_the_player_the_options_say() -> None:
    for turn in (0, 1):
        owners = [[side ^ turn for side, _ in circle(alternate, turn)] for alternate in (0, 1)]
        assert owners == [[0] * 8 + [1] * 8, [0, 1] * 8]


def test_the_evaluation_is_the_same_for_both_players_with_the_sides_exchanged() -> None:
    weights = report.weights()
    rng = random.Random(4)
    here = report.start()
    while here.turn is not None:
        board = text.holes(here.state)
        swapped = text.build_state(
            board[8:] + board[:8], 1 - here.turn, here.scores[::-1], 0, limit=400, alternate=False, forty=False
        )
        assert contract.evaluate(here.state, weights) == pytest.approx(-contract.evaluate(swapped, weights))
        here = here.push(rng.choice(here.moves))


def test_a_blue_seed_at_home_is_worth_more_than_a_red_one() -> None:
    red = position(report, {1: "5r1b", 9: "6r"}, 1, (42, 42))
    blue = position(report, {1: "4r2b", 9: "6r"}, 1, (42, 42))
    weights = report.weights()
    assert contract.evaluate(blue.state, weights) > contract.evaluate(red.state, weights)


def test_the_greedy_player_beats_the_random_one() -> None:
    won = 0
    for seed in range(20):
        greedy = forgeron.player("greedy", course, seed=seed)
        rng = random.Random(seed)
        here, seat = course.start(), seed % 2
        while here.turn is not None:
            if here.turn == seat:
                here = here.play(greedy.choose(here, forgeron.Limit(nodes=1)).move)
            else:
                here = here.push(rng.choice(here.moves))
        assert here.outcome is not None
        won += here.outcome.winner == seat
    assert won >= 19

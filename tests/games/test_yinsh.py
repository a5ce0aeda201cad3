"""YINSH against the course's judge, independent counts, and an implementation from the rules alone."""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import forgeron
from forgeron.core.contract import OVER, evaluate, moves, play, turn
from forgeron.core.jit import kernel
from forgeron.games.yinsh.board import EVERY_LINE, POINTS, course_names, standard_names
from forgeron.games.yinsh.board import line as points_on
from forgeron.games.yinsh.game import Yinsh
from forgeron.games.yinsh.magics import read_line_by_magics
from forgeron.games.yinsh.point_sets import read_line_by_pext
from forgeron.games.yinsh.text import content
from forgeron.kernels.playout import play_many
from naive.yinsh import NaiveYinsh, course_points

GOLDEN = Path(__file__).parent.parent / "golden"


def yinsh(preset: str | None = None, **options: object) -> Yinsh:
    game = forgeron.game("yinsh", preset=preset, **options)
    assert isinstance(game, Yinsh)
    return game


def after(game: Yinsh, turns: str) -> forgeron.Position:
    position = game.start()
    for text in turns.split("|"):
        position = position.play(text.strip())
    return position


@kernel
def count_turns(state, depth, out, ply):
    """Sequences of exactly `depth` whole turns: plies of the same player follow each other within a turn."""
    who = turn(state)
    n = moves(state, out[ply])
    found = 0
    for i in range(n):
        child = play(state, out[ply, i])
        now = turn(child)
        if now == who:
            found += count_turns(child, depth, out, ply + 1)
        elif depth == 1:
            found += 1
        elif now != OVER:
            found += count_turns(child, depth - 1, out, ply + 1)
    return found


def perft(position: forgeron.Position, depth: int) -> int:
    out = np.empty((12 * depth, position.game.max_moves), dtype=np.int64)
    return int(count_turns(position.state, np.int64(depth), out, np.int64(0)))


def whole_turns(position: forgeron.Position) -> Iterator[tuple[list[int], forgeron.Position]]:
    """Every turn as its plies, and the position after it."""
    for move in position.moves:
        then = position.push(move)
        if then.turn == position.turn:
            yield from (([move, *more], end) for more, end in whole_turns(then))
        else:
            yield [move], then


# --- the course's judge and its counts ------------------------------------------------------------------------------


GAMES = [line for line in (GOLDEN / "yinsh-games.txt").read_text().splitlines() if not line.startswith("#")]


@pytest.mark.parametrize("line", GAMES, ids=range(len(GAMES)))
def test_every_judged_game_replays_with_its_grades(line: str) -> None:
    turns, result, parameters = line.split(" ; ")
    options = {name: int(value) for name, value in (part.split("=") for part in parameters.split())}
    game = yinsh("course", **options)
    end = after(game, turns)
    assert end.turn is None
    grades = [f"{game.course_score(end, seat):.3f}" for seat in (0, 1)]
    assert f"WIN score {grades[0]} {grades[1]}" == result
    assert end.outcome is not None
    assert end.outcome.reason == "win"


def perft_cases() -> list[tuple[str, dict[str, object], list[int], str]]:
    """Name, options, counts and turns of each line of the golden file."""
    cases: list[tuple[str, dict[str, object], list[int], str]] = []
    waiting: list[tuple[str, dict[str, object], list[int]]] = []
    for line in (GOLDEN / "yinsh-perft.txt").read_text().splitlines():
        if line.startswith("#"):
            continue
        if line.startswith("  moves: "):
            cases += [(*case, line.removeprefix("  moves: ")) for case in waiting]
            waiting = []
            continue
        found = re.fullmatch(r"(\S+) N=(\d) K=(\d) pending=(\w+) removal=(\w+) perft=\[(.*)\]", line)
        assert found, line
        options = {"N": int(found[2]), "K": int(found[3]), "pending": found[4], "removal": found[5]}
        waiting.append((f"{found[1]}-{found[4]}-{found[5]}", options, [int(n) for n in found[6].split(", ")]))
    assert not waiting
    return cases


PERFT = perft_cases()


@pytest.mark.parametrize(("name", "options", "counts", "turns"), PERFT, ids=[case[0] for case in PERFT])
def test_special_positions_have_the_judge_s_counts_of_turns(
    name: str, options: dict[str, object], counts: list[int], turns: str
) -> None:
    position = after(yinsh(**options), turns)
    assert [perft(position, depth) for depth in (1, 2, 3)] == counts


@pytest.mark.parametrize(("n", "counts"), [(5, [85, 7_140, 592_620]), (6, [121, 14_520, 1_727_880])])
def test_placements_have_the_known_counts(n: int, counts: list[int]) -> None:
    game = yinsh(N=n)
    assert [game.perft(game.start(), depth) for depth in (1, 2, 3)] == counts


def test_ten_placed_rings_have_the_known_counts_in_bulk_and_turn_by_turn() -> None:
    game = yinsh()
    rings = "P 0 0|P 1 0|P 2 3|P 2 9|P 3 0|P 3 6|P 4 12|P 4 2|P 5 1|P 5 16"
    position = after(game, rings)
    counts = [84, 6_441, 492_436, 35_045_287]
    assert [game.perft(position, depth) for depth in (1, 2, 3, 4)] == counts
    assert [perft(position, depth) for depth in (1, 2, 3)] == counts[:3]


@pytest.mark.slow
def test_the_fourth_turn_after_ten_rings_counted_move_by_move() -> None:
    position = after(yinsh(), "P 0 0|P 1 0|P 2 3|P 2 9|P 3 0|P 3 6|P 4 12|P 4 2|P 5 1|P 5 16")
    assert perft(position, 4) == 35_045_287


@pytest.mark.parametrize("n", [5, 6])
def test_points_have_the_names_and_coordinates_of_the_tables(n: int) -> None:
    lines = (GOLDEN / f"yinsh-points-N{n}.tsv").read_text().splitlines()
    expected = {}
    for line in lines:
        course, standard, axial = line.split("\t")
        _, x, y = axial.split()
        expected[int(x), int(y)] = (course, standard)
    found = {POINTS[i]: (course_names(n)[i], name) for i, name in standard_names(n).items()}
    assert found == expected


@pytest.mark.parametrize(("n", "points"), [(3, 31), (4, 55), (5, 85), (6, 121)])
def test_boards_of_all_sizes_have_their_points(n: int, points: int) -> None:
    assert len(standard_names(n)) == points
    assert {POINTS[i]: name for i, name in course_names(n).items()} == course_points(n)


# --- the rules written once more ------------------------------------------------------------------------------------

SETS: list[dict[str, object]] = [
    {},
    {"removal": "free", "markers": "51"},
    {"removal": "free", "pending": "stop"},
    {"N": 6, "K": 4, "pending": "stop"},
    {"N": 4, "K": 3, "M": 5, "L": 4, "removal": "free", "pending": "stop"},
    {"N": 4, "K": 3, "M": 6, "L": 5, "pending": "move"},
    {"N": 3, "K": 6, "M": 10, "L": 1},
    {"N": 3, "K": 4, "M": 6, "L": 6, "removal": "free"},
    {"N": 3, "K": 2, "L": 1},
    {"N": 6, "K": 12, "M": 2, "L": 2, "markers": "51"},
]


def naive_start(game: Yinsh) -> NaiveYinsh:
    n, k, goal = (int(game.chosen[name]) for name in "NKL")
    flags = {name: str(game.chosen[name]) for name in ("removal", "markers", "pending")}
    return NaiveYinsh(n, game.rings, k, goal, **flags)


def named_content(position: forgeron.Position) -> dict[tuple[int, int], str]:
    return {POINTS[i]: letter for i, letter in content(position.state).items() if letter != "."}


@pytest.mark.parametrize("options", SETS, ids=lambda options: "-".join(f"{k}{v}" for k, v in options.items()))
@settings(max_examples=4, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_random_games_go_as_in_the_naive_implementation(options: dict[str, object], seed: int) -> None:
    game = yinsh(**options)
    rng = random.Random(seed)
    position, naive = game.start(), naive_start(game)
    while True:
        assert position.turn == (None if naive.over else naive.mover)
        assert position.scores == naive.removed
        assert named_content(position) == dict(naive.board)
        found = {game.format_turn(plies, "course"): end for plies, end in whole_turns(position)}
        turns = naive.turns()
        assert found.keys() == turns.keys()
        if not turns:
            break
        text = rng.choice(sorted(turns))
        assert position.play(text) == found[text]
        position, naive = found[text], turns[text]


@pytest.mark.parametrize("options", SETS, ids=lambda options: "-".join(f"{k}{v}" for k, v in options.items()))
def test_rings_are_conserved_and_each_ply_changes_the_markers_as_it_should(options: dict[str, object]) -> None:
    game = yinsh(**options)
    rng = random.Random(4)
    for _ in range(3):
        position = game.start()
        placed = 0
        while position.turn is not None:
            before = list(content(position.state).values())
            kind = position.state.stage >> np.uint64(1) & np.uint64(7)
            position = position.push(rng.choice(position.moves))
            letters = list(content(position.state).values())
            placed += int(kind == 0)
            on_board = sum(letter in "WB" for letter in letters)
            assert on_board + sum(position.scores) == placed
            grown = sum(c in "wb" for c in letters) - sum(c in "wb" for c in before)
            assert grown == (0, 1, -int(game.chosen["K"]), 0, 0)[int(kind)]
        assert placed == 2 * game.rings


def test_all_kinds_of_endings_and_passes_come_about_on_a_crowded_board() -> None:
    game = yinsh(N=3, K=4, M=6, L=3)
    rng = random.Random(1)
    reasons, passes = set(), 0
    for _ in range(150):
        position = game.start()
        while position.turn is not None:
            passes += position.legal_moves() == ["pass"]
            position = position.push(rng.choice(position.moves))
        assert position.outcome is not None
        reasons.add(position.outcome.reason)
    assert reasons == {"win", "stalemate", "draw"}
    assert passes > 0


def test_with_51_markers_the_game_ends_when_one_is_needed_and_none_is_left() -> None:
    for game, limit in ((yinsh(K=10, markers=51), 51), (yinsh(K=10), None)):
        rng = random.Random(2)
        position = game.start()
        while position.turn is not None:
            position = position.push(rng.choice(position.moves))
        markers = sum(letter in "wb" for letter in content(position.state).values())
        assert markers == limit if limit else markers > 51
        assert position.outcome is not None
        assert position.outcome.reason == "draw"


def test_random_games_of_both_sides_are_about_even() -> None:
    tally = play_many(yinsh().start(), seed=7, games=20_000)
    assert tally.wins / tally.games == pytest.approx(0.5, abs=0.02)
    assert tally.draws / tally.games < 0.01


# --- lines ----------------------------------------------------------------------------------------------------------


@given(st.integers(0, 3 * 121 - 1), st.integers(0, 2**121 - 1))
def test_a_line_is_read_bit_by_bit_extracted_or_multiplied(index: int, bits: int) -> None:
    expected = sum(2 << i for i, point in enumerate(points_on(index // 3, index % 3)) if bits >> point & 1)
    with np.errstate(over="ignore"):
        for read in (read_line_by_pext, read_line_by_magics):
            found = read(np.uint64(index), (np.uint64(bits & (2**64 - 1)), np.uint64(bits >> 64)))
            assert int(found) == expected


def test_every_part_of_a_line_is_read_right_by_multiplication() -> None:
    """All ways in which the points of a line can be taken, with everything else on the board taken."""
    every = read_all_lines()
    assert every == 2 * sum(2 ** len(points_on(i // 3, i % 3)) for i in EVERY_LINE.tolist())


@kernel
def check_line(index, spots, length, off_lo, off_hi):
    """How many of all sets on one line are read as they should be, alone and with all other points set."""
    right = 0
    for value in range(1 << length):
        lo = hi = np.uint64(0)
        for i in range(length):
            if value >> i & 1:
                if spots[i] < 64:
                    lo |= np.uint64(1) << np.uint64(spots[i])
                else:
                    hi |= np.uint64(1) << np.uint64(spots[i] - 64)
        expected = np.uint64(value) << np.uint64(1)
        right += read_line_by_magics(index, (lo, hi)) == expected
        right += read_line_by_magics(index, (lo | off_lo, hi | off_hi)) == expected
    return right


def read_all_lines() -> int:
    total = 0
    for i in EVERY_LINE:
        points = points_on(int(i) // 3, int(i) % 3)
        off = (2**121 - 1) & ~sum(1 << point for point in points)
        spots = np.array(points, dtype=np.int64)
        total += check_line(
            np.uint64(i), spots, np.int64(len(points)), np.uint64(off & (2**64 - 1)), np.uint64(off >> 64)
        )
    return int(total)


def test_without_pext_the_same_games_are_played(
    run_python: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    code = (
        "import forgeron; from forgeron.kernels.playout import play_many;"
        "game = forgeron.game('yinsh', N=6, K=4); print(play_many(game.start(), seed=4, games=2000))"
    )
    portable = run_python(code, FORGERON_PEXT="0", FORGERON_CACHE_DIR=str(tmp_path)).stdout
    assert portable == run_python(code).stdout


def test_exchanging_the_colours_turns_the_sign_of_the_evaluation() -> None:
    game = yinsh()
    rng = random.Random(6)
    position = game.start()
    for _ in range(31):
        position = position.push(rng.choice(position.moves))
    state = position.state
    exchanged = state._replace(stage=state.stage ^ np.uint64(1))
    assert position.scores == (0, 0)
    with np.errstate(over="ignore"):
        assert evaluate(exchanged, game.weights()) == pytest.approx(-evaluate(state, game.weights()))


def test_the_greedy_player_beats_the_random_one() -> None:
    game = yinsh()
    greedy, chance = (forgeron.player(name, game, seed=5) for name in ("greedy", "random"))
    won = 0
    for first in (0, 1):
        for opening in range(5):
            position = game.start().push(game.start().moves[opening])
            while position.turn is not None:
                player = greedy if position.turn == first else chance
                position = position.play(player.choose(position, forgeron.Limit(nodes=100)).move)
            assert position.outcome is not None
            won += position.outcome.winner == first
    assert won >= 9

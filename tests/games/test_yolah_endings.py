"""Endings of Yolah: what `solve` says, beside trying everything by slow and independent rules."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest

import forgeron
from forgeron.core import contract
from forgeron.core.bits import popcount
from forgeron.core.contract import OVER, UNKNOWN, moves, play, score, turn
from forgeron.core.jit import JIT, kernel
from forgeron.games.yolah.endings import longest_walk, settle_early
from forgeron.games.yolah.text import square_name
from naive.yolah import FILES, RANKS, NaiveYolah

game = forgeron.game("yolah")


@kernel
def solved(state):
    return contract.solve(state)


@kernel
def tried_out(state, out):
    """The final score under perfect play for player 0, by trying every move to the end of the game."""
    who = turn(state)
    if who == OVER:
        return score(state)
    row = out[0]
    n = moves(state, row)
    best = np.int64(-100 if who == 0 else 100)
    for i in range(n):
        value = tried_out(play(state, row[i]), out[1:])
        best = max(best, value) if who == 0 else min(best, value)
    return best


@cache
def tried_out_naively(position: NaiveYolah) -> int:
    """The same by the rules as a beginner would write them."""
    options = position.moves()
    if not options:
        return position.points[0] - position.points[1]
    values = [tried_out_naively(position.play(move)) for move in options]
    return max(values) if position.mover == "b" else min(values)


def naive(position: forgeron.Position) -> NaiveYolah:
    names = {"b": "b", "w": "w", "x": "hole"}
    cells = game.view(position.state)["cells"]
    board = tuple(sorted((square_name(s), names[cell]) for s, cell in enumerate(cells) if cell != "."))
    return NaiveYolah(board, position.scores, "bw"[int(position.state.turn)])


def walkable(board: dict[str, str], side: str) -> set[str]:
    """The empty squares that pieces of a side can ever reach, found one step after the other."""
    todo = [square for square, owner in board.items() if owner == side]
    found: set[str] = set()
    while todo:
        x, y = FILES.index(todo[-1][0]), RANKS.index(todo.pop()[1])
        for i in range(max(x - 1, 0), min(x + 2, 8)):
            for j in range(max(y - 1, 0), min(y + 2, 8)):
                square = FILES[i] + RANKS[j]
                if square not in board and square not in found:
                    found.add(square)
                    todo.append(square)
    return found


def endings(count: int, fewest: int, most: int, seed: int) -> list[forgeron.Position]:
    """Positions of random games in which pieces can still reach so many squares, one a game."""
    rng = random.Random(seed)
    found: list[forgeron.Position] = []
    while len(found) < count:
        position, squares = game.start(), rng.randint(fewest, most)
        while position.turn is not None:
            board = dict(naive(position).board)
            if len(board) >= 64 - 2 * most and len(walkable(board, "b") | walkable(board, "w")) <= squares:
                found.append(position)
                break
            position = position.push(rng.choice(position.moves))
    return found


def check(position: forgeron.Position, claimed: int, truth: int) -> bool:
    """Fail when the claim is wrong; whether the sides were apart, so that it had to be exact."""
    board = dict(naive(position).board)
    apart = not walkable(board, "b") & walkable(board, "w")
    if apart:
        assert claimed == truth, str(position)
    elif claimed != UNKNOWN:
        assert np.sign(claimed) == np.sign(truth), str(position)
        assert abs(claimed) <= abs(truth), str(position)
    return apart


def test_a_solved_ending_is_what_trying_everything_by_naive_rules_finds() -> None:
    apart = early = 0
    count = 300 if JIT else 150
    for position in endings(count, 1, 5, seed=1):
        claimed = int(solved(position.state))
        if check(position, claimed, tried_out_naively(naive(position))):
            apart += 1
        elif claimed != UNKNOWN:
            early += 1
    assert apart >= count / 2
    assert early >= count / 50


@pytest.mark.skipif(not JIT, reason="too much to try in plain Python")
def test_longer_endings_are_what_trying_everything_finds() -> None:
    out = np.empty((64, game.max_moves), dtype=np.int64)
    solved_ones = early = 0
    for position in endings(300, 6, 9, seed=2):
        claimed = int(solved(position.state))
        if claimed == UNKNOWN:
            continue
        solved_ones += 1
        early += not check(position, claimed, int(tried_out(position.state, out)))
    assert solved_ones >= 200
    assert early >= 20


@cache
def walk_naively(pieces: frozenset[int], empty: frozenset[int]) -> int:
    """The most moves that these pieces can make together on these squares, by trying all."""
    best = 0
    for piece in pieces:
        for dx, dy in ((dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy):
            x, y = piece % 8 + dx, piece // 8 + dy
            while 0 <= x < 8 and 0 <= y < 8 and x + 8 * y in empty:
                target = x + 8 * y
                best = max(best, 1 + walk_naively(pieces - {piece} | {target}, empty - {target}))
                x, y = x + dx, y + dy
    return best


def test_the_longest_walk_is_the_longest_of_all_walks() -> None:
    rng = random.Random(3)
    incomplete = 0
    for _ in range(300 if JIT else 60):
        # A crowded corner of the board, so that pieces are in each other's way.
        columns, rows = rng.choice(((3, 4), (4, 4), (2, 7), (5, 3)))
        corner = [x + 8 * y for x in range(columns) for y in range(rows)]
        rng.shuffle(corner)
        n = rng.randint(1, 4)
        pieces, empty = frozenset(corner[:n]), frozenset(corner[n : n + rng.randint(1, 6)])
        words = [np.uint64(sum(1 << square for square in squares)) for squares in (pieces, empty)]
        found, left = longest_walk(*words, np.int64(-1), np.int64(100_000))
        assert left > 0
        assert found == walk_naively(pieces, empty)
        incomplete += found < len(empty)
    assert incomplete > (30 if JIT else 6)


def test_a_walk_that_the_budget_ends_is_not_longer_than_there_is() -> None:
    pieces, empty = np.uint64(0x0000_0000_0000_0081), np.uint64(0x0000_0000_183C_7E00)
    whole, _ = longest_walk(pieces, empty, np.int64(-1), np.int64(100_000))
    for budget in range(1, 12):
        found, _ = longest_walk(pieces, empty, np.int64(-1), np.int64(budget))
        assert 0 <= found <= whole <= int(popcount(empty))


def test_an_early_win_needs_a_walk_that_is_longer_than_all_the_other_side_could_take() -> None:
    # The piece on b1 has a1 and c1 for itself and can walk to one of them only.
    piece, own = np.uint64(0b010), np.uint64(0b101)
    promised = [int(settle_early(piece, own, np.int64(0), np.int64(others))) for others in (0, 1, 2)]
    assert promised == [1, UNKNOWN, UNKNOWN]


def test_an_open_position_is_not_solved() -> None:
    assert solved(game.start().state) == UNKNOWN
    for position in endings(20, 24, 40, seed=4):
        if len(position.moves) > 20:
            assert solved(position.state) == UNKNOWN


def test_a_side_that_is_blocked_loses_by_what_the_other_still_walks() -> None:
    # White cannot move. Black has the seven empty squares of the first rank: seven moves.
    position = game.parse("wwwwxxxx/" + "xxxxxxxx/" * 5 + "xxxxxbbb/b7:b:25:24")
    assert solved(position.state) == 1 + 7


@pytest.mark.parametrize("seed", range(3))
def test_what_is_solved_is_reached_by_playing_on(seed: int) -> None:
    """The winner looks one ply ahead, the loser too or moves at random: the margin is at least the claimed one."""
    rng = random.Random(seed)
    player = forgeron.player("minimax", game)
    for position in endings(20 if JIT else 2, 4, 14, seed=100 + seed):
        claimed = int(solved(position.state))
        if claimed in (UNKNOWN, 0):
            continue
        winner = 0 if claimed > 0 else 1
        while position.turn is not None:
            if position.turn == winner or seed == 0:
                move = player.choose(position, forgeron.Limit(depth=1)).move
            else:
                move = rng.choice(position.legal_moves())
            position = position.play(move)
        assert abs(claimed) <= position.score * (1 if winner == 0 else -1)

"""Alpha-beta search: the same value as trying everything, whatever it prunes."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

import forgeron
from forgeron.core import contract
from forgeron.core.contract import OVER, UNKNOWN, rules_for
from forgeron.core.game import Game
from forgeron.core.jit import JIT, kernel
from forgeron.core.position import Position
from forgeron.core.rng import mix
from forgeron.kernels import alphabeta as ab
from forgeron.kernels import alphabeta_workspace as wsp
from forgeron.kernels import transposition_table as tt
from forgeron.kernels.alphabeta_workspace import Enhancement
from forgeron.players.minimax import ENHANCEMENTS, MinimaxPlayer

#: A position is searched as deep as trying everything takes no more leaves than this.
LEAVES = 400 if JIT else 60
DEEPEST = 6
#: Small positions compared for each game, all its presets together; plain Python takes some hundred times as long.
COMPARED = 2400 if JIT else 12
EXACT = [flags for flags in ENHANCEMENTS.values() if not flags & (Enhancement.LMR | Enhancement.PROBCUT)]
#: Margins that cut far more than any that were measured.
BOLD = {(deep, deep - gap): (0, 50) for deep in range(1, 12) for gap in range(1, 4) if deep >= gap}


@kernel
def negamax(state, depth, ply, weights, rows):
    """The value for the side to move, by trying everything; a forced move below the root costs no depth."""
    who = contract.turn(state)
    n = contract.moves(state, rows[ply])
    child_depth = depth if n == 1 and ply > 0 else depth - 1
    best = np.int64(-ab.WIN - 1)
    for i in range(n):
        child = contract.play(state, rows[ply, i])
        after = contract.turn(child)
        known = contract.solve(child)
        result = contract.score(child) if after == OVER else np.int64(0)
        if after == OVER and known != result:
            value = np.int64(np.sign(result)) * (ab.WIN - ply - 1) * (1 - 2 * who)
        elif known != UNKNOWN:  # a game that knows its endings knows the ends too: by margin, not by haste
            value = ab.solved_value(known, who, ply + 1)
        elif child_depth <= 0:
            value = np.int64(1000.0 * min(max(contract.evaluate(child, weights), -900.0), 900.0)) * (1 - 2 * who)
        elif after == who:
            value = negamax(child, child_depth, ply + 1, weights, rows)
        else:
            value = -negamax(child, child_depth, ply + 1, weights, rows)
        best = max(best, value)
    return best


def brute_force(position: Position, depth: int) -> int:
    rows = np.empty((wsp.MAX_PLY, position.game.max_moves), dtype=np.int64)
    return int(negamax(position.state, np.int64(depth), np.int64(0), position.game.weights(), rows))


def small_positions(game: Game, count: int) -> Iterator[tuple[Position, int]]:
    """Positions of random games, each with a depth at which trying everything is quick: two or more."""
    seed = 0
    while True:
        rng = random.Random(seed)
        seed += 1
        position = game.start()
        while position.turn is not None:
            depth = 0
            while depth < DEEPEST and game.perft(position, depth + 1) <= LEAVES * (4 if depth < 2 else 1):
                depth += 1
            if depth >= 2 or (depth == 1 and rng.random() < 0.05):
                yield position, depth
                count -= 1
                if count == 0:
                    return
            position = position.push(rng.choice(position.moves))


class Searcher:
    """The kernel with a workspace and a table, both emptied for every search."""

    def __init__(self, game: Game) -> None:
        self.workspace = wsp.make_workspace(game.max_moves)
        self.table = tt.make_table(1 / 32)
        self.weights = game.weights()

    def value(self, position: Position, depth: int, flags: int, busy: Sequence[int] = ()) -> int:
        wsp.new_search(self.workspace, 1)
        wsp.forget_ordering(self.workspace)
        self.workspace[wsp.ENHANCEMENTS] = flags
        self.table[:] = 0
        for move in busy:
            tt.set_busy(self.table, tt.busy_mark(np.uint64(position.key), np.int64(move)))
        numbers = [np.int64(n) for n in (depth, -ab.WIN - 1, ab.WIN + 1, 0, wsp.NO_MOVE)]
        found = int(ab.search(position.state, *numbers, self.workspace, self.table, self.weights))
        assert int(self.workspace[wsp.BEST_MOVE]) in position.moves
        assert int(self.workspace[wsp.BEST_VALUE]) == found
        return found


def test_every_enhancement_but_reductions_and_probcut_finds_the_value_of_trying_everything(sure_game: Game) -> None:
    searcher = Searcher(sure_game)
    for position, depth in small_positions(sure_game, COMPARED // (1 + len(sure_game.presets))):
        expected = brute_force(position, depth)
        for flags in EXACT:
            assert searcher.value(position, depth, flags) == expected, (str(position), depth, flags)


def test_moves_deferred_because_another_thread_searches_them_are_not_lost() -> None:
    game = forgeron.game("yolah")
    searcher = Searcher(game)
    flags, compared = ENHANCEMENTS["pvs"] | Enhancement.ABDADA, 0
    for position, depth in small_positions(game, 200):
        if depth < 3:
            continue
        expected = brute_force(position, depth)
        for busy in (position.moves, position.moves[1:2]):
            with np.errstate(over="ignore"):
                assert searcher.value(position, depth, flags, busy) == expected
            compared += 1
    assert compared >= 50


class Heap(NamedTuple):
    """Take one, two or three stones; who takes the last one wins. A multiple of four is lost for the side to move."""

    stones: np.uint64
    seat: np.int64


rule = rules_for(Heap)


@rule
def turn(state):
    return state.seat if state.stones > 0 else OVER


@rule
def moves(state, out):
    n = np.int64(min(state.stones, np.uint64(3)))
    for i in range(n):
        out[i] = i + 1
    return n


@rule
def play(state, move):
    return Heap(state.stones - np.uint64(move), 1 - state.seat)


@rule
def score(state):
    return np.int64(0) if state.stones > 0 else np.int64(2 * state.seat - 1)


@rule
def key(state):
    return mix(state.stones + mix(np.uint64(state.seat)))


@rule
def solve(state):
    if state.stones > 9:
        return UNKNOWN
    winner = state.seat if state.stones % np.uint64(4) != 0 else 1 - state.seat
    return np.int64(1 - 2 * winner)


class HeapGame(Game):
    """A game whose author knows how the end goes."""

    name = "heap"
    title = "Heap"
    state_class = Heap
    max_moves = 3

    def start_state(self) -> Heap:
        return Heap(np.uint64(30), np.int64(0))


def test_what_a_game_solves_itself_is_used_and_proves_the_result() -> None:
    game = HeapGame()
    searcher = Searcher(game)
    for stones in range(2, 17):
        position = Position(game, Heap(np.uint64(stones), np.int64(stones % 2)))
        for depth in range(1, 8):
            expected = brute_force(position, depth)
            for flags in EXACT:
                assert searcher.value(position, depth, flags) == expected
        assert abs(expected) > ab.PROVEN
        assert (expected > 0) == (stones % 4 != 0)
    player = MinimaxPlayer(game)
    choice = player.choose(Position(game, Heap(np.uint64(18), np.int64(0))), forgeron.Limit(depth=60))
    assert (choice.move, choice.value) == ("2", 1.0)
    assert choice.depth < 18  # proven, so it looked no deeper


def test_with_late_move_reductions_a_proven_result_is_a_true_one() -> None:
    game = forgeron.game("yolah")
    searcher = Searcher(game)
    proven = 0
    for position, depth in small_positions(game, COMPARED // 4):
        found = searcher.value(position, depth, wsp.EVERYTHING)
        if abs(found) > ab.PROVEN:
            proven += 1
            assert np.sign(found) == np.sign(brute_force(position, depth + 2))
    assert proven >= COMPARED // 40


def test_with_probcut_a_proven_result_is_a_true_one() -> None:
    game = forgeron.game("yolah")
    careful, bold = Searcher(game), Searcher(game)
    wsp.set_margins(bold.workspace, BOLD, 1.0)
    proven = nodes = fewer = 0
    for position, depth in small_positions(game, COMPARED // 4):
        careful.value(position, depth, wsp.EVERYTHING)
        found = bold.value(position, depth, wsp.EVERYTHING)
        nodes, fewer = nodes + int(careful.workspace[wsp.NODES]), fewer + int(bold.workspace[wsp.NODES])
        if abs(found) > ab.PROVEN:
            proven += 1
            assert np.sign(found) == np.sign(brute_force(position, depth + 2))
    assert fewer < nodes  # it has cut
    assert proven >= COMPARED // 40


def test_probcut_does_nothing_without_margins_and_in_no_exact_search() -> None:
    game = forgeron.game("yolah")
    without, bold = Searcher(game), Searcher(game)
    wsp.set_margins(bold.workspace, BOLD, 1.0)
    for position, depth in small_positions(game, COMPARED // 20):
        reduced = without.value(position, depth, ENHANCEMENTS["reductions"])
        nodes = int(without.workspace[wsp.NODES])
        assert without.value(position, depth, wsp.EVERYTHING) == reduced
        assert int(without.workspace[wsp.NODES]) == nodes
        assert bold.value(position, depth, ENHANCEMENTS["pvs"]) == brute_force(position, depth)


def test_margins_are_made_of_spread_and_mean_and_reach_beyond_what_was_measured() -> None:
    workspace = wsp.make_workspace(10)
    wsp.set_margins(workspace, {(1, 0): (82, 288), (4, 3): (-49, 207)}, 0.5)
    margins = {
        pair: (int(wsp.high_margin_at(workspace, slot)), int(wsp.low_margin_at(workspace, slot)))
        for pair in [(1, 0), (3, 2), (4, 3), (10, 9), (16, 15)]
        for slot in [wsp.margin_slot(*pair)]
    }
    unknown = (wsp.NEVER, wsp.NEVER)
    beyond = (152, 54)
    assert margins == {(1, 0): (62, 226), (3, 2): unknown, (4, 3): beyond, (10, 9): beyond, (16, 15): beyond}


def test_each_enhancement_is_a_bit_of_its_own_and_each_step_adds_one() -> None:
    flags = [int(flag) for flag in Enhancement]
    assert all(flag.bit_count() == 1 for flag in flags)
    assert len(set(flags)) == len(flags)
    steps = list(ENHANCEMENTS.values())
    assert [int(step).bit_count() for step in steps] == list(range(len(steps)))
    assert all(smaller & larger == smaller for smaller, larger in itertools.pairwise(steps))
    assert steps[-1] == wsp.EVERYTHING == sum(flags) - Enhancement.ABDADA


def test_the_faster_win_and_the_slower_loss_are_preferred() -> None:
    over = forgeron.game("yolah").parse("bbwwxxxx/bbwwxxxx/" + "/".join(["xxxxxxxx"] * 6) + ":b:29:27").state
    assert ab.final_value(over, 0, 3) > ab.final_value(over, 0, 5) > ab.PROVEN
    assert ab.final_value(over, 1, 3) < ab.final_value(over, 1, 5) < -ab.PROVEN


def test_the_table_gives_back_what_was_stored_and_forgets_the_shallow_first() -> None:
    table = tt.make_table(1 / 16384)  # one bucket
    assert table.size == tt.BUSY_WORDS + 8
    with np.errstate(over="ignore"):
        for depth in range(1, 6):
            tt.store(table, np.uint64(1000 + depth), tt.pack(depth, -depth, depth, tt.EXACT, 1))
        kept = [depth for depth in range(1, 6) if tt.probe(table, np.uint64(1000 + depth)) != tt.MISS]
        assert kept == [2, 3, 4, 5]
        data = tt.probe(table, np.uint64(1005))
        assert (tt.move_of(data), tt.value_of(data), tt.depth_of(data), tt.bound_of(data)) == (5, -5, 5, tt.EXACT)
        tt.store(table, np.uint64(2000), tt.pack(9, 0, 1, tt.UPPER_BOUND, 2))  # a new search: age counts
        assert tt.probe(table, np.uint64(2000)) != tt.MISS
        assert tt.probe(table, np.uint64(1002)) == tt.MISS


def test_a_move_of_too_many_bits_does_not_spoil_its_entry() -> None:
    data = tt.pack(np.int64((1 << 30) + 3), 5, 4, tt.EXACT, 1)
    assert (tt.value_of(data), tt.depth_of(data), tt.bound_of(data)) == (5, 4, tt.EXACT)

"""The tree of a Monte Carlo search: what it proves is true, what it averages is right, and it keeps within its room."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest

import forgeron
from conftest import EXAMPLES, ROOT
from forgeron.core.contract import OVER, chance, moves, offers, play, score, turn
from forgeron.core.game import Game
from forgeron.core.jit import kernel
from forgeron.core.position import Position
from forgeron.games.yut.board import MO, YUT
from forgeron.games.yut.rules import start_state
from forgeron.kernels import mcts_tree as tr
from forgeron.kernels import mcts_workspace as wsp
from forgeron.kernels.mcts import simulate
from forgeron.kernels.mcts_proofs import prove, update_unproven
from forgeron.players.mcts_lines import TreeReader
from games import test_yut_exact as yut

FLAGS = {
    "plain": {},
    "eager": {"expansion_visits": np.int64(1)},
    "guided": {"use_priors": np.int64(1), "evaluation_weight": 1.0, "expansion_visits": np.int64(1)},
    "mixed": {"use_priors": np.int64(1), "evaluation_weight": 0.5},
    "minimax": {"use_priors": np.int64(1), "evaluation_weight": 1.0, "minimax_share": 0.3},
    "rave": {"rave_bias": 0.02},
    "widening": {"widening": 1.0},
    "virtual loss": {"virtual_loss": np.int64(1)},
}
PLAIN = tr.MctsSettings(0.7, np.int64(4), np.int64(0), 0.0, 1.0, 0.0, 0.0, 0.0, np.int64(0))


class Grown:
    """A tree after some simulations, as one thread makes it."""

    def __init__(self, position: Position, simulations: int, slots: int = 200_000, seed: int = 1, **how: object):
        settings = PLAIN._replace(**how)
        self.position = position
        self.tree = tr.make_tree(
            slots,
            priors=bool(settings.use_priors) or offers(position.game.state_class, "chance"),
            amaf=settings.rave_bias > 0,
            minimax=settings.minimax_share > 0,
        )
        tr.reset_tree(self.tree)
        self.workspace, self.guaranteed = wsp.make_workspace()
        wsp.assign_slots(self.workspace, 1, slots)
        self.settings, self.seed = settings, np.uint64(seed)
        self.run(simulations)

    def run(self, simulations: int) -> None:
        room = self.position.game.max_moves
        numbers = self.seed, np.int64(simulations), np.empty(room, dtype=np.int64), np.empty(room)
        weights = self.position.game.weights()
        played = self.workspace if self.settings.rave_bias > 0 else None
        arrays = self.tree, self.workspace, self.guaranteed, played
        simulate(self.position.state, *arrays, self.settings, weights, *numbers)

    @property
    def proven(self) -> float | None:
        value = int(self.tree.links[tr.ROOT, tr.PROVEN])
        return None if value == tr.UNPROVEN else value / tr.PROVEN_WIN

    def children(self, node: int = tr.ROOT) -> range:
        first, shape = int(self.tree.links[node, tr.FIRST_CHILD]), int(self.tree.links[node, tr.SHAPE])
        return range(first, first + (shape >> 2)) if first != tr.NO_CHILDREN else range(0)

    def nodes(self) -> list[tuple[int, Position]]:
        """All nodes with their positions."""
        found = [(tr.ROOT, self.position)]
        for node, position in found:
            for child in self.children(node):
                found.append((child, position.push(int(self.tree.links[child, tr.MOVE]))))
        return found


@kernel
def try_everything(state, out, depth, budget):
    """The sign of the final score with best play, by trying everything; `budget` positions may be looked at."""
    budget[0] -= 1
    who = turn(state)
    if who == OVER:
        result = score(state)
        return np.int64(1) if result > 0 else np.int64(-1) if result < 0 else np.int64(0)
    best = np.int64(-1) if who == 0 else np.int64(1)
    for i in range(moves(state, out[depth])):
        if budget[0] <= 0 or depth + 2 >= len(out):
            budget[0] = 0
            return np.int64(0)
        value = try_everything(play(state, out[depth, i]), out, depth + np.int64(1), budget)
        best = max(best, value) if who == 0 else min(best, value)
    return best


def solution(position: Position, most: int) -> float | None:
    """The value for player 0 with best play; None when more than `most` positions can follow."""
    budget = np.array([most], dtype=np.int64)
    out = np.empty((60, position.game.max_moves), dtype=np.int64)
    sign = int(try_everything(position.state, out, np.int64(0), budget))
    return None if budget[0] <= 0 else (sign + 1) / 2


def exhaustive(position: Position) -> float:
    value = solution(position, 10**7)
    assert value is not None
    return value


@cache
def endings(game: Game, count: int, most: int) -> list[Position]:
    """From random games, the earliest position after which at most `most` others can follow."""
    found: list[Position] = []
    for seed in range(20 * count):
        rng = random.Random(seed)
        line = [game.start()]
        while line[-1].turn is not None:
            line.append(line[-1].push(rng.choice(line[-1].moves)))
        small = line[-2]
        for position in line[-3::-1]:
            if solution(position, most) is None:
                break
            small = position
        if len(small.moves) > 1 and solution(small, most) is not None:
            found.append(small)
        if len(found) == count:
            break
    assert len(found) == count, "no small endings"
    return found


@cache
def expectation(position: Position) -> float:
    """The value for player 0 with best play in a game with dice that ends after a few throws."""
    if position.outcome is not None:
        return 0.5 if position.score == 0 else float(position.score > 0)
    values = [expectation(position.push(move)) for move in position.moves]
    if position.turn == "chance":
        return sum(p * value for p, value in zip(position.chances(), values, strict=True))
    return max(values) if position.turn == 0 else min(values)


def test_what_another_thread_has_proven_stays_proven() -> None:
    """A thread that saw a node open works out its mean after another one has proven it."""
    grown = Grown(forgeron.game("yolah").start(), 2000, virtual_loss=np.int64(1))
    child = grown.children()[0]
    prove(grown.tree, child, 0, 0)
    update_unproven(grown.tree, child, 0, grown.settings)
    assert (float(grown.tree.means[child]), float(grown.tree.bonuses[child])) == (0.0, 0.0)


def test_a_move_never_tried_is_taken_to_be_as_good_as_what_is_known() -> None:
    """A node gets its children in a simulation that has no result yet: only those before it count."""
    grown = Grown(forgeron.game("yolah").start(), 3000, virtual_loss=np.int64(0))
    links = grown.tree.links
    found = set()
    for node in (node for child in grown.children() for node in grown.children(child)):
        if links[node, tr.VISITS] == grown.settings.expansion_visits + 1 and links[node, tr.PROVEN] == tr.UNPROVEN:
            found |= {float(grown.tree.means[one]) for one in grown.children(node) if links[one, tr.VISITS] == 0}
    results = 2 * int(grown.settings.expansion_visits)
    assert found
    assert all((mean * results).is_integer() for mean in found), "means of so many wins, draws and losses"


@pytest.mark.parametrize("how", FLAGS)
def test_a_small_ending_is_proven_and_the_proof_agrees_with_trying_everything(how: str, sure_game: Game) -> None:
    for position in endings(sure_game, 12, 3000)[: 12 if how == "plain" else 4]:
        grown = Grown(position, 100_000, **FLAGS[how])  # type: ignore[arg-type]
        assert grown.proven == exhaustive(position)
        assert int(grown.workspace[wsp.SIMULATIONS]) < 100_000
        best = TreeReader(grown.tree, position).lines(1)[0]
        after = exhaustive(position.play(best.moves[0]))
        assert after == exhaustive(position), "the move keeps what was proven"
        assert best.value == (after if position.turn == 0 else 1 - after)


def test_whatever_is_proven_anywhere_in_a_tree_is_true(sure_game: Game) -> None:
    """Stopped at any moment, with every way of searching: what a node claims is what trying everything finds."""
    claims = 0
    for number, position in enumerate(endings(sure_game, 12, 3000)[:6]):
        for how in FLAGS.values():
            for simulations in (3, 30, 300):
                grown = Grown(position, simulations, seed=number, **how)  # type: ignore[arg-type]
                for node, below in grown.nodes():
                    value = int(grown.tree.links[node, tr.PROVEN])
                    assert value == tr.UNPROVEN or value / tr.PROVEN_WIN == exhaustive(below)
                    claims += value != tr.UNPROVEN
    assert claims > 100


RACE = str(ROOT / "tests" / "cli" / "dice_race.py")


def test_a_throw_of_which_every_outcome_is_proven_is_worth_their_mean() -> None:
    """Two runners that need at most a few throws: everything can be proven, through throws and extra turns."""
    game = forgeron.game(RACE, goal=2)
    position = game.start().push(0)
    grown = Grown(position, 500_000, slots=2_000_000)
    assert grown.proven == pytest.approx(expectation(position), abs=1e-6)
    assert 0.1 < expectation(position) < 0.9
    proven = 0
    for node, below in grown.nodes()[:3000]:
        value = int(grown.tree.links[node, tr.PROVEN])
        if value != tr.UNPROVEN:
            assert value / tr.PROVEN_WIN == pytest.approx(expectation(below), abs=1e-6)
            proven += below.turn == "chance"
    assert proven > 20


def test_the_value_at_dice_converges_to_the_exact_expectation() -> None:
    game = forgeron.game(RACE)
    position = game.start().push(0)
    value = TreeReader(Grown(position, 200_000, slots=1_000_000).tree, position).lines(1)[0].value
    assert value == pytest.approx(expectation(position), abs=0.02)


def test_with_one_piece_each_yut_nori_is_valued_as_the_exact_tables_say() -> None:
    """Both pieces on the last stretch; a back-do may undo a step, so the game has no longest line."""
    starts = yut.turn_starts(1)
    table, out = np.full(1024 * 1024, 0.5), np.zeros((yut.DEEP, 32), dtype=np.int64)
    chances = np.zeros(6)
    chance(start_state(1), chances)
    while yut.sweep(starts, np.int64(len(starts)), np.int64(4), table, chances, out) > 1e-6:
        pass
    game = forgeron.game("yut", pieces=1)
    tried = 0
    for row in starts[:: len(starts) // 40]:
        thrown = Position(game, yut.State(*row))
        for bonus in (YUT, MO):  # two results to use in either order
            position = thrown.push(bonus).push(1)
            if position.turn not in (0, 1) or len(position.moves) < 2:
                continue
            mover = np.uint64(position.turn)
            exact = yut.worth(position.state, mover, np.int64(4), table, chances, out, np.int64(0))
            line = TreeReader(Grown(position, 30_000, slots=1_000_000).tree, position).lines(1)[0]
            assert line.value == pytest.approx(exact, abs=0.04)
            tried += 1
    assert tried >= 10


@pytest.mark.parametrize("how", FLAGS)
def test_sums_and_visits_add_up(how: str, game: Game) -> None:
    position = game.start()
    while position.turn == "chance":
        position = position.push(position.moves[0])
    grown = Grown(position, 2000, **FLAGS[how])  # type: ignore[arg-type]
    links, tree = grown.tree.links, grown.tree
    assert int(links[tr.ROOT, tr.VISITS]) == 2000
    assert sum(int(links[child, tr.VISITS]) for child in grown.children()) == 2000
    for node, _ in grown.nodes():
        visits = int(links[node, tr.VISITS])
        assert 0 <= tree.sums[node] <= visits
        # Every visit but the first few, which the node judged itself, went to a child.
        below = sum(int(links[child, tr.VISITS]) for child in grown.children(node))
        assert below in (0, *range(max(visits - int(grown.settings.expansion_visits) - 1, 0), visits + 1))


def test_the_minimax_value_of_every_node_is_that_of_its_children(game: Game) -> None:
    position = game.start()
    while position.turn == "chance":
        position = position.push(position.moves[0])
    tree, compared = (grown := Grown(position, 3000, **FLAGS["minimax"])).tree, 0  # type: ignore[arg-type]
    seen_by: dict[int, object] = {}
    for node, below in grown.nodes():
        children = grown.children(node)
        seen_by.update(dict.fromkeys(children, below.turn))
        if node == tr.ROOT or not children or tree.links[node, tr.PROVEN] != tr.UNPROVEN:
            continue
        if below.turn == "chance":
            odds = below.chances()
            value = sum(odds[i] * float(tree.minimax[child]) for i, child in enumerate(children))
        else:
            value = max(float(tree.minimax[child]) for child in children)
        if (below.turn == 1) != (seen_by[node] == 1):
            value = 1.0 - value
        assert float(tree.minimax[node]) == pytest.approx(value, abs=1e-5)
        compared += 1
    assert compared > 20


def test_a_full_tree_stops_growing_and_is_told() -> None:
    game = forgeron.game("yolah")
    grown = Grown(game.start(), 100_000, slots=2000)
    assert int(grown.workspace[wsp.FULL]) == 1
    assert int(grown.workspace[wsp.NEXT_SLOT]) <= 2000
    assert int(grown.workspace[wsp.SIMULATIONS]) < 100_000
    nodes = [node for node, _ in grown.nodes()]
    assert sorted(nodes) == list(range(int(grown.workspace[wsp.NEXT_SLOT])))


def test_a_copied_subtree_is_the_same_tree() -> None:
    game = forgeron.game("yolah")
    grown = Grown(game.start(), 20_000)
    child = max(grown.children(), key=lambda node: int(grown.tree.links[node, tr.VISITS]))
    below = game.start().push(int(grown.tree.links[child, tr.MOVE]))
    new = tr.make_tree(200_000, priors=False, amaf=False, minimax=False)
    progress = np.zeros(2, dtype=np.int64)
    numbers = np.int64(child), progress, np.int64(0), np.int64(200_000)
    while not tr.copy_subtree(grown.tree, new, *numbers, np.int64(100)):
        pass
    waiting = [(child, tr.ROOT)]
    copied = 0
    for old_node, new_node in waiting:
        copied += 1
        for field in (tr.VISITS, tr.SHAPE, tr.PROVEN, *([tr.MOVE] if new_node else [])):
            assert grown.tree.links[old_node, field] == new.links[new_node, field]
        assert grown.tree.sums[old_node] == new.sums[new_node]
        assert grown.tree.means[old_node] == new.means[new_node]
        first = int(new.links[new_node, tr.FIRST_CHILD])
        assert (first == tr.NO_CHILDREN) == (int(grown.tree.links[old_node, tr.FIRST_CHILD]) == tr.NO_CHILDREN)
        waiting.extend((old, first + i) for i, old in enumerate(grown.children(old_node)))
    assert copied == int(progress[1]) > 1000
    for line in TreeReader(new, below).lines(3):
        assert below.play(line.moves[0]).turn == 0


def test_a_copy_that_is_cut_short_or_must_leave_things_behind_is_a_whole_tree() -> None:
    game = forgeron.game("mancala")
    grown = Grown(game.start(), 20_000)
    for steps, least, most in ((1, 0, 10**6), (7, 0, 10**6), (100, 0, 10**6), (10**6, 200, 10**6), (10**6, 0, 300)):
        new = tr.make_tree(200_000, priors=False, amaf=False, minimax=False)
        progress = np.zeros(2, dtype=np.int64)
        numbers = np.int64(tr.ROOT), progress, np.int64(least), np.int64(most)
        tr.copy_subtree(grown.tree, new, *numbers, np.int64(steps))
        assert tr.copy_subtree(grown.tree, new, *numbers, np.int64(0))
        used = int(progress[1])
        assert used <= most
        kept = Grown(game.start(), 0)
        kept.tree = new
        nodes = [node for node, _ in kept.nodes()]
        assert sorted(nodes) == list(range(used))
        assert used > 1
        if least:
            assert all(new.links[node, tr.VISITS] >= least for node in nodes if len(kept.children(node)))
        # and it can grow on
        kept.workspace[wsp.NEXT_SLOT] = used
        kept.run(1000)
        assert int(new.links[tr.ROOT, tr.VISITS]) == 21_000


def test_a_position_is_found_below_the_root_and_only_there() -> None:
    game = forgeron.game(str(EXAMPLES[0]))
    grown = Grown(game.start(), 20_000)
    played = np.zeros(1, dtype=np.int64)
    first = game.start().push(3)
    second = first.push(2)
    for plies, wanted in ((1, first), (2, second)):
        arguments = np.int64(tr.ROOT), np.int64(plies), np.uint64(wanted.key), played
        node = int(tr.find_node(grown.tree, game.start().state, *arguments))
        assert dict(grown.nodes())[node] == wanted
    elsewhere = np.int64(tr.ROOT), np.int64(1), np.uint64(second.key), played
    assert tr.find_node(grown.tree, game.start().state, *elsewhere) == -1


def test_calls_may_be_cut_anywhere(game: Game) -> None:
    position = game.start()
    while position.turn == "chance":
        position = position.push(position.moves[0])
    whole, cut = Grown(position, 600), Grown(position, 1)
    for count in (1, 2, 5, 41, 550):
        cut.run(count)
    used = int(whole.workspace[wsp.NEXT_SLOT])
    assert int(cut.workspace[wsp.NEXT_SLOT]) == used
    assert np.array_equal(whole.tree.links[:used], cut.tree.links[:used])
    assert np.array_equal(whole.tree.sums[1:used], cut.tree.sums[1:used])

"""Monte Carlo tree search (UCT, PUCT)."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from forgeron.core.chance import next_decision
from forgeron.core.contract import offers
from forgeron.core.errors import OptionError
from forgeron.core.game import NETWORK, Game
from forgeron.core.options import Option, Value
from forgeron.core.position import Position
from forgeron.core.rng import split
from forgeron.kernels import mcts_tree as tr
from forgeron.kernels import mcts_workspace as wsp
from forgeron.kernels.mcts import simulate
from forgeron.players.base import EVAL, Choice, Player, Search, Thought
from forgeron.players.mcts_lines import TreeReader

#: How long one call of the kernel should take: short enough to stop in time, long enough to cost nothing.
_SLICE_SECONDS = 0.002
#: How often a listener is told of progress.
_REPORT_SECONDS = 0.25
#: How many plies below the old root the new position is looked for.
_REUSE_PLIES = 4
#: Nodes that are copied before the clock is read again.
_COPY_STEPS = 20_000
#: A leaf is expanded when it has been visited more often than this.
_EXPANSION_VISITS = 2
_TEMPERATURE, _RAVE_BIAS, _WIDENING = 1.0, 0.02, 1.0


class Guide(NamedTuple):
    """What leads a search, and the numbers that go with it."""

    evaluation_weight: float
    """of the evaluation in a leaf's value"""
    use_priors: bool
    """whether the evaluation rates the children of a node"""
    exploration: float
    minimax: float
    """the share of the minimax value in the value of a node"""


GUIDES = {
    "playout": Guide(0.0, False, 0.4, 0.0),
    "mixed": Guide(0.5, True, 1.0, 0.0),
    "eval": Guide(1.0, True, 1.0, 0.0),
    NETWORK: Guide(1.0, True, 0.8, 0.3),
}


class MctsPlayer(Player):
    """UCT with proofs (MCTS-Solver). The subtree of the position is reused from move to move.

    Threads share the tree. A limit of nodes, which promises the same answer, is searched by one thread from an empty
    tree.
    """

    name = "mcts"
    summary = "the move visited most by a Monte Carlo tree search"
    options = {
        "guide": Option(
            "playout", tuple(GUIDES), "what evaluates a leaf: a playout, the evaluation, both, or the network"
        ),
        "exploration": Option("auto", (), "factor of the exploration term of UCB1 or PUCT: a number, or auto"),
        "minimax": Option(
            "auto", (), "share of the minimax value of the evaluations below a node in its value: from 0 to 1, or auto"
        ),
        "rave": Option(
            False, (False, True), "a move shares in the results of playouts in which it was made later (AMAF)"
        ),
        "widening": Option(
            False, (False, True), "progressive widening: at first only the best moves by the evaluation"
        ),
        "memory": Option(256, (1, 4, 16, 64, 256, 1024, 4096), "most memory for the tree in MB"),
        "eval": EVAL,
    }

    @classmethod
    def settle(cls, game: Game, options: Mapping[str, object]) -> dict[str, Value]:
        if options.get("guide") == NETWORK:
            options = {"eval": NETWORK, **options}
        chosen = super().settle(game, options)
        guide = GUIDES[str(chosen["guide"])]
        _read_number(chosen, "exploration", guide.exploration, 1000.0)
        if _read_number(chosen, "minimax", guide.minimax, 1.0) > 0.0 and not guide.use_priors:
            raise OptionError("option minimax needs an evaluation of the moves: another guide than playout")
        return chosen

    def warm(self) -> None:
        self._settings = self._read_settings()
        amaf, minimax = self._settings.rave_bias > 0, self._settings.minimax_share > 0
        priors = bool(self._settings.use_priors) or offers(self.game.state_class, "chance")
        # Half of the memory is for the tree, the other half for the subtree that takes its place.
        size = int(self.chosen["memory"]) * (1 << 20) // (2 * tr.slot_bytes(priors, amaf, minimax))
        size = max(size, (self.threads + 1) * 2 * self.game.max_moves)
        self._tree, self._spare = (tr.make_tree(size, priors=priors, amaf=amaf, minimax=minimax) for _ in range(2))
        self._workers = [_SearchThread(self, i) for i in range(self.threads)]
        self._active = self._workers[:1]
        self._root: Position | None = None
        start = next_decision(self.game.start())
        self._reset_tree(start)
        self._workers[0].step(self, start, np.uint64(0), 2)
        self._find(start.push(start.moves[0]))
        self._keep_subtree(tr.ROOT, 0, None)
        self._root = None

    def _read_settings(self) -> tr.MctsSettings:
        guide = GUIDES[str(self.chosen["guide"])]
        return tr.MctsSettings(
            exploration=_read_number(self.chosen, "exploration", guide.exploration, 1000.0),
            expansion_visits=np.int64(_EXPANSION_VISITS),
            use_priors=np.int64(guide.use_priors),
            evaluation_weight=guide.evaluation_weight,
            temperature=_TEMPERATURE,
            rave_bias=_RAVE_BIAS if self.chosen["rave"] else 0.0,
            widening=_WIDENING if self.chosen["widening"] else 0.0,
            minimax_share=_read_number(self.chosen, "minimax", guide.minimax, 1.0),
            virtual_loss=np.int64(self.threads > 1),
        )

    # --- the search -----------------------------------------------------------------------------------------------

    def think(self, position: Position, search: Search) -> Choice:
        if search.limit.seconds is None and search.limit.nodes is None:
            raise OptionError("mcts thinks for a time or a number of simulations: give seconds or nodes")
        nodes = search.limit.nodes
        self._begin(position, search)
        workers = self._active
        seed = self.stream(position)
        report = _ProgressReport(self, position, search)
        # Expand the root first, so that no two threads do it.
        workers[0].step(self, position, seed, 1)
        while not (self.proven or workers[0].done == nodes):
            with ThreadPoolExecutor(max(len(workers) - 1, 1)) as pool, self.stopping_threads():
                others = [pool.submit(worker.run, self, position, search, seed, None) for worker in workers[1:]]
                workers[0].run(self, position, search, seed, report)
            for other in others:
                other.result()
            if search.finished() or not self.crowded():
                break
            self._prune(search)
        found = TreeReader(self._tree, position).lines(search.lines)
        best = found[0]
        depth = max(int(worker.workspace[wsp.DEEPEST]) for worker in workers)
        return Choice(best.moves[0], best.value, best.moves, depth, self.simulations, search.seconds, found)

    @property
    def proven(self) -> bool:
        """Whether the result of the position is proven."""
        return int(self._tree.links[tr.ROOT, tr.PROVEN]) != tr.UNPROVEN

    @property
    def simulations(self) -> int:
        """How many the present search has made."""
        return sum(worker.done for worker in self._active)

    @property
    def visits(self) -> np.ndarray:
        """How often the last search tried each action at its root: divided by their sum, a target for a policy."""
        if self._root is None:
            raise OptionError("nothing has been searched yet")
        return TreeReader(self._tree, self._root).visits()

    @property
    def settings(self) -> tr.MctsSettings:
        return self._settings

    @property
    def tree(self) -> tr.Tree:
        return self._tree

    def crowded(self) -> bool:
        """Whether some thread has no room left for new nodes."""
        return any(worker.workspace[wsp.FULL] for worker in self._active)

    # --- the tree from move to move -------------------------------------------------------------------------------

    def _begin(self, position: Position, search: Search) -> None:
        """Make the position the root: of its subtree where there is one, else of an empty tree."""
        for worker in self._workers:
            worker.workspace[:] = 0
        # Threads race through the tree: a limit of nodes, which promises the same answer, has one thread.
        self._active = self._workers if search.limit.nodes is None else self._workers[:1]
        kept = -1
        if search.limit.nodes is None and self._root is not None:
            same_weights = self.weights(position) is self.weights(self._root)
            kept = self._find(position) if same_weights or self.chosen["guide"] == "playout" else -1
        if kept < 0:
            self._reset_tree(position)
            return
        self._keep_subtree(kept, 0, search)
        self._root = position
        root, first = self._tree.links[tr.ROOT], int(self._tree.links[tr.ROOT, tr.FIRST_CHILD])
        children = self._tree.links[first : first + (int(root[tr.SHAPE]) >> 2)] if first != tr.NO_CHILDREN else root[:0]
        if not (children.size and (children[:, tr.PROVEN] == root[tr.PROVEN]).any()):
            # Proven, but by which move? The child that proved it was not kept, or another thread had it.
            root[tr.PROVEN] = tr.UNPROVEN

    def _reset_tree(self, position: Position) -> None:
        tr.reset_tree(self._tree)
        self._root = position
        self._assign_slots(1)

    def _find(self, position: Position) -> int:
        """The node of the position in the tree, or -1."""
        assert self._root is not None
        if position == self._root:
            return tr.ROOT
        replayed = np.zeros(1, dtype=np.int64)
        wanted = np.uint64(position.key)
        for plies in range(1, _REUSE_PLIES + 1):
            found = tr.find_node(self._tree, self._root.state, np.int64(tr.ROOT), np.int64(plies), wanted, replayed)
            if found >= 0:
                return int(found)
        return -1

    def _keep_subtree(self, root: int, least_visits: int, search: Search | None) -> None:
        """Make the subtree of a node the tree, as far as it fits and the time allows."""
        progress = np.zeros(2, dtype=np.int64)
        most = len(self._tree.links) // 2
        steps = _COPY_STEPS
        while True:
            numbers = np.int64(least_visits), np.int64(most), np.int64(steps)
            if tr.copy_subtree(self._tree, self._spare, np.int64(root), progress, *numbers):
                break
            if search is not None and search.finished():
                steps = 0
        self._tree, self._spare = self._spare, self._tree
        self._assign_slots(int(progress[1]))

    def _prune(self, search: Search) -> None:
        """Make room: forget the children of nodes that were seldom visited."""
        links = self._tree.links
        children = int(links[tr.ROOT, tr.SHAPE]) >> 2
        # A level of the tree has at most visits / least nodes that stay, and there are a few such levels.
        least = 10 * int(links[tr.ROOT, tr.VISITS]) * children // len(links)
        self._keep_subtree(tr.ROOT, max(least, 4 * int(self._settings.expansion_visits)), search)

    def _assign_slots(self, used: int) -> None:
        """Give each thread slots of its own, behind those that are in use."""
        self._used = used
        each = (len(self._tree.links) - used) // len(self._active)
        for i, worker in enumerate(self._active):
            wsp.assign_slots(worker.workspace, used + i * each, used + (i + 1) * each)


def _read_number(chosen: Mapping[str, Value], name: str, default: float, most: float) -> float:
    """The number that the text of an option stands for, `auto` for the default."""
    text = str(chosen[name])
    if text == "auto":
        return default
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0.0 <= number <= most:
        raise OptionError(f"option {name} cannot be {text!r}; it is auto or a number from 0 to {most:g}")
    return number


class _ProgressReport:
    """Tells the listener of progress, a few times a second."""

    def __init__(self, player: MctsPlayer, position: Position, search: Search) -> None:
        self._player, self._position, self._search = player, position, search
        self._last = search.seconds

    def tell(self) -> None:
        search = self._search
        if search.listener is None or search.seconds < self._last + _REPORT_SECONDS:
            return
        self._last = search.seconds
        lines = TreeReader(self._player.tree, self._position).lines(search.lines)
        depth = len(lines[0].moves)
        search.listener(Thought(lines, depth, self._player.simulations, search.seconds))


class _SearchThread:
    """A thread of the search, with its own workspace."""

    def __init__(self, player: MctsPlayer, number: int) -> None:
        room = player.game.max_moves
        self.number = number
        self.workspace, self._guaranteed = wsp.make_workspace()
        self._scratch = np.empty(room, dtype=np.int64), np.empty(room)

    @property
    def done(self) -> int:
        return int(self.workspace[wsp.SIMULATIONS])

    def step(self, player: MctsPlayer, position: Position, stream: np.uint64, count: int) -> None:
        """Make up to so many simulations; how they go is decided by the stream and their numbers."""
        with np.errstate(over="ignore"):
            seed = np.uint64(split(stream, self.number))
        settings = player.settings
        arrays = player.tree, self.workspace, self._guaranteed, self.workspace if settings.rave_bias > 0 else None
        evaluates = settings.evaluation_weight > 0 or settings.use_priors or settings.widening > 0
        how = settings, player.weights(position) if evaluates else None, seed, np.int64(count)
        simulate(position.state, *arrays, *how, *self._scratch)

    def run(
        self, player: MctsPlayer, position: Position, search: Search, stream: np.uint64, report: _ProgressReport | None
    ) -> None:
        """Simulate in slices of a few milliseconds until the limit, a proven result, or a full tree."""
        nodes, batch = search.limit.nodes, 1
        while True:
            count = batch if nodes is None else min(batch, nodes - self.done)
            before = search.seconds
            self.step(player, position, stream, count)
            spent = search.seconds - before
            if search.finished() or self.done == nodes or player.proven or player.crowded():
                return
            if report is not None:
                report.tell()
            wanted = min(_SLICE_SECONDS, search.seconds_left)
            batch = max(1, min(batch * 4, int(count * wanted / max(spent, 1e-6))))

"""Monte Carlo tree search: random games, most of them after the moves that did best so far."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from forgeron.core.contract import offers
from forgeron.core.errors import OptionError
from forgeron.core.game import Option
from forgeron.core.position import Position
from forgeron.core.rng import split
from forgeron.kernels import tree as tr
from forgeron.kernels import uct
from forgeron.players.base import EVAL, Choice, Player, Search, Thought
from forgeron.players.visits import Reader

#: How long one call of the kernel should take: short enough to stop in time, long enough to cost nothing.
_SLICE_SECONDS = 0.002
#: How often a listener hears of progress.
_NEWS_SECONDS = 0.25
#: How many plies below the old root the new position is looked for.
_PLIES = 4
#: Nodes that are copied before the clock is looked at again.
_STEPS = 20_000

#: guide → (share of the evaluation in a leaf's value, priors, exploration, patience)
GUIDES = {
    "playout": (0.0, 0, 0.4, 2),
    "mixed": (0.5, 1, 1.0, 2),
    "eval": (1.0, 1, 1.0, 2),
}


class MctsPlayer(Player):
    """UCT with proofs. What was found out is kept from move to move, as far as the game went where it was looked at.

    Threads share the tree. A number of nodes, which promises the same answer, is searched by one thread from an empty
    tree.
    """

    name = "mcts"
    summary = "the move most tried by a tree search with random games"
    options = {
        "guide": Option("playout", tuple(GUIDES), "how leaves are judged: random games, the evaluation, or both"),
        "exploration": Option("auto", (), "how much uncertainty counts beside the mean: a number, or auto"),
        "rave": Option(False, (False, True), "let a move share in results of games in which it was played later"),
        "widening": Option(False, (False, True), "look at the moves that the evaluation likes least only later"),
        "memory": Option(256, (1, 4, 16, 64, 256, 1024, 4096), "most memory for the tree in MB"),
        "eval": EVAL,
    }

    def warm(self) -> None:
        self._settings = self._read_settings()
        asides = self._settings.asides > 0
        priors = bool(self._settings.guided) or offers(self.game.state_class, "chance")
        # Half of the memory is for the tree, the other half for what is kept of it in its place.
        size = int(self.chosen["memory"]) * (1 << 20) // (2 * tr.slot_bytes(priors, asides))
        size = max(size, (self.threads + 1) * 2 * self.game.max_moves)
        self._tree, self._spare = (tr.make_tree(size, priors=priors, asides=asides) for _ in range(2))
        self._workers = [_Worker(self, i) for i in range(self.threads)]
        self._crew = self._workers[:1]
        self._root: Position | None = None
        start = self.game.start()
        while start.turn == "chance":
            start = start.push(start.moves[0])
        self._plant(start)
        self._workers[0].step(self, start, np.uint64(0), 2)
        self._find(start.push(start.moves[0]))
        self._move_tree(tr.ROOT, 0, None)
        self._root = None

    def _read_settings(self) -> tr.Settings:
        share, guided, exploration, patience = GUIDES[str(self.chosen["guide"])]
        text = str(self.chosen["exploration"])
        if text != "auto":
            try:
                exploration = float(text)
            except ValueError:
                exploration = -1.0
            if not 0.0 <= exploration <= 1000.0:
                raise OptionError(f"option exploration cannot be {text!r}; it is auto or a number, 0 or more")
        return tr.Settings(
            exploration=exploration,
            patience=np.int64(patience),
            guided=np.int64(guided),
            share=share,
            warmth=1.0,
            asides=0.02 if self.chosen["rave"] else 0.0,
            widening=1.0 if self.chosen["widening"] else 0.0,
            sharing=np.int64(self.threads > 1),
        )

    # --- the search -----------------------------------------------------------------------------------------------

    def think(self, position: Position, search: Search) -> Choice:
        if search.limit.seconds is None and search.limit.nodes is None:
            raise OptionError("mcts thinks for a time or a number of simulations: give seconds or nodes")
        nodes = search.limit.nodes
        self._begin(position, search)
        workers = self._crew
        seed = self.stream(position)
        news = _News(self, position, search)
        # The root gets its children before threads could both give it some.
        workers[0].step(self, position, seed, 1)
        while not (self.proven or workers[0].done == nodes):
            with ThreadPoolExecutor(max(len(workers) - 1, 1)) as pool:
                others = [pool.submit(worker.run, self, position, search, seed, None) for worker in workers[1:]]
                workers[0].run(self, position, search, seed, news)
            for other in others:
                other.result()
            if search.finished() or not self.crowded():
                break
            self._prune(search)
        found = Reader(self._tree, position).lines(search.lines)
        best = found[0]
        depth = max(int(worker.board[tr.DEEPEST]) for worker in workers)
        return Choice(best.moves[0], best.value, best.moves, depth, self.simulations, search.seconds, found)

    @property
    def proven(self) -> bool:
        """Whether the result of the position is certain."""
        return int(self._tree.links[tr.ROOT, tr.PROVEN]) != tr.UNPROVEN

    @property
    def simulations(self) -> int:
        """How many the present search has made."""
        return sum(worker.done for worker in self._crew)

    @property
    def settings(self) -> tr.Settings:
        return self._settings

    @property
    def tree(self) -> tr.Tree:
        return self._tree

    def crowded(self) -> bool:
        """Whether some thread has no room left for new nodes."""
        return any(worker.board[tr.FULL] for worker in self._crew)

    # --- the tree from move to move -------------------------------------------------------------------------------

    def _begin(self, position: Position, search: Search) -> None:
        """Make the position the root: with what is known of it, or without anything."""
        for worker in self._workers:
            worker.board[:] = 0
        # Threads race through the tree: a number of nodes, which promises the same answer, has one.
        self._crew = self._workers if search.limit.nodes is None else self._workers[:1]
        kept = -1
        if search.limit.nodes is None and self._root is not None:
            same_eyes = self.weights(position) is self.weights(self._root)
            kept = self._find(position) if same_eyes or self.chosen["guide"] == "playout" else -1
        if kept < 0:
            self._plant(position)
            return
        self._move_tree(kept, 0, search)
        self._root = position
        root, first = self._tree.links[tr.ROOT], int(self._tree.links[tr.ROOT, tr.FIRST])
        children = self._tree.links[first : first + (int(root[tr.SHAPE]) >> 2)] if first != tr.ROOT else root[:0]
        if not (children.size and (children[:, tr.PROVEN] == root[tr.PROVEN]).any()):
            # Certain, but by which move? The child that proved it was not kept, or was another thread's.
            root[tr.PROVEN] = tr.UNPROVEN

    def _plant(self, position: Position) -> None:
        tr.plant(self._tree)
        self._root = position
        self._share_out(1)

    def _find(self, position: Position) -> int:
        """The node of the position in the tree, or -1."""
        assert self._root is not None
        if position == self._root:
            return tr.ROOT
        played = np.zeros(1, dtype=np.int64)
        wanted = np.uint64(position.key)
        for plies in range(1, _PLIES + 1):
            found = tr.find(self._tree, self._root.state, np.int64(tr.ROOT), np.int64(plies), wanted, played)
            if found >= 0:
                return int(found)
        return -1

    def _move_tree(self, root: int, least_visits: int, search: Search | None) -> None:
        """Keep what grows from a node, as far as it fits and the time allows."""
        progress = np.zeros(2, dtype=np.int64)
        most = len(self._tree.links) // 2
        steps = _STEPS
        while True:
            numbers = np.int64(least_visits), np.int64(most), np.int64(steps)
            if tr.transplant(self._tree, self._spare, np.int64(root), progress, *numbers):
                break
            if search is not None and search.finished():
                steps = 0
        self._tree, self._spare = self._spare, self._tree
        self._share_out(int(progress[1]))

    def _prune(self, search: Search) -> None:
        """Make room: forget what grows from nodes that were seldom visited."""
        links = self._tree.links
        children = int(links[tr.ROOT, tr.SHAPE]) >> 2
        # A level of the tree has at most visits / least nodes that stay, and there are a few such levels.
        least = 10 * int(links[tr.ROOT, tr.VISITS]) * children // len(links)
        self._move_tree(tr.ROOT, max(least, 4 * int(self._settings.patience)), search)

    def _share_out(self, used: int) -> None:
        """Give each thread slots of its own, behind those that are in use."""
        self._used = used
        share = (len(self._tree.links) - used) // len(self._crew)
        for i, worker in enumerate(self._crew):
            worker.board[tr.NEXT_SLOT] = used + i * share
            worker.board[tr.END_SLOT] = used + (i + 1) * share
            worker.board[tr.FULL] = 0


class _News:
    """Tells a listener of progress, now and then."""

    def __init__(self, player: MctsPlayer, position: Position, search: Search) -> None:
        self._player, self._position, self._search = player, position, search
        self._told = search.seconds

    def tell(self) -> None:
        search = self._search
        if search.listener is None or search.seconds < self._told + _NEWS_SECONDS:
            return
        self._told = search.seconds
        lines = Reader(self._player.tree, self._position).lines(search.lines)
        depth = len(lines[0].moves)
        search.listener(Thought(lines, depth, self._player.simulations, search.seconds))


class _Worker:
    """What one thread has for itself."""

    def __init__(self, player: MctsPlayer, number: int) -> None:
        room = player.game.max_moves
        self.number = number
        self.board, self.floors = tr.make_board()
        self._scratch = np.empty(room, dtype=np.int64), np.empty(room)

    @property
    def done(self) -> int:
        return int(self.board[tr.DONE])

    def step(self, player: MctsPlayer, position: Position, stream: np.uint64, count: int) -> None:
        """Make up to so many simulations; how they go is settled by the stream and their numbers."""
        with np.errstate(over="ignore"):
            seed = np.uint64(split(stream, self.number))
        arrays = player.tree, self.board, self.floors
        how = player.settings, player.weights(position), seed, np.int64(count)
        uct.simulate(position.state, *arrays, *how, *self._scratch)

    def run(
        self, player: MctsPlayer, position: Position, search: Search, stream: np.uint64, news: _News | None
    ) -> None:
        """Simulate in slices of a few milliseconds until the limit, a certain result, or a full tree."""
        share, batch = search.limit.nodes, 1
        while True:
            count = batch if share is None else min(batch, share - self.done)
            before = search.seconds
            self.step(player, position, stream, count)
            spent = search.seconds - before
            if search.finished() or self.done == share or player.proven or player.crowded():
                return
            if news is not None:
                news.tell()
            wanted = min(_SLICE_SECONDS, search.seconds_left)
            batch = max(1, min(batch * 4, int(count * wanted / max(spent, 1e-6))))

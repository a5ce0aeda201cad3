"""Expectimax: iterative deepening, in turns, over the expectation of all throws."""

from __future__ import annotations

import threading
from dataclasses import replace

import numpy as np

from forgeron.core.chance import next_decision
from forgeron.core.contract import offers
from forgeron.core.game import Game
from forgeron.core.options import Option
from forgeron.core.position import Position
from forgeron.kernels import expectimax as em
from forgeron.kernels import expectimax_workspace as wsp
from forgeron.kernels.expectimax_values import SCALE
from forgeron.kernels.expectimax_workspace import Pruning
from forgeron.kernels.search_flags import combined
from forgeron.kernels.transposition_table import MISS, have_in_memory, make_table, move_of, probe, smaller_table
from forgeron.players.base import AUTO, EVAL, Choice, Limit, Line, Player, Search, Thought
from forgeron.players.interrupt_watch import InterruptWatch
from forgeron.players.time_management import TimeManager

#: The values of the option `pruning`, each added to those before it; the transposition table is always used.
PRUNING = {
    "none": combined([Pruning.TABLE]),
    "alphabeta": combined([Pruning.TABLE, Pruning.ALPHA_BETA]),
    "star1": combined([Pruning.TABLE, Pruning.ALPHA_BETA, Pruning.STAR1]),
    "star2": combined([Pruning.TABLE, Pruning.ALPHA_BETA, Pruning.STAR1, Pruning.STAR2]),
}
#: Throws of a turn that are searched, and those that are where every turn after this one has a known value.
_THROWS, _EXACT_THROWS = 2, 6
#: So few nodes are over before anybody could say stop; watching them would take longer.
_QUICK_NODES = 20_000


class ExpectimaxPlayer(Player):
    """Iterative deepening, in turns, over expectimax with Star pruning and a transposition table.

    Where the game has exact values (`forgeron solve`) they take the place of search and evaluation: a position all of
    whose turns end in known ones is played perfectly.

    Offered for games with chance. Without throws it is an alpha-beta search, and can be asked for by name; `minimax`
    is the better one there. Always one thread.
    """

    name = "expectimax"
    judges = True
    summary = "the best move of a search that weighs every throw by its probability"
    options = {
        "hash": Option(16, (1, 4, 16, 64, 256, 1024), "size of the transposition table in MB"),
        "pruning": Option("star2", tuple(PRUNING), "what is left out of the search; never changes its values"),
        "eval": replace(EVAL, default=AUTO, help=f"{EVAL.help}; auto: the network if there is one"),
        "exact": Option(True, (False, True), "use the exact values of the game, where some are known"),
    }

    @classmethod
    def plays(cls, game: Game) -> bool:
        return offers(game.state_class, "chance")

    @classmethod
    def why_not(cls, game: Game) -> None:
        return None

    def warm(self) -> None:
        self._table = make_table(int(self.chosen["hash"]))
        self._exact = self.game.table() if self.chosen["exact"] else np.zeros(0, dtype=np.uint16)
        self._workspace, self._reals = wsp.make_workspace(self.game.max_moves, _THROWS)
        self._workspace[wsp.PRUNING] = PRUNING[str(self.chosen["pruning"])]
        self._generation = 0
        self._reached = 0
        start = next_decision(self.game.start())
        self._table_weights = self.weights(start)
        self._search_once(start, 1, self._table)

    def get_ready(self, limit: Limit) -> None:
        if limit.nodes is None:
            have_in_memory(self._table)

    def think(self, position: Position, search: Search) -> Choice:
        table = self._begin(position, search)
        timing = TimeManager(search.limit)
        if search.limit.seconds is None and search.limit.nodes is not None and search.limit.nodes <= _QUICK_NODES:
            depth = self._deepen(position, search, timing, table)
        else:
            with InterruptWatch() as ctrl_c:
                done = threading.Event()
                watch = threading.Thread(target=self._watch, args=(search, timing, done, ctrl_c), daemon=True)
                watch.start()
                try:
                    depth = self._deepen(position, search, timing, table)
                finally:
                    done.set()
                    watch.join()
        lines = self._best_lines(position, table)
        nodes = int(self._workspace[wsp.NODES])
        return Choice(lines[0].moves[0], lines[0].value, lines[0].moves, depth, nodes, search.seconds, lines)

    @property
    def was_exact(self) -> bool:
        """Whether all values of the last answer were exact: the turn ends among positions whose values are known."""
        workspace = self._workspace
        return bool(len(self._exact) and workspace[wsp.MAX_THROWS] == _EXACT_THROWS and not workspace[wsp.STOP])

    def _begin(self, position: Position, search: Search) -> np.ndarray:
        """Get ready for a search; the table to use."""
        self._generation += 1
        wsp.new_search(self._workspace, self._generation, search.limit.nodes or 1 << 62)
        self._workspace[wsp.MULTI_PV] = search.lines
        self._ranked: list[tuple[int, int]] = []
        if search.limit.nodes is not None:
            # The same answer whatever was searched before; a small table is quickly cleared.
            table = smaller_table(self._table, max(512, 2 * search.limit.nodes))
            table[:] = 0
            return table
        if self.weights(position) is not self._table_weights:
            # This evaluation differs by player, and the values in the table are by the other one's.
            self._table_weights = self.weights(position)
            self._table[:] = 0
        return self._table

    def _watch(self, search: Search, timing: TimeManager, done: threading.Event, ctrl_c: InterruptWatch) -> None:
        """Stop the kernel when the time is over, `stop` is called or Ctrl-C pressed: it only looks at its workspace."""
        while not done.wait(max(min(timing.allowed_seconds - search.seconds, 0.01), 0.0)):
            if search.stopped or ctrl_c.occurred() or search.seconds >= timing.allowed_seconds:
                self._workspace[wsp.STOP] = 1
                return

    def _deepen(self, position: Position, search: Search, timing: TimeManager, table: np.ndarray) -> int:
        """Search a turn deeper each time until the limit or a certain result; the last depth that was finished."""
        self._reached = 0
        self._workspace[wsp.MAX_THROWS] = _THROWS
        for depth in range(1, min(search.limit.depth or em.MAX_DEPTH, em.MAX_DEPTH) + 1):
            wsp.new_depth(self._workspace)
            self._search_once(position, depth, table)
            self._rank()
            if self._workspace[wsp.STOP]:
                break
            self._reached = depth
            if search.listener is not None:
                lines = self._best_lines(position, table)
                search.listener(Thought(lines, depth, int(self._workspace[wsp.NODES]), search.seconds))
            if not wsp.MAX_PLY < self._ranked[0][1] < SCALE - wsp.MAX_PLY:
                break
            if self._workspace[wsp.MAX_THROWS] == _EXACT_THROWS:
                break  # another turn would be searched in vain
            if len(self._exact) and not self._workspace[wsp.ESTIMATED_TURNS]:
                self._workspace[wsp.MAX_THROWS] = _EXACT_THROWS
            elif not timing.may_deepen(self._ranked[0][0], _probability(self._ranked[0][1]), search.seconds):
                break
        return self._reached

    def _search_once(self, position: Position, depth: int, table: np.ndarray) -> None:
        who, window = np.int64(position.turn or 0), (np.int64(-1), np.int64(SCALE + 1))
        zero = np.int64(0)
        scratch = self._workspace, self._reals, table, self.weights(position), self._exact
        em.search(position.state, who, np.int64(depth), *window, zero, zero, zero, *scratch)

    def _rank(self) -> None:
        """The moves that the last depth has valued, the best first, before what the depth before it thought."""
        ranked = sorted(wsp.root_values(self._workspace), key=lambda pair: -pair[1])
        valued = {move for move, _ in ranked}
        if not ranked and not self._ranked:
            ranked = [(int(self._workspace[wsp.BEST_MOVE]), SCALE // 2)]
        self._ranked = ranked + [pair for pair in self._ranked if pair[0] not in valued]

    def _best_lines(self, position: Position, table: np.ndarray) -> tuple[Line, ...]:
        best = self._ranked[: int(self._workspace[wsp.MULTI_PV])]
        depth = max(self._reached, 1)
        return tuple(Line(self._line(position, move, table, depth), _probability(value)) for move, value in best)

    def _line(self, position: Position, move: int, table: np.ndarray, depth: int) -> tuple[str, ...]:
        """The move, and how the table expects the game to go on, as far as nothing is thrown."""
        line: list[str] = []
        with np.errstate(over="ignore"):
            while len(line) < 20:
                who = position.turn
                position = position.push(move)
                line.append(str(position.last_move))
                depth -= position.turn != who
                if position.turn is None or position.turn == "chance" or depth < 1:
                    break
                data = probe(
                    table, em.table_key(np.uint64(position.key), np.int64(depth), self._workspace[wsp.MAX_THROWS])
                )
                if data == MISS or move_of(data) not in position.moves:
                    break
                move = int(move_of(data))
        return tuple(line)


def _probability(value: int) -> float:
    """A value as an expected result; what only the plies to it keep from certainty is certain."""
    return 1.0 if value >= SCALE - wsp.MAX_PLY else 0.0 if value <= wsp.MAX_PLY else value / SCALE

"""Expectimax: the best move by the expectation over all throws, a turn deeper each time."""

from __future__ import annotations

import threading

import numpy as np

from forgeron.core.contract import offers
from forgeron.core.game import Game, Option
from forgeron.core.position import Position
from forgeron.kernels import expectimax as em
from forgeron.kernels.table import NOTHING, make_table, move_of, part_of, probe
from forgeron.players.base import EVAL, Choice, Line, Player, Search, Thought

#: What is pruned, each idea added to those before it.
PRUNING = {
    "none": em.TABLE,
    "alphabeta": em.TABLE | em.ALPHABETA,
    "star1": em.TABLE | em.ALPHABETA | em.STAR1,
    "star2": em.EVERYTHING,
}
#: So few nodes are over before anybody could say stop; watching them would take longer.
_QUICK_NODES = 20_000


class ExpectimaxPlayer(Player):
    """Iterative deepening, in turns, over expectimax with Star pruning and a transposition table.

    Offered for games with chance. Without throws it is an alpha-beta search, and can be asked for by name; `minimax`
    is the better one there. Always one thread.
    """

    name = "expectimax"
    judges = True
    summary = "the best move of a search that weighs every throw by its probability"
    options = {
        "hash": Option(16, (1, 4, 16, 64, 256, 1024), "size of the transposition table in MB"),
        "pruning": Option("star2", tuple(PRUNING), "what is left out of the search; never changes its values"),
        "eval": EVAL,
    }

    @classmethod
    def plays(cls, game: Game) -> bool:
        return offers(game.state_class, "chance")

    def warm(self) -> None:
        self._table = make_table(int(self.chosen["hash"]))
        self._board = em.make_board(self.game.max_moves)
        self._board[em.FLAGS] = PRUNING[str(self.chosen["pruning"])]
        self._floats = em.make_floats(self.game.max_moves)
        self._generation = 0
        self._reached = 0
        start = self.game.start()
        while start.turn == "chance":
            start = start.push(start.moves[0])
        self._judged_by = self.weights(start)
        self._search_once(start, 1, self._table)

    def think(self, position: Position, search: Search) -> Choice:
        table = self._begin(position, search)
        if search.limit.seconds is None and search.limit.nodes is not None and search.limit.nodes <= _QUICK_NODES:
            depth = self._deepen(position, search, table)
        else:
            watch = threading.Thread(target=self._watch, args=(search, done := threading.Event()), daemon=True)
            watch.start()
            try:
                depth = self._deepen(position, search, table)
            finally:
                done.set()
                watch.join()
        lines = self._best_lines(position, table)
        nodes = int(self._board[em.NODES])
        return Choice(lines[0].moves[0], lines[0].value, lines[0].moves, depth, nodes, search.seconds, lines)

    def _begin(self, position: Position, search: Search) -> np.ndarray:
        """Make everything ready; the table to use."""
        self._generation += 1
        em.new_search(self._board, self._generation, search.limit.nodes or 1 << 62)
        self._board[em.LINES] = search.lines
        self._ranked: list[tuple[int, int]] = []
        if search.limit.nodes is not None:
            # The same answer whatever was searched before; a small table is quickly cleared.
            table = part_of(self._table, max(512, 2 * search.limit.nodes))
            table[:] = 0
            return table
        if self.weights(position) is not self._judged_by:
            # An evaluation that differs by player: what is in the table was judged by the other one's.
            self._judged_by = self.weights(position)
            self._table[:] = 0
        return self._table

    def _watch(self, search: Search, done: threading.Event) -> None:
        """Stop the kernel when the time is over or somebody says so: it only looks at its board."""
        while not done.wait(max(min(search.seconds_left, 0.01), 0.0)):
            if search.finished():
                self._board[em.STOP] = 1
                return

    def _deepen(self, position: Position, search: Search, table: np.ndarray) -> int:
        """Search a turn deeper each time until the limit or a certain result; the last depth that was finished."""
        self._reached = 0
        for depth in range(1, min(search.limit.depth or em.MAX_DEPTH, em.MAX_DEPTH) + 1):
            em.new_depth(self._board)
            self._search_once(position, depth, table)
            self._rank()
            if self._board[em.STOP]:
                break
            self._reached = depth
            if search.listener is not None:
                lines = self._best_lines(position, table)
                search.listener(Thought(lines, depth, int(self._board[em.NODES]), search.seconds))
            if not em.MAX_PLY < self._ranked[0][1] < em.SCALE - em.MAX_PLY:
                break
        return self._reached

    def _search_once(self, position: Position, depth: int, table: np.ndarray) -> None:
        who, window = np.int64(position.turn or 0), (np.int64(-1), np.int64(em.SCALE + 1))
        zero = np.int64(0)
        scratch = self._board, self._floats, table, self.weights(position)
        em.search(position.state, who, np.int64(depth), *window, zero, zero, zero, *scratch)

    def _rank(self) -> None:
        """The moves that the last depth has valued, the best first, before what the depth before it thought."""
        board, width, n = self._board, int(self._board[em.WIDTH]), int(self._board[em.VALUED])
        listed = board[em.ROOT : em.ROOT + n].tolist()
        values = board[em.ROOT + width : em.ROOT + width + n].tolist()
        ranked = sorted(zip(listed, values, strict=True), key=lambda pair: -pair[1])
        if not ranked and not self._ranked:
            ranked = [(int(board[em.BEST]), em.SCALE // 2)]
        self._ranked = ranked + [pair for pair in self._ranked if pair[0] not in listed]

    def _best_lines(self, position: Position, table: np.ndarray) -> tuple[Line, ...]:
        best = self._ranked[: int(self._board[em.LINES])]
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
                data = probe(table, em.place_of(np.uint64(position.key), np.int64(depth), np.int64(0)))
                if data == NOTHING or move_of(data) not in position.moves:
                    break
                move = int(move_of(data))
        return tuple(line)


def _probability(value: int) -> float:
    """A value as an expected result; what can only fade to certainty is certain."""
    return 1.0 if value >= em.SCALE - em.MAX_PLY else 0.0 if value <= em.MAX_PLY else value / em.SCALE

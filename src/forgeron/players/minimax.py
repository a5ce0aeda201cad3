"""Minimax with alpha-beta pruning: looks as deep as its limit allows, a ply deeper each time."""

from __future__ import annotations

import math
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from forgeron.core.contract import offers
from forgeron.core.errors import OptionError
from forgeron.core.game import Game, Option
from forgeron.core.position import Position
from forgeron.kernels import alphabeta as ab
from forgeron.kernels.table import NOTHING, make_table, move_of, probe
from forgeron.players.base import EVAL, Choice, Player, Search

#: What the search is made of, each idea added to those before it.
IDEAS = {
    "minimax": 0,
    "alphabeta": ab.PRUNING,
    "table": ab.PRUNING | ab.TABLE,
    "killers": ab.PRUNING | ab.TABLE | ab.KILLERS,
    "history": ab.PRUNING | ab.TABLE | ab.KILLERS | ab.HISTORY,
    "scouting": ab.EVERYTHING & ~ab.REDUCTIONS,
    "full": ab.EVERYTHING,
}
#: Half the width of the first window around the last value.
_WINDOW = 60
_BOUND = ab.WON + 1


class MinimaxPlayer(Player):
    """Iterative deepening over principal variation search with a transposition table.

    Threads search the same position with a shared table (lazy SMP); the first one's answer counts.
    """

    name = "minimax"
    summary = "the best move of a deep search by the evaluation"
    options = {
        "hash": Option(64, (1, 4, 16, 64, 256, 1024), "size of the transposition table in MB"),
        "ideas": Option("full", tuple(IDEAS), "what the search is made of, each idea added to those before it"),
        "eval": EVAL,
    }

    @classmethod
    def plays(cls, game: Game) -> bool:
        return not offers(game.state_class, "chance")

    def warm(self) -> None:
        if not self.plays(self.game):
            raise OptionError(f"minimax does not play games with chance such as {self.game.title}")
        self._table = make_table(int(self.chosen["hash"]))
        self._boards = [ab.make_board(self.game.max_moves) for _ in range(self.threads)]
        for board in self._boards:
            board[ab.FLAGS] = IDEAS[str(self.chosen["ideas"])]
        self._generation = 0
        self._judged_by = self.weights(self.game.start())
        self._search_once(self._boards[0], self.game.start(), 1, -_BOUND, _BOUND)

    def think(self, position: Position, search: Search) -> Choice:
        self._begin(position, search)
        watch = threading.Thread(target=self._watch, args=(search, done := threading.Event()), daemon=True)
        watch.start()
        try:
            # Threads race through the shared table: a number of nodes, which promises the same answer, has one.
            if self.threads == 1 or search.limit.nodes is not None:
                move, value, depth = self._deepen(self._boards[0], position, search, 1)
            else:
                with ThreadPoolExecutor(self.threads - 1) as pool:
                    for i, board in enumerate(self._boards[1:], start=1):
                        pool.submit(self._deepen, board, position, search, 1 + i % 2)
                    try:
                        move, value, depth = self._deepen(self._boards[0], position, search, 1)
                    finally:
                        self._halt()
        finally:
            done.set()
            watch.join()
        nodes = sum(int(board[ab.NODES]) for board in self._boards)
        line = self._line(position, move)
        return Choice(line[0], _probability(value), line, depth, nodes, search.seconds)

    def _begin(self, position: Position, search: Search) -> None:
        self._generation += 1
        if self.weights(position) is not self._judged_by:
            # An evaluation that differs by player: what is in the table was judged by the other one's.
            self._judged_by = self.weights(position)
            self._table[:] = 0
        for board in self._boards:
            ab.new_search(board, self._generation, search.limit.nodes or 1 << 62)
        if search.limit.nodes is not None:
            # The same answer whatever was searched before.
            self._table[:] = 0
            for board in self._boards:
                ab.forget(board)

    def _watch(self, search: Search, done: threading.Event) -> None:
        """Stop the kernels when the time is over or somebody says so: they only look at their boards."""
        while not done.wait(max(min(search.seconds_left, 0.01), 0.0)):
            if search.finished():
                self._halt()
                return

    def _halt(self) -> None:
        for board in self._boards:
            board[ab.STOP] = 1

    def _deepen(self, board: np.ndarray, position: Position, search: Search, first: int) -> tuple[int, int, int]:
        """Search a ply deeper each time; the best move, its value, and the last depth that was finished."""
        move, value, reached = position.moves[0], 0, 0
        deepest = min(search.limit.depth or ab.MAX_PLY - 2, ab.MAX_PLY - 2)
        for depth in range(min(first, deepest), deepest + 1):
            found = self._around(board, position, depth, value if reached else None)
            if int(board[ab.BEST]) != ab.NONE:
                move = int(board[ab.BEST])
                value = int(board[ab.BEST_VALUE])
            if board[ab.STOP]:
                break
            value, reached = found, depth
            if abs(value) > ab.PROVEN and ab.WON - abs(value) <= depth:
                break
        return move, value, reached

    def _around(self, board: np.ndarray, position: Position, depth: int, guess: int | None) -> int:
        """The value at this depth, looked for in a window around the guess that widens when it is missed."""
        width = _WINDOW
        low, high = (-_BOUND, _BOUND) if guess is None or depth < 4 else (guess - width, guess + width)
        while True:
            board[ab.BEST] = ab.NONE
            value = self._search_once(board, position, depth, max(low, -_BOUND), min(high, _BOUND))
            if board[ab.STOP] or low < value < high or not board[ab.FLAGS] & ab.PRUNING:
                return value
            width *= 4
            low, high = (value - width, high) if value <= low else (low, value + width)

    def _search_once(self, board: np.ndarray, position: Position, depth: int, low: int, high: int) -> int:
        window = np.int64(low), np.int64(high)
        root, nothing = np.int64(0), np.int64(ab.NONE)
        weights = self.weights(position)
        return int(ab.search(position.state, np.int64(depth), *window, root, nothing, board, self._table, weights))

    def _line(self, position: Position, move: int) -> tuple[str, ...]:
        """The move, and how the table expects the game to go on."""
        line: list[str] = []
        with np.errstate(over="ignore"):
            while len(line) < 20:
                position = position.push(move)
                line.append(str(position.last_move))
                data = probe(self._table, np.uint64(position.key))
                if position.turn is None or data == NOTHING or move_of(data) not in position.moves:
                    break
                move = int(move_of(data))
        return tuple(line)


def _probability(value: int) -> float:
    """The value of a search as an expected result."""
    if abs(value) > ab.PROVEN:
        return 1.0 if value > 0 else 0.0
    return 1 / (1 + math.exp(-value / 1000))

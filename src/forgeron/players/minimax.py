"""Minimax with alpha-beta pruning: looks as deep as its limit allows, a ply deeper each time."""

from __future__ import annotations

import math
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass

import numpy as np

from forgeron.core.contract import offers
from forgeron.core.errors import OptionError
from forgeron.core.game import Game, Option
from forgeron.core.odds import probability_of
from forgeron.core.position import Position
from forgeron.core.stopwatch import now_ns
from forgeron.kernels import alphabeta as ab
from forgeron.kernels.table import NOTHING, make_table, move_of, part_of, probe, unmark
from forgeron.players.base import EVAL, Choice, Line, Player, Search, Thought
from forgeron.players.pacing import Pace

#: What the search is made of, each idea added to those before it (docs/players.md).
IDEAS = {
    "minimax": 0,
    "alphabeta": ab.PRUNING,
    "deepening": ab.PRUNING | ab.DEEPENING,
    "table": ab.PRUNING | ab.DEEPENING | ab.TABLE,
    "killers": ab.PRUNING | ab.DEEPENING | ab.TABLE | ab.KILLERS,
    "history": ab.PRUNING | ab.DEEPENING | ab.TABLE | ab.KILLERS | ab.HISTORY,
    "scouting": ab.EVERYTHING & ~ab.REDUCTIONS,
    "full": ab.EVERYTHING,
}
#: The depth of a search that does not deepen, where neither its option nor its limit names one.
FIXED_DEPTH = 4
#: Half the width of the first window around the last value; a value that misses a window this wide is looked for
#: everywhere.
_WINDOW, _WIDEST = 60, 2000
_BOUND = ab.WON + 1
#: What is needed after the search, for the line and the way back, at most and of a short time.
_RESERVE_SECONDS, _RESERVE_SHARE = 0.004, 0.04
#: Entries of the table for each node of a search of so many nodes: a table that is cleared first should be small.
_ENTRIES_PER_NODE = 4


@dataclass(frozen=True)
class _Found:
    """A move of the root with its value, as the kernel counts both."""

    move: int
    value: int


@dataclass(frozen=True)
class _Task:
    """A search of the root that the first thread is at."""

    depth: int
    low: int
    high: int
    first: int = ab.NONE
    excluded: tuple[int, ...] = ()


class MinimaxPlayer(Player):
    """Iterative deepening over principal variation search with a transposition table.

    Threads search the same position with a shared table, each leaving for later what another is at; the first one's
    answer counts. Without the idea `deepening` one fixed depth is searched: its moves come in the order of the rules,
    and when the limit ends it the best of those tried so far is played.
    """

    name = "minimax"
    judges = True
    summary = "the best move of a deep search by the evaluation"
    options = {
        "hash": Option(64, (1, 4, 16, 64, 256, 1024), "size of the transposition table in MB"),
        "ideas": Option("full", tuple(IDEAS), "what the search is made of, each idea added to those before it"),
        "depth": Option(
            0,
            range(ab.MAX_PLY - 1),
            f"plies to look ahead at most; 0: any number, without `deepening` {FIXED_DEPTH}",
        ),
        "eval": EVAL,
    }

    @classmethod
    def plays(cls, game: Game) -> bool:
        return not offers(game.state_class, "chance")

    def warm(self) -> None:
        if not self.plays(self.game):
            raise OptionError(f"minimax does not play games with chance such as {self.game.title}")
        self._flags = IDEAS[str(self.chosen["ideas"])]
        self._all_of_table = make_table(int(self.chosen["hash"]))
        self._table = self._all_of_table
        self._boards = [ab.make_board(self.game.max_moves) for _ in range(self.threads)]
        for board in self._boards:
            board[ab.FLAGS] = self._flags
        self._watching = threading.Lock()
        self._pool = ThreadPoolExecutor(max(self.threads - 1, 1))
        self._helping: list[Future[None]] = []
        self._task: _Task | None = None
        self._generation = 0
        self._judged_by = self.weights(self.game.start())
        self._search_once(self._boards[0], self.game.start(), 1, -_BOUND, _BOUND)

    def glance(self, position: Position) -> float:
        """The evaluation one ply ahead."""
        wait(self._helping)
        board = self._boards[0]
        ab.new_search(board, self._generation)
        return probability(self._search_once(board, position, 1, -_BOUND, _BOUND))

    def think(self, position: Position, search: Search) -> Choice:
        self._begin(position, search)
        pace = Pace(search.limit)
        self._set_deadline(search, pace)
        done = threading.Event()
        threading.Thread(target=self._watch, args=(search, pace, done), daemon=True).start()
        try:
            if self._boards[0][ab.FLAGS] & ab.SHARING:
                self._task = _Task(1, -_BOUND, _BOUND)
                self._helping = [self._pool.submit(self._help, board, position) for board in self._boards[1:]]
            found, depth = self._deepen(position, search, pace)
        finally:
            # Nobody is waited for here: on a busy machine it takes time until a thread wakes up to end itself.
            self._halt()
            with self._watching:
                done.set()
        lines = self._lines(position, found)
        best = lines[0]
        return Choice(best.moves[0], best.value, best.moves, depth, self._nodes, search.seconds, lines)

    @property
    def _nodes(self) -> int:
        return sum(int(board[ab.NODES]) for board in self._boards)

    def _begin(self, position: Position, search: Search) -> None:
        for helper in self._helping:
            helper.result()
        self._helping = []
        self._generation += 1
        # Threads race through the shared table: a number of nodes, which promises the same answer, has one.
        shared = self.threads > 1 and self._flags & ab.TABLE and search.limit.nodes is None
        for board in self._boards:
            ab.new_search(board, self._generation, search.limit.nodes or ab.NEVER)
            board[ab.FLAGS] = self._flags | (ab.SHARING if shared else 0)
        unmark(self._all_of_table)
        if self.weights(position) is not self._judged_by:
            # An evaluation that differs by player: what is in the table was judged by the other one's.
            self._judged_by = self.weights(position)
            self._all_of_table[:] = 0
        self._table = self._all_of_table
        if search.limit.nodes is not None:
            # The same answer whatever was searched before.
            self._table = part_of(self._all_of_table, _ENTRIES_PER_NODE * search.limit.nodes)
            self._table[:] = 0
            for board in self._boards:
                ab.forget(board)

    def _set_deadline(self, search: Search, pace: Pace) -> None:
        """Tell the kernel when to stop by itself, if it has the same clock as the player."""
        seconds = pace.allowed_seconds - min(_RESERVE_SECONDS, _RESERVE_SHARE * pace.allowed_seconds) - search.seconds
        if self._clock is time.perf_counter and now_ns() and math.isfinite(seconds):
            self._boards[0][ab.DEADLINE] = now_ns() + round(seconds * 1e9)

    def _watch(self, search: Search, pace: Pace, done: threading.Event) -> None:
        """Stop the kernels when somebody says so, or when the time is over by a clock that they do not have."""
        while not done.wait(max(min(pace.allowed_seconds - search.seconds, 0.01), 0.0)):
            if search.stopped or search.seconds >= pace.allowed_seconds:
                with self._watching:
                    if not done.is_set():
                        self._halt()
                return

    def _halt(self) -> None:
        self._assign(None)
        self._boards[0][ab.STOP] = 1

    def _assign(self, task: _Task | None) -> None:
        """Let the helpers leave what they are at for this task, or end without one."""
        self._task = task
        for board in self._boards[1:]:
            board[ab.STOP] = 1

    def _depths(self, search: Search) -> range:
        """The depths to search, one after the other."""
        chosen = [depth for depth in (search.limit.depth, int(self.chosen["depth"]) or None) if depth]
        deepest = min(*chosen, ab.MAX_PLY - 2) if chosen else ab.MAX_PLY - 2
        if self._flags & ab.DEEPENING:
            return range(1, deepest + 1)
        only = deepest if chosen else FIXED_DEPTH
        return range(only, only + 1)

    def _deepen(self, position: Position, search: Search, pace: Pace) -> tuple[list[_Found], int]:
        """Search depth after depth; the best moves, the best first, and the last depth that was finished."""
        board = self._boards[0]
        found, reached = [_Found(position.moves[0], 0)], 0
        for depth in self._depths(search):
            deeper = self._best_moves(board, position, depth, found if reached else [], search.lines)
            if board[ab.STOP]:
                return _merged(deeper, found if reached else []) or found, reached
            found, reached = deeper, depth
            if search.listener is not None:
                search.listener(Thought(self._lines(position, found), depth, self._nodes, search.seconds))
            if all(abs(one.value) > ab.PROVEN for one in found):
                break  # what is proven stays true however deep one looks
            if not pace.goes_on(found[0].move, probability(found[0].value), search.seconds):
                break
            self._set_deadline(search, pace)
        return found, reached

    def _help(self, board: np.ndarray, position: Position) -> None:
        """Fill the table for the first thread: search what it searches, leaving out what it is at just now."""
        while (task := self._task) is not None:
            board[ab.STOP] = 0
            board[ab.FIRST] = task.first
            ab.exclude(board, task.excluded)
            depth = task.depth
            while task is self._task and not board[ab.STOP]:
                value = self._search_once(board, position, depth, task.low, task.high)
                if not board[ab.STOP] and (abs(value) > ab.PROVEN or depth >= ab.MAX_PLY):
                    return
                depth += 1  # done before the first thread, which will need the next depth too

    def _best_moves(
        self, board: np.ndarray, position: Position, depth: int, before: list[_Found], count: int
    ) -> list[_Found]:
        """The best so many moves, the best first: each by a search without those found before it.

        There are at most 21. A search that was stopped may have found fewer of them, or none; the last one is then the
        best so far.
        """
        found: list[_Found] = []
        for i in range(min(count, len(position.moves), ab.MAX_EXCLUDED + 1)):
            excluded = tuple(one.move for one in found)
            ab.exclude(board, excluded)
            last = before[i] if i < len(before) else None
            board[ab.FIRST] = ab.NONE if last is None or last.move in excluded else last.move
            value = self._around(board, position, depth, None if last is None else last.value, excluded)
            if int(board[ab.BEST]) == ab.NONE:
                break
            stopped = bool(board[ab.STOP])
            # Of a stopped search a win is proven; a loss is not, while there are moves that were not tried.
            found.append(_Found(int(board[ab.BEST]), max(int(board[ab.BEST_VALUE]), -ab.PROVEN) if stopped else value))
            if stopped:
                break
        ab.exclude(board, ())
        # Reductions and what the table knows can make a later search the luckier one.
        return sorted(found, key=lambda one: -one.value)

    def _around(
        self, board: np.ndarray, position: Position, depth: int, guess: int | None, excluded: tuple[int, ...]
    ) -> int:
        """The value at this depth, looked for in a window around the guess that widens when it is missed."""
        width = _WINDOW
        low, high = (-_BOUND, _BOUND) if guess is None or depth < 4 else (guess - width, guess + width)
        board[ab.BEST] = ab.NONE
        while True:
            low, high = max(low, -_BOUND), min(high, _BOUND)
            self._assign(_Task(depth, low, high, int(board[ab.FIRST]), excluded))
            value = self._search_once(board, position, depth, low, high)
            if board[ab.STOP] or low < value < high or not board[ab.FLAGS] & ab.PRUNING:
                return value
            if value >= high:
                board[ab.FIRST] = board[ab.BEST]  # better than the window: the best so far
            else:
                board[ab.BEST] = ab.NONE  # all worse than the window: none is shown to be the best
            width = width * 4 if width < _WIDEST and abs(value) < ab.PROVEN else 2 * _BOUND
            low, high = (value - width, high) if value <= low else (low, value + width)

    def _search_once(self, board: np.ndarray, position: Position, depth: int, low: int, high: int) -> int:
        window = np.int64(low), np.int64(high)
        root, nothing = np.int64(0), np.int64(ab.NONE)
        weights = self.weights(position)
        return int(ab.search(position.state, np.int64(depth), *window, root, nothing, board, self._table, weights))

    def _lines(self, position: Position, found: list[_Found]) -> tuple[Line, ...]:
        return tuple(
            Line(self._line(position, one.move), probability(one.value), proven=abs(one.value) > ab.PROVEN)
            for one in found
        )

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


def _merged(deeper: list[_Found], found: list[_Found]) -> list[_Found]:
    """What a stopped depth has found, and behind it the moves of the depth before, which cannot be worth more."""
    if not deeper:
        return found
    seen, most = {one.move for one in deeper}, max(deeper[-1].value, -ab.PROVEN)
    rest = [_Found(one.move, min(one.value, most)) for one in found if one.move not in seen]
    return [*deeper, *rest][: max(len(found), 1)]


def probability(value: int) -> float:
    """The value of a search as an expected result."""
    if abs(value) > ab.PROVEN:
        return 1.0 if value > 0 else 0.0
    return probability_of(value / 1000)

"""Minimax with alpha-beta pruning: iterative deepening as far as the limit allows."""

from __future__ import annotations

import math
import threading
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass

import numpy as np

from forgeron.core.contract import offers
from forgeron.core.game import Game
from forgeron.core.kernel_clock import KERNEL_CLOCKS, now_ns
from forgeron.core.odds import probability_of
from forgeron.core.options import Option
from forgeron.core.position import Position
from forgeron.kernels import alphabeta as ab
from forgeron.kernels import alphabeta_workspace as wsp
from forgeron.kernels.alphabeta_workspace import Enhancement
from forgeron.kernels.search_flags import combined
from forgeron.kernels.transposition_table import (
    MISS,
    clear_busy_marks,
    have_in_memory,
    make_table,
    move_of,
    probe,
    smaller_table,
)
from forgeron.players.base import EVAL, Choice, Limit, Line, Player, Search, Thought
from forgeron.players.interrupt_watch import InterruptWatch
from forgeron.players.time_management import TimeManager

#: The values of the option `enhancements`, each with what it adds to those before it (docs/players.md).
_ADDED: dict[str, Enhancement | None] = {
    "minimax": None,
    "alphabeta": Enhancement.ALPHA_BETA,
    "deepening": Enhancement.DEEPENING,
    "table": Enhancement.TABLE,
    "killers": Enhancement.KILLERS,
    "history": Enhancement.HISTORY,
    "pvs": Enhancement.PVS,
    "reductions": Enhancement.LMR,
    "full": Enhancement.PROBCUT,
}
#: Each of them with the flags of the search.
ENHANCEMENTS = {
    name: combined(flag for flag in list(_ADDED.values())[: i + 1] if flag) for i, name in enumerate(_ADDED)
}
#: The depth of a search that does not deepen, where neither its option nor its limit names one.
FIXED_DEPTH = 4
#: When a result is proven, a game with classes of results is searched so many plies deeper.
_DEPTHS_FOR_CLASS = 2
#: Half the width of the first aspiration window around the last value. One that is this wide and still missed is
#: replaced by the full window.
_ASPIRATION, _MAX_ASPIRATION = 60, 2000
_INFINITY = ab.WIN + 1
#: Time kept back for what follows the search, the line and the way to the caller: the smaller of seconds and fraction.
_RESERVE_SECONDS, _RESERVE_FRACTION = 0.004, 0.04
#: ProbCut trusts a shallower value that is outside the window by more than so many standard deviations of its error.
_CONFIDENCE = 0.9
#: Table entries for each node of a limit of nodes: such a search clears the table first, so it should be small.
_ENTRIES_PER_NODE = 4


@dataclass(frozen=True)
class _RootMove:
    """A move of the root with its value, both as the kernel has them."""

    move: int
    value: int


@dataclass(frozen=True)
class _Task:
    """The search of the root that the main thread is making."""

    depth: int
    alpha: int
    beta: int
    first_move: int = wsp.NO_MOVE
    excluded: tuple[int, ...] = ()


class MinimaxPlayer(Player):
    """Iterative deepening over principal variation search with a transposition table.

    Threads search the same position with a shared table, each deferring the moves that another one is searching
    (ABDADA); the main thread's answer counts. Without `deepening` one fixed depth is searched: its moves come in the
    order of the rules, and when the limit ends it the best of those tried so far is played.
    """

    name = "minimax"
    judges = True
    summary = "the best move of a deep search by the evaluation"
    options = {
        "hash": Option(64, (1, 4, 16, 64, 256, 1024), "size of the transposition table in MB"),
        "enhancements": Option("full", tuple(ENHANCEMENTS), "of plain minimax, each added to those before it"),
        "depth": Option(
            0,
            range(wsp.MAX_PLY - 1),
            f"plies to look ahead at most; 0: any number, without `deepening` {FIXED_DEPTH}",
        ),
        "eval": EVAL,
    }

    @classmethod
    def plays(cls, game: Game) -> bool:
        return not offers(game.state_class, "chance")

    @classmethod
    def why_not(cls, game: Game) -> str | None:
        said = f"{cls.name} does not play games with chance such as {game.title}: expectimax does"
        return None if cls.plays(game) else said

    def warm(self) -> None:
        self._flags = ENHANCEMENTS[str(self.chosen["enhancements"])]
        self._whole_table = make_table(int(self.chosen["hash"]))
        self._table = self._whole_table
        self._workspaces = [wsp.make_workspace(self.game.max_moves) for _ in range(self.threads)]
        for workspace in self._workspaces:
            workspace[wsp.ENHANCEMENTS] = self._flags
            # Where nothing is known of an evaluation's errors, ProbCut does nothing.
            wsp.set_margins(workspace, self.game.errors_of(self._evaluation_name), _CONFIDENCE)
        self._watching = threading.Lock()
        self._pool = ThreadPoolExecutor(max(self.threads - 1, 1))
        self._helpers: list[Future[None]] = []
        self._task: _Task | None = None
        self._generation = 0
        self._table_weights = self.weights(self.game.start())
        self._search_once(self._workspaces[0], self.game.start(), 1, -_INFINITY, _INFINITY)

    def get_ready(self, limit: Limit) -> None:
        if limit.nodes is None:
            have_in_memory(self._whole_table)

    def glance(self, position: Position) -> float:
        """The evaluation one ply ahead."""
        wait(self._helpers)
        workspace = self._workspaces[0]
        wsp.new_search(workspace, self._generation)
        return probability(self._search_once(workspace, position, 1, -_INFINITY, _INFINITY))

    def think(self, position: Position, search: Search) -> Choice:
        self._begin(position, search)
        timing = TimeManager(search.limit)
        self._set_deadline(search, timing)
        done = threading.Event()
        with InterruptWatch() as ctrl_c:
            watch = threading.Thread(target=self._watch, args=(search, timing, done, ctrl_c), daemon=True)
            try:
                watch.start()
                if self._workspaces[0][wsp.ENHANCEMENTS] & Enhancement.ABDADA:
                    self._task = _Task(1, -_INFINITY, _INFINITY)
                    self._helpers = [
                        self._pool.submit(self._help, workspace, position) for workspace in self._workspaces[1:]
                    ]
                found, depth = self._deepen(position, search, timing)
            finally:
                # The helpers are not waited for here: on a busy machine a thread takes time to wake up and end.
                self._halt()
                with self._watching:
                    done.set()
        lines = self._lines(position, found)
        best = lines[0]
        return Choice(best.moves[0], best.value, best.moves, depth, self._nodes, search.seconds, lines)

    @property
    def _nodes(self) -> int:
        return sum(int(workspace[wsp.NODES]) for workspace in self._workspaces)

    def _begin(self, position: Position, search: Search) -> None:
        for helper in self._helpers:
            helper.result()
        self._helpers = []
        self._generation += 1
        # Threads race through the shared table: a limit of nodes, which promises the same answer, has one thread.
        parallel = self.threads > 1 and self._flags & Enhancement.TABLE and search.limit.nodes is None
        for workspace in self._workspaces:
            wsp.new_search(workspace, self._generation, search.limit.nodes or wsp.NEVER)
            workspace[wsp.ENHANCEMENTS] = self._flags | (Enhancement.ABDADA if parallel else 0)
        clear_busy_marks(self._whole_table)
        if self.weights(position) is not self._table_weights:
            # This evaluation differs by player, and the values in the table are by the other one's.
            self._table_weights = self.weights(position)
            self._whole_table[:] = 0
        self._table = self._whole_table
        if search.limit.nodes is not None:
            # The same answer whatever was searched before.
            self._table = smaller_table(self._whole_table, _ENTRIES_PER_NODE * search.limit.nodes)
            self._table[:] = 0
            for workspace in self._workspaces:
                wsp.forget_ordering(workspace)

    def _set_deadline(self, search: Search, timing: TimeManager) -> None:
        """Tell the kernel when to stop by itself, if it can read the player's clock."""
        allowed = timing.allowed_seconds
        seconds = allowed - min(_RESERVE_SECONDS, _RESERVE_FRACTION * allowed) - search.seconds
        clock = KERNEL_CLOCKS.get(search.clock)
        if clock is not None and math.isfinite(seconds):
            self._workspaces[0][wsp.CLOCK] = clock
            self._workspaces[0][wsp.DEADLINE] = now_ns(clock) + round(seconds * 1e9)

    def _watch(self, search: Search, timing: TimeManager, done: threading.Event, ctrl_c: InterruptWatch) -> None:
        """Stop the kernels when `stop` is called or Ctrl-C is pressed, or when the time is over by a clock that they
        cannot read."""
        while not done.wait(max(min(timing.allowed_seconds - search.seconds, 0.01), 0.0)):
            if search.stopped or ctrl_c.occurred() or search.seconds >= timing.allowed_seconds:
                with self._watching:
                    if not done.is_set():
                        self._halt()
                return

    def _halt(self) -> None:
        self._assign(None)
        self._workspaces[0][wsp.STOP] = 1

    def _assign(self, task: _Task | None) -> None:
        """Make the helpers drop their work for this task, or end when it is None."""
        self._task = task
        for workspace in self._workspaces[1:]:
            workspace[wsp.STOP] = 1

    def _depths(self, search: Search) -> range:
        """The depths to search, one after the other."""
        chosen = [depth for depth in (search.limit.depth, int(self.chosen["depth"]) or None) if depth]
        deepest = min(*chosen, wsp.MAX_PLY - 2) if chosen else wsp.MAX_PLY - 2
        if self._flags & Enhancement.DEEPENING:
            return range(1, deepest + 1)
        only = deepest if chosen else FIXED_DEPTH
        return range(only, only + 1)

    def _deepen(self, position: Position, search: Search, timing: TimeManager) -> tuple[list[_RootMove], int]:
        """Search depth after depth; the best moves, the best first, and the last depth that was finished."""
        workspace = self._workspaces[0]
        found, reached, proven = [_RootMove(position.moves[0], 0)], 0, 0
        # Where results have classes, a deeper search may find a better one of the same winner.
        further = _DEPTHS_FOR_CLASS if self.game.result_classes is not None else 0
        for depth in self._depths(search):
            deeper = self._best_moves(workspace, position, depth, found if reached else [], search.lines)
            if workspace[wsp.STOP]:
                return _merged(deeper, found if reached else []) or found, reached
            found, reached = deeper, depth
            if search.listener is not None:
                search.listener(Thought(self._lines(position, found), depth, self._nodes, search.seconds))
            if all(abs(one.value) > ab.PROVEN for one in found):
                proven += 1
                if proven > further:
                    break  # what is proven stays true however deep one looks
            if not timing.may_deepen(found[0].move, probability(found[0].value), search.seconds):
                break
            self._set_deadline(search, timing)
        return found, reached

    def _help(self, workspace: np.ndarray, position: Position) -> None:
        """Fill the table for the main thread: search the same, deferring the moves that are busy."""
        while (task := self._task) is not None:
            workspace[wsp.STOP] = 0
            workspace[wsp.ROOT_MOVE] = task.first_move
            wsp.exclude_moves(workspace, task.excluded)
            depth = task.depth
            while task is self._task and not workspace[wsp.STOP]:
                value = self._search_once(workspace, position, depth, task.alpha, task.beta)
                if not workspace[wsp.STOP] and (abs(value) > ab.PROVEN or depth >= wsp.MAX_PLY):
                    return
                depth += 1  # done before the main thread, which will need the next depth too

    def _best_moves(
        self, workspace: np.ndarray, position: Position, depth: int, before: list[_RootMove], count: int
    ) -> list[_RootMove]:
        """The best so many moves, the best first: each by a search without those found before it.

        There are at most 21. A search that was stopped may have found fewer of them, or none; the last one is then the
        best so far.
        """
        found: list[_RootMove] = []
        for i in range(min(count, len(position.moves), wsp.MAX_EXCLUDED + 1)):
            excluded = tuple(one.move for one in found)
            wsp.exclude_moves(workspace, excluded)
            last = before[i] if i < len(before) else None
            workspace[wsp.ROOT_MOVE] = wsp.NO_MOVE if last is None or last.move in excluded else last.move
            value = self._aspirate(workspace, position, depth, None if last is None else last.value, excluded)
            if int(workspace[wsp.BEST_MOVE]) == wsp.NO_MOVE:
                break
            stopped = bool(workspace[wsp.STOP])
            # Of a stopped search a win is proven; a loss is not, while there are moves that were not tried.
            value = max(int(workspace[wsp.BEST_VALUE]), -ab.PROVEN) if stopped else value
            found.append(_RootMove(int(workspace[wsp.BEST_MOVE]), value))
            if stopped:
                break
        wsp.exclude_moves(workspace, ())
        # Reductions and what the table knows can make a later search the luckier one.
        return sorted(found, key=lambda one: -one.value)

    def _aspirate(
        self, workspace: np.ndarray, position: Position, depth: int, guess: int | None, excluded: tuple[int, ...]
    ) -> int:
        """The value at this depth, by an aspiration window around the guess that widens when it is missed."""
        width = _ASPIRATION
        alpha, beta = (-_INFINITY, _INFINITY) if guess is None or depth < 4 else (guess - width, guess + width)
        workspace[wsp.BEST_MOVE] = wsp.NO_MOVE
        while True:
            alpha, beta = max(alpha, -_INFINITY), min(beta, _INFINITY)
            self._assign(_Task(depth, alpha, beta, int(workspace[wsp.ROOT_MOVE]), excluded))
            value = self._search_once(workspace, position, depth, alpha, beta)
            if workspace[wsp.STOP] or alpha < value < beta or not self._flags & Enhancement.ALPHA_BETA:
                return value
            if value >= beta:  # failed high: the best move so far
                workspace[wsp.ROOT_MOVE] = workspace[wsp.BEST_MOVE]
            else:  # failed low: no move is shown to be the best
                workspace[wsp.BEST_MOVE] = wsp.NO_MOVE
            width = width * 4 if width < _MAX_ASPIRATION and abs(value) < ab.PROVEN else 2 * _INFINITY
            alpha, beta = (value - width, beta) if value <= alpha else (alpha, value + width)

    def _search_once(self, workspace: np.ndarray, position: Position, depth: int, alpha: int, beta: int) -> int:
        window, root, no_move = (np.int64(alpha), np.int64(beta)), np.int64(0), np.int64(wsp.NO_MOVE)
        arrays = workspace, self._table, self.weights(position)
        return int(ab.search(position.state, np.int64(depth), *window, root, no_move, *arrays))

    def _lines(self, position: Position, found: list[_RootMove]) -> tuple[Line, ...]:
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
                if position.turn is None or data == MISS or move_of(data) not in position.moves:
                    break
                move = int(move_of(data))
        return tuple(line)


def _merged(deeper: list[_RootMove], found: list[_RootMove]) -> list[_RootMove]:
    """What a stopped depth has found, and behind it the moves of the depth before, which cannot be worth more."""
    if not deeper:
        return found
    seen, most = {one.move for one in deeper}, max(deeper[-1].value, -ab.PROVEN)
    rest = [_RootMove(one.move, min(one.value, most)) for one in found if one.move not in seen]
    return [*deeper, *rest][: max(len(found), 1)]


def probability(value: int) -> float:
    """The value of a search as an expected result."""
    if abs(value) > ab.PROVEN:
        return 1.0 if value > 0 else 0.0
    return probability_of(value / 1000)

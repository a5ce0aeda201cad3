"""The best lines of a Monte Carlo search, read from its tree: the moves visited most, and how they go on."""

from __future__ import annotations

import numpy as np

from forgeron.core.position import Position
from forgeron.kernels import mcts_tree as tr
from forgeron.players.base import Line

_LONGEST = 20


class TreeReader:
    """Reads the tree of a position; other threads may still be writing to it."""

    def __init__(self, tree: tr.Tree, position: Position) -> None:
        self._tree = tree
        self._position = position

    def lines(self, count: int) -> tuple[Line, ...]:
        """The best lines, the best first: at least one; of moves that were never visited, no more than that."""
        ranked = self._ranked(tr.ROOT)
        if not ranked:  # there was no room in the tree even for the moves of the root
            token = self._position.legal_moves()[0]
            return (Line((token,), 0.5),)
        tried = [child for child in ranked if self._tree.links[child, tr.VISITS] > 0]
        return tuple(self._line(child) for child in (tried or ranked[:1])[: max(count, 1)])

    def _ranked(self, node: int) -> list[int]:
        """The children of a node, the best for its mover first: a certain win, then by visits, a certain loss last.

        When the result is certain, the moves that reach it come first.
        """
        links = self._tree.links
        first, shape = int(links[node, tr.FIRST_CHILD]), int(links[node, tr.SHAPE])
        if first == tr.NO_CHILDREN or shape & 3 > 1:
            return []
        rows = links[first : first + (shape >> 2)]
        proven = rows[:, tr.PROVEN].astype(np.int64)
        known = proven != tr.UNPROVEN
        mine = np.where(known, proven if shape & 3 == 0 else tr.PROVEN_WIN - proven, tr.PROVEN_WIN // 2)
        grade = np.where(known & (mine == tr.PROVEN_WIN), 2, np.where(known & (mine == 0), 0, 1))
        if links[node, tr.PROVEN] != tr.UNPROVEN:
            grade = np.where(known, mine + 1, 0)
        order = np.lexsort((self._tree.means[first : first + len(rows)], rows[:, tr.VISITS], grade))
        return [first + int(i) for i in order[::-1]]

    def visits(self) -> np.ndarray:
        """How often each action was tried at the root."""
        counts = np.zeros(self._position.game.action_space, dtype=np.int64)
        by_move = dict(zip(self._position.moves, self._position.actions, strict=True))
        for child in self._ranked(tr.ROOT):
            counts[by_move[int(self._tree.links[child, tr.MOVE])]] = self._tree.links[child, tr.VISITS]
        return counts

    def _line(self, child: int) -> Line:
        links = self._tree.links
        visits = int(links[child, tr.VISITS])
        mean = float(self._tree.sums[child]) / visits if visits else float(self._tree.means[child])
        proven = bool(links[child, tr.PROVEN] != tr.UNPROVEN)
        if proven:
            value = int(links[child, tr.PROVEN]) / tr.PROVEN_WIN
            mean = value if self._position.turn == 0 else 1 - value
        position, moves = self._position, []
        while True:
            position = position.push(int(links[child, tr.MOVE]))
            moves.append(str(position.last_move))
            ranked = self._ranked(child)
            if not ranked or len(moves) == _LONGEST or links[ranked[0], tr.VISITS] == 0:
                return Line(tuple(moves), min(max(mean, 0.0), 1.0), visits, proven)
            child = ranked[0]

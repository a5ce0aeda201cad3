"""How early minimax knows the result of a game of Yolah: python benchmarks/solved.py [--games N] [--nodes N] [--seed N]

Minimax plays itself after six random plies. A game counts as solved from the first move at which the value of the
search is a proven win or loss, or the rules' own `solve` says that it is a draw.
"""

from __future__ import annotations

import argparse
import random
import statistics
from dataclasses import dataclass

import numpy as np

import forgeron
from forgeron.core.contract import solve
from forgeron.core.position import Position
from forgeron.kernels import alphabeta as ab
from forgeron.kernels import alphabeta_workspace as wsp
from forgeron.kernels.transposition_table import make_table

RANDOM_PLIES = 6


@dataclass(frozen=True)
class Solved:
    """One game: its length, how long before its end it was solved, and whether it ended so."""

    plies: int
    early: int
    right: bool


class Searcher:
    """Iterative deepening to a number of nodes, with the value as the kernel counts it."""

    def __init__(self, game: forgeron.Game, nodes: int) -> None:
        self.workspace, self.table = wsp.make_workspace(game.max_moves), make_table(4)
        self.weights, self.nodes = game.weights(), nodes

    def search(self, position: Position) -> tuple[int, int]:
        """The best move, and the value of the last depth that was finished."""
        wsp.new_search(self.workspace, 1, self.nodes)
        self.table[:] = 0
        window = np.int64(-ab.WIN - 1), np.int64(ab.WIN + 1)
        move, value = position.moves[0], 0
        for depth in range(1, 60):
            numbers = np.int64(depth), *window, np.int64(0), np.int64(wsp.NO_MOVE)
            found = int(ab.search(position.state, *numbers, self.workspace, self.table, self.weights))
            move = int(self.workspace[wsp.BEST_MOVE])
            if self.workspace[wsp.STOP]:
                break
            value = found
            if abs(value) > ab.PROVEN:
                break
        return move, value


def play_out(game: forgeron.Game, searcher: Searcher, rng: random.Random) -> Solved:
    position, ply, known_at, expected = game.start(), 0, -1, 0
    while position.turn is not None:
        if ply < RANDOM_PLIES:
            move = rng.choice(position.moves)
        else:
            move, value = searcher.search(position)
            if known_at < 0 and (abs(value) > ab.PROVEN or solve(position.state) == 0):
                known_at, expected = ply, int(np.sign(value)) * (1 if position.turn == 0 else -1)
        position, ply = position.push(move), ply + 1
    right = known_at < 0 or int(np.sign(position.score)) == expected
    return Solved(ply, ply - known_at if known_at >= 0 else 0, right)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--nodes", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    game, rng = forgeron.game("yolah"), random.Random(given.seed)
    searcher = Searcher(game, given.nodes)
    games = [play_out(game, searcher, rng) for _ in range(given.games)]
    early = [one.early for one in games]
    print(
        f"{given.games} games at {given.nodes:,} nodes a move, {statistics.mean(g.plies for g in games):.1f} plies each"
    )
    print(f"solved {statistics.mean(early):.1f} plies before the end, median {statistics.median(early):.0f}, ", end="")
    print(f"from {min(early)} to {max(early)}; {sum(one.right for one in games)} ended as was proven")


if __name__ == "__main__":
    main()

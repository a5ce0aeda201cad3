"""How much sooner two threads of minimax reach a depth than one: `python benchmarks/threads.py yolah 12`.

What a second thread brings differs from position to position, from nothing to three times as fast: so there are many,
one from each of as many random games, and the mean of their ratios is told with its error. One thread and two take
turns, so that both meet the same load. Besides the time, the nodes of the first thread are counted: how much of its
work the helper takes off it, whatever else the machine does. At the end: how many more simulations two threads of mcts
make than one.
"""

from __future__ import annotations

import math
import statistics
import sys
import time

import forgeron
from forgeron.analysis.ablation import fixed_positions
from forgeron.core.game import Game
from forgeron.core.position import Position
from forgeron.kernels.alphabeta_workspace import NODES
from forgeron.players.base import Limit
from forgeron.players.minimax import MinimaxPlayer


def main(name: str = "yolah", depth: str = "12", count: str = "24") -> None:
    game = forgeron.game(name)
    seconds: dict[int, list[float]] = {1: [], 2: []}
    nodes: dict[int, list[float]] = {1: [], 2: []}
    positions = fixed_positions(game, 2 * int(count))[: int(count)]  # of the first third of a game
    for number, position in enumerate(positions, 1):
        for threads in (1, 2):
            player = MinimaxPlayer(game, threads=threads)
            started = time.perf_counter()
            player.choose(position, Limit(depth=int(depth)))
            seconds[threads].append(time.perf_counter() - started)
            nodes[threads].append(int(player._workspaces[0][NODES]))
        print(f"\r{number} of {len(positions)} positions", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    rates = _simulations(game, positions)
    alone, helped = sum(seconds[1]), sum(seconds[2])
    print(
        f"{name}, depth {depth}, {count} positions: {alone:.2f} s alone, {helped:.2f} s on two: {alone / helped:.2f} ×"
    )
    for what, counts in (("time", seconds), ("nodes of the first thread", nodes)):
        print(f"{what}, mean of the ratios: {_mean_ratio(counts[1], counts[2])}")
    print(f"simulations of mcts in the same time, two threads against one: {_mean_ratio(rates[2], rates[1])}")


def _simulations(game: Game, positions: list[Position]) -> dict[int, list[float]]:
    """What one and two threads of mcts do in half a second."""
    players = {threads: forgeron.player("mcts", game, threads=threads) for threads in (1, 2)}
    rates: dict[int, list[float]] = {1: [], 2: []}
    for position in positions:
        for threads, player in players.items():
            choice = player.choose(position, Limit(seconds=0.5))
            rates[threads].append(choice.nodes / choice.seconds)
    return rates


def _mean_ratio(above: list[float], below: list[float]) -> str:
    """The geometric mean, with the bounds of 95 % of such means."""
    logs = [math.log(a / b) for a, b in zip(above, below, strict=True)]
    mean, error = statistics.mean(logs), 1.96 * statistics.stdev(logs) / math.sqrt(len(logs))
    return f"{math.exp(mean):.2f} × ({math.exp(mean - error):.2f} – {math.exp(mean + error):.2f})"


if __name__ == "__main__":
    main(*sys.argv[1:])

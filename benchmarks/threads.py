"""How much sooner two threads of minimax reach a depth than one: `python benchmarks/threads.py yolah 10 5`.

One thread and two take turns, so that both meet the same load; the best run of each position counts. Besides the time,
the nodes and the processor time of the first thread are counted: how much of its work the helper takes off it, whatever
else the machine does.
"""

from __future__ import annotations

import statistics
import sys
import time

import forgeron
from forgeron.arena.ablation import fixed_positions
from forgeron.kernels import alphabeta as ab
from forgeron.players.base import Limit
from forgeron.players.minimax import MinimaxPlayer


def main(name: str = "yolah", depth: str = "10", runs: str = "5") -> None:
    game = forgeron.game(name)
    positions = fixed_positions(game)
    seconds: dict[tuple[int, int], list[float]] = {}
    busy: dict[tuple[int, int], list[float]] = {}
    nodes: dict[tuple[int, int], list[float]] = {}
    for _ in range(int(runs)):
        for i, position in enumerate(positions):
            for threads in (1, 2):
                player = MinimaxPlayer(game, threads=threads)
                started, cpu = time.perf_counter(), time.thread_time()
                player.choose(position, Limit(depth=int(depth)))
                seconds.setdefault((threads, i), []).append(time.perf_counter() - started)
                busy.setdefault((threads, i), []).append(time.thread_time() - cpu)
                nodes.setdefault((threads, i), []).append(int(player._boards[0][ab.NODES]))

    def total(counts: dict[tuple[int, int], list[float]], threads: int) -> float:
        return sum(statistics.mean(counts[threads, i]) for i in range(len(positions)))

    best = {threads: sum(min(seconds[threads, i]) for i in range(len(positions))) for threads in (1, 2)}
    print(f"{name}, depth {depth}: {best[1]:.2f} s on one thread, {best[2]:.2f} s on two: {best[1] / best[2]:.2f} ×")
    for what, counts in (("nodes", nodes), ("CPU seconds", busy)):
        alone, helped = total(counts, 1), total(counts, 2)
        print(f"{what} of the first thread: {alone:,.2f} alone, {helped:,.2f} with a helper: {alone / helped:.2f} ×")


if __name__ == "__main__":
    main(*sys.argv[1:])

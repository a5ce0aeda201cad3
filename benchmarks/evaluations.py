"""How many positions a second the network evaluates inside the search, one thread, by CPU time.

    python benchmarks/evaluations.py yolah

The search of a number of nodes is the same compiled and in plain Python. So the evaluations of some searches are
counted in plain Python, in a process of its own, and the same searches are timed compiled.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import time

import forgeron

SEARCHES, NODES, TIMED_AGAIN = 10, 4000, 20


def positions(game: forgeron.Game) -> list[forgeron.Position]:
    """Positions of random games, from the fourth ply to the middle of the game."""
    rng = random.Random(1)
    found = []
    for number in range(SEARCHES):
        position = game.start()
        for _ in range(4 + 3 * number):
            position = position.push(rng.choice(position.moves))
        found.append(position)
    return found


def count_evaluations(game: forgeron.Game) -> tuple[int, int]:
    """The nodes and the evaluations of the searches; in plain Python only."""
    from forgeron.kernels import alphabeta

    evaluate, calls = alphabeta.static_value, 0

    def counted(*arguments: object) -> object:
        nonlocal calls
        calls += 1
        return evaluate(*arguments)

    player = forgeron.player("neural", game)
    alphabeta.static_value = counted
    nodes = sum(player.choose(position, forgeron.Limit(nodes=NODES)).nodes for position in positions(game))
    return nodes, calls


def cpu_seconds(game: forgeron.Game) -> float:
    """What the searches take, compiled."""
    player = forgeron.player("neural", game)
    begun = time.process_time()
    for _ in range(TIMED_AGAIN):
        for position in positions(game):
            player.choose(position, forgeron.Limit(nodes=NODES))
    return (time.process_time() - begun) / TIMED_AGAIN


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("game")
    parser.add_argument("--count", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    game = forgeron.game(given.game)
    if given.count:
        print(*count_evaluations(game))
        return
    plain = {**os.environ, "FORGERON_JIT": "0"}
    counted = subprocess.run(
        [sys.executable, __file__, given.game, "--count"], env=plain, capture_output=True, text=True, check=True
    )
    nodes, calls = map(int, counted.stdout.split())
    seconds = cpu_seconds(game)
    print(f"{nodes / seconds / 1e6:.2f} M nodes and {calls / seconds / 1e6:.2f} M evaluations a CPU second")


if __name__ == "__main__":
    main()

"""By how much players exceed their time, in milliseconds: python benchmarks/overrun.py [--moves 50] [--time 0.1]

Positions of random games, each player in turn, on one thread or more (--threads 2); measured from the call to the
answer, as the referee does. Beside it what a loop that only looks at the clock is kept waiting: no program on the
machine can be more punctual than that.
"""

from __future__ import annotations

import argparse
import random
import time
from statistics import median

import forgeron
from forgeron.core.game import Game
from forgeron.core.position import Position

PLAYERS = ("monte-carlo", "mcts", "minimax", "expectimax")


def positions(game: Game, count: int) -> list[Position]:
    """Positions of random games in which there is something to choose."""
    rng, found = random.Random(1), list[Position]()
    position = game.start()
    while len(found) < count:
        if position.turn in (0, 1) and len(position.moves) > 1 and rng.random() < 0.2:
            found.append(position)
        position = position.push(rng.choice(position.moves)) if position.turn is not None else game.start()
    return found


def longest_gap(seconds: float) -> float:
    """How long a loop that only looks at the clock is kept waiting at most."""
    before = began = time.perf_counter()
    longest = 0.0
    while before - began < seconds:
        now = time.perf_counter()
        longest, before = max(longest, now - before), now
    return longest


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moves", type=int, default=50)
    parser.add_argument("--time", type=float, default=0.1)
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    print("| game | player | median | most | a bare loop: median | most |\n|---|---|---|---|---|---|", flush=True)
    for name in forgeron.game_names():
        game = forgeron.game(name)
        chosen = positions(game, given.moves)
        for who in [who for who in PLAYERS if who in forgeron.player_names(game)]:
            player = forgeron.player(who, game, seed=1, threads=given.threads)
            over, gaps = [], []
            for position in chosen:
                began = time.perf_counter()
                player.choose(position, forgeron.Limit(seconds=given.time))
                over.append(1000 * (time.perf_counter() - began - given.time))
                gaps.append(1000 * longest_gap(given.time))
            row = f"| {name} | `{who}` | {median(over):.1f} | {max(over):.1f} | {median(gaps):.1f} | {max(gaps):.1f} |"
            print(row, flush=True)


if __name__ == "__main__":
    main()

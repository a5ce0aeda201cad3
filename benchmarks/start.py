"""What a start costs: python benchmarks/start.py [GAME …]

CPU seconds of a fresh process from its beginning to a player's first answer (2,000 nodes at the first position): the
first time, with nothing stored of what Forgeron compiles, and again from the stored code. All players of a game by
default; `--keep` keeps the figures for the documentation.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile

from data_files import write_figures

import forgeron
from forgeron.players import player_names

WORK = """
import sys, time
import forgeron
from forgeron.core.chance import next_decision
game = forgeron.game(sys.argv[1])
player = forgeron.player(sys.argv[2], game, seed=1)
player.choose(next_decision(game.start()), forgeron.Limit(nodes=2000))
from forgeron.core.cache import compilations
print(time.process_time(), len(compilations))
"""


def start(game: str, player: str, folder: str) -> tuple[float, int]:
    """CPU seconds of one process, and how many kernels it compiled."""
    environment = {**os.environ, "FORGERON_CACHE_DIR": folder, "FORGERON_QUIET": "1"}
    done = subprocess.run(
        [sys.executable, "-c", WORK, game, player], env=environment, capture_output=True, text=True, check=True
    )
    seconds, kernels = done.stdout.split()
    return float(seconds), int(kernels)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("games", nargs="*", default=["yolah", "mancala", "yinsh", "yut"])
    parser.add_argument("--player", action="append", help="only this one; may be given more than once")
    parser.add_argument("--keep", action="store_true", help="keep the figures for the documentation, in docs/data")
    asked = parser.parse_args()
    rows = []
    print("| game | player | first start, CPU s | kernels compiled | again, CPU s |\n|---|---|---|---|---|")
    for game in asked.games:
        for player in asked.player or player_names(forgeron.game(game)):
            with tempfile.TemporaryDirectory() as folder:
                first, kernels = start(game, player, folder)
                again = min(start(game, player, folder)[0] for _ in range(3))
            figures = {
                "first start, CPU s": round(first, 1),
                "kernels compiled": kernels,
                "again, CPU s": round(again, 2),
            }
            rows.append({"game": game, "player": player, **figures})
            print(f"| {game} | {player} | {first:.1f} | {kernels} | {again:.2f} |", flush=True)
    if asked.keep:
        print(write_figures("start", "python benchmarks/start.py --keep", rows))


if __name__ == "__main__":
    main()

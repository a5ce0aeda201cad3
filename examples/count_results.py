"""What random play comes to in Yolah, on two threads: python examples/count_results.py [games]"""

from __future__ import annotations

import sys

import forgeron


def main(games: int) -> None:
    game = forgeron.game("yolah")
    tally = forgeron.play_many(game.start(), seed=1, games=games, threads=2)
    black, white = game.seats
    print(f"{tally.games:,} random games of {game.title}")
    for what, number in ((f"{black} wins", tally.wins), (f"{white} wins", tally.losses), ("draws", tally.draws)):
        print(f"{what:>10} {number / games:7.2%}")
    print(f"{tally.plies / games:.1f} plies a game; {black} is ahead by {tally.margin / games:+.2f} points on average")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)

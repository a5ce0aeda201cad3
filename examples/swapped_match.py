"""Greedy against Monte Carlo at Yolah, seats swapped in each pair: python examples/swapped_match.py [games, even]"""

from __future__ import annotations

import sys

import forgeron


def main(games: int) -> None:
    result = forgeron.match("yolah", "greedy", "monte-carlo", games=games, time="2000n")
    assert result.score is not None
    print(f"greedy scores {result.points:g} of {games} against monte-carlo: {result.score.value:.1%}")
    print(result)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)

"""Greedy against Monte Carlo at Yolah, sides swapped after each game: python examples/swapped_match.py [games ≥ 2]"""

from __future__ import annotations

import sys
from math import sqrt
from statistics import mean, stdev

import forgeron


def score_of_first(game: forgeron.Game, number: int) -> float:
    """What greedy gets from one game: 1 for a win, ½ for a draw; it begins in the games of even number."""
    names = ("greedy", "monte-carlo") if number % 2 == 0 else ("monte-carlo", "greedy")
    players = [forgeron.player(name, game, seed=number) for name in names]
    position = game.start()
    while position.turn in (0, 1):
        position = position.play(players[position.turn].choose(position, forgeron.Limit(nodes=2000)).move)
    assert position.outcome is not None
    winner = position.outcome.winner
    return 0.5 if winner is None else float(names[winner] == "greedy")


def main(games: int) -> None:
    game = forgeron.game("yolah")
    scores = [score_of_first(game, number) for number in range(games)]
    error = stdev(scores) / sqrt(games)
    print(f"greedy scores {sum(scores):g} of {games} against monte-carlo: {mean(scores):.1%} ± {1.96 * error:.1%}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)

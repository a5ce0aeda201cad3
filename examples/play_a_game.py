"""Two players, one game of Yolah, move by move: python examples/play_a_game.py [random games a move]"""

from __future__ import annotations

import sys

import forgeron


def main(games_a_move: int) -> None:
    game = forgeron.game("yolah")
    players = [forgeron.player("monte-carlo", game, seed=1), forgeron.player("greedy", game, seed=2)]
    limit = forgeron.Limit(nodes=games_a_move)

    position = game.start()
    while position.turn is not None:
        assert position.turn != "chance"  # Yolah has no dice
        choice = players[position.turn].choose(position, limit)
        print(f"{game.seats[position.turn]:>5} {choice.move}  expects {choice.value:4.0%}")
        position = position.play(choice.move)

    print(position.draw())
    outcome = position.outcome
    assert outcome is not None
    winner = "nobody" if outcome.winner is None else players[outcome.winner].name
    print(f"{winner} wins {outcome.scores[0]} to {outcome.scores[1]}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5000)

"""What the choices of two players give away, by the judgement of a deep search: how much there is left to gain.

    python benchmarks/regret.py yut expectimax yut-example --time 0.05cpu --games 200
    python benchmarks/regret.py yut expectimax expectimax:eval=linear,exact=false --games 200 --judge-nodes 1000000

Every choice costs what the best move is worth more than the one that was played, as a win probability. With dice that
is all that decides: a player's expected score is a half, plus what its opponent gives away in a game, less what it
gives away itself; who gives nothing away scores a half plus what the opponent gives away. Where both give little away,
a few hundred games say what thousands say by their results, and they say, too, what no player can reach. What the judge
misjudges it cannot see.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
from collections.abc import Sequence

import forgeron
from forgeron.arena.entrant import Entrant
from forgeron.bots.clock import Clocks, TimeControl
from forgeron.core.position import Position
from forgeron.players.base import Player


class Judge:
    """The values of all moves, by one search with so many nodes."""

    def __init__(self, text: str, game: forgeron.Game, nodes: int) -> None:
        self._player, self._limit = Entrant.parse(text).open_player(game), forgeron.Limit(nodes=nodes)
        self._lines = game.max_moves

    def regret(self, position: Position, move: str) -> float:
        """What the best move is worth more than this one."""
        lines = self._player.analyse(position, self._limit, lines=self._lines).lines
        return max(line.value for line in lines) - next(line.value for line in lines if line.moves[0] == move)


def play_out(game: forgeron.Game, players: Sequence[Player], time: str, judge: Judge, seed: str) -> list[list[float]]:
    """The regrets of both players' choices in a game; each seat has throws of its own, as in the arena."""
    limit = Clocks(TimeControl.parse(time)).limit(0)
    dice = [random.Random(f"{seed} {seat}") for seat in (0, 1)]
    regrets: list[list[float]] = [[], []]
    position = game.start()
    while position.outcome is None:
        if position.turn == "chance":
            rng = dice[game.thrower(position.state)]
            position = position.push(rng.choices(position.moves, position.chances())[0])
            continue
        seat = 1 if position.turn == 1 else 0
        move = players[seat].choose(position, limit).move
        if len(position.moves) > 1:
            regrets[seat].append(judge.regret(position, move))
        position = position.play(move)
    return regrets


def shown(values: Sequence[float], least: float = 0.0) -> str:
    """A mean with its 95 % interval, in percent."""
    error = 1.96 * statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.inf
    return f"{100 * (least + statistics.fmean(values)):.2f} ± {100 * error:.2f} %"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("a")
    parser.add_argument("b")
    parser.add_argument("--time", default="0.05cpu", help="of both players, as in forgeron match")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--judge", default="expectimax:hash=64")
    parser.add_argument("--judge-nodes", type=int, default=500_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    game = forgeron.game(given.game)
    judge = Judge(given.judge, game, given.judge_nodes)
    a, b = (Entrant.parse(text).open_player(game, seed=given.seed) for text in (given.a, given.b))
    lost: tuple[list[float], list[float]] = ([], [])
    choices = [0, 0]
    for pair in range(1, given.games // 2 + 1):
        seed = f"{given.seed} {pair}"
        first = play_out(game, (a, b), given.time, judge, seed)
        second = play_out(game, (b, a), given.time, judge, seed)
        for side, found in enumerate((first[0] + second[1], first[1] + second[0])):
            lost[side].append(sum(found) / 2)
            choices[side] += len(found)
        if pair % 10 == 0 or pair == given.games // 2:
            each = [f"{100 * 2 * sum(one) / max(n, 1):.3f} %" for one, n in zip(lost, choices, strict=True)]
            gained = [theirs - ours for ours, theirs in zip(*lost, strict=True)]
            print(
                f"{2 * pair} games, {choices[0] / 2 / pair:.1f} and {choices[1] / 2 / pair:.1f} choices a game: "
                f"{given.a} gives away {shown(lost[0])} a game ({each[0]} a choice), {given.b} {shown(lost[1])} "
                f"({each[1]}); expected score {shown(gained, 0.5)}, at best {shown(lost[1], 0.5)}",
                flush=True,
            )


if __name__ == "__main__":
    main()

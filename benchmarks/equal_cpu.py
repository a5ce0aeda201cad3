"""Two players at equal CPU time on a busy machine: each gets nodes, as many as it searches in the same time.

    python benchmarks/equal_cpu.py yolah neural 200000 minimax 300000 --games 200 --seed 1
    python benchmarks/equal_cpu.py mancala neural 200000 minimax 300000 --preset course

Each opening is played twice with the seats swapped, and a game ends as soon as a search has proven its result. The CPU
seconds that both used are printed: give nodes that make them equal. The same arguments give the same games.
"""

from __future__ import annotations

import argparse
import time

import forgeron
from forgeron.arena.entrant import Entrant
from forgeron.arena.openings import draw_openings
from forgeron.core.position import Position
from forgeron.stats.elo import Pentanomial, summarise


class Side:
    """A player with its nodes a move, and the CPU time it has used."""

    def __init__(self, text: str, nodes: int, game: forgeron.Game, seed: int) -> None:
        self.text, self.limit = text, forgeron.Limit(nodes=nodes)
        self.player = Entrant.parse(text).open_player(game, seed=seed)
        self.cpu_seconds, self.nodes = 0.0, 0

    def choose(self, position: Position) -> forgeron.Choice:
        before = time.process_time()
        choice = self.player.choose(position, self.limit)
        self.cpu_seconds += time.process_time() - before
        self.nodes += choice.nodes
        return choice

    def __str__(self) -> str:
        speed = self.nodes / max(self.cpu_seconds, 1e-9) / 1e6
        return f"{self.text} at {self.limit.nodes} nodes: {self.cpu_seconds:.0f} CPU s, {speed:.2f} M nodes/s"


def play_out(position: Position, sides: tuple[Side, Side]) -> float:
    """The points of the first of the sides, which has seat 0."""
    while position.outcome is None:
        seat = position.turn
        assert seat == 0 or seat == 1, "this measures games without dice"
        choice = sides[seat].choose(position)
        if choice.proven:
            return choice.value if seat == 0 else 1.0 - choice.value
        position = position.play(choice.move)
    return {0: 1.0, 1: 0.0, None: 0.5}[position.outcome.winner]


def report(pairs: list[tuple[float, float]], sides: tuple[Side, Side]) -> None:
    counts = Pentanomial.of(pairs)
    found = summarise(counts)
    assert found.score is not None
    assert found.elo is not None
    score = f"{100 * found.score.value:.1f} % ({100 * found.score.low:.1f} – {100 * found.score.high:.1f})"
    elo = f"Elo {found.elo.value:+.0f} ({found.elo.low:+.0f} – {found.elo.high:+.0f})"
    print(f"{found.games} games: {score}, {elo}, pairs {list(counts)}; {sides[0]}; {sides[1]}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("game")
    parser.add_argument("a")
    parser.add_argument("a_nodes", type=int)
    parser.add_argument("b")
    parser.add_argument("b_nodes", type=int)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--plies", type=int, default=4, help="random plies of an opening")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--preset", help="of the game's options")
    parser.add_argument("-o", "--option", action="append", default=[], metavar="NAME=VALUE", help="of the game")
    given = parser.parse_args()
    options: dict[str, object] = dict(one.split("=", 1) for one in given.option)
    game = forgeron.game(given.game, preset=given.preset, **options)
    a, b = Side(given.a, given.a_nodes, game, given.seed), Side(given.b, given.b_nodes, game, given.seed)
    pairs = []
    for number, opening in enumerate(draw_openings(game, given.games // 2, plies=given.plies, seed=given.seed), 1):
        start = opening.play(game)
        pairs.append((play_out(start, (a, b)), 1.0 - play_out(start, (b, a))))
        if number % 5 == 0 or number == given.games // 2:
            report(pairs, (a, b))


if __name__ == "__main__":
    main()

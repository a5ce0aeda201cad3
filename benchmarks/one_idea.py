"""What one idea of a game is worth to minimax: it plays itself without it, with the same nodes a move, seats swapped.

    python benchmarks/one_idea.py result-classes [GAMES] [NODES] [SEED]
    python benchmarks/one_idea.py plies-left 200 5000

`result-classes` is YINSH: of proven results the better class is preferred (3-0 to 3-1); without it the fastest win.
`plies-left` is Mancala, preset course: the evaluation fades in a blockade, so that somebody breaks it up. Prints the
score with its 95 % interval, and how many games each of the two won by which score.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import NamedTuple

import forgeron
from forgeron.arena.openings import draw_openings
from forgeron.core import contract
from forgeron.core.position import Position
from forgeron.games.mancala import evaluation as mancala_evaluation
from forgeron.stats.elo import Pentanomial, summarise


class Idea(NamedTuple):
    game: str
    preset: str | None
    forget: Callable[[forgeron.Game], object]
    """lets a process forget it, before anything is compiled"""
    few_results: bool
    """whether the scores of won games are few enough to be counted one by one"""

    def open_game(self) -> forgeron.Game:
        return forgeron.game(self.game, preset=self.preset)


def forget_classes(game: forgeron.Game) -> None:
    contract._functions[game.state_class].pop("solve")


def forget_plies_left(_game: forgeron.Game) -> None:
    mancala_evaluation._FADING_SHARE = 1e-9


IDEAS = {
    "result-classes": Idea("yinsh", None, forget_classes, True),
    "plies-left": Idea("mancala", "course", forget_plies_left, False),
}


def serve(connection: Connection, name: str, keep: bool, nodes: int) -> None:
    """Answer positions with moves until there are no more."""
    game = IDEAS[name].open_game()
    if not keep:
        IDEAS[name].forget(game)
    player = forgeron.player("minimax", game, seed=1)
    while (text := connection.recv()) is not None:
        connection.send(player.choose(game.parse(text), forgeron.Limit(nodes=nodes)).move)


def start(name: str, keep: bool, nodes: int) -> Connection:
    ours, theirs = get_context("spawn").Pipe()
    get_context("spawn").Process(target=serve, args=(theirs, name, keep, nodes), daemon=True).start()
    return ours


def play_out(position: Position, sides: tuple[Connection, Connection]) -> Position:
    while position.turn is not None:
        assert position.turn == 0 or position.turn == 1
        sides[position.turn].send(str(position))
        position = position.play(sides[position.turn].recv())
    return position


def report(pairs: list[tuple[float, float]], wins: Counter[tuple[str, str]]) -> None:
    counts = Pentanomial.of(pairs)
    found = summarise(counts)
    assert found.score is not None
    assert found.elo is not None
    print(
        f"{found.games} games: with it {found.score.value:.1%} ({found.score.low:.1%} – {found.score.high:.1%}), "
        f"Elo {found.elo.value:+.0f} ({found.elo.low:+.0f} – {found.elo.high:+.0f}), pairs {list(counts)}"
    )
    for who in ("with it", "without"):
        won = {result: n for (name, result), n in sorted(wins.items()) if name == who}
        print(f"  {who} won " + (", ".join(f"{n} × {result}" for result, n in won.items()) or "nothing"), flush=True)


def main(name: str, games: int = 400, nodes: int = 2000, seed: int = 0) -> None:
    idea = IDEAS[name]
    game = idea.open_game()
    with tempfile.TemporaryDirectory() as folder:
        sides = [start(name, True, nodes)]
        os.environ["FORGERON_CACHE_DIR"] = folder  # the cache knows sources, not functions that were forgotten
        sides.append(start(name, False, nodes))
        del os.environ["FORGERON_CACHE_DIR"]
        pairs, wins = [], Counter[tuple[str, str]]()
        for number, opening in enumerate(draw_openings(game, games // 2, plies=4, seed=seed), 1):
            brought = []
            for seat in (0, 1):
                end = play_out(opening.play(game), (sides[seat], sides[1 - seat]))
                winner = end.outcome.winner if end.outcome else None
                if winner is not None:
                    by = f"{end.scores[winner]}-{end.scores[1 - winner]}" if idea.few_results else "by any score"
                    wins["with it" if winner == seat else "without", by] += 1
                brought.append(0.5 if winner is None else float(winner == seat))
            pairs.append((brought[0], brought[1]))
            if number % 20 == 0 or number == games // 2:
                report(pairs, wins)
        for side in sides:
            side.send(None)


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in IDEAS:
        raise SystemExit(f"name an idea: {', '.join(IDEAS)}")
    main(sys.argv[1], *map(int, sys.argv[2:]))

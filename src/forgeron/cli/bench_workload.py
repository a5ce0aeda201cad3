"""The fixed work of `forgeron bench`: what is counted is the same in every run and on every machine."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from forgeron.core.game import Game
from forgeron.core.position import Position
from forgeron.core.random_game import random_game
from forgeron.kernels.playout import play_many
from forgeron.players import player_class
from forgeron.players.base import Limit

SEED = 20_260_101
#: Perft goes as deep as it can with fewer leaves than this.
MOST_LEAVES = 20_000_000
DEEPEST = 40
#: The quickest of so many runs counts; of more, while they are too short for one to be trusted.
REPEATS = 3
ENOUGH_CPU_SECONDS = 0.3


@dataclass(frozen=True)
class Workload:
    """How much is done for one game."""

    games: int = 20_000
    """random games"""
    nodes: int = 20_000
    """random games of monte-carlo and simulations of mcts for one choice, at the first position where there is one"""
    greedy_games: int = 20
    """random games at each position of which greedy chooses"""
    minimax_nodes: int = 200_000
    """positions that minimax looks at for one choice, where monte-carlo chooses"""


#: Games that are quicker, or slower, than most; the others have the work of `Workload()`.
WORKLOADS = {"yolah": Workload(games=100_000, nodes=100_000, minimax_nodes=500_000)}


@dataclass(frozen=True)
class Measure:
    """One item of the work: how much it was, and how long its quickest run took."""

    item: str
    unit: str
    count: int
    cpu_seconds: float


def measure(game: Game) -> Iterator[Measure]:
    """Do the work of one game, an item at a time."""
    for item, unit, work in _items(game, WORKLOADS.get(game.name, Workload())):
        count = work()  # compiled, or loaded, before the clock runs
        runs: list[float] = []
        while len(runs) < REPEATS or sum(runs) < ENOUGH_CPU_SECONDS:
            started = time.process_time()
            again = work()
            runs.append(time.process_time() - started)
            if again != count:
                raise AssertionError(f"{item} of {game} counted {count}, then {again}: it is not deterministic")
        yield Measure(item, unit, count, min(runs))


def _items(game: Game, load: Workload) -> Iterator[tuple[str, str, Callable[[], int]]]:
    start = game.start()
    depth = perft_depth(game, start)
    positions = list(_sample(game, load.greedy_games))
    decision = next(position for position in positions if len(position.moves) > 1)
    for threads in (1, 2):
        yield (
            f"random games, {threads} thread{'s' if threads > 1 else ''}",
            "plies",
            lambda threads=threads: play_many(start, seed=SEED, games=load.games, threads=threads).plies,  # type: ignore[misc]
        )
    yield f"perft {depth}", "leaves", lambda: game.perft(start, depth)
    yield f"perft {depth}, no bulk", "leaves", lambda: game.count(start, depth).leaves
    monte_carlo = player_class("monte-carlo")(game, seed=SEED)
    yield "monte-carlo", "games", lambda: monte_carlo.choose(decision, Limit(nodes=load.nodes)).nodes
    mcts = player_class("mcts")(game, seed=SEED)
    yield "mcts", "games", lambda: mcts.choose(decision, Limit(nodes=load.nodes)).nodes
    greedy = player_class("greedy")(game, seed=SEED)
    yield "greedy", "nodes", lambda: sum(greedy.choose(position, Limit(nodes=1)).nodes for position in positions)
    minimax = player_class("minimax")
    for evaluation in ("default", *game.evaluations) if minimax.plays(game) else ():
        searcher = minimax(game, {"eval": evaluation, "hash": 16}, seed=SEED)
        yield (
            "minimax" if evaluation == "default" else f"minimax, {evaluation}",
            "nodes",
            lambda searcher=searcher: searcher.choose(decision, Limit(nodes=load.minimax_nodes)).nodes,  # type: ignore[misc]
        )


def perft_depth(game: Game, start: Position) -> int:
    """The greatest depth whose leaves, as the last two depths let expect, are fewer than `MOST_LEAVES`."""
    depth, before, leaves = 1, 1, game.perft(start, 1)
    while depth < DEEPEST and leaves * leaves < MOST_LEAVES * before:
        deeper = game.perft(start, depth + 1)
        if not 0 < deeper < MOST_LEAVES:
            break
        depth, before, leaves = depth + 1, leaves, deeper
    return depth


def _sample(game: Game, games: int) -> Iterator[Position]:
    """The positions of random games in which a player chooses."""
    for number in range(games):
        for position in random_game(game, SEED, number):
            if position.turn in (0, 1):
                yield position

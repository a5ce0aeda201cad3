"""Flat Monte Carlo, the player of the book's fourth chapter."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from forgeron.core.chance import next_decision
from forgeron.core.errors import OptionError
from forgeron.core.options import Option
from forgeron.core.position import Position
from forgeron.core.rng import split
from forgeron.kernels.flat_monte_carlo import sample_moves
from forgeron.players.base import Choice, Player, Search

#: How long one call of the kernel should take: short enough to stop in time, long enough to cost nothing.
_SLICE_SECONDS = 0.002
_EXPLORATION = 0.7


class MonteCarloPlayer(Player):
    """Plays random games after each move and takes the move that scores best.

    With `budget` "ucb" the games go where they may still change the answer (UCB1), with "equal" every move gets as
    many. Threads work on tables of their own, added up at the end.
    """

    name = "monte-carlo"
    summary = "the move after which random games end best"
    options = {
        "budget": Option("ucb", ("ucb", "equal"), "how random games are shared among the moves"),
    }

    def warm(self) -> None:
        _Sampler(self, next_decision(self.game.start()), np.uint64(0)).run(1)

    def think(self, position: Position, search: Search) -> Choice:
        if search.limit.seconds is None and search.limit.nodes is None:
            raise OptionError("monte-carlo thinks for a time or a number of games: give seconds or nodes")
        stream = self.stream(position)
        nodes = search.limit.nodes
        threads = self.threads if nodes is None else 1  # a number of nodes promises the same answer
        with np.errstate(over="ignore"):
            samplers = [_Sampler(self, position, split(stream, i)) for i in range(threads)]
        if threads == 1:
            samplers[0].run_until(search, nodes)
        else:
            with ThreadPoolExecutor(threads) as pool, self.stopping_threads():
                list(pool.map(lambda sampler: sampler.run_until(search, None), samplers))
        visits = np.sum([sampler.visits for sampler in samplers], axis=0)
        points = np.sum([sampler.points for sampler in samplers], axis=0)
        means = points / np.maximum(visits, 1)
        # UCB1 has spent most games on what it trusts most; an equal budget can only compare the means.
        ranked = np.lexsort((means, visits)) if self.chosen["budget"] == "ucb" else np.lexsort((visits, means))
        best = int(ranked[-1])
        token = self.game.format_move(position.state, position.moves[best])
        return Choice(token, float(means[best]), (token,), 1, int(visits.sum()), search.seconds)


class _Sampler:
    """The table of one thread: how often each move was tried and what it brought."""

    def __init__(self, player: MonteCarloPlayer, position: Position, seed: np.uint64) -> None:
        room = player.game.max_moves
        self.state = position.state
        self.listed = np.array(position.moves, dtype=np.int64)
        self.visits = np.zeros(len(self.listed), dtype=np.int64)
        self.points = np.zeros(len(self.listed))
        self.seed = np.uint64(seed)
        self.exploration = _EXPLORATION if player.chosen["budget"] == "ucb" else -1.0
        self.scratch = np.empty(room, dtype=np.int64), np.empty(room)

    def run(self, games: int) -> None:
        n = len(self.listed)
        sample_moves(
            self.state, self.listed, n, self.visits, self.points, self.seed, games, self.exploration, *self.scratch
        )

    def run_until(self, search: Search, share: int | None) -> None:
        """Sample in slices of a few milliseconds until the limit or the share is used up."""
        games, done = 1, 0
        while True:
            batch = games if share is None else min(games, share - done)
            before = search.seconds
            self.run(batch)
            done += batch
            spent = search.seconds - before
            if search.finished() or done == share:
                return
            wanted = min(_SLICE_SECONDS, search.seconds_left)
            games = max(1, min(games * 4, int(batch * wanted / max(spent, 1e-6))))

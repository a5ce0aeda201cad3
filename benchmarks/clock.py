"""How a clock for the whole game is spent, and what the plan is worth: python benchmarks/clock.py [GAME …] [--games N]

A clock that counts nodes instead of seconds, so that a busy machine does not matter and the same games come every time:
30+0 is 30 seconds of --speed nodes each. The player with the plan of today plays the same player with the plan it had
before (a thirtieth of the rest for every move; half of that for a settled one). Each opening is played from both seats;
with dice both games have the same throws.

    python benchmarks/clock.py yolah --games 200 --speed 10000
"""

from __future__ import annotations

import argparse
import random
import statistics
from collections.abc import Callable
from typing import Any

import forgeron
from forgeron.arena.openings import draw_openings
from forgeron.bots.clock import Pace, shared_out
from forgeron.core.position import Position
from forgeron.kernels import alphabeta_workspace as ab_ws
from forgeron.kernels import expectimax_workspace as em_ws
from forgeron.players import expectimax, minimax, time_management
from forgeron.players.base import Limit, Search
from forgeron.players.time_management import TimeManager
from forgeron.stats.elo import Pentanomial, summarise

GAMES = ("yolah", "mancala", "yinsh", "yut")


class NodeClock:
    """Tells the time by the nodes of a search: so many are a second."""

    def __init__(self, speed: float) -> None:
        self.speed, self.nodes = speed, lambda: 0

    def __call__(self) -> float:
        return self.nodes() / self.speed


class CountedMinimax(minimax.MinimaxPlayer):
    """Minimax that stops after the nodes of its time."""

    def warm(self) -> None:
        super().warm()
        self._clock.nodes = lambda: int(self._workspaces[0][ab_ws.NODES])  # type: ignore[attr-defined]

    def _set_deadline(self, search: Search, timing: TimeManager) -> None:
        self._workspaces[0][ab_ws.NODE_LIMIT] = max(round(timing.allowed_seconds * self._clock.speed), 1)  # type: ignore[attr-defined]


class CountedExpectimax(expectimax.ExpectimaxPlayer):
    """The same for games with dice."""

    def warm(self) -> None:
        self._timing: TimeManager | None = None
        super().warm()
        self._clock.nodes = lambda: int(self._workspace[em_ws.NODES])  # type: ignore[attr-defined]

    def _deepen(self, position: Position, search: Search, timing: TimeManager, table: Any) -> int:
        self._timing = timing
        return super()._deepen(position, search, timing, table)

    def _search_once(self, position: Position, depth: int, table: Any) -> None:
        if self._timing is not None:
            nodes = round(self._timing.allowed_seconds * self._clock.speed)  # type: ignore[attr-defined]
            self._workspace[em_ws.NODE_LIMIT] = max(nodes, 1)
        super()._search_once(position, depth, table)


class TimeManagerBefore(TimeManager):
    """How a move was ended before there was a plan by the moves to come."""

    UNSTABLE, STABILITY_DECAY, STABLE, FIRST_MOVE = 2.0, 0.75, 0.5, 0.4


def plan_before(left: float, _base: float, _pace: Pace, _made: int) -> Limit:
    usable = max(left - 0.05, left / 2)
    target = usable / 30
    most = max(min(4 * target, 0.4 * usable), 1e-6)
    return Limit(seconds=most, target_seconds=min(target, most))


Plan = Callable[[float, float, Pace, int], Limit]


class Side:
    """A player, how it plans, and what is left on its clock."""

    def __init__(self, name: str, game: forgeron.Game, plan: Plan, manager: type[TimeManager], speed: float) -> None:
        kind = CountedExpectimax if game.name == "yut" else CountedMinimax
        self.name, self.plan, self._manager = name, plan, manager
        self.clock = NodeClock(speed)
        self.player = kind(game, {"hash": 4}, clock=self.clock)
        self.unused: list[float] = []
        self.flags = 0

    def begin(self, seconds: float) -> None:
        self.left, self.base, self.made = seconds, seconds, 0

    def choose(self, position: Position) -> forgeron.Choice:
        self.clock.nodes, nodes = lambda: 0, self.clock.nodes
        for module in (minimax, expectimax):
            module.TimeManager = self._manager  # type: ignore[attr-defined]
        limit = self.plan(self.left, self.base, Pace.of(position.game), self.made)
        self.clock.nodes = nodes
        self._reset()
        choice = self.player.choose(position, limit)
        self.left -= choice.nodes / self.clock.speed
        self.made += 1
        self.flags += self.left < 0
        return choice

    def _reset(self) -> None:
        if isinstance(self.player, CountedMinimax):
            self.player._workspaces[0][ab_ws.NODES] = 0
        else:
            self.player._workspace[em_ws.NODES] = 0

    def end(self) -> None:
        self.unused.append(self.left / self.base)

    def __str__(self) -> str:
        quartiles = statistics.quantiles(self.unused, n=4) if len(self.unused) > 1 else self.unused * 3
        shown = " / ".join(f"{100 * one:.1f}" for one in quartiles)
        return f"{self.name}: unused {shown} % (quartiles), flags {self.flags}"


def play_out(position: Position, sides: tuple[Side, Side], seconds: float, seed: int) -> float:
    """The points of the first of the sides, which has seat 0; each seat has throws of its own."""
    dice = [random.Random(f"{seed} {seat}") for seat in (0, 1)]
    for side in sides:
        side.begin(seconds)
    while position.outcome is None:
        if position.turn == "chance":
            rng = dice[position.game.thrower(position.state)]
            position = position.push(rng.choices(position.moves, position.chances())[0])
            continue
        position = position.play(sides[1 if position.turn == 1 else 0].choose(position).move)
    for side in sides:
        side.end()
    return {0: 1.0, 1: 0.0, None: 0.5}[position.outcome.winner]


def measure(name: str, given: argparse.Namespace) -> None:
    game = forgeron.game(name)
    now = Side("now", game, shared_out, time_management.TimeManager, given.speed)
    before = Side("before", game, plan_before, TimeManagerBefore, given.speed)
    pairs = []
    plies = 0 if name == "yut" else 4
    openings = draw_openings(game, given.games // 2, plies=plies, seed=given.seed) if plies else None
    for number in range(given.games // 2):
        start = openings[number].play(game) if openings else game.start()
        seed = given.seed * 1_000_000 + number
        first = play_out(start, (now, before), given.seconds, seed)
        pairs.append((first, 1.0 - play_out(start, (before, now), given.seconds, seed)))
        if (number + 1) % 25 == 0 or number + 1 == given.games // 2:
            found = summarise(Pentanomial.of(pairs))
            assert found.score is not None
            score = f"{100 * found.score.value:.1f} % ({100 * found.score.low:.1f} – {100 * found.score.high:.1f})"
            print(f"{name}, {found.games} games: now – before {score}; {now}; {before}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", default=list(GAMES), metavar="GAME")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--speed", type=float, default=10_000, help="nodes that count as a second")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for name in given.names:
        measure(name, given)


if __name__ == "__main__":
    main()

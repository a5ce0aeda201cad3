"""How a clock for the whole game is spent, and what the plan is worth: python benchmarks/clock.py [GAME …] [--games N]

A clock that counts nodes instead of seconds, so that a busy machine does not matter and the same games come every time:
30+0 is 30 seconds of --speed nodes each. The player with the plan of today plays the same player with the plan it had
before (a thirtieth of the rest for every move; half of that for a settled one). Each opening is played from both seats;
with dice both games have the same throws.

    python benchmarks/clock.py yolah --games 200 --speed 10000
    python benchmarks/clock.py yolah --games 200 --speed 10000 --eval network --against 9,6
    python benchmarks/clock.py yolah --games 50 --real

--against takes another pace (the moves of a typical game, those of its opening) in place of the plan before. With
--real the clock is that of the wall and the players are the strongest of the game, as people meet them: for a calm
machine, and 30+0 takes a minute a game.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
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


def plan_with(pace: Pace) -> Plan:
    """The plan of today for games of another length."""
    return lambda left, base, _pace, made: shared_out(left, base, pace, made)


class CountedThinker:
    """Thinks by a clock of nodes."""

    def __init__(self, game: forgeron.Game, speed: float, evaluation: str) -> None:
        kind = CountedExpectimax if game.name == "yut" else CountedMinimax
        self._clock = NodeClock(speed)
        options = {"hash": 4, "eval": evaluation} if evaluation else {"hash": 4}
        self._player = kind(game, options, clock=self._clock)

    def think(self, position: Position, limit: Limit) -> tuple[str, float]:
        """The move, and the seconds it took."""
        if isinstance(self._player, CountedMinimax):
            self._player._workspaces[0][ab_ws.NODES] = 0
        else:
            self._player._workspace[em_ws.NODES] = 0
        choice = self._player.choose(position, limit)
        return choice.move, choice.nodes / self._clock.speed


class RealThinker:
    """The strongest player of the game, by the clock on the wall."""

    def __init__(self, game: forgeron.Game) -> None:
        self._player = forgeron.player("expectimax" if game.name == "yut" else "neural", game)
        position = game.start()
        while position.turn == "chance":
            position = position.push(position.moves[0])
        self._player.choose(position, Limit(seconds=0.1))  # compiled, and its memory made, before clocks run

    def think(self, position: Position, limit: Limit) -> tuple[str, float]:
        """The move, and the seconds it took."""
        began = time.monotonic()
        move = self._player.choose(position, limit).move
        return move, time.monotonic() - began


class Side:
    """A player, how it plans, and what is left on its clock."""

    def __init__(
        self, name: str, plan: Plan, manager: type[TimeManager], thinker: CountedThinker | RealThinker
    ) -> None:
        self.name, self.plan, self._manager, self._thinker = name, plan, manager, thinker
        self.unused: list[float] = []
        self.flags = 0

    def begin(self, seconds: float) -> None:
        self.left, self.base, self.made = seconds, seconds, 0

    def choose(self, position: Position) -> str:
        for module in (minimax, expectimax):
            module.TimeManager = self._manager  # type: ignore[attr-defined]
        move, seconds = self._thinker.think(
            position, self.plan(self.left, self.base, Pace.of(position.game), self.made)
        )
        self.left -= seconds
        self.made += 1
        self.flags += self.left < 0
        return move

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
        position = position.play(sides[1 if position.turn == 1 else 0].choose(position))
    for side in sides:
        side.end()
    return {0: 1.0, 1: 0.0, None: 0.5}[position.outcome.winner]


def pace(text: str) -> Pace:
    moves, opening = map(int, text.split(","))
    return Pace(moves, opening)


def measure(name: str, given: argparse.Namespace) -> None:
    game = forgeron.game(name)
    thinkers = [RealThinker(game) if given.real else CountedThinker(game, given.speed, given.eval) for _ in range(2)]
    now = Side("now", shared_out, time_management.TimeManager, thinkers[0])
    if given.against:
        before = Side(
            f"{given.against.moves},{given.against.opening}",
            plan_with(given.against),
            time_management.TimeManager,
            thinkers[1],
        )
    else:
        before = Side("before", plan_before, TimeManagerBefore, thinkers[1])
    pairs = []
    plies = 0 if name == "yut" else 4
    openings = draw_openings(game, given.games // 2, plies=plies, seed=given.seed) if plies else None
    for number in range(given.games // 2):
        start = openings[number].play(game) if openings else game.start()
        seed = given.seed * 1_000_000 + number
        first = play_out(start, (now, before), given.seconds, seed)
        pairs.append((first, 1.0 - play_out(start, (before, now), given.seconds, seed)))
        if given.real or (number + 1) % 25 == 0 or number + 1 == given.games // 2:
            found = summarise(Pentanomial.of(pairs))
            assert found.score is not None
            score = f"{100 * found.score.value:.1f} % ({100 * found.score.low:.1f} – {100 * found.score.high:.1f})"
            print(f"{name}, {found.games} games: now – {before.name} {score}; {now}; {before}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", default=list(GAMES), metavar="GAME")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--speed", type=float, default=10_000, help="nodes that count as a second")
    parser.add_argument("--eval", default="", help="the evaluation, where the clock counts nodes")
    parser.add_argument("--against", type=pace, metavar="MOVES,OPENING", help="a pace instead of the plan before")
    parser.add_argument("--real", action="store_true", help="by the clock on the wall, with the strongest players")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for name in given.names:
        measure(name, given)


if __name__ == "__main__":
    main()

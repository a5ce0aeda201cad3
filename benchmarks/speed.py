"""How fast Forgeron is on this machine, as a Markdown table: python benchmarks/speed.py [--quick]

Each figure is the best of several runs. Work on one thread is timed in CPU seconds of this process, so that other
programs on the machine disturb it little; only the gain from a second thread and the time to start need a wall clock.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import forgeron
from forgeron.core.position import Position
from forgeron.kernels.playout import play_many
from forgeron.players.base import Limit

CONNECT_FOUR = Path(__file__).parent.parent / "examples" / "game_connect_four.py"
#: The position of the independent counts: two times five rings on the board of N = 5.
TEN_RINGS = ("0 0", "1 0", "2 3", "2 9", "3 0", "3 6", "4 12", "4 2", "5 1", "5 16")
Row = tuple[str, str]

FIRST_ANSWER = """
import forgeron
game = forgeron.game("yolah")
print(forgeron.player("monte-carlo", game, seed=1).choose(game.start(), forgeron.Limit(nodes=1000)).move)
"""
PLAIN_PYTHON = """
import time, forgeron
from forgeron.kernels.playout import play_many
start = forgeron.game("yolah").start()
began = time.process_time()
play_many(start, seed=1, games={games})
print(time.process_time() - began)
"""


def best_seconds(work: Callable[[], object], runs: int, clock: Callable[[], float] = time.process_time) -> float:
    """The shortest of `runs` times, after one that is not counted."""
    work()
    times = []
    for _ in range(runs):
        began = clock()
        work()
        times.append(clock() - began)
    return min(times)


def random_games(start: Position, games: int, runs: int) -> float:
    """Random games a CPU second, one thread."""
    return games / best_seconds(lambda: play_many(start, seed=1, games=games), runs)


def two_threads(start: Position, games: int, runs: int) -> tuple[float, float]:
    """The same games by one thread and by two, taking turns: how many times faster, and how much CPU time more."""
    wall: dict[int, list[float]] = {1: [], 2: []}
    cpu: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(runs):
        for threads in (1, 2):
            began = time.perf_counter(), time.process_time()
            play_many(start, seed=1, games=games, threads=threads)
            wall[threads].append(time.perf_counter() - began[0])
            cpu[threads].append(time.process_time() - began[1])
    return min(wall[1]) / min(wall[2]), min(cpu[2]) / min(cpu[1])


def simulations(start: Position, nodes: int, runs: int) -> float:
    """Simulations of `mcts` a CPU second from an empty tree, one thread."""
    player = forgeron.player("mcts", start.game, seed=1)
    return nodes / best_seconds(lambda: player.choose(start, Limit(nodes=nodes)), runs)


def run_process(command: list[str], **environment: str) -> tuple[float, float, str]:
    """Wall seconds, CPU seconds and the output of a fresh process."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, env={**os.environ, **environment}, check=True, capture_output=True, text=True)
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def start_up(command: list[str], runs: int) -> str:
    """The quickest wall and CPU time of a process, after one run that may compile."""
    run_process(command)
    measured = [run_process(command)[:2] for _ in range(runs)]
    return f"{min(wall for wall, _ in measured):.2f} s, {min(cpu for _, cpu in measured):.2f} s CPU"


def other_games(runs: int, games: int, quick: bool) -> Iterator[Row]:
    """Mancala, YINSH and Yut Nori, one thread."""
    mancala = forgeron.game("mancala", preset="course")
    depth = 4 if quick else 5
    leaves = mancala.perft(mancala.start(), depth)
    speed = leaves / best_seconds(lambda: mancala.count(mancala.start(), depth), min(runs, 5))
    yield f"Mancala, perft({depth}), moves a second, every move played", f"{speed / 1e6:,.0f} M"
    yield "Mancala, random plies a second", f"{random_plies(mancala.start(), games, runs) / 1e6:,.1f} M"
    yield "Mancala, simulations of `mcts` a second", f"{simulations(mancala.start(), games, runs):,.0f}"

    yinsh = forgeron.game("yinsh")
    yield "YINSH, random games a second", f"{random_games(yinsh.start(), games, runs):,.0f}"
    yield "YINSH, simulations of `mcts` a second", f"{simulations(yinsh.start(), games, runs):,.0f}"
    ringed = yinsh.start()
    for place in TEN_RINGS:
        ringed = ringed.play(f"P {place}")
    depth = 3 if quick else 4
    speed = yinsh.perft(ringed, depth) / best_seconds(lambda: yinsh.perft(ringed, depth), min(runs, 5))
    yield f"YINSH, perft({depth}) after ten rings, leaves a second, last move counted", f"{speed / 1e6:,.0f} M"

    yut = forgeron.game("yut")
    yield "Yut Nori, random games a second", f"{random_games(yut.start(), games, runs):,.0f}"


def random_plies(start: Position, games: int, runs: int) -> float:
    """Random plies a CPU second, one thread."""
    return play_many(start, seed=1, games=games).plies / games * random_games(start, games, runs)


def searched(nodes: int, runs: int, **options: str) -> str:
    """Millions of positions a CPU second that minimax looks at, one thread: the mean over four positions of a game."""
    game = forgeron.game("yolah")
    player = forgeron.player("minimax", game, hash=4, **options)
    position, done, seconds = game.start(), 0, 0.0
    for ply in range(25):
        if ply % 8 == 0:
            at = position
            done += player.choose(at, forgeron.Limit(nodes=nodes)).nodes
            seconds += best_seconds(lambda at=at: player.choose(at, forgeron.Limit(nodes=nodes)), runs)  # type: ignore[misc]
        position = position.push(position.moves[7 * ply % len(position.moves)])
    return f"{done / seconds / 1e6:,.1f} M"


def searches(runs: int, nodes: int) -> Iterator[Row]:
    """Yolah's minimax, with everything and as plain alpha-beta, by both evaluations."""
    what = "Yolah, minimax, positions a second, one thread"
    yield f"{what}, the whole evaluation", searched(nodes, runs)
    yield "… plain alpha-beta (`enhancements=alphabeta`)", searched(nodes, runs, enhancements="alphabeta")
    yield "… by material (`eval=material`)", searched(nodes, runs, eval="material")
    yield "… plain alpha-beta by material", searched(nodes, runs, enhancements="alphabeta", eval="material")


def rows(quick: bool) -> Iterator[Row]:
    """What is measured, line by line."""
    runs, games, depth = (2, 20_000, 4) if quick else (15, 200_000, 5)
    game = forgeron.game("yolah")
    start = game.start()
    yield "Yolah, random games a second, one thread", f"{random_games(start, games, runs):,.0f}"
    yield "Yolah, simulations of `mcts` a second, one thread", f"{simulations(start, games, runs):,.0f}"
    gain, cost = two_threads(start, 2 * games, runs)
    yield "… two threads against one: speed (wall clock), CPU time", f"{gain:.2f} ×, {cost:.2f} ×"

    leaves = game.perft(start, depth)
    played = leaves / best_seconds(lambda: game.count(start, depth), min(runs, 5))
    counted = leaves / best_seconds(lambda: game.perft(start, depth), min(runs, 5))
    yield f"Yolah, perft({depth}), leaves a second, every move played", f"{played / 1e6:,.0f} M"
    yield f"Yolah, perft({depth}), leaves a second, last move counted", f"{counted / 1e6:,.0f} M"

    yield from searches(min(runs, 5), 20_000 if quick else 500_000)

    other = forgeron.game(str(CONNECT_FOUR))
    yield "Connect Four, random games a second, one thread", f"{random_games(other.start(), games, runs):,.0f}"

    yield from other_games(runs, games // 10, quick)

    few = 20 if quick else 200
    plain = [sys.executable, "-c", PLAIN_PYTHON.format(games=few)]
    seconds = [float(run_process(plain, FORGERON_JIT="0")[2]) for _ in range(min(runs, 3))]
    yield "Yolah in plain Python (`FORGERON_JIT=0`), random games a second", f"{few / min(seconds):,.0f}"

    yield "start to first answer, code stored", start_up([sys.executable, "-c", FIRST_ANSWER], min(runs, 5))
    if importlib.util.find_spec("forgeron.__main__"):
        yield "`forgeron --help`", start_up([sys.executable, "-m", "forgeron", "--help"], min(runs, 5))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="less work: a first look, not a figure to quote")
    quick = parser.parse_args().quick
    print("| what | best |\n|---|---|")
    for what, figure in rows(quick):
        print(f"| {what} | {figure} |", flush=True)


if __name__ == "__main__":
    main()

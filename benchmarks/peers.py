"""Random games and tree search beside OpenSpiel's, in one run: python benchmarks/peers.py [--quick]

What is measured: complete uniformly random games from the first position, one thread, per CPU second, the two programs
taking turns, best of many turns. On the OpenSpiel side no Python runs inside: its tree search is asked for a single
simulation, which does nothing but call its C++ `RandomRolloutEvaluator` on the first position for as many games as
wanted. Connect Four is the same game in both. OpenSpiel has neither Yolah nor coloured Mancala; the nearest games are
Amazons (queens that leave blocked squares, on 10 × 10, three actions a turn) and Oware, so those lines are not like for
like.

Then the same games with a tree search: simulations a CPU second of `mcts` and of OpenSpiel's C++ `MCTSBot` with one
random game a leaf, both from the first position and an empty tree, both with proofs (its `solve`).
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import forgeron
from forgeron.kernels.playout import play_many

try:
    import pyspiel
except ImportError:
    sys.exit("this comparison needs OpenSpiel: pip install 'forgeron[peers]'")

CONNECT_FOUR = Path(__file__).parent.parent / "examples" / "game_connect_four.py"
#: Games of one turn: both sides work for some tenths of a second.
OURS = {"connect_four": 200_000, "yolah": 200_000, "mancala": 50_000}
THEIRS = {"connect_four": 10_000, "amazons": 2_000, "oware": 10_000}
#: Simulations of one search of ours; OpenSpiel's makes a tenth, so that a round takes both about as long.
SIMULATIONS = 50_000
PAIRS_OURS = (("Connect Four", "connect_four"), ("Yolah", "yolah"), ("Mancala", "mancala"))
PAIRS_THEIRS = (("Connect Four", "connect_four"), ("Amazons", "amazons"), ("Oware", "oware"))


def forgeron_games(name: str, games: int) -> Callable[[], object]:
    """Plays so many random games of ours."""
    start = forgeron.game(name).start()
    return lambda: play_many(start, seed=1, games=games)


def openspiel_games(name: str, games: int) -> Callable[[], object]:
    """Plays so many random games of theirs, all in one C++ loop."""
    game = pyspiel.load_game(name)
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=games, seed=1)
    bot: Any = pyspiel.MCTSBot(game, evaluator, 1.4, 1, 100, False, 1, False)
    state = game.new_initial_state()
    return lambda: bot.mcts_search(state)


def forgeron_search(name: str, simulations: int) -> Callable[[], object]:
    """One search of ours from an empty tree."""
    start = forgeron.game(name).start()
    player = forgeron.player("mcts", start.game, seed=1)
    return lambda: player.choose(start, forgeron.Limit(nodes=simulations))


def openspiel_search(name: str, simulations: int) -> Callable[[], object]:
    """One search of theirs, all in C++, with room for as many nodes as it wants."""
    game = pyspiel.load_game(name)
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=1)
    bot: Any = pyspiel.MCTSBot(game, evaluator, 1.4, simulations, 2000, True, 1, False)
    state = game.new_initial_state()
    return lambda: bot.mcts_search(state)


def actions_a_game(name: str, games: int = 300) -> float:
    """The mean length of OpenSpiel's random games, from Python: it is not part of the timing."""
    rng = random.Random(1)
    game, total = pyspiel.load_game(name), 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            total += 1
    return total / games


def compare_searches(turns: int, share: int) -> None:
    """Print the simulations a CPU second of both."""
    rows: list[tuple[str, str, int, Callable[[], object]]] = []
    for label, name in PAIRS_OURS:
        found = str(CONNECT_FOUR) if name == "connect_four" else name
        simulations = SIMULATIONS // share
        rows.append((label, "Forgeron", simulations, forgeron_search(found, simulations)))
    for label, name in PAIRS_THEIRS:
        simulations = SIMULATIONS // share // 10
        rows.append((label, "OpenSpiel", simulations, openspiel_search(name, simulations)))
    best = best_seconds([row[3] for row in rows], turns)
    speeds = {(row[0], row[1]): row[2] / seconds for row, seconds in zip(rows, best, strict=True)}
    print("\n| game | program | simulations a CPU second |\n|---|---|---|")
    for (label, program), speed in sorted(speeds.items()):
        print(f"| {label} | {program} | {speed:,.0f} |")
    for (ours, _), (theirs, _) in zip(PAIRS_OURS, PAIRS_THEIRS, strict=True):
        ratio = speeds[ours, "Forgeron"] / speeds[theirs, "OpenSpiel"]
        print(f"\n{ours} beside {theirs}: Forgeron makes {ratio:.0f} × as many simulations.")


def best_seconds(works: list[Callable[[], object]], turns: int) -> list[float]:
    """The shortest time of each, all taking turns; the first round warms up."""
    best = [float("inf")] * len(works)
    for turn in range(turns + 1):
        for i, work in enumerate(works):
            seconds = cpu_seconds(work)
            best[i] = min(best[i], seconds) if turn else best[i]
    return best


def cpu_seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="less work: a first look, not a figure to quote")
    turns, share = (2, 10) if parser.parse_args().quick else (15, 1)
    entries: list[tuple[str, str, int, Callable[[], object], float]] = []
    for label, name in PAIRS_OURS:
        games = OURS[name] // share
        found = str(CONNECT_FOUR) if name == "connect_four" else name
        tally = play_many(forgeron.game(found).start(), seed=1, games=games)
        entries.append((label, "Forgeron", games, forgeron_games(found, games), tally.plies / tally.games))
    for label, name in PAIRS_THEIRS:
        games = THEIRS[name] // share
        entries.append((label, "OpenSpiel", games, openspiel_games(name, games), actions_a_game(name)))

    best = best_seconds([entry[3] for entry in entries], turns)
    print(
        "| game | program | random games a CPU second | actions a game | actions a CPU second |\n|---|---|---|---|---|"
    )
    for (label, program, games, _, length), seconds in sorted(
        zip(entries, best, strict=True), key=lambda row: row[0][0]
    ):
        speed = games / seconds
        print(f"| {label} | {program} | {speed:,.0f} | {length:.1f} | {speed * length / 1e6:,.1f} M |")
    speeds = {(entry[0], entry[1]): entry[2] * entry[4] / seconds for entry, seconds in zip(entries, best, strict=True)}
    for (ours, _), (theirs, _) in zip(PAIRS_OURS, PAIRS_THEIRS, strict=True):
        ratio = speeds[ours, "Forgeron"] / speeds[theirs, "OpenSpiel"]
        print(f"\n{ours} beside {theirs}: Forgeron makes {ratio:.0f} × as many moves.")
    compare_searches(turns, share)


if __name__ == "__main__":
    main()

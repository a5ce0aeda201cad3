"""Forgeron beside its peers, in one run: make bench-peers, or python benchmarks/peers.py [--quick] [--keep]

Everything is counted per CPU second of this process on one thread, all programs taking turns, best of several turns:

* random games: complete uniformly random games. OpenSpiel's run in one C++ loop: its tree search is asked for a single
  simulation, whose evaluator plays as many as wanted. Pgx's step side by side in one compiled loop. easyAI, PettingZoo
  and python-chess are Python.
* tree search: simulations of `mcts` and of OpenSpiel's C++ `MCTSBot` (one random game a leaf, with its solver), from
  the first position and an empty tree; positions of `minimax` and of easyAI's `Negamax`.
* environment steps: a random legal action, played, observation and mask read. Pgx and our batch step 1,024 games
  at once, PettingZoo's and our PettingZoo environment one.
* referee plies: an engine in C that answers at once, under our referee (rules, clock, record) and under python-chess.

Games are Connect Four unless the row names another one. Rows of different games are not like for like. A program that
is not installed is left out, and said so. `--keep` writes docs/data/peers.json and docs/pictures/peers.svg.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
os.environ.setdefault("JAX_PLATFORMS", "cpu")

from data_files import ROOT, write_figures
from peers_plot import bar_chart

import forgeron
from forgeron.arena.referee import Referee
from forgeron.bots.clock import TimeControl
from forgeron.bots.native_host import NativeHost
from forgeron.bots.sandbox import Sandbox
from forgeron.interop.batch import GameBatch
from forgeron.kernels.playout import play_many

CONNECT_FOUR = str(ROOT / "examples" / "game_connect_four.py")
SIDE_BY_SIDE = 1_024
PLIES = 200


class Contest(NamedTuple):
    """One program at one kind of work; calling `work` does some of it and says how much."""

    kind: str
    game: str
    program: str
    work: Callable[[], int]


# --- ours -------------------------------------------------------------------------------------------------------------


def ours(share: int, _stack: ExitStack) -> Iterator[Contest]:
    for title, name in (("Connect Four", CONNECT_FOUR), ("Yolah", "yolah"), ("Mancala", "mancala")):
        start = forgeron.game(name).start()
        games = 100_000 // share
        yield Contest("random games", title, "Forgeron", lambda s=start, n=games: play_many(s, seed=1, games=n).games)  # type: ignore[misc]
        player = forgeron.player("mcts", start.game, seed=1)
        limit = forgeron.Limit(nodes=50_000 // share)
        yield Contest("mcts simulations", title, "Forgeron", lambda p=player, s=start, n=limit: p.choose(s, n).nodes)  # type: ignore[misc]
    start = forgeron.game(CONNECT_FOUR).start()
    searcher = forgeron.player("minimax", start.game, seed=1)
    deep = forgeron.Limit(nodes=500_000 // share)
    yield Contest("minimax positions", "Connect Four", "Forgeron", lambda: searcher.choose(start, deep).nodes)
    batch = GameBatch(start.game, SIDE_BY_SIDE, seed=1)
    yield Contest("environment steps", "Connect Four", "Forgeron", lambda: step_batch(batch, 400 // share))


def step_batch(batch: GameBatch, steps: int) -> int:
    for _ in range(steps):
        batch.step(batch.draw_actions())
    return steps * SIDE_BY_SIDE


# --- others -----------------------------------------------------------------------------------------------------------


def openspiel(share: int, _stack: ExitStack) -> Iterator[Contest]:
    import pyspiel

    for title, name in (("Connect Four", "connect_four"), ("Amazons", "amazons"), ("Oware", "oware")):
        game = pyspiel.load_game(name)
        state, games, simulations = game.new_initial_state(), 2_000 // share, 5_000 // share
        evaluator: Any = pyspiel.RandomRolloutEvaluator(n_rollouts=games, seed=1)
        roller: Any = pyspiel.MCTSBot(game, evaluator, 1.4, 1, 100, False, 1, False)
        yield Contest("random games", title, "OpenSpiel", lambda b=roller, s=state, n=games: (b.mcts_search(s), n)[1])  # type: ignore[misc]
        single: Any = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=1)
        bot: Any = pyspiel.MCTSBot(game, single, 1.4, simulations, 2000, True, 1, False)
        yield Contest(
            "mcts simulations", title, "OpenSpiel", lambda b=bot, s=state, n=simulations: (b.mcts_search(s), n)[1]
        )  # type: ignore[misc]


def pgx(share: int, _stack: ExitStack) -> Iterator[Contest]:
    import jax
    import jax.numpy as jnp
    import pgx as library
    from pgx.experimental import auto_reset

    env = library.make("connect_four")
    step = jax.vmap(auto_reset(env.step, env.init))
    steps = 200 // share

    def one(_: int, carry: Any) -> Any:
        key, state, seen, ended = carry
        key, choose, dice = jax.random.split(key, 3)
        actions = jax.random.categorical(choose, jnp.where(state.legal_action_mask, 0.0, -jnp.inf), axis=-1)
        state = step(state, actions, jax.random.split(dice, SIDE_BY_SIDE))
        # What was seen is used, so that the compiler cannot leave it out.
        return key, state, seen + state.observation.sum(), ended + state.terminated.sum()

    @jax.jit
    def run(key: Any, state: Any) -> Any:
        return jax.lax.fori_loop(0, steps, one, (key, state, jnp.int32(0), jnp.int32(0)))

    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), SIDE_BY_SIDE))
    work = lambda: jax.block_until_ready(run(jax.random.PRNGKey(1), state))  # noqa: E731
    yield Contest("environment steps", "Connect Four", "Pgx", lambda: (work(), steps * SIDE_BY_SIDE)[1])
    yield Contest("random games", "Connect Four", "Pgx", lambda: int(work()[3]))


def pettingzoo(share: int, _stack: ExitStack) -> Iterator[Contest]:
    from pettingzoo.classic import connect_four_v3

    from forgeron.interop.pettingzoo import env as ours_as_env

    for program, env in (("PettingZoo", connect_four_v3.env()), ("Forgeron", ours_as_env(CONNECT_FOUR))):
        yield Contest(
            "environment steps",
            "Connect Four, one game at a time (AEC)",
            program,
            lambda e=env: step_env(e, 2_000 // share),
        )  # type: ignore[misc]


def step_env(env: Any, steps: int) -> int:
    """Random legal actions; a new game where one ends."""
    rng = random.Random(1)
    env.reset(seed=1)
    for _ in range(steps):
        observation, _reward, ended, cut, _info = env.last()
        if ended or cut:
            env.reset()
            observation = env.last()[0]
        legal = [i for i, one in enumerate(observation["action_mask"].tolist()) if one]
        env.step(rng.choice(legal))
    return steps


def easyai(share: int, _stack: ExitStack) -> Iterator[Contest]:
    from easyAI import AI_Player, Negamax
    from easyAI.games.ConnectFour import ConnectFour

    class Counted(ConnectFour):
        """Counts the positions that a search looks at."""

        made = 0

        def make_move(self, column: int) -> None:
            Counted.made += 1
            super().make_move(column)

    def games() -> int:
        rng = random.Random(1)
        for _ in range(20 // min(share, 10)):
            game = ConnectFour([None, None])
            while not game.is_over():
                game.make_move(rng.choice(game.possible_moves()))
                game.switch_player()
        return 20 // min(share, 10)

    def search() -> int:
        Counted.made = 0
        players = [AI_Player(Negamax(4)), AI_Player(Negamax(4))]
        players[0].ask_move(Counted(players))
        return Counted.made

    yield Contest("random games", "Connect Four", "easyAI", games)
    yield Contest("minimax positions", "Connect Four", "easyAI", search)


def python_chess(share: int, stack: ExitStack) -> Iterator[Contest]:
    import chess
    import chess.engine

    def games() -> int:
        rng, played = random.Random(1), 4 // min(share, 4)
        for _ in range(played):
            board = chess.Board()
            while not board.is_game_over():
                board.push(rng.choice(list(board.legal_moves)))
        return played

    yield Contest("random games", "chess", "python-chess", games)
    rng, board = random.Random(1), chess.Board()
    while len(board.move_stack) < PLIES:
        board.push(rng.choice(list(board.legal_moves)))
        board = chess.Board() if board.is_game_over() else board
    moves = [move.uci() for move in board.move_stack]
    engine = stack.enter_context(chess.engine.SimpleEngine.popen_uci([str(instant_bot(stack)), *moves]))

    def referee() -> int:
        game = chess.Board()
        while len(game.move_stack) < len(moves):
            answer = engine.play(game, chess.engine.Limit(time=5))
            assert answer.move in game.legal_moves
            game.push(answer.move)
        return len(moves)

    yield Contest("referee plies", "chess", "python-chess", referee)


def our_referee(_share: int, stack: ExitStack) -> Iterator[Contest]:
    game = forgeron.game("mancala", preset="course")
    lines = (ROOT / "tests" / "golden" / "mancala-games.txt").read_text(encoding="utf-8").splitlines()
    golden = [line.partition(";")[0].split() for line in lines if not line.startswith("#")]
    moves = min(golden, key=lambda one: abs(len(one) - PLIES))
    program = str(instant_bot(stack))
    first, second = (NativeHost(f"bot {seat}", [program, *moves], sandbox=Sandbox(bwrap=False)) for seat in (0, 1))
    stack.callback(first.close)
    stack.callback(second.close)

    def referee() -> int:
        Referee(game, (first, second), TimeControl(move_seconds=5)).play()
        return len(moves)

    yield Contest("referee plies", "Mancala", "Forgeron", referee)


def instant_bot(stack: ExitStack) -> Path:
    """An engine in C that plays the moves it is given, at once."""
    program = Path(stack.enter_context(tempfile.TemporaryDirectory(dir="."))).absolute() / "instant"
    subprocess.run(["cc", "-O2", "-o", program, Path(__file__).with_name("instant_bot.c")], check=True)
    return program


PROGRAMS = (ours, openspiel, pgx, pettingzoo, easyai, python_chess, our_referee)


# --- the run ----------------------------------------------------------------------------------------------------------


def contests(share: int, stack: ExitStack) -> list[Contest]:
    """What can be run here; what cannot is said."""
    found: list[Contest] = []
    for program in PROGRAMS:
        try:
            found += program(share, stack)
        except (ImportError, OSError, subprocess.CalledProcessError) as error:
            print(f"left out: {program.__name__} ({error})", file=sys.stderr)
    return found


def best_speeds(found: list[Contest], turns: int) -> list[float]:
    """The highest speed of each, all taking turns; the first round warms up."""
    best = [0.0] * len(found)
    for turn in range(turns + 1):
        for i, contest in enumerate(found):
            began = time.process_time()
            done = contest.work()
            if turn:
                best[i] = max(best[i], done / max(time.process_time() - began, 1e-9))
        print(f"\rturn {turn} of {turns}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return best


def rows_of(found: list[Contest], speeds: list[float]) -> list[dict[str, Any]]:
    """The table: each program, and how many times as fast Forgeron is at the same kind of work."""
    mine = {(c.kind, c.game): speed for c, speed in zip(found, speeds, strict=True) if c.program == "Forgeron"}
    # Without the same game on our side: the one that is nearest; random games of chess compare with nothing.
    nearest = {"Amazons": "Yolah", "Oware": "Mancala"}
    rows = []
    for contest, speed in sorted(zip(found, speeds, strict=True), key=lambda one: (one[0].kind, one[0].game)):
        beside = "Mancala" if contest.kind == "referee plies" else nearest.get(contest.game, contest.game)
        ratio = mine.get((contest.kind, beside), 0.0) / speed
        told = "" if contest.program == "Forgeron" or not ratio else f"{ratio:,.1f} ×{compared(contest.game, beside)}"
        rows.append(
            {
                "work": contest.kind,
                "game": contest.game,
                "program": contest.program,
                "a CPU second": round(speed) if speed >= 10 else round(speed, 2),
                "Forgeron is": told,
            }
        )
    return rows


def compared(game: str, beside: str) -> str:
    return "" if game == beside else f" ({beside})"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="less work: a first look, not a figure to quote")
    parser.add_argument("--keep", action="store_true", help="keep the figures for the documentation")
    asked = parser.parse_args()
    turns, share = (1, 10) if asked.quick else (5, 2)
    with ExitStack() as stack:
        found = contests(share, stack)
        rows = rows_of(found, best_speeds(found, turns))
    print(f"| {' | '.join(rows[0])} |\n|{'---|' * len(rows[0])}")
    for row in rows:
        print(f"| {' | '.join(f'{one:,}' if isinstance(one, int | float) else one for one in row.values())} |")
    if asked.keep:
        print(write_figures("peers", "make bench-peers", rows), file=sys.stderr)
        plot = ROOT / "docs" / "pictures" / "peers.svg"
        plot.write_text(bar_chart(rows), encoding="utf-8")
        print(plot, file=sys.stderr)


if __name__ == "__main__":
    main()

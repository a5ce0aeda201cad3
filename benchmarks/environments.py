"""Environment steps beside Pgx's, in one run: python benchmarks/environments.py [--quick]

The same work on both sides: games of Connect Four side by side, a random legal action for each, played, the observation
and the mask of legal actions written for the player who is next, finished games begun again. Pgx (JAX) does it inside
one compiled loop without any Python; Forgeron is called from Python twice a step. Counted are steps of a single game a
CPU second, the two programs taking turns, best of several; one thread each (XLA is told so).
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import forgeron
from forgeron.interop.batch import GameBatch

try:
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset
except ImportError:
    sys.exit("this comparison needs Pgx: pip install jax pgx")

CONNECT_FOUR = Path(__file__).parent.parent / "examples" / "game_connect_four.py"


def ours(games: int, steps: int) -> Callable[[], object]:
    batch = GameBatch(forgeron.game(str(CONNECT_FOUR)), games, seed=1)

    def run() -> None:
        for _ in range(steps):
            batch.step(batch.draw_actions())

    return run


def theirs(games: int, steps: int) -> Callable[[], object]:
    env = pgx.make("connect_four")
    init = jax.vmap(env.init)
    step = jax.vmap(auto_reset(env.step, env.init))

    def one(_: int, carry: tuple[Any, Any, Any]) -> tuple[Any, Any, Any]:
        key, state, seen = carry
        key, choose, dice = jax.random.split(key, 3)
        logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        actions = jax.random.categorical(choose, logits, axis=-1)
        state = step(state, actions, jax.random.split(dice, games))
        # What was seen is used, so that the compiler cannot leave it out.
        return key, state, seen + state.observation.sum() + state.rewards.sum().astype(jnp.int32)

    @jax.jit
    def run_all(key: Any, state: Any) -> Any:
        return jax.lax.fori_loop(0, steps, one, (key, state, jnp.int32(0)))

    state = jax.jit(init)(jax.random.split(jax.random.PRNGKey(0), games))
    return lambda: jax.block_until_ready(run_all(jax.random.PRNGKey(1), state))


def cpu_seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="less work: a first look, not a figure to quote")
    rounds = 2 if parser.parse_args().quick else 7
    print("| games side by side | Forgeron, steps a CPU second | Pgx, steps a CPU second | ratio |\n|---|---|---|---|")
    for games in (256, 1024, 4096):
        steps = 200_000 // games
        works = [ours(games, 4 * steps), theirs(games, steps)]
        for work in works:
            work()  # compiles
        best = [float("inf")] * 2
        for _ in range(rounds):
            for i, work in enumerate(works):
                best[i] = min(best[i], cpu_seconds(work))
        speed, other = games * 4 * steps / best[0], games * steps / best[1]
        print(f"| {games:,} | {speed / 1e6:.2f} M | {other / 1e6:.2f} M | {speed / other:.1f} × |", flush=True)


if __name__ == "__main__":
    main()

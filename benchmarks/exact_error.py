"""How far evaluations are from the exact values, over every position of the table: a turn begins, each counting once.

    python benchmarks/exact_error.py yut                       the linear evaluation and the network of the package
    python benchmarks/exact_error.py yut mine/yut.network      and another one

The table is that of the package, or a larger one from `forgeron solve` in the data folder. A level is all positions in
which the two sides still have so many pieces to bring home.
"""

from __future__ import annotations

import argparse

import numpy as np

import forgeron
from forgeron.core.table_file import WHOLE
from forgeron.kernels.value_iteration import estimate


def differences(game: forgeron.Game, table: np.ndarray, evaluation: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Evaluation minus exact value, as probabilities, by index; and whether the index has a position."""
    values, there = np.zeros(len(table), dtype=np.float32), np.zeros(len(table), dtype=np.bool_)
    nothing = np.zeros(0, dtype=np.float32)
    estimate(game.start().state, np.int64(0), np.int64(len(table)), values, there, nothing, evaluation)
    return values - table / np.float32(WHOLE), there


def row(name: str, wrong: np.ndarray) -> str:
    root, worst = np.sqrt(np.mean(wrong**2)), np.abs(wrong).max()
    return f"{name:28} {len(wrong):>9,}  {root:.4f}  {np.quantile(np.abs(wrong), 0.99):.4f}  {worst:.4f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("networks", nargs="*", help="files of networks")
    given = parser.parse_args()
    game = forgeron.game(given.game)
    table = game.table()
    levels = [level for level in game.table_levels() if level.entries <= len(table)]
    print(f"{'':28} positions     rms    99 %   worst")
    for name in ("linear", "network", *given.networks):
        wrong, there = differences(game, table, game.evaluation(name))
        first = 0
        for level in levels:
            part = slice(first, level.entries)
            print(row(f"{name[-20:]}, level {level.name}", wrong[part][there[part]]))
            first = level.entries
        print(row(f"{name[-20:]}, all", wrong[there]), flush=True)


if __name__ == "__main__":
    main()

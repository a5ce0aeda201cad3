"""Evaluations that are linear in their weights: the check that one is, and the features it is made of."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from forgeron.core.chance import random_move
from forgeron.core.contract import offers
from forgeron.core.errors import OptionError
from forgeron.core.game import Game
from forgeron.kernels.features import evaluate_line

#: Random games whose positions stand for all, and how many plies of each.
_GAMES, _PLIES = 40, 300
#: What rounding may make of a sum of a few products.
_TOLERANCE = 1e-8


def judge(game: Game, line: Sequence[int], weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each position before a move of the line: the evaluation by each row of `weights`, and whether the game
    itself knows the result."""
    values = np.empty((len(line), len(weights)))
    solved = np.zeros(len(line), dtype=np.bool_)
    moves = np.array(line, dtype=np.int64)
    evaluate_line(game.start().state, moves, np.ascontiguousarray(weights, dtype=np.float64), values, solved)
    return values, solved


def features(game: Game, line: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """For each position before a move of the line: its features, and whether the game itself knows the result."""
    return judge(game, line, np.eye(len(game.weight_names)))


def check_linear(game: Game, weights: np.ndarray, seed: int = 0) -> None:
    """Refuse a game whose weights cannot be fitted: without an evaluation, without names, or not linear."""
    if not offers(game.state_class, "evaluate"):
        raise OptionError(f"{game.title} has no evaluation whose weights could be fitted")
    if not game.weight_names:
        raise OptionError(f"the weights of {game.title} have no names: its class needs weight_names, one for each")
    names = game.weight_names
    if weights.dtype != np.float64:
        raise OptionError("a network has no weights to be fitted: say default, or a file of weights (.json)")
    if len(weights) != len(names):
        raise OptionError(f"{game.title} has {len(weights)} weights and {len(names)} names of weights")
    size = len(names)
    others = np.random.default_rng(seed).normal(size=(3, size))
    rows = np.vstack([np.eye(size), weights, 2 * others])
    for line in random_lines(game, 10, seed):
        values, _ = judge(game, line, rows)
        expected = values[:, :size] @ rows[size:].T
        scale = 1 + np.abs(values[:, :size]) @ np.abs(rows[size:]).T
        # Not "difference > tolerance", which is false for what is not a number.
        if not np.all(np.abs(values[:, size:] - expected) <= _TOLERANCE * scale):
            raise OptionError(
                f"the evaluation of {game.title} is not linear in its weights, so they cannot be fitted: it must be a "
                "sum of weight × feature, with nothing added that no weight multiplies"
            )


def spread(game: Game, seed: int = 0) -> np.ndarray:
    """The root mean square of each feature in random games; 1 for one that was always 0."""
    return root_mean_square(np.vstack([features(game, line)[0] for line in random_lines(game, _GAMES, seed)]))


def root_mean_square(rows: np.ndarray) -> np.ndarray:
    """The root mean square of each column; 1 for one that is always 0, so that it can be divided by."""
    size: np.ndarray = np.sqrt(np.mean(rows**2, axis=0))
    return np.where(size > 0, size, 1.0)


def random_lines(game: Game, games: int, seed: int) -> list[list[int]]:
    """The moves of random games, as numbers; a long game is cut off."""
    found = []
    for number in range(games):
        rng = random.Random(f"random lines of {game} {seed} {number}")
        position = game.start()
        line: list[int] = []
        while position.turn is not None and len(line) < _PLIES:
            line.append(random_move(position, rng))
            position = position.push(line[-1])
        found.append(line)
    return found

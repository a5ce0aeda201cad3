"""From records of games to positions that weights can be fitted to."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from forgeron.core.game import Game
from forgeron.core.record import Record
from forgeron.learning.linear import features
from forgeron.learning.regression import Sample

#: Positions so soon after the random moves of the opening are left out: nobody would play into them.
SETTLING_PLIES = 2
#: Of so many games one is kept back: the fit does not see it, and is judged by it.
_ONE_IN = 5


def numbers(game: Game, record: Record) -> list[int]:
    """The moves of a record as the numbers that kernels use."""
    position, line = game.start(), []
    for token in record.moves:
        (move,) = game.parse_turn(position.state, token)
        line.append(move)
        position = position.push(move)
    return line


def wanted(record: Record, opening: int) -> tuple[int, int]:
    """The plies of a game, first and one past the last, whose positions say something.

    Not those of the random opening and right after it, nor those from which a player saw the end: there the search
    decides, and not the evaluation.
    """
    seen = [note["ply"] for note in record.extra.get("notes", ()) if note.get("v") in (0.0, 1.0)]
    return opening + SETTLING_PLIES, min([len(record.moves), *seen])


def read_positions(game: Game, record: Record, opening: int) -> np.ndarray:
    """The features of the positions of a game that are fitted, one row each."""
    first, end = wanted(record, opening)
    rows, solved = features(game, numbers(game, record)[:end])
    chosen: np.ndarray = rows[first:][~solved[first:]]
    return chosen


def gather(games: Mapping[int, np.ndarray], results: Mapping[int, float]) -> tuple[Sample, Sample]:
    """The positions of the games by their number, split by game: to be fitted to, and to judge the fit."""
    kept_back = [number for number in sorted(games) if number % _ONE_IN == _ONE_IN - 1]
    used = [number for number in sorted(games) if number % _ONE_IN != _ONE_IN - 1]
    return _sample(used, games, results), _sample(kept_back, games, results)


def result(record: Record) -> float:
    """What the game brought player 0: 1, ½ or 0."""
    return 0.5 if record.winner is None else 1.0 - record.winner


def _sample(numbers: list[int], games: Mapping[int, np.ndarray], results: Mapping[int, float]) -> Sample:
    lengths = [len(games[number]) for number in numbers]
    rows = np.vstack([games[number] for number in numbers]) if numbers else np.empty((0, 0))
    return Sample(rows, np.repeat([results[number] for number in numbers], lengths), np.repeat(numbers, lengths))

"""Training data from records of games: the features of positions, labelled with the results of their games."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from forgeron.core.game import Game
from forgeron.core.record import Record
from forgeron.learning.linear_features import features
from forgeron.learning.regression import Sample

#: Positions so soon after the random moves of the opening are left out: nobody would play into them.
SETTLING_PLIES = 2
#: One game in so many is held out: the fit does not see it and is validated on it.
_ONE_IN = 5


def move_numbers(game: Game, record: Record) -> list[int]:
    """The moves of a record as kernels number them."""
    position, line = game.start(), []
    for token in record.moves:
        (move,) = game.parse_turn(position.state, token)
        line.append(move)
        position = position.push(move)
    return line


def usable_plies(record: Record, opening: int) -> tuple[int, int]:
    """The plies of a game, first and one past the last, whose positions are fitted to.

    The random opening and the plies right after it are left out, and so is everything from the first position whose
    result a player had proven: there the search decides, not the evaluation.
    """
    seen = [note["ply"] for note in record.extra.get("notes", ()) if note.get("v") in (0.0, 1.0)]
    return opening + SETTLING_PLIES, min([len(record.moves), *seen])


def read_positions(game: Game, record: Record, opening: int) -> np.ndarray:
    """The features of the positions of a game that are fitted, one row each."""
    first, end = usable_plies(record, opening)
    rows, solved = features(game, move_numbers(game, record)[:end])
    chosen: np.ndarray = rows[first:][~solved[first:]]
    return chosen


def split_by_game(games: Mapping[int, np.ndarray], results: Mapping[int, float]) -> tuple[Sample, Sample]:
    """The positions of numbered games as training and held-out data, no game in both."""
    held_out = [number for number in sorted(games) if number % _ONE_IN == _ONE_IN - 1]
    used = [number for number in sorted(games) if number % _ONE_IN != _ONE_IN - 1]
    return _sample(used, games, results), _sample(held_out, games, results)


def _sample(numbers: list[int], games: Mapping[int, np.ndarray], results: Mapping[int, float]) -> Sample:
    lengths = [len(games[number]) for number in numbers]
    rows = np.vstack([games[number] for number in numbers]) if numbers else np.empty((0, 0))
    return Sample(rows, np.repeat([results[number] for number in numbers], lengths), np.repeat(numbers, lengths))

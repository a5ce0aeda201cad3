"""Tuning by regression: self-play with the newest weights, a fit to the results, and again."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, field

import numpy as np

from forgeron.arena.event import play, points
from forgeron.arena.executor import Executor
from forgeron.arena.journal import Journal
from forgeron.arena.task import GameTask
from forgeron.learning.dataset import read_positions, split_by_game
from forgeron.learning.regression import fit, log_loss
from forgeron.learning.selfplay import check_played, make_task, random_openings
from forgeron.learning.tuning_run import Tuning, TuningFolder, TuningProgress, TuningRound, TuningUpdates

#: The fit takes the games of so many rounds, the newest ones.
WINDOW = 3


@dataclass
class _Collection:
    """The positions of all games so far, by the number of the game."""

    tuning: Tuning
    openings: list[tuple[str, ...]]
    rows: dict[int, np.ndarray] = field(default_factory=dict)
    results: dict[int, float] = field(default_factory=dict)

    def add(self, number: int, journal: Journal) -> None:
        id = _id(number)
        record = check_played(id, journal.records[id])
        self.rows[number] = read_positions(self.tuning.game, record, len(self.openings[number]))
        self.results[number] = points(record, 0)

    def fit(self, round: int, before: np.ndarray) -> tuple[np.ndarray, TuningRound]:
        """The weights after a round, from the games of the last rounds."""
        tuning = self.tuning
        first = max(0, round - WINDOW) * tuning.games
        used, held_out = split_by_game({i: rows for i, rows in self.rows.items() if i >= first}, self.results)
        found = fit(used, tuning.weights, tuning.l2)
        measures = {
            "positions": len(used),
            "loss at first": log_loss(held_out, tuning.weights),
            "loss before": log_loss(held_out, before),
            "loss after": log_loss(held_out, found.weights),
        }
        weights, errors = tuple(found.weights.tolist()), tuple(found.errors.tolist())
        return found.weights, TuningRound(round, weights, errors, measures)


def tune_by_regression(tuning: Tuning, folder: TuningFolder, journal: Journal, executor: Executor) -> TuningUpdates:
    """Play and fit; yields the progress at the start and after every game and fit."""
    total = tuning.rounds * tuning.games
    collection = _Collection(tuning, random_openings(tuning.terms, total))
    rounds: list[TuningRound] = []
    folder.save_start()
    file, weights = folder.start, tuning.weights
    yield TuningProgress(len(journal.records), total, ())
    for round in range(1, tuning.rounds + 1):
        player = tuning.entrant(f"round {round}", file.resolve())
        mine = range((round - 1) * tuning.games, round * tuning.games)
        tasks = [make_task(tuning.terms, _id(i), (player, player), collection.openings[i]) for i in mine]
        for i in mine:
            if _id(i) in journal.records:
                collection.add(i, journal)
        with closing(play(tasks, executor, journal)) as played:
            for task, _ in played:
                collection.add(_number(task), journal)
                yield TuningProgress(len(journal.records), total, tuple(rounds))
        weights, fitted = collection.fit(round, weights)
        rounds.append(fitted)
        file, weights = folder.save_weights(f"weights-{round}", weights, f"after round {round} of {tuning.rounds}")
        yield TuningProgress(len(journal.records), total, tuple(rounds))
    folder.save_results(tuple(rounds), _note(tuning, rounds[-1]))


def _note(tuning: Tuning, last: TuningRound) -> str:
    first, after = last.measures["loss at first"], last.measures["loss after"]
    games = min(tuning.rounds, WINDOW) * tuning.games
    return (
        f"logistic regression on the last {games} of {tuning.rounds * tuning.games} games of {tuning.player} against "
        f"itself, {tuning.terms.time[:-1]} nodes a move, seed {tuning.terms.seed}; "
        f"log-loss on held-out games {first:.4f} → {after:.4f}"
    )


def _id(number: int) -> str:
    return f"game-{number}"


def _number(task: GameTask) -> int:
    return int(task.id.partition("-")[2])

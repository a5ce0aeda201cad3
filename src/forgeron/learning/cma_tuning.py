"""Tuning by evolution (CMA-ES): candidates play the mean of their distribution, which moves towards the best."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from forgeron.arena.event import play, points
from forgeron.arena.executor import Executor
from forgeron.arena.journal import Journal
from forgeron.arena.task import GameTask
from forgeron.core.errors import ForgeronError
from forgeron.learning.linear_features import spread
from forgeron.learning.selfplay import check_played, make_task, random_openings
from forgeron.learning.tuning_run import Tuning, TuningFolder, TuningProgress, TuningRound, TuningUpdates

#: The initial step size: in log-odds, for a feature at its root mean square.
SIGMA = 0.25


def tune_by_evolution(tuning: Tuning, folder: TuningFolder, journal: Journal, executor: Executor) -> TuningUpdates:
    """Play and select; yields the progress at the start and after every game and generation.

    The favourite is the mean of the distribution that candidates are drawn from, in the first generation the initial
    weights. All candidates of a generation play it from the same openings, each twice with seats swapped.
    """
    strategy = EvolutionStrategy(tuning.weights, spread(tuning.game), tuning.terms.seed)
    total = tuning.rounds * strategy.size * tuning.games
    pairs = tuning.games // 2
    openings = random_openings(tuning.terms, tuning.rounds * pairs)
    rounds: list[TuningRound] = []
    folder.save_start()
    yield TuningProgress(len(journal.records), total, ())
    for round in range(1, tuning.rounds + 1):
        tasks = _tasks(tuning, folder, round, strategy, openings[(round - 1) * pairs : round * pairs])
        with closing(play((task for games in tasks for task in games), executor, journal)) as played:
            for task, record in played:
                check_played(task.id, record)
                yield TuningProgress(len(journal.records), total, tuple(rounds))
        scores = [_score(games, journal) for games in tasks]
        strategy.tell(scores)
        measures = {"best score": max(scores), "mean score": float(np.mean(scores)), "step size": strategy.sigma}
        rounds.append(TuningRound(round, tuple(strategy.favourite.tolist()), None, measures))
        yield TuningProgress(len(journal.records), total, tuple(rounds))
    folder.save_results(tuple(rounds), _note(tuning, total))


def find_library() -> Any:
    """The library `cma`, or an error that says how to install it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it says that it cannot plot
            import cma
    except ImportError:
        raise ForgeronError(
            "the method cma needs the library cma: pip install 'forgeron[tune]'; the method regression needs nothing"
        ) from None
    return cma


class EvolutionStrategy:
    """CMA-ES with ask and tell; the same seed and scores give the same candidates.

    Inside, a weight is scaled by the root mean square of its feature, so that one step size fits all.
    """

    def __init__(self, start: np.ndarray, scale: np.ndarray, seed: int) -> None:
        rng = np.random.default_rng(seed)
        # The library draws from NumPy's global numbers otherwise, where others may draw too.
        own = {"randn": lambda *shape: rng.standard_normal(shape), "seed": math.nan}
        quiet = {"verbose": -9, "verb_disp": 0, "verb_log": 0, "signals_filename": ""}
        self._scale = scale
        self._es = find_library().CMAEvolutionStrategy((start * scale).tolist(), SIGMA, {**own, **quiet})
        self._asked: list[np.ndarray] = []

    @property
    def size(self) -> int:
        """How many candidates there are in a generation."""
        return int(self._es.popsize)

    @property
    def sigma(self) -> float:
        return float(self._es.sigma)

    @property
    def favourite(self) -> np.ndarray:
        """The mean of the distribution."""
        mean: np.ndarray = np.array(self._es.mean) / self._scale
        return mean

    def ask(self) -> list[np.ndarray]:
        """The weights of new candidates."""
        self._asked = self._es.ask()
        return [np.array(one) / self._scale for one in self._asked]

    def tell(self, scores: Iterable[float]) -> None:
        """What each of the candidates scored, in their order; more is better."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it worries when all score the same
            self._es.tell(self._asked, [-score for score in scores])


def _tasks(
    tuning: Tuning, folder: TuningFolder, round: int, strategy: EvolutionStrategy, openings: list[tuple[str, ...]]
) -> list[list[GameTask]]:
    """The games of each candidate of a generation: pairs, the candidate in seat 0 first."""

    def file(name: str, weights: np.ndarray) -> Path:
        path, _ = folder.save_weights(f"generation-{round}/{name}", weights, f"{name} of generation {round}")
        return path.resolve()

    favourite = tuning.entrant("favourite", file("favourite", strategy.favourite))
    tasks = []
    for number, weights in enumerate(strategy.ask()):
        name = f"candidate-{number}"
        candidate = tuning.entrant(name, file(name, weights))
        games = []
        for pair, opening in enumerate(openings):
            id, luck = f"generation-{round}-{name}-{pair}", f"generation-{round}-{pair}"
            games.append(make_task(tuning.terms, f"{id}-a", (candidate, favourite), opening, luck))
            games.append(make_task(tuning.terms, f"{id}-b", (favourite, candidate), opening, luck))
        tasks.append(games)
    return tasks


def _score(games: list[GameTask], journal: Journal) -> float:
    """The mean score of a candidate, which has seat 0 in every other game."""
    records = [check_played(task.id, journal.records[task.id]) for task in games]
    return sum(points(record, 0 if i % 2 == 0 else 1) for i, record in enumerate(records)) / len(games)


def _note(tuning: Tuning, total: int) -> str:
    return (
        f"evolution (CMA-ES) over {tuning.rounds} generations and {total} games of {tuning.player}, "
        f"{tuning.terms.time[:-1]} nodes a move, seed {tuning.terms.seed}"
    )

"""The loop of learning: self-play, training, a match, and the better network plays the next games.

Everything is in one folder, and every step goes on where it was stopped, whatever stopped it:

    settings.json                 what was asked for; other settings are refused
    generation-001/selfplay/      shards: the finished ones stay
    generation-001/training/      a checkpoint for each epoch, candidate.network, loss curves
    generation-001/match-….journal  a line for each game of the match
    generation-001/seconds.json   what each step has cost so far
    generation-001/result.json    written last: the generation is complete
    champion.network              the last network that was promoted
    report.html                   all of it on a page
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from forgeron.arena.executor import Executor
from forgeron.arena.journal import Journal
from forgeron.arena.match import Standing, play_match
from forgeron.core.errors import ForgeronError, OptionError
from forgeron.core.files import write_file
from forgeron.core.json_text import read_json
from forgeron.core.network_file import check_trainable, sizes
from forgeron.core.registry import game as open_game
from forgeron.kernels.network import is_network
from forgeron.learning.data_generation import (
    SelfPlay,
    digest_of_evaluation,
    generate,
    read_settings,
    shard_files,
    suitable_shard_games,
)
from forgeron.learning.loss_curves import save_curves
from forgeron.learning.network_training import Epoch, Training, export, train
from forgeron.learning.positions import Positions
from forgeron.learning.promotion import PromotionTest, champion_of, is_promoted, trial_journal
from forgeron.learning.shard_workers import ShardMaker

STEPS = ("self-play", "training", "match")
#: The learning rate of a network that begins with random weights, and of one that goes on from the champion's.
_FRESH_RATE, _FURTHER_RATE = 0.005, 0.002
#: The name in the settings of what tells the evaluation that a run begins with from others of the same name.
_START_DIGEST = "start_digest"


@dataclass(frozen=True)
class Learning:
    """All that decides what comes out, apart from how long it goes on."""

    game: str
    options: Mapping[str, Any]
    games: int = 10_000
    """of self-play, in every generation"""
    nodes: int = 2500
    window: int = 4
    """generations whose games are trained on: the last so many"""
    hidden: int | None = None
    epochs: int = 10
    batch: int = 8192
    result_share: float = 0.8
    """of a target is the result of the game, the rest the search value: the opinion of the champion itself"""
    match_games: int = 400
    match_time: str = "0.05"
    elo0: float = 0.0
    elo1: float = 20.0
    start: str | None = None
    """the evaluation that it begins with; None: the game's network, or its default weights"""
    seed: int = 0

    def __post_init__(self) -> None:
        if self.window < 1:
            raise OptionError(f"window is a number of generations, 1 or more, not {self.window}")
        if self.match_games < 2:
            raise OptionError(f"without a match nothing is promoted: give 2 games or more, not {self.match_games}")
        check_trainable(open_game(self.game, **self.options), self.training(1, _FRESH_RATE).hidden)
        self.trial(1)
        self.selfplay(1, "default").open()

    def selfplay(self, generation: int, champion: str) -> SelfPlay:
        return SelfPlay(
            self.game,
            self.options,
            self.games,
            nodes=self.nodes,
            evaluation=champion,
            seed=self.seed + generation,
            shard_games=suitable_shard_games(self.nodes, compiled=True),
        )

    def training(self, generation: int, rate: float) -> Training:
        phases = open_game(self.game, **self.options).phases
        hidden = 64 - phases if self.hidden is None else self.hidden
        return Training(hidden=hidden, epochs=self.epochs, batch=self.batch, rate=rate, seed=self.seed + generation)

    def trial(self, generation: int) -> PromotionTest:
        return PromotionTest(self.match_games, self.match_time, self.elo0, self.elo1, seed=self.seed + generation)


@dataclass(frozen=True)
class Generation:
    """A generation that is complete."""

    number: int
    champion: str
    """who played the games and had to be beaten"""
    promoted: bool
    positions: int
    games: int
    """what was trained on"""
    epochs: list[dict[str, float]]
    match: dict[str, Any]
    """games, points, decision, and Elo with its bounds (None where it is not finite)"""
    seconds: dict[str, float]
    """by step"""


@dataclass(frozen=True)
class Progress:
    """Something has happened."""

    generation: int
    step: str
    text: str


class LearningRun:
    """The loop in its folder."""

    def __init__(
        self,
        learning: Learning,
        folder: Path,
        *,
        jobs: int,
        make: ShardMaker,
        executor: Executor,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.learning = learning
        self.folder = folder
        self.game = open_game(learning.game, **learning.options)
        self._jobs, self._make, self._executor, self._clock = jobs, make, executor, clock
        _settle(folder, learning)

    def history(self) -> list[Generation]:
        """The generations that are complete, in order."""
        found: list[Generation] = []
        while (file := self._place(len(found) + 1) / "result.json").exists():
            found.append(Generation(**json.loads(file.read_text(encoding="utf-8"))))
        return found

    @property
    def is_under_way(self) -> bool:
        """Whether a generation was begun that is not complete."""
        return self._place(len(self.history()) + 1).exists()

    @property
    def seconds(self) -> float:
        """What all steps have cost so far, those of earlier runs included."""
        files = self.folder.glob("generation-*/seconds.json")
        return sum(sum(_read_seconds(file).values()) for file in files)

    def champion(self) -> str:
        """The evaluation to beat: the last network that was promoted, or what the loop began with."""
        promoted = [one.number for one in self.history() if one.promoted]
        if promoted:
            return str(self._candidate(promoted[-1]))
        return self.learning.start or champion_of(self.game)

    def run(self, hours: float, generations: int | None = None) -> Generator[Progress, None, None]:
        """Go on until all steps together have cost so many hours, or there are so many generations."""
        if not hours > 0:
            raise OptionError(f"hours are more than 0, not {hours:g}")
        limit = 3600 * hours
        while generations is None or len(self.history()) < generations:
            number = len(self.history()) + 1
            stopwatch = _Stopwatch(self._place(number) / "seconds.json", self._clock)
            steps = self._generation(number, stopwatch)
            with closing(steps):
                for progress in steps:
                    stopwatch.note(progress.step)
                    yield progress
                    if self.seconds >= limit:
                        return
            self._publish()

    # --- the steps of a generation ------------------------------------------------------------------------------------

    def _generation(self, number: int, stopwatch: _Stopwatch) -> Generator[Progress, None, None]:
        champion = self.champion()
        yield Progress(number, STEPS[0], f"games by {champion}")
        selfplay = self.learning.selfplay(number, champion)
        with closing(generate(selfplay, self._place(number) / "selfplay", self._jobs, self._make)) as made:
            for one in made:
                yield Progress(number, STEPS[0], f"{one.games:,} of {selfplay.games:,} games")
        positions = self._positions(number)
        yield Progress(number, STEPS[1], f"{len(positions):,} positions of {len(positions.firsts) - 1:,} games")
        epochs: list[Epoch] = []
        yield from self._train(number, champion, positions, epochs)
        match = self.learning.trial(number).match(
            self.learning.game, self.learning.options, self._candidate(number), champion
        )
        standing: Standing | None = None
        # The folder has moved, or is called otherwise, where the settings that are there differ: the match begins anew.
        settings = match.settings()
        journal_file = trial_journal(self._place(number), self._candidate(number))
        with Journal(journal_file, settings, lambda _there, _records: settings) as journal:
            for standing in play_match(match, journal, self._executor):
                said = f"{standing.points:g} of {standing.games} points" if standing.games else f"against {champion}"
                yield Progress(number, STEPS[2], said)
        assert standing is not None
        self._conclude(number, champion, positions, epochs, standing, stopwatch)
        said = "promoted" if is_promoted(standing) else "not promoted"
        yield Progress(number, STEPS[2], f"{said}: {standing.points:g} of {standing.games} points")

    def _positions(self, number: int) -> Positions:
        first = max(1, number - self.learning.window + 1)
        folders = [self._place(one) / "selfplay" for one in range(first, number + 1)]
        files = [file for folder in folders for file in shard_files(folder)]
        return Positions(self.game, files, self.learning.result_share)

    def _weights_to_go_on_from(self, champion: str) -> np.ndarray | None:
        """Those of the champion, if it is a network that is not larger than what is trained; else random ones."""
        network = self.game.evaluation(champion)
        hidden = self.learning.training(1, _FRESH_RATE).hidden
        return network if is_network(network) and sizes(network.dtype)["hidden"] <= hidden else None

    def _train(
        self, number: int, champion: str, positions: Positions, epochs: list[Epoch]
    ) -> Generator[Progress, None, None]:
        candidate = self._candidate(number)
        candidate.parent.mkdir(parents=True, exist_ok=True)
        start = self._weights_to_go_on_from(champion)
        training = self.learning.training(number, _FRESH_RATE if start is None else _FURTHER_RATE)
        model = None
        for epoch, trained in train(positions, training, candidate.with_name("checkpoint.pt"), start):
            model = trained
            epochs.append(epoch)
            losses = f"loss {epoch.training:.4f}, kept back {epoch.validation:.4f}"
            yield Progress(number, STEPS[1], f"epoch {epoch.number} of {training.epochs}: {losses}")
        note = f"generation {number}: {len(positions)} positions, {training.epochs} epochs, seed {training.seed}"
        mean, _ = export(candidate, positions, model, note)
        save_curves(epochs, candidate.parent, f"{self.game.title}, generation {number}: loss by epoch")
        yield Progress(number, STEPS[1], f"whole numbers differ by {mean:.4f} log-odds on the average")

    def _conclude(
        self,
        number: int,
        champion: str,
        positions: Positions,
        epochs: list[Epoch],
        standing: Standing,
        stopwatch: _Stopwatch,
    ) -> None:
        stopwatch.note(STEPS[2])
        result = Generation(
            number=number,
            champion=champion,
            promoted=is_promoted(standing),
            positions=len(positions),
            games=len(positions.firsts) - 1,
            epochs=[asdict(epoch) for epoch in epochs],
            match=_match_data(standing),
            seconds=stopwatch.seconds,
        )
        write_file(self._place(number) / "result.json", json.dumps(asdict(result), indent=2) + "\n")
        self._publish()

    def _publish(self) -> None:
        """Bring the champion's file and the report up to date; done again after an interruption."""
        from forgeron.learning.learning_page import learning_page

        history = self.history()
        promoted = [one for one in history if one.promoted]
        if promoted:
            write_file(self.folder / "champion.network", self._candidate(promoted[-1].number).read_bytes())
        write_file(self.folder / "report.html", learning_page(str(self.game), asdict(self.learning), history))

    def _place(self, number: int) -> Path:
        return self.folder / f"generation-{number:03}"

    def _candidate(self, number: int) -> Path:
        return self._place(number) / "training" / "candidate.network"


class _Stopwatch:
    """The seconds that each step of a generation has cost, kept in a file."""

    def __init__(self, file: Path, clock: Callable[[], float]) -> None:
        self._file, self._clock, self._last = file, clock, clock()
        self.seconds = _read_seconds(file)

    def note(self, step: str) -> None:
        """All since the last note was this step."""
        now = self._clock()
        self.seconds[step] = self.seconds.get(step, 0.0) + now - self._last
        self._last = now
        write_file(self._file, json.dumps(self.seconds) + "\n", make_folder=True, sync=False)


def _read_seconds(file: Path) -> dict[str, float]:
    """What a file says that steps have cost; it is written so often that a power failure may tear it."""
    try:
        found = read_json(file.read_bytes())
    except (OSError, ValueError):
        return {}
    steps = found.items() if isinstance(found, dict) else ()
    return {step: float(cost) for step, cost in steps if step in STEPS and isinstance(cost, int | float)}


def _match_data(standing: Standing) -> dict[str, Any]:
    from forgeron.learning.validation_match import estimate_data

    assert standing.verdict is not None
    return {
        "games": standing.games,
        "points": standing.points,
        "decision": standing.verdict.decision,
        "elo": estimate_data(standing.summary.elo),
    }


def _settle(folder: Path, learning: Learning) -> None:
    """Keep the settings in the folder, or refuse a folder that was begun with others."""
    asked = json.loads(json.dumps(asdict(learning)))
    if learning.start is not None:
        asked[_START_DIGEST] = digest_of_evaluation(open_game(learning.game, **learning.options), learning.start)
    file = folder / "settings.json"
    if not file.exists():
        write_file(file, json.dumps(asked, indent=2) + "\n", make_folder=True)
        return
    begun = {_START_DIGEST: asked.get(_START_DIGEST), **read_settings(file)}  # an earlier version did not tell it
    differing = [name for name in asked if begun.get(name) != asked[name]]
    if differing == [_START_DIGEST]:
        raise ForgeronError(f"{learning.start} has changed since {folder} was begun with it: use another folder")
    if differing:
        said = ", ".join(f"{name} = {begun.get(name)}" for name in differing)
        raise ForgeronError(f"{folder} was begun with {said}: use the same settings or another folder")

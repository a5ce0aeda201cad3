"""Training a network by temporal differences: what `forgeron td` does. No PyTorch is needed."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Generator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from forgeron.core.contract import offers
from forgeron.core.errors import ForgeronError, OptionError
from forgeron.core.files import replaced_file
from forgeron.core.game import Game
from forgeron.core.json_text import read_json
from forgeron.core.network_file import (
    CHUNK,
    MOST_ACTIVE,
    NetworkFile,
    aligned,
    feature_digest,
    input_sizes,
    layout,
    network_header,
)
from forgeron.core.rng import split
from forgeron.core.table_file import WHOLE
from forgeron.kernels.network import ONE_HIDDEN, ONE_LOGIT, out_limit, row_limit
from forgeron.kernels.temporal_difference import Trail, play_and_learn
from forgeron.kernels.trainable_network import HIDDEN, LANES, LINEAR, make_parameters
from forgeron.kernels.turn_value import TurnMemory
from forgeron.kernels.value_iteration import estimate

#: Games between two signs of life, and seconds between two checkpoints.
_ROUND, _CHECKPOINT_SECONDS = 100, 3.0
#: The learning rate is halved so often, in equal steps of the last part of the training.
_STEADY_SHARE, _HALVINGS = 0.5, 5


@dataclass(frozen=True)
class TDTraining:
    """All that decides what comes out."""

    games: int = 60_000
    trace: float = 0.5
    """λ: how much of a return is that of the next turn"""
    rate: float = 0.1
    opening_plies: int = 40
    drills: int = 20
    """entries of the table of exact values that are learnt after each game"""
    throws: int = 2
    """of a turn, that a backup looks at"""
    seed: int = 0

    def __post_init__(self) -> None:
        if self.games < 1 or not 0 <= self.trace <= 1 or not self.rate > 0 or min(self.opening_plies, self.drills) < 0:
            raise OptionError("games are 1 or more, the rate is more than 0, λ is from 0 to 1, the rest 0 or more")

    def rate_at(self, share: float) -> float:
        """The learning rate when this share of the games has been played."""
        late = max(share - _STEADY_SHARE, 0.0) / (1 - _STEADY_SHARE)
        return float(self.rate * 0.5 ** int(late * (_HALVINGS + 1)))


@dataclass(frozen=True)
class TDProgress:
    """How far it has come."""

    games: int
    error: float
    """root of the mean squared difference between values and what was backed up, over the turns of the last round"""


class TDLearner:
    """Learns round by round; goes on where a checkpoint was written."""

    def __init__(self, game: Game, training: TDTraining) -> None:
        if not offers(game.state_class, "chance") or not 0 < input_sizes(game)[1] <= MOST_ACTIVE:
            raise ForgeronError(
                f"{game.title} cannot be learnt by temporal differences: that needs chance, and features that a "
                "network sees (docs/learning.md)"
            )
        self.game, self.training = game, training
        self.parameters = make_parameters(input_sizes(game)[0], training.seed)
        self._squares = np.full_like(self.parameters, 0.1)
        self._table = (game.table() / np.float32(WHOLE)).astype(np.float32)
        self._memory, self._trail = TurnMemory(game.max_moves), Trail()
        self._out = np.zeros(game.max_moves, dtype=np.int64)
        self._played, self._stamp = 0, 1
        self.kept_games = 0
        """those that the checkpoint knows of"""

    def run(self, checkpoint: Path) -> Generator[TDProgress, None, None]:
        """Play and learn until all games are played."""
        self._resume(checkpoint)
        kept_at = time.monotonic()
        while self._played < self.training.games:
            progress = self._round()
            if time.monotonic() - kept_at >= _CHECKPOINT_SECONDS or self._played >= self.training.games:
                self._keep(checkpoint)
                kept_at = time.monotonic()
            yield progress

    def _round(self) -> TDProgress:
        chosen = self.training
        count = min(_ROUND, chosen.games - self._played)
        with np.errstate(over="ignore"):
            stream = np.uint64(split(np.uint64(chosen.seed), np.uint64(self._played)))
        drills = chosen.drills if len(self._table) else 0
        total, starts, self._stamp = play_and_learn(
            self.game.start().state, stream, np.int64(count), chosen.trace, chosen.rate_at(self._played / chosen.games),
            np.int64(chosen.opening_plies), np.int64(drills), np.int64(chosen.throws), np.int64(self._stamp),
            *self._memory.arrays, self._table, self.parameters, self._squares, *self._trail.arrays, self._out,
        )  # fmt: skip
        self._played += count
        return TDProgress(self._played, float(np.sqrt(total / max(starts, 1))))

    def _identity(self) -> dict[str, Any]:
        """What a checkpoint must have in common with this training."""
        table = hashlib.blake2b(self._table.tobytes(), digest_size=8).hexdigest()
        known = {"table of exact values": table, "meaning of features": feature_digest(self.game)}
        return {"game": str(self.game), **asdict(self.training), **known}

    def _keep(self, checkpoint: Path) -> None:
        arrays: dict[str, Any] = {"parameters": self.parameters, "squares": self._squares}
        identity = json.dumps(self._identity())
        with replaced_file(checkpoint, make_folder=True) as draft, draft.open("wb") as file:
            np.savez(file, identity=identity, played=self._played, stamp=self._stamp, **arrays)
        self.kept_games = self._played

    def _resume(self, checkpoint: Path) -> None:
        if not checkpoint.exists():
            return
        try:
            with checkpoint.open("rb") as file, np.load(file, allow_pickle=False) as kept:
                identity = read_json(str(kept["identity"]))
                differing = [name for name, value in self._identity().items() if identity.get(name) != value]
                if not differing:
                    self.parameters[:], self._squares[:] = kept["parameters"], kept["squares"]
                    self._played, self._stamp = int(kept["played"]), int(kept["stamp"])
        except Exception as error:  # of a damaged archive ZipFile and NumPy raise whatever their parsers come upon
            said = " ".join(str(error).split())[:200]
            raise ForgeronError(f"the checkpoint {checkpoint} is damaged, remove it to begin again: {said}") from None
        if differing:
            settings = asdict(self.training)
            begun = [f"{name} = {identity.get(name)}" if name in settings else f"another {name}" for name in differing]
            said = f"the training of {checkpoint} was begun with {', '.join(begun)}"
            raise ForgeronError(f"{said}: use the same settings or another folder")
        self.kept_games = self._played

    @property
    def cut_off(self) -> int:
        """How many numbers are beyond what whole numbers hold."""
        return int((np.abs(_scaled(self.game, self.parameters)) > row_limit(input_sizes(self.game)[1])).sum())

    def file(self, note: str) -> NetworkFile:
        """The network in whole numbers."""
        header = network_header(self.game, note)
        return NetworkFile(header, whole_numbers(self.game, self.parameters))

    def exact_error(self, evaluation: np.ndarray) -> float | None:
        """How far an evaluation is from the exact values that are known, each position counting once; None without."""
        return exact_error(self.game, self._table, evaluation)


def exact_error(game: Game, table: np.ndarray, evaluation: np.ndarray) -> float | None:
    """The root of the mean squared difference, as probabilities, between an evaluation and a table of exact values
    (from 0 to 1), each position in which a turn begins counting once; None for an empty table."""
    if not len(table):
        return None
    values, there = np.zeros(len(table), dtype=np.float32), np.zeros(len(table), dtype=np.bool_)
    nothing = np.zeros(0, dtype=np.float32)
    estimate(game.start().state, np.int64(0), np.int64(len(table)), values, there, nothing, evaluation)
    return float(np.sqrt(np.mean((values[there] - table[there]) ** 2)))


def whole_numbers(game: Game, parameters: np.ndarray) -> np.ndarray:
    """The network of these parameters as kernels run it; one that whole numbers cannot hold is refused."""
    if not np.isfinite(parameters).all():
        raise ForgeronError("the network has weights that are no numbers: learn at a lower rate")
    lanes = -(-(HIDDEN + game.phases) // CHUNK) * CHUNK
    hidden, (count, most) = lanes - game.phases, input_sizes(game)
    network = aligned(layout(count, hidden, game.phases))
    limit = row_limit(most)
    rounded = np.clip(_scaled(game, parameters), -limit, limit)
    for name, part in (("rows", rounded[:count]), ("bias", rounded[count])):
        network[name][0][..., :HIDDEN] = part[..., :HIDDEN]
        network[name][0][..., hidden:] = part[..., HIDDEN : HIDDEN + game.phases]
    weights = np.rint(parameters[len(parameters) - LINEAR :][: game.phases, :HIDDEN] * ONE_LOGIT)
    if np.abs(weights).sum(axis=1).max() > out_limit():
        raise ForgeronError("the weights of the network are too large for whole numbers: learn at a lower rate")
    network["out"][0][:, :HIDDEN] = weights
    return network


def _scaled(game: Game, parameters: np.ndarray) -> np.ndarray:
    """The rows and the bias as whole numbers."""
    scale = np.where(np.arange(LANES) < HIDDEN, ONE_HIDDEN, ONE_LOGIT)
    found: np.ndarray = np.rint(parameters[: input_sizes(game)[0] + 1] * scale)
    return found

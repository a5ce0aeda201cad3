"""Trains a network with PyTorch, and writes it as whole numbers to a file that needs no PyTorch."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Generator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from forgeron.core.errors import ForgeronError, OptionError
from forgeron.core.files import replaced_file
from forgeron.core.game import Game
from forgeron.core.network_file import (
    NetworkFile,
    aligned,
    check_trainable,
    feature_digest,
    input_sizes,
    layout,
    network_header,
    write_network,
)
from forgeron.kernels.network import ONE_HIDDEN, ONE_LOGIT, infer, out_limit, row_limit
from forgeron.learning.positions import Batch, Positions

#: Positions that are encoded at a time; batches are drawn from among them.
_CHUNK_POSITIONS = 200_000
#: The learning rate rises over this share of all steps.
_WARM_UP = 0.03
_LAST_RATE = 0.02
#: How far whole numbers may be from the network they stand for, on the average, in log-odds.
_ROUNDING = 0.05
CHECKED_POSITIONS = 10_000
#: The name in a checkpoint of what tells features from others of the same number.
_FEATURES = "features of the game"


@dataclass(frozen=True)
class Training:
    """All that decides what comes out, apart from the data."""

    hidden: int = 56
    epochs: int = 12
    batch: int = 8192
    rate: float = 0.005
    decay: float = 1e-4
    seed: int = 0

    def __post_init__(self) -> None:
        if self.epochs < 1 or self.batch < 1 or not self.rate > 0 or self.decay < 0:
            raise OptionError("epochs and batch are 1 or more, the rate is more than 0, the decay not less")


@dataclass(frozen=True)
class Epoch:
    """What one pass over the data came to."""

    number: int
    training: float
    """the mean loss while training"""
    validation: float
    """the loss on games kept back"""
    results: float
    """the loss on them when only how the games ended counts"""


def import_torch() -> Any:
    """PyTorch, or an error that says how to have it."""
    try:
        import torch
    except ImportError:
        raise ForgeronError("training needs PyTorch: pip install 'forgeron[train]'") from None
    return torch


def find_device(torch: Any) -> Any:
    """A GPU where there is one, else the processor."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def make_model(game: Game, training: Training) -> Any:
    """A network for the game, in floating point, with random weights that depend on the seed."""
    torch = import_torch()
    check_trainable(game, training.hidden)
    feature_count, max_features = input_sizes(game)
    generator = torch.Generator().manual_seed(training.seed)
    hidden, phases = training.hidden, game.phases

    class Model(torch.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            rows = 0.02 * torch.randn(feature_count, hidden + phases, generator=generator)
            rows[:, hidden:] = 0
            bias = torch.zeros(hidden + phases)
            bias[:hidden] = 0.3
            self.rows, self.bias = torch.nn.Parameter(rows), torch.nn.Parameter(bias)
            self.out = torch.nn.Parameter(0.1 * torch.randn(phases, hidden, generator=generator))

        def forward(self, indices: Any, starts: Any, phase: Any) -> Any:
            lanes = torch.nn.functional.embedding_bag(indices, self.rows, starts, mode="sum") + self.bias
            squares = torch.clamp(lanes[:, :hidden], 0, 1) ** 2
            linear = lanes[:, hidden:].gather(1, phase[:, None])[:, 0]
            return linear + (squares * self.out[phase]).sum(1)

        def clip(self) -> None:
            """Keep every weight within what whole numbers can hold."""
            limit = row_limit(max_features)
            with torch.no_grad():
                for part in (self.rows, self.bias[None]):
                    part[:, :hidden].clamp_(-limit / ONE_HIDDEN, limit / ONE_HIDDEN)
                    part[:, hidden:].clamp_(-limit / ONE_LOGIT, limit / ONE_LOGIT)

    return Model()


def begin_with(model: Any, network: np.ndarray) -> None:
    """Take over the weights of a network; hidden lanes that it does not have stay random and count nothing at first."""
    torch = import_torch()
    rows, bias, out = (torch.from_numpy(network[part][0].astype(np.float32)) for part in ("rows", "bias", "out"))
    phases, hidden = model.out.shape
    known = rows.shape[1] - phases
    if known > hidden:
        raise OptionError(f"the network to begin with has {known} hidden lanes, more than {hidden}")
    with torch.no_grad():
        for mine, theirs in ((model.rows, rows), (model.bias[None], bias[None])):
            mine[:, :known] = theirs[:, :known] / ONE_HIDDEN
            mine[:, hidden:] = theirs[:, known:] / ONE_LOGIT
        model.out.zero_()
        model.out[:, :known] = out[:, :known] / ONE_LOGIT


def train(
    positions: Positions, training: Training, checkpoint: Path, start: np.ndarray | None = None
) -> Generator[tuple[Epoch, Any], None, None]:
    """Train, epoch after epoch; yields each with the model so far. Goes on where the checkpoint was written.

    `start` is a network whose weights it begins with, instead of random ones. The same seed, start and data give the
    same weights.
    """
    torch = import_torch()
    model = make_model(positions.game, training)
    settings = {**asdict(training), "data": positions.digest, _FEATURES: feature_digest(positions.game)}
    if start is not None:
        begin_with(model, start)
        settings["start"] = hashlib.blake2b(start.tobytes(), digest_size=8).hexdigest()
    model.to(find_device(torch))
    optimizer = torch.optim.AdamW(model.parameters(), lr=training.rate, weight_decay=training.decay)
    steps = max(1, math.ceil(positions.count(positions.training) / training.batch)) * training.epochs
    done, step = _resume(torch, model, optimizer, settings, checkpoint)
    yield from ((epoch, model) for epoch in done)
    held = _Tensors(torch, positions.encode(positions.validation))
    for number in range(len(done), training.epochs):
        rng = np.random.default_rng([training.seed, number])
        losses = []
        for games in positions.chunks(rng.permutation(positions.training), _CHUNK_POSITIONS):
            batch = _Tensors(torch, positions.encode(games, positions.game.images, seed=number + 1))
            for chosen in batch.draw(rng, training.batch):
                for group in optimizer.param_groups:
                    group["lr"] = training.rate * _rate(step, steps)
                optimizer.zero_grad()
                loss = chosen.loss(model, chosen.targets)
                loss.backward()
                optimizer.step()
                model.clip()
                losses.append(loss.item())
                step += 1
        with torch.no_grad():
            results = held.only(held.trusted)
            found = held.loss(model, held.targets).item(), results.loss(model, results.results).item()
        done.append(Epoch(number + 1, float(np.mean(losses)), *found))
        _keep(torch, model, optimizer, settings, done, step, checkpoint)
        yield done[-1], model


class _Tensors:
    """A batch as PyTorch has it."""

    def __init__(self, torch: Any, batch: Batch) -> None:
        self._torch = torch
        self._batch = batch
        device = find_device(torch)
        self.indices, self.starts, self.phases, self.targets, self.results = (
            torch.from_numpy(part).to(device)
            for part in (batch.indices, batch.starts.astype(np.int32), batch.phases, batch.targets, batch.results)
        )
        self.trusted = batch.trusted

    def only(self, which: np.ndarray) -> _Tensors:
        """Some of the positions: by a mask, or by their numbers in the wanted order."""
        batch = self._batch
        numbers = np.flatnonzero(which) if which.dtype == np.bool_ else which
        starts, ends = batch.starts[numbers], batch.ends[numbers]
        lengths = ends - starts
        upto = np.cumsum(lengths)
        places = np.arange(int(lengths.sum())) + np.repeat(starts - (upto - lengths), lengths)
        rest = (getattr(batch, name)[numbers] for name in ("phases", "targets", "results", "trusted"))
        return _Tensors(self._torch, Batch(batch.indices[places], upto, *rest))

    def draw(self, rng: np.random.Generator, size: int) -> Generator[_Tensors, None, None]:
        """All positions in random order, so many at a time."""
        order = rng.permutation(len(self._batch))
        for part in np.array_split(order, max(1, round(len(order) / size))):
            yield self.only(part)

    def loss(self, model: Any, targets: Any) -> Any:
        """The mean surprise at the targets, in nats."""
        found = model(self.indices, self.starts, self.phases)
        return self._torch.nn.functional.binary_cross_entropy_with_logits(found, targets)


def _rate(step: int, steps: int) -> float:
    """The share of the learning rate: a quick rise, then half a cosine down to nearly nothing."""
    fall = 0.5 * (1 + math.cos(math.pi * min(step / steps, 1.0)))
    return min(1.0, (step + 1) / (_WARM_UP * steps)) * (_LAST_RATE + (1 - _LAST_RATE) * fall)


def _keep(
    torch: Any, model: Any, optimizer: Any, settings: dict[str, Any], done: list[Epoch], step: int, file: Path
) -> None:
    state = {"model": model.state_dict(), "optimizer": optimizer.state_dict()}
    progress = {"epochs": [asdict(epoch) for epoch in done], "step": step}
    with replaced_file(file) as draft:
        torch.save({"training": settings, **progress, **state}, draft)


def _resume(torch: Any, model: Any, optimizer: Any, settings: dict[str, Any], file: Path) -> tuple[list[Epoch], int]:
    """Take up what the checkpoint holds; the epochs that were done, and the steps they took."""
    if not file.exists():
        return [], 0
    try:
        kept = torch.load(file, weights_only=True, map_location=find_device(torch))
        differing = [name for name in settings if kept["training"].get(name) != settings[name]]
        if not differing:
            model.load_state_dict(kept["model"])
            optimizer.load_state_dict(kept["optimizer"])
            return [Epoch(**epoch) for epoch in kept["epochs"]], int(kept["step"])
    except Exception as error:  # of a damaged file PyTorch raises whatever its parsers come upon
        said = " ".join(str(error).split())[:200]
        raise ForgeronError(f"the checkpoint {file} is damaged, remove it to begin again: {said}") from None
    raise ForgeronError(
        f"{file} is a checkpoint of another training (other {', '.join(differing)}): use another folder"
    )


def quantise(game: Game, model: Any) -> np.ndarray:
    """The network in whole numbers; one that they cannot hold is refused."""
    rows, bias, out = (part.detach().cpu().numpy().astype(np.float64) for part in (model.rows, model.bias, model.out))
    if not all(np.isfinite(part).all() for part in (rows, bias, out)):
        raise ForgeronError("the network has weights that are no numbers: train at a lower rate")
    hidden = out.shape[1]
    scale = np.where(np.arange(rows.shape[1]) < hidden, ONE_HIDDEN, ONE_LOGIT)
    feature_count, max_features = input_sizes(game)
    limit = row_limit(max_features)
    network = aligned(layout(feature_count, hidden, game.phases))
    network["rows"][0] = np.clip(np.rint(rows * scale), -limit, limit)
    network["bias"][0] = np.clip(np.rint(bias * scale), -limit, limit)
    weights = np.rint(out * ONE_LOGIT)
    if np.abs(weights).sum(axis=1).max() > out_limit():
        raise ForgeronError("the output weights of the network are too large for whole numbers: train with more decay")
    network["out"][0][:, :hidden] = weights
    return network


def rounding_error(positions: Positions, model: Any, network: np.ndarray) -> tuple[float, float]:
    """How far the whole numbers are from the model, mean and greatest difference in log-odds.

    It is measured on 10,000 positions: those kept back first, then others; on all where there are fewer.
    """
    torch = import_torch()
    batch = positions.encode(positions.some_games(CHECKED_POSITIONS))
    count = min(len(batch), CHECKED_POSITIONS)
    tensors = _Tensors(torch, batch).only(np.arange(count))
    with torch.no_grad():
        exact = model(tensors.indices, tensors.starts, tensors.phases).cpu().numpy()
    starts = batch.starts
    rounded = np.array(
        [infer(network, batch.indices[starts[i] :], batch.ends[i] - starts[i], batch.phases[i]) for i in range(count)]
    )
    difference = np.abs(exact - rounded)
    return float(difference.mean()), float(difference.max())


def export(path: Path, positions: Positions, model: Any, note: str) -> tuple[float, float]:
    """Write the network in whole numbers, if they are near enough to the model; how far they are from it."""
    network = quantise(positions.game, model)
    mean, most = rounding_error(positions, model, network)
    if mean > _ROUNDING:
        raise ForgeronError(f"whole numbers are {mean:.3f} log-odds off the network on the average: too much to use")
    write_network(path, NetworkFile(network_header(positions.game, note), network))
    return mean, most

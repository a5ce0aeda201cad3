"""Training a network: it learns what there is to learn, the same way every time."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import forgeron
from forgeron.core.errors import ForgeronError, OptionError
from forgeron.core.network_file import NetworkFile, read_network, write_network
from forgeron.kernels.network import infer
from forgeron.learning.data_generation import SelfPlay, make_shard
from forgeron.learning.network_training import (
    Epoch,
    Training,
    begin_with,
    export,
    make_model,
    quantise,
    train,
)
from forgeron.learning.positions import Positions
from forgeron.learning.shards import write_shard

pytest.importorskip("torch")
TRAINING = Training(hidden=24, epochs=3, batch=256, rate=0.01)


@pytest.fixture(scope="module")
def positions(tmp_path_factory: pytest.TempPathFactory) -> Positions:
    folder = tmp_path_factory.mktemp("shards")
    settings = SelfPlay("yolah", {}, games=150, nodes=40, shard_games=50)
    for number in range(3):
        write_shard(folder / f"shard-{number:05}.npz", make_shard(settings, number))
    return Positions(forgeron.game("yolah"), sorted(folder.iterdir()))


def trained(positions: Positions, folder: Path, training: Training = TRAINING) -> tuple[list[Epoch], np.ndarray]:
    folder.mkdir(exist_ok=True)
    epochs, model = [], None
    for epoch, model in train(positions, training, folder / "checkpoint.pt"):  # noqa: B007
        epochs.append(epoch)
    return epochs, quantise(positions.game, model)


def test_every_position_is_there_once_and_seen_by_the_side_to_move(positions: Positions) -> None:
    batch = positions.encode(np.arange(len(positions.firsts) - 1))
    assert len(batch) == len(positions) == len(batch.targets)
    assert batch.ends[-1] == len(batch.indices)
    assert set(np.unique(batch.results).tolist()) <= {0.0, 0.5, 1.0}
    assert ((batch.targets >= 0) & (batch.targets <= 1)).all()
    assert positions.count(positions.training) + positions.count(positions.validation) == len(positions)


def test_the_loss_falls_and_beats_not_knowing_anything(positions: Positions, tmp_path: Path) -> None:
    epochs, _ = trained(positions, tmp_path)
    assert [epoch.number for epoch in epochs] == [1, 2, 3]
    assert epochs[-1].training < epochs[0].training
    assert epochs[-1].validation < np.log(2)


def test_the_same_seed_gives_the_same_weights_also_after_an_interruption(positions: Positions, tmp_path: Path) -> None:
    _, whole = trained(positions, tmp_path / "whole")
    folder = tmp_path / "parts"
    folder.mkdir()
    stopped = train(positions, TRAINING, folder / "checkpoint.pt")
    next(stopped)
    stopped.close()
    epochs, resumed = trained(positions, folder)
    assert len(epochs) == 3
    assert resumed.tobytes() == whole.tobytes()
    _, other = trained(positions, tmp_path / "other", replace(TRAINING, seed=1))
    assert other.tobytes() != whole.tobytes()


def test_it_begins_with_a_network_that_has_fewer_lanes(positions: Positions, tmp_path: Path) -> None:
    first, network = trained(positions, tmp_path / "first")
    wider = replace(TRAINING, hidden=40, epochs=1, rate=1e-9)
    model = make_model(positions.game, wider)
    begin_with(model, network)
    begun = quantise(positions.game, model)
    assert (begun["rows"][0][:, :24] == network["rows"][0][:, :24]).all()
    assert (begun["rows"][0][:, 40:] == network["rows"][0][:, 24:]).all()
    ((again, _),) = train(positions, wider, tmp_path / "checkpoint.pt", network)
    assert again.validation == pytest.approx(first[-1].validation, abs=0.002)  # it knows what the first one knew
    with pytest.raises(OptionError, match="24 hidden lanes, more than 8"):
        begin_with(make_model(positions.game, replace(TRAINING, hidden=8)), network)
    with pytest.raises(ForgeronError, match="other start"):
        next(train(positions, wider, tmp_path / "checkpoint.pt", begun))


def test_a_checkpoint_of_another_training_is_refused(positions: Positions, tmp_path: Path) -> None:
    trained(positions, tmp_path, replace(TRAINING, epochs=1))
    with pytest.raises(ForgeronError, match="checkpoint of another training"):
        trained(positions, tmp_path, replace(TRAINING, epochs=1, rate=0.02))


def test_a_network_is_exported_checked_and_played(positions: Positions, tmp_path: Path) -> None:
    model = None
    for _, model in train(positions, TRAINING, tmp_path / "checkpoint.pt"):  # noqa: B007
        pass
    file = tmp_path / "yolah.network"
    mean, most = export(file, positions, model, "a test")
    assert 0 < mean < 0.05
    assert mean < most
    game = positions.game
    player = forgeron.player("neural", game, eval=str(file))
    assert player.choose(game.start(), forgeron.Limit(nodes=200)).move in game.start().legal_moves()
    network = game.evaluation(str(file))
    batch = positions.encode(positions.validation[:2])
    assert np.isfinite(infer(network, batch.indices, int(batch.ends[0]), int(batch.phases[0])))


def test_a_network_of_other_features_or_another_game_is_refused(positions: Positions, tmp_path: Path) -> None:
    _, network = trained(positions, tmp_path, replace(TRAINING, epochs=1))
    game = positions.game
    file = tmp_path / "a.network"
    good = {"game": "yolah", "options": {}, "rules": 1, "digest": "0" * 16, "note": ""}
    write_network(file, NetworkFile(good, network))
    with pytest.raises(ForgeronError, match="other rules or features of Yolah"):
        game.evaluation(str(file))
    write_network(file, NetworkFile({**good, "game": "yinsh"}, network))
    with pytest.raises(ForgeronError, match="plays yinsh, not yolah"):
        game.evaluation(str(file))
    write_network(file, NetworkFile({**good, "options": {"N": 4}}, network))
    with pytest.raises(ForgeronError, match="with the options"):
        game.evaluation(str(file))
    assert read_network(file).header["options"] == {"N": 4}

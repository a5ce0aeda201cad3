"""Training a network: it learns what there is to learn, the same way every time."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import forgeron
from forgeron.core.errors import ForgeronError, OptionError
from forgeron.core.network_file import NetworkFile, read_network, write_network
from forgeron.kernels.network import infer
from forgeron.learning import network_training
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
from forgeron.players.levels import levels

torch = pytest.importorskip("torch")
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


@pytest.mark.parametrize("chunk", [400, 200_000])
def test_the_same_seed_gives_the_same_weights_also_after_an_interruption(
    chunk: int, positions: Positions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network_training, "_CHUNK_POSITIONS", chunk)
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


def test_features_that_have_changed_since_are_another_training(
    positions: Positions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    next(train(positions, TRAINING, tmp_path / "checkpoint.pt"))
    monkeypatch.setattr(network_training, "feature_digest", lambda _game: "another")
    with pytest.raises(ForgeronError, match=r"other features of the game"):
        next(train(positions, TRAINING, tmp_path / "checkpoint.pt"))


def test_weights_that_are_no_numbers_are_not_written(positions: Positions) -> None:
    model = make_model(positions.game, TRAINING)
    with torch.no_grad():
        model.rows[3, 5] = float("nan")
    with pytest.raises(ForgeronError, match="no numbers"):
        quantise(positions.game, model)


def test_a_damaged_checkpoint_is_refused_in_a_line(positions: Positions, tmp_path: Path) -> None:
    next(train(positions, TRAINING, tmp_path / "checkpoint.pt"))
    whole = (tmp_path / "checkpoint.pt").read_bytes()
    for damaged in (b"", whole[: len(whole) // 2], b"no checkpoint"):
        (tmp_path / "checkpoint.pt").write_bytes(damaged)
        with pytest.raises(ForgeronError, match=r"^the checkpoint .* is damaged, remove it to begin again"):
            next(train(positions, TRAINING, tmp_path / "checkpoint.pt"))


def test_of_few_games_one_is_kept_back(positions: Positions, tmp_path: Path) -> None:
    write_shard(tmp_path / "shard-00000.npz", make_shard(SelfPlay("yolah", {}, games=5, nodes=40), 0))
    few = Positions(positions.game, [tmp_path / "shard-00000.npz"])
    assert few.validation.tolist() == [4]
    (epoch,), _ = trained(few, tmp_path / "out", replace(TRAINING, epochs=1))
    assert np.isfinite([epoch.training, epoch.validation]).all()


def test_one_game_is_too_little_to_learn_from(positions: Positions, tmp_path: Path) -> None:
    write_shard(tmp_path / "shard-00000.npz", make_shard(SelfPlay("yolah", {}, games=1, nodes=40), 0))
    with pytest.raises(ForgeronError, match=r"1 games of Yolah with .* are too few to learn from"):
        Positions(positions.game, [tmp_path / "shard-00000.npz"])


CONNECT_FOUR = (Path(__file__).parent.parent.parent / "examples" / "game_connect_four.py").read_text()


def planes_game(folder: Path, *attributes: str) -> Path:
    """Connect Four without names of weights; its class says nothing of its three planes but these attributes."""
    declared = "".join(f"    {one}\n" for one in attributes)
    text = CONNECT_FOUR.replace('    weight_names = ("lines", "to move")\n', "")
    text, left = re.subn(r"    max_features = .*\n", declared, text)
    assert left == 1
    path = folder / "four.py"
    path.write_text(text)
    return path


def test_a_game_with_planes_alone_is_trained_and_played(tmp_path: Path) -> None:
    path = planes_game(tmp_path, 'network_files = ("four.network",)')
    game = forgeron.game(str(path))
    settings = SelfPlay(str(path), {}, games=60, nodes=30)
    write_shard(tmp_path / "shard-00000.npz", make_shard(settings, 0))
    positions = Positions(game, [tmp_path / "shard-00000.npz"])
    training = Training(hidden=15, epochs=1, batch=64)
    for _, model in train(positions, training, tmp_path / "checkpoint.pt"):
        export(tmp_path / "four.network", positions, model, "")
    network = game.network()
    assert network is not None, "it lies beside the file of the game"
    assert network.header["features"] == 192
    player = forgeron.player("neural", game)
    assert player.notice == ""
    assert [level.player for level in levels(game)][-2:] == ["mcts", "neural"], "it has no weights by name"
    assert player.choose(game.start(), forgeron.Limit(nodes=50)).move in game.start().legal_moves()


@pytest.mark.parametrize(
    ("attributes", "said"),
    [
        (("max_features = 1",), "has a position of more than 1 features, its max_features"),
        (
            ("feature_count = 5", "max_features = 64"),
            "and its feature_count is 5: they are numbers from 0, less than that",
        ),
    ],
)
def test_a_game_that_says_wrong_things_of_its_features_is_refused(
    attributes: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    path = planes_game(tmp_path, *attributes)
    write_shard(tmp_path / "shard-00000.npz", make_shard(SelfPlay(str(path), {}, games=20, nodes=30), 0))
    positions = Positions(forgeron.game(str(path)), [tmp_path / "shard-00000.npz"])
    with pytest.raises(ForgeronError, match=said):
        positions.encode(positions.training)


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

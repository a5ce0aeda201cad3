"""Networks as files: what was written is read, and nothing else."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import forgeron
from conftest import ROOT
from forgeron.core.errors import ForgeronError
from forgeron.core.network_file import (
    NetworkFile,
    aligned,
    input_sizes,
    layout,
    network_header,
    read_network,
    sizes,
    write_network,
)
from forgeron.laws.optional_functions import the_networks_fit
from forgeron.laws.reached_positions import ReachedPosition
from forgeron.laws.violation import BrokenLaw

HEADER = {"game": "yolah", "options": {}, "rules": 1, "note": "from a test"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    network = aligned(layout(features=30, hidden=24, phases=8))
    network["rows"][0] = np.arange(30 * 32).reshape(30, 32)
    network["bias"][0] = -3
    path = tmp_path / "a.network"
    write_network(path, NetworkFile(HEADER, network))
    return path


def test_a_network_is_read_as_it_was_written(file: Path) -> None:
    read = read_network(file)
    assert read.header["game"] == "yolah"
    assert read.header["note"] == "from a test"
    assert sizes(read.network.dtype) == {"features": 30, "hidden": 24, "phases": 8}
    assert read.network["rows"][0, 1, 2] == 34
    assert (read.network["bias"][0] == -3).all()
    assert read.network.ctypes.data % 64 == 0


def test_every_single_damaged_byte_is_noticed(file: Path) -> None:
    data = file.read_bytes()
    good = read_network(file)
    for place in range(len(data)):
        file.write_bytes(data[:place] + bytes([data[place] ^ 0x41]) + data[place + 1 :])
        try:
            read = read_network(file)
        except ForgeronError:
            continue
        assert read.network.tobytes() == good.network.tobytes()  # a letter of the note: the numbers are whole


@pytest.mark.parametrize("length", [0, 1, 50, 200, -1])
def test_a_file_cut_off_is_refused_in_a_line(file: Path, length: int) -> None:
    file.write_bytes(file.read_bytes()[:length])
    with pytest.raises(ForgeronError) as caught:
        read_network(file)
    assert str(file) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_something_else_is_refused(tmp_path: Path) -> None:
    for content in (b"", b"PK\x03\x04", b"[]\n", b'{"game": "yolah"}\n', b"\xff\xfe\n" * 9):
        path = tmp_path / "b.network"
        path.write_bytes(content)
        with pytest.raises(ForgeronError, match="is not a network of Forgeron"):
            read_network(path)
    with pytest.raises(ForgeronError, match="cannot read the network"):
        read_network(tmp_path / "absent.network")


def change_header(file: Path, **changes: object) -> None:
    line, _, rest = file.read_bytes().partition(b"\n")
    file.write_bytes(json.dumps({**json.loads(line), **changes}).encode() + b"\n" + rest)


def test_another_version_of_the_format_is_named(file: Path) -> None:
    change_header(file, format="forgeron-network-2")
    with pytest.raises(ForgeronError, match="has the format forgeron-network-2; this version reads forgeron-network-1"):
        read_network(file)


@pytest.mark.parametrize("features", [10**12, -1, 0, 31, "30", None, True, 1.5])
def test_sizes_that_cannot_be_are_refused_before_memory_is_asked_for(file: Path, features: object) -> None:
    change_header(file, features=features)
    with pytest.raises(ForgeronError):
        read_network(file)


def test_lanes_that_are_no_multiple_of_sixteen_are_refused() -> None:
    with pytest.raises(ForgeronError, match="multiple of 16"):
        layout(features=10, hidden=20, phases=8)


# --- beside the file of a game ----------------------------------------------------------------------------------------


def four(folder: Path, planes: str) -> Path:
    """A game with a network of its own, and planes that may change; its file."""
    folder.mkdir()
    text = (ROOT / "examples" / "game_connect_four.py").read_text()
    before = "return state.mine, state.theirs, ONE"
    assert before in text
    file = folder / "four.py"
    text = text.replace(before, f"return {planes}")
    file.write_text(text.replace("    max_features", '    network_files = ("four.network",)\n    max_features'))
    return file


def test_a_network_beside_a_game_is_refused_when_what_it_sees_has_changed(tmp_path: Path) -> None:
    whole = forgeron.game(str(four(tmp_path / "whole", "state.mine, state.theirs, ONE")))
    count, _ = input_sizes(whole)
    network = NetworkFile(network_header(whole, ""), aligned(layout(count, 15, whole.phases)))
    write_network(tmp_path / "whole" / "four.network", network)
    assert whole.network() is not None
    changed_file = four(tmp_path / "changed", "state.theirs, state.mine, ONE")
    changed = forgeron.game(str(changed_file))
    with pytest.raises(ForgeronError, match="cannot read the network"):
        changed.network()
    shutil.copy(tmp_path / "whole" / "four.network", tmp_path / "changed")
    with pytest.raises(ForgeronError, match="was trained for other rules or features"):
        changed.network()
    with pytest.raises(BrokenLaw, match=r"^network_files: the network .* was trained for other rules or features"):
        the_networks_fit(ReachedPosition(changed, changed.start().state, ()))


def test_a_network_beside_a_game_that_is_damaged_is_refused_in_a_line(tmp_path: Path) -> None:
    game = forgeron.game(str(four(tmp_path / "game", "state.mine, state.theirs, ONE")))
    count, _ = input_sizes(game)
    for options in ("all", {"size": 9}):
        header = {**network_header(game, ""), "options": options}
        write_network(tmp_path / "game" / "four.network", NetworkFile(header, aligned(layout(count, 15, game.phases))))
        with pytest.raises(ForgeronError):
            game.network()

"""Tables of exact values as files: whole, or refused in one line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import forgeron
from forgeron.core.errors import ForgeronError
from forgeron.core.table_file import TableFile, read_table, table_header, write_table

YUT = forgeron.game("yut")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    entries = np.random.default_rng(1).integers(0, 65_536, 900).astype(np.uint16)
    write_table(tmp_path / "yut.table", TableFile(table_header(YUT, "made for a test"), entries))
    return tmp_path / "yut.table"


def test_what_was_written_is_read(path: Path) -> None:
    file = read_table(path, YUT)
    assert (file.entries == np.random.default_rng(1).integers(0, 65_536, 900)).all()
    assert file.header["note"] == "made for a test"
    assert (read_table(path, forgeron.game("yut", pieces=1)).entries == file.entries).all()


def changed_header(path: Path, **changes: object) -> None:
    first, _, rest = path.read_bytes().partition(b"\n")
    path.write_bytes(json.dumps({**json.loads(first), **changes}).encode() + b"\n" + rest)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"format": "forgeron-table-9"}, "format forgeron-table-9"),
        ({"game": "yolah"}, "is of yolah, not of yut"),
        ({"rules": 99}, "other rules"),
        ({"digest": "0"}, "another numbering"),
        ({"entries": 901}, "not as long"),
        ({"entries": "many"}, "how large"),
        ({"entries": 2**40}, "how large"),
        ({"checksum": "0"}, "checksum"),
    ],
)
def test_a_table_of_something_else_is_refused(path: Path, changes: dict[str, object], said: str) -> None:
    changed_header(path, **changes)
    with pytest.raises(ForgeronError, match=said):
        read_table(path, YUT)


def test_a_damaged_table_is_refused(path: Path) -> None:
    whole = path.read_bytes()
    for damaged in (b"", b"no table", whole[:-5], whole[:-20] + b"x" * 20, whole + b"more"):
        path.write_bytes(damaged)
        with pytest.raises(ForgeronError, match=r"is not a table|is damaged"):
            read_table(path, YUT)
    path.unlink()
    with pytest.raises(ForgeronError, match="cannot read the table"):
        read_table(path, YUT)


def test_a_table_in_the_data_folder_is_used(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = len(YUT.table())
    large = np.full(shipped + 1000, 7, dtype=np.uint16)
    write_table(path.parent / "tables" / "yut.table", TableFile(table_header(YUT, ""), large))
    monkeypatch.setenv("FORGERON_DATA_DIR", str(path.parent))
    assert (YUT.table() == large).all()
    write_table(path.parent / "tables" / "yut.table", TableFile(table_header(YUT, ""), large[:1]))
    assert len(YUT.table()) == max(shipped, 1)

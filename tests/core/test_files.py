"""A file is written whole or not at all, and nothing but a file is ever replaced."""

from __future__ import annotations

import os
import socket
import stat
from pathlib import Path

import pytest

from forgeron.core.errors import ForgeronError
from forgeron.core.files import replaced_file, write_file


def test_a_text_and_bytes_can_be_read_back_and_no_draft_is_left(tmp_path: Path) -> None:
    write_file(tmp_path / "a", "½ – ½\n")
    write_file(tmp_path / "b", b"\xff\x00")
    write_file(tmp_path / "b", b"\x00")
    assert (tmp_path / "a").read_text(encoding="utf-8") == "½ – ½\n"
    assert (tmp_path / "b").read_bytes() == b"\x00"
    assert sorted(os.listdir(tmp_path)) == ["a", "b"]


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_a_writer_that_fails_leaves_the_old_file_and_nothing_else(tmp_path: Path, error: type[BaseException]) -> None:
    target = tmp_path / "file"
    target.write_text("old")

    def fail() -> None:
        with replaced_file(target) as draft:
            draft.write_text("half of the ne")
            raise error

    with pytest.raises(error):
        fail()
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["file"]


def test_until_the_end_a_reader_sees_the_old_content(tmp_path: Path) -> None:
    target = tmp_path / "file"
    target.write_text("old")
    with replaced_file(target) as draft:
        draft.write_text("new")
        assert target.read_text() == "old"
    assert target.read_text() == "new"


def test_the_content_is_on_the_disk_before_the_name_points_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    sync, rename = os.fsync, Path.replace

    def fsync(descriptor: int) -> None:
        steps.append("folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file")
        sync(descriptor)

    def replace(self: Path, target: Path) -> Path:
        steps.append("rename")
        return rename(self, target)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(Path, "replace", replace)
    write_file(tmp_path / "file", "text")
    assert steps == ["file", "rename", "folder"]


def test_folders_devices_pipes_and_sockets_are_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the name of a socket must be short
    Path("folder").mkdir()
    os.mkfifo("pipe")
    Path("link").symlink_to("pipe")
    Path("loop").symlink_to("loop")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind("socket")
    for name, kind in {
        "folder": "a folder",
        "pipe": "a pipe",
        "link": "a pipe",
        "loop": "a symbolic link that leads back to itself",
        "socket": "a socket",
        "/dev/null": "a device",
    }.items():
        with pytest.raises(ForgeronError, match=f"cannot write {name}: it is {kind}; name a file"):
            write_file(Path(name), "text")
    listener.close()
    assert stat.S_ISFIFO(os.stat("pipe").st_mode)
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    assert sorted(os.listdir()) == ["folder", "link", "loop", "pipe", "socket"]


def test_a_link_stays_a_link_and_its_target_is_written(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    link = tmp_path / "link"
    link.symlink_to("real/file")
    write_file(link, "text")
    assert link.is_symlink()
    assert (tmp_path / "real" / "file").read_text() == "text"


def test_permissions_are_those_of_the_old_file_or_of_any_new_one(tmp_path: Path) -> None:
    secret, plain = tmp_path / "secret", tmp_path / "plain"
    secret.write_text("")
    secret.chmod(0o600)
    plain.write_text("")
    write_file(secret, "text")
    write_file(tmp_path / "new", "text")
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    assert (tmp_path / "new").stat().st_mode == plain.stat().st_mode


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(ForgeronError, match=r"cannot write .*file: No such file or directory"):
        write_file(tmp_path / "missing" / "file", "text")
    write_file(tmp_path / "made" / "on" / "the-way", "text", make_folder=True)
    with pytest.raises(ForgeronError, match=r"cannot write .*: Not a directory"):
        write_file(tmp_path / "made" / "on" / "the-way" / "file", "text")
    with pytest.raises(ForgeronError, match=r"'\\udc80' is not a character"):
        write_file(tmp_path / "file", "\udc80")
    with pytest.raises(ForgeronError, match=r"cannot write .*: File name too long"):
        write_file(tmp_path / ("x" * 300), "text")
    write_file(tmp_path / ("x" * 255), "a name as long as it may be")
    assert sorted(os.listdir(tmp_path)) == ["made", "x" * 255]


def test_two_writers_at_once_do_not_disturb_each_other(tmp_path: Path) -> None:
    target = tmp_path / "file"
    with replaced_file(target) as one, replaced_file(target) as two:
        assert one != two
        one.write_text("one")
        two.write_text("two")
    assert target.read_text() == "one", "the last to finish"
    assert os.listdir(tmp_path) == ["file"]

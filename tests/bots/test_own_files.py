"""A bot finds in its working folder what lies beside its own files, and may do with it what it likes."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from forgeron.arena.bot_files import digest_of
from forgeron.arena.entrant import Entrant
from forgeron.bots.own_files import bring_files, name_class_path, own_folders
from forgeron.bots.process import BotProcess
from forgeron.bots.sandbox import Sandbox, hidden_from

READER = """
import os
print(open("weights.txt").read().strip(), open("data/book.txt").read().strip(), flush=True)
open("weights.txt", "w").write("changed")
open("log.txt", "w").write("new")
print(open("weights.txt").read(), sorted(name for name in os.listdir() if name[0] != "."), flush=True)
input()
"""


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """Readable for bots that run as another user: pytest keeps its own folders private."""
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == os.getuid() and folder != Path("/"):
            folder.chmod(folder.stat().st_mode | 0o055)
    return tmp_path


def heard(process: BotProcess, seconds: float = 60.0) -> str:
    return process.receive(time.monotonic() + seconds)


@pytest.mark.parametrize("sandbox", [Sandbox(), Sandbox(bwrap=False), Sandbox(bwrap=False, own_user=False)])
def test_a_bot_opens_its_files_by_name_and_what_it_writes_is_private(house: Path, sandbox: Sandbox) -> None:
    (house / "bot.py").write_text(READER)
    (house / "weights.txt").write_text("0.5")
    (house / "data").mkdir()
    (house / "data" / "book.txt").write_text("d5:b7")
    process = BotProcess([sys.executable, str(house / "bot.py")], sandbox=sandbox)
    try:
        assert heard(process) == "0.5 d5:b7"
        assert heard(process) == "changed ['bot.py', 'data', 'log.txt', 'weights.txt']"
    finally:
        process.close(hang_up=True)
    assert not process.folder.exists()
    assert (house / "weights.txt").read_text() == "0.5"
    assert not (house / "log.txt").exists()


def test_small_files_are_copied_and_the_rest_is_linked(tmp_path: Path) -> None:
    home, bot = tmp_path / "home", tmp_path / "bot"
    for folder in (home, bot, home / "data"):
        folder.mkdir(exist_ok=True)
    (home / "small").write_text("x")
    (home / "large").write_bytes(bytes((1 << 20) + 1))
    (home / ".hidden").write_text("x")
    (home / "rival.py").write_text("x")
    (home / "away").symlink_to("/etc/hostname")
    bring_files([home], bot, None, hidden=[home / "rival.py"])
    assert sorted(os.listdir(bot)) == ["away", "data", "large", "small"]
    assert [name for name in sorted(os.listdir(bot)) if (bot / name).is_symlink()] == ["away", "data", "large"]


def test_another_user_gets_no_copy_of_what_not_everybody_may_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, bot = tmp_path / "home", tmp_path / "bot"
    home.mkdir()
    bot.mkdir()
    (home / "open").write_text("x")
    (home / "open").chmod(0o644)
    (home / "private").write_text("x")
    (home / "private").chmod(0o600)
    owners: list[tuple[str, int]] = []
    monkeypatch.setattr(os, "chown", lambda place, uid, gid: owners.append((Path(place).name, uid)))
    bring_files([home], bot, 65534)
    assert owners == [("open", 65534)]
    assert (bot / "private").is_symlink()


def test_programs_that_everybody_may_run_bring_nothing(house: Path) -> None:
    (house / "bot.py").write_text("")
    assert own_folders(["python3", str(house / "bot.py")]) == [house]
    assert own_folders(["python3", "-c", "pass"]) == []
    assert own_folders([sys.executable, "-m", "forgeron"]) == []


def test_a_java_class_of_the_current_folder_gets_its_class_path(house: Path) -> None:
    (house / "bots").mkdir()
    for name in ("Bot", "bots/Best"):
        (house / f"{name}.class").write_bytes(b"")
    assert name_class_path(("java", "Bot", "--fast"), house) == ("java", "-cp", str(house), "Bot", "--fast")
    assert name_class_path(("java", "-Xss64m", "bots.Best"), house) == (
        "java",
        "-cp",
        str(house),
        "-Xss64m",
        "bots.Best",
    )
    for command in (("java", "-cp", ".", "Bot"), ("java", "-jar", "Bot"), ("java", "Other"), ("python3", "Bot")):
        assert name_class_path(command, house) == command


def test_the_classes_of_a_rival_are_hidden(house: Path) -> None:
    for name in ("ann", "bob"):
        (house / name).mkdir()
        (house / name / "Bot.class").write_bytes(b"")
    ann, bob = (("java", "-cp", str(house / name), "Bot") for name in ("ann", "bob"))
    assert hidden_from(ann, bob) == (house / "bob",)
    assert hidden_from(ann, ann) == ()


def test_what_lies_below_a_folder_of_path_is_a_bots_own(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (house / "ann").mkdir()
    (house / "ann" / "bot.py").write_text("print(1)")
    (house / "tool").write_text("#!/bin/sh\n")
    (house / "tool").chmod(0o755)
    monkeypatch.setenv("PATH", f"{house}:{os.environ['PATH']}")
    assert own_folders(["tool", str(house / "ann" / "bot.py")]) == [house / "ann"]
    bot = Entrant("Ann", command=("tool", str(house / "ann" / "bot.py")))
    before = digest_of(bot)
    (house / "ann" / "bot.py").write_text("print(2)")
    assert None not in (before, digest_of(bot))
    assert digest_of(bot) != before

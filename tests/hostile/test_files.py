"""Files that are not what they should be, and full disks: one clear line, the right exit code, nothing lost."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import forgeron
from forgeron.analysis.suite import read_suite
from forgeron.arena.journal import read
from forgeron.arena.live import _read_wish
from forgeron.arena.opening_book import read_openings
from forgeron.cli.main import main
from forgeron.core.network_file import read_network
from forgeron.core.table_file import read_table
from forgeron.learning.data_generation import read_settings

BOTS = Path(__file__).parent / "bots"
GAME = str(Path(__file__).parent.parent.parent / "examples" / "game_connect_four.py")
MATCH = ("match", "yolah", "random", "random", "--games", "4", "--time", "10n")
Program = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def program(tmp_path: Path) -> Program:
    def run(*arguments: str, file_size: int | None = None) -> subprocess.CompletedProcess[str]:
        def limit() -> None:
            if file_size is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, file_size))

        return subprocess.run(
            [sys.executable, "-m", "forgeron", *arguments],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env={**os.environ, "FORGERON_QUIET": "1"},
            preexec_fn=limit,
            timeout=120,
        )

    return run


def one_line(done: subprocess.CompletedProcess[str]) -> str:
    assert done.stderr.count("\n") == 1, done.stderr
    assert done.stderr.startswith("error: ")
    return done.stderr


def test_a_disk_that_fills_up_stops_the_match_with_its_games_safe(program: Program, tmp_path: Path) -> None:
    whole = program(*MATCH, "--journal", "whole.journal")
    assert whole.returncode == 0
    size = (tmp_path / "whole.journal").stat().st_size
    done = program(*MATCH, "--journal", "torn.journal", file_size=size // 2)
    assert done.returncode == 1
    assert "safe, but cannot write torn.journal: File too large" in one_line(done)
    again = program(*MATCH, "--journal", "torn.journal")
    assert again.returncode == 0
    (_, torn), (_, kept) = read(tmp_path / "torn.journal"), read(tmp_path / "whole.journal")
    assert {id: one.moves for id, one in torn.items()} == {id: one.moves for id, one in kept.items()}


@pytest.mark.parametrize(
    ("path", "code", "said"),
    [
        ("/proc/event.journal", 1, "cannot open /proc/event.journal"),
        ("x" * 300, 1, "File name too long"),
        ("y" * 300 + "/event.journal", 1, "File name too long"),
        ("/dev/full", 2, "not a regular file"),
        ("/dev/null", 2, "not a regular file"),
        (".", 2, "not a regular file"),
        ("thesis.txt", 2, "not a journal"),
    ],
)
def test_a_journal_that_cannot_be_kept_is_one_line(
    program: Program, tmp_path: Path, path: str, code: int, said: str
) -> None:
    (tmp_path / "thesis.txt").write_text("Four years of work")
    done = program(*MATCH, "--journal", path)
    assert said in one_line(done)
    assert done.returncode == code
    assert (tmp_path / "thesis.txt").read_text() == "Four years of work"


@pytest.mark.parametrize(
    "content",
    [
        "",
        "text",
        "\n\n",
        "[" * 200_000 + "\n",
        '{"format":"forgeron-journal-1"}\n',
        '{"format":"forgeron-journal-1","settings":{}}\n',
        '{"format":"forgeron-journal-1","settings":{"kind":"match"}}\n',
        '{"format":"forgeron-journal-1","settings":{"kind":"match","game":["yolah"],"entrants":3}}\n',
        '{"format":"forgeron-journal-1","settings":{"kind":["match"]}}\n',
        '{"format":"forgeron-journal-2","settings":{}}\n',
        '{"a":' * 200_000 + "\n",
    ],
)
@pytest.mark.parametrize("command", ["results", "replay"])
def test_a_file_that_is_no_journal_is_one_line(
    tmp_path: Path, command: str, content: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "event.journal"
    path.write_text(content)
    monkeypatch.setattr("sys.argv", ["forgeron", command, str(path)])
    with pytest.raises(SystemExit, match="2"):
        main()
    said = capsys.readouterr().err
    assert said.startswith("error: ")
    assert said.count("\n") == 1


def test_a_bot_whose_name_is_not_unicode_plays(program: Program, tmp_path: Path) -> None:
    bot = tmp_path / os.fsdecode(b"b\xe9t.py")
    bot.write_text((BOTS / "hostile_bot.py").read_text())
    done = program(
        "match", GAME, f"{sys.executable} -S ./{bot.name} good none", "random", "--games", "2", "--time", "10",
        "--journal", "event.journal",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert all(one.extra["files"][0] or one.extra["files"][1] for one in read(tmp_path / "event.journal")[1].values())
    assert {one.reason for one in read(tmp_path / "event.journal")[1].values()} <= {"win", "draw"}


def test_a_damaged_journal_is_repaired_into_a_new_file(program: Program, tmp_path: Path) -> None:
    program(*MATCH, "--journal", "event.journal")
    path = tmp_path / "event.journal"
    lines = path.read_text().splitlines(keepends=True)
    winner = '"winner":0' if '"winner":0' in lines[2] else '"winner":1'
    lines[2] = lines[2].replace(winner, '"winner":null')
    path.write_text("".join(lines))
    refused = program("results", "event.journal")
    assert "line 3 of event.journal is damaged: it was changed" in one_line(refused)
    assert one_line(program(*MATCH, "--journal", "event.journal")) == refused.stderr
    done = program("results", "event.journal", "--repair", "mended.journal")
    assert done.returncode == 0
    assert done.stdout == (
        "left out: line 3 of event.journal is damaged: it was changed, its checksum is wrong\n"
        "written: mended.journal (3 games kept, 1 left out)\n"
    )
    assert path.read_text() == "".join(lines)
    # The match goes on: only the game that was left out is played again.
    assert program(*MATCH, "--journal", "mended.journal").returncode == 0
    assert program("results", "mended.journal").returncode == 0
    assert one_line(program("results", "event.journal", "--repair", "mended.journal")).endswith("is a new file\n")


def read_book(path: Path) -> object:
    return read_openings(path, forgeron.game("yolah"))


def read_exact_values(path: Path) -> object:
    return read_table(path, forgeron.game("yut"))


@pytest.mark.parametrize("content", ["[" * 100_000, '{"format":' * 100_000, "yolah " + "[" * 100_000, "\x00", "{}"])
@pytest.mark.parametrize("reader", [read_network, read_exact_values, read_book, read_suite, read_settings])
def test_a_file_of_somebody_else_is_read_or_refused(
    reader: Callable[[Path], object], content: str, tmp_path: Path
) -> None:
    """JSON that is nested deeply raises an error of its own kind in Python."""
    path = tmp_path / "file"
    path.write_text(f"{content}\n")
    if reader is read_settings and content == "{}":
        assert reader(path) == {}
        return
    with pytest.raises(forgeron.ForgeronError):
        reader(path)


def test_a_wish_of_a_watcher_that_is_nested_deeply_is_none(tmp_path: Path) -> None:
    (tmp_path / "wish").write_text("[" * 1000)
    assert _read_wish(str(tmp_path / "wish")) is None

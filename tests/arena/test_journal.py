"""The journal: what was written stays, what was torn is dropped, and nobody else may write at the same time."""

from __future__ import annotations

import errno
import json
import os
import random
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import forgeron
from forgeron.arena import journal
from forgeron.arena.journal import Journal
from forgeron.core.errors import ForgeronError, StorageError
from forgeron.core.record import Record

SETTINGS = {"game": "yolah", "games": 4}


def record(seed: int) -> Record:
    game = forgeron.game("yolah")
    return Record.of(game, game.start(), ("d5:b7", "e5:f5"), seed=seed)


def test_games_come_back_when_the_journal_is_opened_again(tmp_path: Path) -> None:
    path = tmp_path / "event.jsonl"
    with Journal(path, SETTINGS) as first:
        assert first.append("a", record(1))
        assert first.append("b", record(2))
    with Journal(path, SETTINGS) as second:
        assert second.records == {"a": record(1), "b": record(2)}
    assert journal.read(path) == (SETTINGS, {"a": record(1), "b": record(2)})


def test_a_game_never_counts_twice(tmp_path: Path) -> None:
    path = tmp_path / "event.jsonl"
    with Journal(path, SETTINGS) as one:
        assert one.append("a", record(1))
        assert not one.append("a", record(2))
    assert journal.read(path)[1] == {"a": record(1)}


def test_ctrl_c_right_after_a_game_was_written_does_not_lose_count_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "event.jsonl"
    sync = os.fsync
    with Journal(path, SETTINGS) as one:

        def sync_and_interrupt(descriptor: int) -> None:
            sync(descriptor)
            os.kill(os.getpid(), signal.SIGINT)

        monkeypatch.setattr(os, "fsync", sync_and_interrupt)
        before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have us ignore it
        try:
            with pytest.raises(KeyboardInterrupt):
                one.append("a", record(1))
        finally:
            signal.signal(signal.SIGINT, before)
        assert one.records == journal.read(path)[1] == {"a": record(1)}


def test_a_journal_cut_off_at_any_byte_loses_only_the_game_being_written(tmp_path: Path) -> None:
    path = tmp_path / "event.jsonl"
    sizes = []
    with Journal(path, SETTINGS) as whole:
        sizes.append(path.stat().st_size)
        for number in range(3):
            whole.append(str(number), record(number))
            sizes.append(path.stat().st_size)
    data = path.read_bytes()
    for cut in random.Random(1).sample(range(len(data)), 60):
        path.write_bytes(data[:cut])
        complete = max(sum(size <= cut for size in sizes) - 1, 0)
        with Journal(path, SETTINGS) as again:
            assert list(again.records) == [str(number) for number in range(complete)]
            for number in range(3):
                again.append(str(number), record(number))
        assert path.read_bytes() == data


def test_another_event_does_not_write_into_the_journal(tmp_path: Path) -> None:
    path = tmp_path / "event.jsonl"
    Journal(path, SETTINGS).close()
    with pytest.raises(ForgeronError, match=r"belongs to an event with other settings \(games\)"):
        Journal(path, {**SETTINGS, "games": 6})


def test_two_runs_cannot_write_at_the_same_time(tmp_path: Path) -> None:
    path = tmp_path / "event.jsonl"
    with Journal(path, SETTINGS), pytest.raises(ForgeronError, match="another run of this event is going on"):
        Journal(path, SETTINGS)


def test_a_damaged_line_in_the_middle_is_named(tmp_path: Path) -> None:
    path = tmp_path / "event.jsonl"
    with Journal(path, SETTINGS) as one:
        one.append("a", record(1))
    path.write_bytes(path.read_bytes().replace(b'{"id"', b"garbage"))
    with pytest.raises(ForgeronError, match=r"line 2 of .* is damaged"):
        Journal(path, SETTINGS)


def test_some_other_file_is_not_taken_for_a_journal(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text('{"a": 1}\n')
    with pytest.raises(ForgeronError, match="is not a journal"):
        Journal(path, SETTINGS)
    assert path.read_text() == '{"a": 1}\n'


# --- files that are no journals, and journals that somebody changed ---------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        b"one line without an end",
        b"two lines,\nthe second without an end",
        b'{"format":"forgeron-journal-9"}\n',
        b'{"format":"forgeron-journ',
        b"\n",
        b"\x00\xff" * 40,
        b"[" * 100_000 + b"\n",
    ],
)
def test_a_file_that_is_no_journal_keeps_every_byte(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "thesis.txt"
    path.write_bytes(content)
    if content == b'{"format":"forgeron-journ':
        # The beginning of a journal's first line, as a power failure leaves it, is no file of somebody else.
        Journal(path, SETTINGS).close()
        return
    with pytest.raises(ForgeronError, match="is not a journal"):
        Journal(path, SETTINGS)
    assert path.read_bytes() == content


def test_a_pipe_or_a_folder_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, Path("/dev/null")):
        with pytest.raises(ForgeronError, match="is not a regular file"):
            Journal(path, SETTINGS)
        with pytest.raises(ForgeronError, match="is not a regular file"):
            journal.read(path)


def ten_games(path: Path) -> list[bytes]:
    with Journal(path, SETTINGS) as one:
        for number in range(10):
            one.append(f"game-{number}", record(number))
    return path.read_bytes().splitlines(keepends=True)


def changed(lines: list[bytes], number: int, old: bytes, new: bytes) -> list[bytes]:
    assert old in lines[number - 1]
    return [line.replace(old, new) if i == number else line for i, line in enumerate(lines, 1)]


def swapped(lines: list[bytes]) -> list[bytes]:
    return [*lines[:4], lines[5], lines[4], *lines[6:]]


@pytest.mark.parametrize(
    ("damage", "said", "kept"),
    [
        (
            lambda lines: changed(lines, 5, b'"winner":null', b'"winner":1'),
            "line 5 of .* is damaged: it was changed",
            9,
        ),
        (lambda lines: changed(lines, 3, b"e5:f5", b"e5:f6"), "line 3 of .* is damaged: it was changed", 9),
        (lambda lines: changed(lines, 8, b'"sum"', b'"son"'), "line 8 of .* is damaged: it has no checksum", 9),
        (swapped, r"line 5 of .* is out of place: .* \(and 2 more\)", 10),
        (lambda lines: [*lines[:6], *lines[7:]], "line 7 of .* is out of place", 9),
        (lambda lines: [*lines[:6], lines[2], *lines[6:]], "line 7 of .* is out of place", 10),
        (lambda lines: [*lines[:6], b"garbage\n", *lines[7:]], "line 7 of .* is damaged", 9),
        (lambda lines: [*lines[:6], b'{"a":' * 9000 + b"\n", *lines[7:]], "line 7 of .* is damaged", 9),
        (lambda lines: changed(lines, 1, b'"sum":"', b'"sum":"0'), "line 1 of .* is damaged", 10),
        (lambda lines: changed(lines, 1, b'"settings"', b'"settings'), "line 1 of .* is damaged: it was changed", None),
    ],
)
def test_what_somebody_changed_is_named_and_the_rest_can_be_kept(
    tmp_path: Path, damage: Callable[[list[bytes]], list[bytes]], said: str, kept: int | None
) -> None:
    path, mended = tmp_path / "event.jsonl", tmp_path / "mended.jsonl"
    content = b"".join(damage(ten_games(path)))
    path.write_bytes(content)
    with pytest.raises(ForgeronError, match=said):
        journal.read(path)
    with pytest.raises(ForgeronError, match=said):
        Journal(path, SETTINGS)
    assert path.read_bytes() == content
    if kept is None:
        with pytest.raises(ForgeronError, match="without the settings no game can be kept"):
            journal.repair(path, mended)
        assert not mended.exists()
        return
    count, found = journal.repair(path, mended)
    assert count == kept
    assert found
    settings, records = journal.read(mended)
    assert settings == SETTINGS
    assert len(records) == kept
    assert all(one == record(int(id.removeprefix("game-"))) for id, one in records.items())
    with pytest.raises(ForgeronError, match="is a new file"):
        journal.repair(path, mended)


def test_every_single_changed_byte_is_found(tmp_path: Path) -> None:
    path = tmp_path / "event.jsonl"
    with Journal(path, SETTINGS) as one:
        one.append("a", record(1))
        one.append("b", record(2))
    data = path.read_bytes()
    for at in range(len(data)):
        if data[at] == ord("\n"):
            continue
        path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        with pytest.raises(ForgeronError):
            journal.read(path)


# --- journals of format 1 ---------------------------------------------------------------------------------------------


def old_journal(path: Path) -> None:
    entries: list[dict[str, Any]] = [{"format": "forgeron-journal-1", "settings": SETTINGS}]
    entries += [{"id": str(number), "record": record(number).to_data()} for number in range(3)]
    path.write_text("".join(json.dumps(entry, separators=(",", ":")) + "\n" for entry in entries))


def test_a_journal_of_the_first_format_is_read_and_continued(tmp_path: Path) -> None:
    path = tmp_path / "old.jsonl"
    old_journal(path)
    before = path.read_bytes()
    assert journal.read(path) == (SETTINGS, {str(number): record(number) for number in range(3)})
    with Journal(path, SETTINGS) as one:
        assert len(one.records) == 3
        one.append("3", record(3))
        one.append("4", record(4))
    assert path.read_bytes().startswith(before)
    with Journal(path, SETTINGS) as again:
        assert list(again.records) == ["0", "1", "2", "3", "4"]
    # What was added is protected, and protects what was there.
    text = path.read_text()
    for old, new, said in (('"seed":4', '"seed":5', "line 6"), ('"seed":1', '"seed":9', "line 5 .* out of place")):
        assert old in text
        path.write_text(text.replace(old, new))
        with pytest.raises(ForgeronError, match=said):
            journal.read(path)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"record": {}}, "line 2 of .*: it needs an id and a record"),
        ({"id": "a"}, "line 2 of .*: it needs an id and a record"),
        ({"id": ["a"], "record": {}}, "line 2 of .*: it needs an id and a record"),
        ({"id": "a", "record": {}}, "line 2 of .*: this is not a game record"),
        ([], "line 2 of .*: it is no JSON object"),
    ],
)
def test_an_incomplete_line_of_an_old_journal_is_named(tmp_path: Path, line: object, said: str) -> None:
    path = tmp_path / "old.jsonl"
    path.write_text(
        json.dumps({"format": "forgeron-journal-1", "settings": SETTINGS}, separators=(",", ":"))
        + f"\n{json.dumps(line)}\n"
    )
    with pytest.raises(ForgeronError, match=said):
        journal.read(path)


def test_a_journal_without_settings_is_named(tmp_path: Path) -> None:
    path = tmp_path / "old.jsonl"
    for settings in ("", ',"settings":null', ',"settings":[]'):
        path.write_text('{"format":"forgeron-journal-1"' + settings + "}\n")
        with pytest.raises(ForgeronError, match=r"line 1 of .* is damaged: it has no settings"):
            Journal(path, SETTINGS)


# --- a machine that does not let us -----------------------------------------------------------------------------------


def test_a_full_disk_leaves_the_games_before_it_and_no_torn_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "event.jsonl"
    with Journal(path, SETTINGS) as one:
        one.append("a", record(1))
        whole = path.read_bytes()

        def full(self: Journal, line: bytes) -> None:
            self._file.write(line[:100])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        with monkeypatch.context() as patched:
            patched.setattr(Journal, "_write", full)
            with pytest.raises(StorageError, match=r"1 game safe, but cannot write .*: No space left on device"):
                one.append("b", record(2))
        assert path.read_bytes() == whole
        assert one.append("b", record(2))
    assert len(journal.read(path)[1]) == 2


def test_a_name_that_is_too_long_is_one_error(tmp_path: Path) -> None:
    for path in (tmp_path / ("x" * 300), tmp_path / ("y" * 300) / "event.jsonl"):
        with pytest.raises(StorageError, match="File name too long"):
            Journal(path, SETTINGS)


def test_half_a_surrogate_pair_from_a_bot_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / "event.jsonl"
    odd = replace(record(1), extra={"detail": "\udcff"})
    with Journal(path, SETTINGS) as one:
        one.append("a", odd)
    assert journal.read(path)[1] == {"a": odd}


def test_games_that_end_together_are_synced_once_and_count_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "event.jsonl"
    syncs: list[int] = []
    sync = os.fsync
    with Journal(path, SETTINGS) as one:
        assert one.append("a", record(1))
        monkeypatch.setattr(os, "fsync", lambda descriptor: (syncs.append(descriptor), sync(descriptor)))
        together = [("b", record(2)), ("a", record(3)), ("c", record(4)), ("b", record(5))]
        assert one.append_all(together) == {"b", "c"}
        assert one.append_all([("a", record(6))]) == set()
        assert len(syncs) == 1
        assert one.append("d", record(7))
    expected = {"a": record(1), "b": record(2), "c": record(4), "d": record(7)}
    assert journal.read(path)[1] == expected

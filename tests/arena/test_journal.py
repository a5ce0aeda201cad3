"""The journal: what was written stays, what was torn is dropped, and nobody else may write at the same time."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import forgeron
from forgeron.arena import journal
from forgeron.arena.journal import Journal
from forgeron.core.errors import ForgeronError
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

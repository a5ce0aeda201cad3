"""Files of ours that a disk, an editor or a stranger has changed: read as they are, or refused in one line."""

from __future__ import annotations

import io
import json
import random
import sqlite3
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

import forgeron
from forgeron.analysis.suite import read_suite
from forgeron.arena.entrant import Entrant
from forgeron.arena.event import Terms
from forgeron.arena.journal_lines import checksum, seal
from forgeron.arena.match import Match
from forgeron.arena.opening_book import read_openings
from forgeron.arena.tournament import Tournament
from forgeron.learning.shards import Shard, header_of, read_shard, save_shard
from forgeron.reports.results import read_results
from forgeron.reports.sqlite import build
from forgeron.web.store import Store
from hostile.damage import damaged_bytes, damaged_json
from web_pages import HOST, SOCKET, Page, running

ROUNDS = 300


@contextmanager
def page_of(server: TestClient) -> Iterator[Page]:
    with server.websocket_connect(SOCKET, headers={"origin": HOST}) as socket:
        yield Page(socket, "0" * 32)


def refused_or_read(reader: Callable[[], object]) -> bool:
    """Whether it was read; whatever is wrong is an error in one line."""
    said = ""
    try:
        reader()
    except forgeron.ForgeronError as error:
        said = str(error)
    assert "\n" not in said
    return not said


def shard_parts() -> dict[str, bytes]:
    rows = (np.array([3, 2], np.uint16), np.array([1, -1], np.int8), np.arange(5, dtype=np.int32))
    shard = Shard(header_of(forgeron.game("yolah")), *rows, np.zeros(5, np.int32), np.ones(5, np.uint8))
    packed = io.BytesIO()
    save_shard(packed, shard)
    with zipfile.ZipFile(packed) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_a_damaged_shard_is_refused_in_one_line(tmp_path: Path) -> None:
    path, rng, game = tmp_path / "shard.npz", random.Random(1), forgeron.game("yolah")
    parts = shard_parts()
    shapes = [b"(-5,)", b"(5,5)", b"(99999999999999,)", b"()", b"(2.5,)", b"('a',)", b"((((", b"(5,)\n(", b"9" * 4000]
    for number in range(ROUNDS):
        name = rng.choice(list(parts))
        some = parts[name].replace(b"(5,)", rng.choice(shapes)) if number % 2 else damaged_bytes(parts[name], rng)
        with zipfile.ZipFile(path, "w") as archive:
            for other, content in {**parts, name: some}.items():
                archive.writestr(other, content)
        if number % 5 == 0:
            path.write_bytes(damaged_bytes(path.read_bytes(), rng))
        refused_or_read(lambda: read_shard(path, game))
    assert not refused_or_read(lambda: read_shard(path.with_name("none"), game))


def settings() -> Iterator[dict[str, Any]]:
    terms = Terms.settle("yolah", time="5n")
    players = Entrant("a", player="random"), Entrant("b", command=("true",), options={"x": 1})
    yield Match(terms, players, 4).settings()
    for form in ("round-robin", "swiss", "knockout"):
        yield json.loads(json.dumps(Tournament("cup", terms, players, form).settings()))


@pytest.mark.parametrize("data", list(settings()), ids=["match", "round-robin", "swiss", "knockout"])
def test_settings_of_a_journal_that_no_event_has_are_refused_in_one_line(data: dict[str, Any], tmp_path: Path) -> None:
    """With checksums that are right: somebody has made this journal."""
    path, rng = tmp_path / "event.journal", random.Random(2)

    def look() -> None:
        found = read_results(path)
        found.event.terms.open_game()
        build(found).close()

    path.write_bytes(seal({"format": "forgeron-journal-2", "settings": data}, ""))
    assert refused_or_read(look)
    for _ in range(ROUNDS):
        first = seal({"format": "forgeron-journal-2", "settings": damaged_json(data, rng)}, "")
        assert checksum(first)
        path.write_bytes(first)
        refused_or_read(look)


def test_a_record_that_fits_no_database_is_refused_in_one_line(tmp_path: Path) -> None:
    path, rng = tmp_path / "event.journal", random.Random(3)
    event = Match(Terms.settle("yolah", time="5n"), (Entrant("a", player="random"), Entrant("b", player="greedy")), 2)
    first = seal({"format": "forgeron-journal-2", "settings": event.settings()}, "")
    game = forgeron.game("yolah")
    record = forgeron.Record.of(game, game.start(), ("d5:b7",), players=("a", "b"), reason="resign", winner=0)
    extra = {"time": "5n", "detail": "x", "files": [None, "a"], "layers": [[], []], "warnings": ["w"]}
    notes = [{"ply": 0, "t": 0.1, "cpu": 0.1, "v": 0.5, "d": 1, "n": 5}]
    data = json.loads(json.dumps({**record.to_data(), "extra": {**extra, "notes": notes}}))
    identity = event.schedule[0][0].id
    for number in range(ROUNDS):
        damaged = data if number == 0 else damaged_json(data, rng)
        path.write_bytes(first + seal({"id": identity, "record": damaged}, checksum(first)))
        was_read = refused_or_read(lambda: build(read_results(path)).close())
        assert was_read or number


def test_a_suite_has_no_file_of_another_run(tmp_path: Path) -> None:
    (tmp_path / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    (tmp_path / "some.suite").write_text(f"# suite of {tmp_path / 'evil.py'} {{}}\nx best y\n")
    assert not refused_or_read(lambda: read_suite(tmp_path / "some.suite"))
    assert not (tmp_path / "ran").exists()


def test_damaged_openings_are_refused_in_one_line(tmp_path: Path) -> None:
    path, rng, game = tmp_path / "openings", random.Random(4), forgeron.game("yolah")
    text = b"# openings of yolah {}\nd5:b7 e5:e7\nd5:b5 e5:c7  # 51 %\n"
    path.write_bytes(text)
    assert refused_or_read(lambda: read_openings(path, game))
    for _ in range(ROUNDS):
        path.write_bytes(damaged_bytes(text, rng))
        refused_or_read(lambda: read_openings(path, game))


def test_games_that_were_damaged_on_the_disk_leave_the_others_alone(tmp_path: Path) -> None:
    path, rng = tmp_path / "games.sqlite", random.Random(5)
    with running(path) as server, page_of(server) as page:
        page.new("yolah", ["person", "person"])
        page.move("d5:b7")
        good = page.id
    with sqlite3.connect(path) as database:
        (text,) = database.execute("SELECT data FROM games").fetchone()
        for number in range(100):
            damaged = "[" * 5000 if number == 0 else json.dumps(damaged_json(json.loads(text), rng))
            database.execute("INSERT INTO games VALUES (?, ?, 0, ?)", (f"{number:012d}", float(number), damaged))
    with running(path) as server, page_of(server) as page:
        page.socket.send_json({"do": "games", "key": page.key})
        recent = page.hear_until(lambda message: message["event"] == "games")["recent"]
        assert good in [one["id"] for one in recent]
        for number in range(100):
            page.open(f"{number:012d}")
        page.open(good)
        assert page.state["ply"] == 1


def test_a_database_that_is_damaged_is_an_answer(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    store = Store(path)
    store.put("a", {"x": 1}, finished=False)
    store.close()
    data = bytearray(path.read_bytes())
    data[4096:] = b"\x55" * (len(data) - 4096)
    path.write_bytes(data)

    def use() -> None:
        damaged = Store(path)
        try:
            for do in (lambda: damaged.get("a"), damaged.recent, damaged.unfinished):
                assert not refused_or_read(do)
            assert not refused_or_read(lambda: damaged.put("b", {}, finished=True))
        finally:
            damaged.close()

    refused_or_read(use)

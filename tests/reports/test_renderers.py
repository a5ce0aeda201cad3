"""Reports say what the results say, and nothing that a bot writes becomes markup."""

from __future__ import annotations

import copy
import csv
import io
import json
import re
import shutil
import subprocess
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from forgeron.arena.entrant import Entrant
from forgeron.core.errors import ForgeronError
from forgeron.core.files import write_file
from forgeron.core.record import Record
from forgeron.reports import html as page
from forgeron.reports.csv import games_csv, standings_csv
from forgeron.reports.html import to_html
from forgeron.reports.json import to_json
from forgeron.reports.results import EventResults, results_of
from forgeron.reports.svg_plots import progress_plot, ticks
from forgeron.stats.sprt import Sprt

Make = Callable[..., Any]
Run = Callable[..., dict[str, Record]]
EVIL = '</script><script>alert(1)</script><img src=x onerror="alert(2)">'
SHELL = ("sh", "-c", f"echo '{EVIL}' >&2; exit 3")


class Reader(HTMLParser):
    """The elements of a page, their attributes and texts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.data = ""
        self._in_data = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._in_data = dict(attrs).get("id") == "data"

    def handle_data(self, data: str) -> None:
        if self._in_data:
            self.data += data
        else:
            self.texts.append(data)

    def handle_endtag(self, tag: str) -> None:
        self._in_data = False


@pytest.fixture
def evil(make_tournament: Make, run_event: Run) -> EventResults:
    """A tournament of entrants that would like to write markup."""
    players = (Entrant(EVIL, "random"), Entrant('"><b>', "greedy"), Entrant("crash", command=SHELL, bwrap=False))
    event = make_tournament(players=players, game="yolah")
    return results_of(event, run_event(event))


@pytest.fixture
def plain(make_tournament: Make, run_event: Run) -> EventResults:
    event = make_tournament(4)
    return results_of(event, run_event(event))


def test_nothing_that_came_from_bots_becomes_markup(evil: EventResults) -> None:
    text = to_html(evil, evil.event.terms.open_game())
    reader = Reader(text)
    tags = [tag for tag, _ in reader.elements]
    assert tags.count("script") == 2
    assert "img" not in tags
    assert not [name for _, attributes in reader.elements for name in attributes if name.startswith("on")]
    assert any(EVIL in one for one in reader.texts), "the name is shown as it is"
    games = json.loads(reader.data)
    assert games[0]["players"] == list(evil.games[0].names)
    assert sum(EVIL in one for one in reader.texts) > 3, "in tables, and in the log of the bot that crashed"
    tried = [game.record.extra for game in evil.games if game.record.reason == "startup"]
    logged = [extra.get("stderr", "") for extra in tried if "absent" not in extra]
    assert logged
    assert all(EVIL in one for one in logged)


def test_the_page_needs_nothing_from_anywhere(plain: EventResults) -> None:
    text = to_html(plain, plain.event.terms.open_game())
    name_of_svg = "http://www.w3.org/2000/svg"  # a name, not an address: nothing is fetched from there
    assert not re.findall(r"https?:|url\(|@import|//cdn", text.replace(name_of_svg, ""))
    elements = Reader(text).elements
    assert not [tag for tag, attributes in elements if "src" in attributes or "href" in attributes]
    policy = next(attributes["content"] for tag, attributes in elements if "http-equiv" in attributes)
    assert policy is not None
    assert policy.startswith("default-src 'none';")


def test_the_boards_in_the_page_are_those_of_the_games(plain: EventResults) -> None:
    game = plain.event.terms.open_game()
    listed = json.loads(Reader(to_html(plain, game)).data)
    assert [entry["number"] for entry in listed] == [one.number for one in plain.games]
    for entry, played in zip(listed, plain.games, strict=True):
        assert entry["moves"] == list(played.record.moves)
        shown = views_of(entry["boards"])
        positions = played.record.positions(game)
        assert ["\n".join(view["drawing"]) for view in shown] == [position.draw() for position in positions]
        whole = [position.view() for position in positions]
        told = ("board", "cells", "turn", "scores", "outcome", "last")
        assert [[view[key] for key in told] for view in shown] == [[view[key] for key in told] for view in whole]
        steps = [
            next(move for move in view["moves"] if move["move"] == played)
            for view, played in zip(whole, entry["moves"], strict=False)
        ]
        assert [view["step"] for view in shown] == [None, *steps]


def views_of(boards: list[list[list[Any]]]) -> list[dict[str, Any]]:
    """What the script of the page makes of its data."""
    view: Any = {}
    found = []
    for changes in boards:
        view = copy.deepcopy(view)
        for *path, value in changes:
            if not path:
                view = value
                continue
            at = view
            for key in path[:-1]:
                at = at[key]
            at[path[-1]] = value
        found.append(view)
    return found


def test_a_page_that_would_grow_too_large_lists_the_last_games_without_boards(
    plain: EventResults, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "REPLAY_CHARACTERS", 5000)
    text = to_html(plain, plain.event.terms.open_game())
    listed = json.loads(Reader(text).data)
    with_boards = ["boards" in entry for entry in listed]
    assert with_boards == sorted(with_boards, reverse=True)
    assert 0 < sum(with_boards) < len(listed)
    assert f"{len(listed) - sum(with_boards)} games are listed without boards" in text
    assert "boards" not in json.loads(Reader(to_html(plain, None)).data)[0]


def test_the_page_shows_every_number_of_the_standings(plain: EventResults) -> None:
    texts = [text.strip() for text in Reader(to_html(plain, None)).texts]
    for row in plain.rows:
        at = texts.index(row.name)
        shown = [text for text in texts[at + 1 : at + 20] if text]
        assert shown[0] == f"{row.points:g}"
        assert f"{row.rating.value:+z.0f}" in shown


@pytest.mark.skipif(shutil.which("chromium") is None, reason="needs Chromium")
def test_the_script_of_the_page_replays_a_game_in_a_browser(plain: EventResults, tmp_path: Path) -> None:
    game = plain.event.terms.open_game()
    file = tmp_path / "report.html"
    write_file(file, to_html(plain, game))
    flags = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    more = "--disable-component-update --disable-sync --virtual-time-budget=2000 --dump-dom"
    command = ["chromium", *flags.split(), *more.split(), f"--user-data-dir={tmp_path}/profile"]
    done = subprocess.run([*command, f"file://{file}#game-2"], capture_output=True, text=True, timeout=120, check=True)
    reader = Reader(done.stdout)
    rows = [attributes for tag, attributes in reader.elements if tag == "tr" and "data-number" in attributes]
    assert len(rows) == len(plain.games)
    assert [row["data-number"] for row in rows if "shown" in (row["class"] or "")] == ["2"]
    assert plain.games[1].record.positions(game)[0].draw() in done.stdout
    assert f"2. {plain.games[1].names[0]} – {plain.games[1].names[1]}" in reader.texts


def test_json_has_everything_and_is_valid(plain: EventResults, make_match: Make, run_event: Run) -> None:
    data = json.loads(to_json(plain))
    assert [row["name"] for row in data["standings"]] == [row.name for row in plain.rows]
    assert data["crosstable"]["ann"]["bob"] == list(plain.cross["ann", "bob"])
    assert len(data["games"]) == len(plain.games)
    match = make_match(games=4, sprt=Sprt(0, 50), game="yolah")
    text = to_json(results_of(match, run_event(match, "match.journal")))
    data = json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
    assert data["match"]["pentanomial"] == [0, 0, 0, 0, 2]
    assert data["match"]["elo"]["value"] is None, "a match that was won throughout has no Elo difference"
    assert data["match"]["decision"] == "continue"


def test_csv_can_be_read_back(plain: EventResults) -> None:
    rows = list(csv.DictReader(io.StringIO(standings_csv(plain))))
    assert [row["name"] for row in rows] == [row.name for row in plain.rows]
    for row in rows:
        against = [value for key, value in row.items() if key.startswith("against ") and value]
        assert sum(map(float, against)) == float(row["points"])
    games = list(csv.DictReader(io.StringIO(games_csv(plain))))
    assert [tuple(game["moves"].split()) for game in games] == [one.record.moves for one in plain.games]


def test_a_name_is_no_formula_in_a_spreadsheet(make_tournament: Make, run_event: Run) -> None:
    event = make_tournament(players=(Entrant("=1+1", "random"), Entrant("b", "random")))
    rows = list(csv.DictReader(io.StringIO(standings_csv(results_of(event, run_event(event))))))
    assert "'=1+1" in [row["name"] for row in rows]


def test_a_report_that_cannot_be_written_says_why(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ForgeronError, match="cannot write"):
        write_file(tmp_path / "file" / "report.html", "")


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-3, 4), (-1234, 10), (0.1, 0.2), (5, 5)])
def test_ticks_are_few_and_within_bounds(low: float, high: float) -> None:
    found = ticks(low, high)
    assert len(found) <= 7
    assert all(low - 1e-6 <= tick <= high + 1e-6 for tick in found)


def test_a_plot_of_many_games_stays_small() -> None:
    course = [float(i % 7) for i in range(50_000)]
    assert len(progress_plot({"a": course})) < 20_000

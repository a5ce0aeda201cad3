"""A statistic is defined once and appears wherever results are shown."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from html.parser import HTMLParser
from typing import Any

import pytest
from rich.console import Console

from forgeron.core.record import Record
from forgeron.reports import schema
from forgeron.reports.csv import games_csv, standings_csv, to_csv
from forgeron.reports.formatting import say
from forgeron.reports.html import to_html
from forgeron.reports.html_tables import to_table as to_html_table
from forgeron.reports.json import rows_of, to_json
from forgeron.reports.result_table import Column, Kind, Output, ResultTable
from forgeron.reports.results import EventResults, GameResult, StandingsRow, results_of
from forgeron.reports.sqlite import ask, build, create_statement
from forgeron.reports.terminal import match_line, show_results, to_table
from forgeron.stats.elo import Estimate, Trinomial
from forgeron.stats.sprt import Sprt

Make = Callable[..., Any]
Run = Callable[..., dict[str, Record]]


@pytest.fixture
def results(make_tournament: Make, run_event: Run) -> EventResults:
    event = make_tournament(3)
    return results_of(event, run_event(event))


class Cells(HTMLParser):
    """The texts of all cells and headings of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._inside = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("td", "th"):
            self.texts.append("")
            self._inside = True

    def handle_endtag(self, tag: str) -> None:
        self._inside = self._inside and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.texts[-1] += data


def printed(show: Callable[[Console], None], width: int = 200) -> str:
    console = Console(file=io.StringIO(), width=width, markup=False)
    show(console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def ply_count(row: StandingsRow, results: EventResults) -> int:
    return sum(len(game.record.moves) for game in results.games if row.name in game.names)


def test_a_new_statistic_of_the_standings_appears_everywhere(
    results: EventResults, monkeypatch: pytest.MonkeyPatch
) -> None:
    column: Column[StandingsRow] = Column(
        "plies_played", Kind.INTEGER, lambda row: ply_count(row, results), heading="plies in all"
    )
    monkeypatch.setattr(schema, "STANDINGS", (*schema.STANDINGS, column))
    expected = [ply_count(row, results) for row in results.rows]

    terminal = printed(lambda console: show_results(console, results, None))
    assert "plies in all" in terminal
    lines = [line.split() for line in terminal.splitlines()]
    assert [int(line[-4]) for line in lines if line[-2:-1] == ["±"]] == expected, "before Elo, which stays the last"

    rows = list(csv.DictReader(io.StringIO(standings_csv(results))))
    assert [int(row["plies_played"]) for row in rows] == expected

    assert [row["plies_played"] for row in json.loads(to_json(results))["standings"]] == expected

    names, found = ask(results, "SELECT plies_played FROM entrants ORDER BY place")
    assert (names, found) == (["plies_played"], [(number,) for number in expected])

    texts = Cells(to_html(results, None)).texts
    assert "plies in all" in texts
    start = texts.index("plies in all")
    assert [text for text in texts[start:] if text in map(str, expected)][: len(expected)] == [
        str(number) for number in expected
    ]


def test_a_new_statistic_of_a_game_appears_in_every_list_of_games(
    results: EventResults, monkeypatch: pytest.MonkeyPatch
) -> None:
    column: Column[GameResult] = Column(
        "first_move", Kind.TEXT, lambda game: game.record.moves[0], heading="began with"
    )
    monkeypatch.setattr(schema, "GAMES", (*schema.GAMES, column))
    expected = [game.record.moves[0] for game in results.games]
    assert [row["first_move"] for row in csv.DictReader(io.StringIO(games_csv(results)))] == expected
    assert [game["first_move"] for game in json.loads(to_json(results))["games"]] == expected
    assert ask(results, "SELECT first_move FROM games ORDER BY number")[1] == [(move,) for move in expected]
    page = to_html(results, None)
    assert "began with" in Cells(page).texts
    listed = json.loads(re.findall(r'id="data">(.*?)</script>', page)[0])
    assert [game["cells"][-1] for game in listed] == expected


def test_a_new_statistic_of_a_match_appears_in_json_html_and_terminal(
    make_match: Make, run_event: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = make_match(games=4, sprt=Sprt(0, 50))
    results = results_of(event, run_event(event))
    assert results.match is not None
    column: Column[Any] = Column("draw_rate", Kind.SHARE, lambda match: match.draws / match.games, heading="draws")
    monkeypatch.setattr(schema, "MATCH", (*schema.MATCH, column))
    rate = results.match.draws / 4
    assert json.loads(to_json(results))["match"]["draw_rate"] == rate
    assert f"; draws {rate:.1%}." in to_html(results, None)
    assert f", draws {rate:.1%}" in match_line(event, results.match)


#: A value of each kind, and how each renderer shows it.
EVIL = "=<b>\x1b[31m"
SAMPLES: dict[Kind, tuple[Any, str, str, Any, str]] = {
    Kind.TEXT: (EVIL, "=<b>?[31m", f"'{EVIL}", EVIL, "=&lt;b&gt;\x1b[31m"),
    Kind.INTEGER: (7, "7", "7", 7, "7"),
    Kind.POINTS: (123456.5, "123456.5", "123456.5", 123456.5, "123456.5"),
    Kind.NUMBER: (1 / 3, "0.333333", "0.333333333333", 1 / 3, "0.333333"),
    Kind.SHARE: (0.25, "25.0%", "0.25", 0.25, "25.0%"),
    Kind.ESTIMATE: (
        Estimate(12.0, 2.0, 22.0),
        "+12 ± 10",
        "12,2,22",
        {"value": 12.0, "low": 2.0, "high": 22.0},
        "+12 <small>± 10</small>",
    ),
    Kind.VERDICT: (
        Sprt(0, 10).judge(Trinomial()),
        "0.00 (-2.94 … 2.94)",
        "0",
        0.0,
        "0.00 of -2.94 … 2.94: continue",
    ),
    Kind.TALLY: (Counter({"time": 2}), "2", "2", {"time": 2}, '<b class="fault">2</b>'),
    Kind.COUNTS: ([1, 2], "[1, 2]", "1 2", [1, 2], "[1, 2]"),
    Kind.NAMES: (["a<", "b"], "a<, b", '"a<, b"', ["a<", "b"], "a&lt;, b"),
    Kind.MOVES: (("a1", "b2"), "a1 b2", "a1 b2", ["a1", "b2"], "a1 b2"),
    Kind.SCORE: (Trinomial(1, 1, 0), "1.5/2", "1.5", [1, 1, 0], "<b>1.5</b><small>1·1·0</small>"),
}


@pytest.mark.parametrize("kind", Kind)
def test_every_renderer_knows_every_kind(kind: Kind) -> None:
    value, text, line, data, markup = SAMPLES[kind]
    columns: tuple[Column[Any], ...] = (Column("x", kind, lambda row: row[0]), Column("y", kind, lambda row: None))
    table: ResultTable[Any] = ResultTable("t", columns, [(value,)])
    assert text in printed(lambda console: console.print(to_table(table)))
    assert to_csv(table).split("\n", 1)[1].startswith(f"{line},")
    assert rows_of(table) == [{"x": data, "y": None}]
    assert f">{markup}</" in to_html_table(table)
    assert "–</td>" in to_html_table(table), "what is unknown is shown so"


@pytest.mark.parametrize("kind", Kind)
def test_the_database_takes_every_kind_and_null(
    kind: Kind, results: EventResults, monkeypatch: pytest.MonkeyPatch
) -> None:
    known: Column[Any] = Column("x", kind, lambda _row: SAMPLES[kind][0])
    unknown: Column[Any] = Column("y", kind, lambda _row: None)
    monkeypatch.setattr(schema, "STANDINGS", (*schema.STANDINGS, known, unknown))
    with closing(build(results)) as database:
        found = database.execute("SELECT x, y FROM entrants").fetchall()
    assert all(x is not None and y is None for x, y in found)
    assert len(found) == len(results.rows)


def test_an_infinite_bound_is_null_in_json_and_said_elsewhere() -> None:
    column: Column[Any] = Column("elo", Kind.ESTIMATE, lambda _row: Estimate(math.inf, 140.0, math.inf))
    table: ResultTable[Any] = ResultTable("t", (column,), [0])
    assert rows_of(table) == [{"elo": {"value": None, "low": 140.0, "high": None}}]
    assert to_csv(table) == "elo,elo_low,elo_high\ninf,140,inf\n"
    assert "above +140" in to_html_table(table)


def test_parts_are_one_list_in_json_and_columns_elsewhere() -> None:
    column: Column[Any] = Column("scores", Kind.INTEGER, lambda row: row, parts=("first", "second"))
    table: ResultTable[Any] = ResultTable("t", (column,), [(3, 4), None])
    assert rows_of(table) == [{"scores": [3, 4]}, {"scores": None}]
    assert to_csv(table) == "first,second\n3,4\n,\n"
    assert [one.name for one in table.columns_for(Output.SQLITE)] == ["first", "second"]


def test_names_and_comments_cannot_break_out_of_the_statement_that_makes_a_table() -> None:
    column: Column[Any] = Column('x" TEXT); DROP TABLE games; --', Kind.TEXT, lambda row: row)
    assert create_statement(ResultTable("t", (column,), [])).count('"') == 2 + 4


@pytest.mark.parametrize("width", [20, 30, 80])
def test_a_narrow_terminal_breaks_no_heading_and_no_number(results: EventResults, width: int) -> None:
    shown = printed(lambda console: show_results(console, results, None), width)
    words = shown.split()
    for row in results.rows:
        assert row.name in words
    for heading in ("points", "games", "drawn", "lost", "faults"):
        assert heading in words
    table = shown.partition("Crosstable")[0].splitlines()
    assert max(map(len, table[1:])) <= width
    assert [line for line in table if len(line.strip()) == 1 and not line.strip().isdigit()] == []


def test_what_a_narrow_table_gives_up_comes_in_order(results: EventResults) -> None:
    def head(width: int) -> str:
        return printed(lambda console: console.print(to_table(schema.standings(results), title=False)), width)

    natural = head(200)
    (top,) = [line for line in natural.splitlines() if "points" in line]
    wide = len(top.rstrip()) + 1
    assert head(wide).split() == natural.split()
    assert "points   games" in head(wide), "space between columns"
    assert "points games" in head(wide - 1), "less of it"
    tight = len(next(line for line in head(wide - 1).splitlines() if "points" in line).rstrip()) + 1
    assert "overload" in head(tight)
    assert max(len(row.name) for row in results.rows) < len("entrant"), "so no name can be wrapped instead"
    assert "overload" not in head(tight - 1), "no word is broken: the last detail goes"
    assert "faults" in head(tight - 1)


def test_sentences_end_between_words_on_a_terminal_and_stay_whole_elsewhere() -> None:
    path = "/a/very/long/path/that/is/there/to/be/copied"
    text = f"all entrants of the event are in {path} and nowhere else"
    for is_terminal, lines in (
        (True, ["all entrants of the", "event are in", path, "and nowhere else"]),
        (False, [text]),
    ):
        file = io.StringIO()
        say(Console(file=file, width=20, force_terminal=is_terminal, color_system=None), text)
        assert [line.rstrip() for line in file.getvalue().splitlines()] == lines

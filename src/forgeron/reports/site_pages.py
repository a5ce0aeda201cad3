"""The pages of a published event as HTML.

Names, details, moves and logs come from bots: every one of them is escaped, data for the script cannot end its element,
and the policy of each page lets no script run but the site's own files.
"""

from __future__ import annotations

import hashlib
import html
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from forgeron.arena.match import Match
from forgeron.core.game import Game
from forgeron.reports import schema
from forgeron.reports.formatting import points, with_error
from forgeron.reports.game_list import OwnGame, games_of
from forgeron.reports.html import harmless_json
from forgeron.reports.html_tables import to_table
from forgeron.reports.rating_history import rating_history
from forgeron.reports.replay_data import replay_data
from forgeron.reports.result_table import Column, Kind, Output, ResultTable
from forgeron.reports.results import EventResults, GameResult, StandingsRow, outside_reasons
from forgeron.reports.svg_plots import progress_plot, rating_axis, rating_bar, rating_scale
from forgeron.stats.elo import Trinomial

#: How often a page of an event that goes on loads itself again.
REFRESH_SECONDS = 30
_POLICY = "default-src 'none'; style-src 'self' 'unsafe-inline'; script-src 'self'; img-src 'self'; base-uri 'none'"
#: So many of the games that ended last are on the first page.
_LATEST = 12

Address = Callable[[str], str]


@dataclass(frozen=True)
class SiteOptions:
    """What a teacher may choose."""

    title: str = ""
    """the event's own when empty"""
    text: str = ""
    """a few words for the first page; blank lines are kept"""
    logs: bool = False
    """whether what bots wrote to their standard error is published"""


@dataclass(frozen=True)
class SitePages:
    """Makes the pages of one state of an event."""

    results: EventResults
    game: Game | None
    options: SiteOptions = field(default_factory=SiteOptions)

    @property
    def title(self) -> str:
        return self.options.title or self.results.event.title

    @cached_property
    def _history(self) -> dict[str, list[float]]:
        return rating_history(self.results)

    # --- the first page ---------------------------------------------------------------------------------------------

    def index(self) -> str:
        parts = [
            self._header(),
            self._standings(),
            self._crosstable(),
            self._classes(),
            self._ratings(None),
            self._faults(),
            self._latest(),
        ]
        return self._page("", self.title, parts)

    def _header(self) -> str:
        results, event = self.results, self.results.event
        kind = "match" if isinstance(event, Match) else event.format
        facts = [
            self.game.title if self.game else event.terms.game,
            kind,
            f"{len(event.entrants)} entrants",
            f"{len(results.games)} games",
            f"time {event.terms.time}",
        ]
        listed = "".join(f"<li>{html.escape(str(fact))}</li>" for fact in facts)
        text = f'<p class="lead">{html.escape(self.options.text.strip())}</p>' if self.options.text.strip() else ""
        state = "" if results.due == 0 else '<p class="open">in progress: this page renews itself</p>'
        winner = f'<p class="champion">Winner: <b>{html.escape(results.champion)}</b></p>' if results.champion else ""
        return f'<h1>{html.escape(self.title)}</h1><ul class="facts">{listed}</ul>{winner}{state}{text}'

    def _standings(self) -> str:
        table = schema.standings(self.results)
        axis = rating_axis([row.rating for row in self.results.rows])
        columns = table.columns_for(Output.HTML)
        details = sum(column.detail for column in columns)
        foot = (
            f'<tfoot><tr><td colspan="{len(columns) - details}"></td><td class="wide" colspan="{details}"></td>'
            f'<td class="plotted">{rating_scale(axis)}</td></tr></tfoot>'
        )
        shown = to_table(
            table,
            css="standings",
            plot=lambda row: f'<td class="plotted">{rating_bar(row.rating, axis)}</td>',
            foot=foot,
            links={"name": lambda row: f"bots/{bot_file(row.name)}"},
        )
        first = self.results.ratings.first_move
        note = (
            "Ratings are Elo differences from the mean, with intervals of 95 %. "
            f"Moving first is worth {with_error(first)} Elo here."
        )
        if self.results.outside:
            count = len(self.results.outside)
            games = "1 game does" if count == 1 else f"{count} games do"
            note += f" {games} not count: {'; '.join(outside_reasons(self.results))}."
        return _section("standings", "Standings", shown, note)

    def _crosstable(self) -> str:
        if len(self.results.rows) < 3:
            return ""
        links = {"name": lambda row: f"bots/{bot_file(row.name)}"}
        shown = to_table(schema.crosstable(self.results), css="cross", links=links)
        note = "Points of the entrant of the row against that of the column; below them wins, draws and losses."
        return _section("crosstable", "Crosstable", shown, note)

    def _classes(self) -> str:
        table = schema.classes(self.results, self.game)
        return "" if table is None else _section("classes", table.title, to_table(table), schema.CLASSES_NOTE)

    def _ratings(self, only: str | None) -> str:
        if not self.results.games:
            return ""
        shown = progress_plot(
            self._history, label="ratings over time", below="games played", last=len(self.results.games), only=only
        )
        return _section("ratings", "Rating over time", shown, "Elo, fitted to all games up to that moment.")

    def _faults(self) -> str:
        """How often everybody lost by a fault, by kind."""
        rows = [row for row in self.results.rows if row.faults]
        if not rows:
            return ""
        kinds = sorted({kind for row in rows for kind in row.faults})
        columns: tuple[Column[StandingsRow], ...] = (
            Column("name", Kind.TEXT, lambda row: row.name, heading="entrant", label=True),
            *(_fault_column(kind) for kind in kinds),
        )
        table = ResultTable("faults", columns, rows, "Faults")
        links = {"name": lambda row: f"bots/{bot_file(row.name)}#faults"}
        return _section("faults", "Games lost by a fault", to_table(table, links=links), "")

    def _latest(self) -> str:
        by_id = {game.id: game for game in self.results.games}
        latest = [by_id[id] for id in reversed(self.results.order) if id in by_id][:_LATEST]
        more = '<p class="note"><a href="games.html">All games</a></p>'
        return "" if not latest else _section("latest", "Latest games", self._games_table(latest, ""), "") + more

    # --- all games --------------------------------------------------------------------------------------------------

    def games(self) -> str:
        shown = self._games_table(self.results.games, "")
        return self._page("", "Games", ["<h1>Games</h1>", _section("games", "All games", shown, "")])

    def _games_table(self, games: Sequence[GameResult], up: str) -> str:
        table = replace(schema.games(self.results), rows=games)
        return to_table(
            table,
            css="games",
            links={
                "number": lambda game: f"{up}games/{game_file(game)}",
                "first": lambda game: f"{up}bots/{bot_file(game.names[0])}",
                "second": lambda game: f"{up}bots/{bot_file(game.names[1])}",
                "result": lambda game: f"{up}games/{game_file(game)}",
            },
        )

    # --- a bot ------------------------------------------------------------------------------------------------------

    def bot(self, row: StandingsRow) -> str:
        own = list(games_of(self.results, row.name).rows)
        score = row.score
        facts = [
            f"place <b>{row.place}</b> of {len(self.results.rows)}",
            f"<b>{points(row.points)}</b> points in {row.games} games",
            f"{score.wins} won, {score.draws} drawn, {score.losses} lost",
            f"Elo <b>{html.escape(with_error(row.rating))}</b>",
        ]
        listed = "".join(f"<li>{fact}</li>" for fact in facts)
        parts = [
            f'<h1>{html.escape(row.name)}</h1><ul class="facts">{listed}</ul>',
            f'<div class="pair">{self._opponents(row)}{self._ratings(row.name)}</div>' if own else "",
            self._own_faults(row, own),
            self._own_log(own),
            self._own_games(row.name),
        ]
        return self._page("../", row.name, parts)

    def _opponents(self, row: StandingsRow) -> str:
        met = [one for one in self.results.rows if (row.name, one.name) in self.results.cross]
        score: Callable[[StandingsRow], Trinomial] = lambda one: self.results.cross[row.name, one.name]  # noqa: E731
        columns: tuple[Column[StandingsRow], ...] = (
            Column("place", Kind.INTEGER, lambda one: one.place, heading=""),
            Column("name", Kind.TEXT, lambda one: one.name, heading="opponent", label=True),
            Column("score", Kind.SCORE, score, heading="points"),
        )
        table = ResultTable("opponents", columns, met, "Opponents")
        links = {"name": lambda one: bot_file(one.name)}
        note = "Points, and below them wins, draws and losses."
        return _section("opponents", "Against each", to_table(table, css="cross", links=links), note) if met else ""

    def _own_faults(self, row: StandingsRow, own: Sequence[OwnGame]) -> str:
        """Each kind once, with how often and an example."""
        if not row.faults:
            return ""
        lines = []
        for kind, count in row.faults.most_common():
            # One that was really played, where there is one.
            bad = [one.game for one in own if one.game.record.reason == kind and row.name in one.game.at_fault]
            example = min(bad, key=lambda game: "absent" in game.record.extra)
            where = f'<a href="../games/{game_file(example)}">game {example.number}</a>'
            detail = html.escape(str(example.detail or "").removeprefix(f"{row.name}: "))
            lines.append(
                f'<tr><th scope="row">{html.escape(kind)}</th><td>{count}</td>'
                f'<td class="detail">{detail} ({where})</td></tr>'
            )
        shown = (
            '<table class="faults"><thead><tr><th scope="col">kind</th><th>games</th><th class="left">for example</th>'
            f"</tr></thead><tbody>{''.join(lines)}</tbody></table>"
        )
        return _section("faults", "Games lost by a fault", shown, "")

    def _own_log(self, own: Sequence[OwnGame]) -> str:
        """The end of its standard error in each game that it lost by a fault; only where that is to be published."""
        if not self.options.logs:
            return ""
        found = [
            (one.game, str(one.game.record.extra.get("stderr") or "").strip())
            for one in own
            if one.game.names[one.seat] in one.game.at_fault
        ]
        shown = "".join(
            f"<details><summary>game {game.number}, {html.escape(game.record.reason)}</summary>"
            f"<pre>{html.escape(log)}</pre></details>"
            for game, log in found
            if log
        )
        return _section("log", "Log", shown, "What it wrote to standard error before it lost.") if shown else ""

    def _own_games(self, name: str) -> str:
        table = games_of(self.results, name)
        links: Mapping[str, Callable[[OwnGame], str]] = {
            "number": lambda own: f"../games/{game_file(own.game)}",
            "opponent": lambda own: bot_file(own.opponent),
            "result": lambda own: f"../games/{game_file(own.game)}",
        }
        return _section("games", "Games", to_table(table, css="games", links=links), "Choose a result to replay it.")

    # --- a game -----------------------------------------------------------------------------------------------------

    def replay(self, one: GameResult) -> str:
        """The page of a game; it does not change any more, whatever else is played."""
        names = [
            f'<a href="../bots/{bot_file(name)}"{_won(one, seat)}>{html.escape(name)}</a>'
            for seat, name in enumerate(one.names)
        ]
        result = next(column for column in schema.GAMES if column.name == "result").value(one)
        scores = " : ".join(map(str, one.record.scores))
        ended = one.record.reason
        if one.detail and one.detail != ended:
            ended += f": {one.detail}"
        head = (
            f"<h1>{names[0]} – {names[1]}</h1>"
            f'<ul class="facts"><li><b>{result}</b></li><li>{scores}</li><li>{html.escape(ended)}</li></ul>'
        )
        boards = replay_data(one.record, self.game) if self.game else None
        if boards is None:
            note = '<p class="note">The rules of this game are not here any more: it cannot be replayed.</p>'
            return self._page("../", " – ".join(one.names), [head, note])
        notes = [[ply, note.get("t"), note.get("v")] for ply, note in one.move_notes.items()]
        data = harmless_json({"boards": boards, "moves": list(one.record.moves), "notes": notes})
        viewer = f'{_VIEWER}<script type="application/json" id="data">{data}</script>'
        scripts = '<script src="../assets/boards.js"></script><script src="../assets/replay.js"></script>'
        return self._page("../", " – ".join(one.names), [head, viewer], scripts)

    # --- every page -------------------------------------------------------------------------------------------------

    def _page(self, up: str, title: str, parts: Sequence[str], scripts: str = "") -> str:
        shown = html.escape(title if title == self.title else f"{title} · {self.title}")
        going_on = self.results.due > 0 and not scripts
        refresh = f'<meta http-equiv="refresh" content="{REFRESH_SECONDS}">\n' if going_on else ""
        return (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n{refresh}'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f'<title>{shown}</title>\n<link rel="stylesheet" href="{up}assets/site.css">\n</head>\n<body>\n'
            f'<header class="top"><b><a href="{up}index.html">{html.escape(self.title)}</a></b>'
            f'<nav><a href="{up}index.html">Standings</a><a href="{up}games.html">Games</a></nav></header>\n<main>\n'
            + "\n".join(part for part in parts if part)
            + f"\n</main>\n<footer>Made with Forgeron.</footer>\n{scripts}\n</body>\n</html>\n"
        )


_VIEWER = """<section class="replay"><div><div id="v-board"></div>
<div class="buttons">
<button id="v-first" aria-label="to the beginning">|◀</button><button id="v-prev" aria-label="one move back">◀</button>
<input id="v-slider" type="range" min="0" max="0" value="0" aria-label="move">
<button id="v-next" aria-label="one move on">▶</button><button id="v-last" aria-label="to the end">▶|</button>
</div></div>
<div><p id="v-move" aria-live="polite"></p><ol id="v-moves"></ol></div></section>"""


def bot_file(name: str) -> str:
    """The file of a bot's page: readable, safe on every system, and its own.

    >>> bot_file("Ann & Bob's <bot>")
    'ann-bob-s-bot-a7bc.html'
    """
    readable = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40] or "bot"
    return f"{readable}-{hashlib.blake2b(name.encode('utf-8', 'replace'), digest_size=2).hexdigest()}.html"


def game_file(game: GameResult) -> str:
    """The file of a game's page; ids are letters, digits and hyphens."""
    return f"{re.sub(r'[^A-Za-z0-9-]', '-', game.id)}.html"


def _won(game: GameResult, seat: int) -> str:
    return ' class="won"' if game.record.winner == seat else ""


def _fault_column(kind: str) -> Column[StandingsRow]:
    def count(row: StandingsRow) -> int | None:
        faults: Counter[str] = row.faults
        return faults[kind] or None

    return Column(kind, Kind.INTEGER, count, missing="")


def _section(id: str, title: str, shown: str, note: str) -> str:
    said = f'<p class="note">{html.escape(note)}</p>' if note else ""
    return f'<section id="{id}"><h2>{html.escape(title)}</h2><div class="scroll">{shown}</div>{said}</section>'

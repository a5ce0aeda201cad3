"""The report of an event as one HTML page that needs nothing else: no network, no other file.

Names, details and moves come from bots, so nothing of them is ever markup: texts in the page are escaped, data for the
script cannot end its element, the script writes texts only, and the page's own policy lets no other script run.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import math
from pathlib import Path
from typing import Any

from forgeron.arena.match import Match
from forgeron.core.game import Game
from forgeron.drawing.bundle import bundle, style
from forgeron.reports import schema
from forgeron.reports.cell_text import cell_text
from forgeron.reports.formatting import with_error
from forgeron.reports.html_tables import cell_html, to_table
from forgeron.reports.replay_data import replay_data
from forgeron.reports.result_table import Output, ResultTable, Row
from forgeron.reports.results import EventResults, GameResult
from forgeron.reports.svg_plots import progress_plot, rating_axis, rating_bar, rating_scale
from forgeron.stats.elo import Estimate

#: Boards of so many characters are put into a page; the games after that are listed without them.
REPLAY_CHARACTERS = 12_000_000

_STYLE = (Path(__file__).parent / "report.css").read_text(encoding="utf-8")
_SCRIPT = (Path(__file__).parent / "report.js").read_text(encoding="utf-8")


def to_html(results: EventResults, game: Game | None = None) -> str:
    """The page; without the game, games are listed but cannot be replayed."""
    title = html.escape(results.event.title)
    script = bundle() + _SCRIPT
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; base-uri 'none'"
    parts = [
        _header(results, game),
        _standings(results),
        _crosstable(results),
        _classes(results, game),
        _progress(results),
        _faults(results),
        _games(results, game),
    ]
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>\n{style()}{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(part for part in parts if part)
        + f"\n</main>\n<script>{script}</script>\n</body>\n</html>\n"
    )


def _header(results: EventResults, game: Game | None) -> str:
    event = results.event
    kind = "match" if isinstance(event, Match) else event.format
    facts = [
        game.title if game else event.terms.game,
        kind,
        f"{len(event.entrants)} entrants",
        f"{len(results.games)} games",
        f"time {event.terms.time}",
        f"seed {event.terms.seed}",
    ]
    facts += [f"{key} = {value}" for key, value in event.terms.options.items()]
    state = "" if results.due == 0 else '<p class="open">This event is not finished: these are the games so far.</p>'
    winner = f'<p class="champion">Winner: <b>{html.escape(results.champion)}</b></p>' if results.champion else ""
    listed = "".join(f"<li>{html.escape(str(fact))}</li>" for fact in facts)
    return f'<header><h1>{html.escape(event.title)}</h1><ul class="facts">{listed}</ul>{winner}{state}</header>'


def _standings(results: EventResults) -> str:
    table = schema.standings(results)
    axis = rating_axis([row.rating for row in results.rows])
    columns = table.columns_for(Output.HTML)
    details = sum(column.detail for column in columns)
    first = results.ratings.first_move
    note = _match(results) + (
        "Ratings are Elo differences from the mean of all, with intervals of 95 % (Bradley–Terry with draws and "
        f"first-move advantage). Moving first is worth {with_error(first)} Elo here."
    )
    foot = (
        f'<tfoot><tr><td colspan="{len(columns) - details}"></td><td class="wide" colspan="{details}"></td>'
        f'<td class="plotted">{rating_scale(axis)}</td></tr></tfoot>'
    )
    shown = to_table(
        table,
        css="standings",
        plot=lambda row: f'<td class="plotted">{rating_bar(row.rating, axis)}</td>',
        foot=foot,
    )
    return _section("standings", table, shown, note)


def _match(results: EventResults) -> str:
    """What only a match of two has: Elo from its pairs, and the sequential test."""
    table = schema.match(results)
    if table is None or not isinstance(results.event, Match) or not results.games:
        return ""
    ((standing, cells),) = table.cells(Output.HTML)
    said = [f"By pairs of games {html.escape(results.event.names[0])} is {_lead(standing.summary.elo)}"]
    for column, value in cells:
        if value is not None and column.name != "elo":
            said.append(f"{html.escape(column.description or column.shown_heading)} {cell_html(column, value)}")
    return "; ".join(said) + ". "


def _lead(elo: Estimate | None) -> str:
    if elo is None:
        return "not to be told from its opponent"
    if math.isfinite(elo.error):
        return f"{elo.value:+z.0f} Elo (between {elo.low:+z.0f} and {elo.high:+z.0f}) against its opponent"
    said = with_error(elo)
    if said == "–":
        return (
            "not to be told from its opponent in Elo: " + ("all" if elo.value > 0 else "none") + " of its games are won"
        )
    return f"{said} Elo against its opponent"


def _crosstable(results: EventResults) -> str:
    table = schema.crosstable(results)
    note = "Points of the entrant of the row against that of the column; below them wins, draws and losses."
    return _section("crosstable", table, to_table(table, css="cross"), note)


def _classes(results: EventResults, game: Game | None) -> str:
    table = schema.classes(results, game)
    if table is None:
        return ""
    note = schema.CLASSES_NOTE
    return _section("classes", table, to_table(table), note)


def _section(id: str, table: ResultTable[Row], shown: str, note: str) -> str:
    return (
        f'<section id="{id}"><h2>{html.escape(table.title)}</h2>'
        f'<div class="scroll">{shown}</div><p class="note">{note}</p></section>'
    )


def _progress(results: EventResults) -> str:
    if not results.games:
        return ""
    curves = {row.name: results.progress(row.name) for row in results.rows}
    return (
        '<section id="progress"><h2>Course of the event</h2>'
        f"{progress_plot(curves)}"
        '<p class="note">Points above even: up half a point for a win, down half a point for a loss.</p></section>'
    )


def _faults(results: EventResults) -> str:
    bad = [game for game in results.games if game.at_fault]
    if not bad:
        return ""
    lines = []
    for game in bad[:200]:
        log = str(game.record.extra.get("stderr") or "").strip()
        said = f"<details><summary>its log</summary><pre>{html.escape(log)}</pre></details>" if log else ""
        lines.append(
            f'<tr><td>{game.number}</td><th scope="row">{html.escape(", ".join(game.at_fault))}</th>'
            f"<td>{html.escape(game.record.reason)}</td>"
            f'<td class="detail">{html.escape(str(game.detail or ""))}{said}</td></tr>'
        )
    more = f'<p class="note">The first 200 of {len(bad)}.</p>' if len(bad) > 200 else ""
    return (
        '<section id="faults"><h2>Games lost by a fault</h2><div class="scroll"><table><thead><tr><th>game</th>'
        f"<th>entrant</th><th>fault</th><th>what happened</th></tr></thead><tbody>{''.join(lines)}</tbody></table>"
        f"</div>{more}</section>"
    )


_VIEWER = """
<div id="viewer" hidden>
<div class="bar"><b id="v-title"></b><button id="v-close" aria-label="close">✕</button></div>
<div id="v-board"></div>
<div class="buttons">
<button id="v-first" aria-label="to the beginning">|◀</button>
<button id="v-prev" aria-label="one move back">◀</button>
<input id="v-slider" type="range" min="0" max="0" value="0" aria-label="move">
<button id="v-next" aria-label="one move on">▶</button>
<button id="v-last" aria-label="to the end">▶|</button>
</div>
<p id="v-move"></p><p id="v-end"></p>
<ol id="v-moves"></ol>
<div class="buttons share"><button id="v-link">Copy a link</button><button id="v-copy">Copy the moves</button>
<button id="v-position">Copy the position</button><button id="v-svg">Picture</button>
<button id="v-film">Moving picture</button></div><p id="v-said" role="status"></p>
</div>"""


def _games(results: EventResults, game: Game | None) -> str:
    room = REPLAY_CHARACTERS
    table = schema.games(results)
    columns = table.columns_for(Output.HTML)
    listed, without = [], 0
    for one, cells in table.cells(Output.HTML):
        entry = {**_replay_entry(one), "cells": [cell_text(column, value) for column, value in cells]}
        boards = replay_data(one.record, game) if game and room > 0 else None
        if boards is None:
            without += 1
        else:
            entry["boards"] = boards
            entry["moves"] = list(one.record.moves)
            entry["options"] = dict(one.record.options)
            entry["notes"] = [[ply, note.get("t"), note.get("v")] for ply, note in one.move_notes.items()]
            room -= len(json.dumps(boards, ensure_ascii=False))
        listed.append(entry)
    note = f'<p class="note">{without} games are listed without boards; <code>forgeron replay</code> shows them.</p>'
    heads = "".join(
        f'<th data-column="{html.escape(column.name)}">{html.escape(column.shown_heading)}</th>' for column in columns
    )
    names = "".join(f"<option>{html.escape(row.name)}</option>" for row in results.rows)
    return (
        '<section id="games"><h2>Games</h2><p class="note">Choose a game to replay it; the arrow keys step through.</p>'
        f'<label>games of <select id="filter"><option value="">everybody</option>{names}</select></label>'
        f'<div class="halves"><div class="scroll list"><table id="list"><thead><tr>{heads}</tr></thead><tbody></tbody>'
        f"</table></div>{_VIEWER}</div>{note if without else ''}"
        f'<script type="application/json" id="data">{harmless_json(listed)}</script></section>'
    )


def _replay_entry(game: GameResult) -> dict[str, Any]:
    """What the viewer says about a game, apart from the boards."""
    result = next(column for column in schema.GAMES if column.name == "result")
    return {
        "number": game.number,
        "players": list(game.names),
        "winner": None if game.record.winner is None else ("first", "second")[game.record.winner],
        "result": result.value(game),
        "scores": list(game.record.scores),
        "reason": game.record.reason,
        "detail": str(game.detail or ""),
    }


def harmless_json(data: Any) -> str:
    """JSON that cannot end the element it stands in."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace").decode()
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")

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

from forgeron.arena.event import at_fault, points
from forgeron.arena.match import Match, Tally
from forgeron.arena.plots import progress_plot, rating_axis, rating_bar, rating_scale
from forgeron.arena.results import Played, Results, class_ranking
from forgeron.arena.statistics import Trinomial
from forgeron.core.errors import ForgeronError
from forgeron.core.game import Game
from forgeron.core.record import Record

#: Boards of so many characters are put into a page; the games after that are listed without them.
REPLAY_CHARACTERS = 12_000_000

_STYLE = (Path(__file__).parent / "page.css").read_text(encoding="utf-8")
_SCRIPT = (Path(__file__).parent / "page.js").read_text(encoding="utf-8")


def to_html(results: Results, game: Game | None = None) -> str:
    """The page; without the game, games are listed but cannot be replayed."""
    title = html.escape(results.event.title)
    digest = base64.b64encode(hashlib.sha256(_SCRIPT.encode()).digest()).decode()
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
        f"<title>{title}</title>\n<style>\n{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(part for part in parts if part)
        + f"\n</main>\n<script>{_SCRIPT}</script>\n</body>\n</html>\n"
    )


def _header(results: Results, game: Game | None) -> str:
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


def _standings(results: Results) -> str:
    axis = rating_axis([row.rating for row in results.rows])
    lines = []
    for row in results.rows:
        faults = f'<b class="fault">{row.faults.total()}</b>' if row.faults else "0"
        cells = [
            f"<td>{row.place}</td><th scope=row>{html.escape(row.name)}</th><td><b>{row.points:g}</b></td>",
            f'<td>{row.games}</td><td class="wide">{row.score.wins}</td><td class="wide">{row.score.draws}</td>',
            f'<td class="wide">{row.score.losses}</td><td>{faults}</td>',
            f'<td class="elo">{row.rating.value:+z.0f} <small>± {row.rating.error:.0f}</small></td>',
            f'<td class="plotted">{rating_bar(row.rating, axis)}</td>',
        ]
        lines.append(f"<tr>{''.join(cells)}</tr>")
    wide = "".join(f'<th class="wide">{name}</th>' for name in ("won", "drawn", "lost"))
    first = results.ratings.first_move
    note = _of_match(results) + (
        "Ratings are Elo differences from the mean of all, with intervals of 95 % (Bradley–Terry with draws and "
        f"first-move advantage). Moving first is worth {first.value:+z.0f} ± {first.error:.0f} Elo here."
    )
    return (
        '<section id="standings"><h2>Standings</h2><div class="scroll"><table class="standings"><thead><tr><th></th>'
        f"<th scope=col>entrant</th><th>points</th><th>games</th>{wide}<th>faults</th><th>Elo</th>"
        f'<th class="plotted"></th></tr></thead><tbody>{"".join(lines)}</tbody>'
        f'<tfoot><tr><td colspan="6"></td><td class="wide" colspan="3"></td>'
        f'<td class="plotted">{rating_scale(axis)}</td></tr></tfoot></table></div>'
        f'<p class="note">{note}</p></section>'
    )


def _of_match(results: Results) -> str:
    """What only a match of two has: Elo from its pairs, and the test."""
    if not isinstance(results.event, Match) or not results.games:
        return ""
    standing = Tally(results.event).update({one.id: one.record for one in results.games})
    elo, verdict = standing.summary.elo, standing.verdict
    said = f"By pairs of games {html.escape(results.event.names[0])} is "
    if elo is not None and math.isfinite(elo.value):
        said += f"{elo.value:+z.0f} Elo (between {elo.low:+z.0f} and {elo.high:+z.0f}) against its opponent"
    elif elo is not None:
        said += "beyond any Elo above its opponent" if elo.value > 0 else "beyond any Elo below its opponent"
    said += f"; likelihood of superiority {standing.summary.los:.1%}; pairs by points {list(standing.results)}"
    if verdict is not None:
        said += f"; LLR {verdict.llr:.2f} of {verdict.lower:.2f} … {verdict.upper:.2f}: {verdict.decision}"
    return said + ". "


def _crosstable(results: Results) -> str:
    names = [row.name for row in results.rows]
    heads = "".join(f'<th scope="col" title="{html.escape(name)}">{i}</th>' for i, name in enumerate(names, 1))
    lines = []
    for i, name in enumerate(names, 1):
        cells = "".join(_cell(results.cross.get((name, other)), name == other) for other in names)
        lines.append(f'<tr><td>{i}</td><th scope="row">{html.escape(name)}</th>{cells}</tr>')
    return (
        '<section id="crosstable"><h2>Crosstable</h2><div class="scroll"><table class="cross"><thead><tr><th></th><th>'
        f"</th>{heads}</tr></thead><tbody>{''.join(lines)}</tbody></table></div>"
        '<p class="note">Points of the entrant of the row against that of the column; below them wins, draws and '
        "losses.</p></section>"
    )


def _cell(score: Trinomial | None, own: bool) -> str:
    if score is None:
        return '<td class="own"></td>' if own else "<td>–</td>"
    won = score.wins + score.draws / 2
    lead = won / score.games - 0.5
    colour = "0,114,178" if lead > 0 else "213,94,0"
    shade = f' style="background:rgba({colour},{abs(lead) * 1.1:.2f})"' if lead else ""
    return f"<td{shade}><b>{won:g}</b><small>{score.wins}·{score.draws}·{score.losses}</small></td>"


def _classes(results: Results, game: Game | None) -> str:
    ranking = class_ranking(results, game) if game else None
    if ranking is None:
        return ""
    labels, rows = ranking
    heads = "".join(f"<th>{html.escape(label)}</th>" for label in labels)
    lines = []
    for row in rows:
        grade = "–" if row.grade is None else f"<b>{row.grade:.3f}</b>"
        counts = "".join(f"<td>{row.classes[label] or ''}</td>" for label in labels)
        lines.append(
            f'<tr><th scope="row">{html.escape(row.name)}</th><td>{grade}</td><td>{row.games}</td>{counts}</tr>'
        )
    return (
        '<section id="classes"><h2>Ranking by classes of results</h2><div class="scroll"><table><thead><tr><th></th>'
        f"<th>mean grade</th><th>games</th>{heads}</tr></thead><tbody>{''.join(lines)}</tbody></table></div>"
        '<p class="note">How often each entrant came to each class, the best first. Games lost by a fault are left out.'
        "</p></section>"
    )


def _progress(results: Results) -> str:
    if not results.games:
        return ""
    courses = {row.name: results.progress(row.name) for row in results.rows}
    return (
        '<section id="progress"><h2>Course of the event</h2>'
        f"{progress_plot(courses)}"
        '<p class="note">Points above even: up half a point for a win, down half a point for a loss.</p></section>'
    )


def _faults(results: Results) -> str:
    bad = [game for game in results.games if at_fault(game.record)]
    if not bad:
        return ""
    lines = []
    for game in bad[:200]:
        who = ", ".join(game.names[seat] for seat in at_fault(game.record))
        log = str(game.record.extra.get("stderr") or "").strip()
        said = f"<details><summary>its log</summary><pre>{html.escape(log)}</pre></details>" if log else ""
        lines.append(
            f'<tr><td>{game.number}</td><th scope="row">{html.escape(who)}</th>'
            f"<td>{html.escape(game.record.reason)}</td>"
            f'<td class="detail">{html.escape(str(game.record.extra.get("detail", "")))}{said}</td></tr>'
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
<pre id="v-board"></pre>
<div class="buttons">
<button id="v-first" aria-label="to the beginning">|◀</button>
<button id="v-prev" aria-label="one move back">◀</button>
<input id="v-slider" type="range" min="0" max="0" value="0" aria-label="move">
<button id="v-next" aria-label="one move on">▶</button>
<button id="v-last" aria-label="to the end">▶|</button>
</div>
<p id="v-move"></p><p id="v-end"></p>
<ol id="v-moves"></ol>
</div>"""


def _games(results: Results, game: Game | None) -> str:
    room = REPLAY_CHARACTERS
    listed, without = [], 0
    for one in results.games:
        entry = _listed(one)
        boards = _boards(one.record, game) if game and room > 0 else None
        if boards is None:
            without += 1
        else:
            entry["boards"] = boards
            entry["moves"] = list(one.record.moves)
            entry["notes"] = [[note["ply"], note.get("t"), note.get("v")] for note in one.record.extra.get("notes", [])]
            room -= len(json.dumps(boards, ensure_ascii=False))
        listed.append(entry)
    note = f'<p class="note">{without} games are listed without boards; <code>forgeron replay</code> shows them.</p>'
    columns = ("game", "round", "first", "second", "result", "ended by", "plies")
    heads = "".join(f"<th>{column}</th>" for column in columns)
    names = "".join(f"<option>{html.escape(row.name)}</option>" for row in results.rows)
    return (
        '<section id="games"><h2>Games</h2><p class="note">Choose a game to replay it; the arrow keys step through.</p>'
        f'<label>games of <select id="filter"><option value="">everybody</option>{names}</select></label>'
        f'<div class="halves"><div class="scroll list"><table id="list"><thead><tr>{heads}</tr></thead><tbody></tbody>'
        f"</table></div>{_VIEWER}</div>{note if without else ''}"
        f'<script type="application/json" id="data">{_harmless(listed)}</script></section>'
    )


def _listed(game: Played) -> dict[str, Any]:
    record = game.record
    ends = {1.0: "1 – 0", 0.5: "½ – ½", 0.0: "0 – 1"}
    return {
        "number": game.number,
        "round": game.round,
        "players": list(game.names),
        "result": ends[points(record, 0)],
        "winner": record.winner,
        "scores": list(record.scores),
        "reason": record.reason,
        "detail": str(record.extra.get("detail", "")),
        "plies": len(record.moves),
    }


def _boards(record: Record, game: Game) -> list[list[Any]] | None:
    """The drawings of a game: for each, how many lines it has, then number and text of every line that changed."""
    try:
        positions = record.positions(game)
    except ForgeronError:
        return None
    boards: list[list[Any]] = []
    before: list[str] = []
    for position in positions:
        lines = position.draw().split("\n")
        changed: list[Any] = [len(lines)]
        for i, line in enumerate(lines):
            if i >= len(before) or before[i] != line:
                changed += [i, line]
        boards.append(changed)
        before = lines
    return boards


def _harmless(data: Any) -> str:
    """JSON that cannot end the element it stands in."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace").decode()
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")

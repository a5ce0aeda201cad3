"""Pieces of HTML for notebooks: a board, a table, a curve. Plain, without scripts, so that they show wherever a
notebook is read. Every text is escaped here."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import Any

from forgeron.drawing.pictures import svg
from forgeron.drawing.shapes import picture_of


def board_html(view: dict[str, Any]) -> str:
    """The board of a position's view with a line below it; as text where the game has no view that can be drawn."""
    picture = picture_of(view)
    drawn = svg(picture) if picture else f"<pre>{html.escape(view['drawing'])}</pre>"
    return f"<div>{drawn}<div>{html.escape(_caption(view))}</div></div>"


def _caption(view: dict[str, Any]) -> str:
    first, second = view["seats"]
    scores = f"{first} {view['scores'][0]}, {second} {view['scores'][1]}"
    outcome = view["outcome"]
    if outcome:
        winner = outcome["winner"]
        told = "draw" if winner is None else f"{view['seats'][winner]} wins"
        return f"{view['title']}: {told} ({outcome['reason']}); {scores}"
    doing = "to throw" if view["chance"] else "to move"
    last = f", after {view['last']}" if view["last"] else ""
    return f"{view['title']}: {view['seats'][view['turn']]} {doing}{last}; {scores}"


def table_html(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table of texts."""
    head = "".join(f"<th>{html.escape(text)}</th>" for text in heads)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def curve_svg(values: Sequence[float], low: float, high: float, middle: float, label: str) -> str:
    """Values one after the other as a curve between two bounds, with a line at `middle`."""
    width, height = 360.0, 90.0
    step = width / max(len(values) - 1, 1)

    def y(value: float) -> float:
        return 4 + (height - 8) * (high - min(max(value, low), high)) / (high - low)

    points = " ".join(f"{i * step:.1f},{y(value):.1f}" for i, value in enumerate(values))
    line = f'<line x1="0" x2="{width:g}" y1="{y(middle):.1f}" y2="{y(middle):.1f}" stroke="#999" stroke-dasharray="4"/>'
    curve = f'<polyline points="{points}" fill="none" stroke="#0072b2" stroke-width="2"/>'
    title = f"<title>{html.escape(label)}</title>"
    start = '<svg xmlns="http://www.w3.org/2000/svg" role="img"'
    return (
        f'{start} width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}">{title}{line}{curve}</svg>'
    )

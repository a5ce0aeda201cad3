"""The graph of a game: the win probability of the first player after each ply, as an SVG or PNG picture."""

from __future__ import annotations

import html
from importlib.util import find_spec
from pathlib import Path

from forgeron.analysis.review import GameReview
from forgeron.core.errors import ForgeronError, OptionError
from forgeron.core.files import write_file
from forgeron.reports.svg_plots import COLOURS, ticks

_WIDTH, _HEIGHT = 900, 320
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 16, 44, 40
_MARK_COLOURS = {"?!": COLOURS[4], "?": COLOURS[1], "??": "#b00020"}
#: Renderers to PNG know no generic family.
_FAMILY = 'font-family="Helvetica, Arial, DejaVu Sans, Liberation Sans, sans-serif"'
_FONT = f'{_FAMILY} font-size="12" fill="#444"'


def draw_graph(review: GameReview, title: str, seats: tuple[str, str]) -> str:
    """The whole picture as SVG text: up is good for the first seat, and marked moves have dots with their mark."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" '
        f'height="{_HEIGHT}" role="img" aria-label="{html.escape(title)}">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>',
        f'<text x="{_LEFT}" y="22" {_FAMILY} font-size="15" fill="#111">{html.escape(title)}</text>',
        *_frame(len(review.course) - 1, seats),
        *_curve(review.course),
        *_dots(review),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def check_graph(path: Path) -> None:
    """Say before the work, not after it, that the picture cannot be written."""
    form = path.suffix.lower()
    if form not in (".svg", ".png"):
        raise OptionError(f"a graph is written to a file whose name ends in .svg or .png, not to {path}")
    if form == ".png" and find_spec("resvg_py") is None:
        raise ForgeronError("a PNG needs the package resvg_py: pip install 'forgeron[graph]'; an .svg needs nothing")
    if not path.parent.is_dir():
        raise ForgeronError(f"cannot write {path}: there is no folder {path.parent}")


def save_graph(svg: str, path: Path) -> None:
    """Write the picture; the end of the file's name, .svg or .png, says in which form."""
    check_graph(path)
    write_file(path, _to_png(svg) if path.suffix.lower() == ".png" else svg)


def _to_png(svg: str) -> bytes:
    import resvg_py

    # Two points for one: a screen of high density shows them.
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=2))


def _x(ply: float, plies: int) -> float:
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * ply / max(plies, 1)


def _y(value: float) -> float:
    return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - value)


def _frame(plies: int, seats: tuple[str, str]) -> list[str]:
    parts = []
    for value in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = _y(value)
        strength = "#888" if value == 0.5 else "#ddd"
        parts.append(f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="{strength}"/>')
        parts.append(f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end" {_FONT}>{value:.0%}</text>')
    for tick in ticks(0, max(plies, 1), 8):
        if float(tick).is_integer():
            x = _x(tick, plies)
            parts.append(f'<text x="{x:.1f}" y="{_HEIGHT - 20}" text-anchor="middle" {_FONT}>{tick:g}</text>')
    first, second = (html.escape(seat) for seat in seats)
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    parts.append(f'<text x="{_WIDTH - _RIGHT}" y="{_TOP - 8}" text-anchor="end" {_FONT}>up: {first} wins</text>')
    parts.append(f'<text x="{middle:.1f}" y="{_HEIGHT - 4}" text-anchor="middle" {_FONT}>ply</text>')
    parts.append(f'<text x="{_WIDTH - _RIGHT}" y="{_HEIGHT - 4}" text-anchor="end" {_FONT}>down: {second} wins</text>')
    return parts


def _curve(course: tuple[float, ...]) -> list[str]:
    plies = len(course) - 1
    points = " ".join(f"{_x(ply, plies):.1f},{_y(value):.1f}" for ply, value in enumerate(course))
    even = f"{_y(0.5):.1f}"
    area = f"{_x(0, plies):.1f},{even} {points} {_x(plies, plies):.1f},{even}"
    return [
        f'<polygon points="{area}" fill="{COLOURS[0]}" fill-opacity="0.15"/>',
        f'<polyline points="{points}" fill="none" stroke="{COLOURS[0]}" stroke-width="2" stroke-linejoin="round"/>',
    ]


def _dots(review: GameReview) -> list[str]:
    """A dot after each marked move, its mark above the curve or, for the second seat, below it."""
    parts = []
    plies = len(review.moves)
    for one in review.moves:
        if one.mark:
            x, y, colour = _x(one.ply, plies), _y(review.course[one.ply]), _MARK_COLOURS[one.mark]
            beside = min(max(y + (-8 if one.seat else 18), _TOP - 4), _HEIGHT - _BOTTOM + 10)
            said = html.escape(f"{one.ply}. {one.move}{one.mark} loses {one.loss:.0%}")
            parts.append(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"><title>{said}</title></circle>'
                f'<text x="{x:.1f}" y="{beside:.1f}" text-anchor="middle" {_FAMILY} font-size="12" '
                f'font-weight="bold" fill="{colour}">{one.mark}</text>'
            )
    return parts

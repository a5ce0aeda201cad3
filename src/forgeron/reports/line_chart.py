"""A line chart as SVG text that stands on its own: loss curves, Elo by generation."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence

from forgeron.reports.svg_plots import COLOURS, ticks

Points = Sequence[tuple[float, float]]

_WIDTH, _HEIGHT = 900, 360
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 16, 62, 46
#: By name first: what draws the PNG does not know which font a machine has for sans-serif.
_FAMILY = 'font-family="Helvetica, Arial, DejaVu Sans, Liberation Sans, sans-serif"'
_FONT = f'{_FAMILY} font-size="12" fill="#444"'


def line_chart(title: str, x_label: str, y_label: str, series: Mapping[str, Points]) -> str:
    """The whole picture: a line with dots for each named series, its points in the order of x, and a legend."""
    points = [point for one in series.values() for point in one] or [(0.0, 0.0)]
    frame = _Frame(points)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" '
        f'height="{_HEIGHT}" role="img" aria-label="{html.escape(title)}">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>',
        f'<text x="{_LEFT}" y="22" {_FAMILY} font-size="15" fill="#111">{html.escape(title)}</text>',
        f'<text x="{_WIDTH - _RIGHT}" y="22" text-anchor="end" {_FONT}>{html.escape(y_label)}</text>',
        *frame.grid(x_label),
        *(part for i, one in enumerate(series.values()) for part in frame.line(one, COLOURS[i % len(COLOURS)])),
        *_legend(list(series)),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


class _Frame:
    """Where numbers lie on the picture."""

    def __init__(self, points: Points) -> None:
        xs, ys = [x for x, _ in points], [y for _, y in points]
        self.left, self.right = min(xs), max(max(xs), min(xs) + 1)
        margin = 0.06 * (max(ys) - min(ys)) or 0.5
        self.low, self.high = min(ys) - margin, max(ys) + margin

    def at(self, x: float, y: float) -> tuple[float, float]:
        across = (x - self.left) / (self.right - self.left)
        up = (y - self.low) / (self.high - self.low)
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * across, _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - up)

    def grid(self, x_label: str) -> list[str]:
        parts = []
        for tick in ticks(self.low, self.high):
            _, y = self.at(self.left, tick)
            parts.append(f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
            parts.append(f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end" {_FONT}>{tick:g}</text>')
        for tick in ticks(self.left, self.right, 8):
            if float(tick).is_integer():
                x, _ = self.at(tick, self.low)
                parts.append(f'<text x="{x:.1f}" y="{_HEIGHT - 26}" text-anchor="middle" {_FONT}>{tick:g}</text>')
        middle = (_LEFT + _WIDTH - _RIGHT) / 2
        parts.append(
            f'<text x="{middle:.1f}" y="{_HEIGHT - 6}" text-anchor="middle" {_FONT}>{html.escape(x_label)}</text>'
        )
        return parts

    def line(self, points: Points, colour: str) -> list[str]:
        places = [self.at(*point) for point in points]
        joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        dots = [
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"><title>{one[1]:g}</title></circle>'
            for one, (x, y) in zip(points, places, strict=True)
        ]
        return [f'<polyline points="{joined}" fill="none" stroke="{colour}" stroke-width="2"/>', *dots]


def _legend(names: Sequence[str]) -> list[str]:
    parts, x = [], float(_LEFT)
    for i, name in enumerate(names):
        colour = COLOURS[i % len(COLOURS)]
        parts.append(f'<rect x="{x:.0f}" y="34" width="14" height="4" fill="{colour}"/>')
        parts.append(f'<text x="{x + 20:.0f}" y="41" {_FONT}>{html.escape(name)}</text>')
        x += 44 + 7 * len(name)
    return parts

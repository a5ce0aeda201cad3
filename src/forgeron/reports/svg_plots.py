"""Plots as SVG text: no library, no network, readable at any width."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence

from forgeron.stats.elo import Estimate

#: Colours that people with any kind of sight can tell apart (after Okabe and Ito).
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f6c00", "#7a7a7a")


def ticks(low: float, high: float, wanted: int = 5) -> list[float]:
    """Round numbers between two bounds, about so many.

    >>> ticks(-130, 210)
    [-100, 0, 100, 200]
    """
    span = max(high - low, 1e-9)
    rough = span / wanted
    unit = 10 ** math.floor(math.log10(rough))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= rough)
    first, last = math.ceil(low / step), math.floor(high / step)
    return [int(i * step) if float(i * step).is_integer() else round(i * step, 6) for i in range(first, last + 1)]


def signed(number: float) -> str:
    """A number with its sign; 0 has none."""
    return f"{number:+g}" if number else "0"


class Axis:
    """A stretch of numbers laid over the width of a plot, in percent."""

    def __init__(self, low: float, high: float) -> None:
        margin = max((high - low) * 0.06, 1.0)
        self.low, self.high = low - margin, high + margin

    def share(self, value: float) -> float:
        return (value - self.low) / (self.high - self.low)

    def at(self, value: float) -> str:
        return f"{100 * self.share(value):.2f}%"


def rating_axis(ratings: Sequence[Estimate]) -> Axis:
    return Axis(min((one.low for one in ratings), default=0.0), max((one.high for one in ratings), default=0.0))


def rating_bar(rating: Estimate, axis: Axis) -> str:
    """One rating with its error bar: positions in percent, so that it stretches without distortion."""
    low, value, high = (axis.at(one) for one in (rating.low, rating.value, rating.high))
    grid = "".join(
        f'<line class="grid" x1="{axis.at(tick)}" x2="{axis.at(tick)}" y1="0" y2="24"/>'
        for tick in ticks(axis.low, axis.high)
    )
    bar = f'<line class="bar" x1="{low}" x2="{high}" y1="12" y2="12"/>'
    caps = "".join(f'<line class="bar" x1="{x}" x2="{x}" y1="8" y2="16"/>' for x in (low, high))
    said = f"{rating.value:+z.0f}, between {rating.low:+z.0f} and {rating.high:+z.0f}"
    return (
        f'<svg class="rating" role="img" aria-label="{said}">{grid}{bar}{caps}'
        f'<circle class="dot" cx="{value}" cy="12" r="4.5"/></svg>'
    )


def rating_scale(axis: Axis) -> str:
    """The numbers below the error bars, but for those that would be cut off at the sides."""
    shown = [tick for tick in ticks(axis.low, axis.high) if 0.05 < axis.share(tick) < 0.95]
    marks = "".join(f'<text x="{axis.at(tick)}" y="14" text-anchor="middle">{signed(tick)}</text>' for tick in shown)
    return f'<svg class="rating scale" aria-hidden="true">{marks}</svg>'


def progress_plot(
    courses: Mapping[str, Sequence[float]],
    *,
    label: str = "points above even, game after game",
    below: str = "games of each entrant",
    last: int | None = None,
    only: str | None = None,
) -> str:
    """A line for each entrant, such as points above even after each of its games, and a legend.

    `label` says what it shows, `below` what the axis counts, up to `last`; `only` is the one entrant that matters.
    """
    longest = max((len(course) for course in courses.values()), default=1) - 1
    values = [value for course in courses.values() for value in course] or [0.0]
    low, high = min(*values, -1.0), max(*values, 1.0)
    height = high - low
    lines = []
    for i, course in enumerate(courses.values()):
        # A screen has no more columns than that, and a page should stay small.
        stride = max(1, len(course) // 600)
        kept = sorted({*range(0, len(course), stride), len(course) - 1})
        dots = " ".join(f"{1000 * n / max(longest, 1):.1f},{400 * (high - course[n]) / height:.1f}" for n in kept)
        dash = ' stroke-dasharray="6 4"' if i >= len(COLOURS) else ""
        faint = ' class="faint"' if only is not None and i != list(courses).index(only) else ""
        lines.append(f'<polyline{faint} points="{dots}" stroke="{COLOURS[i % len(COLOURS)]}"{dash}/>')
    grid = "".join(
        f'<line class="grid{" zero" if tick == 0 else ""}" x1="0" x2="1000" y1="{y:.1f}" y2="{y:.1f}"/>'
        for tick in ticks(low, high)
        for y in [400 * (high - tick) / height]
    )
    marks = "".join(
        f'<span style="top:{100 * (high - tick) / height:.1f}%">{signed(tick)}</span>' for tick in ticks(low, high)
    )
    legend = "".join(
        f'<li><i style="background:{_stroke(i)}"></i>{html.escape(name)}</li>'
        for i, name in enumerate(courses)
        if only in (None, name)
    )
    return (
        f'<div class="plot"><div class="marks">{marks}</div><svg viewBox="0 0 1000 400" preserveAspectRatio="none" '
        f'role="img" aria-label="{html.escape(label)}">{grid}{"".join(lines)}</svg></div>'
        f'<p class="below">0 <span>{html.escape(below)}</span> {longest if last is None else last}</p>'
        f'<ul class="legend">{legend}</ul>'
    )


def _stroke(number: int) -> str:
    """The line of an entrant as a background: the second eight have dashes."""
    colour = COLOURS[number % len(COLOURS)]
    return colour if number < len(COLOURS) else f"repeating-linear-gradient(90deg,{colour} 0 5px,transparent 5px 8px)"

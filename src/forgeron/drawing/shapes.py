"""A view as a few plain shapes, in Python: for notebooks and pictures, where no browser draws the page's own boards.

Simpler than those on purpose: no labels, no shading. A board of a kind that is not known here has no shapes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

View = dict[str, Any]

SURFACE, CELL, OTHER_CELL, LINE, HOLE, INK = "#e8dcc4", "#d3bd92", "#c8ae7d", "#8a744c", "#5b4b33", "#2b2520"
COLOURS = {
    "black": "#26221f",
    "white": "#faf7f0",
    "red": "#c43b32",
    "blue": "#2f62b5",
    "yellow": "#e5b92e",
    "green": "#3c8a4a",
}
_SEEDS = {"red": COLOURS["red"], "blue": COLOURS["blue"], "transparent": "#ffffff"}


@dataclass(frozen=True)
class Circle:
    x: float
    y: float
    r: float
    fill: str
    hollow: float = 0.0
    """the radius of a hole in it, through which what is below is seen"""


@dataclass(frozen=True)
class Polygon:
    corners: tuple[tuple[float, float], ...]
    """of a convex polygon, in order"""
    fill: str


@dataclass(frozen=True)
class Label:
    x: float
    y: float
    height: float
    text: str
    fill: str = INK


Shape = Circle | Polygon | Label


@dataclass(frozen=True)
class Picture:
    """Shapes, the lowest first, in a frame that begins at (0, 0)."""

    width: float
    height: float
    shapes: tuple[Shape, ...]


def picture_of(view: View) -> Picture | None:
    """The board of a position's view; None for a kind of board that is not known here, or none at all."""
    draw = _BOARDS.get(str(view.get("board")))
    if draw is None:
        return None
    width, height, shapes = draw(view)
    frame = _rectangle(0, 0, width, height, SURFACE)
    return Picture(width, height, (frame, *shapes))


def _rectangle(x: float, y: float, width: float, height: float, fill: str) -> Polygon:
    return Polygon(((x, y), (x + width, y), (x + width, y + height), (x, y + height)), fill)


def _line(a: tuple[float, float], b: tuple[float, float], width: float = 3.0) -> Polygon:
    length = math.dist(a, b) or 1.0
    dx, dy = (b[1] - a[1]) / length * width / 2, -(b[0] - a[0]) / length * width / 2
    return Polygon(
        ((a[0] + dx, a[1] + dy), (b[0] + dx, b[1] + dy), (b[0] - dx, b[1] - dy), (a[0] - dx, a[1] - dy)), LINE
    )


def _colour(view: View, seat: object) -> str:
    if seat not in (0, 1):
        return HOLE
    own = COLOURS.get(view["seats"][seat])
    return own or COLOURS["black" if seat == 0 else "white"]


def _piece(view: View, letter: str, x: float, y: float, r: float) -> Iterator[Shape]:
    """What a letter of the board stands for: a disc, a ring, a small marker, or a hole."""
    piece = view.get("pieces", {}).get(letter)
    if letter == "." or piece is None:
        return
    shape, fill = piece.get("shape", "disc"), _colour(view, piece.get("seat"))
    if shape == "hole":
        yield Circle(x, y, r * 0.55, HOLE)
        return
    size = r * (0.55 if shape == "marker" else 0.8)
    hollow = size * 0.72 if shape == "ring" else 0.0
    yield Circle(x, y, size, LINE, max(hollow - 3, 0))
    yield Circle(x, y, size - 3, fill, hollow)
    if piece.get("text"):
        yield Label(x, y, r * 0.7, str(piece["text"]), INK if fill == COLOURS["white"] else COLOURS["white"])


def _grid(view: View) -> tuple[float, float, list[Shape]]:
    columns, rows, size, edge = view["columns"], view["rows"], 60, 12
    shapes: list[Shape] = []
    for i, letter in enumerate(view["cells"]):
        x, y = edge + i % columns * size, edge + (rows - 1 - i // columns) * size
        shapes.append(
            _rectangle(x + 1, y + 1, size - 2, size - 2, CELL if (i % columns + i // columns) % 2 else OTHER_CELL)
        )
        shapes.extend(_piece(view, letter, x + size / 2, y + size / 2, size / 2))
    return columns * size + 2 * edge, rows * size + 2 * edge, shapes


def _hexagonal(view: View) -> tuple[float, float, list[Shape]]:
    """Cells with six sides (`cells`), or points joined by lines (`points`)."""
    points, step, edge = view.get("points") or view["cells"], 60.0, 48.0
    raw = {p["name"]: (p["x"] * step * math.sqrt(0.75), -(p["y"] - p["x"] / 2) * step) for p in points}
    left, top = min(x for x, _ in raw.values()), min(y for _, y in raw.values())
    at = {name: (x - left + edge, y - top + edge) for name, (x, y) in raw.items()}
    shapes: list[Shape] = []
    if "points" in view:
        by_place = {(p["x"], p["y"]): at[p["name"]] for p in points}
        for (x, y), here in by_place.items():
            ahead = (by_place.get((x + dx, y + dy)) for dx, dy in ((0, 1), (1, 1), (1, 0)))
            shapes.extend(_line(here, there) for there in ahead if there is not None)
    else:
        angles = [math.radians(60 * i) for i in range(6)]
        r = step / math.sqrt(3) - 1.5
        for x, y in at.values():
            shapes.append(Polygon(tuple((x + r * math.cos(a), y + r * math.sin(a)) for a in angles), CELL))
    for p in points:
        shapes.extend(_piece(view, p["content"], *at[p["name"]], step / 2))
    width, height = (max(place[axis] for place in at.values()) + edge for axis in (0, 1))
    return width, height, shapes


def _around(n: int, radius: float, centre: float) -> list[tuple[float, float]]:
    """Places on a circle, clockwise from the top."""
    turns = [2 * math.pi * (i + 0.5) / n for i in range(n)]
    return [(centre + radius * math.sin(turn), centre - radius * math.cos(turn)) for turn in turns]


def _holes(view: View) -> tuple[float, float, list[Shape]]:
    """Holes in a circle, with seeds of three colours or of one; both players' seeds in the middle."""
    holes, side = view.get("holes") or view["pits"], 560.0
    shapes: list[Shape] = []
    for hole, (x, y) in zip(holes, _around(len(holes), 220, side / 2), strict=True):
        shapes.append(Circle(x, y, 44, CELL if hole["owner"] == 0 else OTHER_CELL))
        colours = [name for name in _SEEDS if name in hole]
        if not colours:
            shapes.append(Label(x, y, 26, str(hole["seeds"])))
        for name, dy in zip(colours, (-24, 0, 24), strict=False):
            shapes.append(Circle(x - 15, y + dy, 9, _SEEDS[name]))
            shapes.append(Label(x + 12, y + dy, 16, str(hole[name])))
    stores = view["stores"] if "stores" in view else view["scores"]
    for seat, x in ((0, side / 2 - 60), (1, side / 2 + 60)):
        shapes.append(Circle(x, side / 2, 50, CELL if seat == 0 else OTHER_CELL))
        shapes.append(Label(x, side / 2, 30, str(stores[seat])))
    return side, side, shapes


def _track(view: View) -> tuple[float, float, list[Shape]]:
    step, edge, r = 90.0, 60.0, 30.0
    at = {str(name): (edge + x * step, edge + y * step) for name, x, y in view["places"]}
    shapes: list[Shape] = []
    for names in view.get("lines", ()):
        shapes.extend(_line(at[a], at[b], 5) for a, b in pairwise(names) if a in at and b in at)
    shapes.extend(Circle(x, y, r, CELL) for x, y in at.values())
    width, bottom = (max(place[axis] for place in at.values()) + edge for axis in (0, 1))
    for seat, place, n in view["groups"]:
        if str(place) in at:
            x, y = at[str(place)]
            shapes.extend([Circle(x, y, r - 4, _colour(view, seat)), Label(x, y, 22, str(n), COLOURS["white"])])
    for seat, counts in enumerate(zip(view.get("waiting", ()), view.get("home", ()), strict=False)):
        for i, n in enumerate(counts):  # waiting at the start, then home
            x, y = (60 + i * 70 if seat == 0 else width - 130 + i * 70), bottom + 20
            shapes.extend([Circle(x, y, 24, _colour(view, seat)), Label(x, y, 22, str(n), COLOURS["white"])])
    return width, bottom + (60 if "waiting" in view else 0), shapes


_BOARDS: dict[str, Callable[[View], tuple[float, float, list[Shape]]]] = {
    "grid": _grid,
    "hexagons": _hexagonal,
    "hexagon": _hexagonal,
    "pits": _holes,
    "circle": _holes,
    "track": _track,
    "yut": _track,
}

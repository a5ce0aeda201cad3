"""Shapes as SVG text, and as pixels."""

from __future__ import annotations

import html

import numpy as np

from forgeron.drawing.shapes import Circle, Label, Picture, Polygon

#: Digits and signs of three columns and five rows, a bit a pixel, from the top left: enough for counts.
_FONT = {
    "0": 0b111101101101111, "1": 0b010110010010111, "2": 0b111001111100111, "3": 0b111001111001111,
    "4": 0b101101111001001, "5": 0b111100111001111, "6": 0b111100111101111, "7": 0b111001001001001,
    "8": 0b111101111101111, "9": 0b111101111001111, "-": 0b000000111000000, "?": 0b111001011000010,
}  # fmt: skip


def svg(picture: Picture, width: int = 360) -> str:
    """The picture as an SVG element, so many pixels wide."""
    height = round(width * picture.height / picture.width)
    body = "".join(_element(shape) for shape in picture.shapes)
    box = f"0 0 {picture.width:g} {picture.height:g}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="{box}">{body}</svg>'


def _element(shape: Circle | Polygon | Label) -> str:
    if isinstance(shape, Polygon):
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in shape.corners)
        return f'<polygon points="{points}" fill="{shape.fill}"/>'
    if isinstance(shape, Label):
        place = f'x="{shape.x:.1f}" y="{shape.y + shape.height * 0.36:.1f}"'
        font = f'font-size="{shape.height:g}" font-family="sans-serif" text-anchor="middle"'
        return f'<text {place} {font} fill="{shape.fill}">{html.escape(shape.text)}</text>'
    place = f'cx="{shape.x:.1f}" cy="{shape.y:.1f}"'
    if shape.hollow:
        r, width = (shape.r + shape.hollow) / 2, shape.r - shape.hollow
        return f'<circle {place} r="{r:.1f}" fill="none" stroke="{shape.fill}" stroke-width="{width:.1f}"/>'
    return f'<circle {place} r="{shape.r:.1f}" fill="{shape.fill}"/>'


def pixels(picture: Picture, width: int = 360) -> np.ndarray:
    """The picture as an array of height × width × 3 bytes: red, green, blue."""
    scale = width / picture.width
    image = np.zeros((round(picture.height * scale), width, 3), dtype=np.uint8)
    y, x = np.mgrid[: image.shape[0], :width]
    x, y = (x + 0.5) / scale, (y + 0.5) / scale
    for shape in picture.shapes:
        colour = tuple(int(shape.fill[i : i + 2], 16) for i in (1, 3, 5))
        image[_covered(shape, x, y)] = colour
    return image


def _covered(shape: Circle | Polygon | Label, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The pixels, given by the places of their centres, that the shape covers."""
    if isinstance(shape, Circle):
        squared = (x - shape.x) ** 2 + (y - shape.y) ** 2
        return np.asarray((squared <= shape.r**2) & (squared >= shape.hollow**2))
    if isinstance(shape, Label):
        return _written(shape, x, y)
    inside = np.ones(x.shape, dtype=bool)
    corners = shape.corners
    area = sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(corners, corners[1:] + corners[:1], strict=True))
    for a, b in zip(corners, corners[1:] + corners[:1], strict=True):
        side = (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])
        inside &= side >= 0 if area > 0 else side <= 0
    return inside


def _written(label: Label, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    pixel = label.height * 0.7 / 5
    columns = 4 * len(label.text) - 1
    column = np.floor((x - label.x) / pixel + columns / 2).astype(int)
    row = np.floor((y - label.y) / pixel + 2.5).astype(int)
    found = np.zeros(x.shape, dtype=bool)
    inside = (row >= 0) & (row < 5) & (column >= 0) & (column < columns)
    for i, sign in enumerate(label.text):
        bits = _FONT.get(sign, _FONT["?"])
        here = inside & (column // 4 == i) & (column % 4 < 3)
        place = 14 - (row[here] * 3 + column[here] % 4)
        found[here] = (bits >> place) & 1 == 1
    return found

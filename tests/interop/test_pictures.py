"""Positions as pictures made in Python: SVG for notebooks, pixels for environments."""

from __future__ import annotations

import xml.etree.ElementTree as xml
from pathlib import Path

import numpy as np
import pytest

import forgeron
from forgeron.core.chance import next_decision
from forgeron.core.position import Position
from forgeron.drawing.pictures import pixels, svg
from forgeron.drawing.shapes import COLOURS, picture_of

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
GAMES = [
    "yolah",
    "mancala",
    "yinsh",
    "yut",
    str(EXAMPLES / "game_connect_four.py"),
    *map(str, (EXAMPLES / "games").glob("*.py")),
]


def after(name: str, plies: int) -> Position:
    position = next_decision(forgeron.game(name).start())
    for _ in range(plies):
        position = next_decision(position.push(position.moves[len(position.moves) // 2]))
    return position


@pytest.mark.parametrize("name", GAMES, ids=lambda name: Path(name).stem)
def test_a_position_changes_its_picture_when_a_move_is_made(name: str) -> None:
    seen = set()
    for plies in (0, 1, 2, 3):
        picture = picture_of(after(name, plies).view())
        assert picture is not None
        xml.fromstring(svg(picture))
        image = pixels(picture, 200)
        assert image.shape[1:] == (200, 3)
        assert image.dtype == np.uint8
        seen.add(image.tobytes())
    assert len(seen) >= 2


def test_a_disc_has_the_colour_of_its_seat_where_it_stands() -> None:
    position = after("yolah", 0)
    picture = picture_of(position.view())
    assert picture is not None
    image = pixels(picture, int(picture.width))  # 8 cells of 60 and an edge of 12: a1 is at the bottom left
    assert tuple(image[12 + 7 * 60 + 30, 12 + 30]) == tuple(bytes.fromhex(COLOURS["black"][1:]))
    assert tuple(image[12 + 7 * 60 + 30, 12 + 7 * 60 + 30]) == tuple(bytes.fromhex(COLOURS["white"][1:]))


def test_a_board_that_is_not_known_has_no_picture() -> None:
    assert picture_of({"board": "sphere"}) is None
    assert picture_of({}) is None

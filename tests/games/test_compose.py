"""Positions that are set up by hand: what stands where gives the position back."""

from __future__ import annotations

import random
from typing import Any

import pytest

import forgeron
from forgeron import NotationError


def places(view: dict[str, Any]) -> dict[str, str]:
    """What the page sends: the content of each place that is not empty."""
    if view["board"] == "grid":
        names = [f"{column}{row}" for row in range(1, 9) for column in "abcdefgh"]
        return {name: cell for name, cell in zip(names, view["cells"], strict=True) if cell != "."}
    if view["board"] == "hexagon":
        return {point["name"]: point["content"] for point in view["points"] if point["content"] != "."}
    if view["board"] == "circle":
        seeds = {"red": "r", "blue": "b", "transparent": "t"}
        found = {
            str(hole["hole"]): "".join(f"{hole[name]}{letter}" for name, letter in seeds.items() if hole[name])
            for hole in view["holes"]
        }
        return {name: content for name, content in found.items() if content}
    found = {}
    for seat, station, count in view["groups"]:
        found[str(station)] = found.get(str(station), "") + "rb"[seat] * count
    home = "".join(letter * count for letter, count in zip("rb", view["home"], strict=True))
    return found | ({"30": home} if home else {})


@pytest.mark.parametrize("name", ["yolah", "mancala", "yinsh", "yut"])
def test_the_same_board_is_composed_again(name: str) -> None:
    game = forgeron.game(name)
    for seed in range(3):
        rng = random.Random(seed)
        position = game.start()
        for _ in range(40):
            if position.turn is None or len(position.legal_moves()) == 0:
                break
            position = position.play(rng.choice(position.legal_moves()))
        view = position.view()
        if view["turn"] is None or (name == "yinsh" and ":move:" not in str(position)):
            continue
        again = game.parse(game.compose(places(view), view["turn"])).view()
        assert places(again) == places(view)
        assert again["turn"] == view["turn"]


def test_a_board_that_cannot_be_is_refused_with_the_reason() -> None:
    game = forgeron.game("yolah")
    with pytest.raises(NotationError, match="four pieces"):
        game.parse(game.compose({"a1": "b"}, 0))
    with pytest.raises(NotationError):
        game.parse(game.compose({"a1": "?", "zz": "b"}, 1))
    for name in ("mancala", "yinsh", "yut"):
        other = forgeron.game(name)
        with pytest.raises(NotationError):
            other.parse(other.compose({"1": "99x", "A2": "?", "77": "rrrrrrrr"}, 0))

"""Boards that move: what an animation did to a piece ends with it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import forgeron
from forgeron.drawing.bundle import bundle, style

pytest.importorskip("playwright.sync_api")

OTHELLO = str(Path(__file__).parent.parent.parent / "examples" / "games" / "othello.py")

#: Shows the positions one after the other; gives, after each, what the pieces look like.
SHOW = """async (views) => {
    const board = new forgeron.boards.Board(document.body.appendChild(document.createElement("div")), {});
    const seen = [];
    for (const view of views) {
        await board.show(view);
        seen.push([...board.svg.querySelectorAll(".fg-stand")].map((piece) => {
            const { opacity, transform } = getComputedStyle(piece);
            return `${opacity} ${transform}`;
        }));
    }
    return [...new Set(seen.flat())];
}"""


@pytest.fixture
def moving_page(browser):
    """A page without a server, in a browser that has nothing against motion."""
    context = browser.new_context(reduced_motion="no-preference")
    page = context.new_page()
    page.set_content(f"<!doctype html><style>{style()}</style><body></body>")
    page.add_script_tag(content=bundle())
    yield page
    context.close()


def positions_around(game: forgeron.Game, event: str) -> list[forgeron.Position]:
    """A position, the one after a move with this event, and the one after the next move."""
    position = game.start()
    for _ in range(200):
        for move in position.view()["moves"]:
            if any(one["do"] == event for one in move.get("events", [])):
                after = position.play(move["move"])
                return [position, after, after.play(after.legal_moves()[0])]
        position = position.play(position.legal_moves()[len(position.legal_moves()) // 2])
    raise AssertionError(f"no move of {game.name} has the event {event}")


@pytest.mark.parametrize(
    ("name", "event"),
    [("yinsh", "flip"), ("mancala", "take"), pytest.param(OTHELLO, "flip", id="othello-flip")],
)
def test_an_animation_leaves_nothing_behind(moving_page, name: str, event: str) -> None:
    views = [position.view() for position in positions_around(forgeron.game(name), event)]
    assert moving_page.evaluate(SHOW, json.loads(json.dumps(views))) == ["1 none"]

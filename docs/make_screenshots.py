"""Makes the screenshots of the README: `python docs/make_screenshots.py` (needs playwright and Chromium)."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import expect, sync_playwright

import forgeron

FOLDER = Path(__file__).parent / "pictures"
PATIENCE_MS = 180_000
TARGET = '.fg-place[role="button"]:not([aria-pressed="true"]), .fg-buttons button:not(:text("Cancel"))'


@contextmanager
def server() -> Iterator[str]:
    """A server with nothing in it; its address."""
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-m", "forgeron", "serve", "--no-browser", "--port", "0", "--data", data]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found
        try:
            yield found[0]
        finally:
            process.terminate()
            process.wait()


def moves_of(name: str, plies: int, seed: int) -> str:
    """The moves of a seeded game between two weak searches."""
    game = forgeron.game(name)
    player = forgeron.player("minimax", game, seed=seed)
    rng, position, moves = random.Random(seed), game.start(), []
    for _ in range(plies):
        if position.turn is None:
            break
        choice = rng.choice(position.legal_moves()) if rng.random() < 0.3 else None
        moves.append(choice or player.choose(position, forgeron.Limit(nodes=300)).move)
        position = position.play(moves[-1])
    return " ".join(moves)


def play(page: Any, name: str, clicks: int) -> None:
    """A game of two people at one board, some clicks into it."""
    page.goto(f"{page.home}#/new/{name}")
    page.locator(".pick", has_text="Two people here").click()
    page.get_by_role("button", name="Play", exact=True).click()
    rng = random.Random(7)
    for _ in range(clicks):
        expect(page.locator(TARGET).first).to_be_visible()
        page.locator(TARGET).nth(rng.randrange(page.locator(TARGET).count())).click()
        page.wait_for_timeout(120)


def analyse(page: Any) -> None:
    page.goto(f"{page.home}#/analyse/yolah")
    page.get_by_text("Set up a position or moves").click()
    page.get_by_label("A position, or moves").fill(moves_of("yolah", 60, 3))
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.locator(".sides")).to_be_visible()
    page.get_by_text("Set up a position or moves").click()
    page.locator(".tree button", has_text="?").nth(4).click()
    expect(page.locator(".lines button")).to_have_count(3)
    page.wait_for_timeout(2_000)


def look_into(page: Any) -> None:
    page.goto(f"{page.home}#/understand/yolah")
    expect(page.locator(".idea[data-idea=lmr] b")).to_have_count(2)
    page.locator("#main").focus()
    for _ in range(3_000):
        page.keyboard.press("ArrowRight")
        said = page.locator(".saying").inner_text()
        if "already has" in said and int(page.locator(".counters dd").first.inner_text().replace(",", "")) > 40:
            break
    page.wait_for_timeout(500)


def learn(page: Any) -> None:
    page.goto(f"{page.home}#/learn/mancala")
    for lesson in range(2):
        expect(page.locator('.dots-row li[aria-current="step"]')).to_have_text(f"Step {lesson + 1}")
        page.get_by_role("button", name="Skip").click()
    expect(page.locator(".said.lesson")).to_contain_text("Holes 8 and 9")
    page.locator(TARGET).first.click()
    expect(page.get_by_role("button", name="Next")).to_be_visible()
    page.wait_for_timeout(500)


def watch(page: Any) -> None:
    """A tournament of three players while it is played."""
    page.goto(f"{page.home}#/watch")
    page.locator('select[name="game"]').select_option("yolah")
    for box in page.locator('input[name="player"]').all():
        box.set_checked(box.get_attribute("value") in ("beginner", "casual", "greedy"))
    page.get_by_label("Slow enough").set_checked(False)
    page.get_by_role("button", name="Start").click()
    expect(page.locator("button.cell").first).to_be_visible()
    expect(page.locator(".live-board .fg-place").first).to_be_attached()


#: Picture → what is shown, the width and height of the window, light or dark.
SHOTS = {
    "page-play": (lambda page: play(page, "yinsh", 34), 1180, 780, "light"),
    "page-analysis": (analyse, 1180, 920, "light"),
    "page-microscope": (look_into, 1180, 920, "light"),
    "page-learn": (learn, 1180, 780, "dark"),
    "page-watch": (watch, 1180, 900, "dark"),
    "page-phone": (lambda page: play(page, "yut", 30), 390, 780, "light"),
}


def main(names: list[str]) -> None:
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    expect.set_options(timeout=PATIENCE_MS)
    with server() as home, sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name in names or SHOTS:
            show, width, height, scheme = SHOTS[name]
            size = {"width": width, "height": height}
            page: Any = browser.new_page(viewport=size, color_scheme=scheme, reduced_motion="reduce")
            page.set_default_timeout(PATIENCE_MS)
            page.goto(home)
            page.home = home
            show(page)
            page.screenshot(path=FOLDER / f"{name}.jpg", type="jpeg", quality=78)
            page.close()
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])

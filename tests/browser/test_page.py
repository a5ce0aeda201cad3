"""The page in a real browser: by mouse, by keyboard, by two people, on a phone, and after its server was killed."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from contextlib import suppress

import pytest

playwright = pytest.importorskip("playwright.sync_api")
expect = playwright.expect

NewPage = Callable


def start(page, title: str, opponent: str = "Beginner") -> None:
    """A new game from the first page on."""
    page.get_by_role("link", name=re.compile(title)).click()
    page.locator(".pick", has_text=re.compile(rf"^{opponent}\d*\+?$")).click()
    play(page)


def play(page) -> None:
    """Begin the game that is set up, and wait until its board is there."""
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".seat.near .score")).to_be_visible()
    expect(page.locator(".fg-board .fg-place").first).to_be_attached()


def finish_by_mouse(page, seed: int = 1, most: int = 3000) -> None:
    """Click on random targets until the game has a result."""
    rng = random.Random(seed)
    over = page.locator(".actions").get_by_role("button", name="Rematch")
    target = page.locator(
        '.fg-place[role="button"]:not([aria-pressed="true"]), .fg-buttons button:not(:text("Cancel"))'
    )
    for _ in range(most):
        over.or_(target.first).first.wait_for()
        if over.is_visible():
            return
        n = target.count()
        if n:
            with suppress(playwright.TimeoutError):  # the board has changed between the look and the click
                target.nth(rng.randrange(n)).click(timeout=1500)
    raise AssertionError(f"no result after {most} clicks")


@pytest.mark.parametrize("title", ["Yolah", "Coloured Mancala", "YINSH", "Yut Nori", "Connect Four"])
def test_a_full_game_by_mouse(new_page: NewPage, title: str) -> None:
    page = new_page()
    start(page, title)
    finish_by_mouse(page)
    expect(page.locator(".said")).to_have_text(re.compile(r"^(You win|You lose|Draw), \d+ : \d+"))


def test_a_full_game_by_keyboard_alone(new_page: NewPage) -> None:
    page = new_page()
    rng = random.Random(3)
    press = page.keyboard.press
    card = page.get_by_role("link", name=re.compile("Connect Four"))
    expect(card).to_be_visible()
    tab_to(page, card)
    press("Enter")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_focused()
    press("Enter")
    expect(page.locator('.fg-place[role="button"]').first).to_be_attached()
    tab_to(page, page.locator('.fg-place[tabindex="0"]'))
    over = page.get_by_role("button", name="Rematch")
    # After each move the keyboard is on the board again: nobody has to look for it.
    at_board = page.locator('.fg-place[role="button"]:focus')
    for moves in range(0, 42, 2):
        over.or_(at_board).first.wait_for()
        if over.is_visible():
            break
        for _ in range(rng.randrange(4)):
            press(rng.choice(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]))
        press("Enter")
        over.or_(page.locator(".moves li").nth(moves + 1)).first.wait_for()
    expect(page.locator(".said")).to_have_text(re.compile("^(You win|You lose|Draw)"))


def tab_to(page, target, most: int = 60) -> None:
    """Press Tab until the target has the focus."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if target.evaluate("(element) => element === document.activeElement"):
            return
    raise AssertionError(f"{target} is out of reach of {most} tabs")


def test_a_piece_is_chosen_with_arrow_keys_and_escape_cancels(new_page: NewPage) -> None:
    page = new_page()
    start(page, "Yolah", "Two people here")
    chosen = page.locator('.fg-place[aria-pressed="true"]')
    page.locator('.fg-place[data-name="d5"]').focus()
    page.keyboard.press("Enter")
    expect(chosen).to_have_attribute("data-name", "d5")
    page.keyboard.press("Escape")
    expect(chosen).to_have_count(0)
    page.keyboard.press("Enter")
    expect(chosen).to_have_attribute("data-name", "d5")
    page.keyboard.press("ArrowUp")
    expect(page.locator('.fg-place[data-name="d6"]')).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".moves li")).to_have_text(["d5:d6"])
    expect(page.locator(".fg-live")).to_have_text("Black: d5 to d6. White to move.")


def test_a_move_that_was_begun_goes_on_when_something_else_changes(new_page: NewPage) -> None:
    first = new_page()
    start(first, "Yolah", "A friend, by link")
    link = first.get_by_label("Link for your opponent").input_value()
    chosen = first.locator('.fg-place[aria-pressed="true"]')
    first.locator('.fg-place[data-name="d5"]').click()
    expect(chosen).to_have_attribute("data-name", "d5")
    second = new_page(link.split("/", 3)[3])
    second.get_by_role("button", name="Play", exact=True).click()
    expect(first.get_by_label("Link for your opponent")).to_have_count(0)
    expect(chosen).to_have_attribute("data-name", "d5")
    first.locator('.fg-place[data-name="b7"]').click()
    expect(second.locator(".moves li")).to_have_text(["d5:b7"])


def test_take_back_and_hint(new_page: NewPage) -> None:
    page = new_page()
    start(page, "Yolah")
    page.get_by_role("button", name="Hint").click()
    page.locator(".said", has_text="Hint:").wait_for()
    page.locator(".fg-arrow").wait_for()
    page.locator('.fg-place[data-name="d5"]').click()
    page.locator('.fg-place[data-name="b7"]').click()
    page.locator(".moves li").nth(1).wait_for()
    page.get_by_role("button", name="Take back").click()
    page.locator('.fg-place[data-name="d5"][role="button"]').wait_for()
    expect(page.locator(".moves li")).to_have_count(0)


def test_resigning_asks_once(new_page: NewPage) -> None:
    page = new_page()
    start(page, "Yolah")
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Keep playing").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name="Hint")).to_be_visible()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    page.locator(".said", has_text="You lose").wait_for()
    page.get_by_role("button", name="Rematch").click()
    page.locator(".seat.near", has_text="White").wait_for()


def test_two_people_by_a_link(new_page: NewPage) -> None:
    first = new_page()
    start(first, "Yolah", "A friend, by link")
    link = first.get_by_label("Link for your opponent").input_value()
    second = new_page(link.split("/", 3)[3])
    second.get_by_role("button", name="Play", exact=True).click()
    second.locator(".seat.near", has_text="You").wait_for()
    first.locator('.fg-place[data-name="d5"]').click()
    first.locator('.fg-place[data-name="b7"]').click()
    second.locator(".moves li", has_text="d5:b7").wait_for()
    second.locator('.fg-place[data-name="e5"][role="button"]').click()
    second.locator('.fg-place[data-name="f5"][role="button"]').click()
    first.locator(".moves li", has_text="e5:f5").wait_for()
    expect(second.get_by_role("button", name="Take back")).to_have_count(0)


def test_a_game_goes_on_after_the_server_was_killed(new_page: NewPage, server) -> None:
    page = new_page()
    start(page, "Yolah")
    page.locator('.fg-place[data-name="d5"]').click()
    page.locator('.fg-place[data-name="b7"]').click()
    page.locator(".moves li").nth(1).wait_for()
    server.kill()
    page.locator(".banner", has_text="connection").wait_for()
    server.start()
    page.locator(".banner").wait_for(state="hidden")
    page.locator('.fg-place[data-name="b7"][role="button"]').click()
    page.locator('.fg-place[role="button"][aria-label*="b7 to"]').first.click()
    page.locator(".moves li").nth(3).wait_for()
    # A browser itself writes to the console when it cannot connect; nothing else may.
    page.noise[:] = [text for text in page.noise if "WebSocket connection" not in text]


@pytest.mark.parametrize("game", ["yolah", "yinsh", "yut", "connect-four"])
def test_board_and_buttons_are_in_sight_without_scrolling(new_page: NewPage, game: str) -> None:
    page = new_page(f"#/new/{game}", width=1280, height=720)
    play(page)
    assert page.evaluate("() => document.querySelector('.fg-below').getBoundingClientRect().bottom") <= 720
    page.goto(page.url.split("#")[0] + f"#/analyse/{game}")
    page.locator(".bar").wait_for()
    expect(page.locator(".fg-board .fg-place").first).to_be_attached()
    assert page.evaluate("() => document.querySelector('.fg-below').getBoundingClientRect().bottom") <= 720


@pytest.mark.parametrize(
    ("page_name", "heading"),
    [
        ("Learn", "Connect Four in a minute"),
        ("Analyse", "Analyse Connect Four"),
        ("Inside a search", "Inside a search: Connect Four"),
    ],
)
def test_every_page_is_reached_from_the_first_one(new_page: NewPage, page_name: str, heading: str) -> None:
    page = new_page()
    page.get_by_role("navigation").get_by_role("link", name=page_name).click()
    expect(page.locator('.nav a[aria-current="page"]')).to_have_text(page_name)
    page.get_by_role("link", name=re.compile("Connect Four")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(heading)


def test_sides_without_a_colour_are_named_once(new_page: NewPage) -> None:
    page = new_page("#/new/mancala")
    expect(page.locator('.pick:has([name="side"])')).to_have_text(["First", "Second", "Either"])


@pytest.mark.parametrize("path", ["", "#/new/yinsh", "#/new/yut"])
def test_nothing_is_wider_than_a_phone(new_page: NewPage, path: str) -> None:
    page = new_page(path, width=360, height=740)
    page.locator("h1").wait_for()
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
    if path:
        play(page)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_barrier_that_axe_knows(new_page: NewPage, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="pip install axe-playwright-python")
    page = new_page(color_scheme=scheme)
    page.locator(".card").first.wait_for()
    found = {"home": axe.Axe().run(page)}
    for title in ("Yolah", "Coloured Mancala", "YINSH", "Yut Nori"):
        page.get_by_role("link", name=re.compile(title)).click()
        page.get_by_role("button", name="Play", exact=True).wait_for()
        found[f"{title}, new"] = axe.Axe().run(page)
        play(page)
        page.locator('.fg-place[role="button"], .fg-main').first.wait_for()
        found[title] = axe.Axe().run(page)
        page.get_by_role("link", name="Forgeron").click()
        page.locator(".card").first.wait_for()
    told = {name: result.generate_report() for name, result in found.items() if result.violations_count}
    assert told == {}

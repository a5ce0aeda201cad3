"""The example of a minute, played through in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

expect = pytest.importorskip("playwright.sync_api").expect

NewPage = Callable
#: What the page marks as the learner's next click.
NEXT = '.fg-place[role="button"]:not([aria-pressed="true"]), .fg-buttons button:not(:text("Cancel"))'


@pytest.mark.parametrize("game", ["yolah", "mancala", "yinsh", "yut", "connect-four"])
def test_the_example_is_played_through(new_page: NewPage, game: str) -> None:
    page = new_page(f"#/learn/{game}")
    lessons = page.locator(".dots-row li")
    asked = page.locator(".said.lesson b")
    expect(asked).to_be_visible()
    count = lessons.count()
    for number in range(1, count + 1):
        expect(page.locator(".dots-row li.past")).to_have_count(number - 1)
        expect(asked).to_be_visible()
        done = page.locator(".dots-row li.past").nth(number - 1)
        for _ in range(4):  # a move has at most so many parts
            expect(done.or_(page.locator(NEXT)).first).to_be_visible()
            if done.is_visible():
                break
            before = page.locator(".stage").inner_html()
            page.locator(NEXT).first.click()
            page.wait_for_function("before => document.querySelector('.stage').innerHTML !== before", arg=before)
        expect(done).to_be_visible()
        if number < count:
            page.get_by_role("button", name="Next").click()
    page.get_by_role("link", name="Play a game").click()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_a_lesson_can_be_skipped_and_done_again_by_keyboard(new_page: NewPage) -> None:
    page = new_page("#/learn/yolah")
    expect(page.locator(".said.lesson")).to_contain_text("d5 to b7")
    page.get_by_role("button", name="Skip").press("Enter")
    expect(page.locator(".said.lesson")).to_contain_text("e5 to e7")
    expect(page.locator('.fg-place[data-name="b7"][role="button"]')).to_be_visible()
    page.get_by_role("button", name="Back").press("Enter")
    page.locator('.fg-place[data-name="d5"][role="button"]').press("Enter")
    page.locator('.fg-place[data-name="b7"][role="button"]').press("Enter")
    expect(page.locator(".said.lesson")).to_contain_text("hole")
    expect(page.get_by_role("button", name="Next")).to_be_focused()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_barrier_in_the_example(new_page: NewPage, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="pip install axe-playwright-python")
    page = new_page("#/learn/yinsh", color_scheme=scheme)
    expect(page.locator(".said.lesson")).to_contain_text(re.compile("rings"))
    result = axe.Axe().run(page)
    assert result.violations_count == 0, result.generate_report()

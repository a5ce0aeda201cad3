"""Matches and tournaments on the page: started, watched, held, and their games looked at."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

expect = pytest.importorskip("playwright.sync_api").expect

NewPage = Callable


def begin(page, *players: str, follow: bool, games: int = 2) -> None:
    """Start an event of Connect Four."""
    page.locator('select[name="game"]').select_option("connect-four")
    for box in page.locator('input[name="player"]').all():
        box.set_checked(box.get_attribute("value") in players)
    page.locator('select[name="games"]').select_option(str(games))
    page.locator('select[name="time"]').select_option("200n")
    page.get_by_label("Slow enough").set_checked(follow)
    page.get_by_role("button", name="Start").click()


def test_a_match_from_its_start_to_the_analysis_of_a_game(new_page: NewPage) -> None:
    page = new_page("#/watch")
    begin(page, "beginner", "random", follow=False)
    expect(page.locator(".event-facts")).to_contain_text("2 of 2 games")
    page.get_by_role("button", name=re.compile("^beginner against random")).click()
    games = page.locator(".recent.games a")
    expect(games).to_have_count(2)
    games.first.click()
    expect(page.locator(".tree button").first).to_be_visible()
    page.get_by_role("button", name="First position").click()
    expect(page.locator(".said")).to_contain_text("The first position")
    page.get_by_role("link", name="Watch").click()
    expect(page.locator(".recent a").first).to_contain_text("finished")


def test_a_match_is_held_stepped_and_let_go(new_page: NewPage) -> None:
    page = new_page("#/watch")
    begin(page, "beginner", "random", follow=True, games=100)  # not over before somebody looks
    board = page.locator(".live-board")
    expect(board.locator(".fg-place").first).to_be_attached()
    page.get_by_role("button", name="Pause").click()
    step = page.get_by_role("button", name="One move")
    expect(step).to_be_visible()
    said = board.locator(".note[role=status]")
    expect(said).to_have_text(re.compile(r"^\d+\."))
    for _ in range(2):
        before = said.inner_text()
        step.click()
        expect(said).not_to_have_text(before)
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Continue")).to_be_visible()


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 360)])
def test_no_barrier_in_events_that_axe_knows(new_page: NewPage, scheme: str, width: int) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="pip install axe-playwright-python")
    page = new_page("#/watch", color_scheme=scheme, width=width)
    expect(page.get_by_role("button", name="Start")).to_be_visible()
    found = {"list": axe.Axe().run(page)}
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    begin(page, "beginner", "random", "monte-carlo", follow=False)
    expect(page.locator(".event-facts")).to_contain_text("6 of 6 games")
    page.locator("button.cell").first.click()
    expect(page.locator(".recent.games a").first).to_be_visible()
    found["event"] = axe.Axe().run(page)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    assert {name: one.generate_report() for name, one in found.items() if one.violations_count} == {}

"""The search microscope in a real browser: its counts are the kernel's own, and it can be used by keyboard alone."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

import forgeron
from forgeron.analysis.microscope.microscope import count_nodes
from forgeron.analysis.microscope.subject import ALPHABETA, IDEAS, Subject

expect = pytest.importorskip("playwright.sync_api").expect

NewPage = Callable


def open_microscope(new_page: NewPage, game: str = "connect-four", **more):
    page = new_page(f"#/understand/{game}", **more)
    expect(page.locator(".scope-left .note")).to_contain_text("plays")
    return page


def test_the_counts_are_those_of_the_kernel(new_page: NewPage, connect_four: str) -> None:
    page = open_microscope(new_page)
    subject = Subject.of(ALPHABETA, [idea.name for idea in IDEAS[ALPHABETA]], 3)
    counted = count_nodes(forgeron.game(connect_four).start(), subject)
    page.get_by_role("button", name="To the end").click()
    nodes = page.locator(".counters dd").first
    expect(nodes).to_have_text(f"{counted.nodes:,}")
    expect(page.locator(".idea.total")).to_contain_text(f"{counted.nodes:,} nodes")
    expect(page.locator(".scope-left .note")).to_contain_text(f"after {counted.nodes:,} nodes")


def test_an_idea_is_switched_off_and_the_tree_grows(new_page: NewPage) -> None:
    page = open_microscope(new_page)
    total = page.locator(".idea.total .idea-cost b")
    expect(total).to_have_text(re.compile(r"^[\d,]+$"))
    before = int(total.inner_text().replace(",", ""))
    switch = page.locator('.idea[data-idea="alphabeta"]').get_by_role("checkbox")
    switch.focus()
    page.keyboard.press("Space")
    expect(switch).to_be_focused()
    expect(switch).not_to_be_checked()
    expect(page.locator('.idea[data-idea="killers"]').get_by_role("checkbox")).to_be_disabled()
    expect(page.locator(".scope-left .note")).to_contain_text("plays")
    expect(total).not_to_have_text(f"{before:,}")
    expect(total).to_have_text(re.compile(r"^[\d,]+$"))
    assert int(total.inner_text().replace(",", "")) > before


def test_steps_by_keyboard(new_page: NewPage) -> None:
    page = open_microscope(new_page)
    count = page.locator(".scope-controls .count")
    expect(count).to_have_text(re.compile(r"^Step 1 of"))
    page.locator("#main").focus()
    page.keyboard.press("ArrowRight")
    expect(count).to_have_text(re.compile(r"^Step 2 of"))
    page.keyboard.press("n")
    expect(page.locator(".saying")).to_contain_text("legal moves")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".saying")).to_contain_text("tries")
    page.keyboard.press("End")
    expect(page.locator(".saying")).to_contain_text("The position is worth")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".saying")).not_to_contain_text("The position is worth")
    page.keyboard.press("Home")
    expect(count).to_have_text(re.compile(r"^Step 0 of"))
    page.keyboard.press("End")
    page.locator(".outline").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".outline-row.now")).to_have_attribute("aria-level", "2")
    expect(page.locator(".way")).to_have_text(re.compile(r"^\d$"))


def test_a_cut_is_explained(new_page: NewPage) -> None:
    page = open_microscope(new_page)
    page.get_by_role("button", name="To the end").click()
    log = page.locator(".log")
    said = page.locator(".saying")
    for _ in range(300):
        if "Cut-off" in said.inner_text():
            break
        page.get_by_role("button", name="One step back").click()
    expect(said).to_contain_text(re.compile("already has|null window|outside the window"))
    expect(log.locator("li").first).to_be_visible()


def test_a_tree_of_simulations(new_page: NewPage) -> None:
    page = open_microscope(new_page)
    page.locator(".pick", has_text="Monte Carlo").click()
    expect(page.locator(".scope-left .note")).to_contain_text("after 200 simulations")
    page.get_by_role("button", name="To the end").click()
    expect(page.locator(".counters dd").first).to_have_text("200")
    expect(page.locator(".outline-row").first).to_contain_text("200")


def test_from_the_analysis_to_its_search_and_back(new_page: NewPage) -> None:
    page = new_page("#/analyse/connect-four")
    page.locator('.fg-place[role="button"]').first.click()
    expect(page.locator(".tree button.now")).to_be_visible()
    page.get_by_role("button", name="Inside a search").click()
    expect(page.locator(".scope-left .note")).to_contain_text("Red plays")
    page.get_by_role("link", name="Analyse this position").click()
    expect(page.locator(".said")).to_contain_text("The first position")


def test_a_search_after_a_throw_that_is_chosen(new_page: NewPage) -> None:
    page = new_page("#/understand/yut")
    page.locator(".saying").get_by_role("button", name="Throws geol, 3 steps").click()
    expect(page.locator(".scope-left .note")).to_contain_text("Red plays s0:3")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_barrier_in_the_microscope(new_page: NewPage, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="pip install axe-playwright-python")
    page = open_microscope(new_page, color_scheme=scheme)
    page.get_by_role("button", name="To the end").click()
    expect(page.locator(".saying")).to_contain_text("The position is worth")
    result = axe.Axe().run(page)
    assert result.violations_count == 0, result.generate_report()


def test_the_microscope_fits_a_phone(new_page: NewPage) -> None:
    page = open_microscope(new_page, width=360, height=740)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360

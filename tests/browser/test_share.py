"""Taking a game elsewhere: by a link, as text, as a picture, and into a report without a server."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import forgeron
from forgeron.arena.entrant import Entrant
from forgeron.arena.event import Terms
from forgeron.arena.executor import in_this_process
from forgeron.arena.journal import Journal
from forgeron.arena.match import Match, play_match
from forgeron.reports.html import to_html
from forgeron.reports.results import results_of

playwright = pytest.importorskip("playwright.sync_api")
expect = playwright.expect

NewPage = Callable


@pytest.fixture
def played(new_page: NewPage):
    """A page with two moves of Yolah."""
    page = new_page("#/new/yolah", permissions=["clipboard-read", "clipboard-write"])
    page.locator(".pick", has_text="Two people here").click()
    page.get_by_role("button", name="Play", exact=True).click()
    for place in ("d5", "b7", "e5", "f5"):
        page.locator(f'.fg-place[data-name="{place}"][role="button"]').click()
    expect(page.locator(".moves li")).to_have_text(["d5:b7", "e5:f5"])
    page.get_by_text("Share", exact=True).click()
    return page


def copied(page, button: str) -> str:
    page.get_by_role("button", name=button).click()
    expect(page.locator(".share-box .note")).to_contain_text("copied")
    return page.evaluate("() => navigator.clipboard.readText()")


def test_a_link_holds_the_whole_game_here_and_in_a_report(played, new_page: NewPage, browser, tmp_path: Path) -> None:
    link = copied(played, "Copy a link")
    other = new_page(link.split("/", 3)[3])
    # A mark of the review may stand behind a move by now.
    expect(other.locator(".tree button")).to_have_text([re.compile("^d5:b7"), re.compile("^e5:f5")])
    signs = other.locator(".tree .seat-mark")
    assert [sign.get_attribute("aria-label") for sign in signs.all()] == ["Black", "White"]
    other.get_by_role("button", name="First position").click()
    expect(other.locator(".said")).to_contain_text("The first position")

    match = Match(Terms.settle("mancala", time="1n"), (Entrant("a", player="random"), Entrant("b", player="random")), 2)
    with Journal(tmp_path / "m.journal", match.settings()) as journal:
        for _ in play_match(match, journal, in_this_process):
            pass
    report = tmp_path / "report.html"
    report.write_text(to_html(results_of(match, journal.records), match.terms.open_game()), encoding="utf-8")
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{report.as_uri()}#{link.split('#', 1)[1]}")
        expect(page.locator("#v-moves li")).to_have_text(["d5:b7", "e5:f5"])
        page.locator("#v-last").click()
        expect(page.locator("#v-board svg").first).to_have_attribute("aria-label", re.compile("^Yolah"))
        with page.expect_download() as download:
            page.locator("#v-film").click()
        assert Path(download.value.path()).read_text(encoding="utf-8").count("<animate") == 4


def test_moves_and_positions_are_copied(played) -> None:
    assert copied(played, "Copy the moves") == "d5:b7 e5:f5"
    assert copied(played, "Copy the position") == str(forgeron.game("yolah").start().play("d5:b7").play("e5:f5"))


def test_boards_and_games_are_saved_as_pictures(played) -> None:
    def saved(button: str) -> bytes:
        with played.expect_download() as download:
            played.get_by_role("button", name=button).click()
        return Path(download.value.path()).read_bytes()

    assert saved("Picture (SVG)").startswith(b"<svg")
    assert saved("Picture (PNG)").startswith(b"\x89PNG")
    film = saved("Game as a moving picture").decode()
    assert film.count("<animate") == 4, "three positions, and the last one for longer"


@pytest.mark.parametrize("address", ["#/analyse/%E0%A4%A", "#/shared/%", "#/shared/AAAA", "#/understand/yolah/%7B/%7B"])
def test_an_address_that_was_cut_off_is_told_and_the_page_goes_on(new_page: NewPage, address: str) -> None:
    page = new_page(address)
    expect(page.locator("#banner")).to_be_visible()
    page.evaluate("() => { location.hash = '#/'; }")
    expect(page.locator("h1").first).to_be_visible()

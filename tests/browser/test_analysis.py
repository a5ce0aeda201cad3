"""The analysis in a real browser: graph, arrows, marks, variations, pasted games, luck apart from skill."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

expect = pytest.importorskip("playwright.sync_api").expect

NewPage = Callable
#: Yellow could win with 4, plays 7 instead, and red wins at once.
THROWN_AWAY = "4 1 4 1 4 1 7 1"


def open_setup(page) -> None:
    """Unfold what positions are set up with, by keyboard: the lines that arrive push it away from under the mouse."""
    expect(page.locator(".fg-board .fg-place").first).to_be_attached()
    page.get_by_text("Set up a position or moves").press("Enter")


def analyse(new_page: NewPage, game: str, moves: str, **more):
    """The analysis of a list of moves, reviewed."""
    page = new_page(f"#/analyse/{game}", **more)
    open_setup(page)
    page.get_by_label("A position, or moves").fill(moves)
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.locator(".tree button")).to_have_count(len(moves.split()))
    expect(page.locator(".graph")).to_be_visible()
    return page


def test_a_blunder_is_marked_explained_and_mended(new_page: NewPage) -> None:
    page = analyse(new_page, "connect-four", THROWN_AWAY)
    blunder = page.locator(".tree button").nth(6)
    expect(blunder).to_contain_text("??")
    blunder.click()
    said = page.locator(".said")
    expect(said).to_contain_text("7. Yellow")
    expect(said).to_contain_text("A blunder")
    page.locator(".better").click()
    expect(page.locator(".tree .variation button.now")).to_contain_text("4")
    expect(said).to_contain_text(re.compile("Yellow wins"))
    expect(page.locator(".bar")).to_have_attribute("aria-label", "Yellow wins: 100 %, proven")


def test_keys_and_the_graph_lead_through_the_game(new_page: NewPage) -> None:
    page = analyse(new_page, "connect-four", THROWN_AWAY)
    now = page.locator(".tree button.now")
    expect(now).to_contain_text("1")
    page.locator("#main").focus()
    page.keyboard.press("Home")
    expect(page.locator(".said")).to_contain_text("The first position")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".said")).to_contain_text("1. Yellow")
    page.keyboard.press("End")
    expect(page.locator(".said")).to_contain_text("8. Red")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".said")).to_contain_text("7. Yellow")
    page.locator(".graph").click()  # in its middle
    expect(page.locator(".said")).to_contain_text("4. Red")
    expect(page.locator(".graph .graph-now")).to_have_count(1)
    expect(page.locator(".graph .graph-mark.worst").first).to_be_attached()


def test_the_best_moves_come_as_lines_and_arrows(new_page: NewPage) -> None:
    page = new_page("#/analyse/yolah")
    expect(page.locator(".lines button")).to_have_count(3)
    expect(page.locator(".fg-arrow")).to_have_count(3)
    expect(page.locator(".note").first).to_contain_text("Depth")
    page.locator(".lines button").first.click()
    expect(page.locator(".tree button")).to_have_count(1)
    expect(page.locator(".said")).to_contain_text("1. Black")


def test_a_proven_win_is_marked(new_page: NewPage) -> None:
    page = analyse(new_page, "connect-four", "4 1 4 1 4 1")
    expect(page.locator(".lines b").first).to_have_text("100 % ✓")
    expect(page.locator(".bar")).to_have_class(re.compile("proven"))


def test_luck_is_shown_apart_from_skill(new_page: NewPage) -> None:
    page = analyse(new_page, "yut", "t3 s0:3 t2 s0:2 t5 t1 s0:5 s5:1")
    sides = page.locator(".sides")
    expect(sides).to_contain_text("Luck")
    expect(sides.locator("tbody tr")).to_have_count(2)
    luck = [text.replace("−", "-") for text in sides.locator("tbody td:last-child").all_inner_texts()]
    assert int(luck[0].split()[0]) == -int(luck[1].split()[0])
    expect(page.locator(".graph .graph-luck")).to_have_count(1)
    page.locator(".tree button", has_text="t5").click()
    expect(page.locator(".said")).to_contain_text(re.compile(r"Luck: this throw (brings|costs) Red [\d.]+ %"))


def test_a_position_is_pasted_and_nonsense_is_refused(new_page: NewPage) -> None:
    page = new_page("#/analyse/yolah")
    open_setup(page)
    field = page.get_by_label("A position, or moves")
    field.fill("nonsense")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.locator(".said")).to_contain_text("neither a position nor a list of moves of Yolah")
    field.fill("xwxwb2x/xxwxxxbx/bxxxx1xx/xx1xxx2/wx1xx3/x1x5/b1x5/xx3x1x:b:15:15")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.locator(".said")).to_contain_text("Black to move")
    expect(page.locator('.fg-place[data-name="a2"][role="button"]')).to_be_visible()


def test_a_throw_that_changes_nothing_is_one_button(new_page: NewPage) -> None:
    page = new_page("#/analyse/yut")
    open_setup(page)
    page.get_by_label("A position, or moves").fill("0,0,0,0/0,0,0,0:r:-1")
    page.get_by_role("button", name="Show", exact=True).click()
    page.get_by_role("button", name="Back-do changes nothing").click()
    expect(page.locator(".said")).to_contain_text("Blue to throw")


def set_up(new_page: NewPage, game: str):
    """The analysis of a game, about to set up a position by hand."""
    page = new_page(f"#/analyse/{game}")
    expect(page.locator("svg.fg-svg").first).to_be_visible()  # before the board is there, there is nothing to set up
    open_setup(page)
    page.get_by_role("button", name="Set up by hand").click()
    expect(page.locator(".editor .note")).to_have_text("This is a position of the game.")
    return page


def test_a_position_is_set_up_by_hand(new_page: NewPage) -> None:
    page = set_up(new_page, "yolah")
    note, use = page.locator(".editor .note"), page.get_by_role("button", name="Analyse this position")
    page.locator(".pick", has_text="Take off").click()
    page.locator('.fg-place[data-name="d5"]').click()
    expect(note).to_contain_text("each side has four pieces")
    expect(use).to_be_disabled()
    page.locator(".pick", has_text="Black piece").click()
    page.locator('.fg-place[data-name="c6"]').click()
    page.locator(".pick", has_text="Hole").click()
    page.locator('.fg-place[data-name="d6"]').click()
    page.locator(".editor .pick", has_text="White").last.click()
    expect(note).to_have_text("This is a position of the game.")
    use.click()
    expect(page.locator(".said")).to_contain_text("White to move")
    expect(page.locator(".fg-layer-pieces, .stage svg").first).to_have_attribute("aria-label", re.compile("c6"))
    expect(page.locator(".lines button").first).to_be_visible()


@pytest.mark.parametrize(
    ("game", "brush", "place"), [("yinsh", "Black marker", "E5"), ("mancala", "− red", "3"), ("yut", "Red piece", "12")]
)
def test_the_other_games_are_set_up_by_hand(new_page: NewPage, game: str, brush: str, place: str) -> None:
    page = set_up(new_page, game) if game != "yinsh" else new_page("#/analyse/yinsh")
    if game == "yinsh":  # its first position has no rings on the board, and so is none in which a ring moves
        expect(page.locator('.fg-place[role="button"]').first).to_be_visible()
        open_setup(page)
        page.get_by_role("button", name="Set up by hand").click()
        for ring, row in (("White ring", 3), ("Black ring", 8)):
            page.locator(".pick", has_text=ring).click()
            for column in "DEFGH":
                page.locator(f'.fg-place[data-name="{column}{row}"]').click()
    page.locator(".pick", has_text=brush).click()
    page.locator(f'.fg-place[data-name="{place}"]').click()
    expect(page.locator(".editor .note")).to_have_text("This is a position of the game.")
    page.get_by_role("button", name="Analyse this position").click()
    expect(page.locator(".editor")).to_have_count(0)
    expect(page.locator(".said")).to_contain_text("to ")


@pytest.mark.parametrize("width", [360, 1280])
def test_the_analysis_is_no_wider_than_the_screen(new_page: NewPage, width: int) -> None:
    page = analyse(new_page, "connect-four", THROWN_AWAY, width=width)
    page.locator(".tree button").nth(6).click()
    expect(page.locator(".better")).to_be_visible()
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_barrier_in_the_analysis(new_page: NewPage, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="pip install axe-playwright-python")
    page = analyse(new_page, "connect-four", THROWN_AWAY, color_scheme=scheme)
    page.locator(".tree button").nth(6).click()
    expect(page.locator(".better")).to_be_visible()
    result = axe.Axe().run(page)
    assert result.violations_count == 0, result.generate_report()

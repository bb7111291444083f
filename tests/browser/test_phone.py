"""Tests of a table on a phone."""

import pytest
from playwright.sync_api import Page, expect

from bench.layout_checks import SCRIPT
from tests.browser.conftest import EXACT, Visit
from tests.browser.page_actions import (
    OPTIONS,
    load_golden_record,
    post_form,
    upload,
    version,
    wait_until_asked,
    wait_until_moved,
)

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "device_scale_factor": EXACT}
ABOVE = """() => {
  const asked = document.getElementById("question").getBoundingClientRect();
  return document.querySelector(".rail.asks").getBoundingClientRect().top - asked.top;
}"""


def open_table_with_bots(page: Page, id: str, seats: int) -> None:
    """Open a table with a person and bots."""
    form = {"game": id, "seats": str(seats), "device": "own", "kind0": "me", "player": "Miriam"}
    form |= {f"kind{seat}": "bot" for seat in range(1, seats)} | {f"bot{seat}": "novice" for seat in range(1, seats)}
    post_form(page, "/new", form | {"visibility": "link", "pace": "untimed", "undo": "on", "hints": "on"})
    assert wait_until_asked(page)


@pytest.mark.parametrize(("id", "language"), [("evangelists", "en"), ("evangelists", "fr"), ("portals", "en")])
def test_three_chips_and_the_title_fit_a_phone(open_page: Visit, id: str, language: str) -> None:
    """The longest title fits in the bar next to the turn, and points do not break any of three names."""
    page = open_page(locale=language, **PHONE)
    open_table_with_bots(page, id, 3)
    for points in page.locator(".player .pts").all():
        points.evaluate("one => { one.textContent = '138'; }")
    for name in page.locator(".player .name").all():
        name.evaluate("one => { one.firstChild.data = 'Priscilla'; }")
    expect(page.locator(".turnchip").first).to_be_visible()
    wrong: list[str] = page.evaluate(SCRIPT, [True, ["#question"]])
    assert not [what for what in wrong if what.startswith(("cut", "broken", "spills"))]


def test_tab_labels_fit_the_narrowest_phone(open_page: Visit) -> None:
    """In French one of the tab labels is twice as long as in English, but none overlaps another."""
    page = open_page(locale="fr", **{**PHONE, "viewport": {"width": 320, "height": 640}})
    open_table_with_bots(page, "missionnaires", 2)
    doors = page.locator(".thumb > [role=radiogroup]").first.locator("label:visible")
    assert doors.count() == 6
    wide = "all => all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.innerText)"
    assert doors.evaluate_all(wide) == []


def test_a_short_phone_has_the_board_behind_a_button(open_page: Visit) -> None:
    """On a short phone the decision fills the screen, and a tap shows the board.

    Fingers pinch, so there are no zoom buttons.
    """
    page = open_page(**{**PHONE, "viewport": {"width": 360, "height": 640}})
    open_table_with_bots(page, "evangelists", 2)
    board, decision = page.locator("#board"), page.locator("#decide")
    expect(board).to_be_hidden()
    expect(decision).to_be_visible()
    page.locator("label:has(#door-board)").tap()
    expect(decision).to_be_hidden()
    expect(board).to_be_visible()
    box = board.bounding_box()
    assert box is not None
    assert box["height"] > 300
    expect(page.locator("#board .zoom")).to_be_hidden()
    page.set_viewport_size({"width": 390, "height": 844})  # a taller phone shows both
    expect(board).to_be_visible()
    expect(decision).to_be_visible()


def test_a_tap_on_points_opens_the_score_sheet(open_page: Visit) -> None:
    page = open_page(**PHONE)
    open_table_with_bots(page, "portals", 3)
    page.locator(".player .pts").nth(1).tap()
    expect(page.locator(".pane.score")).to_be_visible()
    grounds = "all => all.map(one => getComputedStyle(one).backgroundColor)"
    _, _, pressed, other = page.locator(".pane.score .sum > *").evaluate_all(grounds)
    assert pressed != other


def test_the_next_question_is_read_from_its_beginning(open_page: Visit) -> None:
    """A player who has scrolled to the last option and taps it sees the next question."""
    page = open_page(**PHONE)
    open_table_with_bots(page, "portals", 3)
    before = version(page)
    last = page.locator(OPTIONS).last
    last.scroll_into_view_if_needed()
    assert page.evaluate(ABOVE) > 0  # the first question is not visible
    last.tap()
    wait_until_moved(page, before)
    expect(page.locator("#question")).to_be_focused()
    assert page.evaluate(ABOVE) <= 0


def test_past_moves_are_controlled_on_a_phone(open_page: Visit) -> None:
    """The replay controls are above the board, with large buttons, and the title fits next to the move."""
    page = open_page(**PHONE)
    upload(page, load_golden_record("evangelists"))
    page.goto(f"{page.url}/positions/10")
    machine = page.get_by_role("navigation", name="Replay")
    for name in ("Go to the start", "Previous move", "Next move"):
        box = machine.get_by_label(name, exact=True).bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44
    wrong: list[str] = page.evaluate(SCRIPT, [True, ["#question"]])
    assert not wrong
    machine.get_by_label("Next move", exact=True).tap()
    page.wait_for_url("**/positions/11*")
    machine.get_by_role("link", name="Now").tap()
    page.wait_for_url(lambda address: "/positions/" not in address)
    expect(page.locator("section.result")).to_be_visible()


def test_reasons_appear_where_they_are_opened(open_page: Visit) -> None:
    """The refusals at the end of the panel scroll into view with the first reason when they are unfolded."""
    page = open_page(**PHONE)
    open_table_with_bots(page, "portals", 3)
    before = version(page)
    page.locator(OPTIONS).first.tap()
    wait_until_moved(page, before)
    assert wait_until_asked(page)
    fold = page.locator("#decision details", has_text="not allowed now")
    fold.locator("> summary").tap()
    expect(fold.locator("li.refused").first).to_be_in_viewport(ratio=1)


def test_islands_are_named_where_the_map_has_room(open_page: Visit) -> None:
    """Islands are named only where there is room: on a phone Fair Havens (Crete) would overlap Salamis (Cyprus)."""
    page = open_page(**PHONE)
    open_table_with_bots(page, "evangelists", 3)
    names = page.locator(".ae-map .wl", has_text="Fair Havens (Crete)")
    expect(names).to_have_count(1)
    expect(names.locator(".island")).to_be_hidden()
    page.set_viewport_size({"width": 1366, "height": 768})
    expect(names.locator(".island")).to_be_visible()


def test_a_table_is_opened_from_anywhere_on_the_long_page(open_page: Visit) -> None:
    """Every setting has a default, so the button is visible at any scroll position."""
    page = open_page(**PHONE)
    page.goto("/new?game=portals")
    button = page.get_by_role("button", name="Create table")
    for place in (0, 1200, 99_999):
        page.evaluate("place => scrollTo(0, place)", place)
        expect(button).to_be_in_viewport(ratio=1)
    page.locator("#me").fill("Miriam")
    button.tap()
    page.wait_for_url("**/tables/*")

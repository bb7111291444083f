"""A table under the thumb: what a person with a phone sees after a tap."""

import pytest
from playwright.sync_api import Page, expect

from bench.measure import SCRIPT
from tests.browser.conftest import EXACT, Visit
from tests.browser.play import OPTIONS, asked, moved_on, posted, version

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "device_scale_factor": EXACT}
ABOVE = """() => {
  const asked = document.getElementById("question").getBoundingClientRect();
  return document.querySelector(".rail.asks").getBoundingClientRect().top - asked.top;
}"""


def with_bots(page: Page, id: str, seats: int) -> None:
    """A table with a person and bots."""
    form = {"title": id, "seats": str(seats), "device": "own", "kind0": "me", "player": "Miriam"}
    form |= {f"kind{seat}": "bot" for seat in range(1, seats)} | {f"bot{seat}": "novice" for seat in range(1, seats)}
    posted(page, "/new", form | {"shown": "link", "pace": "free", "undo": "on", "hints": "on"})
    assert asked(page)


@pytest.mark.parametrize(("id", "language"), [("evangelists", "en"), ("evangelists", "fr"), ("portals", "en")])
def test_three_chips_and_the_title_fit_a_phone(visit: Visit, id: str, language: str) -> None:
    """The longest title stands in the bar beside whose turn it is, and no name of three is broken by its points."""
    page = visit(locale=language, **PHONE)
    with_bots(page, id, 3)
    for points in page.locator(".player .pts").all():
        points.evaluate("one => { one.textContent = '138'; }")
    for name in page.locator(".player .name").all():
        name.evaluate("one => { one.firstChild.data = 'Priscilla'; }")
    expect(page.locator(".turnchip").first).to_be_visible()
    wrong: list[str] = page.evaluate(SCRIPT, [True, ["#question"]])
    assert not [what for what in wrong if what.startswith(("cut", "broken", "spills"))]


def test_the_next_question_is_read_from_its_beginning(visit: Visit) -> None:
    """Who has scrolled the sheet to its last option and taps it sees the question that follows."""
    page = visit(**PHONE)
    with_bots(page, "portals", 3)
    before = version(page)
    last = page.locator(OPTIONS).last
    last.scroll_into_view_if_needed()
    assert page.evaluate(ABOVE) > 0  # the first question is out of sight
    last.tap()
    moved_on(page, before)
    expect(page.locator("#question")).to_be_focused()
    assert page.evaluate(ABOVE) <= 0

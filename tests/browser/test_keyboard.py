"""Tests of the keyboard: tab stops, arrow keys inside groups, number keys, and the focus."""

import time

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect

from tests.browser.axe import find_accessibility_problems
from tests.browser.conftest import EXACT, Visit
from tests.browser.page_actions import KEPT_OPEN, OPTIONS, open_table, version, wait_until_asked, wait_until_moved
from tests.slow import mark_slow_except
from triclinium import list_games

SOME = mark_slow_except(list_games(), "evangelists", "portals")
SCREENS = ((390, 844), (820, 1180), (1280, 800), (1366, 768), (1440, 900))
AT = "() => { const at = document.activeElement; return [at.id, at.closest('[data-roves]')?.id ?? '', at.value ?? ''] }"
LABEL = "() => document.activeElement.getAttribute('aria-label') ?? ''"
# Letters within a second are combined, and a busy machine may need longer for three of them.
TYPED = """(word) => [...word].forEach((key) => document.activeElement.dispatchEvent(
  new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })))"""
IN_SIGHT = """() => {
  const box = document.querySelector("#decision button.option").getBoundingClientRect();
  const frame = document.getElementById("decide").getBoundingClientRect();
  const wide = document.documentElement.scrollWidth > innerWidth;
  return box.top >= frame.top && box.bottom <= Math.min(frame.bottom, innerHeight) && !wide;
}"""


def describe_focus(page: Page) -> tuple[str, str, str]:
    """Return the focused element: its id, its group and its value."""
    id, group, value = page.evaluate(AT)
    return id, group, value


def tab_to_option(page: Page) -> int:
    """Return the number of tab stops before the first option."""
    for stops in range(20):
        page.keyboard.press("Tab")
        if page.evaluate(f"() => document.activeElement.matches('{OPTIONS}')"):
            return stops
    raise AssertionError("no option within twenty stops")


def open_asked_table(visit: Visit, id: str, **how: object) -> Page:
    page = visit(reduced_motion="reduce", **how)
    open_table(page, id)
    assert wait_until_asked(page)
    return page


@pytest.mark.parametrize("id", SOME)
def test_the_board_has_few_tab_stops_and_arrow_keys(open_page: Visit, id: str) -> None:
    """At most four visible tab stops come before the first option. The board is one stop, and arrows move inside it."""
    page = open_asked_table(open_page, id, device_scale_factor=EXACT)
    assert tab_to_option(page) <= 4
    page.keyboard.press("b")
    seen = set()
    for key in ("End", "Home", *("ArrowRight", "ArrowDown") * 4, "ArrowLeft", "ArrowUp"):
        page.keyboard.press(key)
        assert describe_focus(page)[1] == "board"
        seen.add(page.evaluate(LABEL))
    assert len(seen) > 3
    stops = page.locator("#board :is(button, [tabindex])").evaluate_all(
        "all => all.filter(one => one.tabIndex >= 0 && one.checkVisibility()).length"
    )
    assert stops == 1
    page.keyboard.press("Tab")
    assert describe_focus(page)[1] != "board"
    page.keyboard.press("Shift+Tab")
    assert describe_focus(page)[1] == "board"
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(IN_SIGHT), f"{width}x{height}"


def test_updates_keep_the_focus(open_page: Visit) -> None:
    """A new event or message does not move the focus, even if the script shows another part of the page."""
    page = open_asked_table(open_page, "evangelists")
    nearer = page.locator("#board [data-zoom=in]")
    nearer.focus()
    tab = page.context.new_page()
    tab.goto(page.url)
    tab.locator(".tabbar").get_by_text("Chat").click()
    tab.locator("#say").fill("Peace")
    tab.get_by_role("button", name="Send").click()
    expect(page.locator(".says")).to_contain_text("Peace")
    expect(nearer).to_be_focused()
    news_are_faster_than_the_answer(page, tab)


def news_are_faster_than_the_answer(page: Page, tab: Page) -> None:
    """Check that the focus is on the question when the event arrives before the response to the move."""
    tab.locator("#say").fill("Peace again")
    acts: list[Route] = []
    page.route("**/move", lambda route: acts.append(route))
    before = version(page)
    page.keyboard.press("1")
    until = time.monotonic() + 30.0
    while not acts:  # wait until the move has been sent
        assert time.monotonic() < until
        page.wait_for_timeout(20)
    answer = acts[0].fetch(max_retries=KEPT_OPEN)
    tab.get_by_role("button", name="Send").click()
    wait_until_moved(page, before)
    acts[0].fulfill(response=answer)
    expect(page.locator("#question")).to_be_focused()


def test_updates_requested_before_a_move_do_not_revert_it(open_page: Visit) -> None:
    page = open_asked_table(open_page, "evangelists")
    tab = page.context.new_page()
    tab.goto(page.url)
    asked: list[tuple[Route, APIResponse]] = []
    page.route(page.url, lambda route: asked.append((route, route.fetch(max_retries=KEPT_OPEN))), times=1)
    tab.locator(".tabbar").get_by_text("Chat").click()
    tab.locator("#say").fill("Peace")
    tab.get_by_role("button", name="Send").click()
    until = time.monotonic() + 30.0
    while not asked:  # wait until the page from before the move is requested, and hold it back
        assert time.monotonic() < until
        page.wait_for_timeout(20)
    before = version(page)
    page.keyboard.press("1")
    wait_until_moved(page, before)
    route, answer = asked[0]
    route.fulfill(response=answer)
    expect(page.locator(".says")).to_contain_text("Peace")
    assert version(page) != before


def test_shortcuts_navigate_and_play(open_page: Visit) -> None:
    how = {"seen": True, "bypass_csp": True, "device_scale_factor": EXACT}  # axe is a foreign script
    page = open_asked_table(open_page, "evangelists", **how)
    before = version(page)
    for key, group in (("m", "own"), ("s", "seats"), ("l", "log")):
        page.keyboard.press(key)
        assert group in describe_focus(page)
    page.keyboard.press("d")
    expect(page.locator("#question")).to_be_focused()
    page.keyboard.press("c")
    page.keyboard.type("1 d")  # in a text field a key is a letter
    expect(page.locator("#say")).to_have_value("1 d")
    page.locator("#question").focus()
    page.keyboard.press("?")
    expect(page.get_by_role("button", name="Close")).to_be_focused()
    assert find_accessibility_problems(page, context="#keys") == []
    page.keyboard.press("1")  # a dialog blocks the number keys
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()
    assert version(page) == before
    page.keyboard.press("b")
    page.evaluate(TYPED, "rom")
    assert describe_focus(page)[2] == "start rome"
    page.keyboard.press("Enter")
    wait_until_moved(page, before)
    expect(page.locator("#question")).to_be_focused()


def test_keys_can_be_turned_off(open_page: Visit) -> None:
    """When keyboard shortcuts are off (WCAG 2.1.4), single letters and numbers do nothing.

    Arrows and Tab still work.
    """
    page = open_asked_table(open_page, "evangelists")
    page.keyboard.press("?")
    page.get_by_role("button", name="Turn keyboard shortcuts off").click()
    page.wait_for_selector("body[data-keys=off]")
    assert not page.locator(".option kbd").count()
    before = version(page)
    for key in ("d", "m", "1", "u", "?"):
        page.keyboard.press(key)
    assert describe_focus(page)[:2] == ("", "")
    assert version(page) == before
    assert tab_to_option(page) <= 4


def test_undo_and_why_not_by_letter(open_page: Visit) -> None:
    page = open_asked_table(open_page, "evangelists")
    refusals = page.locator("#decision .refused")
    for _ in range(30):
        undo = page.get_by_role("button", name="Undo")
        if undo.count() and refusals.count():
            break
        before = version(page)
        page.keyboard.press("1")
        wait_until_moved(page, before)
        assert wait_until_asked(page)
    page.keyboard.press("w")
    assert page.locator("#decision details.more[open]").count() == 1
    expect(refusals.first.locator("a")).to_be_focused()
    before = version(page)
    page.keyboard.press("u")
    wait_until_moved(page, before)
    expect(page.locator("#question")).to_be_focused()

"""Tests of rules inside pages, and of the gallery of components, in a browser."""

from playwright.sync_api import expect

from tests.browser.axe import find_accessibility_problems
from tests.browser.conftest import EXACT, Visit
from tests.browser.page_actions import load_golden_record, upload
from triclinium.boardkit.kind_lookup import map_kinds_by_name
from triclinium.engine.registry import load_game
from triclinium.web.pages.component_gallery import matches_filters


def test_a_rule_opens_at_its_number_and_keeps_the_table_in_place(open_page: Visit) -> None:
    """A rule opens at its number by mouse and by keyboard. Escape closes it and restores the focus."""
    page = open_page()
    upload(page, load_golden_record("evangelists"))
    link = page.locator("#log a.r").first
    number = link.inner_text()
    link.click()
    opened = page.locator(".ruled")
    expect(opened).to_contain_text(number)
    expect(opened).to_be_focused()
    expect(link).to_have_attribute("aria-expanded", "true")
    assert "/tables/" in page.url
    page.keyboard.press("Escape")
    expect(opened).to_have_count(0)
    expect(link).to_be_focused()
    link.press("Enter")
    opened.get_by_role("link", name="In the rules").click()
    page.wait_for_url("**/rules/evangelists**")
    page.get_by_role("link", name="Back to table").click()
    page.wait_for_url("**/tables/*")


def test_the_box_is_sorted_at_once_and_has_no_faults(open_page: Visit) -> None:
    page = open_page(seen=True, viewport={"width": 360, "height": 800}, color_scheme="dark", device_scale_factor=EXACT)
    page.goto("/rules/portals/components?kind=card&deck=genesis")
    page.get_by_label("Royalty").check()
    page.wait_for_url("**sign=royalty**")
    kind = map_kinds_by_name(load_game("portals"))["card"]
    sorted_out = [
        n for n in range(len(kind.ids)) if matches_filters(kind, n, {"deck": {"genesis"}, "sign": {"royalty"}})
    ]
    expect(page.locator(".faces > li")).to_have_count(len(sorted_out))
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert find_accessibility_problems(page) == []
    page.locator(".faces a").first.click()
    page.wait_for_url("**/components/card/**")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert find_accessibility_problems(page) == []

"""Tests of the page of an evening in a browser: live updates, the keyboard, accessibility, and narrow windows."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import find_accessibility_problems
from tests.browser.conftest import Visit
from tests.slow import slow

WIDTHS = ((360, 640), (1440, 900))


def open_evening(page: Page, name: str) -> str:
    """Open an evening as its host and return its path."""
    page.goto("/evenings")
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Open the evening").click()
    page.wait_for_url(re.compile("/evening/"))
    return page.url[page.url.index("/evening/") :]


def join_evening(page: Page, path: str, name: str) -> None:
    page.goto(path)
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Join the evening").click()
    expect(page.get_by_text("You wait for the next round.")).to_be_visible()


def count_sideways_pixels(page: Page) -> int:
    found: int = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return found


@pytest.mark.parametrize(("width", "height"), [WIDTHS[0], slow(*WIDTHS[1])])
def test_pages_update_by_themselves_and_are_accessible(open_page: Visit, width: int, height: int) -> None:
    host, guest = (open_page(seen=True, viewport={"width": width, "height": height}) for _ in range(2))
    path = open_evening(host, "Miriam")
    join_evening(guest, path, "Benedictus")
    expect(host.get_by_role("heading", name="Seating for round 1")).to_be_visible()
    expect(host.locator("#guest2")).to_contain_text("Benedictus")  # the page of the host has updated itself
    host.locator("#by-hand summary").click()
    host.locator("#adding summary").click()
    for page, who in ((host, "host"), (guest, "guest")):
        assert not find_accessibility_problems(page, who)
        assert count_sideways_pixels(page) <= 0
    host.get_by_role("textbox", name="Name").fill("Ruf")
    guest.get_by_role("button", name="Pause").click()
    expect(host.locator("#guest2")).to_contain_text("has paused")
    expect(host.get_by_role("textbox", name="Name")).to_have_value("Ruf")  # an update leaves what is typed
    assert host.locator("#by-hand").get_attribute("open") is not None
    guest.get_by_role("button", name="Here again").click()
    button = host.get_by_role("button", name="Start round 1", exact=True)
    expect(button).to_be_visible()
    button.focus()
    host.keyboard.press("Enter")
    expect(guest.get_by_role("link", name="Go to your table")).to_be_visible()
    for page, who in ((host, "host"), (guest, "guest")):
        assert not find_accessibility_problems(page, who)
        assert count_sideways_pixels(page) <= 0
    guest.get_by_role("link", name="Go to your table").click()
    guest.wait_for_url(re.compile("/tables/"))
    expect(guest.locator(f"a[href='{path}']").first).to_be_attached()

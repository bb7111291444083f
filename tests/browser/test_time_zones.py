"""Tests of times in a browser: in the reader's zone, by the script on the first page and then by the server."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.slow import slow

NO_COOKIES = "Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set: () => {} })"


def normalize_spaces(text: str | None) -> str:
    """Return the text with normal spaces, because server and browser use different ones before AM."""
    return " ".join((text or "").split())


@pytest.mark.parametrize(("zone", "hours"), [("Asia/Tokyo", 9.0), slow("America/New_York", None)])
def test_times_are_in_the_readers_time_zone(open_page: Visit, zone: str, hours: float | None) -> None:
    page = open_page(timezone_id=zone, locale="en-GB")
    page.goto("/")
    assert f"zone={zone}" in page.evaluate("document.cookie")
    page.get_by_role("button", name="Play against Novice").first.click()
    page.wait_for_url("**/tables/*")
    page.locator(".tabbar").get_by_text("Chat").click()
    page.locator("form[data-keeps=message] input[name=text]").fill("good evening")
    page.get_by_role("button", name="Send").click()
    told = page.locator(".chat time").last
    expect(told).to_have_text(re.compile(r"^\d+:\d\d\s[AP]M$"))
    expected = told.evaluate(
        "(time) => new Intl.DateTimeFormat('en', { timeStyle: 'short' }).format(new Date(time.dateTime))"
    )
    assert normalize_spaces(told.text_content()) == normalize_spaces(expected)
    exact = told.get_attribute("datetime")
    assert exact is not None
    if hours is not None:  # in a zone without daylight saving time, the test computes the offset itself
        minutes = int(exact[11:13]) * 60 + int(exact[14:16]) + int(hours * 60)
        hour = minutes // 60 % 24
        assert normalize_spaces(expected) == f"{hour % 12 or 12}:{minutes % 60:02} {'PM' if hour >= 12 else 'AM'}"
    # A server that does not know the zone, or lacks its data, writes UTC, and the script rewrites it.
    page.context.add_init_script(NO_COOKIES)
    page.context.clear_cookies(name="zone")
    page.reload()
    page.locator(".tabbar").get_by_text("Chat").click()
    expect(page.locator(".chat time[data-utc]").last).to_have_text(expected)

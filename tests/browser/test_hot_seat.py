"""Tests of a table at one shared device with scripts: errors are shown to the player, and hidden hands stay covered."""

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.page_actions import uncover_table, upload
from tests.matches import RECORDS
from triclinium import Record


def test_an_error_is_shown_at_the_table_and_on_the_cover(open_page: Visit) -> None:
    page = open_page()
    upload(page, Record.loads((RECORDS / "portals" / "3.rec").read_text(encoding="utf-8"), "3.rec").truncate(4))
    uncover_table(page)
    seat = page.locator("#decision input[name=seat]")
    page.locator("#decision input[name=version]").evaluate("one => { one.value = '1' }")
    page.locator("#decision button.option").first.click()
    expect(page.locator("#decide [role=alert]")).to_be_visible()
    expect(page.locator("#decision button.option").first).to_be_visible()
    seat.evaluate("one => { one.value = String((Number(one.value) + 1) % 3) }")
    page.locator("#decision button.option").first.click()
    expect(page.locator("main.cover [role=alert]")).to_be_visible()
    expect(page.locator("#decision")).to_have_count(0)
    uncover_table(page)
    expect(page.locator("#decision button.option").first).to_be_visible()

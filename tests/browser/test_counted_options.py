"""Tests of several discards at once: counters on the page, number keys, and one click that sends all."""

from playwright.sync_api import Page, expect

from tests.boardkit.test_counted_options import find_discards
from tests.browser.conftest import Visit
from tests.browser.page_actions import uncover_table, upload, version, wait_until_moved


def read_counts(page: Page) -> list[int]:
    return [int(text) for text in page.locator(".k-count output").all_text_contents()]


def test_several_goods_are_discarded_at_once(open_page: Visit) -> None:
    """IE-2.18  Number keys and clicks on the table add one good each, and the record contains single options."""
    record, total = find_discards(2)
    page = open_page(reduced_motion="reduce")
    upload(page, record)
    uncover_table(page)
    confirm = page.locator(".k-counted > .option")
    expect(page.locator("#decision .k-offers .option:visible")).to_have_count(0)
    expect(confirm).to_be_disabled()
    expect(confirm).to_contain_text(f"0 of {total} chosen")
    page.keyboard.press("1")
    assert sum(read_counts(page)) == 1
    page.locator(".k-count .fewer").first.click()
    assert sum(read_counts(page)) == 0
    page.locator(".campsec button.choose.can").first.click()  # click a good in the Camp itself
    for _ in range(total):
        for key in range(1, page.locator(".k-count").count() + 1):
            page.keyboard.press(str(key))
    assert sum(read_counts(page)) == total  # no more than that
    expect(confirm).to_be_focused()
    before = version(page)
    page.keyboard.press("Enter")
    wait_until_moved(page, before)
    assert int(version(page)) >= int(before) + 2
    expect(page.locator(".k-counted")).to_have_count(0)

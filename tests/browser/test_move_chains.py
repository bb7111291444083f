"""Tests of several steps by one click: a distant place shows its way on hover, and a click moves there."""

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.page_actions import KEPT_OPEN, read_csrf_token, version, wait_until_moved
from tests.browser.test_keyboard import open_asked_table


def test_a_distant_place_is_reached_and_one_undo_returns(open_page: Visit) -> None:
    page = open_asked_table(open_page, "portals")
    before = version(page)
    page.keyboard.press("1")  # The first option places the pawn.
    wait_until_moved(page, before)
    expect(page.locator("#question")).to_be_focused()  # the bot has moved, and the player's move has been answered
    expect(page.locator(".spot.far").first).to_be_attached()
    far = page.locator(".spot.far > button[value*='; ']").first
    way = far.get_attribute("value") or ""
    numbers = page.locator(f'.k-way[data-way="{way}"]')
    expect(numbers).to_be_hidden()
    far.focus()
    expect(numbers).to_be_visible()
    page.request.post(f"{page.url}/chat", form={"csrf": read_csrf_token(page), "text": "Peace"}, max_retries=KEPT_OPEN)
    expect(page.locator(".says")).to_contain_text("Peace")  # The log has the new event.
    expect(far).to_be_focused()
    expect(numbers).to_be_visible()
    assert numbers.locator("text").count() == len(way.split("; "))
    before = version(page)
    page.keyboard.press("Enter")
    wait_until_moved(page, before)
    assert int(version(page)) >= int(before) + len(way.split("; "))
    expect(page.locator(".pawn.mine")).to_have_attribute("data-place", way.split()[-1])
    before = version(page)
    page.keyboard.press("u")
    wait_until_moved(page, before)
    # Two circles may be reachable with the same move.
    expect(page.locator(f'.spot.far > button[value="{way}"]').first).to_be_attached()


def test_a_key_searches(open_page: Visit) -> None:
    """Typed text filters the options, and Escape shows all of them again."""
    page = open_asked_table(open_page, "portals")
    options = page.locator("#decision .k-offers .option:visible")
    many = options.count()
    page.keyboard.press("/")
    page.keyboard.type("jeru")
    expect(options).to_have_count(1)
    page.keyboard.press("Escape")
    expect(options).to_have_count(many)
    expect(page.locator("#question")).to_be_focused()

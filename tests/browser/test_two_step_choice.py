"""Tests of choosing a card and then its column with two clicks on the table."""

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.page_actions import uncover_table, upload, version, wait_until_moved
from tests.matches import RECORDS
from triclinium import Record
from triclinium.games.ierusalem.rules.actions.redistribute import Rearrange


def find_redistribute() -> Record:
    """Return a golden match up to a Redistribute."""
    record = Record.loads((RECORDS / "ierusalem" / "4.rec").read_text(encoding="utf-8"), "4.rec")
    game = record.find_game(None)
    s = record.truncate(0).replay()
    for n, option in enumerate(record.options):
        if isinstance(s.asked, Rearrange):
            return record.truncate(n)
        s.choose(game.read(option))
    raise AssertionError("nobody redistributes in the golden match")


def test_redistribute_by_mouse_and_by_keys(open_page: Visit) -> None:
    """IE-R22  A click on a card shows its possible places, another hides them.

    By keyboard the first place gets the focus.
    """
    page = open_page(reduced_motion="reduce")
    upload(page, find_redistribute())
    uncover_table(page)
    card, shown = page.locator("[data-pick]").first, page.locator(".colsec [data-for]:visible")
    expect(shown).to_have_count(0)
    card.click()
    expect(shown).to_have_count(4)  # three columns, or discard it
    card.click()
    expect(shown).to_have_count(0)
    before = version(page)
    card.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".colsec [data-for]:focus")).to_have_count(1)
    page.keyboard.press("Enter")
    wait_until_moved(page, before)
    uncover_table(page)
    before = version(page)
    page.locator("[data-pick]").last.click()
    shown.last.click()
    wait_until_moved(page, before)

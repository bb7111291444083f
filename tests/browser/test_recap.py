"""Tests of the recap in a browser: it covers the board but not the decision, and can be closed."""

import pytest
from playwright.async_api import Page

from bench.screenshots import run_screenshot_server
from tests.browser.conftest import EXACT, Visit
from tests.browser.page_actions import load_golden_record, match, uncover_table, upload
from tests.event_loop import run_coroutine
from triclinium import Record
from triclinium.engine.registry import load_game
from triclinium.games.missionnaires.rules.events import DREW

STOPS = """() => [...document.querySelectorAll('[data-live="recap"] :is(a[href], button, summary, [tabindex="0"])')]
  .filter((one) => one.checkVisibility()).length"""
FITS = """() => {
  const news = document.querySelector(".news");
  const box = news.getBoundingClientRect();
  const option = document.querySelector("#decision button.option").getBoundingClientRect();
  const decide = document.querySelector("#decide").getBoundingClientRect();
  const apart = box.right <= decide.left + 1 || box.left >= decide.right - 1 || box.bottom <= decide.top + 1;
  return news.scrollWidth <= news.clientWidth && box.bottom <= innerHeight && option.bottom <= innerHeight && apart;
}"""


async def is_open(page: Page) -> bool:
    return bool(await page.locator("details.recap").evaluate("one => one.open"))


async def check_recap_at_all_sizes(page: Page) -> None:
    """Check the open recap at every window size."""
    assert not await is_open(page)  # in a round of single turns, the recap equals the events since the last move
    await page.locator("details.recap > summary").click()
    for width, height in ((1280, 800), (1440, 900), (820, 1180)):
        await page.set_viewport_size({"width": width, "height": height})
        assert await is_open(page)
        assert await page.evaluate(FITS), (width, height)
    await page.locator(".news .named").first.click()
    assert await page.locator("#enlarged[open] .k-card.l").count() == 1
    await page.keyboard.press("Escape")
    assert await is_open(page)
    await page.locator(".news .named").first.focus()
    await page.keyboard.press("Escape")
    assert not await is_open(page)
    assert await page.evaluate("document.activeElement.localName") == "summary"
    assert await page.evaluate(STOPS) == 1
    await page.keyboard.press("Enter")
    assert await is_open(page)
    await page.locator(".scrub").click(position={"x": 3, "y": 3})
    assert not await is_open(page)


async def watch(page: Page) -> None:
    """Check that one button starts, pauses and resumes the playback."""
    if not await is_open(page):
        await page.locator("details.recap > summary").click()
    await page.locator(".news a", has_text="Watch").click()
    play = page.locator("[data-play]")
    await page.wait_for_selector('[data-play][aria-pressed="true"]')
    first = page.url
    await page.wait_for_url(lambda url: url != first)
    await play.click()
    await page.wait_for_selector('[data-play][aria-pressed="false"]')
    paused = page.url
    await page.wait_for_timeout(900)
    assert page.url == paused
    await play.click()
    await page.wait_for_url(lambda url: url != paused)


def test_the_recap_opens_over_the_board() -> None:
    async def visit() -> None:
        async with run_screenshot_server(light=True, match=match, painted=False) as server:
            path, secret = await server.table("portals", "middle")
            async with server.page(path, "wide", "light", secret) as page:
                await check_recap_at_all_sizes(page)
                await page.reload()
                await watch(page)

    run_coroutine(visit())


# The script returns whether the bar with the last drawn card is above the whole board and leaves the Bethel visible.
ABOVE = """() => {
  const bar = document.querySelector("details.turned-up").getBoundingClientRect();
  const board = document.getElementById("board").getBoundingClientRect();
  const bethel = document.querySelector("#lm-places .bethel .lm-place").getBoundingClientRect();
  const [x, y] = [bethel.x + bethel.width / 2, bethel.y + bethel.height / 2];
  const inside = x > board.left && x < board.right && y > board.top && y < board.bottom;
  return {
    above: bar.height > 0 && bar.bottom <= board.top + 1,
    free: !inside || document.elementFromPoint(x, y).closest("svg.lm-map") !== null,
    inside,
  };
}"""


def find_drawn_card() -> Record:
    """Return a match of Les Missionnaires up to the first drawn card."""
    record, game = load_golden_record("missionnaires"), load_game("missionnaires")
    s = record.truncate(0).replay()
    for n, option in enumerate(record.options):
        s.events = []
        s.choose(game.read(option))
        if any(event.type is DREW for event in s.events):
            return record.truncate(n + 1)
    raise AssertionError("nobody draws a card")


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_the_last_card_drawn_leaves_the_bethel_free(open_page: Visit, width: int, height: int) -> None:
    page = open_page(viewport={"width": width, "height": height}, device_scale_factor=EXACT)
    upload(page, find_drawn_card())
    uncover_table(page)
    found = page.evaluate(ABOVE)
    assert found["above"]
    assert found["free"]
    assert found["inside"] or width < 700  # a phone shows only the part of the map around the offered places

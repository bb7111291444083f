"""The recap in a browser: it lies over the board and not over the decision, and goes when it is not wanted."""

from playwright.async_api import Page

from bench.screenshots import studio
from tests.browser.play import match
from tests.loop import alone

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


async def look(page: Page) -> None:
    """The news, opened, at every size."""
    assert not await is_open(page)  # a round of one turn each is no more than what happened since the last move
    await page.locator("details.recap > summary").click()
    for width, height in ((1280, 800), (1440, 900), (820, 1180)):
        await page.set_viewport_size({"width": width, "height": height})
        assert await is_open(page)
        assert await page.evaluate(FITS), (width, height)
    await page.locator(".news .named").first.click()
    assert await page.locator("#enlarged[open] .bigcard").count() == 1
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
    """Watch plays at once, and is paused and played on by the same button."""
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


def test_the_recap_lies_over_the_board() -> None:
    async def visit() -> None:
        async with studio(light=True, match=match, painted=False) as server:
            path, secret = await server.table("portals", "middle")
            async with server.page(path, "wide", "light", secret) as page:
                await look(page)
                await page.reload()
                await watch(page)

    alone(visit())

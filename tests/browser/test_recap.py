"""The recap in a browser: it lies over the board and not over the decision, and goes when it is not wanted."""

from playwright.async_api import Page

from bench.screenshots import studio
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
    """A round is over: its news are open by themselves."""
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


def test_the_recap_lies_over_the_board() -> None:
    async def visit() -> None:
        async with studio() as server:
            path, secret = await server.table("evangelists", "middle")
            async with server.page(path, "wide", "light", secret) as page:
                await look(page)

    alone(visit())

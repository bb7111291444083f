"""Tests of the board of Test of Time: the lands fill the board, and words do not run into each other."""

import pytest
from playwright.async_api import Page

from bench.layout_checks import Window
from bench.screenshots import run_screenshot_server
from tests.browser.page_actions import match
from tests.event_loop import run_coroutine
from tests.slow import slow

WINDOWS = (Window(1920, 1080), Window(1440, 900), Window(1366, 768), Window(1024, 768), Window(820, 1180))

# The script finds lands whose edge is not painted, names that touch the points, and kinds in the strip without a name.
FAULTS = """() => {
  const found = [];
  for (const land of document.querySelectorAll(".ttland:is(.large, .alone, .some)")) {
    const box = land.getBoundingClientRect();
    for (const x of [box.left + 9, box.right - 9]) {
      for (const y of [box.top + 9, box.bottom - 9]) {
        const painted = document.elementsFromPoint(x, y).find((one) => land.contains(one) && one.matches("rect"));
        if (!painted) found.push(`${land.className} is empty at ${Math.round(x)} ${Math.round(y)}`);
      }
    }
    const name = land.querySelector(".bname").getBoundingClientRect();
    const points = land.querySelector(".bnum").getBoundingClientRect();
    if (name.right > points.left) found.push(`${land.className}: the name touches the points`);
  }
  for (const name of document.querySelectorAll(".ttcosts .kind > span"))
    if (!name.checkVisibility() || name.scrollWidth > name.clientWidth + 1) found.push(`no name: ${name.textContent}`);
  return found;
}"""


async def list_faults(page: Page) -> list[str]:
    await page.evaluate('document.querySelectorAll("details.recap").forEach((one) => (one.open = false))')
    found = await page.evaluate(FAULTS)
    assert isinstance(found, list)
    return found


@pytest.mark.parametrize(
    ("language", "seats"), [("en", 2), ("fr", 3), ("fr", 5), slow("fr", 2), slow("en", 3), slow("en", 5)]
)
def test_lands_fill_the_board(language: str, seats: int) -> None:
    async def visit() -> None:
        async with run_screenshot_server(light=True, match=match, painted=False) as server:
            path, secret = await server.table("testoftime", "middle", seats=seats)
            async for page, window in server.windows(path, secret, language, WINDOWS):
                assert await list_faults(page) == [], f"{seats} seats at {window}"

    run_coroutine(visit())

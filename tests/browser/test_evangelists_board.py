"""Geometry of the board of The Acts of the Evangelists: the legend covers no place, and titles break between words."""

from playwright.async_api import Page

from bench.layout_checks import Window
from bench.screenshots import run_screenshot_server
from tests.browser.page_actions import match
from tests.event_loop import run_coroutine

# The legend of witnesses is in a different place in each of these windows.
WINDOWS = (
    Window(1920, 1080),
    Window(1440, 900),
    Window(1366, 768),
    Window(1366, 650),
    Window(1280, 800),
    Window(1280, 720),
    Window(1024, 768, touch=True),
    Window(820, 1180, touch=True),
)
COVERED = """() => {
  const key = document.querySelector(".key").getBoundingClientRect();
  const inner = document.querySelector(".board").getBoundingClientRect();
  const faults = [];
  if (key.bottom > inner.bottom || key.right > inner.right) faults.push("the key leaves the board");
  for (const one of document.querySelectorAll(".ae-map :is(.plq, .dot, .wl), .pawn, .boat, .when, .zoom")) {
    const box = one.getBoundingClientRect();
    const wide = Math.min(box.right, key.right) - Math.max(box.left, key.left);
    const high = Math.min(box.bottom, key.bottom) - Math.max(box.top, key.top);
    if (one.checkVisibility() && wide > 1 && high > 1)
      faults.push(`${one.getAttribute("class")} ${one.textContent.trim()} is under the key`);
  }
  return faults;
}"""
# This script finds words whose letters are on two lines, and lines that are wider than their title.
BROKEN = """() => [...document.querySelectorAll(".own .folio h3")].filter((one) => {
  if (!one.checkVisibility()) return false;
  const text = one.firstChild;
  return one.scrollWidth > one.clientWidth + 1 || [...text.data.matchAll(/[^\\s-]+/g)].some((word) => {
    const range = document.createRange();
    range.setStart(text, word.index);
    range.setEnd(text, word.index + word[0].length);
    return new Set([...range.getClientRects()].map((line) => Math.round(line.top))).size > 1;
  });
}).map((one) => one.textContent)"""
DISCS = """() => {
  const faults = [];
  for (const met of document.querySelectorAll(".met")) {
    const boxes = [...met.querySelectorAll(".sg")].map((one) => one.getBoundingClientRect()).filter((box) => box.width);
    boxes.slice(1).forEach((box, nth) => { if (box.left < boxes[nth].right - 0.5) faults.push(met.dataset.tip); });
  }
  return faults;
}"""


async def list_faults(page: Page, window: Window) -> list[str]:
    """Return the faults of the board in this window."""
    found = [*await page.evaluate(COVERED), *await page.evaluate(DISCS)]
    found += [f"{title} is broken" for title in await page.evaluate(BROKEN)]
    return [f"{window}: {what}" for what in found]


def test_key_titles_and_discs_have_room_in_every_window() -> None:
    async def visit() -> list[str]:
        wrong: list[str] = []
        async with run_screenshot_server(light=True, match=match, painted=False) as server:
            for position, seats, language in (("late", 5, "en"), ("late", 5, "fr"), ("middle", 2, "fr")):
                path, secret = await server.table("evangelists", position, seats=seats)
                async for page, window in server.windows(path, secret, language, WINDOWS):
                    found = await list_faults(page, window)
                    wrong += [f"{position} {seats} {language} {what}" for what in found]
        return wrong

    wrong = run_coroutine(visit())
    assert not wrong, "\n".join(wrong)

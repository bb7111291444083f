"""Tests of small windows: the first option, and three short ones, are visible without scrolling.

Each game is checked in several positions of a match with bots, with the newcomers' guide, whose note takes space too.
"""

import itertools
from typing import TypedDict

import pytest
from playwright.async_api import Page
from playwright.sync_api import expect

from bench.layout_checks import Window
from bench.screenshots import LANGUAGES, run_screenshot_server
from tests.browser.conftest import EXACT, Visit
from tests.browser.page_actions import match, open_table, wait_until_asked
from tests.event_loop import run_coroutine
from tests.slow import mark_slow_except, slow
from triclinium.engine.registry import list_games

WINDOWS = (
    Window(1280, 720),
    Window(683, 384),
    Window(1024, 768, touch=True),
    Window(360, 640, touch=True),
    Window(320, 568, touch=True),
)
SMALLEST = (WINDOWS[0], WINDOWS[1], WINDOWS[-1])
SOME = (0.15,)  # shares of a match at which the page is checked
ALL = tuple(n / 20 for n in range(20))
# The script returns the options of the decision, each with whether it is completely visible above the fixed footer.
OPTIONS = """() => {
  const sheets = document.adoptedStyleSheets;
  document.adoptedStyleSheets = [];
  const panel = document.getElementById("decide").getBoundingClientRect();
  const rail = document.querySelector(".rail.asks").getBoundingClientRect();
  const foot = document.querySelector("#decision .k-foot")?.getBoundingClientRect().top ?? Infinity;
  const top = Math.max(panel.top, rail.top) - 1;
  const low = Math.min(panel.bottom, rail.bottom, foot, innerHeight) + 1;
  const all = [...document.querySelectorAll("#decision button.option")].filter((one) => one.checkVisibility());
  const found = all.map((one) => {
    const box = one.getBoundingClientRect();
    const bottom = one.closest(".k-foot") ? Math.min(rail.bottom, innerHeight) + 1 : low;
    const over = document.elementFromPoint(box.x + box.width / 2, box.bottom - 3);
    const seen = box.top >= top && box.bottom <= bottom && one.contains(over);
    const closes = Boolean(one.closest(".k-foot"));
    return { text: one.innerText.replaceAll("\\n", " "), high: box.height, closes, seen };
  });
  const guide = document.querySelector("details.guide");
  const scrolls = [...document.querySelectorAll("#advice, #advice *")].filter(
    (one) => one.scrollHeight > one.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(one).overflowY),
  );
  document.adoptedStyleSheets = sheets;
  return { options: found, open: Boolean(guide?.open), scrolls: scrolls.length };
}"""


class Option(TypedDict):
    """An option on the page."""

    text: str
    high: float
    closes: bool
    seen: bool


class Found(TypedDict):
    """All options, whether the guide's note is open, and the number of scroll bars of the hint."""

    options: list[Option]
    open: bool
    scrolls: int


SHORT = 48  # pixels of a short option: one line of text with the height of a finger
FEW = 3


async def find_hidden_options(page: Page) -> list[str]:
    """Return the options that should be visible and are not."""
    found: Found = await page.evaluate(OPTIONS)
    options = found["options"]
    assert options
    assert not found["open"], "the guide's note lies open"
    assert not found["scrolls"], "the hint has a scroll bar"
    few = len(options) <= FEW and all(one["high"] <= SHORT for one in options)
    return [one["text"] for one in (options if few else options[:1]) if not one["seen"]]


@pytest.mark.parametrize(("shares", "windows"), [(SOME, SMALLEST), slow(ALL, WINDOWS)], ids=["some", "all"])
def test_options_are_visible_in_small_windows(shares: tuple[float, ...], windows: tuple[Window, ...]) -> None:
    wrong: list[str] = []

    async def visit() -> None:
        async with run_screenshot_server(light=True, match=match, painted=False) as server:
            for n, (id, share) in enumerate(itertools.product(list_games(), shares)):
                path, secret = await server.table(id, str(share))
                async for page, window in server.windows(path, secret, LANGUAGES[n % 2], windows):
                    wrong.extend(f"{id} {share} {window}: {text}" for text in await find_hidden_options(page))

    run_coroutine(visit())
    assert wrong == []


def heights(found: Found) -> list[float]:
    """Return the heights of the options without the footer, which changes after a hint."""
    return [one["high"] for one in found["options"] if not one["closes"]]


@pytest.mark.parametrize("id", mark_slow_except(list_games(), "ierusalem"))
def test_a_hint_keeps_the_first_option_visible(id: str) -> None:
    """The hint needs no separate scroll bar, and marked options keep their size."""
    wrong: list[str] = []

    async def visit() -> None:
        async with run_screenshot_server(light=True, match=match, painted=False) as server:
            path, secret = await server.table(id, "0.3")
            before: dict[Window, list[float]] = {}
            async for page, window in server.windows(path, secret, "en", SMALLEST):
                before[window] = heights(await page.evaluate(OPTIONS))
            await page.locator("button[form=do-hint]").click()
            await page.locator("#advice:not([aria-busy])").wait_for(timeout=60_000)
            async for page, window in server.windows(path, secret, "en", SMALLEST):
                assert await page.locator("#decision .odds.best").count() == 1
                found: Found = await page.evaluate(OPTIONS)
                assert heights(found) == before[window]
                assert not found["scrolls"]
                wrong.extend(f"{window}: {one['text']}" for one in found["options"][:1] if not one["seen"])

    run_coroutine(visit())
    assert wrong == []


@pytest.mark.parametrize(("width", "height", "is_open"), [(1440, 900, True), (1440, 780, False), (390, 844, False)])
def test_the_guide_folds_in_a_low_window(open_page: Visit, width: int, height: int, is_open: bool) -> None:
    """The note starts open if there is space. It stays open after the reader opens it."""
    page = open_page(viewport={"width": width, "height": height}, device_scale_factor=EXACT)
    open_table(page, "evangelists")
    assert wait_until_asked(page)
    note = page.locator("details.guide")
    expect(note).to_have_js_property("open", is_open)
    if is_open:
        return
    note.locator("summary").click()
    expect(note).to_have_js_property("open", True)
    page.evaluate("window.tablePage.refresh()")
    page.wait_for_load_state("networkidle")
    expect(note).to_have_js_property("open", True)

"""Tests of the appearance of pages by script: contrast, size of targets, focus, layout shifts and scrolling.

The server's pages and each game's table are visited at two positions of a match, and with all seats taken: each on a
wide screen or on a phone. The slow test covers more positions, and both sizes for each. `looks.js` measures.
"""

from pathlib import Path

import pytest
from playwright.async_api import Page

from bench.screenshots import ScreenshotServer, run_screenshot_server
from tests.browser.page_actions import match
from tests.event_loop import run_coroutine
from tests.slow import slow
from triclinium.engine.registry import list_games, load_game

LOOKS = (Path(__file__).parent / "looks.js").read_text(encoding="utf-8")
PAGES = ("/", "/new", "/tables", "/rules", "/rules/evangelists", "/me", "/guide/portals", "/leaderboard", "/me/recover")
POSITIONS = ("start", "middle", "late", "end")
SIZES = ("wide", "phone")
FINGER = 40  # pixels that a finger needs
DECIDING = (".turnchip", "#decide h2", "#decision button.option", ".own, .thumb label")
ENDED = (".turnchip", "section.result h2")
TABS = 60

Found = dict[str, list[str]]


def sizes(turn: int, whole: bool) -> tuple[str, ...]:
    """Return both window sizes, or one of them in alternation."""
    return SIZES if whole else (SIZES[turn % 2],)


async def colours(page: Page, where: str, found: Found) -> None:
    """Check colours in light and dark without reloading the page."""
    await page.evaluate(LOOKS)
    for theme in ("light", "dark"):
        if theme == "dark":  # a page is light at first
            await page.emulate_media(color_scheme="dark")
        found["faint"] += [f"{where} {theme}: {what}" for what in await page.evaluate("looks.faint()")]


async def fingers(page: Page, where: str, found: Found) -> None:
    found["small"] += [f"{where}: {what}" for what in await page.evaluate(f"looks.small({FINGER})")]


async def keyboard(page: Page, where: str, found: Found) -> None:
    """Check the focus on every tab stop of the page."""
    for _ in range(TABS):
        await page.keyboard.press("Tab")
        what = str(await page.evaluate("looks.focused()"))
        if what == "again":
            return
        if what.startswith(("no outline", "out of view")):
            found["unfocused"].append(f"{where}: {what}")


async def pages(server: ScreenshotServer, whole: bool, found: Found) -> None:
    for turn, path in enumerate(PAGES):
        for size in sizes(turn, whole):
            async with server.page(path, size, "light") as page:
                await colours(page, f"{path} {size}", found)
                if size == "phone":
                    await fingers(page, path, found)
                else:
                    await keyboard(page, path, found)


async def table(server: ScreenshotServer, id: str, turn: int, whole: bool, found: Found) -> None:
    for later, name in enumerate(POSITIONS if whole else POSITIONS[1:2]):
        path, secret = await server.table(id, name)
        for size in sizes(turn + later, whole):
            where = f"{id} {name} {size}"
            async with server.page(path, size, "light", secret) as page:
                await colours(page, where, found)
                await first_screen(page, where, ENDED if name == "end" else DECIDING, found)
                if size == "phone":
                    await fingers(page, where, found)
                mine = await page.evaluate("looks.regions()")
                if name == "middle" and size == "wide":
                    await keyboard(page, where, found)
            if name == "middle":
                await check_waiting_page(server, id, size, mine, found)


async def first_screen(page: Page, where: str, wanted: tuple[str, ...], found: Found) -> None:
    hidden = await page.evaluate("wanted => looks.unseen(wanted)", list(wanted))
    found["unseen"] += [f"{where}: {what}" for what in hidden]


async def full(server: ScreenshotServer, id: str, turn: int, whole: bool, found: Found) -> None:
    """Check a table with the most players that the game allows."""
    path, secret = await server.table(id, "middle", seats=load_game(id).seats[-1])
    for size in sizes(turn + 1, whole):
        async with server.page(path, size, "light", secret) as page:
            await colours(page, f"{id} full {size}", found)
            await first_screen(page, f"{id} full {size}", DECIDING, found)
            if size == "phone":
                await fingers(page, f"{id} full", found)
            else:
                await keyboard(page, f"{id} full", found)


async def check_waiting_page(
    server: ScreenshotServer, id: str, size: str, mine: dict[str, list[int]], found: Found
) -> None:
    """Check that the page keeps its layout while another player decides."""
    path, secret = await server.table(id, "middle", who=1)
    async with server.page(path, size, "light", secret) as page:
        await page.evaluate(LOOKS)
        theirs = await page.evaluate("looks.regions()")
        assert not await page.locator("#decision button.option").count(), f"{id}: it is my turn"
    for region, box in mine.items():
        if theirs.get(region) != box:
            found["shifts"].append(f"{id} {size}: {region} {theirs.get(region)} becomes {box}")


def format_problems(found: Found) -> str:
    return "\n".join(f"{kind}: {what}" for kind, places in found.items() for what in dict.fromkeys(places))


KINDS = {
    "faint": "text below WCAG AA, light or dark, in drawings too",
    "small": "less than 40 pixels on a phone, and no such choice in the decision's form either",
    "unfocused": "Tab leads where no focus is seen",
    "unseen": "the decision, whose turn it is or what is mine is not on the first screen",
    "shifts": "something moves when it becomes my turn",
}


@pytest.mark.parametrize("whole", [False, slow(True)], ids=["some", "all"])
def test_every_page_looks_right(whole: bool) -> None:
    """There is no finding of KINDS on the server's pages or at a game's table."""
    found: Found = {kind: [] for kind in KINDS}

    async def visit() -> None:
        async with run_screenshot_server(
            light=True, match=match, painted=False
        ) as server:  # pages are painted while a test checks their colours
            await pages(server, whole, found)
            for turn, id in enumerate(list_games()):
                await table(server, id, turn, whole, found)
                await full(server, id, turn, whole, found)

    run_coroutine(visit())
    assert not any(found.values()), format_problems(found)

"""Tests of auto-replies in a browser: by keyboard, and on every open page of the player."""

from playwright.async_api import Page, expect

from bench.screenshots import run_screenshot_server
from tests.browser.page_actions import match
from tests.event_loop import run_coroutine


async def set_auto_reply_by_keyboard(page: Page) -> None:
    """Turn on an auto-reply for the question with the keyboard only."""
    await page.locator("details.spare > summary").focus()
    await page.keyboard.press("Enter")
    await page.keyboard.press("Tab")
    assert await page.evaluate("document.activeElement.value") == "attacked"
    await page.keyboard.press("Enter")
    await expect(page.locator("details.spared")).to_be_visible()
    assert not await page.locator("details.spared").evaluate("one => one.open")


async def ask_again(page: Page) -> None:
    await page.locator("details.spared > summary").focus()
    await page.keyboard.press("Enter")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await expect(page.locator("details.spared")).to_have_count(0)


def test_an_auto_reply_by_keyboard_applies_to_all_pages_of_the_person() -> None:
    async def visit() -> None:
        async with run_screenshot_server(light=True, match=match, painted=False) as server:
            path, secret = await server.table("testoftime", "start")
            async with (
                server.page(path, "wide", "light", secret) as page,
                server.page(path, "phone", "dark", secret) as other,
            ):
                await set_auto_reply_by_keyboard(page)
                await expect(other.locator("details.spared")).to_have_count(1)
                await ask_again(page)
                await expect(other.locator("details.spared")).to_have_count(0)

    run_coroutine(visit())

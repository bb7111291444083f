"""Tests of the board kit in Chromium: no sideways scrolling, working buttons, and arrow keys between places."""

import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from bench.example import install
from bench.screenshots import truncate_to_position
from bench.server_process import ServerProcess
from tests.browser.axe import find_accessibility_problems, find_faint_text
from tests.browser.page_actions import (
    choose_by_mouse,
    load_golden_record,
    uncover_table,
    upload,
    version,
    wait_until_asked,
    wait_until_moved,
)
from tests.forked_servers import ForkedServer

WIDTHS = (320, 360, 390, 560, 700, 820, 900, 1100, 1280, 1440, 2000)
SERIOUS = ("serious", "critical")
KUHN = Path(__file__).parents[2] / "examples" / "kuhn"
WIDER = """() => [document.documentElement, ...document.querySelectorAll('.board, .player, .k-panel, .k-group')]
  .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.getClientRects().length)
  .map((one) => `${one.className}: ${one.scrollWidth} > ${one.clientWidth}`)"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Yield a server that draws all tables with the kit. Kuhn poker is installed, also in its bot processes."""
    folder = tmp_path_factory.mktemp("kit")
    install(folder, "kuhn_poker", {"kuhn": "kuhn:GAME"})
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join([str(folder), str(KUHN), os.environ.get("PYTHONPATH", "")]))
        running = ForkedServer(folder, 0, None, "--bot-pause", "0", "--plain-boards").start()
    yield running
    running.stop()


@pytest.fixture
def page(browser: Browser, server: ServerProcess) -> Iterator[Page]:
    context = browser.new_context(base_url=server.address, reduced_motion="reduce", bypass_csp=True)  # for axe
    found = context.new_page()
    wrong: list[str] = []
    found.on("pageerror", lambda error: wrong.append(str(error)))
    yield found
    context.close()
    assert not wrong


def check_fit(page: Page) -> None:
    """Check a page at every width, in light and dark: no sideways scrolling, and no serious finding of axe."""
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(WIDER) == [], width
    found = find_accessibility_problems(page, "light", ".board")
    page.emulate_media(color_scheme="dark")
    found += find_faint_text(page, "dark")
    assert [one for one in found if one.startswith(SERIOUS)] == []


def test_a_match_of_kuhn_poker_is_played_on_the_kit(page: Page) -> None:
    page.goto("/new?game=kuhn")
    page.locator("[name=variant-deals]").fill("2")
    page.get_by_role("button", name="Create table").click()
    page.wait_for_url("**/tables/*")
    assert wait_until_asked(page)
    assert page.locator(".k-cards.is-mine .k-card .k-corner").count() == 1
    assert page.locator(".player .k-card.is-back").count() == 1
    check_fit(page)
    chance = random.Random(2)
    while wait_until_asked(page):
        choose_by_mouse(page, chance)
    assert page.locator("section.result").count() == 1


def test_portals_is_played_by_clicks_on_components(page: Page) -> None:
    upload(page, truncate_to_position(load_golden_record("portals", 3), 0.5))
    uncover_table(page)
    check_fit(page)
    card = page.locator(".k-cards.is-mine .k-card").nth(1)
    card.locator(".k-face").click()
    large = page.locator("#enlarged .k-card.l .k-title")
    assert large.inner_text() == card.locator(".k-title").inner_text()
    page.keyboard.press("ArrowRight")
    assert large.inner_text() == page.locator(".k-cards.is-mine .k-card").nth(2).locator(".k-title").inner_text()
    page.keyboard.press("Escape")
    assert not page.locator("#enlarged").is_visible()
    page.locator(".k-place:not(.is-at)").last.dispatch_event("pointerover")
    steps = page.locator(".k-route text").all_text_contents()
    assert steps == [str(n + 1) for n in range(len(steps))]
    assert steps
    before = version(page)
    page.locator(".k-map .k-spot").first.focus()
    here = page.evaluate("document.activeElement.value")
    stops = page.locator("#board .k-do")
    assert stops.evaluate_all("all => all.filter(one => one.tabIndex === 0).length") == 1
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.closest('#board') !== null")
    assert page.evaluate("document.activeElement.value") != here
    page.locator(".k-map .k-spot").last.focus()
    page.keyboard.press("Enter")
    wait_until_moved(page, before)
    before = version(page)
    uncover_table(page)
    page.locator(".k-card.is-can .k-do, .k-pile .k-do").first.click()
    wait_until_moved(page, before)

"""Tests of move previews in a browser by mouse, keyboard and touch, without layout shifts."""

from collections.abc import Callable
from functools import cache

import pytest
from playwright.sync_api import Locator, Page, expect

from bench.layout_checks import SETTLED
from tests.browser.conftest import EXACT, Visit
from tests.browser.page_actions import (
    OPTIONS,
    load_golden_record,
    open_table,
    uncover_table,
    upload,
    version,
    wait_until_asked,
    wait_until_moved,
)
from tests.slow import mark_slow_except, slow
from triclinium import Record
from triclinium.boardkit.preview import preview_option as preview_of
from triclinium.engine.registry import list_games, load_game

SHARE = 0.4  # share of the match that is played before the test
SEVERAL = 2  # minimum number of options with a preview
WINDOWS = ((1440, 900), (683, 384))
ALL_WINDOWS = ((1440, 900), (1280, 720), (1024, 768), (683, 384))
PATIENT = 700  # milliseconds after which a preview has appeared
MIDDLE = """() => {
  const at = document.querySelector("#decision button.option:hover").getBoundingClientRect();
  return [at.x + at.width / 2 + 12, at.y + at.height / 2];
}"""
# The first visible options that have a preview.
TELLING = """async (several) => {
  const form = document.getElementById("decision").dataset;
  const found = [];
  for (const one of document.querySelectorAll("#decision button.option")) {
    if (found.length === several || !one.checkVisibility()) continue;
    const answer = await fetch(`${form.preview}${encodeURIComponent(one.value)}?${form.previews}`);
    if (answer.status === 200) found.push(one.value);
  }
  return found;
}"""
# The script returns the elements under the preview: the question, the option, and its place on the board.
COVERED = """(value) => {
  const box = document.getElementById("preview").getBoundingClientRect();
  const apart = (at) =>
    box.right <= at.left || at.right <= box.left || box.bottom <= at.top || at.bottom <= box.top;
  const same = `button[value="${CSS.escape(value)}"]`;
  return [...document.querySelectorAll(`#question, ${same}, .board .is-shown`)]
    .filter((one) => one.checkVisibility() && !apart(one.getBoundingClientRect()))
    .map((one) => one.outerHTML.slice(0, 80));
}"""

PLACES = """() => JSON.stringify([...document.querySelectorAll("#decision button, .board, .rail")].map((one) => {
  const at = one.getBoundingClientRect();
  return [at.x, at.y, at.width, at.height];
}))"""


def open_portals_table(page: Page) -> Locator:
    open_table(page, "portals")
    wait_until_asked(page)
    return page.locator(OPTIONS)


def is_preview_clear(page: Page, option: Locator) -> bool:
    """Return whether the preview is completely visible and does not cover the option."""
    box, at, size = page.locator("#preview").bounding_box(), option.bounding_box(), page.viewport_size
    assert box is not None
    assert at is not None
    assert size is not None
    inside = box["x"] >= 0 and box["y"] >= 0 and box["x"] + box["width"] <= size["width"]
    apart = (
        box["x"] + box["width"] <= at["x"]
        or at["x"] + at["width"] <= box["x"]
        or box["y"] + box["height"] <= at["y"]
        or at["y"] + at["height"] <= box["y"]
    )
    return inside and box["y"] + box["height"] <= size["height"] and apart


def point(page: Page, option: Locator) -> None:
    """Move the pointer to an option in steps, like a hand."""
    at = option.bounding_box()
    assert at is not None
    page.mouse.move(at["x"] + at["width"] / 2 - 9, at["y"] + at["height"] / 2)
    page.mouse.move(at["x"] + at["width"] / 2, at["y"] + at["height"] / 2, steps=3)


def hold(page: Page, option: Locator) -> Callable[[], None]:
    """Put a finger on an option, and return a function that lifts it."""
    at = option.bounding_box()
    assert at is not None
    touch = page.context.new_cdp_session(page)
    where = {"x": at["x"] + at["width"] / 2, "y": at["y"] + at["height"] / 2}
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [where]})

    def lift() -> None:
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    return lift


def test_a_preview_is_next_to_its_option_and_nothing_moves(open_page: Visit) -> None:
    page = open_page(device_scale_factor=EXACT)
    options, preview = open_portals_table(page), page.locator("#preview")
    before = page.evaluate(PLACES)
    point(page, options.nth(1))
    expect(preview).to_contain_text("Then: ")
    expect(preview).to_have_attribute("aria-live", "off")
    assert page.evaluate(PLACES) == before
    assert is_preview_clear(page, options.nth(1))
    page.mouse.move(2, 2)
    expect(preview).to_be_hidden()
    page.keyboard.press("Tab")
    options.nth(2).focus()
    expect(preview).to_be_visible()
    expect(preview).to_have_attribute("aria-live", "polite")
    expect(options.nth(2)).to_have_attribute("aria-describedby", "preview")
    page.keyboard.press("Escape")
    expect(preview).to_be_hidden()


def test_a_resting_pointer_requests_no_preview(open_page: Visit) -> None:
    """An option that appears under a resting pointer after a click has no preview until the pointer moves."""
    page = open_page(device_scale_factor=EXACT)
    open_table(page, "testoftime")
    wait_until_asked(page)
    option, preview = page.locator(f"{OPTIONS}[value=sire]"), page.locator("#preview")
    point(page, option)
    expect(preview).to_be_visible()
    before = version(page)
    page.mouse.down()
    page.mouse.up()
    wait_until_moved(page, before)
    wait_until_asked(page)
    page.wait_for_function("() => document.querySelector('#decision button[value=sire]')?.matches(':hover')")
    page.wait_for_timeout(PATIENT)
    expect(preview).to_be_hidden()
    page.mouse.move(*page.evaluate(MIDDLE), steps=4)
    expect(preview).to_be_visible()


def test_an_option_without_visible_effect_has_no_preview(open_page: Visit) -> None:
    """Playing a card that only asks where to place it has no preview, because nothing else changes."""
    page = open_page(device_scale_factor=EXACT)
    open_table(page, "testoftime")
    wait_until_asked(page)
    point(page, page.locator(f"{OPTIONS}[value=create]"))
    page.wait_for_timeout(PATIENT)
    expect(page.locator("#preview")).to_be_hidden()


def test_a_long_press_previews_and_does_not_choose(open_page: Visit) -> None:
    """While a finger rests on an option its preview stays, and does not cover the question or the option."""
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True, device_scale_factor=EXACT)
    options, preview = open_portals_table(page), page.locator("#preview")
    option, before = options.first, version(page)
    lift = hold(page, option)
    expect(preview).to_contain_text("Then: ")
    assert is_preview_clear(page, option)
    assert is_preview_clear(page, page.locator("#question"))
    lift()
    expect(preview).to_be_hidden()
    assert version(page) == before
    option.tap()
    expect(preview).to_be_hidden()
    page.wait_for_function("before => document.body.dataset.version !== before", arg=before)


@cache
def find_position_with_previews(id: str) -> Record:
    """Return a golden match up to a decision with several previews."""
    game, record = load_game(id), load_golden_record(id)
    s = record.truncate(0).replay()
    for n, option in enumerate(record.options):
        if s.who == 0 and n >= SHARE * len(record.options):
            found = [preview_of(game, s, 0, o, 0, game.words.reader()).lines for o in s.legal]
            if sum(map(bool, found)) >= SEVERAL:
                return record.truncate(n)
        s.choose(game.read(option))
    raise AssertionError(f"{id}: no options with previews")


@pytest.mark.parametrize("windows", [WINDOWS, slow(ALL_WINDOWS)], ids=["some", "all"])
@pytest.mark.parametrize("id", mark_slow_except(list_games(), "portals", "missionnaires"))
def test_a_preview_covers_neither_the_question_nor_the_target(
    open_page: Visit, id: str, windows: tuple[tuple[int, int], ...]
) -> None:
    """The preview covers neither the question, nor the option, nor its target on the board."""
    page = open_page(device_scale_factor=EXACT)
    upload(page, find_position_with_previews(id), by_hand=False)
    uncover_table(page)
    values: list[str] = page.evaluate(TELLING, SEVERAL)
    assert len(values) == SEVERAL
    for width, height in windows:
        page.set_viewport_size({"width": width, "height": height})
        for value in values:
            option = page.locator(f'{OPTIONS}[value="{value}"]')
            option.scroll_into_view_if_needed()
            page.mouse.move(2, 2)
            page.evaluate(SETTLED)  # scrolling closes a preview
            point(page, option)
            expect(page.locator("#preview")).to_be_visible()
            assert page.evaluate(COVERED, value) == [], f"{id} {value} {width}x{height}"

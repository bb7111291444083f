"""What an option would do, in a browser: by the mouse, by the keyboard and by a finger, and nothing moves for it."""

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import EXACT, Visit
from tests.browser.play import OPTIONS, asked, open_table, version

PLACES = """() => JSON.stringify([...document.querySelectorAll("#decision button, .board, .rail")].map((one) => {
  const at = one.getBoundingClientRect();
  return [at.x, at.y, at.width, at.height];
}))"""


def at_a_table(page: Page) -> Locator:
    open_table(page, "portals")
    asked(page)
    return page.locator(OPTIONS)


def free_of(page: Page, option: Locator) -> bool:
    """Whether the preview is wholly in sight and leaves the option free."""
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


def test_it_is_shown_beside_an_option_and_nothing_moves(visit: Visit) -> None:
    page = visit(device_scale_factor=EXACT)
    options, preview = at_a_table(page), page.locator("#preview")
    before = page.evaluate(PLACES)
    options.nth(1).hover()
    expect(preview).to_contain_text("Then: ")
    expect(preview).to_have_attribute("aria-live", "off")
    assert page.evaluate(PLACES) == before
    assert free_of(page, options.nth(1))
    page.mouse.move(2, 2)
    expect(preview).to_be_hidden()
    page.keyboard.press("Tab")
    options.nth(2).focus()
    expect(preview).to_be_visible()
    expect(preview).to_have_attribute("aria-live", "polite")
    expect(options.nth(2)).to_have_attribute("aria-describedby", "preview")
    page.keyboard.press("Escape")
    expect(preview).to_be_hidden()


def test_a_finger_that_is_held_looks_and_does_not_choose(visit: Visit) -> None:
    page = visit(viewport={"width": 390, "height": 844}, has_touch=True, device_scale_factor=EXACT)
    options, preview = at_a_table(page), page.locator("#preview")
    option, before = options.first, version(page)
    at = option.bounding_box()
    assert at is not None
    touch = page.context.new_cdp_session(page)
    point = {"x": at["x"] + at["width"] / 2, "y": at["y"] + at["height"] / 2}
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    expect(preview).to_contain_text("Then: ")
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(preview).to_be_visible()
    assert free_of(page, option)
    assert version(page) == before
    option.tap()
    expect(preview).to_be_hidden()
    page.wait_for_function("before => document.body.dataset.version !== before", arg=before)

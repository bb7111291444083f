"""Tests of the workshop in a browser: an edition is changed, played, printed, studied and tested with people."""

from playwright.sync_api import expect

from tests.browser.axe import find_accessibility_problems
from tests.browser.conftest import Visit

PATIENCE = 60_000.0  # milliseconds


def test_an_edition_is_changed_played_printed_studied_and_tested_with_people(open_page: Visit) -> None:
    """AE-2.3, AE-C17  By mouse and keyboard: a fault appears while typing and ends with a reset; then four octagons.

    A check is a small answer in JSON, and it also blocks and frees the buttons of the study and the playtest.
    """
    page = open_page()
    page.goto("/workshop")
    page.get_by_role("button", name="Change a number of The Acts of the Evangelists").click()
    page.get_by_label("Name of the edition").fill("Four octagons")
    tokens = page.get_by_label("Follow tokens of each other player")
    tokens.fill("2")
    expect(page.locator(".notice")).to_contain_text("has 3 tokens with 2 players", timeout=PATIENCE)
    expect(tokens).to_have_attribute("aria-invalid", "true")
    row = page.locator("#n-follow_tokens-each_other_player")
    expect(row.locator(".fault")).to_contain_text("has 3 tokens with 2 players")
    expect(page.get_by_role("button", name="Start the study")).to_have_attribute("aria-disabled", "true")
    expect(page.locator("header .acts").get_by_role("button", name="Play")).to_have_attribute("aria-disabled", "true")
    page.set_viewport_size({"width": 360, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.set_viewport_size({"width": 1280, "height": 800})
    with page.expect_response("**/check", timeout=PATIENCE) as checked:
        row.get_by_role("button", name="Reset to 1").click()
    assert checked.value.headers["content-type"] == "application/json"
    expect(page.locator(".notice")).to_have_count(0, timeout=PATIENCE)
    expect(row.locator(".fault")).to_have_count(0)
    expect(page.get_by_role("button", name="Start the study")).not_to_have_attribute("aria-disabled", "true")
    octagons = page.get_by_label("Octagons per turn")
    octagons.focus()
    page.keyboard.press("ArrowUp")
    expect(octagons).to_have_value("4")
    expect(page.locator("[data-part=rules]")).to_contain_text("You have four", timeout=PATIENCE)
    expect(page.locator("[data-part=changes] li")).to_have_count(1)
    assert find_accessibility_problems(page) == []
    edition = page.url
    page.locator("header .acts").get_by_role("button", name="Play").click()
    expect(page.get_by_text("This table plays the edition “Four octagons”.")).to_be_visible()
    page.get_by_role("button", name="Create table").click()
    expect(page.locator(".edition-ribbon summary")).to_be_visible()
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert page.locator(".edition-ribbon summary").bounding_box()["width"] < 60  # type: ignore[index]
    page.locator(".edition-ribbon summary").click()
    panel = page.locator(".edition-ribbon > div").bounding_box()
    assert panel is not None
    assert 0 <= panel["x"] < panel["x"] + panel["width"] <= 320
    expect(page.locator(".edition-ribbon")).to_contain_text("Octagons per turn: 4, printed: 3")
    expect(page.locator(".edition-ribbon")).to_contain_text("The bots were trained on the printed game.")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(edition)
    page.locator("header .acts").get_by_role("button", name="Print").click()
    expect(page.get_by_role("heading", name="Print and play")).to_be_visible()
    expect(page.locator(".pr-cover")).to_contain_text("Octagons per turn: 4, printed: 3")
    page.goto(edition)
    page.get_by_role("button", name="Create a link").click()
    expect(page.get_by_label("Link to this edition")).to_be_visible()
    shared = page.get_by_label("Link to this edition").input_value()
    page.get_by_label("Check the result with").select_option("rollout")
    page.get_by_role("button", name="Start the study").click()
    expect(page.get_by_role("heading", name="Study: Four octagons")).to_be_visible()
    page.get_by_role("button", name="Stop the study").click()
    expect(page.get_by_text("You stopped this study.")).to_be_visible(timeout=PATIENCE)
    page.goto(edition)
    page.get_by_role("button", name="Start the playtest").click()
    expect(page.get_by_role("heading", name="Four octagons")).to_be_visible()
    player = open_page(seen=True)
    player.goto(page.get_by_label("Link to the playtest").input_value())
    player.get_by_role("link", name="Open a table").click()
    player.get_by_role("button", name="Create table").click()
    expect(player.locator(".edition-ribbon summary")).to_contain_text("Playtest edition")
    expect(player.locator("body")).not_to_contain_text("Four octagons")
    other = open_page(viewport={"width": 360, "height": 640}, color_scheme="dark")
    other.goto(shared)
    expect(other.get_by_label("Octagons per turn")).to_have_value("4")
    expect(other.get_by_label("Octagons per turn")).not_to_be_editable()
    assert other.evaluate("document.documentElement.scrollWidth") <= 360
    assert find_accessibility_problems(other) == []


def test_a_table_of_cards_is_searched(open_page: Visit) -> None:
    page = open_page()
    page.goto("/workshop")
    page.get_by_role("button", name="Change a number of Portals and Prophets").click()
    page.wait_for_load_state()
    search = page.get_by_label("Search these").first
    rows = page.locator(".rows").first.locator(".num-row:visible")
    assert rows.count() > 90
    search.fill("goliath")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("David Slays Goliath")

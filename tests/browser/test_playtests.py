"""Tests of playtests in a browser: an owner starts one, a group joins it, and no page is too wide or inaccessible."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.axe import WINDOWS, check_page
from tests.browser.conftest import Visit
from tests.slow import mark_slow_except


@pytest.mark.parametrize("window", mark_slow_except(list(WINDOWS), "phone"))
def test_a_playtest_is_started_joined_and_ended(open_page: Visit, window: str) -> None:
    owner = open_page(seen=True, **WINDOWS[window])
    owner.goto("/workshop")
    owner.get_by_role("button", name="Change a number of The Acts of the Evangelists").click()
    owner.get_by_label("Octagons per turn").fill("4")
    with owner.expect_navigation():
        owner.get_by_label("Octagons per turn").press("Enter")
    expect(owner.locator("[data-part=changes] li")).to_have_count(1)
    owner.get_by_label("Name that only you see").fill("Is a fourth octagon more fun?")
    owner.get_by_role("button", name="Start the playtest").click()
    expect(owner.get_by_role("heading", name="Is a fourth octagon more fun?")).to_be_visible()
    expect(owner.get_by_text("No pair of tables counts yet.")).to_be_visible()
    check_page(owner)
    link = owner.get_by_label("Link to the playtest").input_value()
    player = open_page(seen=True, **WINDOWS[window])
    player.goto(link)
    expect(player.get_by_role("heading", name="Playtest of The Acts of the Evangelists")).to_be_visible()
    check_page(player)
    player.get_by_role("link", name="Open a table").click()
    expect(player.get_by_text("This table joins a playtest")).to_be_visible()
    player.get_by_role("button", name="Create table").click()
    ribbon = player.locator(".edition-ribbon")
    expect(ribbon.locator("summary")).to_contain_text("Playtest edition")
    ribbon.locator("summary").click()
    expect(ribbon).to_contain_text("This table plays one of two editions, chosen at random.")
    expect(player.locator("body")).not_to_contain_text("octagon more fun")
    check_page(player)
    owner.reload()
    expect(owner.get_by_text("0 tables count, 1 in play")).to_be_visible()
    owner.get_by_label("End this playtest now").check()
    owner.locator("#end").get_by_role("button", name="End playtest").click()
    owner.get_by_role("link", name="Check the random assignment").click()
    expect(owner.locator("#main")).to_contain_text(re.compile("[0-9a-f]{32}"))
    check_page(owner)
    player.reload()
    expect(ribbon.locator("summary")).not_to_contain_text("Playtest edition")

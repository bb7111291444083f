"""Tests of exercises and rule positions in a browser: answered by keyboard, with accessible pages."""

import pytest
from playwright.sync_api import expect

from tests.browser.axe import WINDOWS, check_page
from tests.browser.conftest import Visit
from tests.browser.page_actions import open_table
from tests.slow import mark_slow_except
from triclinium.engine.registry import list_games


@pytest.mark.parametrize("window", mark_slow_except(list(WINDOWS), "phone"))
def test_a_prepared_exercise_is_answered(open_page: Visit, window: str) -> None:
    """The list, the exercise and the ranking after the answer fit and are accessible."""
    page = open_page(seen=True, **WINDOWS[window])
    open_table(page, "missionnaires")  # makes a person
    page.goto("/me/practice")
    check_page(page)
    page.get_by_role("button", name="The Missionaries").click()
    expect(page.locator(".exercises tbody tr")).to_have_count(6)
    check_page(page)
    page.locator(".exercises tbody a").first.click()
    expect(page.get_by_role("heading", name="What is the best move?")).to_be_visible()
    check_page(page)
    page.get_by_role("button", name="Show the answer").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Not solved")).to_be_visible()
    expect(page.locator(".ranking li.best")).to_have_count(1)
    check_page(page)


@pytest.mark.parametrize("id", mark_slow_except(list_games(), "evangelists", "testoftime"))
def test_a_rule_opens_its_position(open_page: Visit, id: str) -> None:
    page = open_page(seen=True)
    page.goto(f"/rules/{id}")
    page.get_by_role("link", name="Show me").nth(20).click()
    expect(page.locator("#question")).to_be_visible()
    check_page(page)

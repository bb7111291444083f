"""Tests of clocks and votes on the page: the clock runs and is read aloud, and no text is cut off."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import EXACT, Visit
from tests.server.api_client import make_client, make_settings
from tests.server.server_driver import ServerDriver
from tests.server.test_clocks import LIVE, FakeClock, fake_clock  # noqa: F401
from triclinium.server.tables.table import Table
from triclinium.web.app import create_app

CUT = """() => [...document.querySelectorAll(".player:has(.vote) :is(.naming, .name, .state, .vote, .vote *)")]
  .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== "inline")
  .map((one) => one.className)"""


@pytest.fixture
def driver(tmp_path: Path) -> Iterator[ServerDriver]:
    with TestClient(create_app(make_settings(tmp_path))) as running:
        yield ServerDriver(running)


def open_as_person(driver: ServerDriver, name: str, table: Table) -> str:
    """Open the page of a table as one of its people."""
    reader = make_client(driver.client)
    reader.cookies.set("triclinium", driver.cookies[name])
    answer = reader.get(f"/tables/{table.id}")
    assert answer.status_code == 200
    return str(answer.text)


def show(page: Page, html: str, width: int) -> None:
    """Show a page that a server made at another time. The server cannot be reached from then on."""

    def answer(route: Route) -> None:
        if route.request.resource_type == "document":
            route.fulfill(body=html, content_type="text/html; charset=utf-8")
        else:
            route.abort()

    page.set_viewport_size({"width": width, "height": 900})
    page.route("**/tables/shown", answer)
    page.route("**/events*", lambda route: route.abort())
    page.goto("/tables/shown")


def test_clocks_are_shown_and_announced(driver: ServerDriver, open_page: Visit, fake_clock: FakeClock) -> None:  # noqa: F811
    """The clock is amber at a quarter and read aloud at 1:00 and 0:20.

    At 250 px the panel has lines for state and vote.
    """
    people = [driver.create_person(name) for name in ("Anna", "Bartholomew of Bethany", "Noa")]
    table = driver.open_table(*people, options=LIVE)
    asked = people[table.who].name
    fake_clock.passes(45.0 + 900 - 226)
    # a service worker would bypass the page shown here
    page = open_page(device_scale_factor=EXACT, service_workers="block")
    page.clock.install()
    show(page, open_as_person(driver, asked, table), 1440)
    mine = page.locator(".timechip .clock")
    expect(mine.locator(".digits")).to_have_text("3:46")
    page.clock.fast_forward(2_000)
    expect(mine).to_have_class("clock num is-low")
    question = page.locator("#said").inner_text()
    page.clock.fast_forward(165_000)
    expect(page.locator("#announcement")).to_have_text("One minute left")
    page.clock.fast_forward(40_000)
    expect(page.locator("#announcement")).to_have_text("Twenty seconds left")
    assert page.locator("#said").inner_text() == question
    other = next(person.name for person in people if person.name != asked)
    fake_clock.passes(227.0)  # the time has run out, so the others can vote
    show(page, open_as_person(driver, other, table), 1440)
    assert page.locator(".player .vote").count() > 0
    assert page.locator(".player:has(.vote)").first.bounding_box()["width"] < 251  # type: ignore[index]
    assert page.evaluate(CUT) == []

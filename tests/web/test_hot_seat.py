"""Tests of a table at one device: refusals and errors are shown as at any other table."""

import re
from html import unescape

import pytest
from fastapi.testclient import TestClient

from tests.web.browser import PlainBrowser
from tests.web.test_pages import new_hot_table, take_over

ALERT = re.compile(r'role="alert">(.*?)</p>', re.DOTALL)


def read_error(browser: PlainBrowser) -> str:
    """Return the error message of the page."""
    found = ALERT.search(browser.page)
    return "" if found is None else unescape(re.sub(r"<[^>]+>", "", found[1]))


@pytest.fixture
def hot_seat_browser(client: TestClient) -> PlainBrowser:
    browser = PlainBrowser(client)
    new_hot_table(browser, "portals", 2)
    take_over(browser)
    assert browser.options()
    return browser


def test_a_refusal_is_shown_to_the_deciding_player(hot_seat_browser: PlainBrowser) -> None:
    options = hot_seat_browser.options()
    hot_seat_browser.choose("fly nowhere")
    assert hot_seat_browser.status == 400
    assert read_error(hot_seat_browser)
    assert 'class="cover"' not in hot_seat_browser.page
    assert hot_seat_browser.options() == options  # The decision is the same as before.


def test_a_rule_is_named_and_linked(hot_seat_browser: PlainBrowser) -> None:
    hot_seat_browser.choose("end")
    while hot_seat_browser.status == 200:
        take_over(hot_seat_browser)
        hot_seat_browser.choose("end")
    assert hot_seat_browser.status == 409
    assert re.search(r"\((PP|K)-[\d.]+\)$", read_error(hot_seat_browser))


def test_a_post_for_another_seat_is_reported_on_the_cover(hot_seat_browser: PlainBrowser) -> None:
    """A player who posts for another seat sees the message on the cover, and the hand stays hidden."""
    action = hot_seat_browser.table + "/move"
    fields = hot_seat_browser.hidden(action)
    other = str(1 - int(fields["seat"]))
    hot_seat_browser.post(action, **{**fields, "seat": other, "option": hot_seat_browser.options()[0]})
    assert hot_seat_browser.status == 403
    assert read_error(hot_seat_browser)
    assert 'class="cover"' in hot_seat_browser.page
    assert not hot_seat_browser.options()
    take_over(hot_seat_browser)
    assert hot_seat_browser.status == 200
    assert hot_seat_browser.options()


def test_a_stale_version_is_reported(hot_seat_browser: PlainBrowser) -> None:
    fields = hot_seat_browser.hidden(hot_seat_browser.table + "/move")
    hot_seat_browser.choose(hot_seat_browser.options()[0])
    take_over(hot_seat_browser)
    hot_seat_browser.post(hot_seat_browser.table + "/move", **{**fields, "key": "another", "option": "end"})
    assert hot_seat_browser.status == 409
    assert read_error(hot_seat_browser)

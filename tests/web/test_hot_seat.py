"""A table at one device: refusals and faults are told there as at any other table."""

import re
from html import unescape

import pytest
from fastapi.testclient import TestClient

from tests.web.browser import PlainBrowser
from tests.web.test_pages import new_hot_table, take_over

ALERT = re.compile(r'role="alert">(.*?)</p>', re.DOTALL)


def said(browser: PlainBrowser) -> str:
    """The sentence of the page that tells what went wrong."""
    found = ALERT.search(browser.page)
    return "" if found is None else unescape(re.sub(r"<[^>]+>", "", found[1]))


@pytest.fixture
def hot(client: TestClient) -> PlainBrowser:
    browser = PlainBrowser(client)
    new_hot_table(browser, "portals", 2)
    take_over(browser)
    assert browser.options()
    return browser


def test_a_refusal_is_shown_to_the_one_who_decides(hot: PlainBrowser) -> None:
    options = hot.options()
    hot.choose("fly nowhere")
    assert hot.status == 400
    assert said(hot)
    assert 'class="cover"' not in hot.page
    assert hot.options() == options  # with the decision as it was


def test_a_rule_is_named_and_linked(hot: PlainBrowser) -> None:
    hot.choose("end")
    while hot.status == 200:
        take_over(hot)
        hot.choose("end")
    assert hot.status == 409
    assert re.search(r"\((PP|K)-[\d.]+\)$", said(hot))


def test_whoever_posts_for_another_seat_is_told_on_the_cover(hot: PlainBrowser) -> None:
    """What the next player holds stays covered, and the sentence is there."""
    action = hot.table + "/move"
    fields = hot.hidden(action)
    other = str(1 - int(fields["seat"]))
    hot.post(action, **{**fields, "seat": other, "option": hot.options()[0]})
    assert hot.status == 403
    assert said(hot)
    assert 'class="cover"' in hot.page
    assert not hot.options()
    take_over(hot)
    assert hot.status == 200
    assert hot.options()


def test_a_version_that_is_past_is_told(hot: PlainBrowser) -> None:
    fields = hot.hidden(hot.table + "/move")
    hot.choose(hot.options()[0])
    take_over(hot)
    hot.post(hot.table + "/move", **{**fields, "key": "another", "option": "end"})
    assert hot.status == 409
    assert said(hot)

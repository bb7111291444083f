"""Tests of times on pages: in the reader's time zone, or in UTC if the zone is unknown."""

import datetime
import re
import sys
import zoneinfo
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import update

from tests.server.api_client import get_server
from tests.web.browser import PlainBrowser
from tests.web.test_pages import new_hot_table
from triclinium.server.storage.schema import chat
from triclinium.web.datetimes import DateFormatter, find_zone

THEN = datetime.datetime(2026, 7, 1, 22, 30, 5, tzinfo=datetime.UTC).timestamp()


@pytest.fixture
def browser(client: TestClient) -> PlainBrowser:
    """Open a table with a chat message from a summer evening."""
    reader = PlainBrowser(client)
    new_hot_table(reader, "evangelists", 2)
    reader.post(f"{reader.table}/chat", text="good evening")
    table = reader.table.removeprefix("/tables/")
    with get_server(client).store.engine.begin() as connection:
        assert connection.execute(update(chat).where(chat.c.table == table).values(at=THEN)).rowcount
    return reader


def times(browser: PlainBrowser) -> set[str]:
    """Return the times on the page."""
    browser.get(browser.table)
    cover = re.search(r'href="(/tables/\w+\?as=\d)"', browser.page)
    assert cover is not None
    browser.get(cover[1])
    found = re.findall(r'<time datetime="2026-07-01T22:30:05Z"[^>]*>([^<]*)</time>', browser.page)
    assert found, browser.page
    return {text.replace("\N{NARROW NO-BREAK SPACE}", " ") for text in found}


def test_times_without_script_are_in_utc(browser: PlainBrowser) -> None:
    assert times(browser) == {"10:30 PM UTC"}
    assert 'data-utc="clock"' in browser.page  # The script converts this time.
    browser.client.cookies.set("language", "fr")
    assert times(browser) == {"22:30 UTC"}


def test_times_are_in_the_readers_time_zone(browser: PlainBrowser) -> None:
    for zone, english, french in (
        ("Asia/Kolkata", "4:00 AM", "04:00"),
        ("Europe/Paris", "12:30 AM", "00:30"),
        ("America/New_York", "6:30 PM", "18:30"),
    ):
        browser.client.cookies.set("zone", zone)
        browser.client.cookies.set("language", "en")
        assert times(browser) == {english}
        assert "data-utc" not in browser.page
        browser.client.cookies.set("language", "fr")
        assert times(browser) == {french}


def test_an_unknown_time_zone_is_utc(browser: PlainBrowser) -> None:
    for zone in ("", "Mars/Olympus", "../../etc/passwd", "/etc/localtime", "Europe", "x" * 400, "<b>"):
        browser.client.cookies.set("zone", zone)
        assert times(browser) == {"10:30 PM UTC"}


@pytest.fixture
def no_zones(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Simulate a machine without time zone data, as files or as a package."""
    for name in ("tzdata", *(name for name in sys.modules if name.startswith("tzdata."))):
        monkeypatch.setitem(sys.modules, name, None)
    before = zoneinfo.TZPATH
    zoneinfo.reset_tzpath([])
    zoneinfo.ZoneInfo.clear_cache()
    find_zone.cache_clear()
    yield
    zoneinfo.reset_tzpath(before)
    find_zone.cache_clear()


@pytest.mark.usefixtures("no_zones")
def test_without_time_zone_data_the_script_converts_times(browser: PlainBrowser) -> None:
    browser.client.cookies.set("zone", "Asia/Kolkata")
    assert times(browser) == {"10:30 PM UTC"}
    assert 'data-utc="clock"' in browser.page


def test_dates_fit_into_sentences() -> None:
    when = DateFormatter("fr", "Asia/Kolkata")
    told = when.insert_date_and_time(f"<Anna> le {when.placeholder}.", THEN)
    assert told == '&lt;Anna&gt; le <time datetime="2026-07-01T22:30:05Z">2 juil. 2026, 04:00</time>.'

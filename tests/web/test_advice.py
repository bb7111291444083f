"""Hints at the table, without script."""

import re
import time

from fastapi.testclient import TestClient

from tests.web.browser import PlainBrowser
from tests.web.test_pages import new_hot_table
from triclinium.bots.analysis import percent


def seated(client: TestClient, **wish: str) -> PlainBrowser:
    """Somebody whose turn it is, at a table with an empty second seat of their own."""
    browser = PlainBrowser(client)
    browser.get("/")
    new_hot_table(browser, "evangelists", 2, **wish)
    cover = re.search(r'href="(/t/\w+\?as=\d)"', browser.page)
    assert cover is not None
    browser.get(cover[1])
    return browser


def hinted(browser: PlainBrowser, **more: str) -> list[tuple[str, str]]:
    """Ask for a hint and wait as a browser without script does: by loading again."""
    browser.post(f"{browser.table}/hint", **browser.hidden(f"{browser.table}/hint") | more)
    where = browser.url
    until = time.monotonic() + 60
    while 'class="advised"' not in browser.page and time.monotonic() < until:
        assert 'class="thinking"' in browser.page
        assert '<meta http-equiv="refresh"' in browser.page
        time.sleep(0.1)
        browser.get(where)
    return re.findall(r'<button class="advised"[^>]*\bname="(\w+)" value="([^"]+)"', browser.page)


def test_a_hint_is_shown_with_chances_and_can_be_played(client: TestClient) -> None:
    browser = seated(client)
    offered = browser.options()
    best = hinted(browser)
    assert 1 <= len(best) <= 3
    assert all(name == "option" and option in offered for name, option in best)
    assert re.search(r"<b class=\"num\">\d+%</b>", browser.page)
    assert "the bot would choose this" in browser.page
    assert ">Hint</button>" not in browser.page  # it has been asked
    assert "equal, as far as" in browser.page or re.search(r'<small class="because">Rather than 2: \S', browser.page)
    browser.choose(best[0][1])
    assert browser.status == 200
    assert 'class="advised"' not in browser.page  # a hint ends with its decision


def test_an_option_of_ones_own_is_compared_with_the_best(client: TestClient) -> None:
    browser = seated(client)
    best = hinted(browser)
    form = browser.page[browser.page.index('name="mine"') :]
    others = re.findall(r'<option value="([^"]+)">', form[: form.index("</select>")])
    assert others
    assert not {option for _, option in best} & set(others)
    again = hinted(browser, mine=others[-1])
    assert others[-1] in [option for _, option in again]
    browser.post(f"{browser.table}/hint", **browser.hidden(f"{browser.table}/hint"), mine="nothing")
    assert browser.status == 404


def test_a_hint_is_confirmed_where_moves_are_confirmed(client: TestClient) -> None:
    browser = seated(client)
    where = browser.url
    browser.post("/settings", confirming="1", confirm="on", back="/me")
    browser.get(where)
    assert {name for name, _ in hinted(browser)} == {"choose"}


def test_a_table_without_hints_offers_none(client: TestClient) -> None:
    browser = seated(client, hints="off")
    where = browser.url
    assert f"{browser.table}/hint" not in browser.page
    browser.post(f"{browser.table}/hint", seat="0")
    browser.get(where)
    assert 'class="advice"' not in browser.page


def test_a_hint_is_in_the_readers_language(client: TestClient) -> None:
    browser = seated(client)
    where = browser.url
    browser.post("/settings", language="fr", back="/me")
    browser.get(where)
    hinted_page = hinted(browser)
    assert hinted_page
    assert "le robot choisirait" in browser.page
    assert re.search(r"\d+\N{NO-BREAK SPACE}%", browser.page)


def test_the_level_of_play_now_is_chosen_and_remembered(client: TestClient) -> None:
    browser = PlainBrowser(client)
    browser.get("/")
    assert re.findall(r'name="level" value="(\w+)"', browser.page) == ["novice", "steady", "strong", "master"]
    browser.post("/play/evangelists", level="novice")
    assert "bot, Novice" in browser.page
    browser.get("/")
    assert 'value="novice" checked' in browser.page
    browser.get("/new")
    assert "Master: thinks ahead for several seconds" in browser.page
    browser.post("/play/evangelists", level="nobody")
    assert browser.status == 400


def test_chances_in_words() -> None:
    assert [percent(chance) for chance in (0.0, 0.004, 0.5, 1.0)] == [1, 1, 50, 99]

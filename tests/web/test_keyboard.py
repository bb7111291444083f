"""Tests of keys at the table: shown next to the options, and off if the reader wants."""

import random
import re
from html import escape

from fastapi.testclient import TestClient

from tests.web.browser import PlainBrowser, play_out
from tests.web.test_pages import new_hot_table, take_over
from triclinium.engine.registry import load_game
from triclinium.games.ierusalem.rules.constants import ACTIONS
from triclinium.games.ierusalem.ui.icons import ICON_NAMES
from triclinium.web import assets


def test_shortcuts_are_on_until_turned_off(client: TestClient) -> None:
    browser = PlainBrowser(client)
    new_hot_table(browser, "testoftime", 2)
    take_over(browser)
    table = browser.table
    assert '<kbd aria-hidden="true">1</kbd>' in browser.page
    assert 'aria-keyshortcuts="h"' in browser.page
    browser.post("/settings", keys="off", back=table)
    assert 'data-keys="off"' in browser.page
    assert '<kbd aria-hidden="true">' not in browser.page
    assert "aria-keyshortcuts" not in browser.page
    assert "/static/shortcuts.js?" in browser.page  # arrow keys within a group still work
    assert "Turn keyboard shortcuts on" in browser.get("/me")
    browser.post("/settings", keys="some", back=table)
    assert 'data-keys="off"' in browser.page  # there is no such setting
    browser.post("/settings", keys="on", back=table)
    assert '<kbd aria-hidden="true">1</kbd>' in browser.page


def test_the_help_card_opens_without_script(client: TestClient) -> None:
    """The help card has the game's icons and keys and a link back to the table.

    Its page is the printed card.
    """
    browser = PlainBrowser(client)
    new_hot_table(browser, "portals", 2)
    take_over(browser)
    assert 'href="/rules/portals/help" data-lists' in browser.page
    game, table = load_game("portals"), browser.table
    page = browser.get(f"/rules/portals/help?back={table}")
    names = [game.words.reader("en").format_arg(name) for _, _, name in assets.list_symbols(game)]
    assert len(names) > 5
    assert all(name in page for name in names)
    assert f'href="{table}"' in page
    browser.client.cookies.set("language", "fr")
    french = browser.get("/rules/portals/help")
    assert "Touches et symboles" in french
    assert "Keys" not in french


def test_the_help_card_has_a_line_for_every_icon(client: TestClient) -> None:
    """IE-1.14  Each action of a card has a line with the rule that explains it."""
    game = load_game("ierusalem")
    page = PlainBrowser(client).get("/rules/ierusalem/help")
    lines = assets.load_help_card(game)
    drawn = {id for id, _, _ in lines}
    assert {ICON_NAMES.get(action, action) for action in ACTIONS} - {"vp3"} <= drawn
    for _, line, rule in lines:
        assert escape(game.words.reader("en").format_arg(line), quote=False) in page
        assert f"#{rule.lower()}" in page
    assert assets.load_help_card(load_game("evangelists")) == ()


def test_the_decision_comes_first(client: TestClient) -> None:
    """The order in the source is decision, board, own things, seats and log, as screen readers read it."""
    browser = PlainBrowser(client)
    new_hot_table(browser, "portals", 2)
    take_over(browser)
    page = browser.page
    parts = ['id="decide"', 'id="board"', 'id="own"', 'id="seats"', 'id="log"']
    assert [page.index(part) for part in parts] == sorted(page.index(part) for part in parts)


def test_the_result_is_the_heading(client: TestClient) -> None:
    """The heading says that the match is over and who won, without a space before the full stop."""
    browser = PlainBrowser(client)
    new_hot_table(browser, "evangelists", 2)
    play_out(client, browser, random.Random(3))
    page = " ".join(browser.get(f"{browser.table}?as=0").split())
    heading = page[page.index('<h2 id="result" tabindex="-1">') :].partition("</h2>")[0]
    assert '<span class="sr">The match is over.</span>' in heading
    assert re.search(r"(wins with \d+ points, \d+ ahead of [\w ]+|share the victory)\.", heading)
    assert " ." not in re.sub(r"<[^>]+>", "", heading)

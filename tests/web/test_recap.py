"""Tests of the recap on the page: complete, by player, in both languages, with drawn cards and ended rounds."""

import random
import re
from collections import Counter
from html import unescape

import pytest
from fastapi.testclient import TestClient

from tests.server.api_client import get_server
from tests.server.locked_tables import make_move
from tests.slow import slow
from tests.web.browser import PlainBrowser
from tests.web.test_pages import new_hot_table
from tests.web.test_secrets import Visitors
from triclinium.engine.core.state import NOBODY
from triclinium.engine.recap import build_recap
from triclinium.engine.registry import list_games
from triclinium.server.presenter.recap import News
from triclinium.server.presenter.table_view import TableView
from triclinium.server.tables.table import Table

BAR = re.compile(r'<details class="recap".*?<summary>.*?</summary>', re.DOTALL)
PANEL = re.compile(r'<div class="news".*?</a>', re.DOTALL)
HEADINGS = {"en": ("Log so far", "Since your last move"), "fr": ("Depuis le début", "Depuis votre dernier coup")}
MOVES = 64
CARDS = ("evangelists", "ierusalem", "missionnaires", "portals")
ROUNDS = ("evangelists", "portals", "testoftime")


def get_recap(table: Table, seat: int, language: str = "en") -> News:
    found = TableView(table, (seat,), seat, language).news
    assert found is not None
    return found


@pytest.mark.parametrize("each", [32, slow(4)])
@pytest.mark.parametrize("id", list_games())
def test_the_recap_is_complete_on_the_page(client: TestClient, id: str, each: int) -> None:
    """The recap on the page contains every line once and opens nothing by itself.

    Minor events are folded, and cards are drawn.
    """
    company = Visitors(client, id, 3)
    chance = random.Random(8)
    met: set[str] = set()
    for n in range(MOVES):
        company.play(chance)
        news = get_recap(company.table, company.table.who)
        kinds = {kind for kind, found in kinds_of(news).items() if found}
        if kinds - met or n % each == 0:
            met |= kinds
            compare(company, "fr" if len(met) % 2 else "en")
    assert met == {"after", "folded", *(["round"] if id in ROUNDS else []), *(["cards"] if id in CARDS else [])}
    assert 'details class="recap"' not in company.browsers[NOBODY].get(company.path)


def kinds_of(news: News) -> dict[str, bool]:
    """Return the kinds of content on the page."""
    cards = any(part.kind == "card" for part in news.mentioned_parts)
    return {"round": news.round is not None, "folded": bool(news.since.small), "cards": cards, "after": news.after > 0}


def compare(company: Visitors, language: str) -> None:
    """Compare the asked player's page with their new events."""
    seat = company.table.who
    browser = company.browsers[seat]
    browser.client.cookies.set("language", language)
    page = browser.get(company.path)
    news = get_recap(company.table, seat, language)
    if not news.since:
        assert 'details class="recap"' not in page
        return
    shown, bar = PANEL.search(page), BAR.search(page)
    assert shown is not None
    assert bar is not None
    in_round = 0 if news.round is None else len(news.round.lines) + len(news.gained)
    assert shown[0].count("<li") == news.count + in_round
    assert ('class="named' in shown[0]) == kinds_of(news)["cards"]
    assert " open>" not in bar[0]
    assert bar[0].count('class="entry') == len(news.digest) > 0
    for entry in news.digest:
        assert entry.sentence in unescape(re.sub(r"<[^>]+>", "", bar[0]))
    assert HEADINGS[language][news.after > 0] in bar[0]
    for large in re.findall(r'class="named[^>]*data-enlarge="([^" ]+)', shown[0]):
        assert page.count(f'<template id="{large}"') == 1


def test_lines_are_new_to_all_but_the_deciding_player(client: TestClient) -> None:
    """The new lines of a seat are its log since its last decision, without its own moves."""
    company = Visitors(client, "ierusalem", 3)
    chance = random.Random(2)
    for _ in range(50):
        company.play(chance)
    table = company.table
    for seat in range(3):
        shown = TableView(table, (seat,), seat, "en")
        news = get_recap(table, seat)
        told = {(line.actor, line.text): line.times for line in news.since.lines}
        others = [line for line in shown.log if line.n > news.after and table.history[line.n - 1].seat != seat]
        assert Counter((line.actor, line.text) for line in build_recap(others, seat).lines) <= Counter(told)
        assert len(told) == len(news.since.lines)
        assert all(line.hits == seat for line in news.since.hits)
    assert TableView(table, (), None, "en").news is None
    assert TableView(table, (0,), 0, "en", past=10).news is None


def test_hot_seat_players_have_separate_recaps(client: TestClient) -> None:
    """With two people at one device, the first player's moves are new to the second."""
    browser = PlainBrowser(client)
    browser.get("/")
    new_hot_table(browser, "testoftime", 2)
    assert client.portal is not None
    server = get_server(client)
    table: Table = client.portal.call(server.tables.get_table, browser.table.removeprefix("/tables/"))
    chance = random.Random(4)
    met = 0
    for _ in range(40):
        option = table.game.format_option(chance.choice(table.current_match.state.legal))
        client.portal.call(make_move, server, table, table.who, option, table.version)
        news = TableView(table, (0, 1), table.who, "en").news
        assert news is not None
        met += any(line.seat == 1 - table.who for line in news.since.lines)
    assert met
    assert 'details class="recap"' in browser.get(f"{browser.table}?as={table.who}")


def test_the_log_in_the_api_has_weights_and_affected_seats(client: TestClient) -> None:
    company = Visitors(client, "testoftime", 3)
    chance = random.Random(4)
    for _ in range(40):
        company.play(chance)
    lines = company.browsers[0].client.get(f"/api/v1/tables/{company.table.id}/log").json()
    assert {line["weight"] for line in lines} >= {0, 1}
    assert any(line["begins_round"] for line in lines)
    assert all(line["affected_seat"] in (None, 0, 1, 2) for line in lines)


def test_waiting_players_see_the_latest_lines_on_a_phone(client: TestClient) -> None:
    """The sheet has the last four lines of the viewer's log. A player who is asked has no sheet."""
    company = Visitors(client, "portals", 3)
    chance = random.Random(8)
    for _ in range(12):
        company.play(chance)
    asked = company.table.who
    waiting = (asked + 1) % 3
    assert "while-waiting" not in company.browsers[asked].get(company.path)
    page = company.browsers[waiting].get(company.path)
    listed = page.partition('while-waiting if-phone">')[2].partition("</ol>")[0]
    lines = TableView(company.table, (waiting,), waiting, "en").log[-4:]
    assert re.findall(r"<span>(.*)</span>", unescape(listed)) == [line.text for line in reversed(lines)]

"""Tests of auto-replies on the page without scripts: offered at the question, listed and ended in one place."""

import random
import re
from dataclasses import replace

import pytest
from fastapi.testclient import TestClient

from tests.server.locked_tables import make_move, rewrite_row, set_auto_reply
from tests.web.browser import PlainBrowser
from tests.web.test_pages import choose_any_option, new_hot_table, take_over
from tests.web.test_secrets import Visitors
from triclinium.engine.core.state import NOBODY
from triclinium.server.tables.undo import undo_steps

pytestmark = pytest.mark.usefixtures("figs")

OFFER = "Answer this automatically …"
LISTED = re.compile(r'<details class="more spared".*?</details>', re.DOTALL)
ANYWAY = "You are asked this time, because you could not undo your"


def play_until_asked(company: Visitors, step: str, chance: random.Random) -> None:
    """Play at random until a player is asked this question."""
    while company.table.current_match.state.asked.id != step:
        company.play(chance)


def list_auto_replies(page: str) -> list[tuple[str, str]]:
    """Return the auto-replies that the page lists for the reader."""
    found = LISTED.search(page)
    if found is None:
        return []
    return [(text, span) for text, span in re.findall(r"<span>([^<]+) <span class=\"soft\">\(([^)]+)\)", found[0])]


def press(browser: PlainBrowser, until: str) -> str:
    return browser.post(
        f"{browser.table}/auto-replies", **{**browser.hidden(f"{browser.table}/auto-replies"), "until": until}
    )


def test_an_auto_reply_is_set_listed_and_removed(client: TestClient) -> None:
    company = Visitors(client, "evangelists", 3)
    play_until_asked(company, "FollowTravel", random.Random(4))
    seat, version = company.table.who, company.table.version
    browser = company.browsers[seat]
    page = browser.get(company.path)
    assert OFFER in page
    assert "Answer “Never follow a Travel” automatically for:" in page
    assert re.findall(r'name="until" value="(\w+)">([^<]+)<', page) == [
        ("turn", "this turn"),
        ("round", "this round"),
        ("match", "this match"),
    ]
    assert list_auto_replies(page) == []
    for other, there in company.browsers.items():
        assert other == seat or OFFER not in there.get(company.path)
    page = press(browser, "round")
    assert browser.status == 200
    assert company.table.version > version
    assert list_auto_replies(page) == [("Never follow a Travel", "this round")]
    assert "1 question is answered automatically" in page
    for other, there in company.browsers.items():
        assert other == seat or "answered automatically" not in there.get(company.path)
    browser.client.cookies.set("language", "fr")
    assert list_auto_replies(browser.get(company.path)) == [("Ne suivre aucun Voyage", "cette manche")]
    browser.client.cookies.set("language", "en")
    browser.get(company.path)
    page = browser.post(f"{company.path}/auto-replies/cancel", seat=str(seat), step="FollowTravel")
    assert (browser.status, list_auto_replies(page)) == (200, [])


def test_two_browsers_of_one_person_show_the_same_auto_replies(client: TestClient) -> None:
    company = Visitors(client, "evangelists", 3)
    play_until_asked(company, "FollowTravel", random.Random(4))
    first = company.browsers[company.table.who]
    second = PlainBrowser(client)
    second.client.cookies = first.client.cookies
    first.get(company.path)
    second.get(company.path)
    assert list_auto_replies(press(first, "match")) == [("Never follow a Travel", "this match")]
    late = press(second, "turn")  # the same question on an old page
    assert second.status == 409
    assert "The table has changed in the meantime. Please check it and choose" in late
    assert list_auto_replies(second.get(company.path)) == [("Never follow a Travel", "this match")]
    second.post(
        f"{company.path}/auto-replies/cancel",
        seat=second.hidden(f"{company.path}/auto-replies/cancel")["seat"],
        step="FollowTravel",
    )
    assert list_auto_replies(first.get(company.path)) == []


def test_players_at_one_device_have_separate_auto_replies(client: TestClient) -> None:
    """Each player sees only their own list. In a game with hidden information this needs the device."""
    browser = PlainBrowser(client)
    browser.get("/")
    new_hot_table(browser, "evangelists", 2)
    chance = random.Random(3)
    while OFFER not in browser.page:
        choose_any_option(browser, chance)
        take_over(browser)
    spared = browser.hidden(f"{browser.table}/auto-replies")["seat"]
    press(browser, "match")
    seen: dict[str, int] = {}
    while len(seen) < 2:
        take_over(browser)
        found = re.search(r'name="seat" value="(\d)"', browser.page)
        assert found is not None
        seen[found[1]] = len(list_auto_replies(browser.page))
        browser.choose(chance.choice(browser.options()))
    assert seen == {spared: 1, str(1 - int(spared)): 0}


def test_a_player_who_would_lose_the_undo_is_asked(client: TestClient) -> None:
    """The last answer of a round of Figs rolls a die. A player who decided before may still undo it."""
    company = Visitors(client, "figs", 3)
    table = company.table
    rewrite_row(table, options=replace(table.options, undo=True))  # The table was opened without undo.
    while table.who != 1 or (1, "Join") not in table.auto_replies or table.current_match.state.asked.id != "Join":
        offered = table.list_option_texts()
        if table.current_match.state.asked.id == "Join" and table.who == 1:
            company.portal.call(set_auto_reply, company.server, table, 1, "match", table.version)
            continue
        lay = [option for option in offered if option.startswith("lay") and table.who != 1]
        option = "join no" if "join no" in offered else (lay or ["stop"])[0]
        company.portal.call(make_move, company.server, table, table.who, option, table.version)
    page = company.browsers[1].get(company.path)
    assert ANYWAY in page
    assert OFFER not in page
    assert list_auto_replies(page) == [("join nobody", "this match")]
    before = table.history[-1].seat  # seat 0, or seat 2 if seat 0 had no coin and was not asked
    assert undo_steps(table, before) == 1
    company.browsers[1].choose("join no")
    assert undo_steps(table, before) == 0


@pytest.mark.parametrize("id", ["evangelists", "testoftime"])
def test_the_log_shows_automatic_answers_to_the_seat_itself(client: TestClient, id: str) -> None:
    company = Visitors(client, id, 3)
    table, chance = company.table, random.Random(5)
    step, until = {"evangelists": ("FollowTravel", "match"), "testoftime": ("Move", "round")}[id]
    play_until_asked(company, step, chance)
    seat = table.who
    company.portal.call(set_auto_reply, company.server, table, seat, until, table.version)
    while not any(row.automatic for row in table.history):
        company.play(chance)
    row = next(row for row in table.history if row.automatic)
    assert row.seat == seat
    for viewer, browser in company.browsers.items():
        assert ("Answered automatically" in browser.get(company.path)) == (viewer == seat), viewer
    assert NOBODY in company.browsers

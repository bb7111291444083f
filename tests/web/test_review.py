"""Tests of the review of a match without scripts: own decisions, luck, and open cards."""

import random
import re
import time

import pytest
from fastapi.testclient import TestClient

from tests.server.api_client import get_server
from tests.web.browser import PlainBrowser, play_out
from tests.web.test_pages import new_hot_table
from triclinium.bots.analysis import Advice
from triclinium.bots.review import LuckEvent, Review, ReviewedDecision
from triclinium.games.portals.ui.view import PortalsView
from triclinium.server.presenter.review import SeatReview, build_seat_review
from triclinium.server.tables import analysis
from triclinium.server.tables.table import Table
from triclinium.web.pages import review


def play_to_end(client: TestClient, id: str, seats: int = 2) -> PlainBrowser:
    """Return a player at a table whose match is over."""
    browser = PlainBrowser(client)
    browser.get("/")
    new_hot_table(browser, id, seats)
    play_out(client, browser, random.Random(5))
    return browser


def table_of(client: TestClient, browser: PlainBrowser) -> Table:
    assert client.portal is not None
    found: Table = client.portal.call(get_server(client).tables.get_table, browser.table.removeprefix("/tables/"))
    return found


def await_review(browser: PlainBrowser) -> str:
    """Reload the page until the review is there, as a browser without scripts does."""
    browser.get(f"{browser.table}/review")
    until = time.monotonic() + 90
    while "<progress" in browser.page and time.monotonic() < until:
        assert '<meta http-equiv="refresh"' in browser.page
        time.sleep(0.2)
        browser.get(f"{browser.table}/review")
    return browser.page


def test_a_match_is_reviewed_when_it_is_over(client: TestClient) -> None:
    browser = PlainBrowser(client)
    browser.get("/")
    new_hot_table(browser, "evangelists", 2)
    table = browser.table
    browser.get(f"{table}/review")
    assert browser.status == 409
    browser.get(table)
    play_out(client, browser, random.Random(5))
    assert f'href="{table}/review' in browser.page
    page = await_review(browser)
    assert page.count('<polyline class="course') == 2
    decisions = re.findall(rf'href="({table}/positions/\d+\?as=0)"', page)
    assert 1 <= len(decisions) <= 6
    assert page.count('id="decision-') <= 3
    assert '<table class="sheet">' in page
    assert 'class="is-0-' in page  # the colours of the table
    assert "evangelists-colours.css" in page
    browser.get(decisions[0])
    assert browser.status == 200
    other = browser.get(f"{table}/review?as=1")
    assert 'as=1" aria-current="page"' in other
    browser.get("/tables")
    assert f'href="{table}/review"' in browser.page
    browser.post("/settings", language="fr", back="/me")
    browser.get(f"{table}/review")  # The stored review is shown.
    assert "Hasard" in browser.page


@pytest.fixture
def ended_match(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> tuple[PlainBrowser, Table]:
    """Return a finished match of Portals with an invented review."""
    browser = play_to_end(client, "portals")
    table = table_of(client, browser)
    drew = next(n for n in range(1, table.moves) if any(event.kind == "drew" for event in table.events(n)))
    event = next(i for i, one in enumerate(table.events(drew)) if one.kind == "drew")
    who = table.history[drew - 1].seat
    asked = next(n for n in range(drew, table.moves) if table.history[n].seat == 0)
    legal = [table.game.format_option(o) for o in table.position(asked).state.legal]
    own = table.history[asked].option
    better = next((one for one in legal if one != own), own)
    made = Review(
        [[0.5, 0.5]] * table.moves + [[1.0, 0.0]],
        table.moves - 2,
        [],
        [ReviewedDecision(asked, 0, Advice(own, 0.3, 0.1), (Advice(better, 0.4, 0.9),))],
        [LuckEvent(drew - 1, who, [0.2, -0.2], [event])],
    )

    async def known(*_: object) -> Review:
        return made

    monkeypatch.setattr(analysis, "request_review", known)
    return browser, table


def test_the_review_shows_better_moves_and_hidden_cards(ended_match: tuple[PlainBrowser, Table]) -> None:
    browser, _ = ended_match
    page = browser.get(f"{browser.table}/review?as=0")
    assert re.search(r"−10%", page)
    assert page.count('id="decision-') == page.count('id="luck-') == 1
    assert "After move" in page
    assert '<button type="button" class="named' in page  # the card itself, though only its drawer saw it then
    assert "draws" in page
    assert re.search(r"\+20%", page)
    assert "−20%" in re.sub(r"\s+", "", browser.get(f"{browser.table}/review?as=1"))
    assert "The bot found no better move than those that were played." in browser.page
    assert "(you)" not in page  # people at a shared device are not one of the seats


def test_all_cards_are_open_in_a_review(ended_match: tuple[PlainBrowser, Table]) -> None:
    """A review names the hands of all players, as their own views showed them."""
    browser, table = ended_match
    page = browser.get(f"{browser.table}/review?as=0")
    assert "What you couldn’t see" in page
    one = re.search(rf'href="{browser.table}/positions/(\d+)\?as=0"', page)
    assert one is not None
    n = int(one[1])
    s = table.position(n).state
    reader = table.game.words.reader()
    spectator = table.game.view(s, None)
    assert isinstance(spectator, PortalsView)
    for seat in range(2):
        own = table.game.view(s, seat)
        assert isinstance(own, PortalsView)
        for held, seen in zip(own.players[seat].hand, spectator.players[seat].hand, strict=True):
            if held.card is not None and seen.card is None:
                assert reader.format_arg(table.game.words.name_of("card", held.card)) in page.replace("&#39;", "'")


def test_a_seat_sees_its_own_mistakes(ended_match: tuple[PlainBrowser, Table]) -> None:
    _, table = ended_match
    stroke = LuckEvent(0, 1, [0.01, -0.01], [])
    of_seat = build_seat_review(table, Review([[0.5, 0.5]] * 3, 3, [], [], [stroke]), 0, "en")
    assert of_seat == SeatReview([], [])


def test_the_lines_of_a_review() -> None:
    chances = [[0.5, 0.5], [0.5, 0.5], [0.5, 0.5], [0.8, 0.2], [1.0, 0.0]]
    found = Review(chances, 5, [], [], [])
    drawn = review.build_line(found, 1)
    assert drawn.points == "0,50 500,50 750,80 1000,100"  # flat parts of the line have no extra points
    assert 0 <= drawn.sign_x <= 100
    assert 0 <= drawn.sign_y <= 100
    nothing = SeatReview([], [])
    assert review.build_table_rows(found, nothing) == [
        (n, [round(100 * one) for one in row]) for n, row in enumerate(chances)
    ]
    assert [n for n, _ in review.build_ticks(237)] == [0, 50, 100, 150, 200, 237]
    assert [n for n, _ in review.build_ticks(3)] == [0, 1, 2, 3]

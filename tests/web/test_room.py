"""Tests of the pages for one room: the wall, the hand, and the code that opens a hand on a phone."""

import gzip
import random
import re

import pytest
from fastapi.testclient import TestClient

from tests.server.api_client import ApiClient
from tests.web.browser import PlainBrowser
from tests.web.test_pages import choose_any_option, new_hot_table
from tests.web.test_secrets import SEATS, Visitors
from triclinium import list_games
from triclinium.engine.core.state import NOBODY
from triclinium.server.tables.event_stream import EventListener

HAND_BYTES = 40_000
STRANGER = 10_000  # the number of a person without a seat


def find_option(page: str) -> str:
    """Return the first option of a page's decision."""
    found = re.search(r'<button class="option[^>]* value="([^"]*)"', page)
    assert found is not None
    return found[1]


@pytest.mark.parametrize("id", list_games())
def test_the_large_screen_has_the_board_and_no_decision(client: TestClient, id: str) -> None:
    company = Visitors(client, id, SEATS)
    for browser in company.browsers.values():
        wall = browser.get(f"{company.path}/wall")
        assert browser.status == 200
        assert "Nothing secret is on this screen." in wall
        assert 'id="decision"' not in wall
        assert f"{company.table.occupants[company.table.who].name} decides." in wall


@pytest.mark.parametrize("id", list_games())
def test_a_hand_plays_the_match(client: TestClient, id: str) -> None:
    """A move from a hand leads back to the hand; so does a refused one, with its reason."""
    company = Visitors(client, id, SEATS)
    path = f"{company.path}/hand"
    for _ in range(6):
        browser = company.browsers[company.table.who]
        page = browser.get(path)
        assert 'id="board"' not in page
        assert len(gzip.compress(page.encode(), 3)) < HAND_BYTES
        version, moves = company.table.version, company.table.moves
        browser.post(f"{company.path}/move", option=find_option(page), version=str(version), hand="on")
        assert browser.url.endswith("/hand")
        assert company.table.moves > moves
    browser = company.browsers[company.table.who]
    late = browser.post(f"{company.path}/move", option="nonsense", version="0", hand="on")
    assert browser.status in (400, 409)
    assert "in-hand" in late
    assert 'role="alert"' in late


def test_only_players_have_a_hand(client: TestClient) -> None:
    company = Visitors(client, "portals", SEATS)
    spectator = company.browsers[NOBODY]
    spectator.get(f"{company.path}/hand")
    assert spectator.status == 403


def test_a_shared_device_plays_next_to_a_large_screen(client: TestClient) -> None:
    """The wall shows the match. The page of a hand asks who holds the shared device, and shows no hand before."""
    device, chance = PlainBrowser(client), random.Random(3)
    new_hot_table(device, "portals", 2)
    found = re.search(r"/tables/\w+", device.url)
    assert found is not None
    for _ in range(8):
        assert choose_any_option(device, chance)
        assert "Nothing secret is on this screen." in device.get(f"{found[0]}/wall")
        hand = device.get(f"{found[0]}/hand")
        assert 'class="cover"' in hand
        assert "in-hand" not in hand
        device.get(found[0])


def test_the_code_of_a_hand_works_once(client: TestClient) -> None:
    company = Visitors(client, "portals", SEATS)
    page = company.browsers[1].post(f"{company.path}/hand-code")
    found = re.search(r"/me/sign-in/[\w-]+\?hand=\w+", page)
    assert found is not None
    phone = PlainBrowser(client)
    phone.get(found[0])
    phone.post(found[0].partition("?")[0], hand=company.table.id)
    assert phone.url.endswith(f"{company.path}/hand")
    assert "in-hand" in phone.page
    second = PlainBrowser(client)
    second.get(found[0])
    assert second.status == 404
    company.browsers[NOBODY].post(f"{company.path}/hand-code")
    assert company.browsers[NOBODY].status == 403


def test_the_large_screen_shows_codes_for_hands_before_the_match(client: TestClient) -> None:
    api = ApiClient(client)
    phone = PlainBrowser(client)
    page = phone.get(f"/join/{api.code}?hand=on")
    assert f"/join/{api.code}?hand=on" in page
    phone.post(f"/join/{api.code}?hand=on", name="Ben")
    assert phone.url.endswith(f"/tables/{api.id}/hand")
    assert phone.status == 200


def test_the_large_screen_counts_for_no_presence_and_ends_with_its_link(client: TestClient) -> None:
    company = Visitors(client, "portals", SEATS)
    hub = company.table.hub
    person = company.table.occupants[0].person
    assert person is not None

    async def add_wall(person: int, generation: int) -> EventListener:
        wall = EventListener(person, link_generation=generation)
        wall.is_wall = True
        hub.add(wall)
        return wall

    company.portal.call(add_wall, person, -1)
    assert 0 not in hub.list_present_seats()
    generation = company.table.watch_generation
    watched = company.portal.call(add_wall, STRANGER, generation)
    assert watched in hub.listeners
    company.browsers[0].post(f"{company.path}/revoke-spectator-link")
    assert company.table.watch_generation > generation
    assert watched not in hub.listeners
    assert company.browsers[NOBODY].client.get(f"{company.path}/wall").status_code == 404

"""Tests of links to seats on pages: at one's own table, and to a bot's seat that the host opens."""

from html import unescape

from fastapi.testclient import TestClient

from tests.server.server_driver import ServerDriver
from tests.web.browser import PlainBrowser, seat_link
from tests.web.test_players import browser_of

SITS = "You already have a seat at this table. Each player takes"


def test_the_link_of_another_seat_leads_to_my_table_with_a_message(client: TestClient) -> None:
    anna = PlainBrowser(client)
    anna.post("/new", game="portals", seats="3", player="Anna", kind0="me", kind1="invite", kind2="invite")
    link, own = seat_link(anna.page), anna.table
    anna.get(link)
    assert anna.table == own
    assert SITS in anna.page
    assert SITS not in anna.get(own)  # The notice is shown only once.
    anna.post(link, name="Anna")
    assert SITS in anna.page
    ben = PlainBrowser(client)
    assert SITS not in ben.get(link)


def test_the_link_of_another_seat_works_during_a_match(own_client: TestClient) -> None:
    house = ServerDriver(own_client)
    table = house.open_table(house.create_person("Anna"), house.create_person("Ben"), "novice", game_id="portals")
    page = browser_of(house, "Ben")
    page.get(f"/invitations/{table.id}/1/{'0' * 32}")
    assert SITS in page.page
    assert page.table == f"/tables/{table.id}"


def test_the_host_gives_the_seat_of_a_bot_to_a_person(own_client: TestClient) -> None:
    """The page warns the host that the match will be unrated."""
    house = ServerDriver(own_client)
    table = house.play(house.open_table(house.create_person("Anna"), "novice", "novice", game_id="portals"), 3)
    host = browser_of(house, "Anna")
    page = unescape(host.get(f"/tables/{table.id}"))
    form = page[page.index(f'action="/tables/{table.id}/open-seat"') :].partition("</form>")[0]
    assert "This match will no longer be rated." in form
    host.post(f"/tables/{table.id}/open-seat", bot_seat="2", unrated="on")
    assert f"/invitations/{table.id}/2/" in host.page
    assert "Not rated: the host opened a bot’s seat" in host.page
    link = host.page[host.page.index(f"/invitations/{table.id}/2/") :][: len(f"/invitations/{table.id}/2/") + 32]
    clio = PlainBrowser(own_client)
    clio.get(link)
    clio.post(link, name="Clio")
    assert clio.table == f"/tables/{table.id}"
    assert (table.occupants[2].name, table.occupants[2].taken) == ("Clio", True)

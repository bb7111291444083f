"""Tests of clocks and absence on pages without scripts: pauses, return, resignation, result and vacation."""

import re

import pytest
from fastapi.testclient import TestClient

from tests.server.server_driver import ServerDriver
from tests.server.test_clocks import LIVE, FakeClock, fake_clock  # noqa: F401
from tests.web.browser import PlainBrowser
from triclinium.server.tables import timeouts
from triclinium.server.tables.options import TableOptions
from triclinium.server.tables.table import Table

SEAT = re.compile(r"/invitations/\w+/(\d)/[0-9a-f]{32}")


@pytest.fixture
def driver(client: TestClient) -> ServerDriver:
    return ServerDriver(client)


def open_browsers(driver: ServerDriver, table: Table, *names: str) -> list[PlainBrowser]:
    """Return the browsers of people, each at the table."""
    found = []
    for name in names:
        browser = PlainBrowser(driver.client)
        browser.client.cookies.set("triclinium", driver.cookies[name])
        browser.get(f"/tables/{table.id}")
        assert browser.status == 200
        found.append(browser)
    return found


def test_a_new_table_has_the_clock_that_was_chosen(driver: ServerDriver) -> None:
    """A new table has no clock, the game's live clock, a quick or slow one, or custom values."""
    own = {"time_bank": "10", "delay": "30", "unit": "live"}
    wanted = [
        ("untimed", (0, 0)),
        ("live", (720, 30)),
        ("quick", (480, 20)),
        ("slow", (259_200, 86_400)),
        ("own", (600, 30)),
    ]
    anna = PlainBrowser(driver.client)
    anna.get("/new?game=portals")
    assert "12 minutes each, plus 30 free seconds every turn" in anna.page
    for pace, clock in wanted:
        anna.post("/new", game="portals", seats="2", kind0="me", kind1="invite", pace=pace, **own)
        id = anna.url.rpartition("/")[2]
        table: Table = driver.portal.call(driver.server.tables.get_table, id)
        assert (table.options.store, table.options.free, table.options.bots) == (*clock, True)
    anna.post("/new", game="portals", seats="2", kind0="me", kind1="invite", pace="own", **{**own, "time_bank": "121"})
    assert anna.status == 400
    assert "1 to 120 minutes" in anna.page


def test_a_player_returns_with_one_button(driver: ServerDriver, fake_clock: FakeClock) -> None:  # noqa: F811
    """At zero a bot visibly takes over until the player presses the button. Opening the page does not restore time."""
    people = [driver.create_person("Anna"), driver.create_person("Ben")]
    table = driver.open_table(*people, options=LIVE)
    late = table.who
    fake_clock.passes(946.0)
    driver.portal.call(timeouts.remind_or_replace, driver.server, table)
    (owner,) = open_browsers(driver, table, people[late].name)
    assert "A substitute bot plays for you until you return." in owner.page
    assert table.occupants[late].substitute
    owner.post(f"/tables/{table.id}/return")
    assert "A substitute bot plays for you" not in owner.page
    assert not table.occupants[late].substitute
    assert "1:30" in owner.page  # The player has twice the free time.


def test_a_pause_is_asked_for_agreed_to_and_ended(driver: ServerDriver, fake_clock: FakeClock) -> None:  # noqa: F811
    table = driver.open_table(driver.create_person("Anna"), driver.create_person("Ben"), options=LIVE)
    anna, ben = open_browsers(driver, table, "Anna", "Ben")
    anna.post(f"/tables/{table.id}/pause", minutes="60")
    assert "A player asks for a pause of 1 hour." in anna.page
    ben.get(f"/tables/{table.id}")
    assert "1 of 2 agree" in ben.page
    ben.post(f"/tables/{table.id}/pause", minutes="60")
    assert "The match is paused until" in ben.page
    assert 'id="decision"' not in ben.page
    anna.post(f"/tables/{table.id}/resume")
    ben.post(f"/tables/{table.id}/resume")
    assert "The match is paused until" not in ben.page


def test_resigning_explains_its_consequences(driver: ServerDriver) -> None:
    """The dialog, "Your tables" and the seats say that a player has resigned and which score the bot reached."""
    table = driver.open_table(driver.create_person("Anna"), driver.create_person("Zoe"), driver.create_person("Noa"))
    driver.play(table, 30)
    (zoe,) = open_browsers(driver, table, "Zoe")
    assert f"Resign at {table.name}?" in zoe.page
    assert "You are placed last, and the match counts." in zoe.page
    zoe.post(f"/tables/{table.id}/resign", **{**zoe.hidden(f"/tables/{table.id}/resign"), "confirmed": "on"})
    assert zoe.url.endswith(f"/tables/{table.id}")  # Zoe may watch the match.
    assert f"Resign at {table.name}?" not in zoe.page
    assert "<b>You have resigned.</b>\nA bot plays your seat to the end, unless all players agree" in zoe.page
    assert '<a href="/tables?which=mine">The match stays in your list of tables.</a>' in zoe.page
    assert "You have resigned" not in open_browsers(driver, table, "Anna")[0].page
    assert "you have resigned" in zoe.get("/tables?which=mine")
    driver.play(table)
    anna, zoe = open_browsers(driver, table, "Anna", "Zoe")
    total = driver.load_results(table)[1]["total"]
    assert f"; a bot then played this seat and finished with {total}." in anna.page
    assert "Zoe resigned in round " in anna.page
    assert "Zoe wins" not in anna.page
    zoe.client.cookies.set("language", "fr")
    assert "Zoe a abandonné à la manche " in zoe.get(f"/tables/{table.id}")


def test_a_game_names_its_own_rule_for_resigning(driver: ServerDriver) -> None:
    people = [driver.create_person(name) for name in ("Anna", "Ben", "Cleo")]
    table = driver.open_table(*people, game_id="missionnaires")
    (anna,) = open_browsers(driver, table, "Anna")
    assert '<a href="/rules/missionnaires#LM-R24">LM-R24</a>' in anna.page
    anna.post(f"/tables/{table.id}/resign", **{**anna.hidden(f"/tables/{table.id}/resign"), "confirmed": "on"})
    assert "<b>You have resigned.</b>\nYour seat stays as it is and makes no more decisions." in anna.page


def test_all_players_agree_to_give_a_seat_to_someone(driver: ServerDriver) -> None:
    """A new player on whom all agree continues from the same position."""
    people = [driver.create_person(name) for name in ("Hanna", "Ben", "Noa", "Eve", "Mallory")]
    driver.play(driver.open_table(people[0], people[3]))  # so that they have met
    table = driver.open_table(*people[:3], options=TableOptions({"stenographer": "2"}, store=900, free=45))
    hanna, ben, noa, eve, mallory = (PlainBrowser(driver.client) for _ in range(5))
    for browser, person in zip((hanna, ben, noa, eve, mallory), people, strict=True):
        browser.client.cookies.set("triclinium", driver.cookies[person.name])
    ben.get(f"/tables/{table.id}")
    assert "Clock: 15 minutes each, plus 45 free seconds every turn." in ben.page
    assert "Give the seat" not in ben.page
    ben.post(f"/tables/{table.id}/resign", **{**ben.hidden(f"/tables/{table.id}/resign"), "confirmed": "on"})
    hanna.get(f"/tables/{table.id}")
    assert "Give the seat of Ben to someone" in hanna.page
    assert f'<option value="{people[3].id}">Eve</option>' in hanna.page
    assert "/invitations/" not in hanna.page
    hanna.post(f"/tables/{table.id}/vote-reassign", seat="1", person=str(people[3].id))
    assert hanna.status == 200
    assert "Let Eve take the seat of Ben?" in hanna.page
    assert f'href="/tables/{table.id}"' not in eve.get("/tables?which=mine")
    noa.get(f"/tables/{table.id}")
    assert "1 of 2 agree" in noa.page
    noa.post(f"/tables/{table.id}/vote-reassign", **noa.hidden(f"/tables/{table.id}/vote-reassign"))
    assert noa.status == 200
    assert f'href="/tables/{table.id}"' in eve.get("/tables?which=mine")
    mallory.get("/")
    mallory.post(f"/tables/{table.id}/join", seat="1")
    assert mallory.status == 404
    eve.get(f"/tables/{table.id}")
    assert "All players agreed to give you the seat of Ben" in eve.page
    eve.post(f"/tables/{table.id}/join", **eve.hidden(f"/tables/{table.id}/join"))
    assert table.list_seats_of(people[3].id) == [1]
    assert not table.occupants[1].substitute
    assert "Give the seat" not in ben.get(f"/tables/{table.id}")


def test_deadlines_are_shown_before_a_player_joins(driver: ServerDriver) -> None:
    """Deadlines are on the form of a new table, at link and code, in the waiting room and in the list, in both
    languages."""
    anna = PlainBrowser(driver.client)
    anna.get("/new?game=portals")
    after = (
        "When a player is absent for 10 minutes, the others can vote to let a substitute bot play until they return."
    )
    removal = "After 24 hours of absence they can vote to remove the player. That player loses."
    assert f"{after} {removal}" in anna.page
    assert "When a player’s time runs out, a substitute bot plays until they return." in anna.page
    fields = {"game": "portals", "seats": "2", "kind0": "me", "kind1": "invite", "visibility": "listed"}
    anna.post("/new", **fields, pace="untimed")
    assert f"{after} {removal}" in anna.page
    link = SEAT.search(anna.page)
    table: Table = driver.portal.call(driver.server.tables.get_table, anna.url.rpartition("/")[2])
    assert link is not None
    ben = PlainBrowser(driver.client)
    for way in (link[0], f"/join/{table.code}", f"/tables/{table.id}"):
        assert f"{after} {removal}" in ben.get(way)
    assert "absence: substitute bot after 10 minutes, removal after 24 hours" in ben.get("/tables?which=open")
    ben.client.cookies.set("language", "fr")
    assert "Quand un joueur est absent depuis 10 minutes" in ben.get(link[0])
    anna.post("/new", **fields, pace="quick")
    timed: Table = driver.portal.call(driver.server.tables.get_table, anna.url.rpartition("/")[2])
    ben.client.cookies.set("language", "en")
    page = ben.get(f"/join/{timed.code}")
    assert "Clock: 8 minutes each" in page
    assert "The others can also vote to remove a player whose time has run out." in page


def test_an_absent_player_is_removed_by_the_page_after_a_day(driver: ServerDriver, fake_clock: FakeClock) -> None:  # noqa: F811
    table = driver.open_table(
        driver.create_person("Anna"), driver.create_person("Ben"), options=TableOptions({"stenographer": "1"})
    )
    fake_clock.passes(3600.0)
    (anna,) = open_browsers(driver, table, "Anna")
    assert "Ben can be removed by vote in 23 h 00 min." in anna.page
    assert "Vote to remove Ben" not in anna.page
    fake_clock.passes(23 * 3600.0)
    anna.get(f"/tables/{table.id}")
    assert "Vote to remove Ben" in anna.page
    anna.post(f"/tables/{table.id}/vote-remove", seat="1")
    assert "The other players voted to remove Ben." in anna.page


def test_an_abandoned_match_is_marked(driver: ServerDriver) -> None:
    table = driver.open_table(driver.create_person("Anna"), driver.create_person("Ben"))
    driver.play(table, 5)
    anna, ben = open_browsers(driver, table, "Anna", "Ben")
    anna.post(f"/tables/{table.id}/abandon")
    ben.get(f"/tables/{table.id}")
    assert "A player asks to abandon the match" in ben.page
    ben.post(f"/tables/{table.id}/abandon")
    assert "This match was abandoned" in ben.page
    assert "rank 1" not in ben.page


def test_a_vacation_is_set_on_the_own_page(driver: ServerDriver) -> None:
    driver.create_person("Anna")
    anna = PlainBrowser(driver.client)
    anna.client.cookies.set("triclinium", driver.cookies["Anna"])
    assert "You have 21 days left of 21 this year." in anna.get("/me")
    anna.post("/me/vacation", start="2000-01-01", until="2000-01-02")
    assert anna.status == 400
    anna.get("/me")
    anna.post("/me/vacation", start="soon", until="later")
    assert anna.status == 400

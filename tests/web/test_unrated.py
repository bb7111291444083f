"""Tests that an unrated match shows one reason, in the same words on pages, in the API and on the profile."""

import re

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import delete, insert

from tests.matches import RECORDS
from tests.server.locked_tables import make_move, rewrite_row
from tests.server.server_driver import ServerDriver, insert_ended_match
from tests.toy import Figs
from tests.web.test_players import browser_of
from triclinium.engine.record import Record
from triclinium.server.presenter.unrated_reasons import SENTENCES
from triclinium.server.ratings import rating
from triclinium.server.ratings.rating import explain_unrated
from triclinium.server.storage.schema_results import rating_steps, results
from triclinium.server.storage.schema_shares import programs
from triclinium.server.tables import rating_eligibility as marks
from triclinium.server.tables.table import Table
from triclinium.server.tables.undo import vote_to_undo

NO_RATING = "Not rated: the bots at this table have no rating yet."


def test_bots_without_a_rating_are_the_reason(own_client: TestClient, figs: Figs) -> None:
    house = ServerDriver(own_client)
    anna = house.create_person("Anna")
    table = house.open_table(anna, "random", game_id="figs")
    page = browser_of(house, "Anna")
    assert NO_RATING in page.get(f"/tables/{table.id}")  # before it ends as well
    house.play(table)
    over = page.get(f"/tables/{table.id}")
    assert over.count(NO_RATING) == 1  # both visible and read aloud
    heading = re.search(r'<h2 id="result".*?</h2>', over, re.DOTALL)
    assert heading is not None
    assert NO_RATING in heading[0]
    assert "aria-hidden" not in heading[0]
    assert "only the first ten" not in over
    facts = page.client.get(f"/api/v1/tables/{table.id}").json()
    assert (facts["rated"], facts["unrated"]) == (False, ["unmeasured_bots"])
    assert facts["unrated_message"] == NO_RATING


def test_a_profile_counts_matches_that_are_not_rated(own_client: TestClient, figs: Figs) -> None:
    house = ServerDriver(own_client)
    anna = house.create_person("Anna")
    house.play(house.open_table(anna, "random", game_id="figs"))
    page = browser_of(house, "Anna").get(f"/players/{anna.id}")
    tile = page[page.index('class="tile" data-game="figs"') :].partition("</a>")[0]
    assert "1 match, none rated" in tile
    assert "No matches yet" not in tile
    assert NO_RATING in page[page.index('id="matches"') :]
    facts = browser_of(house, "Anna").client.get(f"/api/v1/players/{anna.id}").json()
    [own] = [one for one in facts["games"] if one["game"] == "figs"]
    assert (own["matches"], own["rated_matches"]) == (1, 0)
    assert (facts["matches"][0]["unrated"], facts["matches"][0]["unrated_message"]) == ("unmeasured_bots", NO_RATING)


def test_every_reason_has_a_sentence_of_its_own(own_client: TestClient) -> None:
    house = ServerDriver(own_client)
    table = house.open_table(house.create_person("Anna"), "steady")  # hints count here as well
    for name in ("practice", "undone_by_consent", "ended_early", "hinted", "file", "origin"):
        rewrite_row(table, **{name: "record" if name == "origin" else True})
    assert {*marks.list_noted_reasons(table)} <= {*SENTENCES}
    assert len(marks.list_noted_reasons(table)) == 6
    assert len({*SENTENCES.values()}) == len(SENTENCES)


@pytest.fixture
def people(own_client: TestClient) -> ServerDriver:
    house = ServerDriver(own_client)
    for name in ("Anna", "Ben"):
        house.create_person(name)
    return house


def test_unrated_reasons_are_stored_with_results(people: ServerDriver) -> None:
    """Reasons without a mark in the table are found exactly where they apply."""
    game_id = "evangelists"
    with people.server.store.engine.connect() as connection:
        for number in range(1, 12):
            insert_ended_match(connection, number, [(1, 1), ("steady", 2)], game_id)
        assert explain_unrated(connection, 10, 1) == ""
        assert explain_unrated(connection, 11, 1) == rating.BOTS_ONLY
        insert_ended_match(connection, 12, [(1, 1), ("random", 2)], game_id)
        assert explain_unrated(connection, 12, 1) == rating.UNMEASURED_BOTS
        insert_ended_match(connection, 13, [(1, 1), (2, 2)], game_id, kind="program")
        assert explain_unrated(connection, 13, 1) == rating.UNREGISTERED
        insert_ended_match(connection, 14, [(1, 1)], game_id)
        assert explain_unrated(connection, 14, 1) == rating.NO_RIVAL
        insert_ended_match(connection, 15, [(1, 1), (2, 2)], game_id, unrated="hints")
        assert explain_unrated(connection, 15, 2) == "hints"
        insert_ended_match(connection, 16, [(1, 1), (2, 2)], game_id)
        assert explain_unrated(connection, 16) == ""
        connection.execute(delete(rating_steps).where(rating_steps.c.number == 16))
        # an error never shows the sentence of another reason
        assert explain_unrated(connection, 16, 1) == rating.FAILED
        insert_ended_match(connection, 17, [(1, 1), (2, 2), ("steady", 3)], game_id)
        connection.execute(results.update().where(results.c.number == 17, results.c.person == 2).values(how="joined"))
        connection.execute(delete(rating_steps).where(rating_steps.c.number == 17, rating_steps.c.person == 2))
        assert explain_unrated(connection, 17, 2) == rating.TOOK_OVER
        connection.execute(insert(programs).values(person=2, owner=1, made=0.0))
        insert_ended_match(connection, 18, [(1, 1), (2, 2)], game_id)
        assert explain_unrated(connection, 18, 1) == rating.OWN_PROGRAM


def test_a_winner_who_used_a_hint_is_the_reason(people: ServerDriver) -> None:
    """Neither rating changes, and both players see the reason."""
    with people.server.store.engine.connect() as connection:
        insert_ended_match(connection, 1, [(1, 1), (2, 2)], "evangelists")
        connection.execute(delete(rating_steps).where(rating_steps.c.number == 1))
        connection.execute(results.update().where(results.c.number == 1, results.c.person == 1).values(stake="lose"))
        assert explain_unrated(connection, 1, 1) == rating.HELPED
        assert explain_unrated(connection, 1, 2) == rating.OPPONENT_HELPED
        assert explain_unrated(connection, 1) == rating.OPPONENT_HELPED


async def practise(driver: ServerDriver, table: Table) -> None:
    """Play at random and undo, until an undo has hidden new information again."""
    while not table.practice:
        mine = tuple(table.list_owned_seats())
        for _ in range(3):
            option = table.game.format_option(driver.chance.choice(table.current_match.state.legal))
            await make_move(driver.server, table, table.who, option, table.version)
        await vote_to_undo(driver.server, table, mine, table.version, practice=True)


def test_practice_and_records_are_marked_in_lists_and_in_the_log(own_client: TestClient) -> None:
    house = ServerDriver(own_client)
    house.create_person("Anna")
    record = Record.loads((RECORDS / "evangelists/2.rec").read_text(encoding="utf-8")).truncate(6).dumps()
    page = browser_of(house, "Anna")
    page.get("/tables")
    csrf = page.page.split('name="csrf" value="')[1].split('"')[0]
    page._follow(page.client.post("/records", data={"csrf": csrf}, files={"record": ("match.txt", record)}))
    copy = page.table.removeprefix("/tables/")
    begun = house.portal.call(house.server.tables.get_table, copy)
    house.portal.call(practise, house, begun)
    listed = page.get("/tables?which=mine")
    line = listed[: listed.index(f'href="/tables/{copy}"')].rpartition('class="tline"')[2]
    assert "starts from a record" in line
    assert "practice" in line
    [told] = [one for one in page.client.get("/api/v1/tables?which=mine").json()["tables"] if one["id"] == copy]
    assert (told["practice"], told["origin"]) == (True, "record")
    log = page.client.get(f"/api/v1/tables/{copy}/log").json()
    assert [one["move"] for one in log[:2]] == [0, 0]
    assert "starts from a record" in log[0]["text"]
    assert log[1]["text"].startswith("This is a practice match")
    french = page.client.get(f"/api/v1/tables/{copy}/log?language=fr").json()
    assert french[1]["text"].startswith("Partie d’entraînement")
    shown = page.get(f"/tables/{copy}?as={begun.who}&log=all")
    assert log[0]["text"] in shown[shown.index('id="log"') :]

"""Tests of the consent to use people's finished matches in studies."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Connection, insert, update

from tests.server.api_client import get_server, make_settings
from tests.server.server_driver import ServerDriver, insert_ended_match, insert_person
from triclinium.engine.registry import load_game
from triclinium.server.http.auth import SESSION_COOKIE
from triclinium.server.storage.schema import tables
from triclinium.server.storage.schema_workshop import playtest_tables, playtests, studies
from triclinium.server.workshop.access import MEMBERS
from triclinium.server.workshop.playtest_results import PlayedMatch
from triclinium.server.workshop.study_consent import MIN_MATCHES, has_agreed, load_people_matches, set_agreed
from triclinium.web.app import create_app

ANNA, BEN, CLARA = 101, 102, 103
PRINTED, EDITED = "0123456789abcdef", "fedcba9876543210"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    settings = make_settings(tmp_path)
    settings.workshop = MEMBERS
    with TestClient(create_app(settings)) as running:
        yield running


def write(client: TestClient, job: Callable[[Connection], object]) -> None:
    assert client.portal is not None
    client.portal.call(get_server(client).store.write, job)


def load(client: TestClient, components: str = PRINTED) -> list[PlayedMatch]:
    with get_server(client).store.read_connection() as connection:
        return load_people_matches(connection, "evangelists", components)


def insert_matches(connection: Connection, first: int, who: tuple[int | str, ...], how: str = "finished") -> None:
    """Store as many matches as studies show, of the same players."""
    for number in range(first, first + MIN_MATCHES):
        ranks = [(each, rank) for rank, each in enumerate(who, start=1)]
        id = insert_ended_match(connection, number, ranks, how=how)
        connection.execute(update(tables).where(tables.c.id == id).values(components=PRINTED, moves=number))


def add_people(connection: Connection) -> None:
    for id, name in ((ANNA, "Anna"), (BEN, "Ben"), (CLARA, "Clara")):
        insert_person(connection, id, name)


def test_matches_count_if_all_their_people_have_agreed(client: TestClient) -> None:
    """Consent is off by default; one player without it keeps the match out, and so does an early departure."""
    write(client, add_people)
    write(client, lambda connection: insert_matches(connection, 1, (ANNA, BEN, "steady")))
    write(client, lambda connection: insert_matches(connection, 11, (ANNA, CLARA)))
    write(client, lambda connection: insert_matches(connection, 21, (ANNA, BEN), how="left"))
    write(client, lambda connection: insert_matches(connection, 31, ("steady", "greedy")))
    assert load(client) == []
    write(client, lambda connection: set_agreed(connection, ANNA, True))
    assert load(client) == []
    write(client, lambda connection: set_agreed(connection, BEN, True))
    assert sorted(match.values["decisions"] for match in load(client)) == [1.0, 2.0, 3.0, 4.0, 5.0]
    assert load(client, EDITED) == []
    write(client, lambda connection: set_agreed(connection, ANNA, False))
    assert load(client) == []


def test_few_matches_and_matches_of_playtests_are_not_shown(client: TestClient) -> None:
    write(client, add_people)
    write(client, lambda connection: insert_matches(connection, 1, (ANNA, "steady")))
    write(client, lambda connection: set_agreed(connection, ANNA, True))
    assert len(load(client)) == MIN_MATCHES
    row = dict.fromkeys(("name", "first_name", "first_text", "second_name", "second_text", "key", "salt", "seal"), "")
    test = {**row, "id": "test", "person": BEN, "game": "evangelists", "question": "fair", "made": 0.0}

    def join(connection: Connection) -> None:
        connection.execute(insert(playtests).values(**test))
        connection.execute(insert(playtest_tables).values(playtest="test", place=0, entry="match00001"))

    write(client, join)
    assert load(client) == []


def test_the_setting_is_off_and_can_be_changed_on_the_page_and_in_the_api(client: TestClient) -> None:
    driver = ServerDriver(client)
    person = driver.create_person("Miriam")
    client.cookies.set(SESSION_COOKIE, driver.cookies["Miriam"])
    assert "Use my finished matches in studies" in client.get("/me/privacy").text
    assert client.get("/api/v1/me").json()["studies"] is False
    assert client.put("/api/v1/me/studies", json={"agreed": True}).json() == {"agreed": True}
    assert client.get("/api/v1/me").json()["studies"] is True
    with get_server(client).store.read_connection() as connection:
        assert has_agreed(connection, person.id)


def test_a_finished_study_shows_matches_of_people_next_to_bots(client: TestClient) -> None:
    driver = ServerDriver(client)
    person = driver.create_person("Miriam")
    client.cookies.set(SESSION_COOKIE, driver.cookies["Miriam"])
    printed = load_game("evangelists").hash
    arm = {"figures": {"decisions": {"value": 212.0, "low": 210.0, "high": 214.0}}}
    summary = {
        "editions": [{"hash": printed}, {"hash": EDITED}],
        "arms": {str(n): {"arm": {"edition": n, "check": False}, **arm} for n in (0, 1)},
    }
    study = {"id": "study", "person": person.id, "edition": "x", "game": "evangelists", "name": "Four octagons"}
    study |= {"plan": "{}", "state": "done", "made": 0.0, "progress": "", "problem": "", "report": "", "worker": ""}

    def job(connection: Connection) -> None:
        add_people(connection)
        insert_matches(connection, 1, (ANNA, "steady"))
        connection.execute(update(tables).values(components=printed))
        connection.execute(insert(studies).values(**study, leased=0.0, summary=json.dumps(summary)))

    write(client, job)
    assert "People and bots" not in client.get("/workshop/studies/study").text
    write(client, lambda connection: set_agreed(connection, ANNA, True))
    page = client.get("/workshop/studies/study").text
    assert "5 with the printed game, 0 with this edition" in page
    assert "Decisions per match" in page
    assert "212" in page

"""Tests of bot accounts: registered bots are rated and have a separate leaderboard."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Connection, insert, select, update

from tests.databases import put_database
from tests.server.api_client import ApiClient, make_client, make_settings
from tests.server.server_driver import ServerDriver, insert_ended_match, insert_person
from triclinium.server.http.auth import SESSION_COOKIE
from triclinium.server.personal_data import deletion
from triclinium.server.ratings.leaderboard import load_bot_leaderboard, load_leaderboard
from triclinium.server.ratings.rating import rate_match, rebuild_ratings
from triclinium.server.storage.schema import people
from triclinium.server.storage.schema_results import ratings, results
from triclinium.server.storage.schema_shares import programs
from triclinium.server.storage.store import Store
from triclinium.web.app import create_app

GAME_ID = "evangelists"
ANNA, BEN, CLIO, STRAY = 1, 2, 3, 4  # Clio is Anna's bot account; the stray one is not registered


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    put_database(tmp_path)
    store = Store(f"sqlite:///{tmp_path / 'house.db'}")
    with store.engine.connect() as connection:
        for id, name in ((ANNA, "Anna"), (BEN, "Ben"), (CLIO, "Clio"), (STRAY, "Stray")):
            insert_person(connection, id, name)
        connection.execute(insert(programs).values(person=CLIO, owner=ANNA, made=0.0))
        yield connection
    store.close()


def store_match(connection: Connection, number: int, *order: int) -> None:
    """Store a match with these ranks. Bot accounts sat by a token."""
    insert_ended_match(connection, number, [(who, rank) for rank, who in enumerate(order, start=1)], unrated="later")
    mine = results.c.number == number
    connection.execute(update(results).where(mine).values(unrated=""))
    connection.execute(update(results).where(mine, results.c.person.in_((CLIO, STRAY))).values(kind="program"))
    rate_match(connection, number)


def read_ratings(connection: Connection) -> list[tuple[object, ...]]:
    return [tuple(row) for row in connection.execute(select(ratings).order_by(ratings.c.person))]


def test_a_registered_bot_account_is_rated_and_listed_separately(connection: Connection) -> None:
    """The wins of a registered bot count, and computing all ratings again gives the same values."""
    store_match(connection, 1, CLIO, BEN)
    assert [line.person for line in load_leaderboard(connection, GAME_ID, bots=False)] == [BEN]
    (line,) = load_bot_leaderboard(connection, GAME_ID)
    assert (line.person, line.played, line.won) == (CLIO, 1, 1)
    assert line.rating.display_value > 1500
    before = read_ratings(connection)
    rebuild_ratings(connection)
    assert read_ratings(connection) == before


def test_an_unregistered_program_is_not_rated(connection: Connection) -> None:
    """The other players are rated among themselves."""
    store_match(connection, 1, STRAY, ANNA, BEN)
    assert [row[0] for row in read_ratings(connection)] == [ANNA, BEN]


def test_matches_with_the_own_bot_account_are_not_rated(connection: Connection) -> None:
    store_match(connection, 1, ANNA, CLIO, BEN)
    assert read_ratings(connection) == []


def test_a_retired_bot_account_loses_its_seat(tmp_path: Path) -> None:
    with TestClient(create_app(make_settings(tmp_path)), follow_redirects=True) as client:
        home = ServerDriver(client)
        home.create_person("Anna")
        owner, by_key = make_client(client), make_client(client)
        owner.cookies.set(SESSION_COOKIE, home.cookies["Anna"])
        made = owner.post("/api/v1/me/bots", json={"name": "Cassandra"}).json()
        by_key.cookies.set(SESSION_COOKIE, made["token"])
        seat = ApiClient(make_client(client))
        seat.client = by_key
        seat.fill()
        by_token = make_client(client)
        assert by_token.get(f"{seat.url}/options", headers=seat.auth(1)).status_code == 200
        assert owner.delete(f"/api/v1/me/bots/{made['person']}").status_code == 200
        for path in ("", "/options"):
            assert by_token.get(f"{seat.url}{path}", headers=seat.auth(1)).status_code == 403
        home.server.tables._tables.clear()
        assert by_token.get(seat.url, headers=seat.auth(1)).status_code == 403  # Wait until the result is stored.
        assert by_token.get(seat.url, headers=seat.auth(0)).status_code == 200


def test_a_bot_account_is_registered_plays_by_token_and_is_retired(tmp_path: Path) -> None:
    """A bot account is registered and deleted by the API and on the page.

    Deleting a person deletes the bot accounts too.
    """
    with TestClient(create_app(make_settings(tmp_path)), follow_redirects=True) as client:
        home = ServerDriver(client)
        anna, ben = home.create_person("Anna"), home.create_person("Ben")
        owner, other, by_key = make_client(client), make_client(client), make_client(client)
        owner.cookies.set(SESSION_COOKIE, home.cookies["Anna"])
        other.cookies.set(SESSION_COOKIE, home.cookies["Ben"])
        assert make_client(client).get("/api/v1/me/bots").status_code == 403
        made = owner.post("/api/v1/me/bots", json={"name": "Cassandra"}).json()
        by_key.cookies.set(SESSION_COOKIE, made["token"])
        program = home.server.people.find_by_cookie(made["token"])
        assert program is not None
        table = home.play(home.open_table(ben, program))
        row = next(row for row in home.load_results(table) if row["person"] == made["person"])
        assert (row["kind"], row["how"]) == ("program", "finished")
        told = other.get("/api/v1/leaderboard", params={"game": GAME_ID}).json()
        assert [one["name"] for one in told["bot_accounts"]] == ["Cassandra"]
        assert "Cassandra" not in [one["name"] for one in told["leaderboard"]]
        assert "Cassandra" in other.get(f"/leaderboard?game={GAME_ID}").text
        assert "Cassandra" in owner.get("/me/bots").text
        assert other.delete(f"/api/v1/me/bots/{made['person']}").status_code == 404
        assert owner.delete(f"/api/v1/me/bots/{made['person']}").json()["active"] is False
        assert by_key.get("/api/v1/me").status_code == 403
        for n in range(5):
            assert owner.post("/api/v1/me/bots", json={"name": f"Clio {n}"}).status_code == 201
        assert owner.post("/api/v1/me/bots", json={}).status_code == 409
        home.portal.call(deletion.delete_account, home.server, anna)
        with home.server.store.read_connection() as connection:
            assert set(connection.execute(select(people.c.name)).scalars()) == {"", "Ben"}

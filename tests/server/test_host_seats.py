"""Tests of the host's changes to seats through the API, before the deal: a bot, or no player."""

import asyncio

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response

from tests.server.api_client import ApiClient, get_server
from tests.server.test_absence import table_of
from tests.server.test_seats import somebody
from triclinium.server.tables import seats


def fill(api: ApiClient, headers: dict[str, str], seat: object = 1, bot: object = "random") -> Response:
    return api.client.put(f"{api.url}/seats/{seat}/bot", headers=headers, json={"bot": bot})


def test_filling_the_last_seat_with_a_bot_begins_the_match(client: TestClient) -> None:
    api = ApiClient(client, seats=3)
    one = fill(api, api.auth(0), 2).json()
    assert (one["status"], one["seats"][2]["bot"], one["seats"][2]["name"]) == ("waiting", "random", "Bot 3")
    assert client.post(f"{api.url}/seats", json=api.invitations[1]).status_code == 404  # the old link no longer works
    both = fill(api, api.auth(0), 1)
    assert (both.status_code, both.json()["status"]) == (200, "playing")


def test_only_the_host_gives_seats_to_bots(client: TestClient) -> None:
    api = ApiClient(client, seats=3, visibility="watched")
    sat = client.post(f"{api.url}/seats", json=api.invitations[0]).json()
    _, eve = somebody(client, "Eve")
    for headers in ({"authorization": f"Bearer {sat['token']}"}, eve, {}, {"authorization": "Bearer " + "x" * 40}):
        assert fill(api, headers, 2).status_code == 403
        assert client.delete(f"{api.url}/seats/0", headers=headers).status_code == 403
    assert [one.kind for one in table_of(api).occupants] == ["person"] * 3


@pytest.mark.parametrize("seat", [-1, 3, 5, 99, 2**70, "x", "²", "0x1"])
def test_an_unknown_seat_is_refused(client: TestClient, seat: object) -> None:
    api = ApiClient(client, seats=3)
    assert fill(api, api.auth(0), seat).status_code in (400, 404, 422)
    assert client.delete(f"{api.url}/seats/{seat}", headers=api.auth(0)).status_code in (400, 404, 422)
    assert table_of(api).status == "waiting"


@pytest.mark.parametrize("bot", ["", "nobody", "x" * 41, None, 3, ["random"], "random\x00", "me"])
def test_an_unknown_bot_is_refused(client: TestClient, bot: object) -> None:
    api = ApiClient(client, seats=3)
    assert fill(api, api.auth(0), 1, bot).status_code in (400, 404, 422)
    assert not table_of(api).occupants[1].taken


def test_a_taken_seat_is_not_given_away(client: TestClient) -> None:
    api = ApiClient(client, seats=3)
    assert fill(api, api.auth(0), 0).status_code == 409
    assert client.post(f"{api.url}/seats", json=api.invitations[0]).status_code == 201
    assert fill(api, api.auth(0), 1).status_code == 409
    assert fill(api, api.auth(0), 2).status_code == 200
    assert fill(api, api.auth(0), 2).status_code == 409  # the same post again, after the match has begun


def test_a_bot_cannot_imitate_a_players_name(client: TestClient) -> None:
    api = ApiClient(client, seats=3, player="bot 2")
    assert fill(api, api.auth(0), 1).json()["seats"][1]["name"] == "Bot 2 2"


def test_the_host_can_free_a_seat_only_before_the_deal(client: TestClient) -> None:
    api = ApiClient(client, seats=3)
    sat = client.post(f"{api.url}/seats", json={"player": "Ben", **api.invitations[0]}).json()
    freed = client.delete(f"{api.url}/seats/1", headers=api.auth(0))
    assert (freed.status_code, freed.json()["seats"][1]["taken"]) == (200, False)
    assert client.get(api.url, headers={"authorization": f"Bearer {sat['token']}"}).status_code == 403
    assert client.post(f"{api.url}/seats", json=api.invitations[0]).status_code == 404  # the seat has another link now
    empty = client.delete(f"{api.url}/seats/1", headers=api.auth(0))
    assert (empty.status_code, empty.json()["message"]) == (409, "Nobody has this seat any more.")
    begun = ApiClient(client).fill()
    assert client.delete(f"{begun.url}/seats/1", headers=begun.auth(0)).status_code == 403


def test_a_player_who_takes_the_seat_first_keeps_it(client: TestClient) -> None:
    """A player who takes the seat before the host's request keeps it, and the host is refused."""
    api = ApiClient(client, seats=3)
    server = get_server(client)
    ben, _ = somebody(client, "Ben")

    async def race() -> list[object]:
        table = await server.tables.get_table(api.id)
        async with server.tables.locked(table):
            sitting = asyncio.ensure_future(seats.take_seat(server, table, table.occupants[1], ben))
            await asyncio.sleep(0)
            filling = asyncio.ensure_future(seats.fill_with_bot(server, table, 1, True, "random"))
            await asyncio.sleep(0)
        return list(await asyncio.gather(sitting, filling, return_exceptions=True))

    assert client.portal is not None
    sat, refused = client.portal.call(race)
    assert sat == ""
    assert str(refused) == "This seat is already taken."
    assert table_of(api).occupants[1].person == ben.id

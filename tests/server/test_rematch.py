"""Tests of rematches by the API: players get their seats again, and a closed rematch is no longer linked."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response

from tests.server.api_client import ApiClient, get_server
from tests.server.notification_driver import NotificationDriver
from tests.server.test_absence import table_of
from tests.server.test_seats import somebody
from triclinium.server.crypto import hash_token
from triclinium.server.tables import consent, retention, seats
from triclinium.server.tables.rematch import find_rematch, open_rematch
from triclinium.server.tables.table import Table


@pytest.fixture
def ended_match(client: TestClient) -> ApiClient:
    """Return a match of two API clients that both abandoned, open to spectators."""
    api = ApiClient(client, visibility="watched").fill()
    done = [client.post(f"{api.url}/abandon", headers=api.auth(seat)).json()["done"] for seat in (0, 1)]
    assert done == [False, True]
    return api


def post_rematch(api: ApiClient, seat: int) -> Response:
    return api.client.post(f"{api.url}/rematch", headers=api.auth(seat))


def fresh_table(api: ApiClient, answer: Response) -> Table:
    assert answer.status_code == 201, answer.text
    assert api.client.portal is not None
    found: Table = api.client.portal.call(get_server(api.client).tables.get_table, answer.json()["table"]["id"])
    return found


def bearer(answer: Response) -> dict[str, str]:
    return {"authorization": f"Bearer {answer.json()['token']}"}


def test_programs_can_play_a_rematch(ended_match: ApiClient) -> None:
    """The first player to ask opens the rematch, and the other takes a seat. Each gets a token for that seat."""
    assert ended_match.see(1)["rematch"] is None
    first = post_rematch(ended_match, 0)
    fresh = fresh_table(ended_match, first)
    assert fresh.status == "waiting"
    assert ended_match.see(1)["rematch"] == fresh.id
    second = post_rematch(ended_match, 1)
    assert second.json()["table"]["id"] == fresh.id
    assert second.json()["table"]["status"] == "playing"
    assert {first.json()["seat"], second.json()["seat"]} == {0, 1}
    assert [one.person for one in fresh.occupants] == [one.person for one in table_of(ended_match).occupants]
    url = f"/api/v1/tables/{fresh.id}"
    for answer in (first, second):
        seen = ended_match.client.get(url, headers=bearer(answer)).json()
        assert seen["seat"] == answer.json()["seat"]
        other = 1 - answer.json()["seat"]
        assert ended_match.client.delete(f"{url}/seats/{other}", headers=bearer(answer)).status_code == 403
    for seat in (0, 1):  # a token of the old table is not valid at the new one
        assert ended_match.client.get(url, headers=ended_match.auth(seat)).status_code == 403


def test_the_same_post_twice_is_done_once_and_answered_twice(ended_match: ApiClient) -> None:
    """A repeated request gets the same answer, which helps a client that lost its only copy of the token."""
    answers = [post_rematch(ended_match, seat).json() for seat in (0, 0, 1, 1, 0)]
    assert len({one["table"]["id"] for one in answers}) == 1
    assert [one["seat"] for one in answers] == [0, 0, 1, 1, 0]
    tokens = [one["token"] for one in answers]
    assert tokens[0] == tokens[1] == tokens[4] != tokens[2] == tokens[3]
    assert "" not in tokens


def test_posts_at_the_same_instant_open_one_table(ended_match: ApiClient) -> None:
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda n: post_rematch(ended_match, n % 2), range(8)))
    assert {one.status_code for one in answers} == {201}
    assert len({one.json()["table"]["id"] for one in answers}) == 1
    for seat in (0, 1):
        assert len({one.json()["token"] for one in answers if one.json()["seat"] == seat}) == 1
    fresh = fresh_table(ended_match, answers[0])
    assert fresh.status == "playing"
    assert {one.token for one in fresh.occupants} == {hash_token(one.json()["token"]) for one in answers}


def test_only_players_open_or_join_a_rematch(ended_match: ApiClient) -> None:
    url = f"{ended_match.url}/rematch"
    assert ended_match.client.post(url).status_code == 403  # A spectator may not ask for a rematch.
    _, cookie = somebody(ended_match.client, "Eve")
    assert ended_match.client.post(url, headers=cookie).status_code == 403
    invented = {"authorization": "Bearer " + "x" * 40}
    assert ended_match.client.post(url, headers=invented).status_code == 403
    assert not table_of(ended_match).rematch_id
    both = ended_match.client.post(url, headers={**cookie, **ended_match.auth(1)})  # the token overrides the cookie
    fresh = fresh_table(ended_match, both)
    assert fresh.host == table_of(ended_match).occupants[1].person
    assert both.json()["seat"] == 1


def test_a_running_match_has_none(client: TestClient) -> None:
    api = ApiClient(client).fill()
    early = post_rematch(api, 0)
    assert (early.status_code, early.json()["message"]) == (400, "The match is not over yet.")
    waiting = ApiClient(client)
    assert post_rematch(waiting, 0).status_code == 400


def test_leaving_a_rematch_gives_up_the_seat(ended_match: ApiClient) -> None:
    first, second = post_rematch(ended_match, 0), post_rematch(ended_match, 1)
    url = f"/api/v1/tables/{first.json()['table']['id']}"
    assert ended_match.client.delete(f"{url}/seats/1", headers=bearer(second)).status_code == 200
    gone = post_rematch(ended_match, 1)
    assert (gone.status_code, gone.json()["message"]) == (409, "No seat is reserved for you at the rematch.")
    assert ended_match.client.get(url, headers=bearer(second)).status_code == 403


def test_a_closed_rematch_is_not_linked(ended_match: ApiClient) -> None:
    """Another press opens a new rematch, also if the closed one was deleted."""
    server = get_server(ended_match.client)
    closed = fresh_table(ended_match, opened := post_rematch(ended_match, 0))
    url = f"/api/v1/tables/{closed.id}"
    assert ended_match.client.delete(url, headers=bearer(post_rematch(ended_match, 0))).json()["status"] == "closed"
    assert opened.json()["token"] == again_token(ended_match, closed)
    assert ended_match.see(0)["rematch"] is None
    assert find_rematch(server.store, table_of(ended_match)) == ""
    other = post_rematch(ended_match, 1)
    anew = fresh_table(ended_match, other)
    assert anew.id != closed.id
    assert anew.host == table_of(ended_match).occupants[1].person
    assert ended_match.see(0)["rematch"] == anew.id
    assert ended_match.client.portal is not None
    ended_match.client.portal.call(retention.delete_table, server.tables, anew.id)
    assert ended_match.see(0)["rematch"] is None
    third = post_rematch(ended_match, 0)
    assert third.json()["table"]["id"] not in (closed.id, anew.id)
    assert third.json()["token"] != opened.json()["token"]


def again_token(api: ApiClient, table: Table) -> str:
    return get_server(api.client).key.sign("rematch", table.id, api.tokens[0])


def test_only_the_host_closes_a_table_and_only_before_the_deal(client: TestClient) -> None:
    api = ApiClient(client, seats=3, visibility="listed")
    sat = client.post(f"{api.url}/seats", json=api.invitations[0]).json()
    ben = {"authorization": f"Bearer {sat['token']}"}
    _, cookie = somebody(client, "Eve")
    assert client.delete(api.url, headers=ben).status_code == 403
    assert client.delete(api.url, headers=cookie).status_code == 404
    assert client.delete(api.url, headers=api.auth(0)).status_code == 200
    assert client.delete(api.url, headers=api.auth(0)).status_code == 409
    filled = client.put(f"{api.url}/seats/2/bot", headers=api.auth(0), json={"bot": "random"})
    assert (filled.status_code, filled.json()["message"]) == (409, "This table was closed before the match started.")
    running = ApiClient(client).fill()
    assert client.delete(running.url, headers=running.auth(0)).status_code == 409


def test_people_play_again_by_their_cookie(client: TestClient) -> None:
    """A cookie identifies the seat, so there is no token. An invited person takes the reserved seat."""
    _, anna = somebody(client, "Anna")
    _, ben = somebody(client, "Ben")
    chairs = [{"kind": "me"}, {"kind": "invite"}]
    opened = client.post("/api/v1/tables", json={"game": "evangelists", "seats": chairs}, headers=anna).json()
    url = f"/api/v1/tables/{opened['table']['id']}"
    assert client.post(f"{url}/seats", json=opened["invitations"][0], headers=ben).status_code == 201
    assert client.post(f"{url}/abandon", headers=anna).status_code == 200
    assert client.post(f"{url}/abandon", headers=ben).json()["done"]
    first = client.post(f"{url}/rematch", headers=anna)
    assert (first.status_code, first.json()["token"], first.json()["seat"]) == (201, "", 0)
    fresh = f"/api/v1/tables/{first.json()['table']['id']}"
    _, eve = somebody(client, "Eve")
    assert client.post(f"{fresh}/seats", headers=eve, json={}).status_code == 404
    kept = client.post(f"{fresh}/seats", headers=ben, json={})  # the other way to the same seat
    assert (kept.status_code, kept.json()["seat"]) == (201, 1)
    told = client.post(f"{url}/rematch", headers=ben).json()
    assert (told["seat"], told["table"]["status"]) == (1, "playing")


def test_bots_and_a_drawn_order_do_not_disturb_it(client: TestClient) -> None:
    """A match against bots begins at once. If seats are drawn, the response names the drawn seat."""
    api = ApiClient(client, seats=3, bot="random", shuffle_seats=True)
    (mine,) = api.tokens
    assert client.post(f"{api.url}/abandon", headers=api.auth(mine)).json()["done"]
    answer = post_rematch(api, mine).json()
    assert answer["table"]["status"] == "playing"
    token = {"authorization": f"Bearer {answer['token']}"}
    assert client.get(f"/api/v1/tables/{answer['table']['id']}", headers=token).json()["seat"] == answer["seat"]


def test_repeated_rematches_notify_once(driver: NotificationDriver) -> None:
    """A player gets at most one message a day about rematches, and none about closed ones."""
    anna, ben = driver.create_person("Anna", mail=False), driver.create_person("Ben")
    table = driver.deal_table(anna, ben)
    for seat in (0, 1):
        driver.run(consent.vote_to_abandon, driver.server, table, (seat,))
    driver.send_and_reset()
    first = driver.run(open_rematch, driver.server, anna, table)
    driver.run(seats.close_table, driver.server.tables, first, True)
    assert driver.send_due_messages(60) == []
    driver.time[0] += 86400
    second = driver.run(open_rematch, driver.server, anna, table)
    assert driver.send_due_messages(60) == ["Anna wants to play again at Antioch supper"]
    driver.run(seats.close_table, driver.server.tables, second, True)
    third = driver.run(open_rematch, driver.server, anna, table)
    assert driver.send_due_messages(60) == []
    assert third.occupants[1].person == ben.id  # the seat is reserved nevertheless
    assert len({first.id, second.id, third.id}) == 3

"""Tests of the chat API: speakers, names, listeners and limits."""

import asyncio
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response
from sqlalchemy import Connection

from tests.server.api_client import ApiClient, get_server, make_app
from tests.server.test_absence import table_of
from tests.server.test_seats import somebody
from triclinium.server.accounts import bans
from triclinium.server.tables import invitations, seats
from triclinium.server.tables.event_stream import EventListener

HALF = b'{"text": "\\ud800"}'  # a message with an unpaired surrogate
ODD: list[object] = [None, 5, True, [], {}, ["salve"], "", "x" * 501]


def say(api: ApiClient, headers: dict[str, str], text: object = "salve", **more: str) -> Response:
    return api.client.post(f"{api.url}/chat", headers=headers, json={"text": text, **more})


def list_player_messages(
    api: ApiClient, headers: dict[str, str], language: str = "en"
) -> list[tuple[object, str, str]]:
    """Return the messages of people, without those of the server."""
    answer = api.client.get(f"{api.url}/chat?language={language}", headers=headers)
    assert answer.status_code == 200, answer.text
    return [(one["seat"], one["name"], one["text"]) for one in answer.json() if not one["by_server"]]


@pytest.fixture
def watched_table(client: TestClient) -> ApiClient:
    return ApiClient(client, visibility="watched").fill()


def test_seats_write_with_their_tokens(watched_table: ApiClient) -> None:
    said = say(watched_table, watched_table.auth(1), "  salve \u202e omnes  ")
    assert (said.status_code, said.json()) == (201, {"seat": 1, "name": "Ben 0"})
    say(watched_table, watched_table.auth(0), "et tu")
    assert list_player_messages(watched_table, watched_table.auth(0)) == [
        (1, "Ben 0", "salve omnes"),
        (0, "Anna", "et tu"),
    ]
    assert list_player_messages(watched_table, {}) == list_player_messages(watched_table, watched_table.auth(1))


def test_a_message_that_is_sent_again_appears_once(watched_table: ApiClient) -> None:
    """Repeated posts are recognised by sender and key."""
    ear = EventListener()
    table_of(watched_table).hub.add(ear)
    sent = [say(watched_table, watched_table.auth(0), key="1") for _ in range(3)]
    assert [(one.status_code, one.json()["seat"]) for one in sent] == [(201, 0)] * 3
    assert list_player_messages(watched_table, watched_table.auth(1)) == [(0, "Anna", "salve")]
    assert ear.drain_events().count(b"event: chat") == 1
    say(watched_table, watched_table.auth(1), key="1")
    say(watched_table, watched_table.auth(0), key="2")
    for _ in range(2):
        say(watched_table, watched_table.auth(0))
    assert [seat for seat, _, _ in list_player_messages(watched_table, watched_table.auth(1))] == [0, 1, 0, 0, 0]
    too_long = say(watched_table, watched_table.auth(0), key="x" * 65)
    assert too_long.status_code == 400


def test_a_message_that_is_sent_again_after_a_restart_appears_once(tmp_path: Path) -> None:
    with TestClient(make_app(tmp_path)) as client:
        api = ApiClient(client).fill()
        say(api, api.auth(0), key="1")
    with TestClient(make_app(tmp_path)) as client:
        api.client = client
        assert say(api, api.auth(0), key="1").status_code == 201
        assert list_player_messages(api, api.auth(0)) == [(0, "Anna", "salve")]


def test_announcements_are_in_the_readers_language(watched_table: ApiClient) -> None:
    found = {}
    for language in ("en", "fr"):
        answer = watched_table.client.get(
            f"{watched_table.url}/chat?language={language}", headers=watched_table.auth(0)
        )
        found[language] = [one for one in answer.json() if one["by_server"]]
    assert found["en"][0]["text"] == "Ben 0 joins the table."
    assert (found["en"][0]["name"], found["en"][0]["seat"]) == ("", None)
    assert [one["id"] for one in found["en"]] == [one["id"] for one in found["fr"]]


def test_spectators_talk_among_themselves_while_the_match_runs(watched_table: ApiClient) -> None:
    _, cookie = somebody(watched_table.client, "Eve")
    assert say(watched_table, cookie, "he holds the king").json() == {"seat": None, "name": "Eve"}
    assert list_player_messages(watched_table, cookie) == [(None, "Eve", "he holds the king")]
    for seat in (0, 1):
        assert list_player_messages(watched_table, watched_table.auth(seat)) == []
    assert watched_table.client.post(f"{watched_table.url}/abandon", headers=watched_table.auth(0)).status_code == 200
    assert watched_table.client.post(f"{watched_table.url}/abandon", headers=watched_table.auth(1)).json()["done"]
    assert list_player_messages(watched_table, watched_table.auth(0)) == [(None, "Eve", "he holds the king")]


def test_nobody_writes_for_another_seat_or_at_a_hidden_table(client: TestClient, watched_table: ApiClient) -> None:
    """Another cookie, an invented token and the token of another table are refused. A token overrides a cookie."""
    _, eve = somebody(client, "Eve")
    hidden = ApiClient(client).fill()
    assert say(hidden, eve).status_code == 404
    assert client.get(f"{hidden.url}/chat", headers=eve).status_code == 404
    assert say(hidden, {}).status_code == 404
    assert say(hidden, watched_table.auth(0)).status_code == 403
    assert say(hidden, {"authorization": "Bearer " + "x" * 40}).status_code == 403
    refused = say(watched_table, {})  # a spectator without a name
    assert (refused.status_code, refused.json()["message"]) == (403, "Please choose a nickname first.")
    assert say(watched_table, {**eve, **watched_table.auth(1)}).json() == {"seat": 1, "name": "Ben 0"}
    assert client.delete(f"{hidden.url}/seats/1", headers=hidden.auth(1)).status_code == 200
    assert say(hidden, hidden.auth(1)).status_code == 403
    assert list_player_messages(hidden, hidden.auth(0)) == []


def test_a_spectator_cannot_imitate_a_players_name(watched_table: ApiClient) -> None:
    _, cookie = somebody(watched_table.client, "\uff21nna")
    assert say(watched_table, cookie).json() == {"seat": None, "name": "\uff21nna 2"}


def test_spectators_by_link_can_write_until_it_is_revoked(client: TestClient) -> None:
    api = ApiClient(client).fill()
    eve, cookie = somebody(client, "Eve")
    assert client.portal is not None
    client.portal.call(invitations.add_spectator, get_server(client), table_of(api), eve, api.watch)
    assert say(api, cookie).status_code == 201
    assert client.delete(f"{api.url}/spectator-link", headers=api.auth(0)).status_code == 200
    assert say(api, cookie).status_code == 404


def test_messages_during_the_seat_draw_keep_their_sender(client: TestClient) -> None:
    api = ApiClient(client, shuffle_seats=True)
    server, table = get_server(client), table_of(api)
    ben, _ = somebody(client, "Ben")

    async def race() -> Response:
        async with server.tables.locked(table):
            sitting = asyncio.ensure_future(seats.take_seat(server, table, table.occupants[1], ben))
            saying = asyncio.ensure_future(asyncio.to_thread(say, api, api.auth(0)))
            await asyncio.sleep(0.3)
        await sitting
        return await saying

    assert client.portal is not None
    assert client.portal.call(race).json() == {"seat": 1, "name": "Anna"}
    assert [one.name for one in table.occupants] == ["Ben", "Anna"]
    assert list_player_messages(api, api.auth(0)) == [(1, "Anna", "salve")]


@pytest.mark.parametrize("text", ODD)
def test_invalid_texts_are_refused_with_a_message(watched_table: ApiClient, text: object) -> None:
    refused = say(watched_table, watched_table.auth(0), text)
    assert refused.status_code in (400, 422), refused.text
    assert refused.json()["message"]
    assert list_player_messages(watched_table, watched_table.auth(0)) == []


def test_other_bodies_are_refused(watched_table: ApiClient) -> None:
    url = f"{watched_table.url}/chat"
    for body in (b"", b"{", b"[]", b'"salve"', b'{"text": "a", "seat": 1}', b'{"text": "a", "name": "Ben 0"}', HALF):
        answer = watched_table.client.post(url, headers=watched_table.auth(0), content=body)
        assert answer.status_code in (400, 422), answer.text
    blank = say(watched_table, watched_table.auth(0), "\u200b \u3164")
    assert (blank.status_code, blank.json()["message"]) == (400, "Write a message first.")
    assert list_player_messages(watched_table, watched_table.auth(0)) == []


def test_a_mute_also_covers_tokens(own_client: TestClient) -> None:
    api = ApiClient(own_client).fill()
    server, person = get_server(own_client), table_of(api).occupants[1].person
    assert own_client.portal is not None
    assert person is not None

    def mute(connection: Connection) -> None:
        bans.store_ban(connection, person, bans.MUTE, 2.0**33)
        server.bans.read(connection)

    own_client.portal.call(server.store.write, mute)
    muted = say(api, api.auth(1))
    assert muted.status_code == 403
    assert "2242" in muted.json()["message"]
    assert say(api, api.auth(0)).status_code == 201


def test_a_seat_can_send_ten_messages_at_once(tmp_path: Path) -> None:
    """The API has the same limit as the page, and each seat has a separate limit."""
    with TestClient(make_app(tmp_path, limits=True)) as client:
        api = ApiClient(client).fill()
        answers = [say(api, api.auth(0), f"word {n}").status_code for n in range(14)]
        assert answers[:10] == [201] * 10
        assert 429 in answers
        assert say(api, api.auth(1)).status_code == 201
        late = say(api, api.auth(0))
        while late.status_code == 201:
            late = say(api, api.auth(0))
        assert int(late.headers["retry-after"]) >= 1
        huge = client.post(f"{api.url}/chat", headers=api.auth(1), content=b'{"text": "' + b"x" * 80_000 + b'"}')
        assert huge.status_code == 413

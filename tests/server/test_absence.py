"""Absent players, consent, and tables that are played again."""

import time
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from tests.server.api_client import ApiClient, app, server_of
from triclinium.server import live
from triclinium.server.tables import seating, timeouts, undo
from triclinium.server.tables.rematch import rematch
from triclinium.server.tables.table import Table


def table_of(api: ApiClient) -> Table:
    client = api.client
    assert client.portal is not None
    found: Table = client.portal.call(server_of(client).table, api.id)
    return found


def test_a_bot_takes_over_after_the_time_and_hands_back(client: TestClient) -> None:
    api = ApiClient(client, takeover=60).fill()
    api.play("start rome")
    server, table = server_of(client), table_of(api)
    assert client.portal is not None
    late = table.who
    client.portal.call(timeouts.look, server, table)
    assert not table.occupants[late].standin  # there is time yet
    table.moved = time.time() - 61
    client.portal.call(timeouts.look, server, table)
    assert table.occupants[late].standin
    shown = api.see(0)["seats"]
    assert isinstance(shown, list)
    assert shown[late]["standin"]
    until = time.monotonic() + 60  # a busy machine starts the process of the bots late
    while len(table.history) < 2 and time.monotonic() < until:  # stored, not only decided
        time.sleep(0.05)
    assert table.history[1].bot  # the bot has decided, and the history says so
    client.portal.call(seating.hand_back, server, table, table.occupants[late])
    assert not table.occupants[late].standin


def test_the_others_vote_a_bot_in(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    api = ApiClient(client, seats=3).fill()
    later = time.monotonic() + 181
    monkeypatch.setattr(live, "clock", lambda: later)
    server, table = server_of(client), table_of(api)
    assert client.portal is not None
    late = table.who
    others = [seat for seat in range(3) if seat != late]
    assert client.portal.call(timeouts.vote, server, table, late, (others[0],)) is False
    assert not table.occupants[late].standin
    assert client.portal.call(timeouts.vote, server, table, late, (others[1],)) is True
    assert table.occupants[late].standin


def test_undo_by_consent_of_all_seats(client: TestClient) -> None:
    api = ApiClient(client).fill()
    api.play("start rome")
    api.play("start corinth")
    server, table = server_of(client), table_of(api)
    assert client.portal is not None
    before = table.playing.state.digest()
    asker = table.who
    api.play("tradition")  # something was learnt: alone it cannot be taken back
    assert client.portal.call(undo.consent, server, table, (asker,), table.version) is False
    assert table.moves == 3
    assert client.portal.call(undo.consent, server, table, (1 - asker,), table.version) is True
    assert table.moves == 2
    assert table.playing.state.digest() == before


def test_consent_lapses_when_the_table_moves_on(client: TestClient) -> None:
    api = ApiClient(client).fill()
    api.play("start rome")
    server, table = server_of(client), table_of(api)
    assert client.portal is not None
    mover = table.history[-1].seat
    assert client.portal.call(undo.consent, server, table, (mover,), table.version) is False
    api.play("start corinth")
    assert undo.asked_by(server, table) is None
    assert client.portal.call(undo.consent, server, table, (1 - mover,), table.version) is False
    assert table.moves == 2


def test_a_history_with_undo_is_rebuilt_after_a_restart(tmp_path: Path) -> None:
    with TestClient(app(tmp_path)) as client:
        api = ApiClient(client).fill()
        api.play("start rome")
        api.play("start corinth")
        who = api.who
        assert who is not None
        for _ in range(3):
            api.play("travel weak")
            undo = client.post(f"{api.url}/undo", headers=api.auth(who), json={"version": api.version})
            assert undo.status_code == 200
        api.play("travel weak")
        before = (api.version, table_of(api).playing.state.digest())
    with TestClient(app(tmp_path)) as client:
        api.client = client
        assert (api.version, table_of(api).playing.state.digest()) == before


def test_a_rematch_keeps_the_seats(client: TestClient) -> None:
    api = ApiClient(client).fill()
    api.finish()
    server, table = server_of(client), table_of(api)
    assert client.portal is not None
    person, _ = client.portal.call(server.people.welcome, "Anna")
    table.occupants[0].person = person.id
    fresh: Table = client.portal.call(rematch, server, person, table)
    assert fresh.status == "waiting"
    assert [occupant.taken for occupant in fresh.occupants] == [True, False]
    assert fresh.occupants[1].person == table.occupants[1].person
    assert fresh.seed != table.seed
    again: Table = client.portal.call(rematch, server, person, table)
    assert again is fresh

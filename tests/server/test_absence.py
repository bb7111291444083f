"""Absent players, consent, and tables that are played again."""

import time
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from tests.server.desk import Desk, app, house_of
from triclinium.server import live
from triclinium.server.tables import create, seating, timeouts, undo
from triclinium.server.tables.table import Table


def table_of(desk: Desk) -> Table:
    client = desk.client
    assert client.portal is not None
    found: Table = client.portal.call(house_of(client).table, desk.id)
    return found


def test_a_bot_takes_over_after_the_time_and_hands_back(client: TestClient) -> None:
    desk = Desk(client, takeover=60).fill()
    desk.play("start rome")
    house, table = house_of(client), table_of(desk)
    assert client.portal is not None
    late = table.who
    client.portal.call(timeouts.look, house, table)
    assert not table.sitters[late].standin  # there is time yet
    table.moved = time.time() - 61
    client.portal.call(timeouts.look, house, table)
    assert table.sitters[late].standin
    shown = desk.see(0)["seats"]
    assert isinstance(shown, list)
    assert shown[late]["standin"]
    until = time.monotonic() + 60  # a busy machine starts the process of the bots late
    while len(table.done) < 2 and time.monotonic() < until:  # stored, not only decided
        time.sleep(0.05)
    assert table.done[1].bot  # the bot has decided, and the history says so
    client.portal.call(seating.hand_back, house, table, table.sitters[late])
    assert not table.sitters[late].standin


def test_the_others_vote_a_bot_in(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(client, seats=3).fill()
    later = time.monotonic() + 181
    monkeypatch.setattr(live, "clock", lambda: later)
    house, table = house_of(client), table_of(desk)
    assert client.portal is not None
    late = table.who
    others = [seat for seat in range(3) if seat != late]
    assert client.portal.call(timeouts.vote, house, table, late, (others[0],)) is False
    assert not table.sitters[late].standin
    assert client.portal.call(timeouts.vote, house, table, late, (others[1],)) is True
    assert table.sitters[late].standin


def test_undo_by_consent_of_all_seats(client: TestClient) -> None:
    desk = Desk(client).fill()
    desk.play("start rome")
    desk.play("start corinth")
    house, table = house_of(client), table_of(desk)
    assert client.portal is not None
    before = table.playing.state.digest()
    asker = table.who
    desk.play("tradition")  # something was learnt: alone it cannot be taken back
    assert client.portal.call(undo.consent, house, table, (asker,), table.version) is False
    assert table.moves == 3
    assert client.portal.call(undo.consent, house, table, (1 - asker,), table.version) is True
    assert table.moves == 2
    assert table.playing.state.digest() == before


def test_consent_lapses_when_the_table_moves_on(client: TestClient) -> None:
    desk = Desk(client).fill()
    desk.play("start rome")
    house, table = house_of(client), table_of(desk)
    assert client.portal is not None
    mover = table.done[-1].seat
    assert client.portal.call(undo.consent, house, table, (mover,), table.version) is False
    desk.play("start corinth")
    assert undo.asked_by(house, table) is None
    assert client.portal.call(undo.consent, house, table, (1 - mover,), table.version) is False
    assert table.moves == 2


def test_a_history_with_undo_is_rebuilt_after_a_restart(tmp_path: Path) -> None:
    with TestClient(app(tmp_path)) as client:
        desk = Desk(client).fill()
        desk.play("start rome")
        desk.play("start corinth")
        who = desk.who
        assert who is not None
        for _ in range(3):
            desk.play("travel weak")
            undo = client.post(f"{desk.url}/undo", headers=desk.auth(who), json={"version": desk.version})
            assert undo.status_code == 200
        desk.play("travel weak")
        before = (desk.version, table_of(desk).playing.state.digest())
    with TestClient(app(tmp_path)) as client:
        desk.client = client
        assert (desk.version, table_of(desk).playing.state.digest()) == before


def test_a_rematch_keeps_the_seats(client: TestClient) -> None:
    desk = Desk(client).fill()
    desk.play_at_random(2000)
    house, table = house_of(client), table_of(desk)
    assert client.portal is not None
    person, _ = client.portal.call(house.people.welcome, "Anna")
    table.sitters[0].person = person.id
    fresh: Table = client.portal.call(create.rematch, house, person, table)
    assert fresh.status == "waiting"
    assert [sitter.taken for sitter in fresh.sitters] == [True, False]
    assert fresh.sitters[1].person == table.sitters[1].person
    assert fresh.seed != table.seed
    again: Table = client.portal.call(create.rematch, house, person, table)
    assert again is fresh

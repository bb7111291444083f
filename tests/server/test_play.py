"""Moves at a table: one accepted order, clear answers, and everything on disk before anybody is told."""

import threading
from pathlib import Path

from fastapi.testclient import TestClient
from sqlalchemy import Connection, select

from tests.server.desk import Desk, app, house_of
from triclinium.engine.commitment import checks
from triclinium.engine.record import Record
from triclinium.server.storage.schema import history


def test_a_match_is_played_to_its_end_and_its_record_replays(client: TestClient) -> None:
    desk = Desk(client, seats=2).fill()
    desk.play_at_random(1000)
    facts = desk.see(0)
    assert facts["status"] == "over"
    record = Record.loads(desk.record())
    assert record.seed_text() == facts["seed"]
    assert (record.format, record.seal, record.salt) == (2, facts["seal"], facts["salt"])
    assert all(check.holds for check in checks(record, str(facts["seal"])[:8]))
    assert record.replay().over


def test_nothing_is_dealt_before_the_last_seat_is_taken(client: TestClient) -> None:
    desk = Desk(client, seats=3)
    facts = desk.see(0)
    assert facts["status"] == "waiting"
    assert "view" not in facts
    assert client.get(f"{desk.url}/record", headers=desk.auth(0)).status_code == 409
    assert desk.post(0, "start rome", 0).status_code == 409
    desk.fill()
    assert desk.see(0)["status"] == "playing"


def test_a_stale_move_is_refused_with_the_fresh_table(client: TestClient) -> None:
    desk = Desk(client).fill()
    desk.play_at_random(4)
    who, version = desk.who, desk.version
    assert who is not None
    late = desk.post(who, desk.options()[0], version - 1)
    assert late.status_code == 409
    assert late.json()["error"] == "stale"
    assert late.json()["table"]["version"] == version
    assert late.json()["table"]["decision"]["options"]
    assert desk.version == version


def test_the_same_post_twice_is_done_once(client: TestClient) -> None:
    desk = Desk(client).fill()
    who, version = desk.who, desk.version
    assert who is not None
    option = desk.options()[0]
    first = desk.post(who, option, version, key="click-1")
    second = desk.post(who, option, version, key="click-1")
    assert first.status_code == second.status_code == 200
    assert desk.version == version + 1
    other = desk.post(who, option, version, key="click-2")
    assert other.status_code == 409


def test_an_illegal_move_names_its_rule_and_changes_nothing(client: TestClient) -> None:
    desk = Desk(client).fill()
    who, version = desk.who, desk.version
    assert who is not None
    desk.play("start rome")
    now = desk.who
    assert now is not None
    refused = desk.post(now, "start rome", version + 1)
    assert refused.status_code == 409
    assert refused.json()["error"] == "refused"
    assert refused.json()["rule"].startswith("AE-")
    assert refused.json()["rule"] in refused.json()["message"]
    assert desk.post(now, "fly to the moon", version + 1).status_code == 400
    assert desk.version == version + 1


def test_only_the_asked_seat_decides(client: TestClient) -> None:
    desk = Desk(client, seats=3).fill()
    who, version = desk.who, desk.version
    assert who is not None
    option = desk.options()[0]
    other = (who + 1) % 3
    assert desk.post(other, option, version).status_code == 403
    nobody = client.post(f"{desk.url}/move", json={"option": option, "version": version})
    assert nobody.status_code == 404  # by link only: it does not even say that it exists
    elsewhere = Desk(client).fill()
    foreign = client.post(f"{desk.url}/move", json={"option": option, "version": version}, headers=elsewhere.auth(0))
    assert foreign.status_code == 403
    assert desk.version == version


def test_simultaneous_moves_have_one_order(client: TestClient) -> None:
    desk = Desk(client).fill()
    for _ in range(12):
        who, version = desk.who, desk.version
        assert who is not None
        options = desk.options()
        answers: list[int] = []

        def choose(option: str, who: int = who, version: int = version, answers: list[int] = answers) -> None:
            answers.append(desk.post(who, option, version).status_code)

        threads = [threading.Thread(target=choose, args=(options[i % len(options)],)) for i in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(answers) == [200, 409, 409, 409, 409, 409]
        assert desk.version == version + 1


def test_a_restart_in_the_middle_of_a_decision_keeps_every_answer(tmp_path: Path) -> None:
    with TestClient(app(tmp_path)) as client:
        desk = Desk(client, seats=3).fill()
        desk.play_at_random(25)
        before = {seat: desk.see(seat) for seat in desk.tokens}
    with TestClient(app(tmp_path)) as client:
        desk.client = client
        assert {seat: desk.see(seat) for seat in desk.tokens} == before
        desk.play_at_random(5)


def test_a_move_that_cannot_be_stored_is_not_made(client: TestClient) -> None:
    desk = Desk(client).fill()
    desk.play_at_random(3)
    house = house_of(client)
    who, version = desk.who, desk.version
    assert who is not None
    option = desk.options()[0]

    def steal(connection: Connection) -> None:
        """Somebody else's row stands where the next move must go."""
        row = connection.execute(select(history).where(history.c.table == desk.id, history.c.version == 1)).one()
        connection.execute(history.insert().values({**row._mapping, "version": version + 1, "kind": "hold"}))

    def free(connection: Connection) -> None:
        connection.execute(history.delete().where(history.c.table == desk.id, history.c.version == version + 1))

    assert client.portal is not None
    client.portal.call(house.store.write, steal)
    assert desk.post(who, option, version).status_code == 503
    client.portal.call(house.store.write, free)
    assert desk.version == version
    assert desk.post(who, option, version).status_code == 200


def test_undo_gives_back_the_earlier_state_and_generator(client: TestClient) -> None:
    desk = Desk(client).fill()
    house = house_of(client)
    desk.play("start rome")
    desk.play("start corinth")
    table = client.portal.call(house.table, desk.id) if client.portal else None
    assert table is not None
    before = table.playing.state.digest()
    who, version = desk.who, desk.version
    assert who is not None
    desk.play("travel weak")
    assert table.playing.state.digest() != before
    back = client.post(f"{desk.url}/undo", headers=desk.auth(who), json={"version": version + 1})
    assert back.status_code == 200, back.text
    assert table.playing.state.digest() == before
    assert desk.version == version + 2  # a history only grows
    again = client.post(f"{desk.url}/undo", headers=desk.auth(who), json={"version": version + 2})
    assert again.status_code == 409  # before that somebody else decided


def test_undo_is_refused_once_something_was_learnt(client: TestClient) -> None:
    desk = Desk(client).fill()
    desk.play("start rome")
    desk.play("start corinth")
    who = desk.who
    assert who is not None
    desk.play("tradition")  # looks at hidden cards
    back = client.post(f"{desk.url}/undo", headers=desk.auth(who), json={"version": desk.version})
    assert back.status_code == 409
    quiet = Desk(client, undo=False).fill()
    quiet.play("start rome")
    refused = client.post(f"{quiet.url}/undo", headers=quiet.auth(0), json={"version": quiet.version})
    assert refused.status_code == 403

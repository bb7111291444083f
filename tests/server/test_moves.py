"""Tests of moves at a table: one order, clear responses, and everything stored before anyone is notified."""

import threading
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Connection, select

from tests import postgres
from tests.server.api_client import ApiClient, get_server, make_app
from triclinium.engine.commitment import check_seal
from triclinium.engine.record import Record
from triclinium.server.storage.schema import history


def test_a_match_is_played_to_its_end_and_its_record_replays(client: TestClient) -> None:
    api = ApiClient(client, seats=2).fill()
    api.play_at_random(1000)
    facts = api.see(0)
    assert facts["status"] == "over"
    record = Record.loads(api.record())
    assert record.format_seed() == facts["seed"]
    assert (record.seal, record.salt) == (facts["seal"], facts["salt"])
    assert all(check.holds for check in check_seal(record, str(facts["seal"])[:8]))
    assert record.replay().over


def test_nothing_is_dealt_before_the_last_seat_is_taken(client: TestClient) -> None:
    api = ApiClient(client, seats=3)
    facts = api.see(0)
    assert facts["status"] == "waiting"
    assert "view" not in facts
    assert client.get(f"{api.url}/record", headers=api.auth(0)).status_code == 409
    assert api.post(0, "start rome", 0).status_code == 409
    api.fill()
    assert api.see(0)["status"] == "playing"


def test_a_stale_move_is_refused_with_the_fresh_table(client: TestClient) -> None:
    api = ApiClient(client).fill()
    api.play_at_random(4)
    who, version = api.who, api.version
    assert who is not None
    late = api.post(who, api.options()[0], version - 1)
    assert late.status_code == 409
    assert late.json()["error"] == "stale_version"
    assert late.json()["table"]["version"] == version
    assert late.json()["table"]["decision"]["options"]
    assert api.version == version


def test_a_repeated_post_is_done_once(client: TestClient) -> None:
    api = ApiClient(client).fill()
    who, version = api.who, api.version
    assert who is not None
    option = api.options()[0]
    first = api.post(who, option, version, key="click-1")
    second = api.post(who, option, version, key="click-1")
    assert first.status_code == second.status_code == 200
    assert api.version == version + 1
    other = api.post(who, option, version, key="click-2")
    assert other.status_code == 409


def test_a_repeated_post_is_recognized_after_a_restart_and_many_moves(tmp_path: Path) -> None:
    """Moves without a key, which bots make, do not push it out of the history."""
    with TestClient(make_app(tmp_path)) as client:
        api = ApiClient(client).fill()
        who, option = api.who, api.options()[0]
        assert who is not None
        assert api.post(who, option, 0, key="click-1").status_code == 200
        api.play_at_random(12)
        version = api.version
    with TestClient(make_app(tmp_path)) as client:
        api.client = client
        assert api.post(who, option, 0, key="click-1").status_code == 200
        assert api.post(who, option, 0, key="click-2").status_code == 409
        assert api.version == version


def test_an_illegal_move_names_its_rule_and_changes_nothing(client: TestClient) -> None:
    api = ApiClient(client).fill()
    who, version = api.who, api.version
    assert who is not None
    api.play("start rome")
    now = api.who
    assert now is not None
    refused = api.post(now, "start rome", version + 1)
    assert refused.status_code == 409
    assert refused.json()["error"] == "refused"
    assert refused.json()["rule"].startswith("AE-")
    assert refused.json()["rule"] in refused.json()["message"]
    assert api.post(now, "fly to the moon", version + 1).status_code == 400
    assert api.version == version + 1


def test_only_the_asked_seat_decides(client: TestClient) -> None:
    api = ApiClient(client, seats=3).fill()
    who, version = api.who, api.version
    assert who is not None
    option = api.options()[0]
    other = (who + 1) % 3
    assert api.post(other, option, version).status_code == 403
    nobody = client.post(f"{api.url}/move", json={"option": option, "version": version})
    assert nobody.status_code == 404  # accessible by link only; the response does not confirm that the table exists
    elsewhere = ApiClient(client).fill()
    foreign = client.post(f"{api.url}/move", json={"option": option, "version": version}, headers=elsewhere.auth(0))
    assert foreign.status_code == 403
    assert api.version == version


def test_simultaneous_moves_have_one_order(client: TestClient) -> None:
    api = ApiClient(client).fill()
    for _ in range(12):
        who, version = api.who, api.version
        assert who is not None
        options = api.options()
        answers: list[int] = []

        def choose(option: str, who: int = who, version: int = version, answers: list[int] = answers) -> None:
            answers.append(api.post(who, option, version).status_code)

        threads = [threading.Thread(target=choose, args=(options[i % len(options)],)) for i in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(answers) == [200, 409, 409, 409, 409, 409]
        assert api.version == version + 1


def test_a_restart_in_the_middle_of_a_decision_keeps_every_answer(tmp_path: Path) -> None:
    with TestClient(make_app(tmp_path)) as client:
        api = ApiClient(client, seats=3).fill()
        api.play_at_random(25)
        before = {seat: api.see(seat) for seat in api.tokens}
    with TestClient(make_app(tmp_path)) as client:
        api.client = client
        assert {seat: api.see(seat) for seat in api.tokens} == before
        api.play_at_random(5)


@pytest.mark.skipif(postgres.WANTED, reason="where servers share it, that row is another's move: test_peers")
def test_a_move_that_cannot_be_stored_is_not_made(client: TestClient) -> None:
    api = ApiClient(client).fill()
    api.play_at_random(3)
    server = get_server(client)
    who, version = api.who, api.version
    assert who is not None
    option = api.options()[0]

    def steal(connection: Connection) -> None:
        """Insert a row of another writer where the next move must go."""
        row = connection.execute(select(history).where(history.c.table == api.id, history.c.version == 1)).one()
        connection.execute(history.insert().values({**row._mapping, "version": version + 1, "kind": "hold"}))

    def free(connection: Connection) -> None:
        connection.execute(history.delete().where(history.c.table == api.id, history.c.version == version + 1))

    assert client.portal is not None
    client.portal.call(server.store.write, steal)
    assert api.post(who, option, version).status_code == 503
    client.portal.call(server.store.write, free)
    assert api.version == version
    assert api.post(who, option, version).status_code == 200


def test_undo_gives_back_the_earlier_state_and_generator(client: TestClient) -> None:
    api = ApiClient(client).fill()
    server = get_server(client)
    api.play("start rome")
    api.play("start corinth")
    table = client.portal.call(server.tables.get_table, api.id) if client.portal else None
    assert table is not None
    before = table.current_match.state.digest()
    who, version = api.who, api.version
    assert who is not None
    api.play("travel weak")
    assert table.current_match.state.digest() != before
    back = client.post(f"{api.url}/undo", headers=api.auth(who), json={"version": version + 1})
    assert back.status_code == 200, back.text
    assert table.current_match.state.digest() == before
    assert api.version == version + 2  # An undo adds to the history and raises the version.
    again = client.post(f"{api.url}/undo", headers=api.auth(who), json={"version": version + 2})
    assert again.status_code == 409  # another seat decided before that


def test_undo_is_refused_after_a_reveal(client: TestClient) -> None:
    api = ApiClient(client).fill()
    api.play("start rome")
    api.play("start corinth")
    who = api.who
    assert who is not None
    api.play("tradition")  # This option reveals hidden cards.
    back = client.post(f"{api.url}/undo", headers=api.auth(who), json={"version": api.version})
    assert back.status_code == 409
    quiet = ApiClient(client, undo=False).fill()
    quiet.play("start rome")
    refused = client.post(f"{quiet.url}/undo", headers=quiet.auth(0), json={"version": quiet.version})
    assert refused.status_code == 403


def test_without_the_memory_aid_past_looks_stay_hidden(client: TestClient) -> None:
    """AE-R39  Faces are only shown in the hand while the match runs.

    Afterwards no view of the past shows them again.
    """
    api = ApiClient(client, variants={"memory_aid": "off"}).fill()
    api.play("start rome")
    api.play("start corinth")
    who = api.who
    assert who is not None
    api.play("tradition")
    move = api.version

    def known(path: str) -> int:
        view = client.get(f"{api.url}{path}", headers=api.auth(who)).json()
        return sum(card["card"] is not None for city in view["cities"] for card in city["box"] if card)

    assert known("/view") == known(f"/view?move={move}") == 4
    api.play("none")
    assert known("/view") == 4
    api.play("face 0")
    assert known("/view") == 1
    assert known(f"/view?move={move}") == 0

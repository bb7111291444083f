"""Tests of several servers on one PostgreSQL: all know each acknowledged move, and nothing is done twice."""

import random
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import func, select

from tests import postgres
from tests.server.api_client import ApiClient, get_server, make_client, make_settings
from tests.shell import Shell
from triclinium.server.app import create_app
from triclinium.server.cluster import peer_sync
from triclinium.server.storage.pubsub import REVIEW_PROGRESS
from triclinium.server.storage.schema import history, seats, tables
from triclinium.server.tables import chat, replication, snapshots
from triclinium.server.tables.broadcast import schedule_presence_broadcast
from triclinium.server.tables.event_stream import EventListener
from triclinium.server.tables.table import HistoryRow, Table

MATCH = Path(__file__).parents[1] / "records" / "evangelists" / "2-stenographer-1.rec"
SOON = 30.0  # seconds that a busy machine may need for what usually takes a hundredth of one


def wait_until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + SOON
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.fixture(scope="module")
def two_servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestClient, TestClient]]:
    """Yield two servers like those of two machines."""
    wanted = replace(make_settings(tmp_path_factory.mktemp("peers")), database=postgres.make_database())
    with TestClient(create_app(wanted)) as one, TestClient(create_app(wanted)) as other:
        yield one, other


def version_at(client: TestClient, id: str) -> int:
    table = get_server(client).tables.find_cached_table(id)
    return -1 if table is None else table.version


def test_moves_can_be_made_and_seen_on_every_server(two_servers: tuple[TestClient, TestClient]) -> None:
    api, chance = ApiClient(two_servers[0]).fill(), random.Random(3)
    for made in range(20):
        api.client = chance.choice(two_servers)
        who = api.who
        assert who is not None
        api.client = chance.choice(two_servers)
        options, version = api.options(), api.version
        assert version == made
        api.client = chance.choice(two_servers)
        assert api.post(who, chance.choice(options), version).status_code == 200
    wait_until(lambda: version_at(two_servers[0], api.id) == version_at(two_servers[1], api.id) == 20)


def test_one_of_two_simultaneous_moves_is_stale(two_servers: tuple[TestClient, TestClient]) -> None:
    api = ApiClient(two_servers[0]).fill()
    who = api.who
    assert who is not None
    option = api.options()[0]
    codes: list[int] = []
    move = {"option": option, "version": 0, "key": ""}

    def post(client: TestClient) -> None:
        codes.append(client.post(f"{api.url}/move", headers=api.auth(who), json=move).status_code)

    threads = [threading.Thread(target=post, args=[make_client(client)]) for client in two_servers * 3]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(codes) == [200] + [409] * 5
    with get_server(two_servers[0]).store.read_connection() as connection:
        rows = select(func.count()).select_from(history).where(history.c.table == api.id)
        assert connection.execute(rows).scalar_one() == 1


def test_a_message_that_reaches_two_servers_appears_once(two_servers: tuple[TestClient, TestClient]) -> None:
    api = ApiClient(two_servers[0]).fill()
    codes: list[int] = []

    def say(client: TestClient) -> None:
        wish = {"text": "salve", "key": "1"}
        codes.append(client.post(f"{api.url}/chat", headers=api.auth(0), json=wish).status_code)

    threads = [threading.Thread(target=say, args=[make_client(client)]) for client in two_servers * 3]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert codes == [201] * 6
    found = two_servers[1].get(f"{api.url}/chat", headers=api.auth(0)).json()
    assert [one["text"] for one in found if not one["by_server"]] == ["salve"]


def test_a_seat_is_taken_once(two_servers: tuple[TestClient, TestClient]) -> None:
    api = ApiClient(two_servers[0])
    two_servers[1].get(api.url, headers=api.auth(0))
    codes: list[int] = []

    def sit(client: TestClient) -> None:
        sat = client.post(f"{api.url}/seats", json={"player": "Ben", **api.invitations[0]})
        codes.append(sat.status_code)

    threads = [threading.Thread(target=sit, args=[make_client(client)]) for client in two_servers * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert codes.count(201) == 1
    assert set(codes) <= {201, 404, 409}


def test_a_rematch_is_opened_once(two_servers: tuple[TestClient, TestClient]) -> None:
    """All players who ask for it at the same moment, on any server, get a seat there."""
    for _ in range(3):
        api = ApiClient(two_servers[0]).fill()
        for seat in (0, 1):
            two_servers[1].post(f"{api.url}/abandon", headers=api.auth(seat))
        found: list[dict[str, Any]] = []

        def post(client: TestClient, seat: int, api: ApiClient, found: list[dict[str, Any]]) -> None:
            answer = client.post(f"{api.url}/rematch", headers=api.auth(seat))
            while answer.status_code == 409 and answer.json()["error"] == "stale_version":
                answer = client.post(f"{api.url}/rematch", headers=api.auth(seat))
            found.append(answer.json())

        threads = [
            threading.Thread(target=post, args=[make_client(one), n, api, found]) for n, one in enumerate(two_servers)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len({one["table"]["id"] for one in found}) == 1
        assert {one["seat"] for one in found} == {0, 1}
        with get_server(two_servers[0]).store.read_connection() as connection:
            people = select(seats.c.person).where(seats.c.table == api.id)
            opened = select(func.count()).select_from(tables).where(tables.c.host.in_(people))
            assert connection.execute(opened).scalar_one() == 2  # the first table, and one rematch


def test_a_stream_gets_events_of_the_other_server_in_order(two_servers: tuple[TestClient, TestClient]) -> None:
    api = ApiClient(two_servers[0]).fill()
    far = get_server(two_servers[1])
    assert two_servers[1].portal is not None
    table = two_servers[1].portal.call(far.tables.get_table, api.id)
    ear = EventListener(token=table.occupants[0].token)
    two_servers[1].portal.call(table.hub.add, ear)
    api.play_at_random(5)
    near = get_server(two_servers[0]).tables.find_cached_table(api.id)
    assert near is not None
    assert two_servers[0].portal is not None
    two_servers[0].portal.call(chat.post_message, get_server(two_servers[0]), near, 0, "Anna", "good evening")
    heard = bytearray()

    def all_of_it() -> bool:
        assert two_servers[1].portal is not None
        heard.extend(two_servers[1].portal.call(ear.drain_events))
        return b"good evening" in heard and b"id: 5\n" in heard

    wait_until(all_of_it)
    ids = [int(line[4:]) for line in heard.decode().splitlines() if line.startswith("id: ")]
    assert ids == sorted(set(ids))
    two_servers[1].portal.call(schedule_presence_broadcast, far.runtime, table)
    wait_until(lambda: 0 in near.hub.list_present_seats())  # a listener on the other server is present too
    two_servers[1].portal.call(table.hub.discard, ear)
    two_servers[1].portal.call(schedule_presence_broadcast, far.runtime, table)
    wait_until(lambda: 0 not in near.hub.list_present_seats())


class RemoteServer:
    """A table in the memory of the second server, a listener there, and the server's reads."""

    def __init__(self, api: ApiClient, client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
        assert client.portal is not None
        self.portal, self.server, self.read = client.portal, get_server(client), list[str]()
        self.table = self.portal.call(self.server.tables.get_table, api.id)
        self.ear = EventListener(token=self.table.occupants[0].token)
        self.portal.call(self.table.hub.add, self.ear)
        for name in ("load_table", "load_history", "load_auto_replies"):
            monkeypatch.setattr(self.server.tables, name, self._noted(getattr(self.server.tables, name), name))

    def _noted(self, read: Callable[..., object], name: str) -> Callable[..., object]:
        def noting(*asked: object) -> object:
            self.read.append(name)
            return read(*asked)

        return noting

    def hears(self, *versions: int) -> None:
        """Check that these are the next events, in this order."""
        heard = list[int]()

        def all_of_it() -> bool:
            told = self.portal.call(self.ear.drain_events).decode()
            heard.extend(int(line[4:]) for line in told.splitlines() if line.startswith("id: "))
            return len(heard) >= len(versions)

        wait_until(all_of_it)
        assert heard == list(versions)

    def same_as(self, near: Table) -> bool:
        """Return whether everything that a move changes is equal on both servers."""

        def facts(table: Table) -> list[object]:
            match = table.current_match
            known = [
                match.state.digest(),
                match.record.options,
                match.marks,
                match.joined_moves,
                table.history,
                table.recent,
            ]
            return [*known, table.version, table.stamp, table.clock, table.snapshot_at, table.moved, table.status]

        return facts(self.table) == facts(near)


def get_first_server_table(pair: tuple[TestClient, TestClient], api: ApiClient) -> Table:
    found = get_server(pair[0]).tables.find_cached_table(api.id)
    assert found is not None
    return found


def test_announced_moves_are_applied_without_reading_the_database(
    two_servers: tuple[TestClient, TestClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "MIN_SECONDS_BETWEEN", 0.0)
    api = ApiClient(two_servers[0], time_bank=600, delay=10).fill()
    far = RemoteServer(api, two_servers[1], monkeypatch)
    api.play_at_random(21)  # The match is now longer than one snapshot.
    far.hears(*range(1, 22))
    assert far.read == []
    wait_until(lambda: far.same_as(get_first_server_table(two_servers, api)))
    assert far.table.snapshot_at == 20


def test_missed_changes_are_read_from_the_database(
    two_servers: tuple[TestClient, TestClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    api = ApiClient(two_servers[0]).fill()
    far = RemoteServer(api, two_servers[1], monkeypatch)
    ignored: list[object] = []
    with monkeypatch.context() as deaf:
        deaf.setattr(far.server.peers, "_is_relevant", lambda *told: ignored.append(told))
        api.play("start rome")
        api.play("start corinth")
        wait_until(lambda: len(ignored) >= 2)
    who = api.who
    assert who is not None
    assert far.table.version == 0
    api.play("travel weak")  # This move comes after a gap in the messages.
    far.hears(3)
    assert "load_table" in far.read
    wait_until(lambda: far.same_as(get_first_server_table(two_servers, api)))

    far.read.clear()
    near = get_first_server_table(two_servers, api)
    back = two_servers[0].post(f"{api.url}/undo", headers=api.auth(who), json={"version": 3})
    assert back.status_code == 200, back.text
    far.hears(4)
    assert "load_table" in far.read
    wait_until(lambda: far.same_as(near))
    far.read.clear()
    with monkeypatch.context() as spoilt:
        spoilt.setattr(far.table.current_match, "play", None)  # Any failure may happen at this point.
        api.play_at_random(1)
        far.hears(5)
    wait_until(lambda: far.same_as(near))


def test_streams_get_the_change_that_made_a_move_stale(
    two_servers: tuple[TestClient, TestClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    api = ApiClient(two_servers[0]).fill()
    far = RemoteServer(api, two_servers[1], monkeypatch)
    monkeypatch.setattr(far.server.peers, "_is_relevant", lambda *_: False)
    who, option = api.who, api.options()[0]
    assert who is not None
    api.play(option)
    api.client = two_servers[1]
    assert api.post(who, option, 0).status_code == 409
    far.hears(1)
    wait_until(lambda: far.same_as(get_first_server_table(two_servers, api)))


def test_long_changes_are_read_from_the_database() -> None:
    row = HistoryRow(1, "move", 0, "x" * 100, "k" * 64, "", 1.0)
    assert replication.encode_moves([row], None, 0)["moves"] == [
        (1, "move", 0, "x" * 100, "k" * 64, "", 1.0, False, 0, -1)
    ]
    assert replication.encode_moves([row] * 40, None, 0) == {}


def test_a_device_signed_out_on_one_server_is_unknown_on_the_other(two_servers: tuple[TestClient, TestClient]) -> None:
    here, there = get_server(two_servers[0]), get_server(two_servers[1])
    assert two_servers[0].portal is not None
    person, cookie = two_servers[0].portal.call(here.people.create_person, "Anna")
    assert there.people.find_by_cookie(cookie) is not None
    two_servers[0].portal.call(here.people.rename, person, "Hanna")
    wait_until(lambda: getattr(there.people.find_by_cookie(cookie), "name", "") == "Hanna")
    two_servers[0].portal.call(here.remove_device, person)
    wait_until(lambda: there.people.find_by_cookie(cookie) is None)


def test_links_work_on_every_server(two_servers: tuple[TestClient, TestClient]) -> None:
    assert get_server(two_servers[0]).key.sign("seat", 1) == get_server(two_servers[1]).key.sign("seat", 1)


def test_a_review_is_made_by_one_server_and_shown_by_all(two_servers: tuple[TestClient, TestClient]) -> None:
    uploaded = two_servers[0].post("/api/v1/records", content=MATCH.read_bytes()).json()
    url, held = f"/api/v1/tables/{uploaded['table']['id']}/review", f"review {uploaded['table']['id']}"
    cookie = {"cookie": f"triclinium={uploaded['token']}"}
    far = get_server(two_servers[1])
    assert two_servers[1].portal is not None
    assert two_servers[1].portal.call(far.peers.claim, held)  # the second server claims the review

    def told() -> tuple[int, int]:
        answer = two_servers[0].get(url, headers=cookie)
        assert answer.status_code == 202
        return answer.json()["positions_done"], answer.json()["decisions_done"]

    assert told() == (0, 0)
    assert get_server(two_servers[0]).reviews_in_progress == {}

    async def mention() -> None:
        await far.peers.publish_now(REVIEW_PROGRESS, id=uploaded["table"]["id"], steps=[90, 40, 6, 2])

    two_servers[1].portal.call(mention)
    wait_until(lambda: told() == (40, 2))
    two_servers[1].portal.call(far.peers.release, held)


def test_tables_are_counted_by_version_on_postgresql(two_servers: tuple[TestClient, TestClient], shell: Shell) -> None:
    """`triclinium tables --versions` works while the servers run."""
    ApiClient(two_servers[0], game_id="portals")
    url = get_server(two_servers[0]).settings.database
    counts = shell.run("tables", "--versions", "--database", url, "--json").json()["tables"]
    assert isinstance(counts, list)
    assert {"game": "portals", "version": 1, "running": 1, "ended": 0, "known": True} in counts


def test_another_server_takes_over_a_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peer_sync, "TAKEOVER_INTERVAL", 0.2)
    wanted = replace(make_settings(tmp_path), database=postgres.make_database())
    with TestClient(create_app(wanted)) as one:
        server = get_server(one)
        assert one.portal is not None
        with TestClient(create_app(wanted)) as other:
            api = ApiClient(one, bot="greedy")
            held = f"bot {api.id}"
            wait_until(lambda: api.who == 0)
            assert other.portal is not None
            thinks, take = other.portal, get_server(other).peers.claim
            wait_until(lambda: thinks.call(take, held))  # the bot seems to think for ever
            api.play(api.options()[0])
            while api.who == 0:
                api.play(api.options()[0])
            before = api.version
            assert not one.portal.call(server.peers.claim, held)
            assert api.version == before
        wait_until(lambda: api.version > before)


def test_a_database_restart_loses_no_move(tmp_path: Path) -> None:
    wanted = replace(make_settings(tmp_path), database=postgres.make_database())
    with TestClient(create_app(wanted)) as one, TestClient(create_app(wanted)) as other:
        api = ApiClient(one).fill()
        api.play_at_random(4)
        postgres.get_cluster().kill()
        postgres.get_cluster().start()
        api.client = other
        wait_until(lambda: other.get(api.url, headers=api.auth(0)).status_code == 200)
        assert api.version == 4
        who, option = api.who, api.options()[0]
        assert who is not None
        wait_until(lambda: api.post(who, option, 4, "again").status_code == 200)  # the same post, any number of times
        assert api.version == 5
        wait_until(lambda: version_at(one, api.id) == 5)

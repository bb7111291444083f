"""Tests of quotas: confirmation mails and uploaded records are limited for networks, people and the server."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Connection, func, select

from tests import postgres
from tests.event_loop import run_coroutine
from tests.server.api_client import ApiClient, get_server, make_client, make_settings
from tests.server.locked_tables import make_move
from tests.server.notification_driver import NotificationDriver
from tests.server.server_driver import ServerDriver
from triclinium.server import server_time
from triclinium.server.accounts import quotas
from triclinium.server.accounts.quotas import HOUR, Quota, spend_quotas
from triclinium.server.accounts.users import Person
from triclinium.server.errors import LimitExceeded, RequestError
from triclinium.server.notifications import channels
from triclinium.server.notifications.mail import is_public_mail_address
from triclinium.server.storage.schema import tables
from triclinium.server.storage.schema_admin import quota_uses
from triclinium.server.storage.schema_notifications import outbox
from triclinium.server.storage.store import Store
from triclinium.server.tables import retention
from triclinium.web.app import create_app

DAY = 86400.0


# -- confirmation mails -----------------------------------------------------------------------------------------------


@pytest.fixture
def limited_driver(driver: NotificationDriver, monkeypatch: pytest.MonkeyPatch) -> NotificationDriver:
    monkeypatch.setattr(driver.server.settings, "limits", True)
    monkeypatch.setattr(driver.server.settings, "allow_local_hooks", False)
    return driver


def newcomer(driver: NotificationDriver, name: str) -> Person:
    return driver.create_person(name, mail=False)


def request_confirmation(driver: NotificationDriver, person: Person, address: str, network: str) -> str:
    """Ask an address for confirmation. Return the error message, or an empty string."""
    try:
        driver.run(channels.add_mail, driver.server, person, address, network)
    except LimitExceeded as refused:
        return refused.message.text
    return ""


def test_one_network_sends_five_confirmations_an_hour(limited_driver: NotificationDriver) -> None:
    """One network may ask for five confirmation mails an hour, on pages and by the API together."""
    answers = []
    for n in range(25):
        client = make_client(limited_driver.client)
        cookie = limited_driver.run(limited_driver.server.people.create_person, f"Guest {n}")[1]
        client.cookies.set("triclinium", cookie)
        wish = {"kind": "mail", "address": f"stranger{n}@example.org"}
        answers.append(client.post("/api/v1/notifications/channels", json=wish))
    assert [answer.status_code for answer in answers] == [201] * 5 + [429] * 20
    assert answers[-1].json()["message"] == quotas.MANY_FROM_NETWORK
    assert 0 < int(answers[-1].headers["retry-after"]) <= HOUR
    limited_driver.send_due_messages()
    assert sorted(mail["to"] for mail in limited_driver.mailbox.mails) == [f"stranger{n}@example.org" for n in range(5)]
    assert request_confirmation(limited_driver, newcomer(limited_driver, "Zoe"), "zoe@example.org", "elsewhere") == ""
    limited_driver.time[0] += HOUR + 1
    assert request_confirmation(limited_driver, newcomer(limited_driver, "Eve"), "eve@example.org", "testclient") == ""


def test_confirmations_of_the_server_are_limited_by_hour_and_day(
    limited_driver: NotificationDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server sends a limited number of confirmation mails, whatever the number of networks."""
    monkeypatch.setattr(limited_driver.server.settings, "mails_per_hour", 6)
    monkeypatch.setattr(limited_driver.server.settings, "mails_per_day", 10)
    said = []
    for n in range(14):
        said.append(
            request_confirmation(
                limited_driver, newcomer(limited_driver, f"Guest {n}"), f"n{n}@example.org", f"network {n}"
            )
        )
        if n == 7:
            limited_driver.time[0] += HOUR + 1
    assert said == [""] * 6 + [quotas.MANY_THIS_HOUR] * 2 + [""] * 4 + [quotas.MANY_TODAY] * 2
    limited_driver.time[0] += DAY
    assert request_confirmation(limited_driver, newcomer(limited_driver, "Late"), "late@example.org", "network") == ""


def test_a_newcomer_gets_one_confirmation_before_the_first_match(limited_driver: NotificationDriver) -> None:
    anna = newcomer(limited_driver, "Anna")
    assert request_confirmation(limited_driver, anna, "anna@example.org", "home") == ""
    assert request_confirmation(limited_driver, anna, "anna@example.com", "home") == quotas.MANY_FROM_NEWCOMER
    table = limited_driver.deal_table(anna, newcomer(limited_driver, "Ben"))
    option = table.game.format_option(table.current_match.state.legal[0])
    limited_driver.run(make_move, limited_driver.server, table, table.who, option, table.version)
    for n in range(4):
        assert request_confirmation(limited_driver, anna, f"anna{n}@example.org", f"network {n}") == ""
        mine = limited_driver.run(limited_driver.server.runtime.run_in_thread, _ways_of, limited_driver, anna)
        limited_driver.run(channels.remove_channel, limited_driver.server.store, anna.id, mine[-1])
    assert request_confirmation(limited_driver, anna, "anna9@example.org", "network 9") == quotas.MANY_FROM_PERSON


def _ways_of(driver: NotificationDriver, person: Person) -> list[int]:
    with driver.server.store.read_connection() as connection:
        return [way.id for way in channels.list_channels(driver.server.key, connection, person)]


def test_a_mailbox_is_not_filled_by_removing_it_and_asking_again(limited_driver: NotificationDriver) -> None:
    said = []
    for n in range(4):
        guest = newcomer(limited_driver, f"Guest {n}")
        said.append(request_confirmation(limited_driver, guest, "Victim@example.org", f"network {n}"))
        for way in limited_driver.run(limited_driver.server.runtime.run_in_thread, _ways_of, limited_driver, guest):
            limited_driver.run(channels.remove_channel, limited_driver.server.store, guest.id, way)
    assert said == [""] * 3 + [quotas.FULL_MAILBOX]


@pytest.mark.parametrize("address", ["a@localhost", "a@[127.0.0.1]", "a@127.0.0.1", "a@mail.local", "a@host"])
def test_addresses_of_this_machine_or_network_are_refused(address: str, limited_driver: NotificationDriver) -> None:
    assert not is_public_mail_address(address)
    with pytest.raises(RequestError, match=r"an address on the internet|no mail address"):
        limited_driver.run(channels.add_mail, limited_driver.server, newcomer(limited_driver, "Anna"), address)
    assert is_public_mail_address("a@example.org")


def test_every_refusal_is_translated(client: TestClient) -> None:
    french = get_server(client).reader("fr")
    sentences = [text for text in vars(quotas).values() if isinstance(text, str) and text.endswith("hour.")]
    sentences += [quotas.FULL_MAILBOX, quotas.MANY_FROM_NEWCOMER, quotas.MANY_TODAY]
    sentences += [quotas.LARGE_NETWORK, quotas.LARGE_PERSON]
    assert len(sentences) == 8
    for text in sentences:
        assert french.translate(text) != text


def test_two_servers_share_one_quota() -> None:
    """Two servers on one PostgreSQL share a quota of 10 correctly among 24 simultaneous requests."""
    url = postgres.make_database()
    stores = [Store(url), Store(url)]
    quota = Quota("test", "", 10, HOUR, quotas.MANY_TODAY)

    def job(connection: Connection) -> None:
        spend_quotas(connection, [quota])

    async def all_at_once() -> list[BaseException | None]:
        for store in stores:
            store.open()
        return await asyncio.gather(*(stores[n % 2].write(job) for n in range(24)), return_exceptions=True)

    answers = run_coroutine(all_at_once())
    for store in stores:
        store.close()
    assert sum(answer is None for answer in answers) == 10
    assert sum(isinstance(answer, LimitExceeded) for answer in answers) == 14


# -- records and tables that wait -------------------------------------------------------------------------------------


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    with TestClient(create_app(make_settings(tmp_path))) as running:
        monkeypatch.setattr(get_server(running).settings, "limits", True)
        yield running


def test_uploads_are_limited_by_bytes_a_day(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Uploads are limited for one person, and for everyone behind one address."""
    server = get_server(client)
    text = _record(client)
    monkeypatch.setattr(server.settings, "upload_per_day", len(text) * 2)
    caller, other = make_client(client), make_client(client)

    def upload(by: TestClient) -> tuple[int, str]:
        answer = by.post("/api/v1/records", content=text)
        if "token" in answer.json() and answer.json()["token"]:
            by.cookies.set("triclinium", answer.json()["token"])
        return answer.status_code, answer.json().get("message", "")

    stored = _count_tables(server.store)
    assert [upload(caller)[0] for _ in range(3)] == [201] * 3  # before the first upload they had no account
    assert upload(caller) == (429, quotas.LARGE_PERSON)
    assert upload(other)[0] == 201
    assert upload(make_client(client)) == (429, quotas.LARGE_NETWORK)
    assert _count_tables(server.store) == stored + 4
    now = server_time.now()
    monkeypatch.setattr(server_time, "now", lambda: now + DAY + 1)
    assert upload(caller)[0] == 201
    with server.store.read_connection() as connection:
        assert connection.execute(select(func.min(quota_uses.c.at))).scalar_one() > now  # the day before is forgotten


def _record(client: TestClient) -> str:
    house = ServerDriver(client)
    table = house.play(house.open_table(house.create_person("Anna"), house.create_person("Ben")))
    return table.current_match.record.dumps()


def _count_tables(store: Store) -> int:
    with store.read_connection() as connection:
        return int(connection.execute(select(func.count()).select_from(tables)).scalar_one())


def test_tables_that_never_begin_are_deleted_after_thirty_days(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = get_server(client)
    house = ServerDriver(client)
    waiting, closed, begun = (
        ApiClient(make_client(client)),
        ApiClient(make_client(client)),
        ApiClient(make_client(client)).fill(),
    )
    assert closed.client.delete(closed.url, headers=closed.auth(0)).status_code == 200
    days = server.settings.keep_waiting
    assert days == 30
    assert house.portal.call(retention.delete_unstarted_tables, server.tables, days) == 0
    now = server_time.now()
    monkeypatch.setattr(server_time, "now", lambda: now + days * DAY + 1)
    server.tables.drop_table(closed.id)  # the closed table is then only in the database
    assert house.portal.call(retention.delete_unstarted_tables, server.tables, days) == 2
    assert waiting.client.get(waiting.url, headers=waiting.auth(0)).status_code == 404
    assert begun.see(0)["status"] == "playing"
    with server.store.read_connection() as connection:
        assert list(connection.execute(select(tables.c.id)).scalars()) == [begun.id]
        assert connection.execute(select(func.count()).select_from(outbox)).scalar_one() == 0

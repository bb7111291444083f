"""Tests of notification channels with real local receivers, and of addresses that are refused."""

import json
import re

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from sqlalchemy import select

from tests.server.api_client import list_database_files, make_client
from tests.server.endpoint import Endpoint
from tests.server.notification_driver import NotificationDriver
from tests.server.receiver import Receiver, decode_base64
from triclinium.server.accounts.users import Person
from triclinium.server.errors import Conflict, LimitExceeded, NotFound, RequestError
from triclinium.server.notifications import channels as telling_ways
from triclinium.server.notifications import safe_http, sender, sign_in_link, telegram
from triclinium.server.notifications.chat_services import build_discord_address, check_service_address, send_message
from triclinium.server.notifications.mail import Mailer, is_mail_address
from triclinium.server.notifications.push_keys import encode_public_key, load_key_pair
from triclinium.server.notifications.safe_http import Unreachable
from triclinium.server.optional_dependencies import NOTIFICATIONS
from triclinium.server.personal_data import deletion
from triclinium.server.storage.schema import devices, metadata, passages
from triclinium.server.storage.schema_notifications import outbox, ways

ITS_OWN = (devices, outbox, passages, ways)


def device_of(driver: NotificationDriver, there: Endpoint) -> tuple[Person, Receiver]:
    ben, browser = driver.create_person("Ben", mail=False), Receiver(there)
    driver.run(telling_ways.add_device, driver.server, ben, browser.subscription, "Firefox, Linux")
    return ben, browser


def read_claims(authorization: str, house_key: str) -> dict[str, object]:
    """Return the claims of a VAPID token if this server has signed it."""
    parts = dict(part.strip().split("=", 1) for part in authorization.removeprefix("vapid ").split(","))
    assert parts["k"] == house_key
    head, claims, mark = parts["t"].split(".")
    known = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode_base64(house_key))
    r, s = (int.from_bytes(half) for half in (decode_base64(mark)[:32], decode_base64(mark)[32:]))
    known.verify(encode_dss_signature(r, s), f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    told: dict[str, object] = json.loads(decode_base64(claims))
    return told


def test_a_browser_with_a_new_owner_gets_no_messages_of_the_first(
    driver: NotificationDriver, webhook_endpoint: Endpoint
) -> None:
    """Someone who signs in on another person's device does not get that person's notifications."""
    anna, (ben, _) = driver.create_person("Anna", mail=False), device_of(driver, webhook_endpoint)

    def told() -> list[int]:
        with driver.server.store.read_connection() as connection:
            return list(connection.execute(select(ways.c.id).where(ways.c.person == ben.id)).scalars())

    driver.run(driver.server.people.remove_former_channels, None, anna.id)
    driver.run(driver.server.people.remove_former_channels, ben, ben.id)
    assert len(told()) == 1
    driver.run(driver.server.people.remove_former_channels, ben, anna.id)
    assert told() == []


def test_a_browser_decrypts_push_messages_and_checks_the_sender(
    driver: NotificationDriver, webhook_endpoint: Endpoint
) -> None:
    """An endpoint receives the message, http_ece decrypts it, and the VAPID signature, topic and tag are checked."""
    anna = driver.create_person("Anna", mail=False)
    ben, browser = device_of(driver, webhook_endpoint)
    table = driver.deal_table(anna, ben, takeover=600)
    driver.send_due_messages()
    driver.play_first_option(table)
    webhook_endpoint.posts.clear()
    driver.send_due_messages(120)
    ((path, headers, body),) = webhook_endpoint.posts
    assert (path, headers["content-encoding"], headers["topic"]) == ("/push/abc", "aes128gcm", table.id)
    assert (headers["ttl"], headers["urgency"]) == ("600", "high")  # for a live match a late message would be useless
    told = browser.read(body)
    assert (told["title"], told["tag"], told["path"]) == (
        "Your turn at Antioch supper",
        table.id,
        f"/tables/{table.id}",
    )
    assert b"Antioch" not in body
    claims = read_claims(headers["authorization"], encode_public_key(load_key_pair(driver.server.store)))
    assert claims["aud"] == webhook_endpoint.url
    assert all(path.stat().st_mode & 0o077 == 0 for path in list_database_files(driver.server))
    assert driver.run(sender.snooze_message, driver.server.store, ben.id, told["message"])


@pytest.mark.parametrize("status", [404, 410])
def test_an_expired_subscription_is_removed(
    driver: NotificationDriver, webhook_endpoint: Endpoint, status: int
) -> None:
    anna, (ben, _) = driver.create_person("Anna", mail=False), device_of(driver, webhook_endpoint)
    webhook_endpoint.status = status
    driver.play_first_option(driver.deal_table(anna, ben))
    driver.send_due_messages(120)
    with driver.server.store.read_connection() as connection:
        assert connection.execute(select(ways)).all() == []
        assert connection.execute(select(outbox)).all() == []


def test_a_redirect_is_not_followed_and_counts_as_no_answer(
    driver: NotificationDriver, webhook_endpoint: Endpoint
) -> None:
    """A service that answers with a redirect has not accepted the message."""
    _, browser = device_of(driver, webhook_endpoint)
    webhook_endpoint.status = 302
    with pytest.raises(Unreachable, match="answered 302"):
        NOTIFICATIONS.load("notifications.push").send_push(
            json.dumps(browser.subscription),
            b"{}",
            pair=load_key_pair(driver.server.store),
            contact="mailto:house@example.org",
            topic="t",
            seconds=60,
            urgent=False,
            local=True,
        )
    assert [path for path, _, _ in webhook_endpoint.posts] == ["/push/abc"]


@pytest.mark.filterwarnings("ignore:'imghdr'")  # apprise loads a service that needs it
def test_ntfy_and_webhooks_are_notified_by_apprise(driver: NotificationDriver, webhook_endpoint: Endpoint) -> None:
    """Both send to a local server. Topics are random and unique."""
    webhook_endpoint.status = 200
    ben = driver.create_person("Ben", mail=False)
    for kind, address in (("ntfy", ""), ("service", f"json://127.0.0.1:{webhook_endpoint.port}/hook")):
        way = driver.run(telling_ways.add_service, driver.server, ben, kind, address)
        driver.run(telling_ways.send_test, driver.server.store, ben.id, way)
    driver.send_due_messages()
    told = sorted(
        (json.loads(body)["title"], json.loads(body)["message"].split("\n")[0]) for _, _, body in webhook_endpoint.posts
    )
    assert told == [("This is a test notification", "Notifications work on this channel.")] * 2
    with driver.server.store.read_connection() as connection:
        first, second = telling_ways.list_channels(driver.server.key, connection, ben)
    assert (first.kind, second.kind, second.masked_address) == ("ntfy", "service", "")
    assert (
        json.loads(webhook_endpoint.posts[0][2]).get("topic", json.loads(webhook_endpoint.posts[1][2]).get("topic"))
        == first.masked_address
    )
    assert len(first.masked_address) > 20


def test_a_mail_address_must_be_confirmed(driver: NotificationDriver) -> None:
    """The server sends one confirmation link, so nobody can fill a stranger's mailbox."""
    anna, ben = driver.create_person("Anna", mail=False), driver.create_person("Ben", mail=False)
    way = driver.run(telling_ways.add_mail, driver.server, ben, "ben@example.org")
    assert driver.send_due_messages() == ["Do you want to receive notifications here?"]
    assert f"/notifications/confirm/{way}/" in driver.mailbox.mails[-1].get_content()
    driver.play_first_option(driver.deal_table(anna, ben))
    assert driver.send_due_messages(120) == []
    with pytest.raises(Conflict):
        driver.run(telling_ways.send_test, driver.server.store, ben.id, way)
    for person in (anna, driver.create_person("Eve", mail=False)):
        driver.run(telling_ways.add_mail, driver.server, person, "Ben@example.org")
    with pytest.raises(LimitExceeded):
        driver.run(telling_ways.add_mail, driver.server, driver.create_person("Zoe", mail=False), "ben@example.org")


def test_a_sign_in_link_works_once(driver: NotificationDriver) -> None:
    """The link goes to a confirmed address for 15 minutes.

    A request for another address reveals nothing and sends nothing.
    """
    ben = driver.create_person("Ben")
    driver.run(telling_ways.add_mail, driver.server, driver.create_person("Eve", mail=False), "eve@example.org")
    driver.send_and_reset()
    fresh = make_client(driver.client)
    for address in ("Ben@example.org", "eve@example.org", "nobody@example.org"):  # confirmed, unconfirmed, unknown
        answer = fresh.post("/api/v1/me/recover/mail", json={"mail": address})
        assert (answer.status_code, answer.json()) == (202, {"requested": True})
    driver.run(telling_ways.send_test, driver.server.store, ben.id, _only_way(driver, ben))
    assert sorted(driver.send_due_messages()) == [
        "This is a test notification",
        "Your sign-in link",
    ]  # No other message contains the link.
    assert {mail["to"] for mail in driver.mailbox.mails} == {"ben@example.org"}
    letter = next(one for one in driver.mailbox.mails if "sign-in" in one["subject"])
    (token,) = re.findall(r"/me/sign-in/(\w+)", letter.get_content())
    assert not any(token.encode() in path.read_bytes() for path in list_database_files(driver.server))
    assert driver.server.people.find_token_owner(token) == "Ben"
    back, _ = driver.run(driver.server.people.redeem_device_token, token)
    assert back.id == ben.id
    with pytest.raises(NotFound):
        driver.run(driver.server.people.redeem_device_token, token)
    for _ in range(6):
        driver.time[0] += 1
        driver.run(sign_in_link.request_link, driver.server, "ben@example.org")
    assert len(driver.send_due_messages()) == sign_in_link.MAX_MAILS_PER_DAY - 1
    (late,) = re.findall(r"/me/sign-in/(\w+)", driver.mailbox.mails[-1].get_content())
    driver.time[0] += sign_in_link.LINK_SECONDS
    assert driver.server.people.find_token_owner(late) is None


def _only_way(driver: NotificationDriver, person: Person) -> int:
    with driver.server.store.read_connection() as connection:
        return telling_ways.list_channels(driver.server.key, connection, person)[0].id


def test_an_erased_person_is_found_neither_by_name_nor_by_mail(driver: NotificationDriver) -> None:
    """Deletion removes channels, messages and links. Queued mail is not sent."""
    anna, gone = driver.create_person("Anna", mail=False), driver.create_person("Zebedaeus")
    driver.play_first_option(driver.deal_table(anna, gone))
    driver.run(sign_in_link.request_link, driver.server, "zebedaeus@example.org")
    driver.run(deletion.delete_account, driver.server, gone)
    assert driver.send_due_messages(600) == []
    with driver.server.store.read_connection() as connection:
        rows = {one.name: str(list(connection.execute(select(one)))) for one in metadata.sorted_tables}
        assert all(connection.execute(select(one).where(one.c.person == gone.id)).all() == [] for one in ITS_OWN)
    assert [name for name, text in rows.items() if "zebedaeus" in text.lower()] == []
    assert [path.name for path in list_database_files(driver.server) if b"zebedaeus" in path.read_bytes().lower()] == []
    assert driver.server.notifiable_people.isdisjoint({gone.id})


def test_addresses_are_kept_encrypted_and_shown_in_part(driver: NotificationDriver) -> None:
    ben = driver.create_person("Ben")
    with driver.server.store.read_connection() as connection:
        (way,) = telling_ways.list_channels(driver.server.key, connection, ben)
    assert way.masked_address == "b…n@example.org"
    assert not any(b"ben@example.org" in path.read_bytes() for path in list_database_files(driver.server))


def test_channels_and_test_messages_are_limited(driver: NotificationDriver) -> None:
    """A person may have 5 channels and send 20 test messages a day, and cannot change another person's channels."""
    anna, ben = driver.create_person("Anna", mail=False), driver.create_person("Ben", mail=False)
    made = [driver.run(telling_ways.add_service, driver.server, ben, "ntfy") for _ in range(5)]
    with pytest.raises(Conflict):
        driver.run(telling_ways.add_service, driver.server, ben, "ntfy")
    for _ in range(20):
        driver.time[0] += 1
        driver.run(telling_ways.send_test, driver.server.store, ben.id, made[0])
    with pytest.raises(LimitExceeded):
        driver.run(telling_ways.send_test, driver.server.store, ben.id, made[1])
    for work in (telling_ways.remove_channel, telling_ways.send_test, telling_ways.update_channel):
        with pytest.raises(NotFound):
            driver.run(work, driver.server.store, anna.id, made[0])


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/push",
        "https://127.0.0.1/push",
        "https://localhost/push",
        "https://10.0.0.7/push",
        "https://169.254.169.254/latest",
        "https://[::1]/push",
        "https://[::ffff:10.0.0.7]/push",
        "https://[64:ff9b::a00:7]/push",
        "https://[2002:a00:7::1]/push",
        "https://[::7f00:1]/push",
        "https://[fd00::1]/push",
        "https://2130706433/push",
        "https://0x7f.1/push",
        "https://somebody@127.0.0.1/push",
        "file:///etc/passwd",
        "https://[",
    ],
)
def test_nothing_is_posted_into_a_private_network(url: str) -> None:
    """Only https is accepted. Private and loopback addresses are refused after the name is resolved."""
    with pytest.raises(Unreachable):
        safe_http.post_safely(url, b"", {})


def test_a_certificate_is_checked(https_endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages go only to servers that can prove their name."""
    url = f"https://localhost:{https_endpoint.port}/push"
    with pytest.raises(Unreachable, match="CERTIFICATE_VERIFY_FAILED"):
        safe_http.post_safely(url, b"secret", {}, local=True)
    assert https_endpoint.posts == []
    monkeypatch.setenv("SSL_CERT_FILE", str(https_endpoint.certificate))
    assert safe_http.post_safely(url, b"hello", {}, local=True) == 201
    ((path, headers, body),) = https_endpoint.posts
    assert (path, headers["host"], body) == ("/push", f"localhost:{https_endpoint.port}", b"hello")
    with pytest.raises(Unreachable, match="CERTIFICATE_VERIFY_FAILED"):  # a name that is not in the certificate
        safe_http.post_safely(url.replace("localhost", "127.0.0.1"), b"secret", {}, local=True)


@pytest.mark.filterwarnings("ignore:'imghdr'")
@pytest.mark.parametrize("host", ["127.0.0.1", "2130706433", "localhost"])
def test_a_service_of_a_stranger_cannot_reach_private_networks(webhook_endpoint: Endpoint, host: str) -> None:
    """The address of the connection counts, because a name may have resolved to another address during the check."""
    address = f"ntfy://{host}:{webhook_endpoint.port}/topic"
    before = len(webhook_endpoint.posts)
    with pytest.raises(Unreachable):
        send_message(address, "Your turn", "Open", trusted=False)
    assert len(webhook_endpoint.posts) == before
    webhook_endpoint.status = 200
    send_message(address, "Your turn", "Open")  # the operator's own notification server may be in the same network
    webhook_endpoint.status = 307
    with pytest.raises(Unreachable):
        send_message(f"{address}?redirect=yes", "Your turn", "Open")
    assert [path for path, _, _ in webhook_endpoint.posts[before:]] == ["/", "/"]  # a redirect is not followed


@pytest.mark.parametrize(
    "address",
    ["file:///tmp/x", "exec://sh", "syslog://", "dbus://", "json://127.0.0.1/", "nonsense"]
    + ["discord://1234/abcdefgh?template=/etc/passwd", "vapid://a@b.c/d?x=1;%6beyfile=house.key", "ntfys://10.0.0.7/x"],
)
def test_apprise_gets_no_private_address(address: str) -> None:
    with pytest.raises(RequestError):
        check_service_address(address, local=False)


def test_a_discord_webhook_has_a_discord_address() -> None:
    good = "https://discord.com/api/webhooks/123456789/abcdefghijklmnopqrstuvwxyz"
    assert build_discord_address(good).startswith("discord://123456789/abcdefghijklmnopqrstuvwxyz/")
    for bad in (
        "https://discord.com.example.org/api/webhooks/123456789/abcdefghijklmnopqrstuvwxyz",
        f"{good}/../x",
        "",
    ):
        with pytest.raises(RequestError):
            build_discord_address(bad)


def test_telegram_identifies_a_person_by_the_sent_code(
    driver: NotificationDriver, webhook_endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person sends /start and a code to the server's bot. Another person's code does not work."""
    anna, ben = driver.create_person("Anna", mail=False), driver.create_person("Ben", mail=False)
    with pytest.raises(Conflict):
        telegram.find_chat(driver.server, ben)  # the server has no bot
    monkeypatch.setattr(telegram, "API", webhook_endpoint.url)
    monkeypatch.setattr(driver.server.settings, "telegram", "12:token")
    sent = {"text": f"/start {telegram.make_code(driver.server.key, ben)}", "chat": {"id": 77}}
    webhook_endpoint.page = json.dumps(
        {"result": [{"edited": {}}, {"message": {"text": "hello"}}, {"message": sent}]}
    ).encode()
    assert telegram.find_chat(driver.server, ben) == "77"
    with pytest.raises(NotFound):
        telegram.find_chat(driver.server, anna)


def test_the_address_of_a_mail_server_is_parsed() -> None:
    found = Mailer.read("mailtos://me%40example.org:p%40ss@mail.example.org")
    assert (found.host, found.port, found.encrypted, found.password) == ("mail.example.org", 587, True, "p@ss")
    assert found.sender == "me@example.org"
    assert is_mail_address("a.b+c@example.org")
    for bad in ("", "a", "a@", "@b", "a@b, c@d", "a@b\nBcc: c@d", "Anna <a@b>", '"a b"@c'):
        assert not is_mail_address(bad), bad


def test_missing_packages_are_reported(driver: NotificationDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every action shows a message if the extra is not installed."""
    ben = driver.create_person("Ben", mail=False)
    monkeypatch.setattr(NOTIFICATIONS, "is_available", lambda: False)
    with pytest.raises(Conflict, match=r"triclinium\[people\]"):
        driver.run(telling_ways.add_mail, driver.server, ben, "ben@example.org")
    told = driver.client.get("/api/v1/notifications").json()
    assert (told["channel_kinds"], told["push_key"]) == ([], "")
    driver.send_due_messages()

"""The ways by which people are told, each with the real other half on this machine; and where none of them leads."""

import json
import re

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from sqlalchemy import select

from tests.server.api_client import another, files_of
from tests.server.endpoint import Endpoint
from tests.server.receiver import Receiver, raw
from tests.server.telling import TellingHouse
from triclinium.server.accounts import deletion
from triclinium.server.accounts.users import Person
from triclinium.server.errors import Conflict, LimitExceeded, NotFound, RequestError
from triclinium.server.notifications import channels as telling_ways
from triclinium.server.notifications import safe_http, sender, sign_in_link, telegram
from triclinium.server.notifications.chat_services import build_discord_address, check_service_address, send_message
from triclinium.server.notifications.mail import Mailer, is_mail_address
from triclinium.server.notifications.push_keys import encode_public_key, load_key_pair
from triclinium.server.notifications.safe_http import Unreachable
from triclinium.server.optional_dependencies import NOTIFICATIONS
from triclinium.server.storage.schema import devices, metadata, passages
from triclinium.server.storage.schema_notifications import outbox, ways

ITS_OWN = (devices, outbox, passages, ways)


def device_of(house: TellingHouse, there: Endpoint) -> tuple[Person, Receiver]:
    ben, browser = house.person("Ben", mail=False), Receiver(there)
    house.do(telling_ways.add_device, house.server, ben, browser.subscription, "Firefox, Linux")
    return ben, browser


def claims_of(authorization: str, house_key: str) -> dict[str, object]:
    """What a signature says, if it is this house's own."""
    parts = dict(part.strip().split("=", 1) for part in authorization.removeprefix("vapid ").split(","))
    assert parts["k"] == house_key
    head, claims, mark = parts["t"].split(".")
    known = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), raw(house_key))
    r, s = (int.from_bytes(half) for half in (raw(mark)[:32], raw(mark)[32:]))
    known.verify(encode_dss_signature(r, s), f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    told: dict[str, object] = json.loads(raw(claims))
    return told


def test_a_browser_that_is_anothers_now_is_told_nothing_of_the_first(house: TellingHouse, there: Endpoint) -> None:
    """PEOPLE, principle 4: who comes back at a device that was somebody else's does not read what is told them."""
    anna, (ben, _) = house.person("Anna", mail=False), device_of(house, there)

    def told() -> list[int]:
        with house.server.store.read_connection() as connection:
            return list(connection.execute(select(ways.c.id).where(ways.c.person == ben.id)).scalars())

    house.do(house.server.people.remove_former_channels, None, anna.id)
    house.do(house.server.people.remove_former_channels, ben, ben.id)
    assert len(told()) == 1
    house.do(house.server.people.remove_former_channels, ben, anna.id)
    assert told() == []


def test_a_browser_reads_what_was_pushed_and_knows_from_whom(house: TellingHouse, there: Endpoint) -> None:
    """An endpoint receives, http_ece decrypts, the VAPID signature is checked; topic and tag name the table."""
    anna = house.person("Anna", mail=False)
    ben, browser = device_of(house, there)
    table = house.table(anna, ben, takeover=600)
    house.look()
    house.play(table)
    there.posts.clear()
    house.look(120)
    ((path, headers, body),) = there.posts
    assert (path, headers["content-encoding"], headers["topic"]) == ("/push/abc", "aes128gcm", table.id)
    assert (headers["ttl"], headers["urgency"]) == ("600", "high")  # live: nobody wants to hear of it later
    told = browser.read(body)
    assert (told["title"], told["tag"], told["path"]) == (
        "Your turn at Antioch supper",
        table.id,
        f"/tables/{table.id}",
    )
    assert b"Antioch" not in body
    claims = claims_of(headers["authorization"], encode_public_key(load_key_pair(house.server)))
    assert claims["aud"] == there.url
    assert all(path.stat().st_mode & 0o077 == 0 for path in files_of(house.server))
    assert house.do(sender.snooze_message, house.server, ben.id, told["message"])


@pytest.mark.parametrize("status", [404, 410])
def test_a_subscription_that_is_gone_is_dropped(house: TellingHouse, there: Endpoint, status: int) -> None:
    anna, (ben, _) = house.person("Anna", mail=False), device_of(house, there)
    there.status = status
    house.play(house.table(anna, ben))
    house.look(120)
    with house.server.store.read_connection() as connection:
        assert connection.execute(select(ways)).all() == []
        assert connection.execute(select(outbox)).all() == []


def test_a_redirect_is_not_followed_and_counts_as_no_answer(house: TellingHouse, there: Endpoint) -> None:
    """No redirects: who answers by sending us elsewhere has not taken the message."""
    _, browser = device_of(house, there)
    there.status = 302
    with pytest.raises(Unreachable, match="answered 302"):
        NOTIFICATIONS.load("notifications.push").send_push(
            json.dumps(browser.subscription),
            b"{}",
            pair=load_key_pair(house.server),
            contact="mailto:house@example.org",
            topic="t",
            seconds=60,
            urgent=False,
            local=True,
        )
    assert [path for path, _, _ in there.posts] == ["/push/abc"]


@pytest.mark.filterwarnings("ignore:'imghdr'")  # of all its services apprise loads one that needs it
def test_ntfy_and_a_webhook_are_told_by_apprise(house: TellingHouse, there: Endpoint) -> None:
    """ntfy and webhook into a local server; a topic is random, and nobody else's."""
    there.status = 200
    ben = house.person("Ben", mail=False)
    for kind, address in (("ntfy", ""), ("service", f"json://127.0.0.1:{there.port}/hook")):
        way = house.do(telling_ways.add_service, house.server, ben, kind, address)
        house.do(telling_ways.send_test, house.server, ben.id, way)
    house.look()
    told = sorted((json.loads(body)["title"], json.loads(body)["message"].split("\n")[0]) for _, _, body in there.posts)
    assert told == [("This is how you are told", "It works.")] * 2
    with house.server.store.read_connection() as connection:
        first, second = telling_ways.list_channels(house.server, connection, ben)
    assert (first.kind, second.kind, second.masked_address) == ("ntfy", "service", "")
    assert (
        json.loads(there.posts[0][2]).get("topic", json.loads(there.posts[1][2]).get("topic")) == first.masked_address
    )
    assert len(first.masked_address) > 20


def test_a_mail_address_says_yes_before_it_is_told_anything(house: TellingHouse) -> None:
    """The house sends a link to confirm; nobody fills a stranger's mailbox by asking again and again."""
    anna, ben = house.person("Anna", mail=False), house.person("Ben", mail=False)
    way = house.do(telling_ways.add_mail, house.server, ben, "ben@example.org")
    assert house.look() == ["Do you want to be told here?"]
    assert f"/notifications/confirm/{way}/" in house.mailbox.mails[-1].get_content()
    house.play(house.table(anna, ben))
    assert house.look(120) == []
    with pytest.raises(Conflict):
        house.do(telling_ways.send_test, house.server, ben.id, way)
    for person in (anna, house.person("Eve", mail=False)):
        house.do(telling_ways.add_mail, house.server, person, "Ben@example.org")
    with pytest.raises(LimitExceeded):
        house.do(telling_ways.add_mail, house.server, house.person("Zoe", mail=False), "ben@example.org")


def test_a_link_by_mail_brings_somebody_back_once(house: TellingHouse) -> None:
    """To a confirmed address, for 15 minutes; who asks for another's learns nothing, and fills no mailbox."""
    ben = house.person("Ben")
    house.do(telling_ways.add_mail, house.server, house.person("Eve", mail=False), "eve@example.org")
    house.quiet()
    fresh = another(house.client)
    for address in ("Ben@example.org", "eve@example.org", "nobody@example.org"):  # confirmed, asked, unknown
        answer = fresh.post("/api/v1/me/recover/mail", json={"mail": address})
        assert (answer.status_code, answer.json()) == (202, {"requested": True})
    house.do(telling_ways.send_test, house.server, ben.id, _only_way(house, ben))
    assert sorted(house.look()) == ["The link that brings you back", "This is how you are told"]  # in no other message
    assert {mail["to"] for mail in house.mailbox.mails} == {"ben@example.org"}
    letter = next(one for one in house.mailbox.mails if "brings" in one["subject"])
    (token,) = re.findall(r"/me/sign-in/(\w+)", letter.get_content())
    assert not any(token.encode() in path.read_bytes() for path in files_of(house.server))
    assert house.server.people.find_token_owner(token) == "Ben"
    back, _ = house.do(house.server.people.redeem_device_token, token)
    assert back.id == ben.id
    with pytest.raises(NotFound):
        house.do(house.server.people.redeem_device_token, token)
    for _ in range(6):
        house.time[0] += 1
        house.do(sign_in_link.request_link, house.server, "ben@example.org")
    assert len(house.look()) == sign_in_link.MAX_MAILS_PER_DAY - 1
    (late,) = re.findall(r"/me/sign-in/(\w+)", house.mailbox.mails[-1].get_content())
    house.time[0] += sign_in_link.LINK_SECONDS
    assert house.server.people.find_token_owner(late) is None


def _only_way(house: TellingHouse, person: Person) -> int:
    with house.server.store.read_connection() as connection:
        return telling_ways.list_channels(house.server, connection, person)[0].id


def test_who_is_erased_is_found_in_no_table_and_no_file_by_name_or_mail(house: TellingHouse) -> None:
    """Ways, messages and links go with them; a letter that was on its way is not sent."""
    anna, gone = house.person("Anna", mail=False), house.person("Zebedaeus")
    house.play(house.table(anna, gone))
    house.do(sign_in_link.request_link, house.server, "zebedaeus@example.org")
    house.do(deletion.delete_account, house.server, gone)
    assert house.look(600) == []
    with house.server.store.read_connection() as connection:
        rows = {one.name: str(list(connection.execute(select(one)))) for one in metadata.sorted_tables}
        assert all(connection.execute(select(one).where(one.c.person == gone.id)).all() == [] for one in ITS_OWN)
    assert [name for name, text in rows.items() if "zebedaeus" in text.lower()] == []
    assert [path.name for path in files_of(house.server) if b"zebedaeus" in path.read_bytes().lower()] == []
    assert house.server.notifiable_people.isdisjoint({gone.id})


def test_addresses_are_kept_encrypted_and_shown_in_part(house: TellingHouse) -> None:
    ben = house.person("Ben")
    with house.server.store.read_connection() as connection:
        (way,) = telling_ways.list_channels(house.server, connection, ben)
    assert way.masked_address == "b…n@example.org"
    assert not any(b"ben@example.org" in path.read_bytes() for path in files_of(house.server))


def test_five_ways_a_person_and_twenty_tries_a_day(house: TellingHouse) -> None:
    """5 ways a person, 20 test messages a day; another's way is nobody's to touch."""
    anna, ben = house.person("Anna", mail=False), house.person("Ben", mail=False)
    made = [house.do(telling_ways.add_service, house.server, ben, "ntfy") for _ in range(5)]
    with pytest.raises(Conflict):
        house.do(telling_ways.add_service, house.server, ben, "ntfy")
    for _ in range(20):
        house.time[0] += 1
        house.do(telling_ways.send_test, house.server, ben.id, made[0])
    with pytest.raises(LimitExceeded):
        house.do(telling_ways.send_test, house.server, ben.id, made[1])
    for work in (telling_ways.remove_channel, telling_ways.send_test, telling_ways.update_channel):
        with pytest.raises(NotFound):
            house.do(work, house.server, anna.id, made[0])


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
    """https only, resolved first, private and loopback addresses refused."""
    with pytest.raises(Unreachable):
        safe_http.post(url, b"", {})


def test_a_certificate_is_checked(sealed: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is told anything by a machine that cannot prove its name; one that can is."""
    url = f"https://localhost:{sealed.port}/push"
    with pytest.raises(Unreachable, match="CERTIFICATE_VERIFY_FAILED"):
        safe_http.post(url, b"secret", {}, local=True)
    assert sealed.posts == []
    monkeypatch.setenv("SSL_CERT_FILE", str(sealed.certificate))
    assert safe_http.post(url, b"hello", {}, local=True) == 201
    ((path, headers, body),) = sealed.posts
    assert (path, headers["host"], body) == ("/push", f"localhost:{sealed.port}", b"hello")
    with pytest.raises(Unreachable, match="CERTIFICATE_VERIFY_FAILED"):  # a name that is not in the certificate
        safe_http.post(url.replace("localhost", "127.0.0.1"), b"secret", {}, local=True)


@pytest.mark.filterwarnings("ignore:'imghdr'")
@pytest.mark.parametrize("host", ["127.0.0.1", "2130706433", "localhost"])
def test_a_strangers_service_reaches_no_private_network(there: Endpoint, host: str) -> None:
    """Where it connects counts: a name may have led elsewhere when it was looked at."""
    address = f"ntfy://{host}:{there.port}/topic"
    before = len(there.posts)
    with pytest.raises(Unreachable):
        send_message(address, "Your turn", "Open", trusted=False)
    assert len(there.posts) == before
    there.status = 200
    send_message(address, "Your turn", "Open")  # the house's own server may stand in its own network
    there.status = 307
    with pytest.raises(Unreachable):
        send_message(f"{address}?redirect=yes", "Your turn", "Open")
    assert [path for path, _, _ in there.posts[before:]] == ["/", "/"]  # a redirect is not followed


@pytest.mark.parametrize(
    "address",
    ["file:///tmp/x", "exec://sh", "syslog://", "dbus://", "json://127.0.0.1/", "nonsense"]
    + ["discord://1234/abcdefgh?template=/etc/passwd", "vapid://a@b.c/d?x=1;%6beyfile=house.key", "ntfys://10.0.0.7/x"],
)
def test_apprise_gets_no_address_that_leads_inwards(address: str) -> None:
    with pytest.raises(RequestError):
        check_service_address(address, local=False)


def test_a_webhook_is_one_of_discord() -> None:
    good = "https://discord.com/api/webhooks/123456789/abcdefghijklmnopqrstuvwxyz"
    assert build_discord_address(good).startswith("discord://123456789/abcdefghijklmnopqrstuvwxyz/")
    for bad in (
        "https://discord.com.example.org/api/webhooks/123456789/abcdefghijklmnopqrstuvwxyz",
        f"{good}/../x",
        "",
    ):
        with pytest.raises(RequestError):
            build_discord_address(bad)


def test_telegram_knows_somebody_by_the_code_they_sent(
    house: TellingHouse, there: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The person sends /start and a code to the house's bot; nobody else's code will do."""
    anna, ben = house.person("Anna", mail=False), house.person("Ben", mail=False)
    with pytest.raises(Conflict):
        telegram.find_chat(house.server, ben)  # the house has no bot
    monkeypatch.setattr(telegram, "API", there.url)
    monkeypatch.setattr(house.server.settings, "telegram", "12:token")
    sent = {"text": f"/start {telegram.make_code(house.server, ben)}", "chat": {"id": 77}}
    there.page = json.dumps({"result": [{"edited": {}}, {"message": {"text": "hello"}}, {"message": sent}]}).encode()
    assert telegram.find_chat(house.server, ben) == "77"
    with pytest.raises(NotFound):
        telegram.find_chat(house.server, anna)


def test_a_mail_server_and_an_address_are_read() -> None:
    found = Mailer.read("mailtos://me%40example.org:p%40ss@mail.example.org")
    assert (found.host, found.port, found.encrypted, found.password) == ("mail.example.org", 587, True, "p@ss")
    assert found.sender == "me@example.org"
    assert is_mail_address("a.b+c@example.org")
    for bad in ("", "a", "a@", "@b", "a@b, c@d", "a@b\nBcc: c@d", "Anna <a@b>", '"a b"@c'):
        assert not is_mail_address(bad), bad


def test_without_its_packages_the_house_says_so(house: TellingHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything has a sentence when the extra is not installed."""
    ben = house.person("Ben", mail=False)
    monkeypatch.setattr(NOTIFICATIONS, "is_available", lambda: False)
    with pytest.raises(Conflict, match=r"triclinium\[people\]"):
        house.do(telling_ways.add_mail, house.server, ben, "ben@example.org")
    told = house.client.get("/api/v1/notifications").json()
    assert (told["channel_kinds"], told["push_key"]) == ([], "")
    house.look()

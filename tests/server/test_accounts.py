"""Tests of accounts: recovery phrases, devices, merging, exported data and deletion."""

import dataclasses
import io
import json
import time
import zipfile
from base64 import urlsafe_b64encode
from hashlib import sha256

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from fastapi.testclient import TestClient
from sqlalchemy import select

from tests.server.api_client import list_database_files, make_client
from tests.server.locked_tables import rewrite_row
from tests.server.server_driver import ServerDriver
from tests.server.test_results import resign
from triclinium.engine.record import Record
from triclinium.engine.registry import load_game
from triclinium.server import server_time
from triclinium.server.accounts import recovery
from triclinium.server.accounts.recovery import detect_browser, generate_phrase, hash_phrase, normalize_phrase
from triclinium.server.accounts.users import Person
from triclinium.server.crypto import ServerKey
from triclinium.server.errors import RequestError
from triclinium.server.net import rate_limit
from triclinium.server.personal_data import deletion
from triclinium.server.sanitize import check_encodable
from triclinium.server.storage.schema import metadata, passkeys, phrases
from triclinium.server.storage.schema_results import rating_steps, ratings
from triclinium.server.tables import chat
from triclinium.server.tables.create import NewTable, continue_match, open_table
from triclinium.server.tables.event_stream import EventListener
from triclinium.server.tables.options import SeatOptions
from triclinium.server.tables.table import Table

JSON = {"content-type": "application/json"}


def api(driver: ServerDriver, name: str) -> TestClient:
    """Return an API client of one person."""
    client = make_client(driver.client)
    client.cookies.set("triclinium", driver.cookies[name])
    return client


def say(driver: ServerDriver, table: Table, seat: int | None, person: Person, text: str) -> None:
    async def job() -> None:
        await chat.post_message(driver.server, table, seat, person.name, text, person.id)

    driver.portal.call(job)


def test_recovery_phrases_are_read_in_any_spelling() -> None:
    key = ServerKey(b"k" * 32)
    for language in ("en", "fr"):
        words = generate_phrase(language)
        assert len(words.split()) == recovery.PHRASE_LENGTH
        assert hash_phrase(key, words) == hash_phrase(key, f" {words.upper().replace(' ', ',  ')}. ")
    kept = recovery._load_word_list.cache_info().currsize
    assert len(generate_phrase("no language").split()) == recovery.PHRASE_LENGTH
    assert recovery._load_word_list.cache_info().currsize == kept == 2  # however many languages a request invents
    assert normalize_phrase("Épée  ÉTÉ, cœur") == normalize_phrase("epee ete, cœur")
    assert hash_phrase(key, "a b") != hash_phrase(ServerKey(b"l" * 32), "a b")


def test_a_recovery_phrase_signs_a_person_in(client: TestClient) -> None:
    """A recovery phrase works on a new device. A new phrase replaces the old one, and only a hash is stored."""
    house = ServerDriver(client)
    anna = house.create_person("Anna")
    first = api(house, "Anna").post("/api/v1/me/recovery-phrase?language=fr").json()["phrase"]
    second = api(house, "Anna").post("/api/v1/me/recovery-phrase").json()["phrase"]
    fresh = make_client(client)
    assert fresh.post("/api/v1/me/recover", json={"phrase": first}).status_code == 404
    back = fresh.post("/api/v1/me/recover", json={"phrase": second.upper()}).json()
    assert (back["person"], back["name"], back["merge"]) == (anna.id, "Anna", None)
    fresh.cookies.set("triclinium", back["token"])
    assert fresh.get("/api/v1/me").json()["name"] == "Anna"
    with house.server.store.read_connection() as connection:
        [mark] = connection.execute(select(phrases.c.mark).where(phrases.c.person == anna.id)).scalars()
    assert mark == hash_phrase(house.server.key, second)
    assert rate_limit.ACTION_LIMITS["phrase"].per_network == (1 / 6, 10.0)  # ten attempts a minute


def test_devices_are_listed_and_signed_out(client: TestClient) -> None:
    house = ServerDriver(client)
    house.create_person("Anna")
    words = api(house, "Anna").post("/api/v1/me/recovery-phrase").json()["phrase"]
    other = make_client(client)
    other.cookies.set("triclinium", other.post("/api/v1/me/recover", json={"phrase": words}).json()["token"])
    agent = {"user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"}
    assert other.get("/api/v1/me", headers=agent).status_code == 200
    told: list[dict[str, object]] = []
    while not any(one["name"] == "Firefox, Linux" for one in told):  # it is stored in parallel with the response
        told = api(house, "Anna").get("/api/v1/me/devices").json()["devices"]
    assert [one["is_current"] for one in told].count(True) == 1
    assert len(told) == 2
    away = next(one for one in told if not one["is_current"])
    assert api(house, "Anna").delete("/api/v1/me/devices/000000000000").status_code == 404
    assert api(house, "Anna").delete(f"/api/v1/me/devices/{away['device']}").status_code == 200
    assert other.get("/api/v1/me").status_code == 403
    assert detect_browser("python-urllib/3") == ""


def test_two_accounts_are_merged_and_separated(client: TestClient) -> None:
    """Merging two accounts joins their seats, results and ratings, and can be undone for a week.

    It is refused for two people at one table.
    """
    house = ServerDriver(client)
    anna, twin, ben = house.create_person("Anna"), house.create_person("Anna 2"), house.create_person("Ben")
    house.play(house.open_table(anna, ben))
    house.play(house.open_table(twin, ben))
    running = house.open_table(twin, ben)
    before, second = _ratings(house), twin.id  # the person in memory becomes the other one
    words = api(house, "Anna").post("/api/v1/me/recovery-phrase").json()["phrase"]
    caller = api(house, "Anna 2")
    back = caller.post("/api/v1/me/recover", json={"phrase": words}).json()
    caller.cookies.set("triclinium", back["token"])
    forged = {"person": ben.id, "proof": back["merge"]["proof"]}
    assert caller.post("/api/v1/me/merge", json=forged).status_code == 403
    assert caller.post("/api/v1/me/merge", json=back["merge"]).status_code == 200
    page = caller.get(f"/api/v1/players/{anna.id}").json()
    assert (page["with_people"], page["games"][0]["rated_matches"]) == (2, 2)
    assert running.list_seats_of(anna.id) == [0]
    assert api(house, "Anna 2").get("/api/v1/me").json()["person"] == anna.id
    assert caller.delete(f"/api/v1/me/merge/{second}").status_code == 200
    assert running.list_seats_of(second) == [0]
    assert _ratings(house) == before
    house.open_table(anna, twin)
    assert caller.post("/api/v1/me/merge", json=back["merge"]).status_code == 409


def _ratings(driver: ServerDriver) -> list[tuple[object, ...]]:
    with driver.server.store.read_connection() as connection:
        return [
            tuple(row)
            for each in (ratings, rating_steps)
            for row in connection.execute(select(each).order_by(*each.primary_key))
        ]


def test_hidden_people_are_not_shown(client: TestClient) -> None:
    """Hiding works in both directions and ends when it is undone."""
    house = ServerDriver(client)
    anna, ben = house.create_person("Anna"), house.create_person("Ben")
    house.play(house.open_table(anna, ben))
    assert api(house, "Anna").put(f"/api/v1/players/{ben.id}/hidden", json={"hidden": True}).status_code == 200
    assert api(house, "Ben").get(f"/api/v1/players/{anna.id}").json()["visible"] is False
    assert api(house, "Anna").get(f"/api/v1/players/{ben.id}").json()["visible"] is False
    assert api(house, "Anna").get("/api/v1/players").json()["players"] == []
    api(house, "Anna").put(f"/api/v1/players/{ben.id}/hidden", json={"hidden": False})
    assert api(house, "Ben").get(f"/api/v1/players/{anna.id}").json()["visible"] is True
    assert api(house, "Anna").put(f"/api/v1/players/{anna.id}/hidden", json={"hidden": True}).status_code == 400
    assert api(house, "Anna").put("/api/v1/players/99999/hidden", json={"hidden": True}).status_code == 404


def test_an_export_contains_all_data_of_a_person(client: TestClient) -> None:
    """The export has JSON and records, but no credentials and no seed of a running match."""
    house = ServerDriver(client)
    anna, ben = house.create_person("Anna"), house.create_person("Ben")
    over = house.play(house.open_table(anna, ben))
    running = house.open_table(anna, ben)
    say(house, over, 0, anna, "well played")
    answer = api(house, "Anna").get("/api/v1/me/export")
    assert answer.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as file:
        names = set(file.namelist())
        me = json.loads(file.read("me.json"))
        assert names == {"me.json", "page.json", "chat.json", f"records/{over.id}.txt", f"records/{running.id}.txt"}
        assert me["person"]["name"] == "Anna"
        assert len(me["results"]) == 1
        assert "hash" not in me["devices"][0]
        assert json.loads(file.read("chat.json"))[0]["text"] == "well played"
        record = Record.loads(file.read(f"records/{over.id}.txt").decode())
        assert record.replay().over
        assert "seed hidden" in file.read(f"records/{running.id}.txt").decode()
    assert make_client(client).get("/api/v1/me/export").status_code == 403


NAME = "Zébédée Ophir"


def test_an_erased_person_is_in_no_table_and_no_file(own_client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Deletion happens a day later unless it is cancelled. The others keep their matches and ratings."""
    house = ServerDriver(own_client)
    gone, ben, noa = house.create_person(NAME), house.create_person("Ben"), house.create_person("Noa")
    over = house.play(house.open_table(gone, ben))
    left = house.open_table(ben, gone, noa)
    house.play(left, 30)
    resign(house, left, 1)
    running = house.open_table(ben, gone)
    house.play(running, 45)
    say(house, over, 0, gone, "it was a pleasure")
    say(house, over, 1, ben, "thank you!")
    _own_rows(house, gone)
    caller = api(house, NAME)
    assert caller.post("/api/v1/me/deletion", json={"nickname": "zebedee"}).status_code == 400
    assert caller.post("/api/v1/me/deletion", json={"nickname": NAME}).status_code == 200
    assert caller.delete("/api/v1/me/deletion").status_code == 200
    assert house.portal.call(deletion.delete_due_accounts, house.server) == 0
    caller.post("/api/v1/me/deletion", json={"nickname": NAME})
    assert house.portal.call(deletion.delete_due_accounts, house.server) == 0
    before = _ratings(house)
    now = server_time.now()
    monkeypatch.setattr(server_time, "now", lambda: now + deletion.GRACE_PERIOD + 1)
    assert house.portal.call(deletion.delete_due_accounts, house.server) == 1
    assert caller.get("/api/v1/me").status_code == 403
    assert _ratings(house) == before
    assert _found(house, "Ophir", "pleasure") == []
    assert [occupant.name for occupant in running.occupants] == ["Ben", "Somebody"]
    assert running.occupants[1].substitute
    page = api(house, "Ben").get(f"/api/v1/players/{ben.id}").json()
    assert page["matches"][0]["others"][0]["name"] == ""
    assert house.play(running).status == "over"
    assert api(house, "Ben").get(f"/api/v1/tables/{over.id}").status_code == 200


def _own_rows(driver: ServerDriver, person: Person) -> None:
    """Store every kind of data that belongs to one person: phrase, passkey, hidden person and device link."""
    caller = api(driver, NAME)
    caller.post("/api/v1/me/recovery-phrase")
    driver.portal.call(driver.server.people.create_device_token, person)
    row = {"id": "Ophir", "person": person.id, "public": "Ophir", "signed": 0, "host": "h", "called": "Ophir"}
    driver.portal.call(
        driver.server.store.write,
        lambda connection: connection.execute(passkeys.insert().values(**row, made=0.0)) and None,
    )
    caller.put("/api/v1/players/2/hidden", json={"hidden": True})


def _found(driver: ServerDriver, *words: str) -> list[str]:
    """Return the tables and files that contain any of these words."""
    places: list[str] = []
    with driver.server.store.read_connection() as connection:
        for table in metadata.sorted_tables:
            rows = str([tuple(row) for row in connection.execute(select(table))])
            places += [table.name for word in words if word in rows]
    for file in list_database_files(driver.server):
        content = file.read_bytes()
        places += [file.name for word in words if word.encode() in content]
    return places


def _returned(driver: ServerDriver, name: str, words: str) -> tuple[TestClient, dict[str, object]]:
    """Sign in as another person by recovery phrase. Return the person and the proof that allows a merge."""
    caller = api(driver, name)
    back = caller.post("/api/v1/me/recover", json={"phrase": words}).json()
    caller.cookies.set("triclinium", back["token"])
    proof: dict[str, object] = back["merge"]
    return caller, proof


def test_repeated_merges_are_refused_and_separated_accounts_get_only_their_messages(client: TestClient) -> None:
    """A second merge of the same accounts is refused.

    After an undo, tables, seats and streams are separate again.
    """
    house = ServerDriver(client)
    anna, twin, ben = house.create_person("Anna"), house.create_person("Anna 2"), house.create_person("Ben")
    second = twin.id
    theirs, hers = house.open_table(twin, ben), house.open_table(anna, ben)
    ear = EventListener(second, twin.device)
    rewrite_row(hers, options=dataclasses.replace(hers.options, shown="watched"))
    house.portal.call(hers.hub.add, ear)
    caller, proof = _returned(house, "Anna 2", api(house, "Anna").post("/api/v1/me/recovery-phrase").json()["phrase"])
    assert caller.post("/api/v1/me/merge", json=proof).status_code == 200
    assert (theirs.host, ear.seats) == (anna.id, (0,))
    again = caller.post("/api/v1/me/merge", json=proof)
    assert (again.status_code, again.json()["message"]) == (409, "These two accounts are already merged.")
    assert caller.delete(f"/api/v1/me/merge/{second}").status_code == 200
    assert (theirs.host, hers.host, ear.seats) == (second, anna.id, ())


def test_a_bot_account_cannot_be_merged_with_its_owner(client: TestClient) -> None:
    """Bot accounts have separate ratings and leaderboards, so their results never become a person's."""
    house = ServerDriver(client)
    house.create_person("Anna")
    made = api(house, "Anna").post("/api/v1/me/bots", json={"name": "Robot"}).json()
    house.cookies["Robot"] = made["token"]
    caller, proof = _returned(house, "Robot", api(house, "Anna").post("/api/v1/me/recovery-phrase").json()["phrase"])
    assert caller.post("/api/v1/me/merge", json=proof).status_code == 409
    assert api(house, "Robot").get("/api/v1/me").json()["person"] == made["person"]


def test_guests_of_a_device_lose_an_erased_name(own_client: TestClient) -> None:
    """Deletion removes names at once, also from guests at a device and from continued matches."""
    house = ServerDriver(own_client)
    gone, ben = house.create_person(NAME), house.create_person("Ben")
    new = NewTable(load_game("evangelists"), [SeatOptions("me"), SeatOptions("hot")])
    shared = house.portal.call(open_table, house.server, gone, new)
    assert shared.occupants[1].name == f"{NAME} 2"
    house.play(shared)
    seen = api(house, "Ben").get(f"/api/v1/players/{gone.id}").json()
    assert seen["visible"] is False  # people who have never played here see nothing
    met = house.play(house.open_table(ben, gone))
    matches = api(house, "Ben").get(f"/api/v1/players/{gone.id}").json()["matches"]
    # only people who sat there see the guests' names
    assert [match["others"][0]["name"] for match in matches] == ["Ben", ""]
    mine = api(house, NAME).get(f"/api/v1/players/{gone.id}").json()["matches"]
    assert mine[1]["others"][0]["name"] == f"{NAME} 2"
    house.play(house.portal.call(continue_match, house.server, ben, met, 20))
    house.portal.call(deletion.delete_account, house.server, gone)
    assert _found(house, "Ophir") == []


def test_half_a_surrogate_pair_is_refused(client: TestClient) -> None:
    """Text with invalid Unicode is refused with a sentence and causes no server error."""
    house = ServerDriver(client)
    house.create_person("Anna")
    half = "\\ud800"
    asked = make_client(client).post("/api/v1/passkeys/options")
    if asked.status_code == 200:
        body = f'{{"challenge": "{asked.json()["challenge"]}", "credential": {{"id": "{half}"}}}}'
        assert make_client(client).post("/api/v1/passkeys", content=body, headers=JSON).status_code == 400
    way = f'{{"kind": "device", "subscription": {{"endpoint": "https://example.org/{half}"}}}}'
    refused = api(house, "Anna").post("/api/v1/notifications/channels", content=way, headers=JSON)
    assert (refused.status_code, refused.json()["error"]) == (400, "bad_request")
    assert "a text in the request cannot be decoded" in refused.json()["message"]
    chairs = '[{"kind": "me"}, {"kind": "bot", "bot": "novice"}]'
    table = f'{{"game": "portals", "seats": {chairs}, "variants": {{"range": "{half}"}}}}'
    refused = make_client(client).post("/api/v1/tables", content=table, headers=JSON)
    assert (refused.status_code, refused.json()["error"]) == (400, "bad_request")
    assert "a text in the request cannot be decoded" in refused.json()["message"]


def test_deeply_nested_json_is_refused() -> None:
    facts: dict[str, object] = {}
    for _ in range(100_000):
        facts = {"in": facts}
    with pytest.raises(ValueError, match="the request is nested too deeply"):
        check_encodable(facts)


def test_an_invalid_passkey_is_refused(client: TestClient) -> None:
    """An invalid passkey is refused with a sentence, and nothing is stored."""
    pytest.importorskip("webauthn")
    house = ServerDriver(client)
    anna = house.create_person("Anna")
    calls = api(house, "Anna")
    nameless = b"\x00" * 16 + b"\x00\x04AAAA"
    for key in (b"\xa0", b"\xf6", b"\xa1\x01\x02", b""):
        challenge = calls.post("/api/v1/me/passkeys/options").json()["challenge"]
        told = {"type": "webauthn.create", "challenge": challenge, "origin": "http://testserver"}
        data = sha256(b"testserver").digest() + b"\x45\x00\x00\x00\x01" + nameless + key
        made = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58" + bytes([len(data)]) + data
        response = {"clientDataJSON": _spelled(json.dumps(told).encode()), "attestationObject": _spelled(made)}
        answer = {"id": "QUFBQQ", "rawId": "QUFBQQ", "type": "public-key", "response": response}
        refused = calls.post("/api/v1/me/passkeys", json={"challenge": challenge, "credential": answer})
        assert (refused.status_code, refused.json()["error"]) == (400, "bad_request")
        assert refused.json()["message"] == "The passkey was not accepted. Please try again."
    with house.server.store.read_connection() as connection:
        assert connection.execute(select(passkeys).where(passkeys.c.person == anna.id)).all() == []


def test_a_passkey_is_registered_once(client: TestClient) -> None:
    """A passkey id can only be registered once. The second request gets an error message."""
    pytest.importorskip("webauthn")
    house = ServerDriver(client)
    answers = []
    for name in ("Anna", "Ben"):
        house.create_person(name)
        calls = api(house, name)
        challenge = calls.post("/api/v1/me/passkeys/options").json()["challenge"]
        told = {"type": "webauthn.create", "challenge": challenge, "origin": "http://testserver"}
        point = generate_private_key(SECP256R1()).public_key().public_numbers()
        x, y = (b"\x58\x20" + number.to_bytes(32, "big") for number in (point.x, point.y))
        key = b"\xa5\x01\x02\x03\x26\x20\x01\x21" + x + b"\x22" + y  # a COSE key: EC2, ES256, curve P-256
        data = sha256(b"testserver").digest() + b"\x45\x00\x00\x00\x01" + b"\x00" * 16 + b"\x00\x04AAAA" + key
        made = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58" + bytes([len(data)]) + data
        response = {"clientDataJSON": _spelled(json.dumps(told).encode()), "attestationObject": _spelled(made)}
        answer = {"id": "QUFBQQ", "rawId": "QUFBQQ", "type": "public-key", "response": response}
        answers.append(calls.post("/api/v1/me/passkeys", json={"challenge": challenge, "credential": answer}))
    assert answers[0].status_code < 300
    assert (answers[1].status_code, answers[1].json()["error"]) == (409, "conflict")
    assert answers[1].json()["message"] == "This passkey is already registered here."


def _spelled(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def test_a_passkey_challenge_is_known_to_every_server(client: TestClient) -> None:
    """Every server of a cluster knows the challenge.

    It is signed, belongs to one person, and is valid once within five minutes.
    """
    passkeys = pytest.importorskip("triclinium.server.accounts.passkeys")
    house = ServerDriver(client)
    key = house.server.key
    asked = json.loads(passkeys.make_authentication_options(house.server.key, "http://localhost"))["challenge"]
    for other, person in ((ServerKey(b"x" * 32), 0), (key, 7)):
        with pytest.raises(RequestError):
            passkeys._consume_challenge(other, asked, person)
    with pytest.MonkeyPatch.context() as late:
        late.setattr(server_time, "now", lambda: time.time() + passkeys.CHALLENGE_SECONDS + 1)
        with pytest.raises(RequestError):
            passkeys._consume_challenge(key, asked, 0)
    assert passkeys._consume_challenge(key, asked, 0)
    with pytest.raises(RequestError):
        passkeys._consume_challenge(key, asked, 0)
    for nonsense in ("", "AA", "\u00e9", asked[:-2], f"{asked}AA"):
        with pytest.raises(RequestError):
            passkeys._consume_challenge(key, nonsense, 0)

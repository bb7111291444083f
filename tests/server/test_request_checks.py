"""Tests of request checks: origins of posts, size and rate of requests, and forbidden paths."""

import json
import time
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import func, select

from tests.server.api_client import ApiClient, get_server, make_settings
from triclinium.engine.core.errors import BadSetup
from triclinium.server.app import create_app
from triclinium.server.crypto import ServerKey
from triclinium.server.net.rate_limit import TokenBuckets
from triclinium.server.sanitize import clean_chat, clean_name, fold_name
from triclinium.server.storage.schema import devices, people, seats, tables
from triclinium.server.storage.sqlite import SqliteDatabase


def count_tables(client: TestClient) -> int:
    with get_server(client).store.read_connection() as connection:
        return int(connection.execute(select(func.count()).select_from(tables)).scalar_one())


def test_a_post_from_another_site_is_refused(client: TestClient) -> None:
    api = ApiClient(client).fill()
    who, version = api.who, api.version
    assert who is not None
    move = {"option": api.options()[0], "version": version}
    for headers in (
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ):
        refused = client.post(f"{api.url}/move", json=move, headers={**api.auth(who), **headers})
        assert refused.status_code == 403
        listening = client.get(f"{api.url}/events", headers={**api.auth(who), **headers})
        assert listening.status_code == 403
    assert api.version == version
    same = {"origin": "http://testserver"}
    assert client.post(f"{api.url}/move", json=move, headers={**api.auth(who), **same}).status_code == 200


def test_bodies_have_a_limit(client: TestClient) -> None:
    before = count_tables(client)
    long = json.dumps({"game": "evangelists", "seats": [{"kind": "me"}], "name": "x" * 70_000})
    assert client.post("/api/v1/tables", content=long).status_code == 413

    def endless() -> "list[bytes]":
        return [b"x" * 10_000] * 10

    assert client.post("/api/v1/tables", content=iter(endless())).status_code == 413
    assert count_tables(client) == before


def test_head_answers_as_get_does_without_the_body(client: TestClient) -> None:
    """Mail programs check links with HEAD. A stream cannot be opened by HEAD."""
    api = ApiClient(client).fill()
    for path in ("/health", "/api/v1/games", "/api/v1/tables/nowhere123"):
        asked, got = client.head(path), client.get(path)
        assert (asked.status_code, asked.content) == (got.status_code, b"")
        assert asked.headers["content-length"] == str(len(got.content))
    assert client.head(f"{api.url}/events", headers=api.auth(0)).status_code == 405
    assert client.get("/health").json() == {"status": "ok", "server": get_server(client).fingerprint}


def test_every_answer_carries_the_headers(client: TestClient) -> None:
    for path in ("/api/v1/games", "/api/v1/tables/nowhere123", "/nothing"):
        answer = client.get(path)
        policy = answer.headers["content-security-policy"]
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_an_unknown_table_creates_nothing(client: TestClient) -> None:
    before = count_tables(client)
    for id in ("nowhere123", "x", "../../etc", "%00%00%00%00%00%00", "a" * 300, "é" * 8):
        assert client.get(f"/api/v1/tables/{id}").status_code in (404, 400)
        move = {"option": "start rome", "version": 0}
        assert client.post(f"/api/v1/tables/{id}/move", json=move).status_code in (404, 400)
    assert count_tables(client) == before


def test_lists_are_paged(own_client: TestClient) -> None:
    for _ in range(23):
        ApiClient(own_client, visibility="listed")
    first = own_client.get("/api/v1/tables").json()
    assert len(first["tables"]) == 20
    assert first["more"]
    second = own_client.get("/api/v1/tables?page=2").json()
    assert len(second["tables"]) == 3
    assert not second["more"]
    assert own_client.get("/api/v1/tables?page=0").status_code == 400
    private = ApiClient(own_client)
    assert private.id not in own_client.get("/api/v1/tables").text


def test_a_flood_is_stopped_and_five_tabs_are_not(tmp_path: Path) -> None:
    with TestClient(create_app(make_settings(tmp_path, limits=True))) as client:
        api = ApiClient(client).fill()
        for _ in range(25):  # five tabs with a move each in one second
            api.play_at_random(1)
        assert any(api.post(0, "sing", 0).status_code == 429 for _ in range(120))
        wrong = {"code": "WRONG"}
        assert any(client.post(f"{api.url}/seats", json=wrong).status_code == 429 for _ in range(80))


def test_a_rate_limit_recovers() -> None:
    buckets = TokenBuckets(10.0, 100.0)
    for _ in range(25):
        assert buckets.compute_wait("10.0.0.1", 4.0, 0.0) == 0.0
        buckets.take_tokens("10.0.0.1", 4.0, 0.0)
    assert buckets.compute_wait("10.0.0.1", 4.0, 0.0) == pytest.approx(0.4)
    assert buckets.compute_wait("10.0.0.2", 4.0, 0.0) == 0.0  # other visitors are not delayed
    assert buckets.compute_wait("10.0.0.1", 4.0, 0.5) == 0.0
    assert buckets.compute_wait("10.0.0.1", 4.0, 1000.0) == 0.0
    assert buckets.compute_wait("10.0.0.1", 101.0, 1000.0) > 0.0  # the bucket does not overflow


def test_other_addresses_do_not_reset_a_limit() -> None:
    buckets = TokenBuckets(1.0, 2.0)
    for n in range(TokenBuckets.MAX_KEYS):
        buckets.take_tokens("10.0.0.1", 0.001, 0.0)
        buckets.take_tokens(f"2001:db8:0:{n:x}::/64", 1.0, 0.0)
    assert buckets.compute_wait("10.0.0.1", 1.0, 0.0) > 0.0


def test_secrets_are_stored_as_hashes_only(client: TestClient) -> None:
    api = ApiClient(client).fill()
    with get_server(client).store.read_connection() as connection:
        stored = " ".join(
            str(row) for table in (people, devices, seats, tables) for row in connection.execute(select(table))
        )
    for token in api.tokens.values():
        assert len(token) >= 32
        assert token not in stored
    for invitation in api.invitations:
        assert invitation["invitation"] not in stored


def test_the_key_of_a_server_is_kept_and_private(tmp_path: Path) -> None:
    house = SqliteDatabase(tmp_path / "house.db", 1.0)
    first = ServerKey.load(house)
    assert ServerKey.load(house).sign("seat", 1) == first.sign("seat", 1)
    assert (tmp_path / "house.key").stat().st_mode & 0o077 == 0
    assert ServerKey.load(SqliteDatabase(tmp_path / "other.db", 1.0)).sign("seat", 1) != first.sign("seat", 1)


def test_a_key_can_come_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    house = SqliteDatabase(tmp_path / "house.db", 1.0)
    monkeypatch.setenv("TRICLINIUM_KEY", "ab" * 32)
    assert ServerKey.load(house).sign("seat", 1) == ServerKey(b"\xab" * 32).sign("seat", 1)
    assert not (tmp_path / "house.key").exists()
    for wrong in ("ab" * 31, "no key at all"):
        monkeypatch.setenv("TRICLINIUM_KEY", wrong)
        with pytest.raises(BadSetup, match="TRICLINIUM_KEY is damaged") as refused:
            ServerKey.load(house)
        assert wrong not in str(refused.value)


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Anna   Maria ", "Anna Maria"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"[:24]),
        ("\u202eevil\u2066", "evil"),
        ("a\u0000b\u0007c", "abc"),
        ("👩‍🌾 Éloïse", "👩‍🌾 Éloïse"),
        ("z" + "\u0300" * 40, "z" + "\u0300" * 3),
        ("x" * 10_000, "x" * 24),
        ("\u200f\u202a", "Guest"),
        ("A\u200bn\u00adn\u2060a", "Anna"),
        ("\u200d\u0301", "Guest"),
        ("\u3164\u2800", "Guest"),
    ],
)
def test_names_are_cleaned(typed: str, kept: str) -> None:
    assert clean_name(typed, "Guest") == kept


def test_similar_looking_names_are_equal() -> None:
    """Invisible or similar letters do not make two names different."""
    assert fold_name("Anna") == fold_name("\uff21NNA") == fold_name("an\u200dna\ufe0f")
    assert fold_name("Anna") != fold_name("Anna 2")


def test_chat_is_short_and_plain() -> None:
    assert len(clean_chat("word " * 5000)) <= 500
    assert clean_chat("one\ntwo\r\nthree") == "one two three"


def test_seats_are_revoked(client: TestClient) -> None:
    api = ApiClient(client, seats=3)
    invitation = api.invitations[0]
    sat = client.post(f"{api.url}/seats", json=invitation)
    assert sat.status_code == 201
    token = {"authorization": f"Bearer {sat.json()['token']}"}
    assert client.post(f"{api.url}/seats", json=invitation).status_code == 404
    assert client.delete(f"{api.url}/seats/0", headers=token).status_code == 403
    assert client.delete(f"{api.url}/seats/{invitation['seat']}", headers=token).status_code == 200
    assert client.get(api.url, headers=token).status_code == 403
    assert client.post(f"{api.url}/seats", json=invitation).status_code == 404


def test_a_bot_replaces_a_leaving_player(client: TestClient) -> None:
    api = ApiClient(client, seats=2).fill()
    api.play_at_random(6)
    gone = 1
    left = client.delete(f"{api.url}/seats/{gone}", headers=api.auth(gone))
    assert left.status_code == 200
    assert left.json()["seats"][gone]["substitute_bot"]
    del api.tokens[gone]
    table = client.portal.call(get_server(client).tables.get_table, api.id) if client.portal else None
    assert table is not None
    until = time.monotonic() + 60
    while not any(one.bot for one in table.history) and time.monotonic() < until:
        if api.who == 0:
            api.play(api.options()[0])
        time.sleep(0.02)
    assert any(one.bot and one.seat == gone for one in table.history)

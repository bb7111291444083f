"""Tests of the owner's rights: they need the owner's cookie from a one-time link, and no address or header."""

import re
from pathlib import Path

import pytest
from anyio.from_thread import BlockingPortal
from fastapi.testclient import TestClient
from sqlalchemy import select

from tests.server.api_client import get_server, make_client, make_settings
from tests.server.owner_browsers import make_owner, make_owner_link
from triclinium.cli.main import main
from triclinium.server import server_time
from triclinium.server.accounts import owner
from triclinium.server.http.auth import SESSION_COOKIE
from triclinium.server.storage.schema_admin import owner_keys
from triclinium.web.app import create_app

WORD = "quo vadis domine"


def at_this_machine(client: TestClient, base: str = "http://localhost:8090") -> TestClient:
    """Return a request as from a proxy without headers: from loopback, to localhost."""
    came = TestClient(client.app, base_url=base, client=("127.0.0.1", 5000), follow_redirects=False)
    came.portal = client.portal
    return came


def set_password(client: TestClient, word: str = WORD) -> int:
    return client.put("/api/v1/password", json={"password": word}).status_code


def test_a_proxy_on_the_same_machine_gives_no_owner_rights(own_client: TestClient) -> None:
    visitor = at_this_machine(own_client)
    assert set_password(visitor) == 403
    assert visitor.post("/api/v1/network", json={"address": "localhost"}).status_code == 403
    assert visitor.get("/api/v1/network").json()["addresses"] == []
    make_owner(visitor)
    assert set_password(visitor) == 200
    assert set_password(visitor, "") == 200
    visitor.cookies.clear()
    visitor.cookies.set(owner.COOKIE, "invented")
    assert set_password(visitor) == 403


def test_a_link_works_once_and_for_an_hour(own_client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    token = make_owner_link(own_client)
    browser, second = at_this_machine(own_client), at_this_machine(own_client)
    assert browser.head(f"/owner/{token}").status_code == 303  # a preview does not use up the link
    first = browser.get(f"/owner/{token}")
    assert (first.status_code, first.headers["location"]) == (303, "/")
    cookie = first.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert set_password(browser) == 200
    assert browser.get("/network").status_code == 200  # the owner need not enter the password
    again = second.get(f"/owner/{token}", headers={"accept-language": "en"})
    assert again.status_code == 403
    assert "This link has already been used or has expired. The command `triclinium" in again.text
    refused = second.post("/api/v1/owner", json={"token": token})
    assert (refused.status_code, refused.json()["error"]) == (403, "not_allowed")
    late = make_owner_link(own_client)
    then = server_time.now() + owner.LINK_SECONDS + 1
    monkeypatch.setattr(server_time, "now", lambda: then)
    assert second.get(f"/owner/{late}").status_code == 403
    assert set_password(second) == 403


def test_the_owners_browser_keeps_its_cookie(own_client: TestClient) -> None:
    browser = make_owner(make_client(own_client))
    held = browser.cookies[owner.COOKIE]
    make_owner(browser)
    assert browser.cookies[owner.COOKIE] == held


def test_over_https_the_cookie_belongs_to_this_host_alone(own_client: TestClient) -> None:
    browser = at_this_machine(own_client, "https://localhost")
    cookie = browser.get(f"/owner/{make_owner_link(own_client)}").headers["set-cookie"]
    assert cookie.startswith(f"__Host-{owner.COOKIE}=")
    assert "Secure" in cookie
    assert set_password(browser) == 200
    page = browser.get("/new")
    assert page.status_code == 200


def test_the_cookie_survives_a_restart_and_only_hashes_are_stored(tmp_path: Path) -> None:
    with TestClient(create_app(make_settings(tmp_path))) as client:
        make_owner(client)
        cookie = client.cookies[owner.COOKIE]
        token = make_owner_link(client)
        with get_server(client).store.read_connection() as connection:
            stored = list(connection.execute(select(owner_keys.c.hash)).scalars())
    assert len(stored) == 2
    assert not {cookie, token} & set(stored)
    with TestClient(create_app(make_settings(tmp_path)), cookies={owner.COOKIE: cookie}) as client:
        assert set_password(client) == 200


def test_the_command_line_prints_a_link_and_takes_rights_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = make_settings(tmp_path)
    with TestClient(create_app(wanted)) as client:
        make_owner(client)
        cookie = client.cookies[owner.COOKIE]
    assert main(["admin", "owner-link", "--revoke", "--database", wanted.database]) == 0
    said = capsys.readouterr().out
    link = re.search(r"http://testserver/owner/(\S+)", said)
    assert link is not None
    with TestClient(create_app(wanted), cookies={owner.COOKIE: cookie}) as client:
        assert set_password(client) == 403
        assert client.post("/api/v1/owner", json={"token": link[1]}).status_code == 200
        assert set_password(client) == 200


def test_a_page_says_how_to_become_the_owner(own_client: TestClient) -> None:
    assert "triclinium admin owner-link" in make_client(own_client).get("/network").text
    assert "triclinium admin owner-link" not in make_owner(make_client(own_client)).get("/network").text


def test_over_https_the_session_belongs_to_this_host_alone(own_client: TestClient) -> None:
    """A browser that used plain HTTP before gets a session cookie with the prefix for HTTPS."""
    came = at_this_machine(own_client, "https://localhost")
    _, token = client_portal(own_client).call(get_server(own_client).people.create_person, "Anna")
    came.cookies.set(SESSION_COOKIE, token)
    page = came.get("/me")
    issued = page.headers.get_list("set-cookie")
    assert any(one.startswith(f"__Host-{SESSION_COOKIE}={token};") and "Secure" in one for one in issued)
    assert any(one.startswith(f'{SESSION_COOKIE}="";') for one in issued)
    prefixed = at_this_machine(own_client, "https://localhost")
    prefixed.cookies.set(f"__Host-{SESSION_COOKIE}", token)
    prefixed.cookies.set(SESSION_COOKIE, "invented")
    assert prefixed.get("/api/v1/me").json()["name"] == "Anna"


def client_portal(client: TestClient) -> BlockingPortal:
    assert client.portal is not None
    return client.portal

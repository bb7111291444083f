"""Tests of the owner's pages and commands: the owner can use them, and nobody else can."""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response

from tests.server.api_client import ApiClient, get_server, make_client
from tests.server.owner_browsers import make_owner
from triclinium.server.accounts.bans import BAN, MUTE
from triclinium.server.accounts.owner import COOKIE
from triclinium.server.accounts.users import Person
from triclinium.server.admin import backup_folder
from triclinium.server.admin.backup import verify_backup
from triclinium.server.admin.backup_folder import BackupFolder
from triclinium.server.http.auth import SESSION_COOKIE
from triclinium.server.http.commands import OWNER, Api, Form
from triclinium.web.app import list_commands

PAGES = (
    "/server",
    "/server/people",
    "/server/people?name=anna",
    "/server/people/{person}",
    "/server/people/{person}/delete",
    "/server/tables",
    "/server/tables?state=playing",
    "/server/tables/{table}/close",
    "/server/tables/{table}/delete",
    "/server/backups/{backup}",
    "/server/backups/{backup}/delete",
)
API_PAGES = ("/server", "/server/people", "/server/tables", "/server/backups", "/server/backups/{backup}")
SENTENCE = "Only the owner of this server can do this."


@pytest.fixture
def owner(own_client: TestClient) -> TestClient:
    """Return the owner's browser."""
    return make_owner(make_client(own_client))


@pytest.fixture
def backups(own_client: TestClient) -> BackupFolder:
    found = own_client.app.state.backups  # type: ignore[attr-defined]
    assert isinstance(found, BackupFolder)
    return found


def make_person(client: TestClient, name: str) -> tuple[Person, TestClient]:
    """Return a person, and their browser."""
    browser = make_client(client)
    assert client.portal is not None
    person, cookie = client.portal.call(get_server(client).people.create_person, name)
    browser.cookies.set(SESSION_COOKIE, cookie)
    return person, browser


def post_form(browser: TestClient, page: str, action: str, **fields: str) -> Response:
    """Send a form as a page has it."""
    csrf = re.search(r'name="csrf" value="([^"]+)"', browser.get(page).text)
    assert csrf is not None
    return browser.post(action, data={"csrf": csrf[1], **fields})


def test_the_owner_sees_the_state_of_the_server(owner: TestClient, own_client: TestClient) -> None:
    make_person(own_client, "Annabel")
    table = ApiClient(own_client).fill()
    text = owner.get("/server").text
    for part in ("Only you, the owner, see this page.", "Running", "version", "Annabel", "There is no backup yet."):
        assert part in text
    assert "No backup was made in the last 7 days." in text
    assert f"/server/tables/{table.id}/close" in text
    assert 'href="/server"' in owner.get("/me").text
    assert 'href="/server"' in owner.get("/network").text
    status = owner.get("/api/v1/server").json()
    assert status["database_readable"] is True
    assert status["tables"] == {"playing": 1}
    assert status["database_bytes"] > 10_000
    assert 0 <= status["bot_load"] <= 1


def test_pages_are_french_for_french_readers(owner: TestClient) -> None:
    owner.cookies.set("language", "fr")
    text = owner.get("/server").text
    assert "Ce serveur" in text
    assert "Sauvegarder maintenant" in text
    assert "Needs attention" not in text


def test_people_are_searched_renamed_muted_banned_and_pardoned(owner: TestClient, own_client: TestClient) -> None:
    anna, browser = make_person(own_client, "Annabel")
    make_person(own_client, "Benedict")
    found = owner.get("/server/people?name=anna").text
    assert "Annabel" in found
    assert "Benedict" not in found
    assert "No matching people." in owner.get("/server/people?name=zacharias").text
    page = f"/server/people/{anna.id}"
    renamed = post_form(owner, page, f"{page}/rename", name="Anna of Ephesus")
    assert "Anna of Ephesus" in renamed.text
    assert browser.get("/api/v1/me").json()["name"] == "Anna of Ephesus"
    bans = get_server(own_client).bans
    assert "muted until" in post_form(owner, page, f"{page}/mute", seconds="86400").text
    assert bans.get_end_time(MUTE, anna.id)
    assert "banned until" in post_form(owner, page, f"{page}/ban", seconds="3600").text
    assert browser.get("/").status_code == 403
    assert "banned until" not in post_form(owner, page, f"{page}/lift").text
    assert not bans.get_end_time(BAN, anna.id)
    assert browser.get("/").status_code == 200
    for seconds in ("0", "-5", "", "x", "²", "99999999999", "9" * 30):
        refused = post_form(owner, page, f"{page}/ban", seconds=seconds)
        assert (refused.status_code, SENTENCE in refused.text) == (400, False)
    assert not bans.get_end_time(BAN, anna.id)


def test_an_account_is_deleted_only_after_the_question(owner: TestClient, own_client: TestClient) -> None:
    anna, browser = make_person(own_client, "Annabel")
    page = f"/server/people/{anna.id}"
    refused = post_form(owner, page, f"{page}/delete")
    assert refused.status_code == 400
    assert "Nothing was changed." in refused.text
    assert browser.get("/api/v1/me").status_code == 200
    question = owner.get(f"{page}/delete").text
    assert "Delete the account of Annabel?" in question
    assert 'name="confirmed" value="on"' in question
    assert post_form(owner, f"{page}/delete", f"{page}/delete", confirmed="on").status_code == 200
    assert browser.get("/api/v1/me").status_code == 403
    assert owner.get(page).status_code == 404
    assert "Annabel" not in owner.get("/server/people").text


def test_owners_cannot_lock_themselves_out(owner: TestClient, own_client: TestClient) -> None:
    anna, browser = make_person(own_client, "Annabel")
    owner.cookies.set(SESSION_COOKIE, browser.cookies[SESSION_COOKIE])
    assert owner.put(f"/api/v1/server/people/{anna.id}/ban", json={"seconds": 3600}).status_code == 409
    assert owner.delete(f"/api/v1/server/people/{anna.id}").status_code == 409
    assert owner.get("/server").status_code == 200


def test_tables_are_closed_and_deleted_after_the_question(owner: TestClient, own_client: TestClient) -> None:
    table = ApiClient(own_client).fill()
    address = f"/server/tables/{table.id}"
    assert "is abandoned and does not count" in owner.get(f"{address}/close").text
    assert post_form(owner, f"{address}/close", f"{address}/close").status_code == 400
    assert post_form(owner, f"{address}/close", f"{address}/close", confirmed="on").status_code == 200
    assert owner.get("/api/v1/server/tables?state=playing").json()["tables"] == []
    again = post_form(owner, f"{address}/close", f"{address}/close", confirmed="on")
    assert again.status_code == 409
    assert "is already over" in again.text
    assert post_form(owner, f"{address}/delete", f"{address}/delete", confirmed="on").status_code == 200
    assert owner.get("/api/v1/server/tables").json()["tables"] == []
    assert owner.get(f"{address}/delete").status_code == 404


def test_backups_are_made_checked_downloaded_and_deleted(
    owner: TestClient, own_client: TestClient, backups: BackupFolder, tmp_path: Path
) -> None:
    page = post_form(owner, "/server", "/server/backups").text
    (made,) = owner.get("/api/v1/server/backups").json()["backups"]
    assert made["state"] == "whole"
    assert ", checked" in page
    assert "No backup was made in the last" not in page
    name = made["name"]
    assert f"/server/backups/{name}" not in re.findall(r'href="([^"]+)"', page)  # plain HTTP from elsewhere
    refused = owner.get(f"/server/backups/{name}")
    assert refused.status_code == 403
    assert "over HTTPS or on the server" in refused.text
    for base, client, headers, status in (
        ("https://testserver", ("203.0.113.9", 1), {}, 200),
        ("http://localhost:8090", ("127.0.0.1", 1), {}, 200),
        ("http://localhost:8090", ("203.0.113.9", 1), {}, 403),
        ("http://games.example.org", ("127.0.0.1", 1), {}, 403),
        ("http://localhost:8090", ("127.0.0.1", 1), {"x-forwarded-for": "203.0.113.9"}, 403),
    ):
        other = TestClient(own_client.app, base_url=base, client=client, headers=headers)
        other.portal = own_client.portal
        other.cookies.set(COOKIE, owner.cookies[COOKIE])
        answer = other.get(f"/api/v1/server/backups/{name}")
        assert answer.status_code in {status, 421} - ({421} if status == 200 else set()), (base, client, headers)
        if status == 200:
            copy = tmp_path / f"copy-{base.partition(':')[0]}"
            copy.write_bytes(answer.content)
            assert verify_backup(copy) in ("SQLite", "PostgreSQL")
    assert (backups.path / name).stat().st_mode & 0o077 == 0
    with (backups.path / name).open("r+b") as file:
        file.seek(5000)
        file.write(b"damaged")
    text = post_form(owner, "/server", f"/server/backups/{name}/verify").text
    assert "A backup is damaged." in text
    question = f"/server/backups/{name}/delete"
    assert post_form(owner, question, question).status_code == 400
    assert post_form(owner, question, question, confirmed="on").status_code == 200
    assert backups.list_backups() == []
    assert owner.get(question).status_code == 404


@pytest.mark.parametrize("name", ["..", "house.db", "2026-01-01T000000", "2026-01-01T0000.new", "%2e%2e%2fhouse.db"])
def test_only_backups_are_read_and_deleted(owner: TestClient, name: str) -> None:
    assert owner.delete(f"/api/v1/server/backups/{name}").status_code in (400, 404, 405)
    assert owner.get(f"https://testserver/api/v1/server/backups/{name}").status_code in (200, 404)
    assert owner.post(f"/api/v1/server/backups/{name}/verify").status_code in (404, 405)
    assert owner.get("/api/v1/server").json()["database_readable"] is True


def test_a_long_backup_goes_on_and_a_second_one_is_refused(
    owner: TestClient, own_client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup_folder, "WAIT_SECONDS", 0.0)
    assert own_client.portal is not None
    event = own_client.portal.call(_make_event)
    backups = own_client.app.state.backups  # type: ignore[attr-defined]

    async def wait() -> None:
        await event.wait()

    monkeypatch.setattr(backups, "_make_backup", wait)
    assert owner.post("/api/v1/server/backups").json() == {"done": False}
    assert "A backup is being made." in owner.get("/server").text
    second = owner.post("/api/v1/server/backups")
    assert (second.status_code, second.json()["error"]) == (409, "conflict")
    own_client.portal.call(event.set)


def _make_event() -> asyncio.Event:
    return asyncio.Event()


def test_a_failing_backup_gives_one_message(owner: TestClient, backups: BackupFolder) -> None:
    backups.path.write_text("This is no folder.")
    answer = owner.post("/api/v1/server/backups")
    assert answer.status_code == 400
    assert answer.json()["message"].startswith("The backup could not be created: ")
    backups.path.unlink()


def test_a_full_backup_folder_refuses_more(
    owner: TestClient, backups: BackupFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup_folder, "MAX_BACKUPS", 1)
    assert owner.post("/api/v1/server/backups").status_code == 201
    refused = owner.post("/api/v1/server/backups")
    assert refused.status_code == 409
    assert "Please delete one first." in refused.json()["message"]


# -- nobody else --------------------------------------------------------------------------------------------------


@pytest.fixture
def strangers(own_client: TestClient) -> dict[str, TestClient]:
    """Return browsers without the owner's rights: of nobody, a guest, a host, and one with a wrong cookie."""
    nobody, wrong = make_client(own_client), make_client(own_client)
    wrong.cookies.set(COOKIE, "invented" * 4)
    _, guest = make_person(own_client, "Guest")
    _, host = make_person(own_client, "Host")
    seats = [{"kind": "me"}, {"kind": "invite"}]
    assert host.post("/api/v1/tables", json={"game": "portals", "seats": seats}).status_code == 201
    return {"nobody": nobody, "guest": guest, "host": host, "wrong cookie": wrong}


def list_owner_requests(values: dict[str, object]) -> Iterator[tuple[str, str]]:
    """Yield the method and the address of every request that only the owner may send."""
    yield from (("GET", page.format(**values)) for page in PAGES)
    yield from (("GET", f"/api/v1{page.format(**values)}") for page in API_PAGES)
    for command in list_commands():
        if command.who is OWNER:
            if isinstance(command.api, Api):
                yield command.api.method, f"/api/v1{command.api.path}"
            if isinstance(command.form, Form):
                yield "POST", command.form.path


BODIES: dict[str, dict[str, object]] = {
    "name": {"name": "New"},
    "mute": {"seconds": 3600},
    "ban": {"seconds": 3600},
    "password": {"password": "quo vadis"},
    "network": {"open": False},
}


def test_the_owners_pages_refuse_other_people(
    own_client: TestClient, owner: TestClient, strangers: dict[str, TestClient]
) -> None:
    """Requests without the owner's cookie are refused, even with a valid body, form and confirmation."""
    person, _ = make_person(own_client, "Annabel")
    table = ApiClient(own_client).fill()
    assert owner.post("/api/v1/server/backups").status_code == 201
    (backup,) = owner.get("/api/v1/server/backups").json()["backups"]
    values: dict[str, object] = {"person": person.id, "table": table.id, "backup": backup["name"]}
    checked = 0
    for who, browser in strangers.items():
        csrf = re.search(r'name="csrf" value="([^"]+)"', browser.get("/me").text)
        assert csrf is not None
        form = {"csrf": csrf[1], "confirmed": "on", "seconds": "3600", "name": "New", "password": "quo vadis"}
        for method, path in list_owner_requests(values):
            id = table.id if "/tables/" in path else person.id
            address = path.format(id=id, name=backup["name"])
            is_api = path.startswith("/api/")
            body = BODIES.get(path.rpartition("/")[2], {}) if is_api and method in ("POST", "PUT") else None
            answer = browser.request(
                method,
                address,
                json=body or None,
                data=form if method == "POST" and not is_api else None,
                headers={"accept-language": "en"},
            )
            assert answer.status_code == 403, (who, method, address, answer.text[:300])
            assert SENTENCE in (answer.json()["message"] if is_api else answer.text), (who, method, address)
            checked += 1
    assert checked > 100
    assert owner.get(f"/server/people/{person.id}").status_code == 200
    assert owner.get("/api/v1/server/tables?state=playing").json()["tables"][0]["id"] == table.id
    assert not get_server(own_client).bans.get_end_time(BAN, person.id)
    assert not get_server(own_client).password.is_set


def test_forms_from_other_sites_or_without_a_token_are_refused(owner: TestClient, own_client: TestClient) -> None:
    """Forms of other sites are refused, although the owner's browser sends its cookie."""
    person, _ = make_person(own_client, "Annabel")
    forms = [
        command.form.path for command in list_commands() if command.who is OWNER and isinstance(command.form, Form)
    ]
    assert len(forms) >= 10
    for path in forms:
        address = path.format(id=person.id, name="2026-01-01T000000")
        unmarked = owner.post(address, data={"confirmed": "on", "seconds": "3600"})
        assert unmarked.status_code == 403, address
        assert "expired" in unmarked.text
        marked = post_form(owner, "/me", address, confirmed="on", seconds="3600", name="")
        assert marked.status_code != 403, address
        foreign = owner.post(address, data={"confirmed": "on"}, headers={"origin": "https://evil.example.org"})
        assert foreign.status_code == 403, address
        assert "another site" in foreign.text
    person, _ = make_person(own_client, "Benedict")
    foreign_api = owner.delete(f"/api/v1/server/people/{person.id}", headers={"origin": "https://evil.example.org"})
    assert foreign_api.status_code == 403
    assert owner.get(f"/server/people/{person.id}").status_code == 200


def test_the_owners_routes_handle_wrong_bodies(owner: TestClient) -> None:
    """Every wrong request of the owner is refused with one sentence and causes no server error."""
    wrong: tuple[object, ...] = ([], {"a": 1}, "\x00", 2**70, None, -1, True, "x" * 5000)
    for command in list_commands():
        if command.who is not OWNER or not isinstance(command.api, Api) or "/server/" not in command.api.path:
            continue
        for value in wrong:
            for id in ("1", "0", "-1", "x", "99999999999999999999", "\u00e9"):
                address = f"/api/v1{command.api.path}".format(id=id, name="2026-01-01T000000")
                body = {name: value for name in command.arguments.model_fields if name != "id"}
                answer = owner.request(command.api.method, address, json=body)
                assert 400 <= answer.status_code < 500 or command.name == "make-backup", (address, answer.text)
                if answer.status_code >= 400:
                    assert answer.json()["message"]

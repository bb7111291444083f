"""Tests of the server password: asked once for each device, and not needed for a link to a table."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from tests.server.api_client import get_server, make_client, make_settings
from tests.server.owner_browsers import make_owner
from tests.web.browser import PlainBrowser
from tests.web.test_join_links import code_on
from tests.web.test_trust import SEAT
from triclinium.engine.core.errors import BadSetup
from triclinium.server.accounts.site_password import SitePassword, hash_password, read_password_file
from triclinium.server.services import Services
from triclinium.web.app import create_app

WORD = "open sesame"


@pytest.fixture
def locked_client(tmp_path: Path) -> Iterator[TestClient]:
    (tmp_path / "password").write_text(f"{WORD}\n")
    wanted = make_settings(tmp_path, limits=True)
    wanted.password_file = str(tmp_path / "password")
    with TestClient(create_app(wanted), follow_redirects=True) as running:
        yield running


def test_a_server_with_a_password_shows_nothing_before_it_is_entered(locked_client: TestClient) -> None:
    """The password is asked once for each device, and nothing about the server is shown before."""
    stranger = PlainBrowser(locked_client)
    for path in ("/", "/tables", "/new", "/rules", "/me", "/join/ABCDEF", "/players", "/network"):
        stranger.get(path)
        assert "Enter the site password once on each device. The person who" in stranger.page, path
        refused = stranger.client.post(path, data={})
        assert "Enter the site password once on each device. The person who" in refused.text
    for path in ("/api/v1/games", "/api/v1/tables", "/api/v1/tables/abcdefghjk", "/api/v1/join-codes/ABCDEF"):
        refused = stranger.client.get(path)
        assert (refused.status_code, refused.json()["error"]) == (401, "password_required")
    for path in ("/health", "/healthz", "/readyz"):  # a proxy has no password
        assert stranger.client.get(path).status_code == 200
    assert "Enter the site password once on each device. The person who" in stranger.get(
        "/invitations/abcdefghjk/\u00b2/0"
    )
    stranger.get("/rules")
    stranger.post("/password", password="open barley", back="/rules")
    assert stranger.status == 403
    assert "Wrong site password. Please try again." in stranger.page
    stranger.post("/password", password=WORD, back="/rules")
    assert (stranger.status, stranger.url.rpartition("/")[2]) == (200, "rules")
    stranger.get("/")
    assert "Open tables" in stranger.page


def test_five_password_attempts_a_minute_are_allowed(locked_client: TestClient) -> None:
    """After 5 tries a minute from one address, every try gets status 429."""
    stranger = PlainBrowser(locked_client)
    stranger.get("/password")
    for _ in range(5):
        stranger.post("/password", password="wrong")
        assert stranger.status == 403
    stranger.post("/password", password=WORD)
    assert stranger.status == 429
    assert make_client(locked_client).post("/api/v1/password", json={"password": WORD}).status_code == 429


def test_a_link_bypasses_the_password_only_for_its_table(locked_client: TestClient) -> None:
    """A link to a seat or a spectator page works without the password for that table only."""
    host = PlainBrowser(locked_client)
    host.client.cookies.set(
        "site_access", locked_client.post("/api/v1/password", json={"password": WORD}).json()["site_access"]
    )
    host.get("/")
    host.post("/new", game="evangelists", seats="2", player="Anna", kind0="me", kind1="invite")
    seat = SEAT.search(host.page)
    assert seat is not None
    guest = PlainBrowser(locked_client)
    guest.get(f"/join/{code_on(host)}")  # a table's code does not replace the password
    assert "Enter the site password once on each device. The person who" in guest.page
    guest.get(host.table)
    assert "Enter the site password once on each device. The person who" in guest.page
    guest.get(seat[0])
    assert "Anna invites you to" in guest.page
    guest.post(seat[0], name="Ben")
    assert "Decision" in guest.page
    assert guest.client.get(f"/api/v1{host.table}").status_code == 200
    guest.get("/")
    assert "Enter the site password once on each device. The person who" in guest.page
    forged = PlainBrowser(locked_client)
    forged.get(seat[0][:-4] + "0000")
    assert "Enter the site password once on each device. The person who" in forged.page


def test_a_new_password_signs_every_device_out(own_client: TestClient) -> None:
    """The owner sets and removes it. Nobody else may."""
    assert make_client(own_client).put("/api/v1/password", json={"password": WORD}).status_code == 403
    owner = make_owner(make_client(own_client))
    guest = make_client(own_client)
    assert owner.put("/api/v1/password", json={"password": "seven l"}).status_code == 400
    owner.cookies.set("site_access", owner.put("/api/v1/password", json={"password": WORD}).json()["site_access"])
    assert "Remove password" in owner.get("/network").text
    guest.cookies.set("site_access", guest.post("/api/v1/password", json={"password": WORD}).json()["site_access"])
    assert guest.get("/api/v1/games").status_code == 200
    owner.put("/api/v1/password", json={"password": "another word"})
    assert guest.get("/api/v1/games").status_code == 401
    owner.put("/api/v1/password", json={"password": ""})
    assert guest.get("/api/v1/games").status_code == 200


def test_the_password_is_stored_as_a_hash_and_survives_a_restart(tmp_path: Path) -> None:
    (tmp_path / "password").write_text(WORD)
    wanted = make_settings(tmp_path)
    hashes = []
    for file in (str(tmp_path / "password"), "", str(tmp_path / "password")):
        wanted.password_file = file
        server = Services(wanted)
        server.open_database()
        hashes.append(server.password.hash)
        assert server.password.is_correct(WORD)
        assert not server.password.is_correct("open barley")
        server.store.close()
    assert len(set(hashes)) == 1  # so that devices need not enter it again
    assert WORD.encode() not in (tmp_path / "house.db").read_bytes()
    assert hash_password(WORD) != hash_password(WORD)


def test_a_file_without_a_password_gives_one_message(tmp_path: Path, own_client: TestClient) -> None:
    (tmp_path / "empty").write_text("\n")
    for path, said in (
        (tmp_path / "empty", "A password needs"),
        (tmp_path / "none", "cannot read the password from"),
    ):
        with pytest.raises(BadSetup, match=said):
            read_password_file(path)
    assert not SitePassword(get_server(own_client).store).is_correct("")

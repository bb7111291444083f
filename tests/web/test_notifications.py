"""Tests of notification pages: waiting tables, settings, links in mails, unread chat, and the app."""

import json
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select

from tests.server.api_client import get_server, make_client, make_settings
from tests.web.browser import PlainBrowser, play_out
from triclinium.server.accounts.users import Person
from triclinium.server.optional_dependencies import NOTIFICATIONS
from triclinium.server.storage.schema_notifications import ways
from triclinium.web.app import create_app


@pytest.fixture(scope="module")
def notification_driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Yield a server with a configured mail server that does not answer, and with a password."""
    folder: Path = tmp_path_factory.mktemp("told")
    (folder / "password").write_text("open sesame\n")
    wanted = replace(make_settings(folder), mail="mailto://localhost:9?from=house@example.org", notify_seconds=3600.0)
    wanted.password_file = str(folder / "password")
    with TestClient(create_app(wanted), follow_redirects=True) as running:
        yield running


def create_person(client: TestClient, name: str) -> PlainBrowser:
    browser = PlainBrowser(client)
    if get_server(client).password.is_set:
        browser.get("/password")
        browser.post("/password", password="open sesame")
    browser.get("/me")
    browser.post("/me", name=name)
    browser.get("/me")
    return browser


def two_at_a_table(client: TestClient) -> tuple[PlainBrowser, PlainBrowser, PlainBrowser]:
    """Open a table of Evangelists for Anna, who is asked first, and Ben, with Zoe as a spectator."""
    anna, ben, zoe = (create_person(client, name) for name in ("Anna", "Ben", "Zoe"))
    wish = {"game": "evangelists", "seats": "2", "kind0": "me", "kind1": "invite", "visibility": "watched"}
    anna.post("/new", **wish, **{"variant-stenographer": "0"})
    table = anna.table
    link = re.search(r"/invitations/\w+/\d/[0-9a-f]{32}", anna.page)
    assert link is not None
    ben.get(link[0])
    ben.post(link[0], name="Ben")
    for browser in (anna, ben, zoe):
        browser.get(table)
    return anna, ben, zoe


def test_the_bell_and_the_tab_count_the_tables_that_wait(client: TestClient) -> None:
    """The title is "(1) Your turn", and the bell has a number. Readers who turn it off have none in the title."""
    anna, ben, _ = two_at_a_table(client)
    name = re.search(r"<title>\(1\) Your turn · (\w+) · Triclinium</title>", anna.page)
    assert name is not None
    assert "<title>(" not in ben.page
    assert "1 table waits for you" in anna.get("/")
    assert f"Your turn at {name[1]}" in anna.get("/notifications")
    anna.post("/notifications", digest="18:00")
    assert "<title>(" not in anna.page
    assert '<meta name="waits" content="0">' in anna.page


def test_notification_settings_work_without_script(notification_driver: TestClient) -> None:
    ben = create_person(notification_driver, "Ben")
    assert "Open pages update by themselves. To choose other notifications, first add a channel below." in ben.get(
        "/notifications"
    )
    ben.post("/notifications/channels", kind="ntfy")
    (name,) = re.findall(r'name="(send-\d+)-chat"', ben.page)
    ben.client.cookies.set("zone", "Europe/Paris")
    kept = {"quiet": "on", "from": "23:00", "until": "07:30", "digest": "19:15", f"{name}-chat": "on"}
    ben.post("/notifications", **kept, **{name.replace("send", "channel"): "on"})
    assert ben.status == 200
    told = ben.client.get("/api/v1/notifications").json()
    assert (told["quiet_hours"], told["digest_minute"], told["time_zone"]) == (
        "23:00-07:30",
        19 * 60 + 15,
        "Europe/Paris",
    )
    assert [channel["groups"] for channel in told["channels"]] == [["chat"]]
    ben.post("/notifications", **{**kept, "from": "soon"})
    assert ben.status == 400
    ben.get("/notifications")
    ben.post(f"/notifications/channels/{told['channels'][0]['id']}", operation="remove")
    assert ben.client.get("/api/v1/notifications").json()["channels"] == []


def test_links_in_mails_act_for_the_recipient(notification_driver: TestClient) -> None:
    """Confirming and unsubscribing need no cookie, form or password. Opening the link alone changes nothing."""
    server = get_server(notification_driver)
    ben = create_person(notification_driver, "Ben")
    ben.get("/notifications")
    ben.post("/notifications/channels", kind="mail", address="ben@example.org")
    assert "b…n@example.org" in ben.page

    def state() -> tuple[int, str, str] | None:
        with server.store.read_connection() as connection:
            row = connection.execute(select(ways).where(ways.c.kind == "mail")).one_or_none()
        return None if row is None else (row.id, row.mark, row.state)

    kept = state()
    assert kept is not None
    id, mark, _ = kept
    confirm, off = (
        f"/notifications/{what}/{id}/{server.key.sign(what, id, mark)}" for what in ("confirm", "unsubscribe")
    )
    stranger = make_client(notification_driver)
    assert stranger.get(confirm).status_code == 200
    assert state() == (id, mark, "asked")
    assert stranger.post(confirm).status_code == 200
    assert state() == (id, mark, "on")
    assert stranger.post(off[:-1] + "x").status_code == 403
    assert "password" in stranger.get("/notifications").text
    assert stranger.post(off, data={"List-Unsubscribe": "One-Click"}).status_code == 200
    assert state() is None


def test_unread_messages_are_counted_and_spectators_have_their_own_chat(client: TestClient) -> None:
    """The Chat tab and button show a count, announced once. Players can read spectators' messages after the match."""
    anna, ben, zoe = two_at_a_table(client)
    table = anna.table
    zoe.post(f"{table}/chat", text="she holds the king")
    anna.post(f"{table}/chat", text="salve")
    anna.post(f"{table}/chat", text="are you there?")
    ben.get(table)
    assert "2 new messages" in ben.page
    assert ben.page.count("data-unread") == 2
    assert "are you there?" in ben.page
    assert "the king" not in ben.page + anna.page
    assert "data-unread" not in anna.page  # Anna's own message does not count as unread.
    zoe.get(table)
    assert "the king" in zoe.page
    assert "salve" in zoe.page
    ben.post(f"{table}/chat/read")
    assert "data-unread" not in ben.page
    play_out(client, anna, random.Random(1))
    ben.get(table)
    assert "she holds the king" in ben.page


def test_the_service_worker_stores_no_personal_data(notification_driver: TestClient) -> None:
    """The manifest is valid. The worker caches only the offline page, which has no names, and needs no password."""
    stranger = make_client(notification_driver)
    manifest = stranger.get("/manifest.webmanifest")
    assert manifest.headers["content-type"] == "application/manifest+json"
    facts = json.loads(manifest.text)
    assert (facts["id"], facts["start_url"], facts["display"]) == ("/", "/?from=app", "standalone")
    assert {icon["purpose"] for icon in facts["icons"]} == {"any", "maskable", "monochrome"}
    for icon in facts["icons"]:
        drawn = stranger.get(icon["src"])
        assert drawn.headers["content-type"] == "image/png"
        size = int.from_bytes(drawn.content[16:20])
        assert f"{size}x{size}" == icon["sizes"]
    worker = stranger.get("/sw.js")
    assert worker.headers["content-type"].startswith("text/javascript")
    assert len(worker.content) < 4096
    known = json.loads(re.search(r"const known = (.*);", worker.text)[1])  # type: ignore[index]
    assert [path.partition("?")[0] for path in known["cached"]] == [
        "/offline",
        "/static/tokens.css",
        "/static/base.css",
        "/static/sprite.svg",
        "/static/offline.js",
    ]
    ben = create_person(notification_driver, "Benedictus")
    assert "Benedictus" in ben.get("/")
    assert "Benedictus" not in ben.get("/offline")
    assert "Connection lost." in ben.page
    assert "worker-src 'self'" in worker.headers["content-security-policy"]


def test_a_missing_extra_is_named_on_the_page(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(NOTIFICATIONS, "is_available", lambda: False)
    ben = create_person(client, "Ben")
    assert "need the package triclinium[people]" in ben.get("/notifications")
    assert "Turn on" not in ben.page
    ben.post("/notifications/channels", kind="ntfy")
    assert ben.status == 409
    assert isinstance(get_server(client).people.find_by_cookie(ben.client.cookies["triclinium"]), Person)

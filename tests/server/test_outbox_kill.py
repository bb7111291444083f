"""Tests of a server killed between a move and its notification: the message is sent exactly once."""

import re
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.forked_servers import ForkedServer
from tests.server.notification_driver import Mailbox, serve_mailbox
from tests.server.stream_clients import FormClient, open_table_for

PATIENCE = 60.0  # seconds, because a busy machine is slow


def mails(mailbox: Mailbox, number: int) -> list[str]:
    """Return the received mails when there are this many."""
    until = time.monotonic() + PATIENCE
    while len(mailbox.mails) < number and time.monotonic() < until:
        time.sleep(0.02)
    return [str(mail["subject"]) for mail in mailbox.mails]


def _states(folder: Path) -> list[str]:
    with closing(sqlite3.connect(folder / "house.db")) as database:
        return [state for (state,) in database.execute("SELECT state FROM outbox WHERE kind = 'turn'")]


def test_a_kill_between_move_and_message_loses_and_doubles_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server is killed, the times in the database are moved back by two minutes, and it starts again."""
    mailbox = Mailbox()
    with serve_mailbox(mailbox) as port:
        monkeypatch.setenv("TRICLINIUM_MAIL", f"mailto://localhost:{port}?from=house@example.org")
        server = ForkedServer(tmp_path).start()
        try:
            anna, ben = FormClient(server.port, "Anna"), FormClient(server.port, "Ben")
            assert (
                ben.call_api("POST", "/notifications/channels", {"kind": "mail", "address": "ben@example.org"})[0]
                == 201
            )
            assert mails(mailbox, 1) == ["Do you want to receive notifications here?"]
            link = re.search(r"/notifications/confirm/\S+", mailbox.mails[0].get_content())
            assert link is not None
            assert ben.post(link[0]) == 200
            id = open_table_for(anna, ben)
            version = anna.call_api("GET", f"/tables/{id}")[1]["version"]
            moved = anna.call_api("POST", f"/tables/{id}/move", {"option": "start rome", "version": version})
            assert moved[0] == 200, moved
            server.kill_alone()
            with closing(sqlite3.connect(tmp_path / "house.db")) as database, database:
                database.execute("UPDATE outbox SET state = 'gone' WHERE kind = 'begun'")
                assert database.execute("UPDATE outbox SET due = due - 120 WHERE kind = 'turn'").rowcount == 1
            server.start()
            assert mails(mailbox, 2)[1].startswith("Your turn at ")
            server.kill_alone()
            server.start()
            until = time.monotonic() + PATIENCE
            while _states(tmp_path) != ["sent"] and time.monotonic() < until:
                time.sleep(0.05)
            assert _states(tmp_path) == ["sent"]
        finally:
            server.stop()
    assert len(mailbox.mails) == 2
    assert "Traceback" not in server.log

"""A server that sends notifications by a clock of the test and mail to a real mailbox."""

import asyncio
import contextlib
import queue
import threading
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import partial
from pathlib import Path
from typing import TypeVar

from aiosmtpd.smtp import SMTP, Envelope, Session
from fastapi.testclient import TestClient
from sqlalchemy import Connection, delete

from tests.server.api_client import get_server, make_settings
from tests.server.endpoint import Endpoint
from tests.server.locked_tables import make_move
from triclinium.engine.registry import load_game
from triclinium.server import server_time
from triclinium.server.accounts.users import Person
from triclinium.server.app import create_app
from triclinium.server.notifications import channels, sender
from triclinium.server.notifications.preferences import NotificationPreferences, store_preferences
from triclinium.server.storage.schema_admin import quota_uses
from triclinium.server.storage.schema_notifications import ways as ways_table
from triclinium.server.tables import seats
from triclinium.server.tables.create import NewTable, open_table
from triclinium.server.tables.options import SeatOptions, TableOptions
from triclinium.server.tables.table import Table

T = TypeVar("T")


class Mailbox:
    """A mail server that accepts every message."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.answer = "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        if self.answer.startswith("250"):
            content = envelope.content
            assert isinstance(content, bytes)
            mail = message_from_bytes(content, policy=policy.default)
            assert isinstance(mail, EmailMessage)
            self.mails.append(mail)
        return self.answer


class NotificationDriver:
    """A running server and its clock."""

    def __init__(self, client: TestClient, mailbox: Mailbox, time: list[float]) -> None:
        self.client = client
        self.server = get_server(client)
        self.mailbox = mailbox
        self.time = time

    def run(self, work: Callable[..., Awaitable[T]], *args: object) -> T:
        """Run a coroutine in the server's event loop."""
        assert self.client.portal is not None
        return self.client.portal.call(work, *args)

    def create_person(
        self, name: str, mail: bool = True, wants: str = "turn table done", **wishes: str | int
    ) -> Person:
        """Create a person who receives notifications by mail."""
        person, _ = self.run(self.server.people.create_person, name)
        if wishes:
            self.run(store_preferences, self.server.store, person.id, NotificationPreferences(**wishes))  # type: ignore[arg-type]
        if mail:
            self.add_mail_channel(person, f"{name.lower()}@example.org", wants)
            self.send_and_reset()
        return person

    def add_mail_channel(self, person: Person, address: str, wants: str = "turn table done") -> None:
        """Add another confirmed mail address to a person."""
        way = self.run(channels.add_mail, self.server, person, address)
        self.run(channels.confirm_channel, self.server.store, way)
        self.run(partial(channels.update_channel, wants=wants.split()), self.server.store, person.id, way)

    def deal_table(self, *seated: Person, takeover: int = 0, name: str = "Antioch supper") -> Table:
        """Open a table for these people and deal the match. The first person decides first."""
        host, *others = seated
        chairs = [SeatOptions("me"), *(SeatOptions("invite") for _ in others)]
        if not others:
            chairs.append(SeatOptions("bot", bot="novice"))
        options = TableOptions({"stenographer": "0"}, takeover=takeover)
        new = NewTable(load_game("evangelists"), chairs, options, name=name)
        table = self.run(open_table, self.server, host, new)
        for place, person in enumerate(others, start=1):
            self.run(seats.take_seat, self.server, table, table.occupants[place], person)
        return table

    def reset_messages(self) -> None:
        """Discard all earlier notifications and reset the clock."""

        def job(connection: Connection) -> None:
            connection.execute(delete(ways_table))
            connection.execute(delete(quota_uses))

        self.run(self.server.store.write, job)
        self.server.notifiable_people.clear()
        self.mailbox.mails.clear()
        self.mailbox.answer = "250 OK"

    def send_and_reset(self) -> None:
        """Send all notifications that are due, and forget them."""
        self.send_due_messages()
        self.mailbox.mails.clear()

    def play_first_option(self, table: Table) -> None:
        """Play the first option of the asked person."""
        self.run(make_move, self.server, table, table.who, table.list_option_texts()[0], table.version)

    def play_until_asked(self, table: Table, seat: int) -> None:
        """Play until this seat is asked again after another seat."""
        while table.who == seat:
            self.play_first_option(table)
        while table.who != seat:
            self.play_first_option(table)

    def send_due_messages(self, later: float = 0.0) -> list[str]:
        """Run the sender after this many seconds and return the headlines of the messages received."""
        self.time[0] += later
        before = len(self.mailbox.mails)
        self.run(sender.send_due, self.server)
        return [str(mail["subject"]) for mail in self.mailbox.mails[before:]]

    def send_due_messages_at(self, moment: float) -> list[str]:
        self.time[0] = moment
        return self.send_due_messages()


@contextlib.contextmanager
def open_notification_driver(folder: Path, there: Endpoint) -> Iterator[NotificationDriver]:
    """Yield a server whose sender only runs on request, and which may connect to this machine."""
    mailbox = Mailbox()
    with serve_mailbox(mailbox) as port:
        wanted = replace(
            make_settings(folder),
            mail=f"mailto://localhost:{port}?from=house@example.org",
            notify_seconds=3600.0,
            allow_local_hooks=True,
            services="any",
            ntfy=there.url,
        )
        with TestClient(create_app(wanted)) as client:
            yield NotificationDriver(client, mailbox, [server_time.now()])


@contextlib.contextmanager
def serve_mailbox(mailbox: Mailbox) -> Iterator[int]:
    """Run the mailbox on a port, with an event loop in a separate thread without a browser's event loop."""
    told: queue.Queue[tuple[int, Callable[[], object]]] = queue.Queue()

    async def listen() -> None:
        loop, done = asyncio.get_running_loop(), asyncio.Event()
        server = await loop.create_server(lambda: SMTP(mailbox, hostname="mailbox", loop=loop), "127.0.0.1", 0)
        told.put((server.sockets[0].getsockname()[1], lambda: loop.call_soon_threadsafe(done.set)))
        await done.wait()
        server.close()

    thread = threading.Thread(target=lambda: asyncio.run(listen()))
    thread.start()
    port, end = told.get(timeout=60)
    try:
        yield port
    finally:
        end()
        thread.join()

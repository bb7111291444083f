"""Tests of account deletion: only names are removed, whatever text a name resembles."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Connection, insert, select, update

from tests.server.api_client import make_client, make_settings
from tests.server.server_driver import ServerDriver
from tests.server.test_results import resign
from tests.slow import mark_slow_except
from triclinium.bots.budget import Budget
from triclinium.bots.review import review_match
from triclinium.engine.registry import load_game
from triclinium.server.accounts.users import Person
from triclinium.server.personal_data import deletion
from triclinium.server.presenter.log import build_log
from triclinium.server.sanitize import ANONYMOUS_NAME
from triclinium.server.storage.schema import (
    chat,
    departures,
    history,
    people,
    reviews,
    seats,
    snapshot_logs,
    snapshots,
    tables,
    watchers,
)
from triclinium.server.storage.schema_notifications import outbox, ways
from triclinium.server.storage.schema_results import results
from triclinium.server.tables import analysis, share
from triclinium.server.tables import chat as talk
from triclinium.server.tables import seats as table_seats
from triclinium.server.tables import snapshots as stored
from triclinium.server.tables.announcements import NAME_SEPARATOR
from triclinium.server.tables.create import NewTable, continue_match, open_table
from triclinium.server.tables.options import SeatOptions, TableOptions
from triclinium.server.tables.rematch import open_rematch
from triclinium.server.tables.seats import Viewer
from triclinium.server.tables.table import Table
from triclinium.web.app import create_app

NICKNAMES = ("null", "seat", "1", "the")
LINES = ("well played, the score is 1 to 0", "null is no seat, and seat 1 is the best", "the null the seat the 1")
DOCUMENTS = (snapshots, snapshot_logs, reviews, history)
PAGES = (
    "/tables/{0}",
    "/tables/{0}/shuffle",
    "/api/v1/tables/{0}",
    "/api/v1/tables/{0}/view",
    "/api/v1/tables/{0}/log",
    "/api/v1/tables/{0}/chat",
    "/api/v1/tables/{0}/record",
)
OF_OVER = ("/tables/{0}/file", "/tables/{0}/review", "/tables/{0}/positions/5", "/api/v1/tables/{0}/review")
OF_HOUSE = (
    "/",
    "/tables",
    "/players",
    "/leaderboard",
    "/notifications",
    "/api/v1/tables",
    "/api/v1/players",
    "/api/v1/me",
)


@pytest.fixture
def page_client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """Yield a client of a server with pages, for one test. Snapshots may follow each other without a minimum time."""
    monkeypatch.setattr(stored, "MIN_SECONDS_BETWEEN", 0.0)
    with TestClient(create_app(make_settings(tmp_path))) as client:
        yield client


class DeletionScene:
    """The tables of every kind at which one person sat, left, watched, hosted, wrote, or was mentioned."""

    def __init__(self, driver: ServerDriver, nickname: str) -> None:
        self.house, self.server = driver, driver.server
        self.gone, self.ben, self.eve = (
            driver.create_person(nickname),
            driver.create_person("Ben"),
            driver.create_person("Eve"),
        )
        self._add_way(self.ben)
        gone, ben, eve = self.gone, self.ben, self.eve
        self.over = driver.play(self.opened(gone, ben, name=f"{nickname} and friends"))
        self.stranded = driver.open_table(ben, gone)
        driver.play(self.stranded, 40)
        self.log = [line.text for line in build_log(self.stranded, 0, "en")]
        self.left = driver.open_table(ben, gone, eve)
        driver.play(self.left, 30)
        resign(driver, self.left, 1)
        self.watched = driver.open_table(ben, eve)
        driver.play(self.watched, 25)
        self.waiting = self.opened(ben, None, None)
        driver.take_seat(self.waiting, 1, gone)
        driver.portal.call(table_seats.leave_seat, self.server, self.waiting, self.waiting.occupants[1])
        new = NewTable(load_game("evangelists"), [SeatOptions("me"), SeatOptions("hot"), SeatOptions("hot")])
        self.device = driver.portal.call(open_table, self.server, gone, new)
        driver.portal.call(table_seats.leave_seat, self.server, self.device, self.device.occupants[1])
        self.continued = driver.portal.call(continue_match, self.server, ben, self.over, 20)
        self.again = driver.portal.call(open_rematch, self.server, ben, self.over)
        self._talk()
        self._keep_review()
        at = Viewer(ben, (1,))
        self.link = driver.portal.call(share.create_share, self.server.store, self.over, at, [1], "en").path
        self._strand()

    def opened(self, host: Person, *others: Person | None, name: str = "") -> Table:
        seats = [SeatOptions("me"), *(SeatOptions("invite") for _ in others)]
        table: Table = self.house.portal.call(
            open_table, self.server, host, NewTable(load_game("evangelists"), seats, TableOptions(), name)
        )
        for seat, person in enumerate(others, start=1):
            if person is not None:
                self.house.take_seat(table, seat, person)
        return table

    def _add_way(self, person: Person) -> None:
        row = {"person": person.id, "kind": "ntfy", "address": "", "mark": "m", "wants": "turn table chat done"}
        self.write(lambda connection: connection.execute(insert(ways).values(**row, state="on", made=0.0)))
        self.server.notifiable_people.add(person.id)

    def _talk(self) -> None:
        self.write(lambda connection: connection.execute(insert(watchers).values(table=self.watched.id, person=1)))
        for table in (self.over, self.watched, self.stranded):
            seat = table.list_seats_of(self.ben.id)[0]
            for line in LINES:
                self.say(table, seat, self.ben, line)
        self.say(self.over, 0, self.gone, "my own line")
        self.say(self.watched, None, self.gone, "my own line")

    def say(self, table: Table, seat: int | None, person: Person, text: str) -> None:
        self.house.portal.call(talk.post_message, self.server, table, seat, person.name, text, person.id)

    def _keep_review(self) -> None:
        made = review_match(self.over.current_match.record, Budget(0.0, 1), 1)
        self.house.portal.call(analysis._store_review, self.server.store, self.over, made)

    def _strand(self) -> None:
        """Remove the rules of this table, so that it is shown from its stored documents."""
        mine = tables.c.id == self.stranded.id
        self.write(lambda connection: connection.execute(update(tables).where(mine).values(rules=999)))
        self.server.tables.drop_table(self.stranded.id)

    def write(self, job: object) -> None:
        async def run() -> None:
            await self.server.store.write(lambda connection: job(connection) and None)  # type: ignore[operator]

        self.house.portal.call(run)

    def documents(self) -> dict[str, list[tuple[object, ...]]]:
        """Return every stored document of tables that did not change meanwhile, byte for byte."""
        ids = [self.over.id, self.stranded.id, self.watched.id]
        with self.server.store.read_connection() as connection:
            return {
                table.name: [tuple(row) for row in connection.execute(select(table).where(table.c.table.in_(ids)))]
                for table in DOCUMENTS
            }

    def lines(self, person: Person) -> list[tuple[object, ...]]:
        with self.server.store.read_connection() as connection:
            return [tuple(row) for row in connection.execute(select(chat).where(chat.c.person == person.id))]

    def answers(self) -> dict[str, int]:
        """Return the status of every page and response that Ben may see, and check that all JSON is valid."""
        client = make_client(self.house.client)
        client.cookies.set("triclinium", self.house.cookies["Ben"])
        paths = [page.format(table.id) for table in (self.stranded, self.left, self.watched) for page in PAGES]
        paths += [page.format(self.over.id) for page in (*PAGES, *OF_OVER)]
        paths += [f"/tables/{table.id}" for table in (self.continued, self.again, self.waiting)]
        paths += [*OF_HOUSE, f"/players/{self.ben.id}", f"/api/v1/players/{self.ben.id}", "/api/v1/me/export"]
        paths += [self.link, f"{self.link}/review", f"{self.link}/positions/3", f"/api/v1{self.link}"]
        found: dict[str, int] = {}
        for path in paths:
            answer = client.get(path)
            found[path] = answer.status_code
            if answer.headers["content-type"].startswith("application/json"):
                answer.json()
        return found


def names_stored(connection: Connection) -> list[str]:
    """Return every stored value of the columns that hold names."""
    found = list(connection.execute(select(people.c.name)).scalars())
    for table in (seats, departures, results):
        found += connection.execute(select(table.c.name)).scalars()
    for text in connection.execute(select(chat.c.name)).scalars():
        found += text.split(NAME_SEPARATOR)
    for text in connection.execute(select(outbox.c.names)).scalars():
        found += json.loads(text)
    return found


@pytest.mark.parametrize("nickname", mark_slow_except(list(NICKNAMES), "seat"))
def test_deletion_changes_only_names_whatever_the_name_is(nickname: str, page_client: TestClient) -> None:
    """A nickname may be a word of JSON or of English."""
    scene = DeletionScene(ServerDriver(page_client), nickname)
    server = scene.server
    answers = scene.answers()
    assert set(answers.values()) == {200}, answers
    documents, lines = scene.documents(), scene.lines(scene.ben)
    assert len(lines) == 3 * len(LINES)
    assert all(documents.values())
    with server.store.read_connection() as connection:
        assert nickname in names_stored(connection)
        assert any(nickname in json.loads(text) for text in connection.execute(select(outbox.c.names)).scalars())
    scene.house.portal.call(deletion.delete_account, server, scene.gone)
    assert scene.documents() == documents
    assert scene.lines(scene.ben) == lines
    assert scene.lines(scene.gone) == []
    with server.store.read_connection() as connection:
        assert not [name for name in names_stored(connection) if name in (nickname, f"{nickname} 2")]
        named = list(connection.execute(select(tables.c.name)).scalars())
        assert not [name for name in named if nickname in name.split()]
        then = stored.read(connection, scene.stranded.id, 0, ("Ben", nickname))
        now = stored.read(connection, scene.stranded.id, 0, ("Ben", ANONYMOUS_NAME))
    assert then is not None
    assert now is not None
    assert [line.text for line in then.log["en"]] == scene.log
    assert any(line.text.startswith(f"{ANONYMOUS_NAME} ") for line in now.log["en"])
    assert scene.answers() == answers
    for table in (scene.over, scene.left, scene.continued, scene.again, scene.device):
        assert nickname not in [occupant.name for occupant in table.occupants]
    for table in server.tables.list_cached_tables():  # the next start reads the same
        server.tables.drop_table(table.id)
    assert scene.answers() == answers


def test_another_person_with_the_same_name_keeps_it(page_client: TestClient) -> None:
    """Two people may have the same name. Only names with a reference to the deleted account change."""
    house = ServerDriver(page_client)
    first, second, ben = house.create_person("Ada"), house.create_person("Ada"), house.create_person("Ben")
    table = house.open_table(ben, first)
    house.play(table, 10)
    house.portal.call(talk.post_message, house.server, table, 1, "Ada", "from the first", first.id)
    resign(house, table, 1)
    house.take_seat(table, 1, second)
    house.portal.call(talk.post_message, house.server, table, 1, "Ada", "from the second", second.id)
    house.portal.call(deletion.delete_account, house.server, first)
    with house.server.store.read_connection() as connection:
        told = connection.execute(select(chat).where(chat.c.table == table.id).order_by(chat.c.id)).all()
        assert connection.execute(select(people.c.name).where(people.c.id == second.id)).scalar_one() == "Ada"
    assert [row.text for row in told if row.seat == 1] == ["from the second"]
    spoken = [tuple(row.name.split(NAME_SEPARATOR)) for row in told if row.seat == -2]
    # The first sits down and resigns; the seat is reserved for the second, who takes it.
    assert spoken == [(ANONYMOUS_NAME,), (ANONYMOUS_NAME,), ("Ada", ANONYMOUS_NAME), ("Ada", ANONYMOUS_NAME)]
    assert [occupant.name for occupant in table.occupants] == ["Ben", "Ada"]

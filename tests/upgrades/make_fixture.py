"""Write the upgrade fixture: the database of a server of this release, which every later release must open.

    python -m tests.upgrades.make_fixture

It plays a few moves at tables of all five games on a real server (a person, an API token and a bot at each), with chat,
a finished and rated match and a share link. Clock, key and chance are fixed: the same code writes the same files.

Until 1.0.0 is tagged the fixture may be written again whenever rules or schema change, together with the golden
records. From then on it never changes: a release with a new migration adds a fixture of its own.
"""

import asyncio
import base64
import json
import random
import secrets
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from fastapi.testclient import TestClient

from tests.server.api_client import ApiClient, make_client
from tests.server.locked_tables import make_move
from tests.server.server_driver import ServerDriver
from triclinium.server import server_time
from triclinium.server.settings import Settings
from triclinium.server.storage.file_guard import write_private_file
from triclinium.server.tables.options import TableOptions
from triclinium.server.tables.table import Table
from triclinium.web.app import create_app

FOLDER = Path(__file__).parent / "fixture"
KEY = bytes(range(32))
START = 1_767_268_800.0  # 2026-01-01 12:00 UTC
GAMES = ("evangelists", "ierusalem", "missionnaires", "portals", "testoftime")
MOVES = 12
CLOCK: dict[str, Any] = {"portals": {"time_bank": 14 * 86400, "delay": 72 * 3600}}
ANNA, BEN = 0, 1  # seats of a person with a cookie and of an API token


class FixedClock:
    """A clock that only a test moves."""

    def __init__(self) -> None:
        self.time = START

    def now(self) -> float:
        """Return seconds since 1970."""
        return self.time


class FixedChance(random.Random):
    """Repeatable numbers in place of the module `secrets`."""

    def token_bytes(self, size: int = 32) -> bytes:
        return self.randbytes(size)

    def token_hex(self, size: int = 32) -> str:
        return self.randbytes(size).hex()

    def token_urlsafe(self, size: int = 32) -> str:
        return base64.urlsafe_b64encode(self.randbytes(size)).rstrip(b"=").decode()

    def randbelow(self, limit: int) -> int:
        return self.randrange(limit)


@contextmanager
def repeatable() -> Iterator[FixedClock]:
    """Fix the clock and the random numbers of a server in this process."""
    fixed, chance = FixedClock(), FixedChance(1)
    names = ("token_bytes", "token_hex", "token_urlsafe", "randbelow", "choice")
    with (
        patch.object(server_time, "now", fixed.now),
        patch.multiple(secrets, **{name: getattr(chance, name) for name in names}),
    ):
        yield fixed


class Script:
    """Players at a new server, and the data they need to return."""

    def __init__(self, client: TestClient, time: FixedClock) -> None:
        self.client = client
        self.time = time
        self.people = ServerDriver(client)
        self.chance = random.Random(2)

    def run(self) -> dict[str, Any]:
        """Play, and return the clients' knowledge."""
        anna, cleo = self.people.create_person("Anna"), self.people.create_person("Cleo")
        over = self.people.open_table(anna, cleo, options=TableOptions(shown="listed"))
        while over.status == "playing":
            self.choose(over)
        shared = self.as_anna().post(f"/api/v1/tables/{over.id}/share", json={"show_name": True})
        assert shared.status_code == 201, shared.text
        return {
            "key": KEY.hex(),
            "cookies": self.people.cookies,
            "running": {id: self.running(id) for id in GAMES},
            "over": {
                "table": over.id,
                "record": over.current_match.record.dumps(),
                "share": shared.json()["path"],
                "ratings": [row["unrated"] == "" for row in self.people.load_results(over)],
            },
        }

    def running(self, id: str) -> dict[str, Any]:
        """Play some moves of one game, and return the data to continue."""
        chairs = [{"kind": "me"}, {"kind": "invite"}, {"kind": "bot", "bot": "greedy"}]
        api = ApiClient(self.as_anna(), id, chairs=chairs, **CLOCK.get(id, {}))
        api.client = make_client(self.client)  # This client does not have Anna's cookie.
        api.fill()
        table: Table = self.people.portal.call(self.people.server.tables.get_table, api.id)
        said = self.as_anna().post(f"{api.url}/chat", json={"text": "Good luck!"})
        assert said.status_code == 201, said.text
        while table.moves < MOVES:
            self.wait_for_bot(table)
            self.choose(table)
        self.wait_for_bot(table)
        views = {seat: self.look(table, seat, api.tokens[BEN]) for seat in (ANNA, BEN)}
        return {"table": api.id, "tokens": {str(BEN): api.tokens[BEN]}, "views": views}

    def choose(self, table: Table) -> None:
        """Let the asked person choose an option half a minute later."""
        self.time.time += 30.0
        option = table.game.format_option(self.chance.choice(table.current_match.state.legal))
        self.people.portal.call(make_move, self.people.server, table, table.who, option, table.version)

    def wait_for_bot(self, table: Table) -> None:
        """Wait until a person is asked."""

        async def wait() -> None:
            while table.tasks.bot_task is not None or table.occupants[table.who].deciding_bot:
                await asyncio.sleep(0.01)

        self.people.portal.call(wait)

    def look(self, table: Table, seat: int, token: str) -> object:
        """Return the view of a seat."""
        headers = {"authorization": f"Bearer {token}"} if seat == BEN else {}
        client = make_client(self.client) if seat == BEN else self.as_anna()
        seen = client.get(f"/api/v1/tables/{table.id}/view", headers=headers)
        assert seen.status_code == 200, seen.text
        return seen.json()

    def as_anna(self) -> TestClient:
        """Return a browser of Anna."""
        browser = make_client(self.client)
        browser.cookies.set("triclinium", self.people.cookies["Anna"])
        return browser


def make(folder: Path) -> None:
    """Write the fixture into a folder."""
    with TemporaryDirectory() as place, repeatable() as time:
        file = Path(place, "house.db")
        write_private_file(file.with_suffix(".key"), KEY)
        settings = Settings(f"sqlite:///{file}", limits=False, bot_pause=0.0, absence_check_seconds=3600.0)
        with TestClient(create_app(settings)) as client:
            facts = Script(client, time).run()
        with closing(sqlite3.connect(file)) as database:
            sql = "\n".join(database.iterdump()) + "\n"
    folder.mkdir(exist_ok=True)
    (folder / "server.sql").write_text(sql, encoding="utf-8")
    (folder / "server.json").write_text(json.dumps(facts, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    make(FOLDER)
    sys.stdout.write(f"{FOLDER} is written\n")

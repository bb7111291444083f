"""A server for tests, and API clients that hold seats at its tables."""

import random
from collections.abc import Mapping
from pathlib import Path

from fastapi import FastAPI
from fastapi.testclient import TestClient
from httpx2 import Response

from tests import postgres
from tests.databases import put_database
from tests.server.locked_tables import make_move
from triclinium.bots import Budget
from triclinium.server.app import create_app
from triclinium.server.services import Services
from triclinium.server.settings import Settings
from triclinium.server.storage.sqlite import SqliteDatabase


def find_database(folder: Path) -> str:
    """Return the database URL of a test's server in this folder."""
    if postgres.WANTED:
        return postgres.make_server_database(folder)
    put_database(folder)
    return f"sqlite:///{folder / 'house.db'}"


def list_database_files(server: Services) -> list[Path]:
    """Return the files that a server has on disk. With PostgreSQL there are none."""
    database = server.store.database
    return (
        [path for path in database.path.parent.iterdir() if path.is_file()]
        if isinstance(database, SqliteDatabase)
        else []
    )


def make_settings(folder: Path, **changes: bool | float) -> Settings:
    """Return settings for a server in a folder: bots without pauses, fast hints, and no rate limits unless a test sets
    them."""
    limits = bool(changes.pop("limits", False))
    sweep = float(changes.pop("sweep", 3600.0))
    grace = float(changes.pop("grace", 0.0))
    busy = float(changes.pop("busy", 10.0))
    practice = bool(changes.pop("practice", False))
    assert not changes
    return Settings(
        find_database(folder),
        limits=limits,
        bot_pause=0.0,
        absence_check_seconds=sweep,
        startup_grace=grace,
        lock_timeout=busy,
        hint_budget=Budget(60.0, 30),
        practice=practice,
    )


def make_app(folder: Path, **changes: bool | float) -> FastAPI:
    return create_app(make_settings(folder, **changes))


def make_client(client: TestClient) -> TestClient:
    """Return another client of the same server with separate cookies and without compression."""
    came = TestClient(client.app, follow_redirects=client.follow_redirects, headers={"accept-encoding": "identity"})
    came.portal = client.portal  # all clients use the server's one event loop
    return came


def get_server(client: TestClient) -> Services:
    """Return the server of a client."""
    found = client.app
    assert isinstance(found, FastAPI)
    server = found.state.services
    assert isinstance(server, Services)
    return server


class ApiClient:
    """A table and the tokens of all its seats."""

    def __init__(
        self,
        client: TestClient,
        game_id: str = "evangelists",
        seats: int = 2,
        bot: str = "",
        chairs: list[dict[str, str]] | None = None,
        **wish: object,
    ) -> None:
        """Open a table. ``bot`` takes the other seats; otherwise they are free, unless ``chairs`` sets them."""
        self.client = client
        other = {"kind": "bot", "bot": bot} if bot else {"kind": "invite"}
        chairs = chairs or [{"kind": "me"}] + [other] * (seats - 1)
        opened = client.post("/api/v1/tables", json={"game": game_id, "player": "Anna", "seats": chairs, **wish})
        assert opened.status_code == 201, opened.text
        facts = opened.json()
        self.id: str = facts["table"]["id"]
        self.code: str = facts["code"]
        self.watch: str = facts["watch"]
        self.invitations: list[dict[str, str]] = facts["invitations"]
        self.tokens: dict[int, str] = {facts["seat"]: facts["token"]}

    def fill(self) -> "ApiClient":
        """Take each free seat as another player."""
        for number, invitation in enumerate(self.invitations):
            sat = self.client.post(f"{self.url}/seats", json={"player": f"Ben {number}", **invitation})
            assert sat.status_code == 201, sat.text
            self.tokens[sat.json()["seat"]] = sat.json()["token"]
        return self

    @property
    def url(self) -> str:
        return f"/api/v1/tables/{self.id}"

    def auth(self, seat: int) -> dict[str, str]:
        return {"authorization": f"Bearer {self.tokens[seat]}"}

    def see(self, seat: int) -> Mapping[str, object]:
        answer = self.client.get(self.url, headers=self.auth(seat))
        assert answer.status_code == 200, answer.text
        facts: Mapping[str, object] = answer.json()
        return facts

    @property
    def who(self) -> int | None:
        who = self.see(next(iter(self.tokens)))["who"]
        assert who is None or isinstance(who, int)
        return who

    @property
    def version(self) -> int:
        version = self.see(next(iter(self.tokens)))["version"]
        assert isinstance(version, int)
        return version

    def options(self) -> list[str]:
        """Return the options of the asked seat."""
        who = self.who
        assert who is not None
        asked = self.client.get(f"{self.url}/options", headers=self.auth(who)).json()
        return [offer["option"] for offer in asked["decision"]["options"]]

    def post(self, seat: int, option: str, version: int, key: str = "") -> Response:
        move = {"option": option, "version": version, "key": key}
        return self.client.post(f"{self.url}/move", headers=self.auth(seat), json=move)

    def play(self, option: str) -> None:
        """Play this option for the asked seat."""
        who = self.who
        assert who is not None
        done = self.post(who, option, self.version)
        assert done.status_code == 200, done.text

    def play_at_random(self, moves: int, seed: int = 1, but: str = "") -> None:
        """Play this many random moves, or to the end. An option to avoid is taken only if there is no other."""
        chance = random.Random(seed)
        who = self.who
        for _ in range(moves):
            if who is None:
                return
            asked = self.client.get(f"{self.url}/options", headers=self.auth(who)).json()
            options = [offer["option"] for offer in asked["decision"]["options"]]
            done = self.post(who, chance.choice([o for o in options if o != but] or options), asked["version"])
            assert done.status_code == 200, done.text
            who = done.json()["who"]

    def finish(self) -> None:
        """Play the rest of the match at random inside the server, because requests take far longer."""
        server, chance = get_server(self.client), random.Random(1)

        async def rest() -> None:
            table = await server.tables.get_table(self.id)
            while table.status == "playing":
                option = table.game.format_option(chance.choice(table.current_match.state.legal))
                await make_move(server, table, table.who, option, table.version)

        assert self.client.portal is not None
        self.client.portal.call(rest)

    def record(self) -> str:
        answer = self.client.get(f"{self.url}/record", headers=self.auth(next(iter(self.tokens))))
        assert answer.status_code == 200
        text: str = answer.text
        return text

"""A server with players. Matches are played without pages, and results can be stored without a match."""

import asyncio
import contextlib
import random
from collections.abc import Sequence

from fastapi.testclient import TestClient
from sqlalchemy import Connection, insert, select

from tests.server.api_client import get_server
from tests.server.locked_tables import make_move
from triclinium.engine.registry import load_game
from triclinium.server.accounts.users import Person
from triclinium.server.errors import StaleVersion
from triclinium.server.ratings.rating import rate_match
from triclinium.server.services import Services
from triclinium.server.storage.schema import people, tables
from triclinium.server.storage.schema_results import results
from triclinium.server.tables import seats
from triclinium.server.tables.create import NewTable, open_table
from triclinium.server.tables.options import DEFAULTS, SeatOptions, TableOptions
from triclinium.server.tables.table import Table

DAY = 86400.0


class ServerDriver:
    """The people and their tables on one server."""

    def __init__(self, client: TestClient) -> None:
        assert client.portal is not None
        self.client = client
        self.portal = client.portal
        self.server = get_server(client)
        self.chance = random.Random(5)
        self.cookies: dict[str, str] = {}

    def create_person(self, name: str) -> Person:
        somebody, cookie = self.portal.call(self.server.people.create_person, name)
        self.cookies[name] = cookie
        return somebody

    def open_table(
        self, *sitting: Person | str, game_id: str = "evangelists", options: TableOptions = DEFAULTS
    ) -> Table:
        """Open a table whose match has begun. A string is the name of a bot."""
        host = next(one for one in sitting if isinstance(one, Person))
        wished = [SeatOptions("bot", bot=one) if isinstance(one, str) else SeatOptions("invite") for one in sitting]
        wished[sitting.index(host)] = SeatOptions("me")
        new = NewTable(load_game(game_id), wished, options)
        table: Table = self.portal.call(open_table, self.server, host, new)
        for seat, one in enumerate(sitting):
            if isinstance(one, Person) and one is not host:
                self.take_seat(table, seat, one)
        assert table.status == "playing"
        return table

    def take_seat(self, table: Table, seat: int, person: Person) -> None:
        self.portal.call(take_seat, self.server, table, seat, person)

    def play(self, table: Table, moves: int = 10_000) -> Table:
        """Play this many random moves, or to the end."""

        async def job() -> None:
            for _ in range(moves):
                async with self.server.tables.locked(
                    table
                ):  # while a bot's last move is being stored the match is over before its table
                    pass
                if table.status != "playing":
                    await self.wait_for_bots(table)
                    return
                option = table.game.format_option(self.chance.choice(table.current_match.state.legal))
                bot = table.occupants[table.who].deciding_bot
                with contextlib.suppress(StaleVersion):  # A bot may have moved first.
                    await make_move(self.server, table, table.who, option, table.version, bot=bot)

        self.portal.call(job)
        return table

    async def wait_for_bots(self, table: Table) -> None:
        """Wait until all bots have finished, so that no late bot makes the table reload its match."""
        while table.tasks.bot_task is not None:
            await asyncio.sleep(0.02)
        async with self.server.tables.locked(table):
            pass  # The match is in memory now.

    def load_results(self, table: Table) -> list[dict[str, object]]:
        """Return the stored results of a table."""
        wanted = select(results).where(results.c.table == table.id).order_by(results.c.seat, results.c.turn)
        with self.server.store.read_connection() as connection:
            return [dict(row) for row in connection.execute(wanted).mappings()]


async def take_seat(server: Services, table: Table, seat: int, person: Person) -> None:
    """Take a seat. In a running match, act as if all players had agreed on this person."""
    if table.begun:
        async with server.tables.locked(table) as locked:
            await seats.reserve_seat(server, locked, table.occupants[seat], person.id)
    await seats.take_seat(server, table, table.occupants[seat], person)


def insert_person(connection: Connection, id: int, name: str) -> int:
    connection.execute(insert(people).values(id=id, name=name, made=0.0))
    return id


def insert_ended_match(
    connection: Connection,
    number: int,
    ranks: Sequence[tuple[int | str, int]],
    game_id: str = "evangelists",
    at: float | None = None,
    **changes: object,
) -> str:
    """Store a finished, rated match with a rank for each person (by id) and each bot (by name)."""
    id = f"match{number:05d}"
    when = number * DAY if at is None else at
    _insert_table(connection, id, game_id, when)
    rows = []
    for seat, (who, rank) in enumerate(ranks):
        bot = isinstance(who, str)
        row: dict[str, object] = {
            "table": id,
            "seat": seat,
            "turn": 0,
            "number": number,
            "game": game_id,
            "seats": len(ranks),
            "person": None if bot else who,
            "kind": "bot" if bot else "person",
            "name": "Lucan" if bot else "",
            "bot": who if bot else "",
            "rank": rank,
            "total": 130 - 10 * rank + number % 7,
            "how": "finished",
            "substitute": 0.0,
            "decisions": 0 if bot else 20 + seat,
            "seconds": 0.0 if bot else 300.0 + 10 * number,
            "opening": "" if bot else ("start rome; tradition", "start antioch; interview")[number % 2],
            "unrated": "",
            "ended": when,
        }
        rows.append({**row, **changes})
    connection.execute(insert(results), rows)
    rate_match(connection, number)
    return id


def _insert_table(connection: Connection, id: str, game_id: str, when: float) -> None:
    host = connection.execute(select(people.c.id).limit(1)).scalar_one()
    texts = dict.fromkeys(("components", "salt", "seal", "rematch", "origin", "opener"), "")
    numbers = {"rules": 1, "version": 0, "moves": 0, "who": -1, "made": when, "moved": when}
    told = {"id": id, "code": id[-6:], "game": game_id, "name": f"Table {id}", "host": host, "status": "over"}
    connection.execute(insert(tables).values(**told, **DEFAULTS.columns(), **texts, **numbers, seed="0", result="[]"))

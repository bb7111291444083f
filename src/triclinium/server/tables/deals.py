"""Shared deals: several tables with the same cards. Until the deal closes, nobody learns anything from another table.

A deal closes at its deadline, or as soon as at least two tables have played it and none is left. The deal of the day
closes at midnight UTC only. `TableRow.deal_until` has the time of closing, so that no check needs the database.
"""

import asyncio
import contextlib
import hashlib
import hmac
import json
import logging
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import partial

from sqlalchemy import Connection, Row, exists, insert, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from triclinium.engine.commitment import compute_seal
from triclinium.engine.core.chance import KEY_BYTES
from triclinium.engine.core.errors import TricliniumError
from triclinium.engine.core.rng import SEED_LIMIT
from triclinium.engine.core.state import Seat
from triclinium.engine.game import Game
from triclinium.engine.record import Record
from triclinium.engine.registry import load_game
from triclinium.server import server_time
from triclinium.server.crypto import ServerKey, make_code, make_match_key, make_salt
from triclinium.server.errors import Conflict, NotFound, RequestError
from triclinium.server.services import Services
from triclinium.server.storage.schema import REMOVED, deals, departures, seats, tables
from triclinium.server.storage.schema_results import results
from triclinium.server.storage.store import Store
from triclinium.server.tables.results import FinalResults
from triclinium.server.tables.table import Table

log = logging.getLogger("triclinium.server")
HOUR = 3600.0
DEFAULT_HOURS = 24
MAX_HOURS = 7 * 24
MIN_TABLES = 2  # a deal that fewer tables have played stays open until its deadline
CHECK_INTERVAL = 20.0  # seconds between two searches for deals that have closed


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal that several tables can play. Its key is secret until it closes."""

    id: str
    game_id: str
    rules: int  # version of the game's rules
    components: str  # hash of the game's components
    seats: int
    variants: Mapping[str, str]  # name and value of each variant, in notation
    seed: str  # the key of the match, as in records
    salt: str
    seal: str
    made: float
    until: float  # when it closes
    day: str  # date of a deal of the day; empty: people made this deal

    @property
    def is_open(self) -> bool:
        return server_time.now() < self.until

    @property
    def path(self) -> str:
        return f"/deals/{self.id}"

    def load_game(self) -> Game:
        """Return the game. Raise `NotFound` if this server has it no more."""
        try:
            game = load_game(self.game_id)
        except TricliniumError:
            raise NotFound("This server does not have this game.") from None
        if game.hash != self.components or self.rules not in game.versions:
            raise NotFound("This deal belongs to an earlier version of the game.")
        return game


def _read_deal(row: "Row[tuple[object, ...]]") -> Deal:
    facts = {str(name): value for name, value in row._mapping.items()}
    game_id, variants = facts.pop("game"), json.loads(str(facts.pop("variants")))
    return Deal(**facts, game_id=game_id, variants=variants)


# -- creating and finding deals ----------------------------------------------------------------------------------------


def _build_row(
    game: Game, players: int, variants: Mapping[str, str], id: str, key: int, salt: str, until: float, day: str = ""
) -> dict[str, object]:
    """Return the row of a deal. Raise `RequestError` or `BadSetup` if the game cannot be played like this."""
    if players not in game.seats:
        raise RequestError("This game cannot be played with this number of players.")
    if not game.has_secrets:
        raise RequestError("This game has no cards to share. Every match of it starts the same way.")
    choices = game.complete_variants(game.read_variants(variants))
    seed = Record.create(game, players, key, choices).format_seed()
    return {
        "id": id,
        "game": game.id,
        "rules": game.version,
        "components": game.hash,
        "seats": players,
        "variants": json.dumps(dict(variants)),
        "seed": seed,
        "salt": salt,
        "seal": compute_seal(seed, salt),
        "made": server_time.now(),
        "until": until,
        "day": day,
    }


async def create_deal(
    services: Services, game: Game, players: int, variants: Mapping[str, str], hours: float = DEFAULT_HOURS
) -> Deal:
    """Store a new deal with a random key. Raise `RequestError` if the game cannot be played like this."""
    if not 0 < hours <= MAX_HOURS:
        raise RequestError("A deal can stay open for seven days at most.")
    until = server_time.now() + hours * HOUR
    row = _build_row(game, players, variants, make_code(10).lower(), make_match_key(), make_salt(), until)
    await services.store.write(lambda connection: connection.execute(insert(deals), row))
    return find_deal(services.store, str(row["id"]))


def find_deal(store: Store, id: str) -> Deal:
    """Return a deal. Raise `NotFound` if there is none."""
    with store.read_connection() as connection:
        row = connection.execute(select(deals).where(deals.c.id == id)).one_or_none()
    if row is None:
        raise NotFound("There is no such deal.")
    return _read_deal(row)


def list_daily_deals(store: Store, days_ago: int, game_ids: Collection[str]) -> list[Deal]:
    """Return the deals of a past day that someone has asked for."""
    day = (get_today() - timedelta(days=days_ago)).isoformat()
    with store.read_connection() as connection:
        rows = connection.execute(select(deals).where(deals.c.day == day).order_by(deals.c.game))
        return [_read_deal(row) for row in rows if row.game in game_ids]


def get_today() -> date:
    """Return the date in UTC."""
    return datetime.fromtimestamp(server_time.now(), UTC).date()


async def load_daily_deal(services: Services, game: Game, day: date | None = None) -> Deal:
    """Return the deal of a day, by default of today. It is stored when it is first asked for.

    Raise `NotFound` for other days that nobody has played.
    """
    wanted = day or get_today()
    id = f"{game.id}-{wanted.isoformat()}"
    try:
        return await services.runtime.run_in_thread(find_deal, services.store, id)
    except NotFound:
        if wanted != get_today():
            raise
    end = datetime.combine(wanted + timedelta(days=1), datetime.min.time(), UTC).timestamp()
    key, salt = derive_daily_secrets(services.key, game.id, wanted)
    row = _build_row(game, choose_daily_seats(game), {}, id, key, salt, end, wanted.isoformat())
    with contextlib.suppress(IntegrityError):  # another request or server has stored the same deal
        await services.store.write(lambda connection: connection.execute(insert(deals), row))
    return await services.runtime.run_in_thread(find_deal, services.store, id)


def derive_daily_secrets(key: ServerKey, game_id: str, day: date) -> tuple[int, str]:
    """Return the key of the match and the salt of a deal of the day, as HMACs with the server's key."""
    secret = key.derive_key("deal of the day")
    key_hash, salt_hash = (
        hmac.new(secret, f"{purpose} {day.isoformat()} {game_id}".encode(), hashlib.sha256).digest()
        for purpose in ("key", "salt")
    )
    return int.from_bytes(key_hash[:KEY_BYTES], "big"), salt_hash[:KEY_BYTES].hex()


def choose_daily_seats(game: Game) -> int:
    """Return the number of seats of a deal of the day: three, if the game allows it."""
    return 3 if 3 in game.seats else game.seats[0]


# -- sitting down ------------------------------------------------------------------------------------------------------


def check_may_sit(connection: Connection, deal: str, people: Iterable[int], table: str) -> None:
    """Raise `Conflict` if the deal is closed, or if one of these people has a seat at another of its tables."""
    # The update locks the deal's row, so that two servers cannot seat a person at two tables at once.
    open_deal = update(deals).where(deals.c.id == deal, deals.c.until > server_time.now()).values(made=deals.c.made)
    if not connection.execute(open_deal).rowcount:
        raise Conflict("This deal is closed, so nobody can start a match with it any more.")
    other = select(tables.c.id).where(tables.c.deal == deal, tables.c.id != table, tables.c.status != "closed")
    for person in people:
        sits = select(seats.c.seat).where(seats.c.table.in_(other), seats.c.person == person, seats.c.taken)
        left = select(departures.c.seat).where(departures.c.table.in_(other), departures.c.person == person)
        if connection.execute(sits).first() or connection.execute(left).first():
            raise Conflict("You already have a seat at another table of this deal.")


def has_finished_deal(store: Store, deal: str, person: int) -> bool:
    """Return whether a person has played this deal to the end."""
    mine = select(seats.c.table).where(
        seats.c.table == tables.c.id, seats.c.person == person, seats.c.taken, tables.c.status == "over"
    )
    with store.read_connection() as connection:
        return bool(connection.execute(select(exists(mine.where(tables.c.deal == deal)))).scalar())


def find_own_table(store: Store, deal: str, person: int) -> str:
    """Return the table at which this person plays or has played a deal, or ""."""
    wanted = select(tables.c.id).join(seats, seats.c.table == tables.c.id)
    mine = (tables.c.deal == deal, seats.c.person == person, seats.c.taken, tables.c.status.not_in(("closed", REMOVED)))
    with store.read_connection() as connection:
        return connection.execute(wanted.where(*mine)).scalars().first() or ""


def check_deal_closed(table: Table) -> None:
    """Raise `Conflict` while the match has secrets that a page of the finished match would show.

    These are the cards of an open deal, or the edition of a playtest whose players have not answered.
    """
    if table.is_deal_open:
        raise Conflict("Other people can still play this deal, so this opens when the deal closes.")
    if table.is_withheld:
        raise Conflict("This is a playtest, so this opens after the match, when all its players have answered.")


def make_bot_seed(table: Table, seat: Seat) -> int:
    """Return the seed for a bot's decision at a table of a deal: from the key, the seat and the decision's number.

    Bots that see the same therefore choose the same at every table.
    """
    number = sum(mark.who == seat for mark in table.current_match.marks)
    key = table.seed.to_bytes(KEY_BYTES, "big")
    digest = hashlib.sha256(key + b"bot" + seat.to_bytes(4, "big") + number.to_bytes(8, "big")).digest()
    return int.from_bytes(digest[:8], "big") % SEED_LIMIT


# -- closing -----------------------------------------------------------------------------------------------------------


async def close_finished_deals(services: Services, deal: str = "") -> None:
    """Close the deals whose tables have all ended, or only this one, and store the results of closed deals."""
    closed = await services.store.write(lambda connection: _close_deals(connection, deal))
    for id in closed:
        services.tables.update_rows(
            lambda row, id=id: (
                replace(row, deal_until=min(row.deal_until, server_time.now()))  # type: ignore[misc]
                if row.deal == id
                else row
            )
        )
    for table_id in await services.runtime.run_in_thread(_list_due_tables, services.store):
        load = partial(services.tables.load_table, table_id, with_history=True)
        table = await services.runtime.run_in_thread(load)
        match_end = FinalResults(table, table.history, table.result, table.moved, ended_early=table.ended_early)
        await services.store.write(match_end.write_once)


def _close_deals(connection: Connection, deal: str) -> list[str]:
    """Close the open deals whose tables have all ended, and return their ids."""
    now = server_time.now()
    wanted = select(tables.c.deal, tables.c.status).join(deals, deals.c.id == tables.c.deal)
    wanted = wanted.where(deals.c.until > now, deals.c.day == "", tables.c.status.not_in(("closed", REMOVED)))
    statuses: dict[str, list[str]] = {}
    for id, status in connection.execute(wanted.where(tables.c.deal == deal) if deal else wanted):
        statuses.setdefault(id, []).append(status)
    done = [id for id, found in statuses.items() if len(found) >= MIN_TABLES and set(found) == {"over"}]
    for id in done:
        connection.execute(update(deals).where(deals.c.id == id).values(until=now))
        # The new stamp makes other servers read these tables again.
        connection.execute(update(tables).where(tables.c.deal == id).values(deal_until=now, stamp=tables.c.stamp + 1))
    return done


def _list_due_tables(store: Store) -> list[str]:
    """Return the tables of closed deals whose results are not stored yet."""
    due = (tables.c.deal != "", tables.c.status == "over", tables.c.deal_until <= server_time.now())
    missing = ~exists().where(results.c.table == tables.c.id)
    with store.read_connection() as connection:
        wanted = select(tables.c.id).where(*due, missing, tables.c.result != "[]").order_by(tables.c.moved)
        return [str(id) for id in connection.execute(wanted).scalars()]


async def run_deal_loop(services: Services) -> None:
    """Close finished deals forever, on one of the servers. Errors are tried again."""
    while True:
        try:
            if await services.peers.claim("deals"):
                await close_finished_deals(services)
        except (TricliniumError, SQLAlchemyError) as error:
            log.warning("finished deals could not be closed and will be checked again: %s", error)
        await asyncio.sleep(CHECK_INTERVAL)

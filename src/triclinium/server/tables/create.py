"""Creation of tables: the options of a new table, its storage, and the start of the match once all seats are taken."""

import itertools
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection, case, insert, select, union_all, update

from triclinium.engine.commitment import compute_seal
from triclinium.engine.core.components import ComponentsFile
from triclinium.engine.core.errors import TricliniumError
from triclinium.engine.core.state import NOBODY
from triclinium.engine.core.text import msgid
from triclinium.engine.game import Game
from triclinium.engine.match import Match
from triclinium.engine.record import Record, build_result
from triclinium.engine.registry import load_game
from triclinium.server import server_time
from triclinium.server.accounts.users import Person
from triclinium.server.crypto import choose_seat_order, make_code, make_match_key, make_salt
from triclinium.server.errors import NotFound, RequestError
from triclinium.server.outbox.queue import queue_notification
from triclinium.server.sanitize import clean_name
from triclinium.server.services import Services
from triclinium.server.storage import components as files
from triclinium.server.storage.pubsub import READY
from triclinium.server.storage.schema import chat, history, seats, tables
from triclinium.server.storage.schema_evenings import evenings
from triclinium.server.storage.store import Store
from triclinium.server.tables.announcements import store_announcement
from triclinium.server.tables.broadcast import broadcast_seats, broadcast_table
from triclinium.server.tables.deals import Deal, check_deal_closed, check_may_sit, find_own_table, load_daily_deal
from triclinium.server.tables.moves import schedule_bot
from triclinium.server.tables.notification_triggers import DealNotifications, list_notified_people
from triclinium.server.tables.options import DEFAULTS, SeatOptions, TableOptions, check_options
from triclinium.server.tables.snapshots import PendingSnapshot
from triclinium.server.tables.table import LockedTable, Table
from triclinium.server.tables.time_bank import TimeBankClock
from triclinium.server.tables.versioned_write import write_table

TABLE_NAMES = (  # names of ancient cities, the same in every language
    "Alexandria",
    "Antiochia",
    "Athenae",
    "Carthago",
    "Corinthus",
    "Cyrene",
    "Damascus",
    "Ephesus",
    "Lugdunum",
    "Massilia",
    "Roma",
    "Tarsus",
)
DAILY_BOT = "steady"  # the bot at tables with the deal of the day
READY_SECONDS = 60  # time in which players confirm that they are ready
ALL_HERE = msgid("Everyone is here. Are you ready?")
BOT_NAMES = ("Lucan", "Drusilla", "Tertius", "Phoebe", "Silvanus", "Junia", "Crispus", "Priscilla", "Rufus", "Lydia")


@dataclass(frozen=True)
class NewTable:
    """A new table before it is stored.

    The constructor starts a match to check that the options work, so call it in a thread. It raises `RequestError` if
    the options do not fit together.
    """

    game: Game  # the game with the components of this table
    seats: Sequence[SeatOptions]
    options: TableOptions = DEFAULTS
    name: str = ""
    origin: str = ""  # source of a continued match: table/move or "record"
    components: str = ""  # text of an edited components file, or ""
    deal: Deal | None = None  # the shared deal that the table plays, or None for cards of its own

    def __post_init__(self) -> None:
        check_options(self.options, self.seats)
        self.game.deal(len(self.seats), 0, self.game.read_variants(self.options.variants))


def find_edition(id: str, components: str = "") -> Game:
    """Return a game by its id, with edited components if there are any."""
    game = load_game(id)
    return game.with_components(ComponentsFile(components, "components.toml")) if components else game


def make_table_id() -> str:
    """Return a random id for a new table."""
    return make_code(10).lower()


async def open_table(
    services: Services,
    host: Person,
    new: NewTable,
    record: Record | None = None,
    notification_kind: str = "invited",
    id: str = "",
    previous_table: LockedTable | None = None,
) -> Table:
    """Store a new table.

    The match begins at once if all seats are taken, and with a record it begins in the middle.
    ``notification_kind`` is the kind of notification for people with a reserved seat; "" sends none. ``id`` is the
    table's id if something refers to it already.
    ``previous_table`` is the table of which this is the rematch. Both are stored in one commit. Raise `StaleVersion` if
    the previous table has changed.
    """
    rows = await prepare_table(services, host, new, record, id)

    def job(connection: Connection) -> None:
        rows.write(connection)
        for seat_options in new.seats:
            if notification_kind and seat_options.person is not None and seat_options.person != host.id:
                queue_notification(connection, seat_options.person, notification_kind, rows.id, names=[host.name])
        if previous_table is not None:
            connection.execute(update(tables).where(tables.c.id == previous_table.id).values(rematch=rows.id))

    if previous_table is None:
        await services.store.write(job)
    else:
        await write_table(services.tables, previous_table, job)
        previous_table.row = replace(previous_table.row, rematch_id=rows.id)
    return await begin_stored_table(services, rows.id)


@dataclass(frozen=True, slots=True)
class NewTableRows:
    """The rows of a new table, ready to be stored."""

    new: NewTable
    host: int
    row: dict[str, object]
    seats: list[dict[str, object]]
    history: list[dict[str, object]]

    @property
    def id(self) -> str:
        return str(self.row["id"])

    def write(self, connection: Connection) -> None:
        if self.new.components:
            files.store_components(connection, self.new.game, self.new.components)
        if self.new.deal is not None:
            people = {seat["person"] for seat in self.seats if seat["taken"] and isinstance(seat["person"], int)}
            check_may_sit(connection, self.new.deal.id, people, self.id)
        name = self.row["name"] or choose_free_name(connection, self.host)
        connection.execute(insert(tables), {**self.row, "name": name})
        connection.execute(insert(seats), self.seats)
        if self.history:
            connection.execute(insert(history), self.history)


async def prepare_table(
    services: Services, host: Person, new: NewTable, record: Record | None = None, id: str = ""
) -> NewTableRows:
    """Return the rows of a new table with a secret seed. With a record, its match begins in the middle."""
    id, now = id or make_table_id(), server_time.now()
    record = record or make_new_record(new)
    code = await services.runtime.run_in_thread(choose_free_code, services.store)
    done = await services.runtime.run_in_thread(_build_history_rows, id, record, new.game, now)
    row = {
        "id": id,
        "code": code,
        "name": clean_name(new.name, ""),
        "host": host.id,
        "opener": services.key.label_caller(),
        **new.options.columns(),
        **_build_deal_columns(new, record),
        "status": "waiting",
        "version": len(done),
        "moves": len(done),
        "who": NOBODY,
        "made": now,
        "moved": now,
        "result": "[]",
        "rematch": "",
    }
    seat_rows = [_build_seat_row(id, i, seat, host, new.options.store) for i, seat in enumerate(new.seats)]
    return NewTableRows(new, host.id, row, seat_rows, done)


async def begin_stored_table(services: Services, id: str) -> Table:
    """Return a table that is stored, and start its match if all seats are taken."""
    table = await services.tables.get_table(id)
    async with services.tables.locked(table) as locked:
        await begin_if_full(services, locked)
    return table


def make_new_record(new: NewTable) -> Record:
    """Return the record of a new match with a secret seed, and the shuffle commitment for it."""
    game, deal = new.game, new.deal
    choices = game.complete_variants(game.read_variants(new.options.variants))
    key = make_match_key() if deal is None else int(deal.seed, 16)
    record = Record.create(game, len(new.seats), key, choices)
    record.salt = make_salt() if deal is None else deal.salt
    record.seal = compute_seal(record.format_seed(), record.salt)
    return record


def _build_deal_columns(new: NewTable, record: Record) -> dict[str, object]:
    """Return the columns from which a match is replayed."""
    sealed = not new.origin  # no shuffle commitment: a player who imports a record knows its cards
    return {
        "game": new.game.id,
        "rules": record.version,
        "components": new.game.hash,
        "file": new.game.file.hash if new.components else "",
        "seed": record.format_seed(),
        "salt": record.salt if sealed else "",
        "seal": record.seal if sealed else "",
        "origin": new.origin,
        "deal": "" if new.deal is None else new.deal.id,
        "deal_until": 0.0 if new.deal is None else new.deal.until,
    }


def _build_seat_row(table: str, seat: int, seat_options: SeatOptions, host: Person, bank: int) -> dict[str, object]:
    kind = seat_options.kind
    here = kind in ("me", "hot") or seat_options.seated
    default_name = BOT_NAMES[(seat + secrets.randbelow(2) * 5) % len(BOT_NAMES)] if kind == "bot" else "…"
    if kind == "hot":  # unique names, so that the log can tell the players apart
        default_name = f"{host.name} {seat + 1}"
    name = host.name if kind == "me" else clean_name(seat_options.name, default_name)
    return {
        "table": table,
        "seat": seat,
        "kind": {"me": "person", "invite": "person"}.get(kind, kind),
        "person": seat_options.person if seat_options.seated or not here else host.id,
        "name": name,
        "bot": seat_options.bot if kind == "bot" else "",
        "taken": here or kind == "bot",
        "substitute": "",
        "generation": 0,
        "token": seat_options.token,
        "left": bank * 1000,
    }


def _build_history_rows(table: str, record: Record, game: Game, now: float) -> list[dict[str, object]]:
    """Return a history row for each move of a record. Raise `BadRecord` if the moves cannot be replayed."""
    match = Match.resume(record, game)
    played = zip([mark.who for mark in match.marks], match.record.options, strict=True)
    return [
        {
            "table": table,
            "version": n,
            "kind": "move",
            "seat": seat,
            "option": option,
            "key": "",
            "bot": "",
            "at": now,
        }
        for n, (seat, option) in enumerate(played, start=1)
    ]


def choose_free_code(store: Store) -> str:
    """Return a join code that no table and no evening has."""
    while True:
        code = make_code(6)
        used = union_all(select(tables.c.code), select(evenings.c.code)).subquery()
        with store.read_connection() as connection:
            if connection.execute(select(used).where(used.c.code == code)).first() is None:
                return code


async def begin_if_full(services: Services, table: LockedTable) -> None:
    """Start the match if all seats are taken and, with a ready check, all players are ready."""
    if table.status != "waiting" or not all(occupant.taken for occupant in table.occupants):
        delete_ready_answers(services, table)
        return
    if table.options.ready and table.list_unready_occupants():
        await _start_ready_check(services, table)
        return
    delete_ready_answers(services, table)
    count = len(table.occupants)
    order = choose_seat_order(count) if table.options.shuffle and table.version == 0 else list(range(count))
    seated = [table.occupants[i] for i in order]
    shuffled = order != sorted(order)
    now = server_time.now()
    try:
        await services.runtime.run_in_thread(services.tables.resume_match, table)
    except BaseException:
        table.invalidate_match()
        raise
    state = table.current_match.state
    status = "over" if state.over else "playing"
    result = json.dumps(build_result(table.game.scores(state)) if state.over else [])
    snapshot = await services.runtime.run_in_thread(PendingSnapshot, table, table.current_match)
    notifications = DealNotifications(table, table.current_match, seated, services.notifiable_people, now)

    def job(connection: Connection) -> None:
        if shuffled:
            _renumber_seats(connection, table.id, order)
        connection.execute(
            update(tables).where(tables.c.id == table.id).values(status=status, who=state.who, moved=now, result=result)
        )
        snapshot.write(connection)
        notifications.write(connection)

    try:
        await write_table(services.tables, table, job)
    except BaseException:
        table.invalidate_match()
        raise
    occupants = tuple(
        replace(occupant, seat=place, generation=occupant.generation + shuffled)
        for place, occupant in enumerate(seated)
    )
    table.row = replace(table.row, occupants=occupants, status=status)
    snapshot.mark_stored()
    table.hub.reassign_seats()
    table.hub.reset_presence()
    clock = make_clock(table.options, len(seated), now)
    table.progress = replace(table.progress, moved=now, clock=clock)
    table.caches.pending_votes = (table.version, {})  # a new match has no votes
    table.clear_requests()
    broadcast_table(table)
    schedule_bot(services, table)


def _renumber_seats(connection: Connection, table: str, order: list[int]) -> None:
    """Renumber the seats of a table: place n gets the player of the old seat ``order[n]``.

    The generation of each seat changes, so that requests for the old seats fail. Chat messages keep their senders.
    """
    places = {before: place for place, before in enumerate(order)}
    here = seats.c.table == table
    for before, place in places.items():  # numbers above 100 at first, because seats are unique
        this = update(seats).where(here, seats.c.seat == before)
        connection.execute(this.values(seat=100 + place, generation=seats.c.generation + 1))
    connection.execute(update(seats).where(here).values(seat=seats.c.seat - 100))
    seat_messages = (chat.c.table == table, chat.c.seat >= 0)
    connection.execute(update(chat).where(*seat_messages).values(seat=case(places, value=chat.c.seat)))


def make_clock(options: TableOptions, seats: int, now: float) -> TimeBankClock | None:
    """Return a clock with full time banks, or None if the table has no clock."""
    return TimeBankClock.with_full_banks(options.store, options.free, seats, now) if options.store else None


async def _start_ready_check(services: Services, table: LockedTable) -> None:
    """Ask all players whether they are ready, unless they have been asked."""
    if table.ready_until:
        return

    def job(connection: Connection) -> None:
        store_announcement(connection, table, ALL_HERE)
        for person in list_notified_people(table).keys() & services.notifiable_people:
            queue_notification(connection, person, "full", table.id, f"{server_time.now():.0f}")

    await write_table(services.tables, table, job)
    table.votes.ready_until = server_time.now() + READY_SECONDS
    services.ready_checks.add(table.id)
    await services.peers.publish_now(READY, id=table.id, seats=[], until=table.ready_until)
    broadcast_seats(table)


def delete_ready_answers(services: Services, table: Table) -> None:
    """End the ready check and delete its answers."""
    table.votes.clear_ready()
    services.ready_checks.discard(table.id)


def choose_free_name(connection: Connection, person: int) -> str:
    """Return a table name that none of a person's open tables has; with a number if all names are in use."""
    own_tables = select(seats.c.table).where(seats.c.person == person)
    wanted = select(tables.c.name).where(tables.c.status.in_(("waiting", "playing")), tables.c.id.in_(own_tables))
    used = set(connection.execute(wanted).scalars())
    for number in itertools.count(1):
        free = [name for city in TABLE_NAMES if (name := city if number == 1 else f"{city} {number}") not in used]
        if free:
            return secrets.choice(free)
    raise AssertionError("a list of numbers has no end")


async def open_table_on_deal(
    services: Services,
    host: Person,
    deal: Deal,
    seats: Sequence[SeatOptions],
    options: TableOptions = DEFAULTS,
    name: str = "",
) -> Table:
    """Store a new table with the cards of a deal. Its variants are those of the deal.

    Raise `RequestError` if the number of seats differs, and `Conflict` if the deal is closed or the host already sits
    at another of its tables.
    """
    game = await services.runtime.run_in_thread(deal.load_game)
    new = await services.runtime.run_in_thread(make_new_table, game, seats, options, name, deal)
    return await open_table(services, host, new)


def make_new_table(
    game: Game,
    seats: Sequence[SeatOptions],
    options: TableOptions,
    name: str,
    deal: Deal | None,
    components: str = "",
) -> NewTable:
    """Return a new table with the cards and variants of a deal, or with cards of its own. Call this in a thread.

    ``components`` is the text of an edition; a deal has the printed components. Raise `RequestError` if the deal is
    for another game or number of players.
    """
    if deal is None:
        return NewTable(game, seats, options, name=name, components=components)
    if deal.load_game() is not game:
        raise RequestError("This deal belongs to another game.")
    if len(seats) != deal.seats:
        raise RequestError("This deal is for {0} {0:player|players}.", deal.seats)
    return NewTable(game, seats, replace(options, variants=deal.variants), name=name, deal=deal)


async def open_daily_table(services: Services, person: Person, game: Game) -> Table:
    """Return a person's table with the deal of the day, which has two Steady bots. Create it if there is none."""
    deal = await load_daily_deal(services, game)
    own = await services.runtime.run_in_thread(find_own_table, services.store, deal.id, person.id)
    if own:
        return await services.tables.get_table(own)
    seats = [SeatOptions("me")] + [SeatOptions("bot", bot=DAILY_BOT) for _ in range(deal.seats - 1)]
    return await open_table_on_deal(services, person, deal, seats, TableOptions(hints=False, undo=False))


async def open_quick_match(services: Services, person: Person, game: Game, level: str) -> Table:
    """Create a table for one person and bots, with three seats if the game allows it, and start the match.

    Variants are those that the game suggests for a first match.
    """
    seat_count = 3 if 3 in game.seats else game.seats[0]
    seats = [SeatOptions("me")] + [SeatOptions("bot", bot=level) for _ in range(seat_count - 1)]
    first = {
        variant.name: variant.format_value(game.quick_start_variants[variant.name])
        for variant in game.variants
        if variant.name in game.quick_start_variants
    }
    options = TableOptions({**game.proposed_variants(), **first})
    return await open_table(services, person, await services.runtime.run_in_thread(NewTable, game, seats, options))


async def continue_match(services: Services, person: Person, table: Table, n: int) -> Table:
    """Create a shared-device table that continues a finished match from a position.

    Running matches cannot be continued, because the copy would reveal their seed. Raise `RequestError` for them, and
    `NotFound` if the match has no such move.
    """
    if table.status != "over":
        raise RequestError("A new match can start from a position only when this match is over.")
    check_deal_closed(table)
    if not 0 <= n <= table.moves:
        raise NotFound("This match has no such move.")
    record = table.current_match.record.truncate(n)
    record.result = None
    seats = [
        SeatOptions("me" if seat == 0 else "hot", name=occupant.name) for seat, occupant in enumerate(table.occupants)
    ]
    new = await services.runtime.run_in_thread(
        NewTable,
        table.game,
        seats,
        TableOptions(table.options.variants),
        name=table.name,
        origin=f"{table.id}/{n}",
        components=table.components_text,
    )
    return await open_table(services, person, new, record)


def require_game(id: str) -> Game:
    """Return a game by its id. Raise `NotFound` if it is not installed."""
    try:
        return load_game(id)
    except TricliniumError:
        raise NotFound("This server does not have this game.") from None

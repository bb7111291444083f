"""Opening a table: what is wished for, how it is stored, and the deal when the last seat is taken."""

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, case, insert, select, update

from triclinium.engine.commitment import seal_of
from triclinium.engine.core.components import ComponentsFile
from triclinium.engine.core.errors import TricliniumError
from triclinium.engine.core.state import NOBODY
from triclinium.engine.core.text import msgid
from triclinium.engine.game import Game
from triclinium.engine.match import Match
from triclinium.engine.record import Record, result_of
from triclinium.engine.registry import find_game
from triclinium.server import server_time
from triclinium.server.accounts.users import Person
from triclinium.server.cluster.pubsub import READY
from triclinium.server.cluster.versioned_write import change
from triclinium.server.crypto import new_code, new_match_key
from triclinium.server.errors import NotFound, RequestError
from triclinium.server.notifications.outbox import tell
from triclinium.server.notifications.triggers import Dealt, people_at
from triclinium.server.sanitize import plain_name
from triclinium.server.server import Server
from triclinium.server.storage import components as files
from triclinium.server.storage.schema import chat, history, seats, tables
from triclinium.server.tables.moves import wake
from triclinium.server.tables.options import DEFAULTS, SeatOptions, TableOptions, check_options
from triclinium.server.tables.snapshots import Taken
from triclinium.server.tables.table import Table
from triclinium.server.tables.time_bank import StoreClock

TABLE_NAMES = (  # where people sat down to supper; the same in every language
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
READY_SECONDS = 60  # to say that one is ready
ALL_HERE = msgid("Everybody is here: are you ready?")
BOT_NAMES = ("Lucan", "Drusilla", "Tertius", "Phoebe", "Silvanus", "Junia", "Crispus", "Priscilla", "Rufus", "Lydia")


@dataclass(frozen=True)
class NewTable:
    """A table that shall be opened. Making one deals a match to see that it can be dealt: it belongs in a thread."""

    game: Game  # on the components that it shall be played with
    seats: Sequence[SeatOptions]
    options: TableOptions = DEFAULTS
    name: str = ""
    origin: str = ""  # played on from there: table/move; or "record"
    components: str = ""  # the text of the edited file, if not the printed one

    def __post_init__(self) -> None:
        check_options(self.options, self.seats)
        self.game.deal(len(self.seats), 0, self.game.read_variants(self.options.variants))


def title_on(id: str, components: str = "") -> Game:
    """A game by its id, on an edited file if there is one."""
    found = find_game(id)
    return found.on(ComponentsFile(components, "components.toml")) if components else found


def new_id() -> str:
    """What a new table is found by."""
    return new_code(10).lower()


async def open_table(
    server: Server,
    host: Person,
    new: NewTable,
    record: Record | None = None,
    kept: str = "invited",
    id: str = "",
    follows: Table | None = None,
) -> Table:
    """Store a new table. It begins at once if nobody is awaited; with a record it begins in the middle.

    ``kept``: what those are told for whom a seat is kept, empty: nothing; ``id``: the table's, where something hangs on
    it already; ``follows``: whose rematch it is, which is held and says so in the same commit; then it raises Stale.
    """
    id, now = id or new_id(), server_time.now()
    record = record or _fresh_record(new)
    code = await server.in_thread(free_code, server)
    done = await server.in_thread(_history_rows, id, record, new.game, now)
    row = {
        "id": id,
        "code": code,
        "name": plain_name(new.name, "") or secrets.choice(TABLE_NAMES),
        "host": host.id,
        "opener": server.key.caller(),
        **new.options.columns(),
        **_dealt_by(new, record),
        "status": "waiting",
        "version": len(done),
        "moves": len(done),
        "who": NOBODY,
        "made": now,
        "moved": now,
        "result": "[]",
        "again": "",
    }
    places = [_place(id, i, seat, host, new.options.store) for i, seat in enumerate(new.seats)]

    def job(connection: Connection) -> None:
        if new.components:
            files.keep(connection, new.game, new.components)
        connection.execute(insert(tables), row)
        connection.execute(insert(seats), places)
        if done:
            connection.execute(insert(history), done)
        for wished in new.seats:
            if kept and wished.person is not None and wished.person != host.id:
                tell(connection, wished.person, kept, id, names=[host.name])
        if follows is not None:
            connection.execute(update(tables).where(tables.c.id == follows.id).values(again=id))

    if follows is None:
        await server.store.write(job)
    else:
        await change(server, follows, job)
        follows.again = id
    table = await server.table(id)
    async with table.lock:
        await begin_if_full(server, table)
    return table


def _fresh_record(new: NewTable) -> Record:
    """A match that nobody can know, sealed before its first move."""
    game = new.game
    choices = game.choices(game.read_variants(new.options.variants))
    record = Record.of(game, len(new.seats), new_match_key(), choices)
    record.salt = secrets.token_hex(16)
    record.seal = seal_of(record.seed_text(), record.salt)
    return record


def _dealt_by(new: NewTable, record: Record) -> dict[str, object]:
    """The columns that a match is dealt and replayed by."""
    sealed = not new.origin  # whoever brought a record knows its cards: nothing is promised
    return {
        "title": new.game.id,
        "rules": record.version,
        "components": new.game.hash,
        "file": new.game.file.hash if new.components else "",
        "seed": record.seed_text(),
        "salt": record.salt if sealed else "",
        "seal": record.seal if sealed else "",
        "origin": new.origin,
    }


def _place(table: str, seat: int, wished: SeatOptions, host: Person, store: int) -> dict[str, object]:
    kind = wished.kind
    here = kind in ("me", "hot")
    otherwise = BOT_NAMES[(seat + secrets.randbelow(2) * 5) % len(BOT_NAMES)] if kind == "bot" else "…"
    if kind == "hot":  # two people of one name could not be told apart in the log
        otherwise = f"{host.name} {seat + 1}"
    name = host.name if kind == "me" else plain_name(wished.name, otherwise)
    return {
        "table": table,
        "seat": seat,
        "kind": {"me": "person", "invite": "person"}.get(kind, kind),
        "person": host.id if here else wished.person,
        "name": name,
        "bot": wished.bot if kind == "bot" else "",
        "taken": here or kind == "bot",
        "standin": "",
        "generation": 0,
        "token": wished.token,
        "left": store * 1000,
    }


def _history_rows(table: str, record: Record, game: Game, now: float) -> list[dict[str, object]]:
    """Each move of a record with the seat that made it; raises BadRecord."""
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


def free_code(server: Server) -> str:
    """A code that no table has."""
    while True:
        code = new_code(6)
        with server.store.reading() as connection:
            if connection.execute(select(tables.c.id).where(tables.c.code == code)).one_or_none() is None:
                return code


async def begin_if_full(server: Server, table: Table) -> None:
    """Deal when the last seat is taken, and everybody is ready if they are asked; the table's lock is held."""
    if table.status != "waiting" or not all(occupant.taken for occupant in table.occupants):
        forget_ready(server, table)
        return
    if table.options.ready and table.unready():
        await _ask_ready(server, table)
        return
    forget_ready(server, table)
    order = list(range(len(table.occupants)))
    if table.options.shuffle and table.version == 0:
        secrets.SystemRandom().shuffle(order)
    seated = [table.occupants[i] for i in order]
    shuffled = order != sorted(order)
    now = server_time.now()
    try:
        await server.in_thread(server.resume, table)
    except BaseException:
        server.invalidate(table)
        raise
    state = table.playing.state
    status = "over" if state.over else "playing"
    result = json.dumps(result_of(table.game.scores(state)) if state.over else [])
    taken = await server.in_thread(Taken, table, table.playing)
    news = Dealt(table, table.playing, seated, server.reachable, now)

    def job(connection: Connection) -> None:
        if shuffled:
            _renumber(connection, table.id, order)
        connection.execute(
            update(tables).where(tables.c.id == table.id).values(status=status, who=state.who, moved=now, result=result)
        )
        taken.write(connection)
        news.write(connection)

    try:
        await change(server, table, job)
    except BaseException:
        server.invalidate(table)
        raise
    for place, occupant in enumerate(seated):
        occupant.seat = place
        occupant.generation += shuffled
    table.occupants = seated
    taken.stored()
    table.hub.reseat()
    table.hub.begin()
    table.status = status
    table.moved = now
    table.clock = dealt_clock(table.options, len(seated), now)
    table.asked_for = (table.version, {})  # nobody has voted yet
    table.nothing_asked()
    server.tell(table)
    wake(server, table)


def _renumber(connection: Connection, table: str, order: list[int]) -> None:
    """Everybody sits elsewhere: on the n-th seat who sat on the n-th of these.

    A post that waits for the table was made for the seat of before, hence another generation; and what was said in the
    waiting room stays who said it.
    """
    places = {before: place for place, before in enumerate(order)}
    here = seats.c.table == table
    for before, place in places.items():  # past the last number first: seats are unique
        this = update(seats).where(here, seats.c.seat == before)
        connection.execute(this.values(seat=100 + place, generation=seats.c.generation + 1))
    connection.execute(update(seats).where(here).values(seat=seats.c.seat - 100))
    said = (chat.c.table == table, chat.c.seat >= 0)
    connection.execute(update(chat).where(*said).values(seat=case(places, value=chat.c.seat)))


def dealt_clock(options: TableOptions, seats: int, now: float) -> StoreClock | None:
    """Full stores, if the table has clocks."""
    return StoreClock.dealt(options.store, options.free, seats, now) if options.store else None


async def _ask_ready(server: Server, table: Table) -> None:
    """Everybody is here: ask each of them, once."""
    if table.ready_until:
        return

    def job(connection: Connection) -> None:
        server.announce(connection, table, ALL_HERE)
        for person in people_at(table).keys() & server.reachable:
            tell(connection, person, "full", table.id, f"{server_time.now():.0f}")

    await change(server, table, job)
    table.ready_until = server_time.now() + READY_SECONDS
    server.readying.add(table.id)
    await server.peers.mention(READY, id=table.id, seats=[], until=table.ready_until)
    server.tell_seats(table)


def forget_ready(server: Server, table: Table) -> None:
    """Nobody is asked any more whether they are ready."""
    table.ready.clear()
    table.ready_until = 0.0
    server.readying.discard(table.id)


async def play_now(server: Server, person: Person, game: Game, level: str) -> Table:
    """One person against bots, at once, with three seats where the game allows it, and as it says of a first match."""
    places = 3 if 3 in game.seats else game.seats[0]
    seats = [SeatOptions("me")] + [SeatOptions("bot", bot=level) for _ in range(places - 1)]
    first = {one.name: one.said(game.first[one.name]) for one in game.variants if one.name in game.first}
    options = TableOptions({**game.proposed(), **first})
    return await open_table(server, person, await server.in_thread(NewTable, game, seats, options))


async def play_on(server: Server, person: Person, table: Table, n: int) -> Table:
    """A hot-seat table that goes on from a position. Only after the match: before, the seed is nobody's."""
    if table.status != "over":
        raise RequestError("a match can be played on from a position when it is over")
    if not 0 <= n <= table.moves:
        raise NotFound("this match has no such move")
    record = table.playing.record.until(n)
    record.result = None
    seats = [
        SeatOptions("me" if seat == 0 else "hot", name=occupant.name) for seat, occupant in enumerate(table.occupants)
    ]
    new = await server.in_thread(
        NewTable,
        table.game,
        seats,
        TableOptions(table.options.variants),
        name=table.name,
        origin=f"{table.id}/{n}",
        components=table.components_text,
    )
    return await open_table(server, person, new, record)


def known_title(id: str) -> Game:
    """A game by its id; raises NotFound."""
    try:
        return find_game(id)
    except TricliniumError:
        raise NotFound("there is no such game here") from None

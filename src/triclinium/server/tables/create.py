"""Opening a table: what is wished for, how it is stored, and the deal when the last seat is taken."""

import json
import secrets
from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, insert, select, update

from triclinium.engine.commitment import seal_of
from triclinium.engine.core.components import ComponentsFile
from triclinium.engine.core.errors import BadRecord, TricliniumError
from triclinium.engine.core.state import NOBODY
from triclinium.engine.game import Game
from triclinium.engine.match import Match
from triclinium.engine.record import Record, result_of
from triclinium.engine.registry import title as find_title
from triclinium.server import clock
from triclinium.server.bots.pool import known_bots
from triclinium.server.errors import HouseError, NotFound
from triclinium.server.house import House
from triclinium.server.people import Person
from triclinium.server.sanitize import plain_name
from triclinium.server.secret import new_code, new_match_key
from triclinium.server.storage import components as files
from triclinium.server.storage.schema import history, seats, tables
from triclinium.server.tables.moves import wake
from triclinium.server.tables.snapshots import Taken
from triclinium.server.tables.table import Table

SHOWN = ("link", "listed", "watched")
KINDS = ("me", "invite", "hot", "bot")
LONGEST = 30 * 86400
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
BOT_NAMES = ("Lucan", "Drusilla", "Tertius", "Phoebe", "Silvanus", "Junia", "Crispus", "Priscilla", "Rufus", "Lydia")


class Chair:
    """One seat as it is wished for: me, an invited person, somebody at this device, or a bot."""

    def __init__(self, kind: str, name: str = "", bot: str = "", person: int | None = None, token: str = "") -> None:
        if kind not in KINDS:
            raise HouseError("a seat is for me, for an invited person, for the hot seat or for a bot")
        if kind == "bot" and bot not in known_bots():
            raise HouseError("there is no such bot: {0}", bot[:40])
        self.kind = kind
        self.name = name
        self.bot = bot
        self.token = token  # the hash of the token of a program
        self.person = person  # an invited person who is known already: the rematch


class Wish:
    """A table as it is wished for."""

    def __init__(
        self,
        title: str,
        chairs: Sequence[Chair],
        variants: Mapping[str, str] | None = None,
        *,
        name: str = "",
        shown: str = "link",
        undo: bool = True,
        hints: bool = True,
        shuffle: bool = False,
        remind: int = 0,
        takeover: int = 0,
        origin: str = "",
        on: Game | None = None,
        components: str = "",
    ) -> None:
        """``components`` is the text of an edited file; ``on`` the title if it is at hand on its file already."""
        self.title = on or find_title(title)
        if components and on is None:
            self.title = self.title.on(ComponentsFile(components, "components.toml"))
        self.components = components
        self.chairs = chairs
        self.variants = dict(variants or {})
        self.name = plain_name(name, "")
        self.shown = shown
        self.undo = undo
        self.hints = hints
        self.shuffle = shuffle
        self.remind = remind
        self.takeover = takeover
        self.origin = origin
        if shown not in SHOWN:
            raise HouseError("a table is shown by link, listed, or watched")
        if not 0 <= remind <= LONGEST or not 0 <= takeover <= LONGEST:
            raise HouseError("a time is at most thirty days")
        if sum(chair.kind == "me" for chair in chairs) > 1:
            raise HouseError("only one seat is yours; others at this device take the hot seat")
        if {"hot", "invite"} <= {chair.kind for chair in chairs}:
            raise HouseError("with a hot seat everybody sits at this device: nobody is invited")
        check_deal(self.title, len(chairs), self.variants)


def check_deal(title: Game, places: int, variants: Mapping[str, str]) -> None:
    """Raise BadSetup unless a match can be dealt so."""
    title.deal(places, 0, title.read_variants(variants))


async def open_table(house: House, host: Person, wish: Wish, record: Record | None = None) -> Table:
    """Store a new table. It begins at once if nobody is awaited; with a record it begins in the middle."""
    now = clock.now()
    id = new_code(10).lower()
    title = wish.title
    if record is None:
        record = Record.of(title, len(wish.chairs), new_match_key(), title.choices(title.read_variants(wish.variants)))
        record.salt = secrets.token_hex(16)
        record.seal = seal_of(record.seed_text(), record.salt)
    sealed = not wish.origin  # whoever brought a record knows its cards: nothing is promised
    row = {
        "id": id,
        "code": await house.in_thread(free_code, house),
        "title": title.id,
        "rules": record.version,
        "components": title.hash,
        "name": wish.name or secrets.choice(TABLE_NAMES),
        "host": host.id,
        "variants": json.dumps(wish.variants),
        "format": record.format,
        "seed": record.seed_text(),
        "salt": record.salt if sealed else "",
        "seal": record.seal if sealed else "",
        "shown": wish.shown,
        "undo": wish.undo,
        "hints": wish.hints,
        "shuffle": wish.shuffle,
        "remind": wish.remind,
        "takeover": wish.takeover,
        "status": "waiting",
        "version": 0,
        "moves": 0,
        "who": NOBODY,
        "made": now,
        "moved": now,
        "result": "[]",
        "again": "",
        "origin": wish.origin,
        "file": title.sheet.hash if wish.components else "",
    }
    played = await house.in_thread(_moves, record, title)
    places = [_place(id, i, chair, host) for i, chair in enumerate(wish.chairs)]
    done = [
        {
            "table": id,
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
    row["version"] = row["moves"] = len(done)

    def job(connection: Connection) -> None:
        if wish.components:
            files.keep(connection, title, wish.components)
        connection.execute(insert(tables).values(**row))
        connection.execute(insert(seats), places)
        if done:
            connection.execute(insert(history), done)

    await house.store.write(job)
    table = await house.table(id)
    async with table.lock:
        await begin_if_full(house, table)
    return table


def _place(table: str, seat: int, chair: Chair, host: Person) -> dict[str, object]:
    here = chair.kind in ("me", "hot")
    otherwise = BOT_NAMES[(seat + secrets.randbelow(2) * 5) % len(BOT_NAMES)] if chair.kind == "bot" else "…"
    name = host.name if chair.kind == "me" else plain_name(chair.name, otherwise if chair.kind != "hot" else host.name)
    return {
        "table": table,
        "seat": seat,
        "kind": {"me": "person", "invite": "person"}.get(chair.kind, chair.kind),
        "person": host.id if here else chair.person,
        "name": name,
        "bot": chair.bot if chair.kind == "bot" else "",
        "taken": here or chair.kind == "bot",
        "standin": "",
        "generation": 0,
        "token": chair.token,
    }


def free_code(house: House) -> str:
    """A code that no table has."""
    while True:
        code = new_code(6)
        with house.store.reading() as connection:
            if connection.execute(select(tables.c.id).where(tables.c.code == code)).one_or_none() is None:
                return code


def _moves(record: Record, title: Game) -> list[tuple[int, str]]:
    """Each move of a record with the seat that made it; raises BadRecord."""
    match = Match.resume(record, title)
    return list(zip([mark.who for mark in match.marks], match.record.options, strict=True))


async def begin_if_full(house: House, table: Table) -> None:
    """Deal when the last seat is taken, and not before; the table's lock is held."""
    if table.status != "waiting" or not all(sitter.taken for sitter in table.sitters):
        return
    order = list(range(len(table.sitters)))
    if table.shuffle and table.version == 0:
        secrets.SystemRandom().shuffle(order)
    seated = [table.sitters[i] for i in order]
    now = clock.now()
    try:
        await house.in_thread(house.resume, table)
    except BaseException:
        house.forget(table)
        raise
    state = table.playing.state
    status = "over" if state.over else "playing"
    result = json.dumps(result_of(table.title.scores(state)) if state.over else [])
    names = tuple(sitter.name for sitter in seated)
    taken = await house.in_thread(Taken, table, table.playing, names)

    def job(connection: Connection) -> None:
        if order != sorted(order):
            for place, sitter in enumerate(seated):  # past the last number first: seats are unique
                connection.execute(
                    update(seats).where(seats.c.table == table.id, seats.c.seat == sitter.seat).values(seat=100 + place)
                )
            connection.execute(update(seats).where(seats.c.table == table.id).values(seat=seats.c.seat - 100))
        connection.execute(
            update(tables).where(tables.c.id == table.id).values(status=status, who=state.who, moved=now, result=result)
        )
        taken.write(connection)

    try:
        await house.store.write(job)
    except BaseException:
        house.forget(table)
        raise
    for place, sitter in enumerate(seated):
        sitter.seat = place
    table.sitters = seated
    taken.stored()
    table.hub.reseat()
    table.hub.begin()
    table.status = status
    table.moved = now
    table.asked_back = (table.version, None)
    house.tell(table)
    wake(house, table)


async def play_now(house: House, person: Person, title: Game, level: str) -> Table:
    """One person against bots, at once, with three seats where the title allows it."""
    places = 3 if 3 in title.seats else title.seats[0]
    chairs = [Chair("me")] + [Chair("bot", bot=level) for _ in range(places - 1)]
    return await open_table(house, person, await house.in_thread(Wish, title.id, chairs))


async def from_record(house: House, person: Person, text: str) -> Table:
    """A table that holds an uploaded match: to look at, or to play on at one device."""
    wish, record = await house.in_thread(_uploaded, house, text)
    return await open_table(house, person, wish, record)


def _uploaded(house: House, text: str) -> tuple[Wish, Record]:
    """The table that an uploaded record asks for, on an edited file if it is kept here; raises BadRecord."""
    record = Record.loads(text)
    if record.seed is None:
        raise BadRecord("the seed of this record is hidden: its match cannot be replayed")
    on, edited = _components_of(house, record)
    record.replay(title=on if edited else None)
    chairs = [Chair("me" if seat == 0 else "hot", name=f"{seat + 1}") for seat in range(record.seats)]
    return Wish(record.title, chairs, record.variants, name="", origin="record", on=on, components=edited), record


def _components_of(house: House, record: Record) -> tuple[Game, str]:
    """The title that can replay a record: on a released file, or on an edited one that is kept here, with its text."""
    try:
        return record.title_for(), ""
    except BadRecord:
        with house.store.reading() as connection:
            edited = files.with_rules(connection, record.title, record.components)
        if not edited:
            raise
        return record.title_for(find_title(record.title).on(ComponentsFile(edited, "components.toml"))), edited


async def play_on(house: House, person: Person, table: Table, n: int) -> Table:
    """A hot-seat table that goes on from a position. Only after the match: before, the seed is nobody's."""
    if table.status != "over":
        raise HouseError("a match can be played on from a position when it is over")
    if not 0 <= n <= table.moves:
        raise NotFound("this match has no such move")
    record = table.playing.record.until(n)
    record.result = None
    chairs = [Chair("me" if seat == 0 else "hot", name=sitter.name) for seat, sitter in enumerate(table.sitters)]
    origin = f"{table.id}/{n}"
    wish = await house.in_thread(
        Wish,
        table.title_id,
        chairs,
        table.variants,
        name=table.name,
        origin=origin,
        on=table.title,
        components=table.components_text,
    )
    return await open_table(house, person, wish, record)


async def rematch(house: House, person: Person, table: Table) -> Table:
    """The same table once more; the others find their seats kept for them."""
    async with table.lock:
        if table.again:
            return await house.table(table.again)
        if table.status != "over":
            raise HouseError("the match is not over yet")
        chairs = []
        for sitter in table.sitters:
            if sitter.kind == "bot" or (sitter.kind == "hot" and not sitter.taken):  # a bot has it for good
                chairs.append(Chair("bot", sitter.name, sitter.plays_by_itself))
            elif sitter.kind == "hot" and sitter.person == person.id:
                chairs.append(Chair("hot", sitter.name))
            elif sitter.person == person.id:
                chairs.append(Chair("me"))
            else:
                chairs.append(Chair("invite", sitter.name, person=sitter.person))
        wish = await house.in_thread(
            Wish,
            table.title_id,
            chairs,
            table.variants,
            name=table.name,
            shown=table.shown,
            undo=table.undo,
            hints=table.hints,
            shuffle=table.shuffle,
            remind=table.remind,
            takeover=table.takeover,
            components=table.components_text,
        )
        fresh = await open_table(house, person, wish)

        def job(connection: Connection) -> None:
            connection.execute(update(tables).where(tables.c.id == table.id).values(again=fresh.id))

        await house.store.write(job)
        table.again = fresh.id
        house.tell(table)
        return fresh


def known_title(id: str) -> Game:
    """A title by its id; raises NotFound."""
    try:
        return find_title(id)
    except TricliniumError:
        raise NotFound("there is no such game here") from None

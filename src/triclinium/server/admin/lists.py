"""Lists of all tables and people of a server, for its owner."""

from dataclasses import asdict, dataclass

from sqlalchemy import Select, func, or_, select

from triclinium.server import server_time
from triclinium.server.storage.schema import REMOVED, devices, people, seats, tables
from triclinium.server.storage.schema_admin import restraints
from triclinium.server.storage.schema_shares import programs
from triclinium.server.storage.store import Store

DAY_SECONDS = 86400.0
STATES = ("waiting", "playing", "over", "closed")


@dataclass(frozen=True, slots=True)
class AdminTableRow:
    """A row in the list of tables."""

    id: str
    game: str
    state: str
    moves: int
    made: float
    moved: float  # time of the last change
    players: int
    name: str

    @property
    def is_playing(self) -> bool:
        return self.state == "playing"

    def to_json(self) -> dict[str, object]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class AdminPersonRow:
    """A row in the list of people."""

    id: int
    name: str  # empty: the account was deleted
    made: float
    seen: float
    devices: int
    seats: int
    program: bool
    muted: float  # time at which the mute ends; 0: not muted
    banned: float  # time at which the ban ends; 0: not banned

    def to_json(self) -> dict[str, object]:
        return asdict(self)


def list_tables(
    store: Store,
    game: str,
    state: str,
    days: float,
    limit: int,
    *,
    offset: int = 0,
    newest_first: bool = False,
    id: str = "",
) -> list[AdminTableRow]:
    """Return tables, the longest unchanged first. ``days`` leaves out tables that changed within this many days."""
    player_count = (
        select(func.count()).where(seats.c.table == tables.c.id, seats.c.person.is_not(None)).scalar_subquery()
    )
    columns = (
        tables.c.id,
        tables.c.game,
        tables.c.status,
        tables.c.moves,
        tables.c.made,
        tables.c.moved,
        tables.c.name,
    )
    query: Select[tuple[object, ...]] = select(*columns, player_count.label("players")).where(
        tables.c.status != REMOVED
    )
    if game:
        query = query.where(tables.c.game == game)
    if state:
        query = query.where(tables.c.status == state)
    if id:
        query = query.where(tables.c.id == id)
    if days:
        query = query.where(tables.c.moved < server_time.now() - days * DAY_SECONDS)
    order = tables.c.moved.desc() if newest_first else tables.c.moved
    with store.read_connection() as connection:
        rows = connection.execute(query.order_by(order, tables.c.id).limit(limit).offset(offset)).mappings()
        return [
            AdminTableRow(
                row["id"],
                row["game"],
                row["status"],
                row["moves"],
                row["made"],
                row["moved"],
                row["players"],
                row["name"],
            )
            for row in rows
        ]


def list_people(
    store: Store, name: str, limit: int, *, offset: int = 0, id: int = 0, erased: bool = True
) -> list[AdminPersonRow]:
    """Return people whose name contains this text, or all, the newest first. ``erased`` includes deleted accounts."""
    device_count = (select(func.count()).where(devices.c.person == people.c.id)).scalar_subquery()
    last_seen = select(func.max(devices.c.seen)).where(devices.c.person == people.c.id).scalar_subquery()
    seat_count = select(func.count()).where(seats.c.person == people.c.id).scalar_subquery()
    bot_account_count = select(func.count()).where(programs.c.person == people.c.id).scalar_subquery()
    query = select(
        people,
        device_count.label("held"),
        last_seen.label("last"),
        seat_count.label("sat"),
        bot_account_count.label("owned"),
    )
    if id:
        query = query.where(people.c.id == id)
    if not erased:
        query = query.where(people.c.name != "")
    if name:
        like = f"%{name.lower()}%"
        query = query.where(or_(func.lower(people.c.name).like(like), people.c.name == name))
    with store.read_connection() as connection:
        rows = connection.execute(query.order_by(people.c.id.desc()).limit(limit).offset(offset)).mappings().all()
        active_bans = {
            (row.person, row.kind): row.until
            for row in connection.execute(select(restraints).where(restraints.c.until > server_time.now()))
        }
    return [
        AdminPersonRow(
            row["id"],
            row["name"],
            row["made"],
            max(row["made"], row["last"] or 0.0),
            row["held"],
            row["sat"],
            bool(row["owned"]),
            active_bans.get((row["id"], "mute"), 0.0),
            active_bans.get((row["id"], "ban"), 0.0),
        )
        for row in rows
    ]

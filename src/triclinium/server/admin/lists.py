"""Tables and people of a house, as whoever runs it may list them."""

from dataclasses import asdict, dataclass

from sqlalchemy import Select, func, or_, select

from triclinium.server import server_time
from triclinium.server.server import Server
from triclinium.server.storage.schema import REMOVED, devices, people, seats, tables
from triclinium.server.storage.schema_admin import restraints
from triclinium.server.storage.schema_shares import programs

DAY = 86400.0
STATES = ("waiting", "playing", "over", "closed")


@dataclass(frozen=True, slots=True)
class ListedTable:
    """One table."""

    id: str
    title: str
    state: str
    moves: int
    made: float
    moved: float  # when last
    players: int
    name: str

    def to_json(self) -> dict[str, object]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class ListedPerson:
    """Somebody."""

    id: int
    name: str  # empty: erased
    made: float
    seen: float
    devices: int
    seats: int
    program: bool
    muted: float  # until when; 0: not
    banned: float

    def to_json(self) -> dict[str, object]:
        return asdict(self)


def list_tables(server: Server, game: str, state: str, days: float, most: int) -> list[ListedTable]:
    """The longest untouched first. ``days``: only those where nothing has happened for so long."""
    sitting = select(func.count()).where(seats.c.table == tables.c.id, seats.c.person.is_not(None)).scalar_subquery()
    kept = (tables.c.id, tables.c.title, tables.c.status, tables.c.moves, tables.c.made, tables.c.moved, tables.c.name)
    wanted: Select[tuple[object, ...]] = select(*kept, sitting.label("players")).where(tables.c.status != REMOVED)
    if game:
        wanted = wanted.where(tables.c.title == game)
    if state:
        wanted = wanted.where(tables.c.status == state)
    if days:
        wanted = wanted.where(tables.c.moved < server_time.now() - days * DAY)
    with server.store.reading() as connection:
        rows = connection.execute(wanted.order_by(tables.c.moved).limit(most)).mappings()
        return [
            ListedTable(
                row["id"],
                row["title"],
                row["status"],
                row["moves"],
                row["made"],
                row["moved"],
                row["players"],
                row["name"],
            )
            for row in rows
        ]


def list_people(server: Server, name: str, most: int) -> list[ListedPerson]:
    """Whoever is called so, or all; those who came last first."""
    held = (select(func.count()).where(devices.c.person == people.c.id)).scalar_subquery()
    last = select(func.max(devices.c.seen)).where(devices.c.person == people.c.id).scalar_subquery()
    sat = select(func.count()).where(seats.c.person == people.c.id).scalar_subquery()
    owned = select(func.count()).where(programs.c.person == people.c.id).scalar_subquery()
    wanted = select(people, held.label("held"), last.label("last"), sat.label("sat"), owned.label("owned"))
    if name:
        like = f"%{name.lower()}%"
        wanted = wanted.where(or_(func.lower(people.c.name).like(like), people.c.name == name))
    with server.store.reading() as connection:
        rows = connection.execute(wanted.order_by(people.c.id.desc()).limit(most)).mappings().all()
        held_back = {
            (row.person, row.kind): row.until
            for row in connection.execute(select(restraints).where(restraints.c.until > server_time.now()))
        }
    return [
        ListedPerson(
            row["id"],
            row["name"],
            row["made"],
            max(row["made"], row["last"] or 0.0),
            row["held"],
            row["sat"],
            bool(row["owned"]),
            held_back.get((row["id"], "mute"), 0.0),
            held_back.get((row["id"], "ban"), 0.0),
        )
        for row in rows
    ]

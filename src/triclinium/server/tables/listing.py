"""Lists of tables, always by the page."""

import json
from dataclasses import dataclass

from sqlalchemy import Select, and_, case, exists, func, select

from triclinium.server.errors import NotAllowed
from triclinium.server.people import Person
from triclinium.server.server import Server
from triclinium.server.storage.schema import seats, tables

PAGE = 20


class Line:
    """One table in a list."""

    def __init__(self, row: dict[str, object], occupants: list[tuple[int, str, str, bool]]) -> None:
        self.id = str(row["id"])
        self.title = str(row["title"])
        self.name = str(row["name"])
        self.status = str(row["status"])
        self.moves = row["moves"]
        self.moved = row["moved"]
        self.who = row["who"]
        self.mine: set[int] = set()
        self.result: list[list[int]] = json.loads(str(row["result"]))
        self.occupants = occupants  # seat, name, kind, taken

    @property
    def free(self) -> int:
        return sum(not taken for _, _, _, taken in self.occupants)

    @property
    def winners(self) -> list[str]:
        """Who is first, of a match that is over."""
        ranks = [rank for rank, *_ in self.result]
        return [name for seat, name, _, _ in self.occupants if seat < len(ranks) and ranks[seat] == 1]

    @property
    def my_turn(self) -> bool:
        return self.status == "playing" and self.who in self.mine

    def facts(self) -> dict[str, object]:
        return {
            "id": self.id,
            "title": self.title,
            "name": self.name,
            "status": self.status,
            "moves": self.moves,
            "seats": [
                {"seat": seat, "name": name, "kind": kind, "taken": taken} for seat, name, kind, taken in self.occupants
            ],
            "my_turn": self.my_turn,
        }


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a list."""

    lines: list[Line]
    more: bool
    total: int


def tables_page(server: Server, which: str, person: Person | None, page: int, size: int = PAGE) -> Page:
    """Open tables with a free seat, running ones that may be watched, or a person's own with its turns first."""
    wanted = select(tables)
    if which == "mine":
        if person is None:
            return Page([], False, 0)
        own = and_(seats.c.table == tables.c.id, seats.c.person == person.id)
        asked = exists().where(own, seats.c.seat == tables.c.who)
        wanted = wanted.where(exists().where(own), tables.c.status != "closed").order_by(
            case((and_(tables.c.status == "playing", asked), 0), (tables.c.status != "over", 1), else_=2),
            tables.c.moved.desc(),
        )
    elif which == "open":
        wanted = wanted.where(tables.c.status == "waiting", tables.c.shown != "link").order_by(tables.c.made.desc())
    elif which == "running":
        wanted = wanted.where(tables.c.status == "playing", tables.c.shown == "watched").order_by(tables.c.moved.desc())
    else:
        raise NotAllowed("there is no such list")
    with server.store.reading() as connection:
        total = connection.execute(select(func.count()).select_from(wanted.order_by(None).subquery())).scalar_one()
        rows = [dict(row) for row in connection.execute(_cut(wanted, page, size)).mappings()]
        found = {str(row["id"]): Line({str(k): v for k, v in row.items()}, []) for row in rows[:size]}
        sitting = connection.execute(
            select(seats).where(seats.c.table.in_(list(found))).order_by(seats.c.table, seats.c.seat)
        ).mappings()
        for occupant in sitting:
            line = found[occupant["table"]]
            line.occupants.append((occupant["seat"], occupant["name"], occupant["kind"], occupant["taken"]))
            if person is not None and occupant["person"] == person.id:
                line.mine.add(occupant["seat"])
    return Page(list(found.values()), len(rows) > size, int(total))


def next_waiting(server: Server, person: Person | None, after: str) -> str | None:
    """The next table, in a circle, where this person is asked; None: no other one waits."""
    if person is None:
        return None
    asked = and_(seats.c.table == tables.c.id, seats.c.seat == tables.c.who, seats.c.person == person.id)
    waiting = select(tables.c.id).where(exists().where(asked), tables.c.status == "playing", tables.c.id != after)
    with server.store.reading() as connection:
        ids = [str(id) for id in connection.execute(waiting.order_by(tables.c.id)).scalars()]
    return next((id for id in ids if id > after), ids[0] if ids else None)


def last_variants(server: Server, person: Person | None, title: str) -> dict[str, str] | None:
    """What this person last chose otherwise than printed for this title; None: never anything."""
    if person is None:
        return None
    own = and_(tables.c.host == person.id, tables.c.title == title)
    wanted = select(tables.c.variants).where(own, tables.c.variants != "{}")
    with server.store.reading() as connection:
        found = connection.execute(wanted.order_by(tables.c.made.desc()).limit(1)).scalar_one_or_none()
    return None if found is None else {str(name): str(value) for name, value in json.loads(found).items()}


def table_by_code(server: Server, code: str) -> str | None:
    """The id of the table that people call by this code."""
    with server.store.reading() as connection:
        return connection.execute(select(tables.c.id).where(tables.c.code == code)).scalar_one_or_none()


def _cut(wanted: Select[tuple[object, ...]], page: int, size: int) -> Select[tuple[object, ...]]:
    return wanted.limit(size + 1).offset((page - 1) * size)

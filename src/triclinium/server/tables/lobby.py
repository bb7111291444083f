"""Lists of tables, in pages."""

import json
from dataclasses import dataclass

from sqlalchemy import Connection, Select, and_, case, exists, func, select

from triclinium.server import server_time
from triclinium.server.accounts.users import Person
from triclinium.server.errors import NotAllowed
from triclinium.server.storage.schema import REMOVED, departures, seats, tables
from triclinium.server.storage.schema_results import results
from triclinium.server.storage.store import Store
from triclinium.server.tables.column_values import as_float, as_int
from triclinium.server.tables.options import TableOptions
from triclinium.server.tables.rating_eligibility import RECORD
from triclinium.server.tables.results import FINISHED, LEFT

PAGE_SIZE = 20


class LobbyRow:
    """One table in a list."""

    def __init__(self, row: dict[str, object], occupants: list[tuple[int, str, str, bool]]) -> None:
        self.my_departure = ""  # the way in which the reader left the match: resigned, removed
        self.winning_seats: list[int] | None = None  # seats that won; None: no result was stored
        self.id = str(row["id"])
        self.game_id = str(row["game"])
        self.name = str(row["name"])
        self.status = str(row["status"])
        self.moves = row["moves"]
        self.moved = row["moved"]
        self.who = row["who"]
        self.practice = bool(row["practice"])
        self.origin = "" if not row["origin"] else RECORD if row["origin"] == RECORD else "match"
        self.my_seats: set[int] = set()
        self.deadlines = TableOptions(takeover=as_int(row["takeover"]), store=as_int(row["store"]))
        self.is_deal_open = as_float(row["deal_until"]) > server_time.now()
        self.result: list[list[int]] = [] if self.is_deal_open else json.loads(str(row["result"]))
        self.occupants = occupants  # one tuple for each seat: number, name, kind, taken

    @property
    def free(self) -> int:
        return sum(not taken for _, _, _, taken in self.occupants)

    @property
    def winners(self) -> list[str]:
        """The names of the winners of a finished match. Only players who played to the end can win."""
        best = self.winning_seats
        if best is None:
            best = [seat for seat, (rank, *_) in enumerate(self.result) if rank == 1]
        return [name for seat, name, _, _ in self.occupants if seat in best]

    @property
    def my_turn(self) -> bool:
        sits = [seat for seat, _, _, taken in self.occupants if taken and seat in self.my_seats]
        return self.status == "playing" and self.who in sits

    def to_json(self) -> dict[str, object]:
        return {
            "id": self.id,
            "game": self.game_id,
            "name": self.name,
            "status": self.status,
            "moves": self.moves,
            "substitute_after": self.deadlines.substitute_after,
            "remove_after": self.deadlines.remove_after,
            "seats": [
                {"seat": seat, "name": name, "kind": kind, "taken": taken} for seat, name, kind, taken in self.occupants
            ],
            "practice": self.practice,
            "origin": self.origin,
            "my_turn": self.my_turn,
            "departure": self.my_departure,
        }


@dataclass(frozen=True, slots=True)
class LobbyPage:
    """One page of a list of tables."""

    lines: list[LobbyRow]
    more: bool
    total: int


def load_tables_page(store: Store, which: str, person: Person | None, page: int, size: int = PAGE_SIZE) -> LobbyPage:
    """Return a page of tables: open ones, running ones that spectators may watch, or a person's own.

    In a person's list, the tables where it is their turn come first. Raise `NotAllowed` if there is no such list.
    """
    wanted = select(tables)
    if which == "mine":
        if person is None:
            return LobbyPage([], False, 0)
        own = select(seats.c.table).where(seats.c.person == person.id)
        gone = select(departures.c.table).where(departures.c.person == person.id, departures.c.how != LEFT)
        asked = exists().where(seats.c.table == tables.c.id, seats.c.seat == tables.c.who, seats.c.person == person.id)
        # A subquery of ids, because a condition on each table would scan all tables of the server.
        wanted = wanted.where(tables.c.id.in_(own.union(gone)), tables.c.status.not_in(("closed", REMOVED))).order_by(
            case((and_(tables.c.status == "playing", asked), 0), (tables.c.status != "over", 1), else_=2),
            tables.c.moved.desc(),
        )
    elif which == "open":
        wanted = wanted.where(tables.c.status == "waiting", tables.c.shown != "link").order_by(tables.c.made.desc())
    elif which == "running":
        wanted = wanted.where(
            tables.c.status == "playing", tables.c.shown == "watched", tables.c.deal_until <= server_time.now()
        ).order_by(tables.c.moved.desc())
    else:
        raise NotAllowed("There is no such list.")
    with store.read_connection() as connection:
        ids = wanted.with_only_columns(tables.c.id).order_by(None)
        total = connection.execute(select(func.count()).select_from(ids.subquery())).scalar_one()
        rows = [dict(row) for row in connection.execute(_select_page(wanted, page, size)).mappings()]
        rows_by_id = {str(row["id"]): LobbyRow({str(k): v for k, v in row.items()}, []) for row in rows[:size]}
        sitting = connection.execute(
            select(seats).where(seats.c.table.in_(list(rows_by_id))).order_by(seats.c.table, seats.c.seat)
        ).mappings()
        for occupant in sitting:
            line = rows_by_id[occupant["table"]]
            line.occupants.append((occupant["seat"], occupant["name"], occupant["kind"], occupant["taken"]))
            if person is not None and occupant["person"] == person.id:
                line.my_seats.add(occupant["seat"])
        _add_results(connection, rows_by_id, person)
    return LobbyPage(list(rows_by_id.values()), len(rows) > size, int(total))


def _add_results(connection: Connection, rows_by_id: dict[str, LobbyRow], person: Person | None) -> None:
    """Add the winners of finished matches, and the matches that the reader has left early."""
    over = [id for id, line in rows_by_id.items() if line.status == "over"]
    ends = select(results.c.table, results.c.seat, results.c.rank, results.c.how).where(results.c.table.in_(over))
    for row in connection.execute(ends):
        line = rows_by_id[row.table]
        line.winning_seats = line.winning_seats or []
        if row.rank == 1 and row.how == FINISHED:
            line.winning_seats.append(row.seat)
    if person is not None:
        gone = select(departures.c.table, departures.c.how).where(
            departures.c.table.in_(list(rows_by_id)), departures.c.person == person.id
        )
        for id, how in connection.execute(gone):
            rows_by_id[id].my_departure = how


def find_next_waiting_table(store: Store, person: Person | None, after: str) -> str | None:
    """Return the id of another table where it is this person's turn, or None. Repeated calls visit all of them."""
    if person is None:
        return None
    asked = and_(seats.c.table == tables.c.id, seats.c.seat == tables.c.who, seats.c.person == person.id)
    waiting = select(tables.c.id).where(exists().where(asked), tables.c.status == "playing", tables.c.id != after)
    with store.read_connection() as connection:
        ids = [str(id) for id in connection.execute(waiting.order_by(tables.c.id)).scalars()]
    return next((id for id in ids if id > after), ids[0] if ids else None)


def load_last_variants(store: Store, person: Person | None, game_id: str) -> dict[str, str] | None:
    """Return the variants that this person last chose for a game, or None if they have always played without any."""
    if person is None:
        return None
    own = and_(tables.c.host == person.id, tables.c.game == game_id)
    wanted = select(tables.c.variants).where(own, tables.c.variants != "{}")
    with store.read_connection() as connection:
        text = connection.execute(wanted.order_by(tables.c.made.desc()).limit(1)).scalar_one_or_none()
    return None if text is None else {str(name): str(value) for name, value in json.loads(text).items()}


def find_table_by_code(store: Store, code: str) -> str | None:
    """Return the id of the table with this join code, or None."""
    with store.read_connection() as connection:
        return connection.execute(select(tables.c.id).where(tables.c.code == code)).scalar_one_or_none()


def _select_page(wanted: Select[tuple[object, ...]], page: int, size: int) -> Select[tuple[object, ...]]:
    return wanted.limit(size + 1).offset((page - 1) * size)

"""Outcome of a match: the final ranks, and the players who left before the end."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection, select

from triclinium.engine.core.state import Seat
from triclinium.engine.visible_scores import VisibleScore
from triclinium.server.ratings.stats import EndedMatch, find_match
from triclinium.server.storage.schema import departures, people
from triclinium.server.storage.store import Store
from triclinium.server.tables.results import SEAT_OPENED
from triclinium.server.tables.table import Table


@dataclass(frozen=True, slots=True)
class DepartedPlayer:
    """A player who left a seat before the end."""

    seat: Seat
    name: str
    how: str  # one of: left, resigned, removed
    moves: int  # number of moves made before the departure
    total: int | None  # points of the seat at the end
    by_rule: bool  # the rules of the game ended this player's part, so that no bot took over


@dataclass(frozen=True, slots=True)
class TableOutcome:
    """The result of a finished match."""

    match: EndedMatch | None
    departed: list[DepartedPlayer]

    def with_final_ranks(self, points: Sequence[VisibleScore]) -> list[VisibleScore]:
        """Return scores with their final ranks.

        A seat whose first player has left cannot win, no matter who finishes it.
        """
        return [replace(score, rank=self._find_final_rank(score)) for score in points]

    def _find_final_rank(self, score: VisibleScore) -> int | None:
        """Return the rank of the seat's first player. A later player gets the points but no rank."""
        rows = () if self.match is None else self.match.rows
        return next((row.rank for row in rows if row.seat == score.seat), score.rank)


def load_outcome(store: Store, table: Table) -> TableOutcome:
    """Return the outcome of a table's match. For a shared copy, return that of the original."""
    table = table.original or table
    with store.read_connection() as connection:
        match = find_match(connection, table.id)
        return TableOutcome(match, [] if match is None else _load_departed(connection, table, match))


def _load_departed(connection: Connection, table: Table, match: EndedMatch) -> list[DepartedPlayer]:
    wanted = (
        select(departures, people.c.name.label("called"))
        .join(people, people.c.id == departures.c.person, isouter=True)
        .where(departures.c.table == table.id, departures.c.how != SEAT_OPENED)
        .order_by(departures.c.at)
    )
    totals = {row.seat: row.total for row in match.rows}
    return [
        DepartedPlayer(
            row.seat,
            row.called or row.name or table.occupants[row.seat].name,
            row.how,
            row.moves,
            totals.get(row.seat),
            bool(table.occupants[row.seat].taken and table.occupants[row.seat].person == row.person),
        )
        for row in connection.execute(wanted)
    ]

"""How a match ended for those who sat there: who won by what counts, and who did not play to the end."""

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
    """Somebody who got up before the end."""

    seat: Seat
    name: str
    how: str  # left, resigned, removed
    moves: int  # after so many
    total: int | None  # that the seat has made at the end
    by_rule: bool  # of the game: no bot played on


@dataclass(frozen=True, slots=True)
class TableOutcome:
    """A match that is over, as it counts."""

    match: EndedMatch | None
    departed: list[DepartedPlayer]

    def with_final_ranks(self, points: Sequence[VisibleScore]) -> list[VisibleScore]:
        """Scores with the places that count: a seat that was given up wins nothing, whoever plays it to the end."""
        return [replace(score, rank=self._find_final_rank(score)) for score in points]

    def _find_final_rank(self, score: VisibleScore) -> int | None:
        """Of whom the seat was dealt to; who took it over has its points, and no place of their own."""
        rows = () if self.match is None else self.match.rows
        return next((row.rank for row in rows if row.seat == score.seat), score.rank)


def load_outcome(store: Store, table: Table) -> TableOutcome:
    """How the match of a table ended, also of a copy of it that is shared."""
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

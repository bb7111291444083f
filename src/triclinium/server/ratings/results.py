"""How matches ended: a row for each seat, written in the same commit as the last move.

A player who left, resigned, was removed, or whose clock ran out and for whom a bot made more than a quarter of the
decisions comes last, whatever the bot made of the seat. An absent player of a match without a clock keeps the seat's
place, and nobody's rating hangs on what the substitute bot decided.
"""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select
from sqlalchemy.exc import DBAPIError

from triclinium.engine.core.state import Seat
from triclinium.engine.record import Result
from triclinium.server.ratings.rating import FULL, LOSE, NONE, owners_of, rate_match
from triclinium.server.storage.schema import departures
from triclinium.server.storage.schema_results import results
from triclinium.server.tables.rating_eligibility import marks
from triclinium.server.tables.table import MORE, HistoryRow, Occupant, Table

log = logging.getLogger("triclinium.results")
FINISHED, BROKEN, JOINED = "finished", "broken", "joined"
LEFT, RESIGNED, REMOVED = "left", "resigned", "removed"
OPENED = "opened"  # the host opened the seat of a bot, whose level is in the place of the name
OPENING = 2  # decisions
APART = "; "
AWAY = 0.25  # a player did not play the match if a bot made more than this share of the seat's decisions


@dataclass(slots=True)
class Played:
    """What one seat has done in a match."""

    own: list[str] = field(default_factory=list)  # decisions of its owner, in notation
    seconds: float = 0.0
    by_bot: int = 0

    @property
    def standin(self) -> float:
        """The share of decisions that a bot made."""
        return self.by_bot / (len(self.own) + self.by_bot) if self.by_bot else 0.0


def played(rows: Iterable[HistoryRow], seats: int) -> list[Played]:
    """What every seat has done, by the moves that stand. How long the very first took, nobody knows."""
    found = [Played() for _ in range(seats)]
    before: HistoryRow | None = None
    for row in rows:
        one = found[row.seat]
        if row.bot:
            one.by_bot += 1
        elif not row.automatic:
            one.own.append(row.option)
            if before is not None and row.kind != MORE:
                one.seconds += max(0.0, row.at - before.at)
        before = row
    return found


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who sat on a seat: at the end, or until they got up."""

    seat: Seat
    turn: int
    person: int | None
    kind: str
    name: str
    bot: str
    how: str
    timed_out: bool = False  # the clock ran out, and a bot played
    replaced: bool = False  # a substitute bot played at the end
    helped: bool = False  # by a hint or the guide


def kind_of(occupant: Occupant) -> str:
    """A person, a program, somebody at another's device, or a bot."""
    return "program" if occupant.kind == "person" and occupant.token else occupant.kind


def depart(connection: Connection, table: Table, occupant: Occupant, how: str, now: float) -> None:
    """Somebody gets up after the deal: what they get up from is theirs when the match is over."""
    if not occupant.owned:
        return
    turn = connection.execute(
        select(func.count())
        .select_from(departures)
        .where(departures.c.table == table.id, departures.c.seat == occupant.seat)
    ).scalar_one()
    connection.execute(
        insert(departures).values(
            table=table.id,
            seat=occupant.seat,
            turn=turn,
            person=_person(occupant),
            kind=kind_of(occupant),
            name="" if _person(occupant) is not None else occupant.name,
            how=how,
            moves=table.moves,
            at=now,
        )
    )


def undepart(connection: Connection, table: Table, moves: int) -> None:
    """A resignation by a rule of the game was taken back: after so many moves they play again."""
    for occupant in table.occupants:
        if occupant.owned:
            mine = (departures.c.table == table.id, departures.c.seat == occupant.seat)
            back = (departures.c.moves > moves, departures.c.how == RESIGNED)
            connection.execute(delete(departures).where(*mine, *back))


def _person(occupant: Occupant) -> int | None:
    """Whose result it is: a seat at somebody's device is nobody's but the owner's first."""
    return occupant.person if occupant.kind == "person" else None


class Ended:
    """The end of a match, to be written with the move that brought it."""

    def __init__(
        self, table: Table, rows: Sequence[HistoryRow], result: Result, at: float, stood: bool = False
    ) -> None:
        self.table = table.id
        self.title = table.title_id
        self.result = result
        self.at = at
        self.stood = stood  # it was abandoned, or ended as it stood
        self.why = next(iter(marks(table)), "")
        self.sitting = [
            (
                Sitter(
                    one.seat,
                    0,
                    _person(one),
                    kind_of(one),
                    one.name,
                    one.bot,
                    FINISHED,
                    one.timed_out,
                    bool(one.standin),
                    one.helped,
                ),
                one.taken,
            )
            for one in table.occupants
        ]
        self.played = played(rows, len(table.occupants))

    def write(self, connection: Connection) -> None:
        """Write the rows and rate the match; on the writer's thread, so that matches end one after the other."""
        if len(self.result) != len(self.sitting):
            return  # nothing is known of it
        sitters = self._sitters(connection)
        number = 1 + (connection.execute(select(func.max(results.c.number))).scalar_one() or 0)
        places = places_of(sitters, [rank for rank, _ in self.result], self.played)
        rows = [self._row(sitter, place, number) for sitter, place in zip(sitters, places, strict=True)]
        connection.execute(insert(results), rows)
        try:
            with connection.begin_nested():
                rate_match(connection, number)
        except Exception as error:
            if isinstance(error, DBAPIError) and error.connection_invalidated:
                raise  # the database has gone: nothing of the end is written, and whoever moved is told so
            # No match is kept from ending by its rating: that can be made anew.
            log.exception("match %d was not rated: `triclinium ratings rebuild` will do it", number)

    def _sitters(self, connection: Connection) -> list[Sitter]:
        rows = connection.execute(
            select(departures).where(departures.c.table == self.table).order_by(departures.c.seat, departures.c.turn)
        ).all()
        own = owners_of(connection, [one.person for one, _ in self.sitting if one.person is not None])
        taken_seats = {one.seat for one, taken in self.sitting if taken}
        gone = [_gone(row) for row in rows if row.how != OPENED or row.moves or row.seat not in taken_seats]
        for sat, taken in self.sitting:
            person = sat.person
            before = [one for one in gone if one.seat == sat.seat]
            same = bool(before) and before[-1].person == person and (person is not None or before[-1].name == sat.name)
            if (taken and not same) or not before:  # who has resigned by a rule of the game still sits there
                known = "" if person is not None else sat.name
                kind = "program" if person in own else sat.kind
                bot, how = sat.bot if kind == "bot" else "", JOINED if before else FINISHED
                gone.append(replace(sat, turn=len(before), kind=kind, name=known, bot=bot, how=how))
        return sorted(gone, key=lambda one: (one.seat, one.turn))

    def _row(self, sitter: Sitter, place: int, number: int) -> dict[str, object]:
        done = self.played[sitter.seat]
        first = sitter.turn == 0
        return {
            "table": self.table,
            "seat": sitter.seat,
            "turn": sitter.turn,
            "number": number,
            "title": self.title,
            "seats": len(self.sitting),
            "person": sitter.person,
            "kind": sitter.kind,
            "name": sitter.name,
            "bot": sitter.bot,
            "rank": place,
            "total": self.result[sitter.seat][1],
            "how": BROKEN if self.stood and sitter.how == FINISHED else sitter.how,
            "standin": 0.0 if sitter.kind == "bot" else done.standin,
            "decisions": len(done.own) if first else 0,
            "seconds": done.seconds if first else 0.0,
            "opening": APART.join(done.own[:OPENING]) if first and sitter.kind != "bot" else "",
            "unrated": BROKEN if self.stood else self.why,
            "stake": stake_of(sitter, done),
            "ended": self.at,
        }


def _gone(row: "Row[Any]") -> Sitter:
    """Return who held a seat until they left it; a bot whose seat was opened has played it to the end."""
    if row.how == OPENED:
        return Sitter(row.seat, row.turn, None, "bot", "", row.name, FINISHED)
    return Sitter(row.seat, row.turn, row.person, row.kind, row.name, "", row.how)


def places_of(sitters: Sequence[Sitter], ranks: Sequence[int], done: Sequence[Played]) -> list[int]:
    """The place of each: by rank, with those behind all others who did not play to the end."""
    keys = [_order(sitter, ranks[sitter.seat], done[sitter.seat]) for sitter in sitters]
    counted = [key for key, sitter in zip(keys, sitters, strict=True) if sitter.how != JOINED]
    return [1 + sum(other < key for other in counted) for key in keys]


def _order(sitter: Sitter, rank: int, done: Played) -> tuple[bool, int]:
    away = sitter.how not in (FINISHED, JOINED) or (sitter.timed_out and done.standin > AWAY)
    return (away, 0 if away else rank)


def stake_of(sitter: Sitter, done: Played) -> str:
    """Return what a player's rating may do after the match: see `rating.py`."""
    if sitter.kind == "bot" or sitter.how not in (FINISHED, JOINED):
        return FULL
    if not sitter.timed_out and ((sitter.replaced and done.by_bot) or done.standin > AWAY):
        return NONE
    return LOSE if sitter.helped else FULL

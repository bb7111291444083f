"""Results of matches: a row for each seat, stored in the same commit as the last move.

A player who left, resigned or was removed ranks last, no matter how the seat finished. So does a player whose clock ran
out if a bot made more than a quarter of the seat's decisions. An absent player in a match without a clock keeps the
seat's rank, but the decisions of a substitute bot change no rating.
"""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select
from sqlalchemy.exc import DBAPIError

from triclinium.engine.core.state import Seat
from triclinium.engine.record import Result
from triclinium.server.ratings.rating import FULL, LOSE, NONE, load_bot_owners, rate_match
from triclinium.server.storage.schema import departures
from triclinium.server.storage.schema_practice import review_queue
from triclinium.server.storage.schema_results import results
from triclinium.server.tables.rating_eligibility import list_noted_reasons
from triclinium.server.tables.table import CONTINUED_MOVE, HistoryRow, Occupant, Table

log = logging.getLogger("triclinium.results")
FINISHED, ABANDONED, JOINED = "finished", "abandoned", "joined"
LEFT, RESIGNED, REMOVED = "left", "resigned", "removed"
SEAT_OPENED = "opened"  # the host opened a bot's seat; the row has the bot's level in place of a name
OPENING_DECISIONS = 2  # number of a seat's first decisions that are stored
OPENING_SEPARATOR = "; "
MAX_BOT_SHARE = 0.25  # a player whose bot made a larger share of the decisions did not play the match


@dataclass(slots=True)
class SeatActivity:
    """The activity of one seat in a match."""

    own_options: list[str] = field(default_factory=list)  # decisions of the seat's owner, in notation
    seconds: float = 0.0
    bot_decisions: int = 0

    @property
    def bot_share(self) -> float:
        """The share of decisions that a bot made."""
        return self.bot_decisions / (len(self.own_options) + self.bot_decisions) if self.bot_decisions else 0.0


def summarize_activity(rows: Iterable[HistoryRow], seats: int) -> list[SeatActivity]:
    """Return the activity of every seat, from the moves that were not undone. The time of the first move is unknown."""
    activities = [SeatActivity() for _ in range(seats)]
    before: HistoryRow | None = None
    for row in rows:
        activity = activities[row.seat]
        if row.bot:
            activity.bot_decisions += 1
        elif not row.automatic:
            activity.own_options.append(row.option)
            if before is not None and row.kind != CONTINUED_MOVE:
                activity.seconds += max(0.0, row.at - before.at)
        before = row
    return activities


@dataclass(frozen=True, slots=True)
class SeatHolder:
    """A player of a seat: the one at the end, or one who left before."""

    seat: Seat
    turn: int
    person: int | None
    kind: str
    name: str
    bot: str
    how: str
    timed_out: bool = False  # the clock ran out, and a bot played
    replaced: bool = False  # a substitute bot played at the end
    helped: bool = False  # the player used a hint


def get_occupant_kind(occupant: Occupant) -> str:
    """Return the kind of a seat's player: person, program (a bot account), hot (at a shared device) or bot."""
    return "program" if occupant.kind == "person" and occupant.token else occupant.kind


def add_departure(connection: Connection, table: Table, occupant: Occupant, how: str, now: float) -> None:
    """Store that a player leaves a seat during the match. The result will have a row for them."""
    if not occupant.is_owned:
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
            person=_get_result_owner(occupant),
            kind=get_occupant_kind(occupant),
            name="" if _get_result_owner(occupant) is not None else occupant.name,
            how=how,
            moves=table.moves,
            at=now,
        )
    )


def undo_resignations(connection: Connection, table: Table, moves: int) -> None:
    """Delete the resignations after a move, because they were undone. They were made by a rule of the game."""
    for occupant in table.occupants:
        if occupant.is_owned:
            mine = (departures.c.table == table.id, departures.c.seat == occupant.seat)
            back = (departures.c.moves > moves, departures.c.how == RESIGNED)
            connection.execute(delete(departures).where(*mine, *back))


def _get_result_owner(occupant: Occupant) -> int | None:
    """Return the person who gets the seat's result. Guests at a shared device get none."""
    return occupant.person if occupant.kind == "person" else None


class FinalResults:
    """The end of a match, to be stored with its last move."""

    def __init__(
        self, table: Table, rows: Sequence[HistoryRow], result: Result, at: float, ended_early: bool = False
    ) -> None:
        self.table = table.id
        self.game_id = table.game_id
        self.result = result
        self.at = at
        self.is_deferred = table.is_deal_open  # the results are stored when the deal closes
        self.ended_early = ended_early  # the match was abandoned, or ended at its last snapshot
        self.unrated_reason = next(iter(list_noted_reasons(table)), "")
        self.seated = [
            (
                SeatHolder(
                    occupant.seat,
                    0,
                    _get_result_owner(occupant),
                    get_occupant_kind(occupant),
                    occupant.name,
                    occupant.bot,
                    FINISHED,
                    occupant.timed_out,
                    bool(occupant.substitute),
                    occupant.helped,
                ),
                occupant.taken,
            )
            for occupant in table.occupants
        ]
        self.activities = summarize_activity(rows, len(table.occupants))

    def write(self, connection: Connection) -> None:
        """Store the rows and rate the match.

        This runs on the writer's thread, so that matches end one after another.
        """
        if len(self.result) != len(self.seated) or self.is_deferred:
            return  # a match without scores has no result
        sitters = self._list_holders(connection)
        number = 1 + (connection.execute(select(func.max(results.c.number))).scalar_one() or 0)
        places = assign_places(sitters, [rank for rank, _ in self.result], self.activities)
        rows = [self._make_row(sitter, place, number) for sitter, place in zip(sitters, places, strict=True)]
        connection.execute(insert(results), rows)
        if not self.ended_early and any(sitter.kind == "person" for sitter in sitters):
            queued = connection.execute(select(review_queue.c.at).where(review_queue.c.table == self.table)).first()
            if queued is None:
                connection.execute(insert(review_queue).values(table=self.table, at=self.at))
        try:
            with connection.begin_nested():
                rate_match(connection, number)
        except Exception as error:
            if isinstance(error, DBAPIError) and error.connection_invalidated:
                raise  # if the connection is lost, the end is not stored and the player gets an error
            # A match ends even if its rating fails, because the ratings can be computed again.
            log.exception("match %d was not rated; `triclinium ratings rebuild` computes all ratings again", number)

    def write_once(self, connection: Connection) -> None:
        """Store the rows unless another server has stored them."""
        if connection.execute(select(results.c.seat).where(results.c.table == self.table)).first() is None:
            self.write(connection)

    def _list_holders(self, connection: Connection) -> list[SeatHolder]:
        rows = connection.execute(
            select(departures).where(departures.c.table == self.table).order_by(departures.c.seat, departures.c.turn)
        ).all()
        own = load_bot_owners(connection, [holder.person for holder, _ in self.seated if holder.person is not None])
        taken_seats = {holder.seat for holder, taken in self.seated if taken}
        gone = [
            _make_departed_holder(row)
            for row in rows
            if row.how != SEAT_OPENED or row.moves or row.seat not in taken_seats
        ]
        for sat, taken in self.seated:
            person = sat.person
            before = [holder for holder in gone if holder.seat == sat.seat]
            same = bool(before) and before[-1].person == person and (person is not None or before[-1].name == sat.name)
            if (taken and not same) or not before:  # a player who resigned by a rule of the game still has the seat
                name = "" if person is not None else sat.name
                kind = "program" if person in own else sat.kind
                bot, how = sat.bot if kind == "bot" else "", JOINED if before else FINISHED
                gone.append(replace(sat, turn=len(before), kind=kind, name=name, bot=bot, how=how))
        return sorted(gone, key=lambda holder: (holder.seat, holder.turn))

    def _make_row(self, sitter: SeatHolder, place: int, number: int) -> dict[str, object]:
        activity = self.activities[sitter.seat]
        first = sitter.turn == 0
        return {
            "table": self.table,
            "seat": sitter.seat,
            "turn": sitter.turn,
            "number": number,
            "game": self.game_id,
            "seats": len(self.seated),
            "person": sitter.person,
            "kind": sitter.kind,
            "name": sitter.name,
            "bot": sitter.bot,
            "rank": place,
            "total": self.result[sitter.seat][1],
            "how": ABANDONED if self.ended_early and sitter.how == FINISHED else sitter.how,
            "substitute": 0.0 if sitter.kind == "bot" else activity.bot_share,
            "decisions": len(activity.own_options) if first else 0,
            "seconds": activity.seconds if first else 0.0,
            "opening": OPENING_SEPARATOR.join(activity.own_options[:OPENING_DECISIONS])
            if first and sitter.kind != "bot"
            else "",
            "unrated": ABANDONED if self.ended_early else self.unrated_reason,
            "stake": determine_stake(sitter, activity),
            "ended": self.at,
        }


def _make_departed_holder(row: "Row[Any]") -> SeatHolder:
    """Return the player who left a seat. A bot whose seat was opened counts as having played to the end."""
    if row.how == SEAT_OPENED:
        return SeatHolder(row.seat, row.turn, None, "bot", "", row.name, FINISHED)
    return SeatHolder(row.seat, row.turn, row.person, row.kind, row.name, "", row.how)


def assign_places(sitters: Sequence[SeatHolder], ranks: Sequence[int], activities: Sequence[SeatActivity]) -> list[int]:
    """Return the final rank of each player. Players who did not play to the end rank behind all others."""
    keys = [_make_place_key(sitter, ranks[sitter.seat], activities[sitter.seat]) for sitter in sitters]
    counted = [key for key, sitter in zip(keys, sitters, strict=True) if sitter.how != JOINED]
    return [1 + sum(other < key for other in counted) for key in keys]


def _make_place_key(sitter: SeatHolder, rank: int, activity: SeatActivity) -> tuple[bool, int]:
    is_absent = sitter.how not in (FINISHED, JOINED) or (sitter.timed_out and activity.bot_share > MAX_BOT_SHARE)
    return (is_absent, 0 if is_absent else rank)


def determine_stake(sitter: SeatHolder, activity: SeatActivity) -> str:
    """Return the stake of a player, which limits the change of their rating: see `rating.py`."""
    if sitter.kind == "bot" or sitter.how not in (FINISHED, JOINED):
        return FULL
    if not sitter.timed_out and ((sitter.replaced and activity.bot_decisions) or activity.bot_share > MAX_BOT_SHARE):
        return NONE
    return LOSE if sitter.helped else FULL

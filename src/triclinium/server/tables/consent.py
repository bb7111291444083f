"""Consent of all players: to pause a live match, to go on, to abandon it. The owners of all seats are asked."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy import Connection, delete, insert, or_, select, update

from triclinium.engine.core.state import NOBODY, Seat
from triclinium.engine.core.text import msgid
from triclinium.engine.record import result_of
from triclinium.server import server_time
from triclinium.server.cluster.versioned_write import change
from triclinium.server.errors import Conflict, NotAllowed, RequestError, Stranded
from triclinium.server.ratings.results import Ended
from triclinium.server.server import BROKEN_OFF, Server
from triclinium.server.storage.schema import tables, votes
from triclinium.server.tables import timekeeping
from triclinium.server.tables.moves import check_running, wake
from triclinium.server.tables.seat_owners import is_solo, owners
from triclinium.server.tables.snapshots import Taken
from triclinium.server.tables.table import Table

PAUSE, GO_ON, BREAK_OFF = "pause", "go on", "break off"
REMOVE = "remove "  # and the number of a seat
REASSIGN = "seat "  # and the numbers of a vacated seat and of a person
LASTING = -1  # in place of a version: a vote that does not lapse when the table moves on
UNDO, AGREE = "undo", "agree"  # to take back: who asks, and who agrees
LONGEST = 720  # minutes of a pause


def asked_for(server: Server, table: Table) -> dict[str, set[Seat]]:
    """What somebody asks of the others now, and who agrees. It lapses when the table moves on."""
    if table.asked_for is None or table.asked_for[0] != table.version:
        table.asked_for = (table.version, _stored(server, table))
    return table.asked_for[1]


def _stored(server: Server, table: Table) -> dict[str, set[Seat]]:
    wanted = select(votes.c.subject, votes.c.seat).where(
        votes.c.table == table.id,
        votes.c.version.in_((table.version, LASTING)),
        votes.c.subject.not_in((UNDO, AGREE)),
    )
    found: dict[str, set[Seat]] = {}
    with server.store.reading() as connection:
        for row in connection.execute(wanted):
            found.setdefault(row.subject, set()).add(row.seat)
    return found


def voters(table: Table) -> set[Seat]:
    """Return the seats whose owners must consent, also those for whom a substitute bot plays."""
    return table.owned_seats()


def check_others(table: Table) -> None:
    """Raise Conflict if all other players have left: nobody alone decides that a match of several does not count."""
    if len(owners(table)) < 2 and not is_solo(table):
        raise Conflict("the other players have left, and the match counts: finish it, or resign")


async def pause(server: Server, table: Table, mine: tuple[Seat, ...], minutes: int) -> bool:
    """Ask for a pause, or agree to one of that length; True: it begins."""
    if not 1 <= minutes <= LONGEST:
        raise RequestError("a pause lasts 1 minute to 12 hours")
    async with voting(server, table, mine):
        if table.clock is None or table.options.slow:
            raise Conflict("only a live match with a clock can be paused")
        if table.paused_at(server_time.now()):
            raise Conflict("the match is paused")
        if not await agreed_by_all(server, table, mine, f"{PAUSE} {minutes}"):
            return False
        await _rest(server, table, server_time.now() + 60.0 * minutes, msgid("the match is paused"))
        return True


async def go_on(server: Server, table: Table, mine: tuple[Seat, ...]) -> bool:
    """Say that one is back from a pause; it ends when everybody is."""
    async with voting(server, table, mine):
        if not table.paused_at(server_time.now()):
            raise Conflict("the match is not paused")
        if not await agreed_by_all(server, table, mine, GO_ON):
            return False
        await _rest(server, table, 0.0, msgid("the match goes on"))
        wake(server, table)
        return True


async def break_off(server: Server, table: Table, mine: tuple[Seat, ...]) -> bool:
    """Ask to abandon the match, or agree; then nothing counts."""
    async with voting(server, table, mine):
        check_others(table)
        if not await agreed_by_all(server, table, mine, BREAK_OFF):
            return False
        await end(server, table, msgid("the match is abandoned, by consent of all"))
        return True


@asynccontextmanager
async def voting(server: Server, table: Table, mine: tuple[Seat, ...]) -> AsyncIterator[None]:
    """Hold the table while these seats agree to something in a match that runs.

    Raises NotAllowed for spectators, and for who held a seat when they asked and holds it no more now: whoever sits
    there meanwhile has agreed to nothing.
    """
    before = held(table, mine)
    async with table.lock:
        await server.load_match(table)
        check_running(table)
        check_held(table, mine, before)
        yield


def held(table: Table, mine: tuple[Seat, ...]) -> list[int]:
    """By which generation each of these seats is held."""
    return [table.occupants[seat].generation for seat in mine]


def check_held(table: Table, mine: tuple[Seat, ...], before: list[int]) -> None:
    """Raise NotAllowed if nobody holds any of these seats, or not who did before."""
    if not mine:
        raise NotAllowed("you do not sit at this table")
    if held(table, mine) != before:
        raise NotAllowed("that is not your seat")


async def agreed_by_all(server: Server, table: Table, mine: tuple[Seat, ...], subject: str) -> bool:
    """Store that these seats agree; return whether all do now."""
    if voters(table) <= await note(server, table, mine, subject):
        return True
    server.tell_seats(table)
    return False


async def note(server: Server, table: Table, mine: tuple[Seat, ...], subject: str) -> set[Seat]:
    """Note that these seats agree to something; all that do now."""
    now = (votes.c.table == table.id, votes.c.subject == subject)
    version = LASTING if subject.startswith(REASSIGN) else table.version

    def job(connection: Connection) -> set[Seat]:
        forget_lapsed(connection, table)
        connection.execute(delete(votes).where(*now, votes.c.seat.in_(mine)))
        for seat in mine:
            connection.execute(insert(votes).values(table=table.id, subject=subject, seat=seat, version=version))
        return set(connection.execute(select(votes.c.seat).where(*now)).scalars())

    agreed = await change(server, table, job)
    table.asked_for = None
    return agreed


def forget_lapsed(connection: Connection, table: Table) -> None:
    """Delete the votes that have lapsed since the table moved on."""
    stale = votes.c.version.not_in((table.version, LASTING))
    connection.execute(delete(votes).where(votes.c.table == table.id, stale))


def forget_proposals(connection: Connection, table: Table, seat: Seat) -> None:
    """Delete the votes about who takes a vacated seat."""
    about = votes.c.subject.startswith(f"{REASSIGN}{seat} ")
    connection.execute(delete(votes).where(votes.c.table == table.id, about))


def forget_votes(connection: Connection, table: Table, seat: Seat) -> None:
    """Delete what a seat agrees to, and what the others voted about it: somebody else holds it from now on.

    If it was this seat that asked to take back, nobody is asked for that any more.
    """
    here = votes.c.table == table.id
    asks = select(votes.c.seat).where(here, votes.c.seat == seat, votes.c.subject == UNDO)
    lapsed = [f"{REMOVE}{seat}", *((UNDO, AGREE) if connection.execute(asks).first() else ())]
    connection.execute(delete(votes).where(here, or_(votes.c.seat == seat, votes.c.subject.in_(lapsed))))
    forget_proposals(connection, table, seat)


async def _rest(server: Server, table: Table, until: float, said: str) -> None:
    """Pause until then, or go on now."""
    now = server_time.now()
    timed = timekeeping.settled(server, table, now)
    assert timed is not None
    timed = timed.at(max(now, until))

    def job(connection: Connection) -> None:
        connection.execute(update(tables).where(tables.c.id == table.id).values(paused=until))
        connection.execute(delete(votes).where(votes.c.table == table.id))
        timekeeping.write(connection, table, timed)
        server.announce(connection, table, said)

    await change(server, table, job)
    table.paused, table.clock, table.asked_for = until, timed, None
    server.tell_seats(table)


async def end(server: Server, table: Table, said: str) -> None:
    """The match is over as it stands, and counts for nothing; its lock is held."""
    now = server_time.now()
    match = table.playing
    result = result_of(table.game.scores(match.state))
    stood = Ended(table, table.history, result, now, stood=True)
    taken = await server.in_thread(Taken, table, match)
    ended = {
        "status": "over",
        "stands": True,
        "broken": True,
        "who": NOBODY,
        "moved": now,
        "result": json.dumps(result),
    }

    def job(connection: Connection) -> None:
        taken.write(connection)
        stood.write(connection)
        connection.execute(update(tables).where(tables.c.id == table.id).values(**ended))
        connection.execute(delete(votes).where(votes.c.table == table.id))
        server.announce(connection, table, said)

    await change(server, table, job)
    taken.stored()
    table.status, table.stands, table.broken = "over", True, True
    table.stranded = Stranded(BROKEN_OFF)
    table.result, table.moved, table.match = result, now, None
    server.tell(table)

"""Taking back at a table: freely while nothing was learnt, by everybody's consent, or alone and for practice."""

from sqlalchemy import Connection, bindparam, delete, insert, select

from triclinium.engine.core.state import Seat
from triclinium.server.cluster.versioned_write import change
from triclinium.server.errors import Conflict, NotAllowed, Stale
from triclinium.server.ratings.results import undepart
from triclinium.server.server import Server
from triclinium.server.storage.schema import votes
from triclinium.server.tables import timekeeping
from triclinium.server.tables.auto_replies import answers_at_once, forgetting
from triclinium.server.tables.consent import AGREE, UNDO, check_held, check_others, forget_lapsed, held
from triclinium.server.tables.moves import check_running, store, wake
from triclinium.server.tables.seat_owners import is_solo
from triclinium.server.tables.table import HistoryRow, Table

LONG = 40  # options: a longer match is replayed off the event loop
_ASKED_BACK = select(votes.c.seat).where(
    votes.c.table == bindparam("b_table"), votes.c.subject == UNDO, votes.c.version == bindparam("b_version")
)


def undo_steps(table: Table, seat: Seat) -> int:
    """How many options a plain undo takes back, to the seat's own last one; 0: it may not.

    Nothing may have been learnt since. Whoever plays against bots alone may take back their answers too; where other
    people sit, nobody takes back what they have answered to, but what was answered for them unasked goes back with it.
    """
    match = table.playing
    k = match.back_to(seat)
    if k == 0 or match.teaches(k):
        return 0
    if match.unanswered(k):
        return k
    owners = {occupant.seat: occupant.person for occupant in table.occupants if occupant.owned}
    answered = set(match.deciders()[len(match.marks) - k :]) - {seat}
    alone = len(set(owners.values())) == 1 and not answered & owners.keys()
    return k if alone else 0


def is_alone(table: Table, mine: tuple[Seat, ...]) -> bool:
    """Return whether nobody else was dealt a seat here, not even a player who has left or for whom a bot plays."""
    return is_solo(table) and table.owned_seats() <= set(mine)


def needs_practice(table: Table, mine: tuple[Seat, ...]) -> bool:
    """Whether taking back is granted to this player alone, but only for practice: something was learnt since."""
    return is_alone(table, mine) and table.playing.teaches(table.playing.back_to(_last_of(table, mine)))


async def undo(server: Server, table: Table, seat: Seat, version: int) -> None:
    """Take back to the seat's last decision, if nothing was learnt and no other player decided since."""
    generation = table.occupants[seat].generation
    async with table.lock:
        await _check(server, table, version)
        if table.occupants[seat].generation != generation:  # while this waited, the seat has changed hands
            raise NotAllowed("that is not your seat")
        k = undo_steps(table, seat)
        if k == 0:
            raise Conflict("nothing can be taken back: something was learnt since, or somebody else decided")
        await _take_back(server, table, k)


async def consent(server: Server, table: Table, mine: tuple[Seat, ...], version: int, practice: bool = False) -> bool:
    """Ask to take back more, or agree to it; done when the owner of every seat agrees.

    Whoever owns every seat need not ask. If something was learnt since, the match is practice from then on, and
    ``practice`` says that the player knows it.
    """
    before = held(table, mine)
    async with table.lock:
        await _check(server, table, version)
        check_held(table, mine, before)
        alone = is_alone(table, mine)
        asked = None if alone else await server.in_thread(asked_by, server, table)
        asking = _last_of(table, mine) if asked is None else asked
        k = table.playing.back_to(asking)
        if k == 0:
            raise Conflict("you have not decided anything yet")
        learnt = table.playing.teaches(k)
        if alone and learnt and not practice:
            raise Conflict("you have learnt something since: taking it back makes the match practice from then on")
        if not alone:
            if learnt:
                check_others(table)
            agreed = await _vote(server, table, mine, asking)
            table.asked_back = None
            if not table.owned_seats() <= agreed:
                server.tell_seats(table)
                return False
        await _take_back(server, table, k, **({"practice" if alone else "taken_back": True} if learnt else {}))
        return True


def asked_by(server: Server, table: Table) -> Seat | None:
    """The seat that asked for the undo that is being voted on."""
    if table.asked_back is None or table.asked_back[0] != table.version:
        with server.store.reading() as connection:
            row = connection.execute(_ASKED_BACK, {"b_table": table.id, "b_version": table.version}).one_or_none()
        table.asked_back = (table.version, None if row is None else int(row.seat))
    return table.asked_back[1]


async def _check(server: Server, table: Table, version: int) -> None:
    await server.load_match(table)
    check_running(table)
    if not table.options.undo:
        raise NotAllowed("this table plays without undo")
    if version != table.version:
        raise Stale("the table has moved on: look again and choose")


def _last_of(table: Table, mine: tuple[Seat, ...]) -> Seat:
    """Which of these seats decided last."""
    decided = [(k, seat) for seat in mine if (k := table.playing.back_to(seat))]
    return min(decided)[1] if decided else mine[0]


async def _vote(server: Server, table: Table, mine: tuple[Seat, ...], asking: Seat) -> set[Seat]:
    """Note that these seats agree to what one seat asks; all that do."""

    def job(connection: Connection) -> set[Seat]:
        forget_lapsed(connection, table)
        for seat in mine:
            subject = UNDO if seat == asking else AGREE
            mine_now = (votes.c.table == table.id, votes.c.subject == subject, votes.c.seat == seat)
            connection.execute(delete(votes).where(*mine_now))
            connection.execute(insert(votes).values(table=table.id, subject=subject, seat=seat, version=table.version))
        found = connection.execute(
            select(votes.c.seat).where(votes.c.table == table.id, votes.c.subject.in_((UNDO, AGREE)))
        )
        return {row.seat for row in found}

    return await change(server, table, job)


async def _take_back(server: Server, table: Table, k: int, **marks: bool) -> None:
    """Replay the shorter match once, store it, and only then put it in place of the longer one.

    Whoever goes back to a question that would be answered for them at once is asked: that wish is over.
    """
    match = table.playing
    shorter = match.earlier(k) if table.moves <= LONG else await server.in_thread(match.earlier, k)
    spent = timekeeping.Spent.now(server, table)
    done = [
        HistoryRow(table.version + i, "undo", one.seat, one.option, "", "", spent.at)
        for i, one in enumerate(reversed(table.history[-k:]), start=1)
    ]
    spared = answers_at_once(table, shorter)

    def also(connection: Connection) -> None:
        undepart(connection, table, len(shorter.record.options))
        if spared is not None:
            forgetting(table, spared)(connection)

    timed = timekeeping.stamp(table, spent, done, shorter.state.who)
    await store(server, table, shorter, done, timed, also, **marks)
    table.match = shorter
    if spared is not None:
        del table.wishes[spared.seat, spared.step]
    for one in done:
        table.taken_back(one)
    for occupant in table.occupants:
        if occupant.owned and occupant.person is not None:
            table.departed.pop(occupant.person, None)
    table.practice = table.practice or "practice" in marks
    table.taken_back_past = table.taken_back_past or "taken_back" in marks
    server.tell(table)
    wake(server, table)

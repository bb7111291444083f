"""Who somebody is at a table; sitting down, getting up, being replaced."""

from dataclasses import dataclass

from sqlalchemy import Connection, select, update

from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import msgid
from triclinium.server import server_time
from triclinium.server.accounts.users import Person
from triclinium.server.bots.pool import DEFAULT_LEVEL, list_bots
from triclinium.server.cluster.versioned_write import write_table
from triclinium.server.crypto import hash_token, make_token
from triclinium.server.errors import Conflict, NotAllowed, NotFound
from triclinium.server.notifications.triggers import get_notified_person
from triclinium.server.ratings.results import LEFT, REMOVED, add_departure
from triclinium.server.sanitize import NAME_LENGTH, fold_name
from triclinium.server.server import Server
from triclinium.server.storage.schema import seats, tables, watchers
from triclinium.server.tables import timekeeping
from triclinium.server.tables.auto_replies import delete_seat_replies
from triclinium.server.tables.consent import delete_proposals, delete_votes
from triclinium.server.tables.create import begin_if_full
from triclinium.server.tables.event_stream import EventListener
from triclinium.server.tables.moves import schedule_bot
from triclinium.server.tables.notification_jobs import WriteJob, list_other_people, make_notify_job
from triclinium.server.tables.rating_eligibility import is_open_to_people
from triclinium.server.tables.table import Occupant, Table


@dataclass(frozen=True, slots=True)
class Viewer:
    """Somebody at a table: a person with a cookie, or a program with the token of one seat."""

    person: Person | None
    own_seats: tuple[Seat, ...]  # the seats it speaks for; none: a spectator
    token: str = ""  # the hash of the seat's token
    watch_generation: int = -1  # the generation of the spectators' link that let it in; -1: none did

    def is_host(self, table: Table) -> bool:
        """Whether this is who opened the table; a program is known by the seat that it holds."""
        if self.token:
            return any(table.occupants[seat].person == table.host for seat in self.own_seats)
        return self.person is not None and self.person.id == table.host

    def make_listener(self) -> EventListener:
        """A stream that belongs to this viewer, whatever seats it will hold."""
        if self.token or self.person is None:
            listener = EventListener(token=self.token)
        else:
            listener = EventListener(self.person.id, self.person.device, link_generation=self.watch_generation)
        listener.set_seats(self.own_seats)
        return listener


def identify_viewer(
    server: Server, table: Table, person: Person | None, token: str = "", *, attended: bool = True
) -> Viewer:
    """Who is this at the table; raises NotFound where the table is not shown to it.

    ``attended``: a player looks at the page that asks, or a program asks, which is a sign of life.
    """
    if token:
        token_hash = hash_token(token)
        mine = tuple(occupant.seat for occupant in table.occupants if occupant.token and occupant.token == token_hash)
        if not mine:
            raise NotAllowed("this token belongs to no seat of this table")
        server.bans.check_not_banned(table.occupants[mine[0]].person)
        table.hub.record_activity(mine)
        return Viewer(person, mine, token_hash)
    mine = () if person is None else tuple(table.list_seats_of(person.id))
    if mine:
        if attended:
            table.hub.record_activity(mine)
        return Viewer(person, mine)
    if table.options.shown == "watched" or (person is not None and table.can_always_view(person.id)):
        return Viewer(person, ())
    if person is not None and _is_spectator(server, table, person):
        return Viewer(person, (), watch_generation=table.watch_generation)
    raise NotFound("there is no such table, or it is shown to those with its link only")


def is_spectator_only(table: Table, viewer: Viewer) -> bool:
    """Whether the spectators' link alone let somebody in, at a table that is not listed: it is no way to a seat."""
    return table.options.shown == "link" and viewer.watch_generation >= 0


def _is_spectator(server: Server, table: Table, person: Person) -> bool:
    with server.store.read_connection() as connection:
        row = connection.execute(
            select(watchers.c.person).where(watchers.c.table == table.id, watchers.c.person == person.id)
        ).one_or_none()
    return row is not None


# -- sitting down and getting up --------------------------------------------------------------------------------


async def take_seat(
    server: Server,
    table: Table,
    occupant: Occupant,
    person: Person,
    *,
    program: bool = False,
    token: str = "",
) -> str:
    """Take a free seat. A program gets the token that speaks for the seat, or has one; a person has its cookie.

    A vacated seat of a running match holds a hand: only the person takes it for whom all players agreed to keep it. The
    seat of a bot that the host opened is for a person with its link.
    """
    token = token or (make_token() if program else "")
    generation = occupant.generation
    async with table.lock:
        await server.load_match(table)
        if table.status == "closed":
            raise Conflict("this table was closed before it began")
        if table.status == "over":
            raise Conflict("the match is over")
        if occupant.taken or occupant.kind == "bot" or occupant.generation != generation:
            raise Conflict("somebody sits there already")
        is_opened = table.begun and is_open_to_people(table, occupant.seat)
        is_reserved = occupant.person == person.id
        if occupant.kind != "person" or not (is_reserved or is_opened or table.status == "waiting"):
            raise Conflict("no seat is free")
        if occupant.person is not None and occupant.person != person.id:
            raise Conflict("this seat is kept for somebody else")
        if table.list_seats_of(person.id):
            raise Conflict("you sit at this table already")
        announcement = (msgid("{0} takes the seat of {1}"), occupant.name) if table.begun else (msgid("{0} sits down"),)
        display_name = suggest_name(table, person.name) or person.name
        await _change_occupant(
            server,
            table,
            occupant,
            (announcement[0], display_name, *announcement[1:]),
            "",
            _record_reassignment(table) if table.begun and not is_opened else None,
            person=person.id,
            name=display_name,
            taken=True,
            standin="",
            generation=occupant.generation + 1,
            token=hash_token(token) if token else "",
        )
        table.reassigned = table.reassigned or (table.begun and not is_opened)
        table.opened_seats.discard(occupant.seat)
        table.hub.record_activity((occupant.seat,))
        await begin_if_full(server, table)
        broadcast_seats(server, table)
    return token


def _record_reassignment(table: Table) -> WriteJob:
    """Return what stores that a new player has taken a vacated seat, as all have agreed: the match is not rated."""

    def job(connection: Connection) -> None:
        connection.execute(update(tables).where(tables.c.id == table.id).values(reassigned=True))

    return job


def suggest_name(table: Table, name: str) -> str:
    """What somebody could be called where one sits whose name looks the same; the empty text: nobody does."""
    taken = {fold_name(occupant.name) for occupant in table.occupants if occupant.taken}
    if not name or fold_name(name) not in taken:
        return ""
    names = (f"{name[: NAME_LENGTH - 2]} {number}" for number in range(2, len(table.occupants) + 2))
    return next(name for name in names if fold_name(name) not in taken)


async def leave_seat(server: Server, table: Table, occupant: Occupant, *, before_deal: bool = False) -> None:
    """Get up, in one's own good time. ``before_deal``: the host wishes it of another, and may do so until then."""
    generation = occupant.generation
    async with table.lock:
        if table.status not in ("waiting", "playing"):
            raise Conflict("the match is over")
        # While this waited, another may have sat down there, or it was done already.
        if occupant.generation != generation or not (occupant.taken or occupant.person):
            raise Conflict("nobody sits there any more who could get up")
        if before_deal and table.status != "waiting":
            raise Conflict("the match has begun: only the others' vote takes a seat away")
        await vacate_seat(server, table, occupant)


async def vacate_seat(
    server: Server, table: Table, occupant: Occupant, how: str = LEFT, why: str = msgid("{0} leaves the table")
) -> None:
    """Before the deal the seat is free again; after it a bot plays, until all agree to give the seat to someone.

    Where people share a device, a bot takes the seat for good: whoever came by a link would sit among people who see
    one another's hands. The table's lock is held.
    """
    if occupant.kind == "bot":
        raise Conflict("a bot does not leave")
    shared = any(other.kind == "hot" for other in table.occupants)
    announcement = (why, occupant.name)
    vacated = _build_vacated_values(occupant)
    if table.status == "playing":
        kind = "hot" if shared else "person"
        notify_job = _make_departure_notice(table, occupant, how)
        await _change_occupant(
            server,
            table,
            occupant,
            announcement,
            how,
            notify_job,
            **vacated,
            kind=kind,
            taken=False,
            standin=DEFAULT_LEVEL,
        )
    elif occupant.kind == "hot":
        await _change_occupant(
            server, table, occupant, announcement, **vacated, kind="bot", bot=DEFAULT_LEVEL, taken=True
        )
        await begin_if_full(server, table)
    else:
        await free_seat(server, table, occupant, announcement[0])
    broadcast_seats(server, table)
    schedule_bot(server, table)


def _make_departure_notice(table: Table, occupant: Occupant, how: str) -> WriteJob:
    """Tell the others who has left, or whoever was removed that they were."""
    key = f"{occupant.seat}/{occupant.generation}"
    if how == REMOVED:
        return make_notify_job(table, [get_notified_person(occupant)], "removed", key)
    return make_notify_job(table, list_other_people(table, occupant), "left", key, occupant.name)


async def free_seat(server: Server, table: Table, occupant: Occupant, why: str) -> None:
    """Before the deal: whoever sat there sits there no more. The table's lock is held."""
    await _change_occupant(
        server, table, occupant, (why, occupant.name), **_build_vacated_values(occupant), taken=False, name="…"
    )
    await begin_if_full(server, table)  # nobody is asked any more whether they are ready


def _build_vacated_values(occupant: Occupant) -> dict[str, str | float | bool | None]:
    """A seat that nobody holds any more."""
    nothing = {"awaited": 0.0, "timed_out": False, "helped": False}
    return {"person": None, "generation": occupant.generation + 1, "token": "", **nothing}


async def reserve_seat(server: Server, table: Table, occupant: Occupant, person: int) -> None:
    """A free seat waits for this person, and for nobody else. The table's lock is held."""
    announcement = (msgid("the seat of {0} is kept for {1}"), occupant.name, server.people.load_name(person))
    notify_job = make_notify_job(table, [person], "handed", f"{occupant.seat}/{occupant.generation}", occupant.name)

    def write_reservation(connection: Connection) -> None:
        notify_job(connection)
        delete_proposals(connection, table, occupant.seat)

    await _change_occupant(server, table, occupant, announcement, "", write_reservation, person=person)
    broadcast_seats(server, table)


async def start_substitution(
    server: Server, table: Table, occupant: Occupant, why: str, *, timed_out: bool = False
) -> None:
    """Let a substitute bot play for an absent player until they return. The table's lock is held.

    ``timed_out``: it comes because the player's clock has run out.
    """
    if not occupant.standin and occupant.is_human:
        notify_job = make_notify_job(table, [get_notified_person(occupant)], "standin", str(table.version))
        marks = {"awaited": table.moved, "timed_out": timed_out or occupant.timed_out}
        await _change_occupant(
            server, table, occupant, (why, occupant.name), "", notify_job, standin=DEFAULT_LEVEL, **marks
        )
        broadcast_seats(server, table)
        schedule_bot(server, table)


async def end_substitution(server: Server, table: Table, occupant: Occupant) -> None:
    """The owner is back and decides again."""
    async with table.lock:
        if occupant.standin and occupant.taken:
            announcement = (msgid("{0} has returned and plays again"), occupant.name)
            await _change_occupant(server, table, occupant, announcement, standin="", awaited=0.0)
            broadcast_seats(server, table)
            schedule_bot(server, table)  # a match whose people were all away has rested


async def end_own_substitutions(server: Server, table: Table, own_seats: tuple[Seat, ...]) -> None:
    """Let the owner of these seats play again, for whom a substitute bot plays."""
    for seat in own_seats:
        if table.occupants[seat].standin:
            await end_substitution(server, table, table.occupants[seat])


async def close_table(server: Server, table: Table, is_host: bool) -> None:
    """The host gives up a table that has not begun. A match that it was to follow is told, where it is open here."""
    async with table.lock:
        if not is_host:
            raise NotAllowed("only the host may close the table")
        if table.status != "waiting":
            raise Conflict("the match has begun: it cannot be closed")

        def job(connection: Connection) -> None:
            connection.execute(update(tables).where(tables.c.id == table.id).values(status="closed"))

        await write_table(server, table, job)
        table.status = "closed"
        server.broadcast_table(table)
        for previous_table in server.list_cached_tables():
            if previous_table.rematch_id == table.id:
                server.broadcast_table(previous_table)


async def fill_with_bot(server: Server, table: Table, seat: Seat, is_host: bool, level: str) -> None:
    """The host gives a free seat to a bot."""
    async with table.lock:
        if not is_host:
            raise NotAllowed("only the host may give a seat to a bot")
        if not 0 <= seat < len(table.occupants):
            raise NotFound("there is no such seat")
        if table.status == "closed":
            raise Conflict("this table was closed before it began")
        occupant = table.occupants[seat]
        if table.status != "waiting" or occupant.taken:
            raise Conflict("somebody sits there already")
        if level not in list_bots():
            raise NotFound("there is no such bot")
        name = f"Bot {seat + 1}"
        name = suggest_name(table, name) or name
        await _change_occupant(
            server,
            table,
            occupant,
            (msgid("{0} sits down"), name),
            kind="bot",
            person=None,
            bot=level,
            name=name,
            taken=True,
            generation=occupant.generation + 1,
        )
        await begin_if_full(server, table)
        broadcast_seats(server, table)


async def _change_occupant(
    server: Server,
    table: Table,
    occupant: Occupant,
    announcement: tuple[str, ...],
    departure: str = "",
    extra_write: WriteJob | None = None,
    /,
    **values: str | float | bool | None,
) -> None:
    """Change who sits there, say so in the chat, and let every stream be asked anew who it speaks for.

    ``departure``: how somebody gets up from a match that runs; ``extra_write`` is written with it.
    """
    clock_after = timekeeping.settle_clock(server, table, server_time.now())
    if clock_after is not None and values.get("standin") == "":
        clock_after = clock_after.with_return_bonus(occupant.seat)

    def job(connection: Connection) -> None:
        if departure:
            add_departure(connection, table, occupant, departure, server_time.now())
        connection.execute(
            update(seats).where(seats.c.table == table.id, seats.c.seat == occupant.seat).values(**values)
        )
        if "generation" in values:
            delete_seat_replies(connection, table, occupant.seat)
            delete_votes(connection, table, occupant.seat)
        if clock_after is not None:
            timekeeping.write(connection, table, clock_after)
        person = values.get("person")
        server.post_system_message(
            connection, table, *announcement, newcomer=person if isinstance(person, int) else None
        )
        if extra_write is not None:
            extra_write(connection)

    await write_table(server, table, job)
    if departure:
        record_departure(table, occupant, departure)
    table.clock = clock_after
    for name, value in values.items():
        setattr(occupant, name, value)
    if "generation" in values:
        table.undo_request = table.pending_votes = None
        table.auto_replies = {key: wish for key, wish in table.auto_replies.items() if wish.seat != occupant.seat}
    table.hub.reassign_seats()
    table.logs.clear()


def record_departure(table: Table, occupant: Occupant, how: str) -> None:
    """Whoever got up may still look on."""
    if occupant.person is not None and occupant.kind == "person":
        table.departed[occupant.person] = how


def broadcast_seats(server: Server, table: Table) -> None:
    """Everybody at the table is told who sits where."""
    server.broadcast_table(table)
    server.broadcast_seats(table)
    server.schedule_presence_broadcast(table)


change_occupant = _change_occupant  # for modules that seat people by rules of their own

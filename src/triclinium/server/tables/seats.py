"""Seats of a table: viewers and their seats, joining, leaving, substitute bots."""

from dataclasses import dataclass, replace

from sqlalchemy import Connection, select, update

from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import msgid
from triclinium.server import server_time
from triclinium.server.accounts.users import Person
from triclinium.server.bots.pool import SUBSTITUTE_LEVEL, list_bots
from triclinium.server.crypto import hash_token, make_token
from triclinium.server.errors import Conflict, NotAllowed, NotFound
from triclinium.server.sanitize import NAME_LENGTH, fold_name
from triclinium.server.services import Services
from triclinium.server.storage.schema import seats, tables, watchers
from triclinium.server.storage.store import Store
from triclinium.server.tables import timekeeping
from triclinium.server.tables.announcements import store_announcement
from triclinium.server.tables.auto_replies import delete_seat_replies
from triclinium.server.tables.broadcast import broadcast_seating, broadcast_table
from triclinium.server.tables.consent import delete_proposals, delete_votes
from triclinium.server.tables.create import begin_if_full
from triclinium.server.tables.deals import check_may_sit, has_finished_deal
from triclinium.server.tables.event_stream import EventListener
from triclinium.server.tables.moves import schedule_bot
from triclinium.server.tables.notification_jobs import WriteJob, list_other_people, make_notify_job
from triclinium.server.tables.notification_triggers import get_notified_person
from triclinium.server.tables.rating_eligibility import is_open_to_people
from triclinium.server.tables.repository import TableRepository
from triclinium.server.tables.results import LEFT, REMOVED, add_departure
from triclinium.server.tables.table import LockedTable, Occupant, Table
from triclinium.server.tables.versioned_write import write_table


@dataclass(frozen=True, slots=True)
class Viewer:
    """A viewer of a table: a person with a cookie, or an API client with the token of one seat."""

    person: Person | None
    own_seats: tuple[Seat, ...]  # the viewer's seats; empty for a spectator
    token: str = ""  # hash of the seat's token
    watch_generation: int = -1  # generation of the spectators' link that was used; -1: none
    has_finished_deal: bool = False  # the person has played the table's deal to the end

    def is_host(self, table: Table) -> bool:
        """Return whether the viewer created the table. An API client counts as the owner of its seat."""
        if self.token:
            return any(table.occupants[seat].person == table.host for seat in self.own_seats)
        return self.person is not None and self.person.id == table.host

    def make_listener(self) -> EventListener:
        """Return an event stream for this viewer, whose seats can change later."""
        if self.token or self.person is None:
            listener = EventListener(token=self.token)
        else:
            listener = EventListener(
                self.person.id,
                self.person.device,
                link_generation=self.watch_generation,
                has_finished_deal=self.has_finished_deal,
            )
        listener.set_seats(self.own_seats)
        return listener


def identify_viewer(
    services: Services, table: Table, person: Person | None, token: str = "", *, attended: bool = True
) -> Viewer:
    """Return the viewer of a table. Raise `NotFound` if they may not see it, and `NotAllowed` if the token is wrong.

    ``attended`` means that the request shows a player's presence, because it comes from an open page or an API client.
    """
    if token:
        token_hash = hash_token(token)
        mine = tuple(occupant.seat for occupant in table.occupants if occupant.token and occupant.token == token_hash)
        if not mine:
            raise NotAllowed("This token does not belong to a seat at this table.")
        services.bans.check_not_banned(table.occupants[mine[0]].person)
        table.hub.record_activity(mine)
        return Viewer(person, mine, token_hash)
    mine = () if person is None else tuple(table.list_seats_of(person.id))
    if mine:
        if attended:
            table.hub.record_activity(mine)
        return Viewer(person, mine)
    finished = table.deal != "" and person is not None and has_finished_deal(services.store, table.deal, person.id)
    if table.options.shown == "watched" or (person is not None and table.can_always_view(person.id)):
        viewer = Viewer(person, ())
    elif person is not None and _is_spectator(services.store, table, person):
        viewer = Viewer(person, (), watch_generation=table.watch_generation)
    elif finished and table.status == "over":
        viewer = Viewer(person, ())
    else:
        raise NotFound("There is no such table, or only people with its link can see it.")
    if table.begun and table.is_deal_open and not finished:
        raise NotAllowed("You can watch this match after you have played the same deal to the end.")
    return replace(viewer, has_finished_deal=finished)


def is_spectator_only(table: Table, viewer: Viewer) -> bool:
    """Return whether a viewer has access only by the spectators' link of an unlisted table.

    They may not take a seat then.
    """
    return table.options.shown == "link" and viewer.watch_generation >= 0


def _is_spectator(store: Store, table: Table, person: Person) -> bool:
    with store.read_connection() as connection:
        row = connection.execute(
            select(watchers.c.person).where(watchers.c.table == table.id, watchers.c.person == person.id)
        ).one_or_none()
    return row is not None


# -- joining and leaving ----------------------------------------------------------------------------------------


async def take_seat(
    services: Services,
    table: Table,
    occupant: Occupant,
    person: Person,
    *,
    program: bool = False,
    token: str = "",
) -> str:
    """Take a free seat for a person. Return the seat's API token for a ``program``, or "" for a person.

    Before the match, any free seat can be taken. During the match, the vacated seat of a player has a hand, so it goes
    only to the person whom all players have agreed on. A bot's seat that the host has opened goes to any person with
    its link. Raise `Conflict` if the seat cannot be taken.
    """
    token = token or (make_token() if program else "")
    before = occupant
    async with services.tables.locked(table) as table:
        occupant = table.occupants[before.seat]
        if table.status == "closed":
            raise Conflict("This table was closed before the match started.")
        if table.status == "over":
            raise Conflict("The match is already over.")
        if occupant.taken or occupant.kind == "bot" or not _has_same_holder(before, occupant):
            raise Conflict("This seat is already taken.")
        is_opened = table.begun and is_open_to_people(table, occupant.seat)
        is_reserved = occupant.person == person.id
        if occupant.kind != "person" or not (is_reserved or is_opened or table.status == "waiting"):
            raise Conflict("There is no free seat.")
        if occupant.person is not None and occupant.person != person.id:
            raise Conflict("This seat is reserved for another player.")
        if table.list_seats_of(person.id):
            raise Conflict("You already have a seat at this table.")
        announcement = (
            (msgid("{0} takes the seat of {1}."), occupant.name) if table.begun else (msgid("{0} joins the table."),)
        )
        display_name = suggest_name(table, person.name) or person.name
        await _change_occupant(
            services,
            table,
            occupant,
            (announcement[0], display_name, *announcement[1:]),
            "",
            _make_seat_job(table, person, is_reassigned=table.begun and not is_opened),
            person=person.id,
            name=display_name,
            taken=True,
            substitute="",
            generation=occupant.generation + 1,
            token=hash_token(token) if token else "",
        )
        table.row = replace(
            table.row,
            reassigned=table.reassigned or (table.begun and not is_opened),
            opened_seats=table.opened_seats - {occupant.seat},
        )
        table.hub.record_activity((occupant.seat,))
        await begin_if_full(services, table)
        broadcast_seating(services.runtime, table)
    return token


def _make_seat_job(table: Table, person: Person, *, is_reassigned: bool) -> WriteJob:
    """Return a job that checks whether the person has played this deal elsewhere.

    It also stores that a new player has taken a vacated seat, which makes the match unrated.
    """

    def job(connection: Connection) -> None:
        if table.deal:
            check_may_sit(connection, table.deal, [person.id], table.id)
        if is_reassigned:
            connection.execute(update(tables).where(tables.c.id == table.id).values(reassigned=True))

    return job


def suggest_name(table: Table, name: str) -> str:
    """Return a different name for a person if another player's name looks the same, or "" if the name is free."""
    taken = {fold_name(occupant.name) for occupant in table.occupants if occupant.taken}
    if not name or fold_name(name) not in taken:
        return ""
    names = (f"{name[: NAME_LENGTH - 2]} {number}" for number in range(2, len(table.occupants) + 2))
    return next(name for name in names if fold_name(name) not in taken)


def _has_same_holder(before: Occupant, now: Occupant) -> bool:
    """Return whether the seat still has the same owner. Seats may have been shuffled since."""
    return (before.generation, before.person, before.token) == (now.generation, now.person, now.token)


async def leave_seat(services: Services, table: Table, occupant: Occupant, *, before_deal: bool = False) -> None:
    """Leave a seat. Raise `Conflict` if its owner has changed or the match is over.

    ``before_deal`` means that the host removes another player, which is possible only before the match.
    """
    before = occupant
    async with services.tables.locked(table) as table:
        occupant = table.occupants[before.seat]
        if table.status not in ("waiting", "playing"):
            raise Conflict("The match is already over.")
        # The seat may have a new owner since the request, or the same request was handled before.
        if not _has_same_holder(before, occupant) or not (occupant.taken or occupant.person):
            raise Conflict("Nobody has this seat any more.")
        if before_deal and table.status != "waiting":
            raise Conflict("The match has started. Only a vote of the other players can remove someone now.")
        await vacate_seat(services, table, occupant)


async def vacate_seat(
    services: Services,
    table: LockedTable,
    occupant: Occupant,
    how: str = LEFT,
    why: str = msgid("{0} leaves the table."),
) -> None:
    """Remove the owner of a seat. Before the match the seat becomes free. During the match a bot plays it.

    All players can later agree on a new player for it. At a shared device a bot gets the seat for good, because people
    there see each other's hands.
    """
    if occupant.kind == "bot":
        raise Conflict("A bot cannot leave its seat.")
    shared = any(other.kind == "hot" for other in table.occupants)
    announcement = (why, occupant.name)
    vacated = _build_vacated_values(occupant)
    if table.status == "playing":
        kind = "hot" if shared else "person"
        notify_job = _make_departure_notice(table, occupant, how)
        await _change_occupant(
            services,
            table,
            occupant,
            announcement,
            how,
            notify_job,
            **vacated,
            kind=kind,
            taken=False,
            substitute=SUBSTITUTE_LEVEL,
        )
    elif occupant.kind == "hot":
        await _change_occupant(
            services, table, occupant, announcement, **vacated, kind="bot", bot=SUBSTITUTE_LEVEL, taken=True
        )
        await begin_if_full(services, table)
    else:
        await free_seat(services, table, occupant, announcement[0])
    broadcast_seating(services.runtime, table)
    schedule_bot(services, table)


def _make_departure_notice(table: Table, occupant: Occupant, how: str) -> WriteJob:
    """Return a job that notifies the other players of a departure, or a removed player of the removal."""
    key = f"{occupant.seat}/{occupant.generation}"
    if how == REMOVED:
        return make_notify_job(table, [get_notified_person(occupant)], "removed", key)
    return make_notify_job(table, list_other_people(table, occupant), "left", key, occupant.name)


async def free_seat(services: Services, table: LockedTable, occupant: Occupant, why: str) -> None:
    """Make a seat free again before the match."""
    await _change_occupant(
        services, table, occupant, (why, occupant.name), **_build_vacated_values(occupant), taken=False, name="…"
    )
    await begin_if_full(services, table)  # this ends the ready check


def _build_vacated_values(occupant: Occupant) -> dict[str, str | float | bool | None]:
    """Return the columns of a seat without an owner."""
    nothing = {"awaited": 0.0, "timed_out": False, "helped": False}
    return {"person": None, "generation": occupant.generation + 1, "token": "", **nothing}


async def reserve_seat(services: Services, table: LockedTable, occupant: Occupant, person: int) -> None:
    """Reserve a free seat for a person, notify them, and delete the other proposals."""
    announcement = (msgid("The seat of {0} is reserved for {1}."), occupant.name, services.people.load_name(person))
    notify_job = make_notify_job(table, [person], "handed", f"{occupant.seat}/{occupant.generation}", occupant.name)

    def write_reservation(connection: Connection) -> None:
        notify_job(connection)
        delete_proposals(connection, table, occupant.seat)

    await _change_occupant(services, table, occupant, announcement, "", write_reservation, person=person)
    broadcast_seating(services.runtime, table)


async def start_substitution(
    services: Services, table: LockedTable, occupant: Occupant, why: str, *, timed_out: bool = False
) -> None:
    """Let a substitute bot play for an absent player until they return.

    ``timed_out`` means that the player's clock has run out.
    """
    if not occupant.substitute and occupant.is_human:
        notify_job = make_notify_job(table, [get_notified_person(occupant)], "substitute", str(table.version))
        marks = {"awaited": table.moved, "timed_out": timed_out or occupant.timed_out}
        await _change_occupant(
            services, table, occupant, (why, occupant.name), "", notify_job, substitute=SUBSTITUTE_LEVEL, **marks
        )
        broadcast_seating(services.runtime, table)
        schedule_bot(services, table)


async def end_substitution(services: Services, table: LockedTable, seat: Seat) -> None:
    """Let the owner of a seat play again instead of a substitute bot."""
    occupant = table.occupants[seat]
    if occupant.substitute and occupant.taken:
        announcement = (msgid("{0} is back and plays again."), occupant.name)
        await _change_occupant(services, table, occupant, announcement, substitute="", awaited=0.0)
        broadcast_seating(services.runtime, table)
        schedule_bot(services, table)  # the match may have waited for a player to return


async def end_own_substitutions(services: Services, table: LockedTable, own_seats: tuple[Seat, ...]) -> None:
    """Let the owner of these seats play again instead of substitute bots."""
    for seat in own_seats:
        await end_substitution(services, table, seat)


async def close_table(repository: TableRepository, table: Table, is_host: bool) -> None:
    """Close a table before its match has begun. Only the host may do this.

    If it is a rematch, the viewers of the earlier match are notified.
    """
    async with repository.locked(table) as table:
        if not is_host:
            raise NotAllowed("Only the host can close the table.")
        if table.status != "waiting":
            raise Conflict("The match has started, so the table cannot be closed any more.")

        def job(connection: Connection) -> None:
            connection.execute(update(tables).where(tables.c.id == table.id).values(status="closed"))

        await write_table(repository, table, job)
        table.set_status("closed")
        broadcast_table(table)
        closed_id = table.id
    for previous_table in repository.list_cached_tables():
        if previous_table.rematch_id == closed_id:
            async with repository.locked(previous_table) as locked:
                broadcast_table(locked)


async def fill_with_bot(services: Services, table: Table, seat: Seat, is_host: bool, level: str) -> None:
    """Give a free seat to a bot. Only the host may do this, before the match."""
    async with services.tables.locked(table) as table:
        if not is_host:
            raise NotAllowed("Only the host can give a seat to a bot.")
        if not 0 <= seat < len(table.occupants):
            raise NotFound("There is no such seat.")
        if table.status == "closed":
            raise Conflict("This table was closed before the match started.")
        occupant = table.occupants[seat]
        if table.status != "waiting" or occupant.taken:
            raise Conflict("This seat is already taken.")
        if level not in list_bots():
            raise NotFound("There is no such bot.")
        name = f"Bot {seat + 1}"
        name = suggest_name(table, name) or name
        await _change_occupant(
            services,
            table,
            occupant,
            (msgid("{0} joins the table."), name),
            kind="bot",
            person=None,
            bot=level,
            name=name,
            taken=True,
            generation=occupant.generation + 1,
        )
        await begin_if_full(services, table)
        broadcast_seating(services.runtime, table)


async def _change_occupant(
    services: Services,
    table: LockedTable,
    occupant: Occupant,
    announcement: tuple[str, ...],
    departure: str = "",
    extra_write: WriteJob | None = None,
    /,
    **values: str | float | bool | None,
) -> None:
    """Change the columns of a seat, announce it in the chat, and update the seats of all streams.

    ``departure`` is the way in which a player leaves a running match, or "". ``extra_write`` runs in the same commit.
    """
    clock_after = timekeeping.settle_clock(services.paused_time, table, server_time.now())
    if clock_after is not None and values.get("substitute") == "":
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
        store_announcement(connection, table, *announcement, newcomer=person if isinstance(person, int) else None)
        if extra_write is not None:
            extra_write(connection)

    await write_table(services.tables, table, job)
    if departure:
        table.record_departure(occupant, departure)
    table.set_clock(clock_after)
    table.update_occupant(replace(table.occupants[occupant.seat], **values))  # type: ignore[arg-type]
    if "generation" in values:
        table.caches.clear_votes()
        table.auto_replies = {key: wish for key, wish in table.auto_replies.items() if wish.seat != occupant.seat}
    table.hub.reassign_seats()
    table.caches.logs.clear()


change_occupant = _change_occupant  # public name, for modules with their own rules about seats

"""Resignation: a player leaves for good and loses. If the game has no rule for this, a bot takes the seat."""

from sqlalchemy import Connection

from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import msgid
from triclinium.server import server_time
from triclinium.server.errors import NotAllowed, StaleVersion
from triclinium.server.services import Services
from triclinium.server.tables import seats
from triclinium.server.tables.announcements import store_announcement
from triclinium.server.tables.moves import check_running, play_and_store
from triclinium.server.tables.notification_jobs import list_other_people, make_notify_job
from triclinium.server.tables.results import RESIGNED, add_departure
from triclinium.server.tables.table import LockedTable, Table

RESIGNS = msgid("{0} resigns.")


def find_resign_option(table: Table, seat: Seat) -> str:
    """Return the option with which a seat can resign by the game's rules, or "" if there is none."""
    if table.match is None:
        return ""
    return next((table.game.format_option(o) for o in table.match.state.anytime_options(seat)), "")


async def resign_seat(services: Services, table: Table, seat: Seat, version: int) -> str:
    """Resign from the match. Return the option that was played, or "" if the game has no rule for resigning.

    Raise `NotAllowed` if the seat has a new owner, and `StaleVersion` if the table has changed.
    """
    generation = table.occupants[seat].generation
    async with services.tables.locked(table) as table:
        check_running(table)
        if table.occupants[seat].generation != generation:  # the seat got a new owner while this waited for the lock
            raise NotAllowed("This is not your seat.")
        option = find_resign_option(table, seat)
        if option:
            await _play_resignation(services, table, seat, option, version)
            return option
        await seats.vacate_seat(services, table, table.occupants[seat], RESIGNED, RESIGNS)
        return ""


async def _play_resignation(services: Services, table: LockedTable, seat: Seat, option: str, version: int) -> None:
    """Resign by the rule of the game. The player keeps the seat, which has no more decisions."""
    if version != table.version:
        raise StaleVersion("The table has changed in the meantime. Please check it and choose again.")
    occupant = table.occupants[seat]

    def store_resignation(connection: Connection) -> None:
        add_departure(connection, table, occupant, RESIGNED, server_time.now())
        store_announcement(connection, table, RESIGNS, occupant.name)
        make_notify_job(
            table, list_other_people(table, occupant), "left", f"{seat}/{occupant.generation}", occupant.name
        )(connection)

    await play_and_store(services, table, seat, [option], extra_write=store_resignation)
    table.record_departure(occupant, RESIGNED)

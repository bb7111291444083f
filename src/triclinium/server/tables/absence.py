"""Absent players: the deadlines after which the others can vote to replace or remove them."""

from functools import partial
from math import ceil

from triclinium.server import server_time
from triclinium.server.accounts.paused_time import PausedTime, TimeSpan
from triclinium.server.bots.worker_queue import TaskOrigin
from triclinium.server.services import Services
from triclinium.server.tables import timekeeping
from triclinium.server.tables.table import Occupant, Table

LONG_VACATION = 10 * 86400.0  # in seconds; during a longer vacation, the others can vote for a substitute bot
PRESENT_SECONDS = 60.0  # a player whose last request is more recent counts as present
GRACE_PERIOD = 30.0  # a player who was active more recently does not count as absent


def get_bot_origin(table: Table) -> TaskOrigin:
    """Return the caller for whom the bots of a table work: its creator. Attended tables have priority."""
    return TaskOrigin(table.opener, table.host, table.id, is_attended=partial(is_attended, table))


def is_attended(table: Table) -> bool:
    """Return whether a player has the table open or has sent a request in the last minute.

    Clients without an event stream only send requests.
    """
    owned = [occupant.seat for occupant in table.occupants if occupant.is_owned and not occupant.substitute]
    return table.hub.is_attended() or any(table.hub.count_silent_seconds(seat) < PRESENT_SECONDS for seat in owned)


def _count_silent_seconds(table: Table, occupant: Occupant) -> float:
    silent = table.hub.count_silent_seconds(occupant.seat)
    return 0.0 if silent < GRACE_PERIOD else silent


def count_absent_seconds(table: Table, occupant: Occupant) -> int | None:
    """Return the whole seconds since the player was last active, or None if no player owns this seat."""
    return int(_count_silent_seconds(table, occupant)) if occupant.is_owned else None


def is_absent(table: Table, occupant: Occupant, after: int | None) -> bool:
    """Return whether a player has not been active for ``after`` seconds.

    None, for tables with clocks, is never reached.
    """
    return after is not None and _count_silent_seconds(table, occupant) >= after


def count_waiting_seconds(table: Table, occupant: Occupant) -> float:
    """Return the seconds for which an absent player has delayed the others.

    Time during other players' turns does not count. The count continues while a substitute bot plays.
    """
    since = occupant.awaited if occupant.substitute else table.moved
    return min(_count_silent_seconds(table, occupant), max(0.0, server_time.now() - since))


def count_seconds_until_substitute(services: Services, table: Table, occupant: Occupant) -> int | None:
    """Return the seconds until the others can vote for a substitute bot, 0 if they can now, or None if they cannot."""
    if not _is_held(table, occupant) or occupant.deciding_bot or occupant.seat != table.who:
        return None
    return _count_seconds_until_deadline(
        services.paused_time, table, occupant, table.options.substitute_after, vacation=True
    )


def count_seconds_until_removal(services: Services, table: Table, occupant: Occupant) -> int | None:
    """Return the seconds until the others can vote to remove a player, 0 if they can now, or None if they cannot.

    A player whose clock has run out can be removed at once. Without a clock, a day of absence is necessary.
    """
    if not _is_held(table, occupant) or occupant.kind != "person":
        return None
    if occupant.substitute and table.clock is not None:
        return 0 if occupant.timed_out else None
    if not occupant.substitute and occupant.seat != table.who:
        return None
    return _count_seconds_until_deadline(services.paused_time, table, occupant, table.options.remove_after)


def _is_held(table: Table, occupant: Occupant) -> bool:
    """Return whether a player owns this seat, and its match is running and not paused."""
    return table.status == "playing" and occupant.is_owned and not table.is_paused(server_time.now())


def _count_seconds_until_deadline(
    paused_time: PausedTime, table: Table, occupant: Occupant, after: int | None, *, vacation: bool = False
) -> int | None:
    """Return the seconds until a deadline, or None if the player is present and has time left.

    The deadline is ``after`` seconds of absence, or else the end of the player's clock. With ``vacation``, a long
    vacation ends the time on a slow clock.
    """
    if after is not None:
        left = ceil(max(0.0, after - count_waiting_seconds(table, occupant)))
    else:
        left = ceil(sum(timekeeping.compute_times_left(paused_time, table, occupant.seat)) / 1000)
        absence = find_current_vacation(paused_time, occupant) if vacation and table.options.slow else None
        if absence is not None:
            left = min(left, ceil(max(0.0, absence[0] + LONG_VACATION - server_time.now())))
    is_here = occupant.seat in table.hub.list_present_seats() and not table.options.slow
    return None if left and is_here else left


def find_current_vacation(paused_time: PausedTime, occupant: Occupant) -> TimeSpan | None:
    """Return the start and the end of a player's current vacation, or None."""
    now = server_time.now()
    return next((span for span in paused_time.get_vacations(occupant.person) if span[0] <= now < span[1]), None)


def format_clock_time(seconds: int) -> str:
    """Return a time as text: ``2:10``, or ``71 h 05 min`` for long times. The format is the same in every language."""
    hours, rest = divmod(seconds, 3600)
    if hours:
        return f"{hours} h {rest // 60:02} min"
    return f"{rest // 60}:{rest % 60:02}"

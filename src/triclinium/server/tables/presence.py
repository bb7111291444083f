"""Who is away, and for how long: what the others may do about it is told beforehand."""

from functools import partial
from math import ceil

from triclinium.server import clock
from triclinium.server.bots.turns import Origin
from triclinium.server.rests import Span
from triclinium.server.server import Server
from triclinium.server.tables import timing
from triclinium.server.tables.table import Occupant, Table

LONG_AWAY = 10 * 86400.0  # seconds after which the others need not wait for somebody who said that they are away
PRESENT = 60.0  # seconds since the last request of a player who is taken to be at the table
JUST_NOW = 30.0  # seconds: who showed a sign of life so lately is not called absent


def bot_origin(table: Table) -> Origin:
    """Return for whom the bots of a table work: its opener, and whether a person is at the table."""
    return Origin(table.opener, table.host, table.id, attended=partial(is_attended, table))


def is_attended(table: Table) -> bool:
    """Return whether a person has the table open, or has played there a moment ago: some pages hold no stream."""
    owned = [one.seat for one in table.occupants if one.owned and not one.standin]
    return table.hub.attended() or any(table.hub.silent(seat) < PRESENT for seat in owned)


def patience(server: Server, table: Table) -> float:
    """Seconds without a sign of life before somebody may be voted out: the table's deadline, or the server's time."""
    return float(table.options.takeover) or server.settings.vote_after


def _silent(server: Server, table: Table, occupant: Occupant) -> float:
    silent = table.hub.silent(occupant.seat)
    return 0.0 if silent < min(JUST_NOW, patience(server, table) / 6) else silent


def absent_for(server: Server, table: Table, occupant: Occupant) -> int | None:
    """Whole seconds since the player's last sign of life; None: nobody holds this seat."""
    return int(_silent(server, table, occupant)) if occupant.owned else None


def may_be_voted_in(server: Server, table: Table, occupant: Occupant) -> int | None:
    """Seconds until the others may vote a bot into this seat; 0: now; None: there is nothing to vote on."""
    awaited = table.status == "playing" and occupant.owned and not occupant.plays_by_itself
    if not awaited or table.paused_at(clock.now()):
        return None
    timed = _timed_wait(server, table, occupant)
    if timed == 0 or (table.options.slow and timed is not None):
        return timed
    if occupant.seat in table.hub.here() or table.options.slow:
        return None
    return ceil(max(0.0, patience(server, table) - _silent(server, table, occupant)))


def _timed_wait(server: Server, table: Table, occupant: Occupant) -> int | None:
    """Seconds until an asked player has no time left, or has been away for long; None: nothing of that is in sight."""
    if table.clock is None or occupant.seat != table.who:
        return None
    left = ceil(sum(timing.rest(server, table, occupant.seat)) / 1000)
    away = away_now(server, occupant) if table.options.slow else None
    return left if away is None else min(left, ceil(max(0.0, away[0] + LONG_AWAY - clock.now())))


def away_now(server: Server, occupant: Occupant) -> Span | None:
    """Since and until when a player is away who has said so."""
    now = clock.now()
    return next((span for span in server.rests.of(occupant.person) if span[0] <= now < span[1]), None)


def span(seconds: int) -> str:
    """``2:10``, or for long times ``71 h 05 min``; the same in every language."""
    hours, rest = divmod(seconds, 3600)
    if hours:
        return f"{hours} h {rest // 60:02} min"
    return f"{rest // 60}:{rest % 60:02}"

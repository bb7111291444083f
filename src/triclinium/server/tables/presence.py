"""Who is away, and for how long: what the others may do about it is told beforehand."""

from math import ceil

from triclinium.server.server import Server
from triclinium.server.tables.table import Occupant, Table

JUST_NOW = 30.0  # seconds: who showed a sign of life so lately is not called absent


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
    if not awaited or occupant.seat in table.hub.here():
        return None
    return ceil(max(0.0, patience(server, table) - _silent(server, table, occupant)))


def span(seconds: int) -> str:
    """``2:10``, or for long times ``71 h 05 min``; the same in every language."""
    hours, rest = divmod(seconds, 3600)
    if hours:
        return f"{hours} h {rest // 60:02} min"
    return f"{rest // 60}:{rest % 60:02}"

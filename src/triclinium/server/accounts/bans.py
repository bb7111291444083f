"""Bans and mutes. A muted person cannot write; a banned person cannot use the server."""

import datetime

from sqlalchemy import Connection, delete, insert, select

from triclinium.engine.core.text import msgid
from triclinium.server import server_time
from triclinium.server.errors import NotAllowed
from triclinium.server.storage.schema_admin import restraints
from triclinium.server.storage.schema_shares import programs

MUTE, BAN = "mute", "ban"
MUTED = msgid("You cannot write messages on this server until {0}.")
BANNED = msgid("You are banned from this server until {0}.")


class ActiveBans:
    """A cache of all bans and mutes. A bot account has those of its owner."""

    def __init__(self) -> None:
        self._end_times: dict[tuple[str, int], float] = {}

    def read(self, connection: Connection) -> None:
        """Load the stored bans and mutes, at the start and after a change."""
        end_times = {(row.kind, row.person): row.until for row in connection.execute(select(restraints))}
        owned = connection.execute(select(programs.c.person, programs.c.owner)).all() if end_times else []
        for row in owned:
            for kind in (MUTE, BAN):
                if (kind, row.owner) in end_times:
                    end_times[kind, row.person] = end_times[kind, row.owner]
        self._end_times = end_times

    def get_end_time(self, kind: str, person: int | None) -> float:
        """Return when a ban or mute ends, or 0 if there is none."""
        end = self._end_times.get((kind, person), 0.0) if self._end_times and person is not None else 0.0
        return end if end > server_time.now() else 0.0

    def check_not_muted(self, person: int | None) -> None:
        """Raise `NotAllowed` if a person is muted."""
        end = self.get_end_time(MUTE, person)
        if end:
            raise NotAllowed(MUTED, format_utc(end))

    def check_not_banned(self, person: int | None) -> None:
        """Raise `NotAllowed` if a person is banned."""
        end = self.get_end_time(BAN, person)
        if end:
            raise NotAllowed(BANNED, format_utc(end))


def format_utc(then: float) -> str:
    """Return a time as text in UTC, which readers in every time zone understand."""
    return datetime.datetime.fromtimestamp(then, datetime.UTC).strftime("%Y-%m-%d %H:%M UTC")


def store_ban(connection: Connection, person: int, kind: str, until: float) -> None:
    """Ban or mute a person until a time, instead of any earlier ban or mute of that kind; 0 lifts it."""
    connection.execute(delete(restraints).where(restraints.c.person == person, restraints.c.kind == kind))
    if until:
        row = {"person": person, "kind": kind, "until": until, "made": server_time.now()}
        connection.execute(insert(restraints).values(**row))

"""When a message is sent: after a while, again before a deadline, and not in quiet hours.

All of it is arithmetic on the server's clock and somebody's time zone; summer time begins and ends by the zone's rules.
"""

import datetime
import re
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

FIRST: Final = 120.0  # seconds until somebody who is not here is told that it is their turn
LONG: Final = 6 * 3600.0  # a table whose clock runs longer is a slow one
BEFORE: Final = 6 * 3600.0  # before the end of a long time somebody is told again
GATHERED: Final = 300.0  # seconds in which talk, or the turns of several tables, become one message
DIGEST_LATE: Final = 2 * 3600.0  # a house that was closed at that hour makes up for it so long
HOURS = re.compile(r"([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)")
ZONE = re.compile(r"[A-Za-z0-9_+/-]{1,64}")


def is_live(store: float) -> bool:
    """Whether a seat that has so many seconds to decide plays at a live table; 0: there is no clock."""
    return 0.0 < store < LONG


def turn_messages(now: float, store: float) -> list[tuple[str, float]]:
    """The kinds and times at which somebody is told, who has been asked now and has so many seconds; 0: no clock."""
    first = [("turn", now + FIRST)]
    if store <= 0.0:
        return first
    again = store / 2 if is_live(store) else store - max(BEFORE, store / 4)
    return first + ([("again", now + again)] if again > FIRST else [])


@lru_cache(500)
def zone_of(name: str) -> datetime.tzinfo:
    """The zone of this name, or UTC where there is none such."""
    if ZONE.fullmatch(name):
        try:
            return ZoneInfo(name)
        except (KeyError, ValueError, OSError):  # unknown, a path, a folder
            return datetime.UTC
    return datetime.UTC


def quiet_until(now: float, zone: str, quiet: str) -> float | None:
    """When the quiet hours end in which this moment lies; None: it lies in none. ``quiet``: ``22:30-08:00``."""
    found = HOURS.fullmatch(quiet)
    if found is None:
        return None
    begin, end = (datetime.time(int(found[n]), int(found[n + 1])) for n in (1, 3))
    there = datetime.datetime.fromtimestamp(now, zone_of(zone))
    at = there.time()
    if not (begin <= at < end if begin <= end else at >= begin or at < end):
        return None
    day = there.date() + datetime.timedelta(days=0 if at < end else 1)
    return datetime.datetime.combine(day, end, zone_of(zone)).timestamp()


def digest_day(now: float, zone: str, minutes: int) -> str | None:
    """The day whose message is due, by its date; None: it is too early, or long past."""
    there = datetime.datetime.fromtimestamp(now, zone_of(zone))
    hour = datetime.datetime.combine(there.date(), datetime.time(*divmod(minutes % 1440, 60)), zone_of(zone))
    late = now - hour.timestamp()
    return there.date().isoformat() if 0.0 <= late < DIGEST_LATE else None

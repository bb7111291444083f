"""When a message is sent: after a while, again before a deadline, and not in quiet hours.

All of it is arithmetic on the server's clock and somebody's time zone; summer time begins and ends by the zone's rules.
"""

import datetime
import re
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

FIRST_DELAY: Final = 120.0  # seconds until somebody who is not here is told that it is their turn
SLOW_TABLE_SECONDS: Final = 6 * 3600.0  # a table whose clock runs longer is a slow one
REMINDER_LEAD: Final = 6 * 3600.0  # before the end of a long time somebody is told again
GATHER_SECONDS: Final = 300.0  # seconds in which talk, or the turns of several tables, become one message
MAX_DIGEST_DELAY: Final = 2 * 3600.0  # a house that was closed at that hour makes up for it so long
HOURS_PATTERN = re.compile(r"([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)")
ZONE_PATTERN = re.compile(r"[A-Za-z0-9_+/-]{1,64}")


def is_live_limit(time_limit: float) -> bool:
    """Whether a seat that has so many seconds to decide plays at a live table; 0: there is no clock."""
    return 0.0 < time_limit < SLOW_TABLE_SECONDS


def schedule_turn_messages(now: float, time_limit: float) -> list[tuple[str, float]]:
    """The kinds and times at which somebody is told, who has been asked now and has so many seconds; 0: no clock."""
    first = [("turn", now + FIRST_DELAY)]
    if time_limit <= 0.0:
        return first
    reminder = time_limit / 2 if is_live_limit(time_limit) else time_limit - max(REMINDER_LEAD, time_limit / 4)
    return first + ([("again", now + reminder)] if reminder > FIRST_DELAY else [])


@lru_cache(500)
def load_zone(name: str) -> datetime.tzinfo:
    """The zone of this name, or UTC where there is none such."""
    if ZONE_PATTERN.fullmatch(name):
        try:
            return ZoneInfo(name)
        except (KeyError, ValueError, OSError):  # unknown, a path, a folder
            return datetime.UTC
    return datetime.UTC


def find_quiet_end(now: float, zone: str, quiet: str) -> float | None:
    """When the quiet hours end in which this moment lies; None: it lies in none. ``quiet``: ``22:30-08:00``."""
    match = HOURS_PATTERN.fullmatch(quiet)
    if match is None:
        return None
    begin, end = (datetime.time(int(match[n]), int(match[n + 1])) for n in (1, 3))
    there = datetime.datetime.fromtimestamp(now, load_zone(zone))
    at = there.time()
    if not (begin <= at < end if begin <= end else at >= begin or at < end):
        return None
    day = there.date() + datetime.timedelta(days=0 if at < end else 1)
    return datetime.datetime.combine(day, end, load_zone(zone)).timestamp()


def find_digest_day(now: float, zone: str, minutes: int) -> str | None:
    """The day whose message is due, by its date; None: it is too early, or long past."""
    there = datetime.datetime.fromtimestamp(now, load_zone(zone))
    hour = datetime.datetime.combine(there.date(), datetime.time(*divmod(minutes % 1440, 60)), load_zone(zone))
    late = now - hour.timestamp()
    return there.date().isoformat() if 0.0 <= late < MAX_DIGEST_DELAY else None

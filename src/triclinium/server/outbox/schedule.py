"""Schedule of messages: after a delay, again before a deadline, and never in quiet hours.

The functions compute with the server's clock and a person's time zone, including daylight saving time.
"""

import datetime
import re
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

FIRST_DELAY: Final = 120.0  # seconds until an absent player is notified of their turn
SLOW_TABLE_SECONDS: Final = 6 * 3600.0  # a table with at least this thinking time is slow
REMINDER_LEAD: Final = 6 * 3600.0  # a reminder at a slow table comes at least this many seconds before the end
GATHER_SECONDS: Final = 300.0  # seconds in which chat, or turns at several tables, are combined in one message
MAX_DIGEST_DELAY: Final = 2 * 3600.0  # seconds for which a digest is still sent late, after the server was down
HOURS_PATTERN = re.compile(r"([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)")
ZONE_PATTERN = re.compile(r"[A-Za-z0-9_+/-]{1,64}")


def is_live_limit(time_limit: float) -> bool:
    """Return whether a seat with this many seconds to decide plays at a live table; 0 means no clock."""
    return 0.0 < time_limit < SLOW_TABLE_SECONDS


def schedule_turn_messages(now: float, time_limit: float) -> list[tuple[str, float]]:
    """Return the kinds and times of the messages to a player whose turn begins now.

    ``time_limit`` is the number of seconds until their time runs out, or 0 without a clock.
    """
    first = [("turn", now + FIRST_DELAY)]
    if time_limit <= 0.0:
        return first
    reminder = time_limit / 2 if is_live_limit(time_limit) else time_limit - max(REMINDER_LEAD, time_limit / 4)
    return first + ([("reminder", now + reminder)] if reminder > FIRST_DELAY else [])


@lru_cache(500)
def load_zone(name: str) -> datetime.tzinfo:
    """Return the time zone of this name, or UTC if there is none."""
    if ZONE_PATTERN.fullmatch(name):
        try:
            return ZoneInfo(name)
        except (KeyError, ValueError, OSError):  # an unknown name, a path or a folder
            return datetime.UTC
    return datetime.UTC


def find_quiet_end(now: float, zone: str, quiet: str) -> float | None:
    """Return the end of the quiet hours at this time, or None outside of them. ``quiet`` is like ``22:30-08:00``."""
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
    """Return the date whose digest is due, or None if it is too early or too late for one."""
    there = datetime.datetime.fromtimestamp(now, load_zone(zone))
    hour = datetime.datetime.combine(there.date(), datetime.time(*divmod(minutes % 1440, 60)), load_zone(zone))
    late = now - hour.timestamp()
    return there.date().isoformat() if 0.0 <= late < MAX_DIGEST_DELAY else None

"""Dates and times on pages, in the reader's own time zone.

The script of every page stores the time zone in a cookie. Before that, and for readers without script, times are in UTC
and say so; the script then converts those that have `data-utc`.
"""

import datetime
import re
from functools import lru_cache
from zoneinfo import ZoneInfo

from babel.dates import format_date, format_time, get_datetime_format
from markupsafe import Markup, escape

from triclinium.web.i18n import load_babel_locale

ZONE_COOKIE = "zone"
PLACEHOLDER = "\N{OBJECT REPLACEMENT CHARACTER}"  # marks the place of the time in a sentence
ZONE_NAME = re.compile(r"[A-Za-z0-9_+/-]{1,64}")


@lru_cache(500)
def find_zone(cookie: str) -> ZoneInfo | None:
    """Return the time zone with this name, or None if this machine does not know it."""
    if ZONE_NAME.fullmatch(cookie):
        try:
            return ZoneInfo(cookie)
        except (KeyError, ValueError, OSError):  # an unknown name, a path, or a folder
            return None
    return None


def format_utc_date(then: float, language: str) -> str:
    """Return the day in words in UTC, for a picture."""
    return format_date(datetime.datetime.fromtimestamp(then, datetime.UTC), "long", locale=load_babel_locale(language))


class DateFormatter:
    """A formatter of dates and times for one reader."""

    def __init__(self, language: str, cookie: str) -> None:
        self.language = language
        self.zone = find_zone(cookie)

    def time_of_day(self, then: float) -> Markup:
        """Return the time of day."""
        return self._format("clock", then)

    def date_and_time(self, then: float) -> Markup:
        """Return the day and the time."""
        return self._format("day", then)

    def date(self, then: float) -> Markup:
        """Return the day."""
        return self._format("date", then)

    def insert_date_and_time(self, sentence: str, then: float) -> Markup:
        """Return a sentence with the day and the time in place of its placeholder."""
        return Markup(escape(sentence).replace(PLACEHOLDER, self.date_and_time(then)))

    def insert_date(self, sentence: str, then: float) -> Markup:
        """Return a sentence with the day in place of its placeholder."""
        return Markup(escape(sentence).replace(PLACEHOLDER, self.date(then)))

    @property
    def placeholder(self) -> str:
        """Return the text that marks the place of the time in a sentence."""
        return PLACEHOLDER

    def _format(self, style: str, then: float) -> Markup:
        return format_moment(self.language, self.zone, style, then)


@lru_cache(5_000)
def format_moment(language: str, zone: ZoneInfo | None, style: str, then: float) -> Markup:
    """Return a moment in one of the styles. Results are cached, because the page of a table repeats them."""
    locale = load_babel_locale(language)
    moment = datetime.datetime.fromtimestamp(then, datetime.UTC)
    local_moment = moment if zone is None else moment.astimezone(zone)
    day = format_date(local_moment, "medium", locale=locale)
    if style == "date":
        return Markup('<time datetime="{}">{}</time>').format(local_moment.date().isoformat(), day)
    text = format_time(moment, "short", zone, locale=locale)
    if style == "day":  # This style has the day and the time to the minute. Babel has no style for that.
        text = str(get_datetime_format("medium", locale=locale)).replace("'", "").format(text, day)
    exact = moment.strftime("%Y-%m-%dT%H:%M:%SZ")
    if zone is None:
        return Markup('<time datetime="{}" data-utc="{}">{} UTC</time>').format(exact, style, text)
    return Markup('<time datetime="{}">{}</time>').format(exact, text)

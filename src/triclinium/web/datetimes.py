"""Times on pages, in the reader's own time zone.

The script of every page tells the zone in a cookie. Until it has, and for whoever has no script, times are in UTC and
say so; the script writes those anew (`data-utc`).
"""

import datetime
import re
from functools import lru_cache
from zoneinfo import ZoneInfo

from babel.dates import format_date, format_time, get_datetime_format
from markupsafe import Markup, escape

from triclinium.web.i18n import babel_locale

COOKIE = "zone"
HERE = "\N{OBJECT REPLACEMENT CHARACTER}"  # where a sentence has its time
NAME = re.compile(r"[A-Za-z0-9_+/-]{1,64}")


@lru_cache(500)
def zone_of(cookie: str) -> ZoneInfo | None:
    """The zone of this name; None: there is none, or this machine does not know its rules."""
    if NAME.fullmatch(cookie):
        try:
            return ZoneInfo(cookie)
        except (KeyError, ValueError, OSError):  # unknown, a path, a folder
            return None
    return None


def plain_date(then: float, language: str) -> str:
    """The day in words, for a picture; by the clock of nobody."""
    return format_date(datetime.datetime.fromtimestamp(then, datetime.UTC), "long", locale=babel_locale(language))


class When:
    """Tells one reader when something was."""

    def __init__(self, language: str, cookie: str) -> None:
        self.language = language
        self.zone = zone_of(cookie)

    def clock(self, then: float) -> Markup:
        """The time of day."""
        return self._told("clock", then)

    def day(self, then: float) -> Markup:
        """The day and the time."""
        return self._told("day", then)

    def date(self, then: float) -> Markup:
        """The day alone."""
        return self._told("date", then)

    def day_in(self, sentence: str, then: float) -> Markup:
        """A sentence with the day and the time in the place that is kept for it."""
        return Markup(escape(sentence).replace(HERE, self.day(then)))

    def in_words(self, sentence: str, then: float) -> Markup:
        """A sentence with the day alone in that place."""
        return Markup(escape(sentence).replace(HERE, self.date(then)))

    @property
    def here(self) -> str:
        """What keeps a place in a sentence."""
        return HERE

    def _told(self, form: str, then: float) -> Markup:
        return told(self.language, self.zone, form, then)


@lru_cache(5_000)
def told(language: str, zone: ZoneInfo | None, form: str, then: float) -> Markup:
    """A moment in one of the forms. A table says the same ones at every move."""
    locale = babel_locale(language)
    moment = datetime.datetime.fromtimestamp(then, datetime.UTC)
    there = moment if zone is None else moment.astimezone(zone)
    day = format_date(there, "medium", locale=locale)
    if form == "date":
        return Markup('<time datetime="{}">{}</time>').format(there.date().isoformat(), day)
    text = format_time(moment, "short", zone, locale=locale)
    if form == "day":  # to the minute, which babel's own forms are not
        text = str(get_datetime_format("medium", locale=locale)).replace("'", "").format(text, day)
    exact = moment.strftime("%Y-%m-%dT%H:%M:%SZ")
    if zone is None:
        return Markup('<time datetime="{}" data-utc="{}">{} UTC</time>').format(exact, form, text)
    return Markup('<time datetime="{}">{}</time>').format(exact, text)

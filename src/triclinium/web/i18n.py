"""The server's own sentences in the reader's language."""

import datetime
from functools import cache, lru_cache
from pathlib import Path

from babel import Locale, UnknownLocaleError
from babel.dates import format_timedelta
from babel.numbers import format_decimal, format_percent
from markupsafe import Markup

from triclinium.engine.core.text import Arg, Message, Name, format_change, msgid
from triclinium.engine.game import Game
from triclinium.engine.game_text import GameText, create_reader
from triclinium.engine.rule_numbers import fill_numbers
from triclinium.engine.visible_scores import VisibleNumber, format_number
from triclinium.i18n.catalog import Domain, list_languages

MAX_CACHED_SENTENCES = 5_000  # a full cache is cleared
WEB_DOMAIN = Domain("web", Path(__file__).parent / "locale")


class CachedReader:
    """A reader of a language that caches its sentences, because pages repeat the same ones."""

    def __init__(self, language: str, words: GameText | None) -> None:
        self.words = words  # The words are kept alive, so that no other object gets the same id.
        self.reader = create_reader(language, words, WEB_DOMAIN)
        self.read = lru_cache(MAX_CACHED_SENTENCES)(self._read)

    def _read(self, text: str, *args: str | int | Name) -> str:
        return self.reader.read(Message(text, *args))


_cached_readers: dict[tuple[str, int], CachedReader] = {}
MAX_READERS = 100  # the number of cached readers


def get_cached_reader(language: str, words: GameText | None) -> CachedReader:
    """Return the cached reader of a language, with the texts of a game if they are given."""
    cached = _cached_readers.get((language, id(words)))
    if cached is None:
        if len(_cached_readers) >= MAX_READERS:  # each edited version of a game has texts of its own
            _cached_readers.clear()
        cached = _cached_readers[language, id(words)] = CachedReader(language, words)
    return cached


class Localizer:
    """A translator of sentences and formatter of numbers for one reader."""

    def __init__(self, language: str, words: GameText | None = None) -> None:
        """Create a localizer. ``words`` are the texts of a game, for the sentences of its own templates."""
        self.language = language
        cached = get_cached_reader(language, words)
        self.reader = cached.reader
        self._read = cached.read

    def __call__(self, text: str, *args: str | int | Name) -> str:
        """Return a sentence of the server. The English template is translated and filled with the arguments."""
        if not args:
            return self.reader.translate(text)
        # The result of a macro is already escaped, and the whole sentence will be escaped. So mark the result as safe.
        return self._read(text, *[arg.unescape() if isinstance(arg, Markup) else arg for arg in args])

    def name(self, name: Arg, game: Game | None = None) -> str:
        """Return a name, translated by the catalogue of its game."""
        return (
            self.reader.format_arg(name)
            if game is None
            else get_cached_reader(self.language, game.words).reader.format_arg(name)
        )

    def numbered(self, name: Arg, game: Game) -> str:
        """Return a text of a game, with the numbers of its components filled in."""
        return fill_numbers(self.name(name, game), game, self.language)

    def points(self, value: VisibleNumber) -> str:
        """Return points for display: ``41``, ``41–52``, or a question mark."""
        return format_number(value, self.reader)

    def points_aloud(self, value: VisibleNumber) -> str:
        """Return points for a screen reader, which does not read a dash aloud."""
        if value is None:
            return self(msgid("unknown"))
        return self(msgid("between {0} and {1}"), *value) if isinstance(value, tuple) else str(value)

    def percent(self, n: int) -> str:
        """Return ``62%``, with the sign where the language puts it, never on the next line."""
        return format_percent(n / 100, locale=load_babel_locale(self.language)).replace(
            "\N{NARROW NO-BREAK SPACE}", "\N{NO-BREAK SPACE}"
        )

    def number(self, n: int) -> str:
        """Return a number as the language writes it, for instance ``1,742``."""
        return format_decimal(n, locale=load_babel_locale(self.language))

    def signed_number(self, n: int) -> str:
        """Return a number with its sign: ``+18``, ``−3``."""
        return format_change(n) if n else "±0"

    def short_duration(self, seconds: float) -> str:
        """Return a duration in short: ``34 s``, ``3 min``, ``2 h 11 min``."""
        whole = round(seconds)
        if whole < 90:
            return self(msgid("{0} s"), whole)
        if whole < 5400:
            return self(msgid("{0} min"), round(whole / 60))
        return self(msgid("{0} h {1} min"), whole // 3600, whole % 3600 // 60)

    def time_ago(self, then: float, now: float) -> str:
        """Return how long ago a moment was: ``3 hours ago``."""
        passed = datetime.timedelta(seconds=min(0.0, then - now))
        return format_timedelta(passed, add_direction=True, locale=load_babel_locale(self.language))


def choose_language(cookie: str, accepted: str) -> str:
    """Return the language that the reader has chosen, or the first language of the browser that we support."""
    supported = list_languages()
    if cookie in supported:
        return cookie
    for part in accepted.lower().split(","):
        code = part.split(";")[0].strip()[:2]
        if code in supported:
            return code
    return supported[0]


@cache
def load_babel_locale(language: str) -> Locale:
    """Return Babel's data about a language, or about English if Babel does not know the language."""
    try:
        return Locale.parse(language)
    except (UnknownLocaleError, ValueError):
        return Locale.parse("en")


@cache
def list_languages_by_name() -> tuple[tuple[str, str], ...]:
    """Return every language with its own name for itself: ``fr``, ``Français``."""
    return tuple((code, (load_babel_locale(code).display_name or code).capitalize()) for code in list_languages())

"""The server's own sentences, in the reader's language."""

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
from triclinium.engine.visible_scores import VisibleNumber, format_number
from triclinium.i18n.catalog import Domain, list_languages

MAX_CACHED_SENTENCES = 5_000  # sentences
WEB_DOMAIN = Domain("web", Path(__file__).parent / "locale")


class CachedReader:
    """A reader of a language, and what it has been given to read before: pages say the same again and again."""

    def __init__(self, language: str, words: GameText | None) -> None:
        self.words = words  # held, so that its identity stays its own
        self.reader = create_reader(language, words, WEB_DOMAIN)
        self.read = lru_cache(MAX_CACHED_SENTENCES)(self._read)

    def _read(self, text: str, *args: str | int | Name) -> str:
        return self.reader.read(Message(text, *args))


_cached_readers: dict[tuple[str, int], CachedReader] = {}
MAX_READERS = 100  # that readers are kept of


def get_cached_reader(language: str, words: GameText | None) -> CachedReader:
    """The one for this language and the words of this game."""
    cached = _cached_readers.get((language, id(words)))
    if cached is None:
        if len(_cached_readers) >= MAX_READERS:  # a game on an edited file has words of its own
            _cached_readers.clear()
        cached = _cached_readers[language, id(words)] = CachedReader(language, words)
    return cached


class Localizer:
    """Speaks to one reader."""

    def __init__(self, language: str, words: GameText | None = None) -> None:
        """``words``: those of a game, for the sentences of its own templates."""
        self.language = language
        cached = get_cached_reader(language, words)
        self.reader = cached.reader
        self._read = cached.read

    def __call__(self, text: str, *args: str | int | Name) -> str:
        """A sentence of the server: an English template and what fills it."""
        if not args:
            return self.reader.translate(text)
        # What a macro made is escaped already, and the sentence will be: it is put in as it reads.
        return self._read(text, *[arg.unescape() if isinstance(arg, Markup) else arg for arg in args])

    def name(self, name: Arg, game: Game | None = None) -> str:
        """A name, translated by the game whose name it is."""
        return (
            self.reader.format_arg(name)
            if game is None
            else get_cached_reader(self.language, game.words).reader.format_arg(name)
        )

    def points(self, value: VisibleNumber) -> str:
        """``41``, ``41–52``, or a question mark, for the eye."""
        return format_number(value, self.reader)

    def points_aloud(self, value: VisibleNumber) -> str:
        """The same, for the ear: a dash is not read out."""
        if value is None:
            return self(msgid("not known"))
        return self(msgid("between {0} and {1}"), *value) if isinstance(value, tuple) else str(value)

    def percent(self, n: int) -> str:
        """``62%``, with the sign where the language puts it, never on the next line."""
        return format_percent(n / 100, locale=load_babel_locale(self.language)).replace(
            "\N{NARROW NO-BREAK SPACE}", "\N{NO-BREAK SPACE}"
        )

    def number(self, n: int) -> str:
        """``1,742``, as the language writes it."""
        return format_decimal(n, locale=load_babel_locale(self.language))

    def signed_number(self, n: int) -> str:
        """``+18``, ``−3``."""
        return format_change(n) if n else "±0"

    def short_duration(self, seconds: float) -> str:
        """``34 s``, ``3 min``, ``2 h 11 min``."""
        whole = round(seconds)
        if whole < 90:
            return self(msgid("{0} s"), whole)
        if whole < 5400:
            return self(msgid("{0} min"), round(whole / 60))
        return self(msgid("{0} h {1} min"), whole // 3600, whole % 3600 // 60)

    def time_ago(self, then: float, now: float) -> str:
        """``3 hours ago``."""
        passed = datetime.timedelta(seconds=min(0.0, then - now))
        return format_timedelta(passed, add_direction=True, locale=load_babel_locale(self.language))


def choose_language(cookie: str, accepted: str) -> str:
    """The reader's own choice, or the first language of the browser that the server speaks."""
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
    """What Babel knows of a language; of one that it does not know, as much as of English."""
    try:
        return Locale.parse(language)
    except (UnknownLocaleError, ValueError):
        return Locale.parse("en")


@cache
def list_languages_by_name() -> tuple[tuple[str, str], ...]:
    """Every language and what it calls itself: ``fr``, ``Français``."""
    return tuple((code, (load_babel_locale(code).display_name or code).capitalize()) for code in list_languages())

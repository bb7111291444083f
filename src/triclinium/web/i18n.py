"""The server's own sentences, in the reader's language."""

import datetime
from functools import cache, lru_cache
from pathlib import Path

from babel import Locale, UnknownLocaleError
from babel.dates import format_timedelta
from babel.numbers import format_decimal, format_percent
from markupsafe import Markup

from triclinium.engine.core.text import Arg, Message, Name, change, msgid
from triclinium.engine.game import Game
from triclinium.engine.game_text import Words, reader_of
from triclinium.engine.visible_scores import Known, said
from triclinium.i18n.catalog import Domain, languages

KEPT = 5_000  # sentences
WEB = Domain("web", Path(__file__).parent / "locale")


class Spoken:
    """A reader of a language, and what it has been given to read before: pages say the same again and again."""

    def __init__(self, language: str, words: Words | None) -> None:
        self.words = words  # held, so that its identity stays its own
        self.reader = reader_of(language, words, WEB)
        self.read = lru_cache(KEPT)(self._read)

    def _read(self, text: str, *args: str | int | Name) -> str:
        return self.reader.read(Message(text, *args))


_spoken: dict[tuple[str, int], Spoken] = {}
GAMES = 100  # that readers are kept of


def spoken(language: str, words: Words | None) -> Spoken:
    """The one for this language and the words of this game."""
    found = _spoken.get((language, id(words)))
    if found is None:
        if len(_spoken) >= GAMES:  # a game on an edited file has words of its own
            _spoken.clear()
        found = _spoken[language, id(words)] = Spoken(language, words)
    return found


class Speech:
    """Speaks to one reader."""

    def __init__(self, language: str, words: Words | None = None) -> None:
        """``words``: those of a game, for the sentences of its own templates."""
        self.language = language
        found = spoken(language, words)
        self.reader = found.reader
        self._read = found.read

    def __call__(self, text: str, *args: str | int | Name) -> str:
        """A sentence of the server: an English template and what fills it."""
        if not args:
            return self.reader.translate(text)
        # What a macro made is escaped already, and the sentence will be: it is put in as it reads.
        return self._read(text, *[arg.unescape() if isinstance(arg, Markup) else arg for arg in args])

    def name(self, name: Arg, game: Game | None = None) -> str:
        """A name, translated by the game whose name it is."""
        return self.reader.say(name) if game is None else spoken(self.language, game.words).reader.say(name)

    def points(self, value: Known) -> str:
        """``41``, ``41–52``, or a question mark, for the eye."""
        return said(value, self.reader)

    def points_aloud(self, value: Known) -> str:
        """The same, for the ear: a dash is not read out."""
        if value is None:
            return self(msgid("not known"))
        return self(msgid("between {0} and {1}"), *value) if isinstance(value, tuple) else str(value)

    def percent(self, n: int) -> str:
        """``62%``, with the sign where the language puts it, never on the next line."""
        return format_percent(n / 100, locale=babel_locale(self.language)).replace(
            "\N{NARROW NO-BREAK SPACE}", "\N{NO-BREAK SPACE}"
        )

    def number(self, n: int) -> str:
        """``1,742``, as the language writes it."""
        return format_decimal(n, locale=babel_locale(self.language))

    def change(self, n: int) -> str:
        """``+18``, ``−3``."""
        return change(n) if n else "±0"

    def span(self, seconds: float) -> str:
        """``34 s``, ``3 min``, ``2 h 11 min``."""
        whole = round(seconds)
        if whole < 90:
            return self(msgid("{0} s"), whole)
        if whole < 5400:
            return self(msgid("{0} min"), round(whole / 60))
        return self(msgid("{0} h {1} min"), whole // 3600, whole % 3600 // 60)

    def ago(self, then: float, now: float) -> str:
        """``3 hours ago``."""
        passed = datetime.timedelta(seconds=min(0.0, then - now))
        return format_timedelta(passed, add_direction=True, locale=babel_locale(self.language))


def language_of(cookie: str, accepted: str) -> str:
    """The reader's own choice, or the first language of the browser that the server speaks."""
    known = languages()
    if cookie in known:
        return cookie
    for part in accepted.lower().split(","):
        found = part.split(";")[0].strip()[:2]
        if found in known:
            return found
    return known[0]


@cache
def babel_locale(language: str) -> Locale:
    """What Babel knows of a language; of one that it does not know, as much as of English."""
    try:
        return Locale.parse(language)
    except (UnknownLocaleError, ValueError):
        return Locale.parse("en")


@cache
def languages_by_name() -> tuple[tuple[str, str], ...]:
    """Every language and what it calls itself: ``fr``, ``Français``."""
    return tuple((one, (babel_locale(one).display_name or one).capitalize()) for one in languages())

"""The house's own sentences, in the reader's language."""

import datetime
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path

from babel.dates import format_timedelta

from triclinium.engine.core.components import read_catalogue
from triclinium.engine.core.text import LANGUAGES, Message, Name, Reader
from triclinium.engine.visible import Known, said
from triclinium.engine.words import HOUSE_FRENCH

KEPT = 5_000  # sentences


@cache
def catalogue(language: str) -> dict[str, str]:
    """The translations of the house's sentences."""
    if language != "fr":
        return {}
    return {**HOUSE_FRENCH, **read_catalogue(Path(__file__).parent / "french.toml")}


class Spoken:
    """A reader of a language, and what it has been given to read before: pages say the same again and again."""

    def __init__(self, language: str, title: Mapping[str, str] | None) -> None:
        self.title = title  # held, so that its identity stays its own
        own = catalogue(language)
        self.reader = Reader(language, own if title is None or language != "fr" else {**title, **own})
        self.read = lru_cache(KEPT)(self._read)

    def _read(self, text: str, *args: str | int | Name) -> str:
        named = [arg if isinstance(arg, (int, Name)) else Name(arg) for arg in args]
        return self.reader.read(Message(text, *named))


_spoken: dict[tuple[str, int], Spoken] = {}
CATALOGUES = 100  # of titles, that readers are kept of


def spoken(language: str, title: Mapping[str, str] | None) -> Spoken:
    """The one for this language and this title's catalogue."""
    found = _spoken.get((language, id(title)))
    if found is None:
        if len(_spoken) >= CATALOGUES:  # a title on an edited file has a catalogue of its own
            _spoken.clear()
        found = _spoken[language, id(title)] = Spoken(language, title)
    return found


class Speech:
    """Speaks to one reader."""

    def __init__(self, language: str, title: Mapping[str, str] | None = None) -> None:
        """``title``: the catalogue of a title, for the sentences of its own templates."""
        self.language = language
        found = spoken(language, title)
        self.reader = found.reader
        self._read = found.read

    def __call__(self, text: str, *args: str | int | Name) -> str:
        """A sentence of the house: an English template and what fills it."""
        if not args:
            return self.reader.translate(text)
        return self._read(text, *args)

    def name(self, name: Name) -> str:
        return name.inn(self.language)

    def points(self, value: Known) -> str:
        """``41``, ``41–52``, or a question mark, for the eye."""
        return said(value, self.reader)

    def points_aloud(self, value: Known) -> str:
        """The same, for the ear: a dash is not read out."""
        if value is None:
            return self("not known")
        return self("between {0} and {1}", *value) if isinstance(value, tuple) else str(value)

    def percent(self, n: int) -> str:
        """``62%``; a French sign stands apart, but never on the next line."""
        return f"{n}\N{NO-BREAK SPACE}%" if self.language == "fr" else f"{n}%"

    def ago(self, then: float, now: float) -> str:
        """``3 hours ago``."""
        passed = datetime.timedelta(seconds=min(0.0, then - now))
        return format_timedelta(passed, add_direction=True, locale=self.language)


def language_of(cookie: str, accepted: str) -> str:
    """The reader's own choice, or the first language of the browser that the house speaks."""
    if cookie in LANGUAGES:
        return cookie
    for part in accepted.lower().split(","):
        found = part.split(";")[0].strip()[:2]
        if found in LANGUAGES:
            return found
    return LANGUAGES[0]

"""What a report says, in every language at once: a text is a function of its reader."""

from collections.abc import Callable, Sequence
from html import escape
from math import isinf
from pathlib import Path
from typing import TypeAlias

from triclinium.engine.core.text import Arg, Message, Name, Reader
from triclinium.engine.game import Game
from triclinium.i18n.catalog import Domain, catalog, languages
from triclinium.lab.study.statistics import Estimate

LAB = Domain("lab", Path(__file__).parent.parent / "locale")
NARROW = "\N{NARROW NO-BREAK SPACE}"
NO_BREAK = "\N{NO-BREAK SPACE}"
MINUS = "\N{MINUS SIGN}"

Text: TypeAlias = Callable[[Reader], str]
Sayable: TypeAlias = "Text | Arg"


def _(text: str, *args: Sayable) -> Text:
    """A sentence of the report, to be translated; its holes are filled in the same language."""
    return lambda reader: reader.read(Message(text, *(say(arg, reader) for arg in args)))


def counted(text: str, number: int, *args: Sayable) -> Text:
    """A sentence in which a number chooses a form, ``{0:deal|deals}``; ``{1}`` is the number as it is read."""

    def read(reader: Reader) -> str:
        told = [count(number)(reader), *(say(arg, reader) for arg in args)]
        return reader.read(Message(text, number, *told))

    return read


def say(what: Sayable, reader: Reader) -> str:
    return what(reader) if callable(what) else reader.say(what)


def count(number: float) -> Text:
    """``1,234``"""
    return decimal(number, 0)


def decimal(number: float, digits: int, sign: bool = False) -> Text:
    """A number as a language writes it."""

    def read(reader: Reader) -> str:
        text = "∞" if isinf(number) else f"{abs(number):,.{digits}f}"
        if reader.language != "en":
            text = text.replace(",", NARROW).replace(".", ",")
        before = MINUS if number < 0 and text.strip("0.,") else "+" if sign and text.strip("0.,") else ""
        return before + text

    return read


def percent(share: float, digits: int = 1, sign: bool = False) -> Text:
    """``27.0 %``"""
    number = decimal(100 * share, digits, sign)
    return lambda reader: f"{number(reader)}{NO_BREAK}%"


def to(low: Text, high: Text) -> Text:
    """``23 to 31``"""
    return _("{0} to {1}", low, high)


def interval(estimate: Estimate, share: bool, digits: int, sign: bool = False) -> Text:
    """The bounds of an estimate, shares in hundredths."""
    times = 100 if share else 1
    low, high = (decimal(times * bound, digits, sign) for bound in (estimate.low, estimate.high))
    return to(low, high)


def share_text(estimate: Estimate, digits: int = 0) -> Text:
    """``61% (95% CI 56-65%, n = 400)``"""
    shares = (decimal(100 * share, digits) for share in estimate[:3])
    return _("{0}% (95% CI {1}-{2}%, n = {3})", *shares, count(estimate.n))


def joined(parts: Sequence[Sayable]) -> Text:
    """``a, b and c``"""

    def read(reader: Reader) -> str:
        told = [say(part, reader) for part in parts]
        if len(told) < 2:
            return "".join(told)
        return f"{', '.join(told[:-1])} {reader.translate('and')} {told[-1]}"

    return read


def listing(parts: Sequence[Sayable]) -> Text:
    """``a and b; c``"""
    return lambda reader: f"{'' if reader.language == 'en' else NARROW}; ".join(say(part, reader) for part in parts)


class Page:
    """Puts texts into a page that speaks every language; a style sheet shows one of them."""

    def __init__(self, game: Game) -> None:
        domains = (LAB,) if game.words.domain is None else (game.words.domain, LAB)
        found = {language: catalog(language, *domains) for language in languages()}
        self.readers = [
            Reader(language, one.messages, (), one.plural, game.words.name_of) for language, one in found.items()
        ]
        self.game = game

    def t(self, what: Sayable, tag: str = "span") -> str:
        """A text in all languages; once, where all say the same."""
        told = [say(what, reader) for reader in self.readers]
        if len(set(told)) == 1:
            return escape(told[0])
        pairs = zip(self.readers, told, strict=True)
        return "".join(f'<{tag} lang="{reader.language}">{escape(text)}</{tag}>' for reader, text in pairs)

    def svg(self, what: Sayable) -> str:
        """The same inside a drawing."""
        return self.t(what, "tspan")

    def p(self, what: Sayable, kind: str = "") -> str:
        return f'<p class="{kind}">{self.t(what)}</p>' if kind else f"<p>{self.t(what)}</p>"


def name(text: str) -> Name:
    """A word that is said as it is."""
    return Name(text)

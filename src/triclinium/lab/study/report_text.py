"""Texts of a report in every language at once. A text is a function of its reader."""

import re
from collections.abc import Callable, Mapping, Sequence
from math import isinf
from pathlib import Path
from typing import TypeAlias

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup, escape

from triclinium.engine.core.text import Arg, JoinedList, Message, Name, Reader
from triclinium.engine.game import Game
from triclinium.engine.game_text import create_reader
from triclinium.i18n.catalog import Domain, list_languages
from triclinium.i18n.po import unwrap_text
from triclinium.lab.study.statistics import Estimate

LAB_DOMAIN = Domain("lab", Path(__file__).parent.parent / "locale")
TEMPLATES = Path(__file__).parent.parent / "templates"
INDENTATION = re.compile(r"^[ \t]+", re.MULTILINE)
NARROW_SPACE = "\N{NARROW NO-BREAK SPACE}"
NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"
MINUS_SIGN = "\N{MINUS SIGN}"

Text: TypeAlias = Callable[[Reader], str]
TextLike: TypeAlias = "Text | Arg"


def make_lab_reader(game: Game, language: str) -> Reader:
    """Return a reader of the lab's sentences and of a game's names."""
    return create_reader(language, game.words, LAB_DOMAIN)


def _(text: str, *args: TextLike) -> Text:
    """Return a sentence to be translated. Its placeholders are filled in the same language."""

    def read(reader: Reader) -> str:
        filled = [arg if isinstance(arg, int) else render_text(arg, reader) for arg in args]
        return reader.read(Message(unwrap_text(text), *filled))

    return read


def plural_text(text: str, number: int, *args: TextLike) -> Text:
    """Return a sentence with a plural form for a number, ``{0:deal|deals}``; ``{1}`` is the formatted number."""
    return _(text, number, count(number), *args)


def render_text(what: TextLike, reader: Reader) -> str:
    return what(reader) if callable(what) else reader.format_arg(what)


def count(number: float) -> Text:
    """Return a whole number such as ``1,234``."""
    return decimal(number, 0)


def decimal(number: float, digits: int, sign: bool = False) -> Text:
    """Return a number in the format of the reader's language."""

    def read(reader: Reader) -> str:
        text = "∞" if isinf(number) else f"{abs(number):,.{digits}f}"
        if reader.language != "en":
            text = text.replace(",", NARROW_SPACE).replace(".", ",")
        before = MINUS_SIGN if number < 0 and text.strip("0.,") else "+" if sign and text.strip("0.,") else ""
        return before + text

    return read


def percent(share: float, digits: int = 1, sign: bool = False) -> Text:
    """Return a percentage such as ``27.0 %``."""
    number = decimal(100 * share, digits, sign)
    return lambda reader: f"{number(reader)}{NO_BREAK_SPACE}%"


def format_range(low: Text, high: Text) -> Text:
    """Return a range such as ``23 to 31``."""
    return _("{0} to {1}", low, high)


def interval_text(estimate: Estimate, share: bool, digits: int, sign: bool = False) -> Text:
    """Return the bounds of an interval, as percentages for a share."""
    times = 100 if share else 1
    low, high = (decimal(times * bound, digits, sign) for bound in (estimate.low, estimate.high))
    return format_range(low, high)


def share_text(estimate: Estimate, digits: int = 0) -> Text:
    """Return a share such as ``61% (95% CI 56-65%, n = 400)``."""
    shares = (decimal(100 * share, digits) for share in estimate[:3])
    return _("{0}% (95% CI {1}-{2}%, n = {3})", *shares, count(estimate.n))


def join_texts(parts: Sequence[TextLike]) -> Text:
    """Return an enumeration such as ``a, b and c``."""

    def read(reader: Reader) -> str:
        texts = [render_text(part, reader) for part in parts]
        if len(texts) < 2:
            return "".join(texts)
        return f"{', '.join(texts[:-1])} {reader.translate('and')} {texts[-1]}"

    return read


def join_with_semicolons(parts: Sequence[TextLike]) -> Text:
    """Return texts joined with semicolons, such as ``a and b; c``."""
    return lambda reader: f"{'' if reader.language == 'en' else NARROW_SPACE}; ".join(
        render_text(part, reader) for part in parts
    )


def concatenate_texts(parts: Sequence[TextLike], between: str = " ") -> Text:
    """Return the texts one after the other."""
    return lambda reader: between.join(render_text(part, reader) for part in parts)


def capitalize(text: Text) -> Text:
    return lambda reader: text(reader)[:1].upper() + text(reader)[1:]


def literal_name(text: str) -> Name:
    """Return a word that is not translated."""
    return Name(text)


TEMPLATE_FUNCTIONS = (
    _,
    plural_text,
    count,
    decimal,
    percent,
    interval_text,
    share_text,
    join_texts,
    join_with_semicolons,
    concatenate_texts,
    capitalize,
    literal_name,
)


def _load_template(template: str) -> str:
    """Return a template without its indentation, which would only make pages longer."""
    return INDENTATION.sub("", (TEMPLATES / template).read_text(encoding="utf-8"))


class ReportPage:
    """A page of a game in every language. Its style sheet shows one language at a time."""

    def __init__(self, game: Game) -> None:
        self.readers = [make_lab_reader(game, language) for language in list_languages()]

    def render_html(self, what: object, tag: str = "span") -> object:
        """Return a text in all languages, only once if all are the same. Other values are returned unchanged.

        Templates pass every expression through this function.
        """
        if isinstance(what, str) or not (callable(what) or isinstance(what, JoinedList | Message | Name)):
            return what
        texts = [render_text(what, reader) for reader in self.readers]
        if len(set(texts)) == 1:
            return escape(texts[0])
        wrapper = Markup("<{0} lang={1}>{2}</{0}>")  # without quotation marks, because there are thousands of them
        pairs = zip(self.readers, texts, strict=True)
        return Markup("").join(wrapper.format(tag, reader.language, text) for reader, text in pairs)

    def render_svg(self, what: TextLike) -> Markup:
        """Return a text in all languages for use inside an SVG drawing."""
        return escape(self.render_html(what, "tspan"))

    def render(self, template: str, context: Mapping[str, object]) -> str:
        """Render a template in which all text functions of this module are available."""
        environment = Environment(
            loader=FunctionLoader(_load_template),
            autoescape=True,
            undefined=StrictUndefined,
            finalize=self.render_html,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
        )
        environment.globals.update(
            {function.__name__: function for function in TEMPLATE_FUNCTIONS}, page=self, **context
        )
        return environment.get_template(template).render()

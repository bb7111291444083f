"""The readers of what stands on map and cards: one a language, and French beside it, in which the game was printed."""

from pathlib import Path
from typing import Final

from triclinium.engine.core.text import Name, Reader
from triclinium.i18n.catalog import Domain, load_catalog

DOMAIN: Final = Domain("missionnaires", Path(__file__).parents[1] / "data" / "locale")
PRINTED_LANGUAGE: Final = "fr"


def get_reader(language: str) -> Reader:
    """Who reads names and messages in a language; it knows no seats."""
    language_catalog = load_catalog(language, DOMAIN)
    return Reader(language, language_catalog.messages, (), language_catalog.plural)


def get_printed_name(name: Name) -> str:
    """A name as it is printed."""
    return get_reader(PRINTED_LANGUAGE).format_arg(name)


def find_second_name(name: Name, shown_name: str) -> str:
    """What stands beside a name as its reader has it: the printed one, or English if that is the same; or nothing."""
    return next((other for other in (get_printed_name(name), name.text) if other != shown_name), "")

"""Readers of names and messages in each language, and the printed French names."""

from pathlib import Path
from typing import Final

from triclinium.engine.core.text import Name, Reader
from triclinium.i18n.catalog import Domain, load_catalog

DOMAIN: Final = Domain("missionnaires", Path(__file__).parents[1] / "data" / "locale")
PRINTED_LANGUAGE: Final = "fr"


def get_reader(language: str) -> Reader:
    """Return a reader of a language without names of seats."""
    language_catalog = load_catalog(language, DOMAIN)
    return Reader(language, language_catalog.messages, (), language_catalog.plural)


def get_printed_name(name: Name) -> str:
    """Return a name as it is printed, in French."""
    return get_reader(PRINTED_LANGUAGE).format_arg(name)


def find_second_name(name: Name, shown_name: str) -> str:
    """Return a second name next to the shown one: the printed one, or English if that is the same; "" if all agree."""
    return next((other for other in (get_printed_name(name), name.text) if other != shown_name), "")

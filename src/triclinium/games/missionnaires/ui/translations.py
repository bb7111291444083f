"""The readers of what stands on map and cards: one a language, and French beside it, in which the game was printed."""

from pathlib import Path
from typing import Final

from triclinium.engine.core.text import Name, Reader
from triclinium.i18n.catalog import Domain, catalog

DOMAIN: Final = Domain("missionnaires", Path(__file__).parents[1] / "data" / "locale")
PRINTED: Final = "fr"


def reader(language: str) -> Reader:
    """Who reads names and messages in a language; it knows no seats."""
    found = catalog(language, DOMAIN)
    return Reader(language, found.messages, (), found.plural)


def printed(name: Name) -> str:
    """A name as it is printed."""
    return reader(PRINTED).say(name)


def name_beside(name: Name, own: str) -> str:
    """What stands beside a name as its reader has it: the printed one, or English if that is the same; or nothing."""
    return next((other for other in (printed(name), name.text) if other != own), "")

"""Message catalogues of a language: the engine's, joined with those of the web, the terminal or a game.

A language is available if the engine has a catalogue for it. The code itself is written in English. Other languages are
files `locale/<lang>.po` next to this module. Messages without a translation appear in English. Translators can test
their own files at once: the environment variable TRICLINIUM_LOCALES names a folder with `<domain>/<lang>.po`. The
domain is `engine`, `web`, `cli` or the id of a game.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from gettext import c2py
from pathlib import Path

from triclinium.i18n.po import read_po

ENGLISH = "en"
LOCALES_VARIABLE = "TRICLINIUM_LOCALES"
DEFAULT_PLURAL = "n != 1"

PluralRule = Callable[[int], int]


@dataclass(frozen=True)
class Domain:
    """A set of messages with a name and a folder for its catalogues."""

    name: str
    folder: Path

    def find_file(self, name: str) -> Path | None:
        """Return the path of a catalogue, or None. A file in the translator's folder has priority."""
        elsewhere = os.environ.get(LOCALES_VARIABLE)
        places = [Path(elsewhere) / self.name] if elsewhere else []
        return next((place / name for place in (*places, self.folder) if (place / name).is_file()), None)

    def list_languages(self) -> set[str]:
        """Return the languages for which this domain has a catalogue."""
        elsewhere = os.environ.get(LOCALES_VARIABLE)
        folders = [Path(elsewhere) / self.name, self.folder] if elsewhere else [self.folder]
        return {path.stem for folder in folders for path in folder.glob("*.po")}


@dataclass(frozen=True, eq=False)
class Catalog:
    """A language with its translations and its plural rule."""

    language: str
    messages: Mapping[str, str]
    plural: PluralRule


ENGINE = Domain("engine", Path(__file__).parent / "locale")


@cache
def list_languages() -> tuple[str, ...]:
    """Return the available languages, English first."""
    return (ENGLISH, *sorted(ENGINE.list_languages() - {ENGLISH}))


@cache
def load_catalog(language: str, *domains: Domain) -> Catalog:
    """Return the catalogues of the engine and of these domains as one. A later domain overrides an earlier one."""
    messages: dict[str, str] = {}
    forms = DEFAULT_PLURAL
    for domain in (ENGINE, *domains):
        path = domain.find_file(f"{language}.po") if language in list_languages() else None
        if path is not None:
            po_file = read_po(path)
            messages.update(po_file.messages)
            forms = _parse_plural_expression(po_file.headers.get("Plural-Forms", ""), forms)
    return Catalog(language, messages, compile_plural_rule(forms))


@cache
def compile_plural_rule(forms: str) -> PluralRule:
    """Return the function for a gettext plural expression: ``n > 1`` chooses the second form for 2, but not for 0."""
    plural: PluralRule = c2py(forms)
    return plural


def _parse_plural_expression(header: str, default: str) -> str:
    """Return the expression ``(n > 1)`` from ``nplurals=2; plural=(n > 1);``, or the default."""
    return header.rpartition("plural=")[2].strip("; ") or default

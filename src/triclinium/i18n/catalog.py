"""The catalogues of a language, joined: engine, web or terminal, and the game that is read about.

A language is there when the engine's catalogue is: English, which the code itself speaks, and every `locale/<lang>.po`
beside this file. What a catalogue lacks is said in English. A translator may keep files elsewhere and try them at once:
the environment's TRICLINIUM_LOCALES names a folder with `<domain>/<lang>.po`, the domain being `engine`, `web`, `cli`
or the id of a game.
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
    """Whose sentences they are, and the folder of their catalogues."""

    name: str
    folder: Path

    def find_file(self, name: str) -> Path | None:
        """A file of this domain: the translator's own, or ours."""
        elsewhere = os.environ.get(LOCALES_VARIABLE)
        places = [Path(elsewhere) / self.name] if elsewhere else []
        return next((place / name for place in (*places, self.folder) if (place / name).is_file()), None)

    def list_languages(self) -> set[str]:
        """The languages that this domain has a catalogue of."""
        elsewhere = os.environ.get(LOCALES_VARIABLE)
        folders = [Path(elsewhere) / self.name, self.folder] if elsewhere else [self.folder]
        return {path.stem for folder in folders for path in folder.glob("*.po")}


@dataclass(frozen=True, eq=False)
class Catalog:
    """A language, what it says for each English text, and which form of a word goes with a number."""

    language: str
    messages: Mapping[str, str]
    plural: PluralRule


ENGINE = Domain("engine", Path(__file__).parent / "locale")


@cache
def list_languages() -> tuple[str, ...]:
    """The languages spoken here, English first."""
    return (ENGLISH, *sorted(ENGINE.list_languages() - {ENGLISH}))


@cache
def load_catalog(language: str, *domains: Domain) -> Catalog:
    """The catalogues of the engine and of these domains as one; where two say something, the last is heard."""
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
    """The function that gettext's expression describes: ``n > 1`` chooses the second form for 2, but not for 0."""
    plural: PluralRule = c2py(forms)
    return plural


def _parse_plural_expression(header: str, default: str) -> str:
    """``(n > 1)`` of ``nplurals=2; plural=(n > 1);``."""
    return header.rpartition("plural=")[2].strip("; ") or default

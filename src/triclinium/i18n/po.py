"""Reads a gettext .po file: as text, when a language is first spoken; there is no .mo and no build step.

Understood is what gettext's tools write: msgctxt, msgid, msgstr over several lines, remarks, fuzzy and obsolete
entries, both of which are not shown. Plurals stand inside our sentences, so that msgid_plural does not occur.
"""

import ast
import re
from dataclasses import dataclass
from pathlib import Path

_LINE_BREAK = re.compile(r"\s*\n\s*")
CONTEXT_SEPARATOR = "\x04"  # what gettext puts between a context and its text


class BadCatalogue(ValueError):
    """A .po file that cannot be read; says which, and where."""


@dataclass(frozen=True)
class PoFile:
    """The headers and the translated messages of one file, by text or by context and text."""

    headers: dict[str, str]
    messages: dict[str, str]


def unwrap_text(text: str) -> str:
    """Return a message that a template writes over several lines as one line."""
    return _LINE_BREAK.sub(" ", text)


def make_message_key(text: str, context: str = "") -> str:
    """What a message is kept by."""
    return f"{context}{CONTEXT_SEPARATOR}{text}" if context else text


def read_po(path: Path) -> PoFile:
    """All translated messages of a file; what is fuzzy or empty is left out."""
    messages: dict[str, str] = {}
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        entry = _parse_entry(block, path)
        if entry.get("msgstr") and not entry.get("fuzzy"):
            messages[make_message_key(entry.get("msgid", ""), entry.get("msgctxt", ""))] = entry["msgstr"]
    lines = messages.pop("", "").splitlines()
    pairs = (line.partition(":") for line in lines)
    return PoFile({name.strip(): value.strip() for name, _, value in pairs}, messages)


def _parse_entry(block: str, path: Path) -> dict[str, str]:
    """One entry: its parts by their keyword, and ``fuzzy`` where it is marked so."""
    parts: dict[str, str] = {}
    word = ""
    for line in block.splitlines():
        if line.startswith("#"):
            if line.startswith("#,") and "fuzzy" in line:
                parts["fuzzy"] = "yes"
            continue
        if not line.startswith('"'):
            word, _, line = line.partition(" ")
            parts[word] = ""
        try:
            parts[word] += ast.literal_eval(line)
        except (KeyError, SyntaxError, ValueError):
            raise BadCatalogue(f"{path.name}: cannot read {line!r}") from None
    return parts

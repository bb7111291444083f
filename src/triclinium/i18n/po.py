"""Reader for gettext .po files.

Files are read as text when a language is first used, without .mo files or a build step.

It reads what gettext's tools write: msgctxt, msgid, msgstr over several lines, comments, fuzzy and obsolete entries.
Fuzzy and obsolete entries are ignored. Messages contain their own plural forms, so msgid_plural does not occur.
"""

import ast
import re
from dataclasses import dataclass
from pathlib import Path

_LINE_BREAK = re.compile(r"\s*\n\s*")
CONTEXT_SEPARATOR = "\x04"  # gettext's separator between a context and its text


class BadCatalogue(ValueError):
    """Error for a .po file that cannot be read. It names the file and the line."""


@dataclass(frozen=True)
class PoFile:
    """The headers and the translated messages of one file. A key is a text, or a context and a text."""

    headers: dict[str, str]
    messages: dict[str, str]


def unwrap_text(text: str) -> str:
    """Return a message that a template writes over several lines as one line."""
    return _LINE_BREAK.sub(" ", text)


def make_message_key(text: str, context: str = "") -> str:
    """Return the key of a message in `PoFile.messages`."""
    return f"{context}{CONTEXT_SEPARATOR}{text}" if context else text


def read_po(path: Path) -> PoFile:
    """Return all translated messages of a file. Fuzzy and empty entries are left out."""
    messages: dict[str, str] = {}
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        entry = _parse_entry(block, path)
        if entry.get("msgstr") and not entry.get("fuzzy"):
            messages[make_message_key(entry.get("msgid", ""), entry.get("msgctxt", ""))] = entry["msgstr"]
    lines = messages.pop("", "").splitlines()
    pairs = (line.partition(":") for line in lines)
    return PoFile({name.strip(): value.strip() for name, _, value in pairs}, messages)


def _parse_entry(block: str, path: Path) -> dict[str, str]:
    """Return the parts of one entry by keyword, with the key ``fuzzy`` if it is marked so."""
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

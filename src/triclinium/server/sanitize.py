"""Text that people type, made inert: names and chat keep their letters and lose what could disturb a page."""

import json
import re
import unicodedata
from collections.abc import Set as AbstractSet

NAME_LENGTH = 24
SOMEBODY = "Somebody"
CHAT_LENGTH = 500

# Marks that turn the direction of the text around them, and would turn their neighbours' too.
_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")


def _plain(text: str, length: int) -> str:
    kept = [
        " " if letter.isspace() else letter
        for letter in text[: length * 8]
        if letter not in _TURNING and (letter.isspace() or unicodedata.category(letter) not in ("Cc", "Cs", "Co", "Cn"))
    ]
    words = " ".join("".join(kept).split())
    # A few marks above a letter are a language; a tower of them is a prank.
    calm: list[str] = []
    stacked = 0
    for letter in words:
        stacked = stacked + 1 if unicodedata.combining(letter) else 0
        if stacked <= 3:
            calm.append(letter)
    return "".join(calm)[:length].strip()


def plain_name(text: str, otherwise: str) -> str:
    """A nickname or the name of a table."""
    return _plain(text, NAME_LENGTH) or otherwise


def plain_chat(text: str) -> str:
    """One message of the chat."""
    return _plain(text, CHAT_LENGTH)


def whole_number(text: str, digits: int) -> int | None:
    """A number of so many digits at most, as addresses and forms write it; None: it is none.

    Only the ten digits of ASCII: to Python a raised two is a digit as well, but no number.
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None


def readable(facts: dict[str, object]) -> dict[str, object]:
    """What somebody sent as JSON, if it can be written down again; raises ValueError for half a letter in it."""
    try:
        json.dumps(facts, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ValueError("a text in it cannot be read") from None
    return facts


def without_names(text: str, names: AbstractSet[str]) -> str:
    """A text, or JSON, in which nobody of these names is named."""
    for name in sorted(names, key=len, reverse=True):
        for spelled in {name, json.dumps(name)[1:-1]}:
            text = re.sub(rf"(?<!\w){re.escape(spelled)}(?!\w)", SOMEBODY, text)
    return text

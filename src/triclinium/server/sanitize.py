"""Text that people type, made inert: names and chat keep their letters and lose what could disturb a page."""

import json
import re
import unicodedata
from collections.abc import Set as AbstractSet
from typing import TypeVar

T = TypeVar("T")
NAME_LENGTH = 24
ANONYMOUS_NAME = "Somebody"
CHAT_LENGTH = 500

# Marks that turn the direction of the text around them, and would turn their neighbours' too.
_DIRECTION_MARKS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")
# Letters to Unicode, and nothing to the eye; by them one name would look like another, or like none.
_INVISIBLE_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_JOINERS = frozenset("\u200c\u200d")  # they make one sign of several: of emoji, and in Persian
_DROPPED_CATEGORIES = ("Cc", "Cf", "Cs", "Co", "Cn")  # control signs, halves of letters, and what is no letter yet
_VISIBLE_CATEGORIES = "LNPS"  # letters, numbers, points and symbols


def _clean_text(text: str, length: int) -> str:
    letters = [
        " " if letter.isspace() else letter
        for letter in text[: length * 8]
        if letter not in _DIRECTION_MARKS and (letter.isspace() or _is_allowed(letter))
    ]
    words = " ".join("".join(letters).split())
    # A few marks above a letter are a language; a tower of them is a prank.
    unstacked: list[str] = []
    stacked = 0
    for letter in words:
        stacked = stacked + 1 if unicodedata.combining(letter) else 0
        if stacked <= 3:
            unstacked.append(letter)
    clean = "".join(unstacked)[:length].strip()
    return clean if any(unicodedata.category(letter)[0] in _VISIBLE_CATEGORIES for letter in clean) else ""


def _is_allowed(letter: str) -> bool:
    return letter in _JOINERS or (
        letter not in _INVISIBLE_LETTERS and unicodedata.category(letter) not in _DROPPED_CATEGORIES
    )


def fold_name(name: str) -> str:
    """The same for two names that nobody could tell apart: in other widths or capitals, or with signs that join."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return "".join(letter for letter in folded if letter not in _JOINERS and not "\ufe00" <= letter <= "\ufe0f")


def clean_name(text: str, default: str) -> str:
    """A nickname or the name of a table."""
    return _clean_text(text, NAME_LENGTH) or default


def clean_chat(text: str) -> str:
    """One message of the chat."""
    return _clean_text(text, CHAT_LENGTH)


def parse_whole_number(text: str, digits: int) -> int | None:
    """A number of so many digits at most, as addresses and forms write it; None: it is none.

    Only the ten digits of ASCII: to Python a raised two is a digit as well, but no number.
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None


def check_encodable(facts: dict[str, T]) -> dict[str, T]:
    """What somebody sent as JSON, if it can be written down again; raises ValueError.

    It may hold half a letter, or lie in itself so deep that it could just be read.
    """
    try:
        json.dumps(facts, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ValueError("a text in it cannot be read") from None
    except RecursionError:
        raise ValueError("too much lies in one another") from None
    return facts


def replace_names(text: str, names: AbstractSet[str]) -> str:
    """Return a text in which nobody of these names is named."""
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", ANONYMOUS_NAME, text)
    return text

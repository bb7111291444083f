"""Text that people type, made inert: names and chat keep their letters and lose what could disturb a page."""

import json
import re
import unicodedata
from collections.abc import Set as AbstractSet
from typing import TypeVar

T = TypeVar("T")
NAME_LENGTH = 24
SOMEBODY = "Somebody"
CHAT_LENGTH = 500

# Marks that turn the direction of the text around them, and would turn their neighbours' too.
_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")
# Letters to Unicode, and nothing to the eye; by them one name would look like another, or like none.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_JOINING = frozenset("\u200c\u200d")  # they make one sign of several: of emoji, and in Persian
_DROPPED = ("Cc", "Cf", "Cs", "Co", "Cn")  # control signs, halves of letters, and what is no letter yet
_SEEN = "LNPS"  # letters, numbers, points and symbols


def _plain(text: str, length: int) -> str:
    kept = [
        " " if letter.isspace() else letter
        for letter in text[: length * 8]
        if letter not in _TURNING and (letter.isspace() or _is_kept(letter))
    ]
    words = " ".join("".join(kept).split())
    # A few marks above a letter are a language; a tower of them is a prank.
    calm: list[str] = []
    stacked = 0
    for letter in words:
        stacked = stacked + 1 if unicodedata.combining(letter) else 0
        if stacked <= 3:
            calm.append(letter)
    plain = "".join(calm)[:length].strip()
    return plain if any(unicodedata.category(letter)[0] in _SEEN for letter in plain) else ""


def _is_kept(letter: str) -> bool:
    return letter in _JOINING or (letter not in _BLANK and unicodedata.category(letter) not in _DROPPED)


def alike(name: str) -> str:
    """The same for two names that nobody could tell apart: in other widths or capitals, or with signs that join."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return "".join(letter for letter in folded if letter not in _JOINING and not "\ufe00" <= letter <= "\ufe0f")


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


def readable(facts: dict[str, T]) -> dict[str, T]:
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


def without_names(text: str, names: AbstractSet[str]) -> str:
    """Return a text in which nobody of these names is named."""
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", SOMEBODY, text)
    return text

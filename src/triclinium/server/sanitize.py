"""Cleaning of text that people type.

Names and chat keep their letters and lose characters that could disturb a page.
"""

import json
import re
import unicodedata
from collections.abc import Set as AbstractSet
from typing import TypeVar

T = TypeVar("T")
NAME_LENGTH = 24
TITLE_LENGTH = 48
ANONYMOUS_NAME = "Somebody"
CHAT_LENGTH = 500
REMARK_LENGTH = 300

# Characters that change the direction of the text around them.
_DIRECTION_MARKS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")
# Letters in Unicode that have no visible shape. They could make one name look like another, or empty.
_INVISIBLE_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_JOINERS = frozenset("\u200c\u200d")  # these characters join several signs into one, in emoji and in Persian
# Control characters, format characters, surrogates, private use and unassigned.
_DROPPED_CATEGORIES = ("Cc", "Cf", "Cs", "Co", "Cn")
_VISIBLE_CATEGORIES = "LNPS"  # letters, numbers, punctuation and symbols


def _clean_text(text: str, length: int) -> str:
    letters = [
        " " if letter.isspace() else letter
        for letter in text[: length * 8]
        if letter not in _DIRECTION_MARKS and (letter.isspace() or _is_allowed(letter))
    ]
    words = " ".join("".join(letters).split())
    # A few marks above a letter are normal in some languages. More than three are vandalism.
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
    """Return the same text for two names that look alike.

    They may differ in the width or case of letters, or in joining characters.
    """
    folded = unicodedata.normalize("NFKC", name).casefold()
    return "".join(letter for letter in folded if letter not in _JOINERS and not "\ufe00" <= letter <= "\ufe0f")


def clean_name(text: str, default: str) -> str:
    """Return a cleaned nickname or table name, or the default if nothing is left."""
    return _clean_text(text, NAME_LENGTH) or default


def clean_title(text: str, default: str) -> str:
    """Return a cleaned name of something that a person has made, or the default if nothing is left."""
    return _clean_text(text, TITLE_LENGTH) or default


def clean_chat(text: str) -> str:
    """Return a cleaned chat message."""
    return _clean_text(text, CHAT_LENGTH)


def clean_remark(text: str) -> str:
    """Return a cleaned remark about a match."""
    return _clean_text(text, REMARK_LENGTH)


def parse_whole_number(text: str, digits: int) -> int | None:
    """Return a number of at most ``digits`` digits from a URL or a form, or None if the text is not a number.

    Only the ten digits of ASCII count. Python also accepts a superscript two as a digit, but cannot convert it.
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None


def check_encodable(facts: dict[str, T]) -> dict[str, T]:
    """Return facts from JSON if they can be written as JSON again. Raise `ValueError` otherwise.

    They may contain half of a surrogate pair, or be nested too deeply.
    """
    try:
        json.dumps(facts, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ValueError("a text in the request cannot be decoded") from None
    except RecursionError:
        raise ValueError("the request is nested too deeply") from None
    return facts


def replace_names(text: str, names: AbstractSet[str]) -> str:
    """Return a text in which every one of these names is replaced by an anonymous name."""
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", ANONYMOUS_NAME, text)
    return text

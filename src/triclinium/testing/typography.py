"""Typography of translations: non-breaking spaces around punctuation, and curly apostrophes.

Translators type plain spaces and apostrophes, and `triclinium.testing.messages` replaces them.
"""

import re
from collections.abc import Sequence

NO_BREAK = "\u00a0"
NARROW_NO_BREAK = "\u202f"  # a narrow space that does not break either
SPACE = f"[ {NO_BREAK}{NARROW_NO_BREAK}]+"
APOSTROPHE = re.compile(r"(?<=[^\W\d_])'(?=[\w{«“*])|(?<=\})'(?=s)")
REPLACEMENTS: dict[str, Sequence[tuple[re.Pattern[str], str]]] = {
    "fr": (
        (APOSTROPHE, "’"),
        (re.compile(f"{SPACE}(?=[;!?])"), NARROW_NO_BREAK),
        (re.compile(f"{SPACE}(?=[:»])|(?<=«){SPACE}"), NO_BREAK),
    )
}


def fix_typography(text: str, language: str) -> str:
    """Return a translation with the spaces and apostrophes of its language. Other languages are returned unchanged."""
    for pattern, replacement in REPLACEMENTS.get(language, ()):
        text = pattern.sub(replacement, text)
    return text

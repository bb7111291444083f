"""Non-breaking spaces before and after punctuation, as a language requires them.

Translators type plain spaces, and `triclinium.testing.messages` replaces them.
"""

import re
from collections.abc import Sequence

NO_BREAK = "\u00a0"
NARROW_NO_BREAK = "\u202f"  # a narrow space that does not break either
SPACE = f"[ {NO_BREAK}{NARROW_NO_BREAK}]+"
SPACES: dict[str, Sequence[tuple[re.Pattern[str], str]]] = {
    "fr": (
        (re.compile(f"{SPACE}(?=[;!?])"), NARROW_NO_BREAK),
        (re.compile(f"{SPACE}(?=[:»])|(?<=«){SPACE}"), NO_BREAK),
    )
}


def fix_spaces(text: str, language: str) -> str:
    """Return a translation with the spaces of its language. Other languages are returned unchanged."""
    for pattern, space in SPACES.get(language, ()):
        text = pattern.sub(space, text)
    return text

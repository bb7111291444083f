"""Spaces that a language puts before its signs, and that no line may break at.

A translator types plain spaces; `triclinium.testing.messages` writes those that belong there.
"""

import re
from collections.abc import Sequence

NO_BREAK = "\u00a0"
NARROW_NO_BREAK = "\u202f"  # no-break too
SPACE = f"[ {NO_BREAK}{NARROW_NO_BREAK}]+"
SPACES: dict[str, Sequence[tuple[re.Pattern[str], str]]] = {
    "fr": (
        (re.compile(f"{SPACE}(?=[;!?])"), NARROW_NO_BREAK),
        (re.compile(f"{SPACE}(?=[:»])|(?<=«){SPACE}"), NO_BREAK),
    )
}


def fix_spaces(text: str, language: str) -> str:
    """A translation with the spaces its language asks for; in a language without such a custom, the text itself."""
    for pattern, space in SPACES.get(language, ()):
        text = pattern.sub(space, text)
    return text

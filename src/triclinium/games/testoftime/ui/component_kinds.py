"""Appearance of the components of Test of Time as data for the board kit."""

from collections.abc import Mapping, Sequence
from typing import Final

from triclinium.engine.component_kinds import PLAYER, CardFace, ComponentKind, Thing
from triclinium.engine.core.text import Message
from triclinium.games.testoftime.rules.components import KINDS, Components
from triclinium.games.testoftime.ui.view import TestOfTimeView

KIND_TONES: Final = (7, 0, 3, 2, 5)  # tones of Tools, Art, Burial Sites, Temples and Monuments
DOT: Final = "\N{BLACK CIRCLE}"


def build_kinds(c: Components) -> Mapping[str, ComponentKind]:
    """Return the appearance of Testaments as cards, with a name and the gold of each section from the top down."""
    return {"kind": ComponentKind(KINDS, c.names, "card", face=lambda kind: build_card_face(c, kind), tones=KIND_TONES)}


def build_card_face(c: Components, kind: int) -> CardFace:
    sections = c.sections[kind]
    return CardFace(
        c.names[kind],
        lines=(" ".join(DOT * gold or "\N{MIDDLE DOT}" for gold in sections),),
        tone=KIND_TONES[kind],
        about=Message("{0} {0:section|sections}", len(sections)),
    )


def find_option_things(c: Components, view: TestOfTimeView, option_text: str) -> Sequence[Thing] | None:
    """Return the things that an option text names: Testament spaces, costs of kinds, or rivals.

    Spaces are numbered over all seats.
    """
    verb, *words = option_text.split()
    if view.viewer is None or not words:
        return None
    if verb == "on":
        return [("space", view.viewer * c.spaces + int(words[0]) - 1)]
    if verb == "at":
        return [("space", int(words[0]) * c.spaces + int(words[1]) - 1)]
    if verb == "build":
        return [("cost", KINDS.index(words[0]))]
    return [(PLAYER, int(words[0]))] if verb == "from" else []

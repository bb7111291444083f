"""Variants of The Acts of the Evangelists, with their names and sentences for players."""

from typing import Final

from triclinium.engine.core.text import Name
from triclinium.engine.variant import BEGINNING, THE_END, Variant

VARIANTS: Final = (
    Variant(
        "emphasis_once_per_motif",
        (False, True),
        "AE-R21",
        Name("Each motif makes one emphasis at most.", "variant"),
        label=Name("One emphasis at most for each motif", "variant name"),
        group=THE_END,
    ),
    Variant(
        "theme_needs_match",
        (False, True),
        "AE-R28",
        Name(
            "A gospel without a card of its theme scores nothing for it.",
            "variant",
        ),
        label=Name("The theme scores only with at least one of its cards", "variant name"),
        group=THE_END,
    ),
    Variant(
        "boat_after_last_octagon",
        (False, True),
        "AE-R9",
        Name("With no octagon left, the boat may still sail before the turn ends.", "variant"),
        label=Name("The boat may sail after the last octagon", "variant name"),
    ),
    Variant(
        "memory_aid",
        (True, False),
        "AE-R39",
        Name("The table shows you the cards you have seen.", "variant"),
        label=Name("Show the cards I have seen", "variant name"),
    ),
    Variant(
        "pick_pawn_colour",
        (False, True),
        "AE-R34",
        Name("Players pick the colour of their pawn.", "variant"),
        label=Name("Players choose their colour", "variant name"),
        group=BEGINNING,
        printed=True,  # Theme colours are the rulebook's suggestion.
    ),
    Variant(
        "stenographer",
        ("random", 0, 1, 2, 3, 4),
        "AE-R33",
        Name("The seat that begins every round.", "variant"),
        label=Name("Stenographer, who begins every round", "variant name"),
        value_names={"random": Name("Random", "value")},
        group=BEGINNING,
        seats=True,
    ),
)

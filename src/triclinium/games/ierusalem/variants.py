"""Variants of Ierusalem: Anno Domini, with their names and sentences for players."""

from typing import Final

from triclinium.engine.core.text import Name
from triclinium.engine.variant import BEGINNING, THE_END, Variant, number_variant

MOST_STALL: Final = 100  # maximum value of `stall_round`, in turns of each player

VARIANTS: Final = (
    Variant(
        "symbols",
        ("printed", "random"),
        "IE-1.3",
        Name(
            "The symbols of the Apostle columns: as printed, or nine Location tiles drawn at random.",
            "variant",
        ),
        label=Name("Apostles’ symbols", "variant name"),
        value_names={"printed": Name("As printed", "value"), "random": Name("Random", "value")},
        group=BEGINNING,
    ),
    Variant(
        "jesus_vp",
        (7, 0),
        "IE-R2",
        Name(
            "VP that a Follower at one of the four places next to Jesus scores at the end.",
            "variant",
        ),
        label=Name("VP of the places next to Jesus", "variant name"),
        value_names={0: Name("Nothing", "value")},
        group=THE_END,
    ),
    Variant(
        "orange_scores_all",
        (False, True),
        "IE-R3",
        Name(
            "The rulebook scores Followers for an orange Apostle without saying whose: only the visitor’s, because "
            "an appreciation is a gift to the visitor (the default), or everyone’s, as at the end.",
            "variant",
        ),
        label=Name("Orange Apostle scores for", "variant name"),
        value_names={False: Name("The visitor", "value"), True: Name("Everyone", "value")},
    ),
    number_variant(
        "stall_round",
        40,
        20,
        MOST_STALL,
        "IE-R25",
        Name(
            "Once each player has had this many turns, the Sanhedrin meets at the start of every turn.",
            "variant",
        ),
        label=Name("Force the end after turn", "variant name"),
        group=THE_END,
    ),
    Variant(
        "start_player",
        ("random", 0, 1, 2, 3),
        "IE-R31",
        Name("The seat that has the first turn.", "variant"),
        label=Name("First player", "variant name"),
        value_names={"random": Name("Random", "value")},
        group=BEGINNING,
        seats=True,
    ),
    Variant(
        "pick_colour",
        (False, True),
        "IE-R44",
        Name(
            "Players pick their colour, and with it their deck; otherwise it is drawn at random.",
            "variant",
        ),
        label=Name("Players pick their colour", "variant name"),
        group=BEGINNING,
    ),
)

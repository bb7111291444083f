"""Variants of Portals and Prophets, with their names and sentences for players."""

from collections.abc import Mapping
from typing import Final

from triclinium.engine.core.text import Name
from triclinium.engine.variant import ANOTHER_KIND, BEGINNING, THE_END, Choice, Variant, number_variant

MAX_ROUNDS: Final = 60

VARIANTS: Final[tuple[Variant, ...]] = (
    Variant(
        "start",
        ("random", 0, 1, 2, 3, 4),
        "PP-R6",
        Name("The first player: drawn at random, or the seat you name.", "variant"),
        label=Name("First player", "variant name"),
        value_names={"random": Name("Random", "value")},
        group=BEGINNING,
        seats=True,
    ),
    Variant(
        "portals",
        ("suggested", "starter", "random"),
        "PP-R7",
        Name(
            "Where the portals are: as suggested, as the first player sets them, or at random.",
            "variant",
        ),
        label=Name("Portal locations", "variant name"),
        value_names={
            "suggested": Name("As suggested", "value"),
            "starter": Name("First player chooses", "value"),
            "random": Name("At random", "value"),
        },
        group=BEGINNING,
    ),
    Variant(
        "range",
        ("spaces", "centuries"),
        "PP-R14",
        Name(
            "The fuel gauge counts spaces of the timeline, or centuries.",
            "variant",
        ),
        label=Name("How far fuel reaches", "variant name"),
        value_names={"spaces": Name("Spaces", "value"), "centuries": Name("Centuries", "value")},
    ),
    Variant(
        "nt_draw",
        ("always", "from_5th"),
        "PP-R9",
        Name(
            "The New Testament deck is open from the start, or from the 5th century on.",
            "variant",
        ),
        label=Name("New Testament deck", "variant name"),
        value_names={"always": Name("From the start", "value"), "from_5th": Name("From the 5th century", "value")},
    ),
    Variant(
        "fuel_cards",
        ("one_per_colour", "two_per_turn"),
        "PP-R17",
        Name(
            "Each turn you may burn one card of each colour, or two cards at most.",
            "variant",
        ),
        label=Name("Cards burnt in a turn", "variant name"),
        value_names={
            "one_per_colour": Name("One of each colour", "value"),
            "two_per_turn": Name("Two at most", "value"),
        },
    ),
    Variant(
        "discards",
        ("open", "hidden"),
        "PP-R12",
        Name("Cards are discarded face up, or face down.", "variant"),
        label=Name("Discards", "variant name"),
        value_names={"open": Name("Face up", "value"), "hidden": Name("Face down", "value")},
    ),
    Variant(
        "sweep_row",
        (False, True),
        "PP-R36",
        Name(
            "When the capsule moves, events of the row more than three spaces behind it are replaced.",
            "variant",
        ),
        label=Name("Sweep the row", "variant name"),
    ),
    Variant(
        "wilds",
        ("free", "one_per_set"),
        "PP-R21",
        Name(
            "Region cards in one set: as many as you like, or one.",
            "variant",
        ),
        label=Name("Region cards in a set", "variant name"),
        value_names={"free": Name("Any number", "value"), "one_per_set": Name("One", "value")},
        group=THE_END,
    ),
    Variant(
        "ties",
        ("shared", "broken"),
        "PP-R23",
        Name(
            "Ties: the victory is shared, or decided by sets, cards played and turn order.",
            "variant",
        ),
        label=Name("Tied totals", "variant name"),
        value_names={
            "shared": Name("Share the victory", "value"),
            "broken": Name("Sets, then cards, then turn order", "value"),
        },
        group=THE_END,
    ),
    number_variant(
        "stall_rounds",
        3,
        0,
        20,
        "PP-R19",
        Name(
            "Number of rounds without an event after which the game ends, once the capsule has reached the New "
            "Testament (0: never).",
            "variant",
        ),
        label=Name("End after rounds without an event", "variant name"),
        value_names={0: Name("Never", "value")},
        group=THE_END,
    ),
    number_variant(
        "round_limit",
        30,
        13,
        MAX_ROUNDS,
        "PP-R19",
        Name("The game ends with this round at the latest.", "variant"),
        label=Name("Last possible round", "variant name"),
        group=THE_END,
    ),
    Variant(
        "team",
        (False, True),
        "PP-12.1",
        Name("Partners sit opposite; their points and cards count together. Four seats.", "variant"),
        label=Name("Two teams of two", "variant name"),
        group=ANOTHER_KIND,
        rated=False,
    ),
    Variant(
        "simplified",
        (False, True),
        "PP-12.2",
        Name("No fuel, every period in range, 13 rounds.", "variant"),
        label=Name("Simplified game", "variant name"),
        group=ANOTHER_KIND,
        rated=False,
    ),
    Variant(
        "simplified_nt_end",
        (False, True),
        "PP-R27",
        Name(
            "In the simplified game, a third New Testament card also ends the game.",
            "variant",
        ),
        label=Name("Simplified game: a third New Testament card also ends it", "variant name"),
        group=ANOTHER_KIND,
        rated=False,
    ),
)

SHORT: Final[Mapping[str, Choice]] = {"simplified": True}


def build_variants(stall_rounds: int, round_limit: int) -> tuple[Variant, ...]:
    """PP-R19  Return all variants. The defaults that end long matches come from the components file."""
    limits: Mapping[str, Choice] = {"stall_rounds": stall_rounds, "round_limit": round_limit}
    return tuple(
        variant.with_default(limits[variant.name]) if variant.name in limits else variant for variant in VARIANTS
    )

"""Variants of Test of Time, with their texts."""

from typing import Final

from triclinium.engine.core.text import Name
from triclinium.engine.variant import THE_END, Variant
from triclinium.games.testoftime.rules.components import Components

UNLIMITED: Final = "unlimited"


def build_variants(c: Components) -> tuple[Variant, ...]:
    """Return the variants, with the values of the components file and the default first."""
    return (
        Variant(
            "rounds",
            tuple(c.rounds),
            "TT-14.1",
            Name("How many rounds the match lasts.", "variant"),
            label=Name("Rounds", "variant name"),
            group=THE_END,
        ),
        Variant(
            "hostile_reverse",
            tuple(c.hostile_reverse),
            "TT-14.2",
            Name(
                "Reverse Time may be turned on rivals’ Testaments.",
                "variant",
            ),
            label=Name("Reverse Time against rivals", "variant name"),
        ),
        Variant(
            "mercy",
            tuple(c.mercy),
            "TT-14.3",
            Name(
                "Players with hardly any people left receive followers when a round begins.",
                "variant",
            ),
            label=Name("Help for players with few people", "variant name"),
        ),
        *build_conflict_variants(),
    )


def build_conflict_variants() -> tuple[Variant, ...]:
    """Return the variants about attacks and about the past of rivals, which no components file lists."""
    return (
        Variant(
            "defenders_choose",
            (True, False),
            "TT-14.4",
            Name(
                "When several players attack, the owner chooses whose followers the defenders meet; otherwise they "
                "meet those placed first.",
                "variant",
            ),
            label=Name("Defenders choose who they meet", "variant name"),
        ),
        Variant(
            "attacks_per_round",
            (UNLIMITED, 1, 2, 3),
            "TT-14.5",
            Name("How many Attack moves a player may make in a round.", "variant"),
            label=Name("Attacks per player and round", "variant name"),
            value_names={UNLIMITED: Name("unlimited", "value")},
        ),
        Variant(
            "one_payment",
            (False, True),
            "TT-14.6",
            Name(
                "A player who reverses time for a rival pays for the first preservation spoiled; "
                "further ones of the same reversal cost nothing.",
                "variant",
            ),
            label=Name("One payment for all spoiled rounds", "variant name"),
        ),
    )

"""Variants of Les Missionnaires, with their texts."""

from collections.abc import Mapping
from typing import Final

from triclinium.engine.core.text import Name
from triclinium.engine.variant import ANOTHER_KIND, BEGINNING, THE_END, Choice, Variant

VARIANTS: Final = (
    Variant(
        "deal",
        ("standard", "balanced", "full"),
        "LM-R2",
        Name(
            "Half of the congregations as dealt, half of them with tours of similar length, or all.",
            "variant",
        ),
        label=Name("Congregations", "variant name"),
        value_names={
            "standard": Name("As dealt", "value"),
            "balanced": Name("Balanced tours", "value"),
            "full": Name("All", "value"),
        },
        group=BEGINNING,
    ),
    Variant(
        "pick_colour",
        (False, True),
        "LM-1.3",
        Name("Each player picks a pawn, the leader first.", "variant"),
        label=Name("Players pick their pawns", "variant name"),
        group=BEGINNING,
    ),
    Variant(
        "visit_on_pass",
        (False, True),
        "LM-R4",
        Name("A congregation that you pass through is visited too.", "variant"),
        label=Name("Passing through is a visit", "variant name"),
    ),
    Variant(
        "card_on_pass",
        (False, True),
        "LM-R4",
        Name("A green town that you pass through gives its card too.", "variant"),
        label=Name("Passing through brings the card", "variant name"),
    ),
    Variant(
        "share_spaces",
        (False, True),
        "LM-R5",
        Name("Proclaimers may share a space.", "variant"),
        label=Name("Two proclaimers on one space", "variant name"),
    ),
    Variant(
        "overseer_until",
        ("visit", "card"),
        "LM-R6",
        Name(
            "An overseer stays until the next visit, or until a card calls him.",
            "variant",
        ),
        label=Name("The overseer stays", "variant name"),
        value_names={"visit": Name("Until the next visit", "value"), "card": Name("Until a card calls him", "value")},
    ),
    Variant(
        "overseer_can_be_called_away",
        (True, False),
        "LM-R6",
        Name(
            "A card may call an overseer away from another player.",
            "variant",
        ),
        label=Name("A card may take another’s overseer", "variant name"),
    ),
    Variant(
        "sea_card_per",
        ("section", "coup"),
        "LM-R7",
        Name(
            "A sea card is taken before every section, or once a coup.",
            "variant",
        ),
        label=Name("When a sea card is drawn", "variant name"),
        value_names={"section": Name("For every section", "value"), "coup": Name("Once a move", "value")},
    ),
    Variant(
        "relief",
        (True, False),
        "LM-R12",
        Name(
            "A player who is shut in without periodicals and passes takes one.",
            "variant",
        ),
        label=Name("Help when shut in", "variant name"),
    ),
    Variant(
        "play_on",
        ("each", "vote", "always", "never"),
        "LM-R15",
        Name(
            "After the first player finishes, each of the others decides alone, all vote, all play on, or the match "
            "ends.",
            "variant",
        ),
        label=Name("After the first arrival", "variant name"),
        value_names={
            "each": Name("Each decides", "value"),
            "vote": Name("Vote", "value"),
            "always": Name("Play on", "value"),
            "never": Name("Stop", "value"),
        },
        group=THE_END,
    ),
    Variant(
        "round_limit",
        (200, 100, 150, 300),
        "LM-R16",
        Name("Number of rounds after which the match ends.", "variant"),
        label=Name("Maximum rounds", "variant name"),
        group=THE_END,
    ),
    Variant(
        "open_congregations",
        (False, True),
        "LM-R17",
        Name("All congregation cards are face up.", "variant"),
        label=Name("Congregation cards face up", "variant name"),
        group=ANOTHER_KIND,
        rated=False,
    ),
)

# Pages preselect this variant, so that the deal alone does not decide the match.
PRESELECTED: Final[Mapping[str, Choice]] = {"deal": "balanced"}

SHORT: Final[Mapping[str, Choice]] = {"round_limit": 100, "play_on": "never"}

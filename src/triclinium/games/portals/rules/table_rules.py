"""Variants of one match, in the form that the rules read."""

from typing import Final


class TableRules:
    """The variants of a match. All clones share the object, which never changes."""

    def __init__(
        self,
        range_masks: list[int],
        new_from: int,
        two_burns: bool,
        hidden_discards: bool,
        one_wild_per_set: bool,
        break_ties: bool,
        stall_rounds: int,
        round_limit: int,
        team: bool,
        simplified: bool,
        third_card_ends: bool,
        sweep_row: bool,
    ) -> None:
        self.range_masks: Final = range_masks  # the components' table of ranges, by spaces or by centuries
        self.new_from: Final = new_from  # the first space of the capsule at which the New Testament deck is open
        self.two_burns: Final = two_burns
        # PP-R12: other players cannot know which card in the hand was discarded.
        self.hidden_discards: Final = hidden_discards
        self.one_wild_per_set: Final = one_wild_per_set
        self.break_ties: Final = break_ties
        self.stall_rounds: Final = stall_rounds
        self.round_limit: Final = round_limit
        self.team: Final = team
        self.simplified: Final = simplified
        self.third_card_ends: Final = third_card_ends
        self.sweep_row: Final = sweep_row

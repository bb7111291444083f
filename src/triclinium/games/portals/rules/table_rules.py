"""What the players agreed on for one table."""

from typing import Final


class TableRules:
    """What the table agreed on before the match; shared by all clones, never changed."""

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
        self.range_masks: Final = range_masks  # the components' table for spaces or for centuries
        self.new_from: Final = new_from  # the first space from which the New Testament deck is open
        self.two_burns: Final = two_burns
        self.hidden_discards: Final = hidden_discards  # nobody else can tell which card of the hand leaves (PP-R12)
        self.one_wild_per_set: Final = one_wild_per_set
        self.break_ties: Final = break_ties
        self.stall_rounds: Final = stall_rounds
        self.round_limit: Final = round_limit
        self.team: Final = team
        self.simplified: Final = simplified
        self.third_card_ends: Final = third_card_ends
        self.sweep_row: Final = sweep_row

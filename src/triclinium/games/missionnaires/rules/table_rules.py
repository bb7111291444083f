"""Variants of a table in the form that the rules read."""

from typing import Final

# Modes of playing on after the first finish (LM-R15)
VOTE: Final = 0
ALWAYS: Final = 1
NEVER: Final = 2
EACH: Final = 3  # every player decides for themselves

# Modes of dealing the congregation cards (LM-R2)
STANDARD: Final = 0
FULL: Final = 1
BALANCED: Final = 2


class TableRules:
    """Variants chosen when the match was set up (specification, section 4)."""

    def __init__(
        self,
        deal: int,
        visit_on_pass: bool,
        share_spaces: bool,
        until_card: bool,
        called_away: bool,
        card_per_coup: bool,
        relief: bool,
        play_on: int,
        open_hands: bool,
        round_limit: int,
        card_on_pass: bool,
        pick_colour: bool,
    ) -> None:
        self.deal: Final = deal
        self.visit_on_pass: Final = visit_on_pass
        self.share_spaces: Final = share_spaces
        self.until_card: Final = until_card
        self.called_away: Final = called_away
        self.card_per_coup: Final = card_per_coup
        self.relief: Final = relief
        self.play_on: Final = play_on
        self.open_hands: Final = open_hands
        self.round_limit: Final = round_limit
        self.card_on_pass: Final = card_on_pass
        self.pick_colour: Final = pick_colour

    def key(self) -> list[int]:
        """Return all variants, for digests."""
        return [
            self.deal,
            int(self.visit_on_pass),
            int(self.share_spaces),
            int(self.until_card),
            int(self.called_away),
            int(self.card_per_coup),
            int(self.relief),
            self.play_on,
            int(self.open_hands),
            self.round_limit,
            int(self.card_on_pass),
            int(self.pick_colour),
        ]

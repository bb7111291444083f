"""Numbered rules that can refuse an option, in the rulebook's order."""

from typing import Final

from triclinium.engine.core.rule import Rule

# Set-up
PORTAL_IN_REGION: Final = Rule("PP-1.7", "{0:region} already has a portal; each portal must be in a different region")
PLACE_TAKEN: Final = Rule("PP-1.9", "the pawn of {0:seat} is there")

# Actions
NO_ACTION_LEFT: Final = Rule("PP-3.1", "you have used the {0} actions of this turn")

# Draw
HAND_FULL: Final = Rule("PP-4.2", "your hand holds {0} cards: first play, burn or discard one")
DECK_EMPTY: Final = Rule("PP-4.6", "the deck is empty ({0:deck})")
NEW_TOO_EARLY: Final = Rule(
    "PP-R9", "this deck is closed until the capsule arrives ({0:space}); the capsule is still here: {1:space}"
)

# Move
NO_ROAD: Final = Rule("PP-6.1", "no road or portal leads there from {0:place}")
OCCUPIED: Final = Rule("PP-6.2", "the pawn of {0:seat} is there and blocks the way")

# Play
NOT_AN_EVENT: Final = Rule("PP-7.1", "only event cards can be played; this one scores from your hand")
WRONG_PLACE: Final = Rule("PP-7.2", "the event happens elsewhere ({0:place}); your pawn is on {1:place}")
OUT_OF_RANGE: Final = Rule("PP-7.3", "its period is out of range ({0:space}); capsule: {1:space}, gauge: {2:gauge}")

# Fuel
NO_EXCHANGE: Final = Rule("PP-12.2", "in the simplified variant no card is burnt")
NO_FUEL: Final = Rule("PP-8.5", "the card has no fuel icon")
GAUGE_FULL: Final = Rule("PP-R16", "the gauge is full and cannot rise any further")
SAME_COLOUR: Final = Rule("PP-8.7", "you have already burnt a card of this colour this turn ({0:colour})")
TWO_BURNT: Final = Rule("PP-R17", "you have already burnt two cards this turn")

# Discarding
EMPTY_HAND: Final = Rule("PP-9.1", "your hand is empty")

"""Events of a match and their sentences in the log."""

from typing import Final

from triclinium.engine.core.event import BOOKKEEPING, IMPORTANT, TURNING_POINT, EventType
from triclinium.games.portals.rules.state import (
    BY_EXHAUSTION,
    BY_LAST_SPACE,
    BY_LIMIT,
    BY_STALL,
    BY_THIRD_CARD,
)

# Set-up (PP-1)
PORTAL_SET: Final = EventType("portal", "{who} sets a portal on {0:place}.")
STOOD: Final = EventType("stood", "{who} starts on {0:place}.")
LAID: Final = EventType("laid", "The row is dealt: {*:card}.", weight=BOOKKEEPING)

# Draw (PP-4)
TOOK: Final = EventType("took", "{who} takes “{0:card}” from the row.")
REFILLED: Final = EventType("refilled", "“{0:card}” is added to the row.", weight=BOOKKEEPING)
DREW: Final = EventType("drew", "{who} draws from the {0:deck} deck.", secret="{who} draws “{0:card}”.")

# Move (PP-6)
MOVED: Final = EventType("moved", "{who} moves to {0:place}.")
PORTALLED: Final = EventType("portalled", "{who} steps through a portal to {0:place}.")

# Play (PP-7)
PLAYED: Final = EventType(
    "played", "{who} witnesses “{0:card}”: {1:space}, {2:place}; {3} {3:point|points}.", weight=IMPORTANT
)

# Fuel (PP-8)
BURNT: Final = EventType("burnt", "{who} burns “{0:card}”: the gauge is now on {1:gauge}.")
DRAINED: Final = EventType("drained", "The full gauge drops to Low.", weight=BOOKKEEPING)

# Hands (PP-5, PP-9)
DISCARDED: Final = EventType("discarded", "{who} discards “{0:card}”.")
HID: Final = EventType(
    "hid", "{who} discards a card face down ({0:deck}).", secret="{who} discards “{0:card}” face down."
)
REMOVED: Final = EventType(
    "removed",
    "{who} removes a card from the hand of {0:seat} ({1:deck}).",
    weight=IMPORTANT,
    target_fact=0,
    to_target="{who} removes a card from your hand ({1:deck}).",
)

# Rounds (PP-2)
CAPSULE_MOVED: Final = EventType("capsule", "Round {0}: the capsule moves forward ({1:space}).", begins_round=True)
ROUND_BEGUN: Final = EventType("round", "Round {0} begins.", begins_round=True)
SWEPT: Final = EventType("swept", "“{0:card}” is swept from the row.", weight=BOOKKEEPING)

# The end (PP-10, PP-11.2)
LAST_ROUND: Final = EventType(
    "last_round", "{who} has played a third New Testament card: this is the last round.", weight=TURNING_POINT
)
OVER_BY_THIRD_CARD: Final = EventType(
    "over_by_third_card", "The third New Testament card ended the game.", weight=TURNING_POINT
)
OVER_BY_EXHAUSTION: Final = EventType(
    "over_by_exhaustion", "No event card is left: the game is over.", weight=TURNING_POINT
)
OVER_BY_STALL: Final = EventType("over_by_stall", "No more events are played: the game is over.", weight=TURNING_POINT)
OVER_BY_LIMIT: Final = EventType("over", "The last round has been played: the game is over.", weight=TURNING_POINT)
OVER_BY_LAST_SPACE: Final = EventType(
    "over_by_last_space", "The capsule has reached its last space: the game is over.", weight=TURNING_POINT
)
OVER: Final = {
    BY_THIRD_CARD: OVER_BY_THIRD_CARD,
    BY_EXHAUSTION: OVER_BY_EXHAUSTION,
    BY_STALL: OVER_BY_STALL,
    BY_LIMIT: OVER_BY_LIMIT,
    BY_LAST_SPACE: OVER_BY_LAST_SPACE,
}
REVEALED: Final = EventType("revealed", "{who} reveals “{0:card}”.", weight=IMPORTANT)

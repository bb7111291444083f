"""Events of a match and their sentences in the log, in the rulebook's order. Slots and leaves are numbered from 1."""

from typing import Final

from triclinium.engine.core.event import BOOKKEEPING, IMPORTANT, TURNING_POINT, EventType

# 1 Set-up
COLOURED: Final = EventType("colour", "{who} plays in {0:colour}.", weight=BOOKKEEPING)
STARTED: Final = EventType("start", "{who} starts in {0:place}.")

# 2 The turn
ROUND_BEGAN: Final = EventType("round", "Round {0} begins.", weight=BOOKKEEPING, begins_round=True)
TURN_BEGAN: Final = EventType("turn", "{who} takes the octagons.", weight=BOOKKEEPING)
TURN_ENDED: Final = EventType("end_turn", "{who} ends the turn.", weight=BOOKKEEPING)

# 3 Following
PAID: Final = EventType(
    "paid",
    "{who} hands {1} follow {1:token|tokens} to {0:seat}.",
    target_fact=0,
    to_target="{who} hands you {1} follow {1:token|tokens}.",
)

# 4 Travel
MOVED: Final = EventType("moved", "{who} moves from {0:place} to {1:place}.")

# 5 Boat
SAILED: Final = EventType("sailed", "{who} sails from {0:place} to {1:place}.")
DISPLACED: Final = EventType("displaced", "{who} sends the boat of {0:place} to {1:place}.", weight=IMPORTANT)

# 6 Tradition
LOOKED: Final = EventType(
    "looked",
    "{who} looks at {0} {0:card|cards} in {1:place}.",
    secret="{who} looks at {0} {0:card|cards} in {1:place}: {2}.",
    weight=BOOKKEEPING,
)
KEPT: Final = EventType("kept", "{who} keeps {0:card} from {1:place}.", weight=IMPORTANT)
KEPT_NONE: Final = EventType("kept_none", "{who} keeps nothing from {0:place}.")
PLACED: Final = EventType("placed", "{who} puts {0:card} into slot {1}.")
LEFT_FACE_UP: Final = EventType("face_up", "{who} leaves {0:card} face up in {1:place}.")
COPIED: Final = EventType("copied", "{who} copies {0:card}.", weight=IMPORTANT)

# 7 Interview
INTERVIEWED: Final = EventType("interviewed", "In {1:place} {who} interviews {0:witness}.", weight=IMPORTANT)
FOUND_ALIVE: Final = EventType("alive", "A white cube for {0:witness}: the witness is alive.", weight=IMPORTANT)
FOUND_DEAD: Final = EventType("dead", "A black cube for {0:witness}: the witness has died.", weight=IMPORTANT)
RECORDED: Final = EventType("marks", "{who} records {0} {0:mark|marks} with {1:witness}.", weight=IMPORTANT)
FOLLOWED_AND_RECORDED: Final = EventType(
    "followed_marks", "{who} follows and records {0} {0:mark|marks} with {1:witness}.", weight=IMPORTANT
)

# 8 Rearrange
FLIPPED: Final = EventType("flipped", "{who} flips leaf {0}.")
SHIFTED: Final = EventType("shifted", "{who} moves leaf {0} to position {1}.")
REARRANGED: Final = EventType("rearranged", "{who} rearranges the gospel (strong) in {0} {0:step|steps}: {1}.")

# 10 The end of a round
ROUND_ENDED: Final = EventType(
    "end_round",
    "Round over: {0} white {0:cube goes|cubes go} back into the bag, {1} {1:is|are} removed.",
    weight=IMPORTANT,
)
LEAF_ADDED: Final = EventType("leaf", "{who} adds a leaf {0:side}.")
MATCH_ENDED: Final = EventType("match_over", "The last round is over. Final scoring.", weight=TURNING_POINT)

"""Events of a match, with their sentences in the log and their weight."""

from typing import Final

from triclinium.engine.core.event import BOOKKEEPING, IMPORTANT, TURNING_POINT, WHO, EventType

# Set-up and turn
PICKED_COLOUR: Final = EventType("picked_colour", "{who} plays {0:colour}.")
POSTED: Final = EventType("posted", "{who} starts with a second Follower here: {0:location}.")
TURN: Final = EventType("turn", "{who} begins a turn.", weight=BOOKKEEPING)
PLAYED: Final = EventType("played", "{who} plays {0:card}.")
LAID: Final = EventType("laid", "{who} puts the card into column {0}.", weight=BOOKKEEPING)
DISCARDED: Final = EventType("discarded", "{who} discards {0:card}.")
CLEARED: Final = EventType("cleared", "{who} has no card left and discards column {0}.")
WASTED: Final = EventType("wasted", "{who} discards {0:good} (no room).")
LOST_OFFERINGS: Final = EventType(
    "lost_offerings",
    "{who} has no room and loses {0} {0:Offering|Offerings}.",
    weight=IMPORTANT,
    target_fact=WHO,
    to_target="You have no room and lose {0} {0:Offering|Offerings}.",
)
END_MARKER: Final = EventType(
    "end_marker", "The Sanhedrin has met for the last time; the game ends.", weight=TURNING_POINT
)
END_FOLLOWERS: Final = EventType(
    "end_followers", "All Followers of {who} are at the Last Supper; the game ends.", weight=TURNING_POINT
)

# Impossible actions, with the number of the reason (`impossible_actions.py`)
IMPOSSIBLE: Final = EventType("impossible", "{who}: {0:obstacle}.")

# Gains: during another player's turn, the gaining seat is notified.
SCORED: Final = EventType(
    "scored", "{who} scores {0} VP ({1:source}).", target_fact=WHO, to_target="You score {0} VP ({1:source})."
)
RECEIVED: Final = EventType(
    "received",
    "{who} receives {0} {0:Denarius|Denarii}.",
    target_fact=WHO,
    to_target="You receive {0} {0:Denarius|Denarii}.",
)
OBTAINED: Final = EventType(
    "obtained", "{who} obtains {0} {1:good}.", target_fact=WHO, to_target="You obtain {0} {1:good}."
)
OVERFILLED: Final = EventType(
    "overfilled",
    "{0} {0:piece|pieces} will not fit into the Camp of {who}.",
    target_fact=WHO,
    to_target="{0} {0:piece|pieces} will not fit into your Camp.",
)
TOOK_OFFERING: Final = EventType("took_offering", "{who} takes an Offering.")

# Cards
TOOK: Final = EventType("took", "{who} takes {0:card}.")
DREW_MAHANE: Final = EventType("drew_mahane", "{who} draws a Mahane card.", secret="{who} draws {0:card}.")
DREW_XXXIII: Final = EventType("drew_xxxiii", "{who} draws a XXXIII A.D. card.", secret="{who} draws {0:card}.")
DREW_KNOWN: Final = EventType("drew_known", "{who} draws {0:card}.")  # All players saw the card go under its deck.
TURNED_UP: Final = EventType("turned_up", "{0:card} is turned face up next to the Mahane deck.", weight=BOOKKEEPING)
RESHUFFLED: Final = EventType("reshuffled", "{who} shuffles {0} {0:card|cards} into a new deck.", weight=BOOKKEEPING)
# The secrets of this event are the cards. The sentence that names them also counts them.
DREW: Final = EventType("drew", "{who} draws {0} {0:card|cards}.", weight=BOOKKEEPING)
DROPPED: Final = EventType("dropped", "{who} discards from the board: {0:card}.")
LAID_ANEW: Final = EventType("laid_anew", "{who} moves {0:card} into column {1}.", weight=BOOKKEEPING)

# Market and Temple
PAID_MAHANE: Final = EventType("paid_mahane", "{who} pays {0} {0:Denarius|Denarii} for a Mahane card.")
SOLD: Final = EventType("sold", "{who} sells {0:good} for {1} Denarii.")
BOUGHT: Final = EventType("bought", "{who} buys {0:good} for {1} Denarii.")
SENT: Final = EventType("sent", "{who} sends a Follower out for {1} {1:Denarius|Denarii}: {0:location}.")
DISPLACED: Final = EventType(
    "displaced",
    "{who} takes a square from {1:seat} for {2} Denarii: {0:location}.",
    weight=IMPORTANT,
    target_fact=1,
    to_target="{who} takes a square from you for {2} Denarii: {0:location}.",
)
CALLED: Final = EventType("called", "{who} calls a Follower: {0:location}.")

# The Last Supper
LEFT: Final = EventType("left", "{who} picks a Follower here: {0:location}.", weight=BOOKKEEPING)
WENT: Final = EventType("went", "{who} goes to {0:space} at the Last Supper.", weight=IMPORTANT)
CHANGED_PLACES: Final = EventType("changed_places", "{who} changes places, from {1:space} to {0:space}.")
SWAPPED: Final = EventType(
    "swapped",
    "{who} swaps {2:space} with {1:seat} on {0:space}.",
    weight=IMPORTANT,
    target_fact=1,
    to_target="{who} swaps {2:space} with you on {0:space}.",
)

# Parables, Favors and the Sanhedrin
LISTENED: Final = EventType("listened", "{who} listens to Parable {0}, {0:parable}.", weight=IMPORTANT)
FAVORED: Final = EventType(
    "favor",
    "{who} does {1:seat} a Favor: {0:benefit}.",
    weight=IMPORTANT,
    target_fact=1,
    to_target="{who} does you a Favor: {0:benefit}.",
)
WAREHOUSE_OPENED: Final = EventType("warehouse", "{who} opens the blocked space of the Camp.")
MARKER_MOVED: Final = EventType("marker", "The Sanhedrin meets: space {0}, {1} to go.", weight=IMPORTANT)
JUDGED: Final = EventType("judgment", "Judgment of the Sanhedrin: {0:tile}.", weight=IMPORTANT)

# Apostles
ILLUMINATED: Final = EventType("illuminated", "{who} uses the Illumination tile.", weight=IMPORTANT)
APPRECIATED: Final = EventType("appreciated", "{who} receives the appreciation of {0:giver}.")
COUNTED: Final = EventType("counted", "{who} scores for {0:apostle}.")
VISITED: Final = EventType("visited", "{who} visits Apostle column {0:roman} with column {1}.", weight=IMPORTANT)
VISITED_BY_FAVORS: Final = EventType(
    "visited_by_favors", "{who} visits Apostle column {0:roman} with Favors only.", weight=IMPORTANT
)
SEATED: Final = EventType("seated", "{who} seats {0:apostle} on {1:chair}.", weight=IMPORTANT)
TWELVE_SEATED: Final = EventType(
    "all_seated", "All twelve Apostles are seated: the Judgments are removed.", weight=TURNING_POINT
)

"""Event types of Les Missionnaires with their sentences for the log.

An event in which one seat affects another has its own type; `target_fact` is the position of the other seat among the
facts.
"""

from typing import Final

from triclinium.engine.core.event import BOOKKEEPING, IMPORTANT, TURNING_POINT, WHO, EventType

# 3.1 set-up
PICKED: Final = EventType("picked", "{who} takes the {0:colour} pawn.")

# 3.2 the turn
TURN: Final = EventType("turn", "Round {0}: it is the turn of {who}.", weight=BOOKKEEPING)
MISSED: Final = EventType(
    "missed",
    "{who} misses this turn and has {0} more to miss.",
    weight=IMPORTANT,
    target_fact=WHO,
    to_target="You miss this turn and have {0} more to miss.",
)
AGAIN: Final = EventType("again", "{who} plays again.", weight=IMPORTANT)
PASSED: Final = EventType("passed", "{who} passes.")

# 3.3 to 3.5 moving, arriving, the sea
MOVED: Final = EventType("moved", "{who} goes from {0:space} to {1:space}.")
CAST_ASHORE: Final = EventType(  # {who} chose the port.
    "cast_ashore",
    "{who} puts {2:seat} ashore: from {0:space} to {1:space}.",
    weight=IMPORTANT,
    target_fact=2,
    to_target="{who} puts you ashore: from {0:space} to {1:space}.",
)
STAYS: Final = EventType("stays", "{who} stays put ({0:space}); the move is over.")
VISITED: Final = EventType("visited", "{who} visits {0:space}.", weight=IMPORTANT)
REFILLED: Final = EventType("refilled", "{who} takes {0} {0:periodical|periodicals} at the Bethel.")
WIND: Final = EventType("wind", "Fair wind: the move of {who} may cover {0} spaces.")

# 3.6 obstacles
PAID: Final = EventType("paid", "{who} pays {0} {0:periodical|periodicals}.")
LEAPT: Final = EventType("leapt", "{who} leaps over {0:seat} ({1:space}).")
PUSHED_GENDARME: Final = EventType("pushed_gendarme", "{who} pushes gendarme {0:gendarme} from {1:space} to {2:space}.")
PUSHED_OVERSEER: Final = EventType("pushed_overseer", "{who} pushes the {0:overseer} from {1:space} to {2:space}.")
RELIEVED: Final = EventType("relieved", "{who} is shut in and takes {0} {0:periodical|periodicals}.")

# 3.7 overseers; if a card takes one from another player, the last fact is that player's seat
JOINED: Final = EventType("joined", "The {0:overseer} joins {who}.", weight=IMPORTANT)
CALLED_AWAY: Final = EventType(
    "called_away",
    "The {0:overseer} leaves {1:seat} and joins {who}.",
    weight=TURNING_POINT,
    target_fact=1,
    to_target="The {0:overseer} leaves you and joins {who}.",
)
OVERSEER_AT: Final = EventType("overseer_at", "The {0:overseer} is now in {1:space}, on his own.")
SENT_AWAY: Final = EventType(
    "sent_away",
    "The {0:overseer} leaves {2:seat}: he is now in {1:space}, on his own.",
    weight=TURNING_POINT,
    target_fact=2,
    to_target="The {0:overseer} leaves you: he is now in {1:space}, on his own.",
)

# 3.8 cards and vouchers
DREW: Final = EventType("drew", "{who} draws “{0:card}”: “{0:text}”", shows=True)
RESHUFFLED: Final = EventType("reshuffled", "The territory cards are reshuffled.", weight=BOOKKEEPING)
RESHUFFLED_SEA: Final = EventType("reshuffled_sea", "The sea cards are reshuffled.", weight=BOOKKEEPING)
USED: Final = EventType("used", "{who} uses “{0:card}”.")
PLAYED: Final = EventType("played", "{who} plays “{0:card}”.")
LAID_DOWN: Final = EventType("laid_down", "{who} lays down “{0:card}”.")
BURNT: Final = EventType("burnt", "{who} burns “{0:card}”.")
WILL_MISS: Final = EventType(
    "will_miss",
    "{who} will miss {0} {0:turn|turns}.",
    weight=IMPORTANT,
    target_fact=WHO,
    to_target="You will miss {0} {0:turn|turns}.",
)
GAINED: Final = EventType("gained", "{who} takes {0} {0:periodical|periodicals}.")
SENT_GENDARME: Final = EventType(
    "sent_gendarme", "{who} sends gendarme {0:gendarme} from {1:space} to {2:space}.", weight=IMPORTANT
)
DISPLACED: Final = EventType(  # {who} drew the card.
    "displaced",
    "{who} moves {2:seat} from {0:space} to {1:space}.",
    weight=IMPORTANT,
    target_fact=2,
    to_target="{who} moves your pawn from {0:space} to {1:space}.",
)
SHOWN: Final = EventType("shown", "{who} shows {0:space}: it counts as visited.", weight=IMPORTANT)
TOOK_CONGREGATION: Final = EventType(
    "took_congregation",
    "{who} takes a congregation card from the reserve.",
    secret="{who} takes a congregation card from the reserve: {0:congregation}.",
    weight=IMPORTANT,
)
TOOK_OPEN: Final = EventType(  # for matches with open hands (LM-R17)
    "took_open", "{who} takes a congregation card from the reserve: {0:congregation}.", weight=IMPORTANT
)
PUT_UNDER: Final = EventType(  # The fact is the slot, which all players see.
    "put_under",
    "{who} puts a congregation card under the reserve.",
    secret="{who} puts a congregation card under the reserve: {0:congregation}.",
)
PUT_OPEN: Final = EventType("put_open", "{who} puts a congregation card under the reserve: {0:congregation}.")

# 3.9 the end
FINISHED: Final = EventType(  # {1} includes missed turns.
    "finished", "{who} has visited everything and is home after {1} {1:turn|turns}: rank {0}.", weight=TURNING_POINT
)
GAVE_UP: Final = EventType("gave_up", "{who} stops playing here.", weight=TURNING_POINT)
ENDED: Final = EventType("ended", "{who} does not want to play on; the match ends.", weight=TURNING_POINT)
RESIGNED: Final = EventType("resigned", "{who} leaves the match: rank {0}.", weight=TURNING_POINT)
LIMIT: Final = EventType("limit", "Round {0} was the last one.", weight=TURNING_POINT)

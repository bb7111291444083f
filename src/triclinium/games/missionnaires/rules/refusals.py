"""Numbered rules of Les Missionnaires that can forbid an option."""

from typing import Final

from triclinium.engine.core.rule import Rule

# 3.2 and 3.3 the turn, moving
PASSED_BEFORE: Final = Rule(
    "LM-R12",
    "you are in a congregation, passed or burnt a voucher in your last turn and have a step that costs nothing",
)
SPEED_UNPAID: Final = Rule("LM-3.3", "a second space costs {0} {0:periodical|periodicals} and you have {1}")
TOO_FAR: Final = Rule("LM-3.4", "a leap takes two spaces and {0} {0:is|are} left")
TWICE: Final = Rule("LM-3.5", "a move enters no space twice and never returns to its start")
NOT_AT_SEA: Final = Rule("LM-3.8", "no pawn is pushed or put on a sea point")
TAKEN: Final = Rule("LM-3.9", "{0:seat} is there")

# 3.5 the sea
NOT_BEGUN_HERE: Final = Rule("LM-5.2", "to sail, you must begin the coup in the port")
ROAD_ONLY: Final = Rule("LM-5.2", "a bonus move goes by road only")
NO_SHIP_TO_SHIP: Final = Rule("LM-5.3", "after sailing into a port you can go on by road only")

# 3.6 obstacles
GENDARME_UNPAID: Final = Rule(
    "LM-6.2", "pushing the gendarme costs {0} {0:periodical|periodicals} and you have {1} to spare"
)
NOT_EMPTY: Final = Rule("LM-6.3", "that space is not empty")
NOT_THE_BETHEL: Final = Rule("LM-6.3", "no gendarme may be put on the Bethel")
STUCK: Final = Rule("LM-6.3", "no empty town is next to this gendarme")
NO_ROOM: Final = Rule("LM-6.4", "the gendarme there cannot be pushed anywhere")
OVERSEER_UNPAID: Final = Rule(
    "LM-6.6", "pushing the overseer costs {0} {0:periodical|periodicals} and you have {1} to spare"
)
OVERSEER_ROOM: Final = Rule("LM-6.8", "an overseer is pushed to an empty town or to the Bethel")
LEAP_UNPAID: Final = Rule("LM-6.9", "a leap costs {0} {0:periodical|periodicals} and you have {1}")
LANDING_TAKEN: Final = Rule("LM-6.10", "{0:seat} is on the space where the leap would end")

# 3.8 cards and vouchers
NO_WINDOW: Final = Rule("LM-8.4", "this voucher cannot be played now")
NO_ROAD: Final = Rule("LM-8.5", "there is no step by road that you can make and pay for")
HANDS_FULL: Final = Rule("LM-8.5", "you already hold {0} periodicals")
IN_COMPANY: Final = Rule("LM-8.5", "an overseer is already with you")
NOT_CALLED_AWAY: Final = Rule("LM-R6", "this overseer accompanies another proclaimer")
AT_THE_BETHEL: Final = Rule("LM-R11", "no one is moved away from the Bethel")
TO_THE_BETHEL: Final = Rule("LM-R11", "no one is moved to the Bethel")
RIVAL_STUCK: Final = Rule("LM-R11", "no road leads from there to an empty town")
PORT_TAKEN: Final = Rule("LM-R11", "a storm can put a ship ashore only in an empty port")

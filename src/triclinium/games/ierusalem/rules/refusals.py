"""Numbered rules that can refuse an option."""

from typing import Final

from triclinium.engine.core.rule import Rule

COLOUR_TAKEN: Final = Rule("IE-R44", "this colour is already taken")

ILLUMINATION_SPENT: Final = Rule("IE-2.5", "you have already used your Illumination tile")
ALL_SEATED: Final = Rule("IE-2.6", "all twelve Apostles are seated: the Illumination tile can no longer be used")
NO_ORANGE: Final = Rule("IE-2.5", "no orange Apostle is seated")
ORANGE_ONLY: Final = Rule("IE-2.5", "{0:apostle} is not orange")
NO_INVITATION: Final = Rule("IE-R23", "none of your Followers can be invited")
NO_SWAP: Final = Rule("IE-R23", "there are no two Followers to swap")

TOO_MANY_CARDS: Final = Rule("IE-2.8", "exactly three symbols count, and this column has {0} cards")
WRONG_ORDER: Final = Rule("IE-2.7", "the cards of this column do not follow the symbols of Apostle column {0:roman}")
FAVORS_LACK: Final = Rule("IE-R4", "you lack a Favor received: {0:location}")
NOT_WAITING: Final = Rule("IE-2.10", "no {0:shade} Apostle waits in this column")
SEAT_TAKEN: Final = Rule("IE-R7", "{0:apostle} already sits there")

DECK_EMPTY: Final = Rule("IE-R14", "the Mahane deck is empty")
NO_OWN_CARD: Final = Rule("IE-R13", "this column holds none of your own cards")
OVERFULL: Final = Rule("IE-2.18", "your Camp holds {0} pieces and has {1} spaces: discard goods")
GOOD_LACKS: Final = Rule("IE-2.18", "you have no {0:good}")

MAHANE_PRICE: Final = Rule("IE-3.1", "drawing costs {0} {0:Denarius|Denarii}, you have {1}")
NO_MAHANE: Final = Rule("IE-R14", "there is no Mahane card left")
NOTHING_TO_TRADE: Final = Rule("IE-3.1", "you have nothing to sell and cannot pay for any good")
NOTHING_TO_SELL: Final = Rule("IE-3.1", "you have no {0:good} to sell")
BOUGHT_THIS: Final = Rule("IE-R21", "you have bought {0:good} in this Market action")
SOLD_THIS: Final = Rule("IE-R21", "you have sold {0:good} in this Market action")
CANNOT_PAY: Final = Rule("IE-R21", "{0:good} costs {1} Denarii, you have {2}")

THREE_AT_MOST: Final = Rule("IE-3.5", "you already have {0} Followers in this Location")
LOCATION_FULL: Final = Rule("IE-3.4", "no square is empty in this Location")
NOT_FULL: Final = Rule("IE-R18", "a square is still empty in this Location")
NOBODY_THERE: Final = Rule("IE-R18", "this player has no Follower in this Location")
SEND_PRICE: Final = Rule("IE-3.3", "that costs {0} {0:Denarius|Denarii}, you have {1}")
REPLACE_PRICE: Final = Rule("IE-3.4", "taking that square costs {0} Denarii, you have {1}")
NO_DISPLACING: Final = Rule("IE-4.6", "no square is empty in this Location, and a call displaces no one")

LAID_ALREADY: Final = Rule("IE-R22", "you have already moved {0:card} in this action")
DISCARDS_SPENT: Final = Rule("IE-R22", "Redistribute discards {0} {0:card|cards} at most")

FAVOR_GIVEN: Final = Rule("IE-4.5", "you have given this Favor away")
TO_ANOTHER: Final = Rule("IE-4.5", "a Favor must go to another player")

LEAVE_MOST: Final = Rule("IE-4.2", "the Follower leaves the Location where you have most")
TAKEN: Final = Rule("IE-4.2", "the space is taken")
PRICE: Final = Rule("IE-R28", "needs {0} {1:good}, and you have {2}")
ANOTHER_SPACE: Final = Rule("IE-R34", "Change Places needs another, empty space")
UNUSED_STAYS: Final = Rule("IE-R20", "Followers of the unused colour are never swapped")

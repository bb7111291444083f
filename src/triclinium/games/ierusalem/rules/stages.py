"""The turn and the actions of the rulebook with their stages, which are shown above each question."""

from typing import Final

from triclinium.engine.core.action import Action

# The choice of colours is separate from the set-up, because most tables draw colours at random.
COLOURS: Final = Action("Set-up", ("pick a colour", "IE-R44"))
SET_UP: Final = Action("Set-up", ("send the extra Follower", "IE-1.15"))
TURN: Final = Action(
    "Your turn",
    ("A: the Sanhedrin", "IE-2.2"),
    ("B: a card", "IE-2.3"),
    ("C: a visit", "IE-2.7"),
    ("D: buy a card", "IE-2.15"),
    ("E: the hand", "IE-2.16"),
    ("F: the Camp", "IE-2.18"),
    ("G: end of the game?", "IE-2.19"),
)
CARD: Final = Action("Play a card", ("which one", "IE-2.3"), ("into which column", "IE-2.3"), ("do it", "IE-2.4"))
MARKET: Final = Action("The Market", ("trade or draw", "IE-3.1"), ("buy and sell", "IE-3.1"))
TEMPLE: Final = Action("The Temple", ("send Followers out", "IE-3.3"))
CALL: Final = Action("Call a Follower", ("choose where", "IE-4.6"))
PARABLE: Final = Action("Listen to a Parable", ("listen, or not", "IE-4.1"))
SUPPER: Final = Action(
    "To the Last Supper",
    ("from which Location", "IE-4.2"),
    ("onto which space", "IE-4.2"),
    ("an Offering", "IE-4.3"),
)
FAVOR: Final = Action("Do a Favor", ("which one", "IE-4.5"), ("to whom", "IE-4.5"), ("its benefit", "IE-R17"))
CHANGE_PLACES: Final = Action("Change places", ("which Follower", "IE-4.7"), ("where to", "IE-4.7"))
REARRANGE: Final = Action("Redistribute", ("lay cards, discard, or leave them", "IE-R22"))
MAHANE: Final = Action("A Mahane card", ("which one", "IE-4.11"))
XXXIII: Final = Action("A XXXIII A.D. card", ("draw, or not", "IE-4.11"))
VISIT: Final = Action("Visit", ("which column", "IE-2.7"), ("which Apostle", "IE-2.10"), ("where he sits", "IE-2.10"))
SWAP: Final = Action("Swap two Followers", ("which of yours", "IE-2.10"), ("with whose Follower", "IE-2.10"))
ILLUMINATION: Final = Action("The Illumination tile", ("whose appreciation", "IE-2.5"), ("which Apostle", "IE-2.5"))

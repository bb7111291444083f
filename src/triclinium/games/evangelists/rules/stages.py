"""The actions of the rulebook and their stages, which are shown above each question."""

from typing import Final

from triclinium.engine.core.action import Action
from triclinium.engine.core.text import msgid

OCTAGONS: Final = msgid("{0} {0:octagon|octagons}")
TOKENS: Final = msgid("{0} follow {0:token|tokens}")

SET_UP: Final = Action("Set-up", ("pick a colour", "AE-R34"), ("place your pawn", "AE-1.12"))
TURN: Final = Action("Your turn", ("choose an action", "AE-2.6"))
TRAVEL: Final = Action("Travel", ("choose where", "AE-4.1"), ("the others may follow", "AE-4.3"))
BOAT: Final = Action("Boat", ("choose where", "AE-5.1"), ("move the boat that was there", "AE-5.3"))
TRADITION: Final = Action(
    "Tradition",
    ("keep a card", "AE-6.2"),
    ("keep a second one", "AE-6.3"),
    ("place the card", "AE-6.4"),
    ("leave one face up", "AE-6.5"),
    ("the others may copy", "AE-6.6"),
)
INTERVIEW: Final = Action("Interview", ("weak or strong", "AE-7.6"), ("the others may follow", "AE-7.7"))
REARRANGE: Final = Action(
    "Rearrange", ("choose a leaf", "AE-8.1"), ("flip or move it", "AE-8.1"), ("the others may follow", "AE-8.3")
)
NEW_LEAF: Final = Action("New leaf", ("choose the side", "AE-10.1"))

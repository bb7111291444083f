"""Moves of the rulebook with their stages, as the page shows them."""

from typing import Final

from triclinium.engine.core.action import Action

MOVE: Final = Action("Your move", ("one move, or pass", "TT-2.1"))
CREATE: Final = Action("Create", ("choose a space", "TT-4.1"), ("choose what", "TT-4.2"), ("pay", "TT-4.3"))
PRESERVE: Final = Action("Preserve", ("choose a Testament", "TT-5.1"), ("pay", "TT-5.3"))
SIRE: Final = Action("Sire", ("choose the parents", "TT-6.2"))
SIRE_SHAMAN: Final = Action("Sire Shaman", ("choose the parents", "TT-7.2"))
CONVERT: Final = Action("Convert", ("choose a rival", "TT-8.3"), ("pay", "TT-8.3"))
ATTACK: Final = Action("Attack", ("choose a Testament", "TT-9.1"), ("shamans", "TT-9.2"), ("followers", "TT-9.2"))
DEFEND: Final = Action("Defend", ("choose a Testament", "TT-10.1"), ("shamans", "TT-10.3"), ("followers", "TT-10.3"))
MEET: Final = Action("The round ends", ("who your defenders meet", "TT-12.2"))
REVERSE: Final = Action(
    "Reverse Time",
    ("choose a Testament", "TT-11.1"),
    ("how far back", "TT-11.2"),
    ("its preservation in that round", "TT-11.5"),
    ("pay", "TT-11.8"),
    ("defend it in that round", "TT-11.6"),
)
REVERSE_A_RIVAL: Final = Action(
    "Reverse Time",
    ("choose a Testament", "TT-11.1"),
    ("how far back", "TT-11.2"),
    ("its preservation in that round", "TT-11.7"),
    ("pay", "TT-11.8"),
)

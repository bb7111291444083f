"""The actions of the rulebook and their stages, which are shown above each question."""

from typing import Final

from triclinium.engine.core.action import Action

SET_UP: Final = Action("Set-up", ("set the portals", "PP-1.7"), ("place your pawn", "PP-1.9"))
TURN: Final = Action("Your turn", ("actions and free steps, in any order", "PP-3.1"))
DISCARDING: Final = Action("Discard", ("choose the card", "PP-9.1"))

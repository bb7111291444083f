"""Actions of the rulebook with their stages, as the page shows them."""

from typing import Final

from triclinium.engine.core.action import Action

COUP: Final = Action(
    "Your turn",
    ("vouchers", "LM-8.4"),
    ("a step, or pass", "LM-2.3"),
    ("stop or go on", "LM-3.3"),
)
BONUS_MOVE: Final = Action("Bonus move", ("by road", "LM-3.2"))
PUSHING: Final = Action(
    "Someone is in the way", ("join him, or push", "LM-6.6"), ("pay", "LM-6.2"), ("where he goes", "LM-6.3")
)
AT_SEA: Final = Action("Sea card", ("the storm", "LM-R11"))
DRAWN: Final = Action("A card is drawn", ("obey or cancel", "LM-8.4"))
CARD: Final = Action("A card is obeyed", ("obey it", "LM-8.1"))
VOUCHER: Final = Action("A voucher is drawn", ("play or keep it", "LM-8.4"))
GENDARME: Final = Action("A gendarme moves", ("which one", "LM-8.1"), ("where to", "LM-8.1"))
RIVAL: Final = Action("Another proclaimer is moved", ("which one", "LM-R11"), ("where to", "LM-R11"))
AT_BETHEL: Final = Action("At the Bethel", ("who comes along", "LM-R10"))
FINISH: Final = Action("A player is home", ("play on, or stop", "LM-R15"))
PAWN: Final = Action("The pawns", ("your colour", "LM-1.3"))

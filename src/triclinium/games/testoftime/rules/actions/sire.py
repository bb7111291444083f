"""The moves Sire and Sire Shaman: more followers, or more shamans at the cost of lives (TT-6.1 to TT-7.3)."""

from typing import ClassVar

from triclinium.engine.core.action import Action
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.state import Seat
from triclinium.games.testoftime.rules import stages
from triclinium.games.testoftime.rules.actions.payment import Payment
from triclinium.games.testoftime.rules.events import SIRES, SIRES_SHAMAN
from triclinium.games.testoftime.rules.refusals import (
    NO_FOLLOWER_LEFT,
    NO_SHAMAN_LEFT,
    SHAMAN_ZONES_USED,
    SIRE_COST,
    SIRE_SHAMAN_COST,
    SIRE_ZONES_USED,
)
from triclinium.games.testoftime.rules.state import TestOfTime, append_to_part


def forbids_sire(s: TestOfTime, who: Seat, worth: int) -> Rule | None:
    """TT-6.1, TT-6.2, TT-R3  Return why the player cannot sire, or None.

    Siring needs an unused zone, the parents, and a follower in the supply.
    """
    c = s.c
    if len(s.sires[who]) >= c.sire_zones:
        return SIRE_ZONES_USED
    if worth < c.sire_cost:
        return SIRE_COST
    return NO_FOLLOWER_LEFT if s.followers[who] >= c.max_followers else None


def count_possible_children(s: TestOfTime, who: Seat, worth: int) -> int:
    """TT-6.1, TT-6.2  Return how many more followers a player can sire this round."""
    c = s.c
    zones = c.sire_zones - len(s.sires[who])
    return max(0, min(zones, worth // c.sire_cost, c.max_followers - s.followers[who]))


def sire_follower(s: TestOfTime, who: Seat) -> None:
    """TT-6.1, TT-6.2  Ask for the payment; the child joins its parents at once."""
    s.stack.append(PayForSire(who, s.c.sire_cost, s.get_shaman_power(who)))


class PayForSire(Payment):
    """TT-6.2  The payment for a follower, who is in play from now on and can be used from the next round (TT-2.6)."""

    id: ClassVar[str] = "PayForSire"
    plan: ClassVar[str] = "sire"
    action: ClassVar[Action | None] = stages.SIRE
    question: ClassVar[str] = "How many of the parents are shamans? It takes {0}, and a shaman counts {1}."

    def apply_payment(self, s: TestOfTime, followers: int, shamans: int) -> None:
        placed = s.take_waiting(self.who, followers, shamans)
        s.sires = append_to_part(s.sires, self.who, placed)
        s.followers[self.who] += 1
        s.emit(SIRES, self.who, (placed,), "TT-6.2")


def forbids_sire_shaman(s: TestOfTime, who: Seat, worth: int) -> Rule | None:
    """TT-7.1, TT-7.2, TT-R3  Return why the player cannot sire a shaman, or None.

    Siring a shaman needs an unused zone, the parents, and a shaman in the supply.
    """
    c = s.c
    if len(s.shaman_sires[who]) >= c.sire_shaman_zones:
        return SHAMAN_ZONES_USED
    if worth < c.sire_shaman_cost:
        return SIRE_SHAMAN_COST
    return NO_SHAMAN_LEFT if s.shamans[who] >= c.max_shamans else None


def sire_shaman(s: TestOfTime, who: Seat) -> None:
    """TT-7.1, TT-7.2  Ask for the payment; the new shaman joins its parents at once."""
    s.stack.append(PayForSireShaman(who, s.c.sire_shaman_cost, s.get_shaman_power(who)))


class PayForSireShaman(Payment):
    """TT-7.2, TT-7.3  The payment for a shaman, who is in play from now on; the parents die when the round ends."""

    id: ClassVar[str] = "PayForSireShaman"
    action: ClassVar[Action | None] = stages.SIRE_SHAMAN
    question: ClassVar[str] = (
        "How many of the parents, who die unless saved, are shamans? It takes {0}, and a shaman counts {1}."
    )

    def apply_payment(self, s: TestOfTime, followers: int, shamans: int) -> None:
        placed = s.take_waiting(self.who, followers, shamans)
        s.shaman_sires = append_to_part(s.shaman_sires, self.who, placed)
        s.shamans[self.who] += 1
        s.emit(SIRES_SHAMAN, self.who, (placed,), "TT-7.2")
